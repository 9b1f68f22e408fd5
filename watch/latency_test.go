package watch

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/todomd/todomd/mdplan"
)

var latency = flag.Int("latency", 0, "measure so many saves beside inotifywait (go test -run Latency -latency 1000)")

// watchMe makes the test binary a watcher that prints events, as the command
// does.
const watchMe = "WATCH_TEST_FILE"

func watchForParent() {
	path := os.Getenv(watchMe)
	for e := range File(context.Background(), path, Options{Initial: true}) {
		line, err := mdplan.EncodeJSON(e)
		if err != nil {
			panic(err)
		}
		os.Stdout.Write(line)
	}
}

// TestLatency measures from a rename onto the plan until the report of another
// process arrives on its standard output, and the same of inotifywait at the
// same renames.
func TestLatency(t *testing.T) {
	if *latency == 0 {
		t.Skip("a measurement, see -latency")
	}
	for _, items := range []int{12, 600} {
		t.Run(fmt.Sprintf("%d items", items), func(t *testing.T) { measure(t, items) })
	}
}

func measure(t *testing.T, items int) {
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	save := func(n int) time.Time {
		src := []byte("# Plan\n\n")
		for i := range items {
			mark := ' '
			if i < n%items {
				mark = 'x'
			}
			src = fmt.Appendf(src, "- [%c] item %d of a plan\n", mark, i)
		}
		tmp := filepath.Join(dir, "tmp")
		if err := os.WriteFile(tmp, src, 0o644); err != nil {
			t.Fatal(err)
		}
		at := time.Now()
		if err := os.Rename(tmp, path); err != nil {
			t.Fatal(err)
		}
		return at
	}
	save(0)
	self := exec.Command(os.Args[0])
	self.Env = append(os.Environ(), watchMe+"="+path)
	ours := lines(t, self)
	<-ours // the initial event
	theirs := lines(t, exec.Command("inotifywait", "-q", "-m", "-e", "moved_to", "--format", "%f", dir))
	time.Sleep(time.Second) // inotifywait -q does not say when it is ready
	var a, b []time.Duration
	for n := 1; n <= *latency; n++ {
		at := save(n)
		a = append(a, (<-ours).Sub(at))
		b = append(b, (<-theirs).Sub(at))
		time.Sleep(10 * time.Millisecond)
	}
	slices.Sort(a)
	slices.Sort(b)
	at := func(d []time.Duration, percent int) time.Duration { return d[(len(d)-1)*percent/100] }
	t.Logf("%d saves: median %v, 99th percentile %v; inotifywait %v, %v; the ratio of the medians is %.2f", *latency,
		at(a, 50), at(a, 99), at(b, 50), at(b, 99), float64(at(a, 50))/float64(at(b, 50)))
}

// lines gives the times at which a program's lines arrive.
func lines(t *testing.T, cmd *exec.Cmd) <-chan time.Time {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	times := make(chan time.Time, 100)
	go func() {
		for in := bufio.NewReaderSize(out, 1<<20); ; {
			if _, err := in.ReadSlice('\n'); err != nil {
				return
			}
			times <- time.Now()
		}
	}()
	return times
}

package mdplan

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func init() {
	// Appends lines of its own.
	children["append"] = func(args []string) error {
		path, name := args[0], args[1]
		count, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		s := Open(path)
		for i := range count {
			_, err := s.Update(context.Background(), addLine(fmt.Sprintf("- [ ] writer %s line %d", name, i)))
			if err != nil {
				return err
			}
		}
		return nil
	}
	// Writes sealed contents until it is killed, and says so after the first.
	children["seal"] = func(args []string) error {
		s := Open(args[0])
		for i := 0; ; i++ {
			if i == 1 {
				os.Stdout.WriteString("!")
			}
			_, err := s.Update(context.Background(), func(p *Plan) (*Plan, error) {
				n, err := unseal(p.Bytes())
				if err != nil {
					return nil, err
				}
				return Parse(seal(n+1, 1+rand.IntN(100_000)))
			})
			if err != nil {
				return err
			}
		}
	}
}

// Processes and goroutines that append, while readers check that the file only
// grows, and that no line is ever cut.
func TestProcessesThatAppend(t *testing.T) {
	processes, lines := 16, 50
	if fewer() {
		processes, lines = 8, 10
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	put(t, path, "# Plan\n")

	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			s := Open(path)
			for last := ""; ; {
				p, err := s.Read()
				if err != nil {
					t.Error(err)
					return
				}
				now := string(p.Bytes())
				if !strings.HasPrefix(now, last) || !strings.HasSuffix(now, "\n") {
					t.Errorf("read %q after %q", now, last)
					return
				}
				last = now
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
			}
		})
	}
	var writers []*exec.Cmd
	for i := range processes {
		cmd := child("append", path, strconv.Itoa(i), strconv.Itoa(lines))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		writers = append(writers, cmd)
	}
	for _, cmd := range writers {
		if text, ok := wait(cmd); !ok {
			t.Error(text)
		}
	}
	close(done)
	readers.Wait()

	got := strings.Split(strings.TrimPrefix(get(t, path), "# Plan\n"), "\n")
	if len(got) != processes*lines+1 {
		t.Errorf("%d lines, want %d", len(got)-1, processes*lines)
	}
	next := make([]int, processes)
	for _, line := range got[:len(got)-1] {
		var writer, n int
		if _, err := fmt.Sscanf(line, "- [ ] writer %d line %d", &writer, &n); err != nil || n != next[writer] {
			t.Fatalf("%q, want line %d of that writer", line, next[writer])
		}
		next[writer]++
	}
	wantNames(t, dir, ".todomd", "todo.md")
}

// seal gives the nth content, of about size bytes, in which a change of any
// byte shows.
func seal(n, size int) []byte {
	body := fmt.Sprintf("- [ ] %d\n%s\n", n, strings.Repeat("x", size))
	sum := sha256.Sum256([]byte(body))
	return []byte(body + hex.EncodeToString(sum[:]) + "\n")
}

func unseal(content []byte) (n int, err error) {
	const tail = 2*sha256.Size + 1
	if len(content) < tail {
		return 0, fmt.Errorf("torn: %d bytes", len(content))
	}
	body := content[:len(content)-tail]
	sum := sha256.Sum256(body)
	if string(content[len(body):]) != hex.EncodeToString(sum[:])+"\n" {
		return 0, errors.New("torn: the sum is wrong")
	}
	_, err = fmt.Sscanf(string(body), "- [ ] %d\n", &n)
	return n, err
}

// Writers are killed at any moment, several at once, so that some die while
// others wait for them.
func TestKilledWriters(t *testing.T) {
	kills := 1000
	if fewer() {
		kills = 60
	}
	const atOnce = 2
	// A busy machine gets fewer, since each waits for a disk.
	const enough = 20 * time.Second
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	s := Open(path)
	if _, err := s.Update(t.Context(), func(*Plan) (*Plan, error) { return Parse(seal(0, 1)) }); err != nil {
		t.Fatal(err)
	}
	allowed := map[string]bool{
		"todo.md": true, ".todo.md.todomd-tmp": true, ".todomd": true,
		".gitignore": true, "todo.md.lock": true, "todo.md.lost": true,
	}
	// The number never goes back: what was read once stays written.
	var mu sync.Mutex
	last, killed := 0, 0
	check := func() {
		mu.Lock()
		defer mu.Unlock()
		p, err := s.Read()
		if err != nil {
			t.Error(err)
			return
		}
		n, err := unseal(p.Bytes())
		if err != nil || n < last {
			t.Errorf("revision %d after %d, %v", n, last, err)
		}
		last = max(n, last)
		killed++
		for _, folder := range []string{dir, filepath.Join(dir, ".todomd")} {
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Error(err)
			}
			for _, e := range entries {
				if !allowed[e.Name()] {
					t.Errorf("litter: %s", e.Name())
				}
			}
		}
	}
	begin := time.Now()
	var killers sync.WaitGroup
	for range atOnce {
		killers.Go(func() {
			for range kills / atOnce {
				if time.Since(begin) > enough {
					return
				}
				cmd := child("seal", path)
				out, err := cmd.StdoutPipe()
				if err == nil {
					err = cmd.Start()
				}
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := out.Read(make([]byte, 1)); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond)
				cmd.Process.Kill()
				if text, _ := wait(cmd); strings.Contains(text, "torn") || !strings.Contains(text, "killed") && os.PathSeparator == '/' {
					t.Errorf("child: %s", text)
				}
				check()
			}
		})
	}
	killers.Wait()
	if last < killed {
		t.Errorf("%d revisions by %d writers, each of which made one at least", last, killed)
	}
	if _, err := s.Update(t.Context(), func(*Plan) (*Plan, error) { return Parse(seal(last+100, 1)) }); err != nil {
		t.Errorf("after all: %v", err)
	}
	if _, err := os.Lstat(filepath.Join(dir, ".todo.md.todomd-tmp")); err == nil {
		t.Error("the temporary file is left")
	}
	t.Logf("%d revisions by %d writers", last, killed)
}

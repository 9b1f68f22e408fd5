package watch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/todomd/todomd/mdplan"
)

// patience is how long a test waits for an event that has to come. Only a
// fault makes it pass.
const patience = 20 * time.Second

// calm is the quiet time of these tests, whose processes on a busy machine
// stand still for longer than the usual one; settled is long enough for
// anything that is still to come.
const (
	calm    = time.Second
	settled = calm * 5 / 4
)

// atOnce is how many tests may wait for something at the same time.
const atOnce = 24

func TestMain(m *testing.M) {
	if os.Getenv(watchMe) != "" {
		watchForParent()
	}
	flag.Parse()
	flag.Set("test.parallel", strconv.Itoa(atOnce))
	os.Exit(m.Run())
}

// plan is a plan file on disk under watch.
type plan struct {
	t      *testing.T
	dir    string
	path   string
	events <-chan Event
}

// onDisk writes a plan file and watches it.
func onDisk(t *testing.T, src string, o Options) *plan {
	t.Helper()
	p := &plan{t: t, dir: t.TempDir()}
	p.path = filepath.Join(p.dir, "todo.md")
	p.save(src)
	p.watch(p.path, o)
	return p
}

func (p *plan) watch(path string, o Options) {
	ctx, cancel := context.WithCancel(context.Background())
	o.quietTime = cmp.Or(o.quietTime, calm)
	events := File(ctx, path, o)
	p.events = events
	p.t.Cleanup(func() {
		cancel()
		for range events {
		}
	})
}

func (p *plan) save(src string) {
	p.t.Helper()
	if err := os.WriteFile(p.path, []byte(src), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// replace puts a new file in the place of the plan.
func (p *plan) replace(src string) {
	p.t.Helper()
	tmp := filepath.Join(filepath.Dir(p.path), ".tmp")
	if err := errors.Join(os.WriteFile(tmp, []byte(src), 0o644), os.Rename(tmp, p.path)); err != nil {
		p.t.Fatal(err)
	}
}

// sh runs a shell script in the plan's folder, as another process.
func (p *plan) sh(script string) {
	p.t.Helper()
	if runtime.GOOS == "windows" {
		p.t.Skip("needs a shell")
	}
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("%s: %v\n%s", script, err, out)
	}
}

func (p *plan) next() Event {
	p.t.Helper()
	select {
	case e := <-p.events:
		return e
	case <-time.After(patience):
		p.t.Fatal("no event")
		return Event{}
	}
}

func (p *plan) want(want string) Event {
	p.t.Helper()
	e := p.next()
	if got := show(e); got != want {
		p.t.Errorf("got  %s\nwant %s", got, want)
	}
	return e
}

func (p *plan) none(d time.Duration) {
	p.t.Helper()
	select {
	case e := <-p.events:
		p.t.Fatalf("unexpected event: %s", show(e))
	case <-time.After(d):
	}
}

// Each script, run by another process, is one edit, or none.
func TestScripts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, script, want string }{
		{"sed -i", `sed -i 's/\[ \] one/[x] one/' todo.md`, didOne},
		{"truncate and write", `cat todo.md > copy; sed 's/\[ \] one/[x] one/' copy > todo.md`, didOne},
		{"pause in an empty file", `exec > todo.md; sleep 0.03; printf '# Plan\n\n- [x] one\n- [ ] two\n'`, didOne},
		{"slow writer", `exec > todo.md; printf '# Plan\n'; sleep 0.02; printf '\n'; for n in 1 2 3 4 5 6 7 8; do printf -- '- [ ] ' ; sleep 0.02; echo more $n; sleep 0.02; done`,
			"human: removed one@3 removed two@4 added more 1@3 added more 2@4 added more 3@5 added more 4@6 added more 5@7 added more 6@8 added more 7@9 added more 8@10"},
		{"append", `echo '- [ ] three' >> todo.md`, "human: added three@5"},
		{"atomic replace", `sed 's/\[ \] one/[x] one/' todo.md > .new; mv .new todo.md`, didOne},
		{"from another folder", `mkdir sub; sed 's/\[ \] one/[x] one/' todo.md > sub/new; mv sub/new todo.md`, didOne},
		{"delete and make anew", `sed 's/\[ \] one/[x] one/' todo.md > new; rm todo.md; sleep 0.02; cat new > todo.md`, didOne},
		{"backup, then a new file", `mv todo.md todo.md~; sed 's/\[ \] one/[x] one/' todo.md~ > todo.md; rm todo.md~`, didOne},
		{"hard link", `sed 's/\[ \] one/[x] one/' todo.md > new; ln -f new todo.md`, didOne},
		{"delete", `rm todo.md`, "human: removed one@3 removed two@4 text"},
		{"rename away", `mv todo.md done.md`, "human: removed one@3 removed two@4 text"},
		{"touch", `touch todo.md`, ""},
		{"mode", `chmod 600 todo.md; chmod 644 todo.md`, ""},
		{"same bytes in place", `cat todo.md > copy; cat copy > todo.md`, ""},
		{"same bytes in a new file", `cp todo.md copy; mv copy todo.md`, ""},
		{"there and back", `cp todo.md copy; echo x > todo.md; cat copy > todo.md`, ""},
		{"away and back", `mv todo.md away; mv away todo.md`, ""},
		{"another file", `echo '- [x] one' > other.md; mv other.md more.md; rm more.md`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := onDisk(t, oneTwo, Options{})
			p.sh(tt.script)
			if tt.want != "" {
				p.want(tt.want)
			}
			p.none(settled)
		})
	}
}

func TestTenSaves(t *testing.T) {
	t.Parallel()
	p := onDisk(t, "", Options{})
	src := ""
	for n := range 10 {
		src += fmt.Sprintf("- [ ] item %d\n", n)
		p.replace(src)
		p.want(fmt.Sprintf("human: added item %d@%d", n, n+1))
		time.Sleep(80 * time.Millisecond)
	}
	p.none(settled)
}

// In-place saves that follow each other closely are one edit or several, each
// item is told of once.
func TestTenSavesInPlace(t *testing.T) {
	t.Parallel()
	p := onDisk(t, "", Options{})
	src := ""
	for n := range 10 {
		src += fmt.Sprintf("- [ ] item %d\n", n)
		p.save(src)
		time.Sleep(90 * time.Millisecond)
	}
	told := map[string]int{}
	for len(told) < 10 {
		for _, d := range p.next().Changes {
			if d.Op != mdplan.OpAdded {
				t.Errorf("%+v", d)
			}
			told[d.Content]++
		}
	}
	for item, n := range told {
		if n != 1 {
			t.Errorf("%s: told %d times", item, n)
		}
	}
	p.none(settled)
}

func TestLinks(t *testing.T) {
	t.Parallel()
	setUp := func(t *testing.T) *plan {
		p := &plan{t: t, dir: t.TempDir()}
		p.path = filepath.Join(p.dir, "a", "plan.md")
		p.sh(`mkdir a b links`)
		p.save(oneTwo)
		p.sh(`sed 's/\[ \] one/[x] one/' a/plan.md > b/plan.md; ln -s ../a/plan.md links/todo.md; ln -s a folder`)
		return p
	}
	t.Run("target", func(t *testing.T) {
		t.Parallel()
		p := setUp(t)
		p.watch(filepath.Join(p.dir, "links", "todo.md"), Options{})
		p.save(oneDone)
		p.want(didOne)
		p.replace(bothDone)
		p.want(didTwo)
		p.none(settled)
	})
	t.Run("swap", func(t *testing.T) {
		t.Parallel()
		p := setUp(t)
		p.watch(filepath.Join(p.dir, "links", "todo.md"), Options{})
		p.sh(`ln -sfn ../b/plan.md links/todo.md`)
		p.want(didOne)
		p.save(bothDone) // no longer the plan
		p.none(settled)
		p.path = filepath.Join(p.dir, "b", "plan.md")
		p.replace(bothDone)
		p.want(didTwo)
		p.none(settled)
	})
	t.Run("dangling", func(t *testing.T) {
		t.Parallel()
		p := setUp(t)
		p.watch(filepath.Join(p.dir, "links", "todo.md"), Options{})
		p.sh(`rm a/plan.md`)
		p.want("human: removed one@3 removed two@4 text")
		p.replace(oneTwo)
		p.want("human: added one@3 added two@4 text")
		p.none(settled)
	})
	t.Run("link becomes file", func(t *testing.T) {
		t.Parallel()
		p := setUp(t)
		p.watch(filepath.Join(p.dir, "links", "todo.md"), Options{})
		p.sh(`cp b/plan.md links/new; mv links/new links/todo.md`)
		p.want(didOne)
		p.path = filepath.Join(p.dir, "links", "todo.md")
		p.replace(bothDone)
		p.want(didTwo)
		p.none(settled)
	})
	t.Run("linked folder", func(t *testing.T) {
		t.Parallel()
		p := setUp(t)
		p.watch(filepath.Join(p.dir, "folder", "plan.md"), Options{})
		p.save(oneDone)
		p.want(didOne)
		p.sh(`cp b/plan.md b/x; sed 's/\[ \] two/[x] two/' b/x > b/plan.md; ln -sfn b folder`)
		p.want(didTwo) // a look finds it
		p.path = filepath.Join(p.dir, "b", "plan.md")
		p.replace(oneTwo)
		p.next()
		p.none(settled)
	})
}

func TestFolders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, script string }{
		{"replaced", `mv top/plans old; mkdir top/plans; cp done.md top/plans/todo.md`},
		{"replaced by another", `cp -r top/plans new; cp done.md new/todo.md; mv top/plans old; mv new top/plans`},
		{"its own folder replaced", `mv top old; mkdir -p top/plans; cp done.md top/plans/todo.md`},
		{"deleted and made anew", `rm -r top; sleep 0.02; mkdir -p top/plans; cp done.md top/plans/todo.md`},
		{"moved behind a link", `mv top/plans old; cp done.md old/todo.md; ln -s ../old top/plans`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := &plan{t: t, dir: t.TempDir()}
			p.path = filepath.Join(p.dir, "top", "plans", "todo.md")
			p.sh(`mkdir -p top/plans; printf '# Plan\n\n- [x] one\n- [ ] two\n' > done.md`)
			p.save(oneTwo)
			p.watch(p.path, Options{})
			p.sh(tt.script)
			p.want(didOne)
			// The watch is on the new folder now. A rename is told at once by
			// its events only.
			time.Sleep(settled)
			p.replace(bothDone)
			p.want(didTwo)
			p.none(settled)
		})
	}
}

// Neither the file nor its folder need be there.
func TestNothingYet(t *testing.T) {
	t.Parallel()
	p := &plan{t: t, dir: t.TempDir()}
	p.path = filepath.Join(p.dir, "a", "b", "todo.md")
	p.watch(p.path, Options{})
	p.none(settled)
	p.sh(`mkdir -p a/b`)
	p.save(oneTwo)
	p.want("human: added one@3 added two@4 text")
	time.Sleep(settled)
	p.replace(oneDone)
	p.want(didOne)
	p.sh(`rm -r a`)
	p.want("human: removed one@3 removed two@4 text")
	p.none(settled)
}

func TestRelativePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	p := &plan{t: t, dir: dir, path: filepath.Join(dir, "todo.md")}
	p.save(oneTwo)
	p.watch("todo.md", Options{})
	p.replace(oneDone)
	if e := p.want(didOne); e.File != "todo.md" {
		t.Errorf("file %q", e.File)
	}
}

func TestPoll(t *testing.T) {
	t.Parallel()
	p := onDisk(t, oneTwo, Options{Poll: true})
	p.replace(oneDone)
	p.want(didOne)
	p.sh(`rm todo.md`)
	p.want("human: removed one@3 removed two@4 text")
	p.save(oneTwo)
	p.want("human: added one@3 added two@4 text")
	p.none(settled)
}

// What is no file that can be read is said once, and ends nothing.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, script, why string }{
		{"a folder", `mkdir new; mv new todo.md`, "not a regular file"},
		{"a pipe", `mkfifo new; mv new todo.md`, "not a regular file"},
		{"a loop of links", `ln -s todo.md todo.md`, "too many levels of symbolic links"},
		{"far too large", `truncate -s 9G new; mv new todo.md`, "it has 9663676416 bytes, at most 1048576 are read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := onDisk(t, oneTwo, Options{})
			p.sh(`mv todo.md old; ` + tt.script)
			e := p.next()
			if len(e.Problems) != 1 || !strings.Contains(e.Problems[0].Message, tt.why) || len(e.Changes) != 0 || e.Counts.Total != 2 {
				t.Errorf("got %s %+v", show(e), e)
			}
			p.none(tickTime + settled)
			p.sh(`rm -rf todo.md`)
			p.replace(oneDone)
			p.want(didOne)
			p.none(settled)
		})
	}
}

func TestForbidden(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	p := onDisk(t, oneTwo, Options{})
	p.sh(`chmod 0 todo.md`)
	p.want(": !unreadable")
	p.sh(`chmod 644 todo.md; echo '- [ ] three' >> todo.md`)
	p.want("human: added three@5")
}

// A storm of other files in the folder costs no read, and hides nothing.
func TestStorm(t *testing.T) {
	t.Parallel()
	p := onDisk(t, oneTwo, Options{})
	p.sh(`for n in 1 2 3 4 5; do for m in 1 2 3 4 5 6 7 8 9; do echo > other$m; done; done`)
	p.none(settled)
	p.sh(`(for n in 1 2 3 4 5 6 7 8 9; do for m in 1 2 3 4 5 6 7 8 9; do echo > other$m; done; done) &
		sed 's/\[ \] one/[x] one/' todo.md > .new; mv .new todo.md; wait`)
	p.want(didOne)
	p.none(settled)
}

func TestStormCostsNoRead(t *testing.T) {
	p := places{folders: []string{"/d"}, bases: []string{"todo.md"}}
	for _, tt := range []struct {
		e    fsnotify.Event
		want hint
	}{
		{fsnotify.Event{Name: "/d/other.md", Op: fsnotify.Write}, 0},
		{fsnotify.Event{Name: "/d/todo.md~", Op: fsnotify.Create}, 0},
		{fsnotify.Event{Name: "/d", Op: fsnotify.Chmod}, 0},
		{fsnotify.Event{Name: "/d", Op: fsnotify.Rename}, uprooted},
		{fsnotify.Event{Name: "/d", Op: fsnotify.Remove}, uprooted},
		{fsnotify.Event{Name: "./todo.md", Op: fsnotify.Write}, touched},
		{fsnotify.Event{Name: "/d/TODO.md", Op: fsnotify.Write}, touched},
		{fsnotify.Event{Name: "/d/todo.md", Op: fsnotify.Create}, touched},
		{fsnotify.Event{Name: "/d/todo.md", Op: fsnotify.Remove}, touched},
	} {
		if got := p.hint(tt.e); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.e, got, tt.want)
		}
	}
}

// Only the text of an event tells of a rename: see that it still does.
func TestRenamedOnto(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("inotify only")
	}
	dir := t.TempDir()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Add(dir); err != nil {
		t.Fatal(err)
	}
	path, tmp := filepath.Join(dir, `a "← b`), filepath.Join(dir, "tmp")
	if err := errors.Join(os.WriteFile(path, nil, 0o644), os.WriteFile(tmp, nil, 0o644), os.Rename(tmp, path)); err != nil {
		t.Fatal(err)
	}
	p := places{bases: []string{filepath.Base(path)}}
	for _, want := range []hint{touched, replaced} { // made in place, then replaced
		for {
			e := <-w.Events
			if e.Name != path || !e.Has(fsnotify.Create) {
				continue
			}
			if got := p.hint(e); got != want {
				t.Errorf("%s: %d, want %d", e, got, want)
			}
			break
		}
	}
}

// The watches follow the path: each time that it leads elsewhere there is news,
// and none while it does not.
func TestFollow(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells one folder from another")
	}
	p := &plan{t: t, dir: t.TempDir()}
	p.sh(`mkdir -p top/links top/a top/b; touch top/a/plan.md top/b/plan.md; ln -s ../a/plan.md top/links/todo.md`)
	d := newDisk(filepath.Join(p.dir, "top", "links", "todo.md"), false)
	defer d.close()
	for _, tt := range []struct{ script, folders string }{
		{``, "a links"},
		{`ln -sfn ../b/plan.md top/links/todo.md`, "b links"},
		{`mv top old; cp -a old top`, "b links"},
		{`rm top/b/plan.md; rm top/links/todo.md; ln -s ../a/none.md top/links/todo.md`, "a links"},
		{`rm top/links/todo.md; cp top/a/plan.md top/links/todo.md`, "links"},
		{`mv top/links top/c; mkdir top/links`, "links"},
	} {
		p.sh(tt.script)
		news := d.follow(false)
		var folders []string
		for folder := range d.watched {
			folders = append(folders, filepath.Base(folder))
		}
		slices.Sort(folders)
		if got := strings.Join(folders, " "); got != tt.folders {
			t.Errorf("%s: watches %s, want %s", tt.script, got, tt.folders)
		}
		if want := tt.folders != "links" || strings.Contains(tt.script, "mkdir"); news != want {
			t.Errorf("%s: news %v, want %v", tt.script, news, want)
		}
		if d.follow(false) {
			t.Errorf("%s: news again", tt.script)
		}
	}
}

func TestReadFile(t *testing.T) {
	if _, err := os.Stat("/proc/version"); err != nil {
		t.Skip("needs a file that is longer than it says")
	}
	if snap, err := readFile("/proc/version"); err != errChanging {
		t.Errorf("%q, %v", snap.src, err)
	}
}

// After an overflow anything may have happened.
func TestOverflow(t *testing.T) {
	d := &disk{hints: make(chan hint, 1), done: make(chan struct{})}
	d.places.Store(&places{})
	errs := make(chan error, 1)
	errs <- fsnotify.ErrEventOverflow
	close(errs)
	d.pump(nil, errs)
	if h := <-d.hints; h != touched {
		t.Errorf("hint %d", h)
	}
}

// With more events than the kernel keeps, while the loop is busy, the last
// state is told all the same.
func TestRealOverflow(t *testing.T) {
	t.Parallel()
	limit, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil || testing.Short() {
		t.Skip("needs inotify and takes a second")
	}
	queued := 0
	fmt.Sscan(string(limit), &queued)
	if queued > 1<<16 {
		t.Skipf("the kernel keeps %d events", queued)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	os.WriteFile(path, []byte(oneTwo), 0o644)
	d := newDisk(path, false)
	defer d.close()
	d.follow(true)
	for len(d.hints) < hintBuffer { // nobody takes hints, so the pump stands still
		os.Chtimes(path, time.Now(), time.Now())
	}
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	os.WriteFile(a, nil, 0o644)
	for range queued/2 + 8192 { // fsnotify itself holds some
		if err := os.Rename(a, b); err != nil {
			t.Fatal(err)
		}
		a, b = b, a
	}
	os.WriteFile(path, []byte(oneDone), 0o644)
	out := make(chan Event)
	l := newLoop(d, d.hints, out, path, Options{})
	l.src, l.plan, l.rev = nil, emptyPlan(), "" // as if the file had been read before
	l.seen = stamp{}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { l.run(ctx); close(out) }()
	select {
	case e := <-out:
		if string(e.Plan.Bytes()) != oneDone {
			t.Errorf("got %s", show(e))
		}
	case <-time.After(patience):
		t.Error("no event")
	}
	cancel()
	for range out {
	}
}

// The watcher ends with its context, whatever its consumer does.
func TestEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	p := &plan{t: t, dir: t.TempDir()}
	p.path = filepath.Join(p.dir, "todo.md")
	p.save(oneTwo)
	for _, o := range []Options{{}, {Poll: true}, {Initial: true}} {
		ctx, cancel := context.WithCancel(t.Context())
		events := File(ctx, p.path, o)
		p.replace(oneDone)
		p.replace(bothDone)
		cancel()
		for range events {
		}
		p.replace(oneTwo)
	}
	if after := runtime.NumGoroutine(); after > before {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after\n%s", before, after, buf[:runtime.Stack(buf, true)])
	}
}

// Nothing under watch is ever opened for writing.
func TestNeverWrites(t *testing.T) {
	t.Parallel()
	p := onDisk(t, oneTwo, Options{})
	p.replace("- [ ] one\rtwo\n") // not even what it can't read
	p.next()
	p.replace(oneDone)
	p.next()
	p.none(settled)
	got, err := os.ReadFile(p.path)
	if err != nil || !bytes.Equal(got, []byte(oneDone)) {
		t.Errorf("%q, %v", got, err)
	}
	entries, err := os.ReadDir(p.dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestReason(t *testing.T) {
	_, err := os.Open(filepath.Join(t.TempDir(), "none"))
	if got := reason(fmt.Errorf("x: %w", err)); got != syscall.ENOENT.Error() {
		t.Errorf("got %q", got)
	}
}

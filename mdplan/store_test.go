package mdplan

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// add returns an edit that appends a line.
func addLine(line string) func(*Plan) (*Plan, error) {
	return func(p *Plan) (*Plan, error) { return Parse(append(p.Bytes(), line+"\n"...)) }
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func wantFile(t *testing.T, path, want string) {
	t.Helper()
	if got := get(t, path); got != want {
		t.Errorf("%s has %q, want %q", filepath.Base(path), got, want)
	}
}

// wantNames checks what a folder holds.
func wantNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s holds %q, want %q", dir, got, want)
	}
}

func update(t *testing.T, s *Store, line string) {
	t.Helper()
	p, err := s.Update(t.Context(), addLine(line))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(string(p.Bytes()), line+"\n") {
		t.Errorf("Update returned %q, without %q", p.Bytes(), line)
	}
}

func TestStore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	s := Open(path)
	if s.Path() != path {
		t.Errorf("Path() = %q", s.Path())
	}
	update(t, s, "- [ ] one")
	update(t, s, "- [ ] two")
	p, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(p.Bytes()); got != "- [ ] one\n- [ ] two\n" {
		t.Errorf("Read gave %q", got)
	}
	wantNames(t, dir, ".todomd", "todo.md")
	wantNames(t, filepath.Join(dir, ".todomd"), ".gitignore", "todo.md.lock")
	wantFile(t, filepath.Join(dir, ".todomd", ".gitignore"), "*\n")
	wantFile(t, filepath.Join(dir, ".todomd", "todo.md.lock"), "")
}

func TestIgnoreFileIsTheHumansOnceItIsThere(t *testing.T) {
	dir := t.TempDir()
	s := Open(filepath.Join(dir, "todo.md"))
	update(t, s, "- [ ] one")
	put(t, filepath.Join(dir, ".todomd", ".gitignore"), "")
	update(t, s, "- [ ] two")
	wantFile(t, filepath.Join(dir, ".todomd", ".gitignore"), "")
}

func TestReadCreatesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	_, err := Open(path).Read()
	if !errors.Is(err, ErrNoPlan) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "todo.md") {
		t.Errorf("error %v, want ErrNoPlan", err)
	}
	if _, err := Open(filepath.Join(dir, "none", "todo.md")).Read(); !errors.Is(err, ErrNoPlan) {
		t.Errorf("in a missing folder: error %v, want ErrNoPlan", err)
	}
	wantNames(t, dir)
	put(t, path, "- [ ] a\n")
	if _, err := Open(path).Read(); err != nil {
		t.Error(err)
	}
	wantNames(t, dir, "todo.md")
}

// An update that creates no plan creates no state folder, and one that changes
// nothing does not touch the file.
func TestUpdateThatChangesNothing(t *testing.T) {
	refuse := errors.New("refused")
	edits := map[string]func(*Plan) (*Plan, error){
		"same":    func(p *Plan) (*Plan, error) { return Parse(p.Bytes()) },
		"refused": func(p *Plan) (*Plan, error) { return nil, refuse },
		"nothing": func(p *Plan) (*Plan, error) { return nil, nil },
	}
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "todo.md")
			s := Open(path)
			check := func() {
				t.Helper()
				_, err := s.Update(t.Context(), edit)
				if (err == nil) != (name == "same") || name == "refused" && err != refuse {
					t.Errorf("error %v", err)
				}
			}
			check()
			wantNames(t, dir)
			put(t, path, "- [ ] a\n")
			before, _ := os.Stat(path)
			check()
			after, _ := os.Stat(path)
			if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
				t.Error("the file was touched")
			}
			wantNames(t, dir, ".todomd", "todo.md")
		})
	}
}

func TestUpdateAfterItsContextEnded(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Open(filepath.Join(dir, "todo.md")).Update(ctx, addLine("- [ ] a"))
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrLocked) {
		t.Errorf("error %v, want context.Canceled alone", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	_, err = Open(filepath.Join(dir, "todo.md")).Update(ctx, func(p *Plan) (*Plan, error) {
		cancel()
		return addLine("- [ ] a")(p)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "todo.md")); err == nil {
		t.Error("the plan was written")
	}
}

func TestUpdateThatPanicsUnlocks(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "todo.md"))
	update(t, s, "- [ ] a")
	func() {
		defer func() { recover() }()
		_, _ = s.Update(t.Context(), func(*Plan) (*Plan, error) { panic("edit") })
	}()
	update(t, s, "- [ ] b")
}

// fakeLog checks the order of calls.
type fakeLog struct {
	t     *testing.T
	calls []string
	fail  error
}

func (l *fakeLog) planned(at paths, before, after *Plan) error {
	wantFile(l.t, at.file, string(before.Bytes()))
	if _, err := os.Lstat(at.temp); err == nil {
		l.t.Error("the temporary file was there before the record")
	}
	l.calls = append(l.calls, "planned "+after.Rev())
	return l.fail
}

func (*fakeLog) dropped(paths) {}

func (l *fakeLog) done(at paths, after *Plan) error {
	wantFile(l.t, at.file, string(after.Bytes()))
	l.calls = append(l.calls, "done "+after.Rev())
	return nil
}

func (l *fakeLog) keep(at paths) error { return errors.New("nothing to keep") }

func TestRecorder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "todo.md")
	put(t, path, "- [ ] a\n")
	s := Open(path)
	log := &fakeLog{t: t}
	s.log = log
	update(t, s, "- [ ] b")
	rev := RevOf([]byte("- [ ] a\n- [ ] b\n"))
	if want := []string{"planned " + rev, "done " + rev}; !slices.Equal(log.calls, want) {
		t.Errorf("calls %q, want %q", log.calls, want)
	}
	log.fail = errors.New("log broken")
	if _, err := s.Update(t.Context(), addLine("- [ ] c")); !errors.Is(err, log.fail) {
		t.Errorf("error %v, want the log's", err)
	}
	wantFile(t, path, "- [ ] a\n- [ ] b\n")
}

package mdplan

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a killed writer may have left under the temporary name.
func TestLeftoversOfKilledWriters(t *testing.T) {
	const temp, lost = ".todo.md.todomd-tmp", ".todomd/todo.md.lost"
	open := func(t *testing.T) (dir string, s *Store) {
		dir = t.TempDir()
		put(t, filepath.Join(dir, "todo.md"), "- [ ] a\n")
		return dir, Open(filepath.Join(dir, "todo.md"))
	}
	for name, test := range map[string]struct{ left, lost string }{
		"empty":     {"", ""},
		"the same":  {"- [ ] a\n", ""},
		"something": {"- [ ] editor's\n", "- [ ] editor's\n"},
		"large":     {strings.Repeat("x", MaxSize+10), strings.Repeat("x", MaxSize+10)},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := open(t)
			put(t, filepath.Join(dir, temp), test.left)
			update(t, s, "- [ ] b")
			wantFile(t, filepath.Join(dir, "todo.md"), "- [ ] a\n- [ ] b\n")
			wantNames(t, dir, ".todomd", "todo.md")
			if b, _ := os.ReadFile(filepath.Join(dir, lost)); string(b) != test.lost {
				t.Errorf("kept %.40q, want %.40q", b, test.lost)
			}
		})
	}
	t.Run("link", func(t *testing.T) {
		dir, s := open(t)
		victim := filepath.Join(t.TempDir(), "victim")
		put(t, victim, "precious")
		link(t, victim, filepath.Join(dir, temp))
		update(t, s, "- [ ] b")
		wantFile(t, victim, "precious")
		wantFile(t, filepath.Join(dir, "todo.md"), "- [ ] a\n- [ ] b\n")
	})
	t.Run("hard link", func(t *testing.T) {
		dir, s := open(t)
		victim := filepath.Join(dir, "victim")
		put(t, victim, "- [ ] a\n")
		if err := os.Link(victim, filepath.Join(dir, temp)); err != nil {
			t.Skip(err)
		}
		update(t, s, "- [ ] b")
		wantFile(t, victim, "- [ ] a\n")
	})
	t.Run("folder", func(t *testing.T) {
		dir, s := open(t)
		mkdir(t, filepath.Join(dir, temp, "full"))
		_, err := s.Update(t.Context(), addLine("- [ ] b"))
		if err == nil || !strings.Contains(err.Error(), temp) {
			t.Errorf("error %v, want one that names %s", err, temp)
		}
		wantFile(t, filepath.Join(dir, "todo.md"), "- [ ] a\n")
	})
}

// Hard links are broken, by design: the other name keeps the old revision.
func TestHardLinkKeepsTheOldRevision(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "todo.md"), filepath.Join(dir, "other.md")
	put(t, path, "- [ ] a\n")
	if err := os.Link(path, other); err != nil {
		t.Skip(err)
	}
	update(t, Open(path), "- [ ] b")
	wantFile(t, path, "- [ ] a\n- [ ] b\n")
	wantFile(t, other, "- [ ] a\n")
}

// Without the exchange of files, and without links, everything but the last
// microseconds is the same.
func TestWithoutExchange(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	s := Open(path)
	s.exchange = func(_, _ string) error { return errNoExchange }
	update(t, s, "- [ ] a")
	saved := false
	s.pause = func(at step) {
		if at == stepWritten && !saved {
			saved = true
			put(t, path, "- [ ] editor's\n")
		}
	}
	update(t, s, "- [ ] b")
	wantFile(t, path, "- [ ] editor's\n- [ ] b\n")
	wantNames(t, dir, ".todomd", "todo.md")
}

func TestLinkNewOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	for _, rename := range []func(from, to string) error{renameNew, linkNew} {
		put(t, from, "new")
		put(t, to, "old")
		if err := rename(from, to); !errors.Is(err, os.ErrExist) {
			t.Errorf("error %v, want ErrExist", err)
		}
		wantFile(t, to, "old")
		os.Remove(to)
		if err := rename(from, to); err != nil {
			t.Error(err)
		}
		wantFile(t, to, "new")
		wantNames(t, dir, "to")
	}
}

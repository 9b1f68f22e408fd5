package mdplan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	tests := []struct {
		name  string
		files string // below the top folder; one that ends in a slash is a folder
		dir   string // the working directory
		file  string
		want  string
		hint  string // the files that hints name
	}{
		{name: "nothing", want: "todo.md"},
		{name: "named", files: "todo.md", dir: "sub", file: "x.md", want: "sub/x.md"},
		{name: "order", files: "TODO.md tasks/todo.md", want: "TODO.md", hint: "tasks/todo.md"},
		{name: "all", files: "todo.md tasks/todo.md docs/todo.md .claude/todo.md", want: "todo.md", hint: "tasks/todo.md docs/todo.md .claude/todo.md"},
		{name: "last", files: ".claude/todo.md", want: ".claude/todo.md"},
		{name: "above, no repository", files: "todo.md sub/", dir: "sub", want: "sub/todo.md"},
		{name: "above, in a repository", files: ".git/ todo.md a/b/", dir: "a/b", want: "todo.md"},
		{name: "work tree", files: "todo.md a/.git a/b/", dir: "a/b", want: "a/b/todo.md"},
		{name: "nearest folder first", files: ".git/ todo.md a/.claude/todo.md a/b/", dir: "a/b", want: "a/.claude/todo.md"},
		{name: "hints of that folder only", files: ".git/ TODO.md a/todo.md", dir: "a", want: "a/todo.md"},
		{name: "in the root", files: ".git/ tasks/todo.md", want: "tasks/todo.md"},
		{name: "a folder is no plan", files: ".git/ a/todo.md/ todo.md", dir: "a", want: "todo.md"},
		{name: "log", files: ".git/ a/ docs/.todomd/todo.md.log", dir: "a", want: "docs/todo.md"},
		{name: "log nearest", files: ".git/ .todomd/todo.md.log a/tasks/.todomd/todo.md.log a/b/", dir: "a/b", want: "a/tasks/todo.md"},
		{name: "a file before a log", files: ".git/ a/.todomd/todo.md.log TODO.md", dir: "a", want: "TODO.md"},
		{name: "a lock is no log", files: ".git/ .todomd/todo.md.lock a/", dir: "a", want: "a/todo.md"},
		{name: "log above, no repository", files: ".todomd/todo.md.log a/", dir: "a", want: "a/todo.md"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			top := t.TempDir()
			for _, file := range strings.Fields(test.files) {
				path := filepath.Join(top, filepath.FromSlash(file))
				if strings.HasSuffix(file, "/") {
					mkdir(t, path)
					continue
				}
				mkdir(t, filepath.Dir(path))
				put(t, path, file)
			}
			path, hints := Find(filepath.Join(top, filepath.FromSlash(test.dir)), test.file)
			if want := filepath.Join(top, filepath.FromSlash(test.want)); path != want {
				t.Errorf("found %q, want %q", path, want)
			}
			others := strings.Fields(test.hint)
			if len(hints) != len(others) {
				t.Fatalf("hints %q, want them to name %q", hints, others)
			}
			for i, other := range others {
				if other := filepath.Join(top, filepath.FromSlash(other)); !strings.Contains(hints[i], other) {
					t.Errorf("hint %q does not name %q", hints[i], other)
				}
			}
		})
	}
}

func TestFindNamedFile(t *testing.T) {
	top := t.TempDir()
	abs := filepath.Join(top, "plan.md")
	if path, hints := Find(t.TempDir(), abs); path != abs || hints != nil {
		t.Errorf("found %q, %q", path, hints)
	}
}

// One file of two names (a link, or a file system where case does not count)
// needs no hint.
func TestFindOneFileOfTwoNames(t *testing.T) {
	top := t.TempDir()
	put(t, filepath.Join(top, "todo.md"), "")
	if err := os.Link(filepath.Join(top, "todo.md"), filepath.Join(top, "TODO.md")); err != nil && !os.IsExist(err) {
		t.Skip(err)
	}
	mkdir(t, filepath.Join(top, "docs"))
	link(t, "../todo.md", filepath.Join(top, "docs", "todo.md"))
	if path, hints := Find(top, ""); path != filepath.Join(top, "todo.md") || len(hints) > 0 {
		t.Errorf("found %q, %q", path, hints)
	}
}

// A dangling link is found by the log of what it led to.
func TestFindByTheLogBehindALink(t *testing.T) {
	top := t.TempDir()
	mkdir(t, filepath.Join(top, "real", ".todomd"))
	put(t, filepath.Join(top, "real", ".todomd", "plan.md.log"), "")
	link(t, "real/plan.md", filepath.Join(top, "TODO.md"))
	// Where case does not count, both names are that link.
	if path, _ := Find(top, ""); !strings.EqualFold(path, filepath.Join(top, "TODO.md")) || path == filepath.Join(top, "todo.md") && !isThere(path) {
		t.Errorf("found %q", path)
	}
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

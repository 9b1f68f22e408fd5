package mdplan

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o777); err != nil {
		t.Fatal(err)
	}
}

func TestLinksStayLinks(t *testing.T) {
	tests := []struct {
		name  string
		links [][2]string // at, to
		open  string
		file  string // the real one
	}{
		{"relative", [][2]string{{"todo.md", "real/plan.md"}}, "todo.md", "real/plan.md"},
		{"up", [][2]string{{"sub/todo.md", "../real/plan.md"}}, "sub/todo.md", "real/plan.md"},
		{"chain", [][2]string{{"todo.md", "sub/b.md"}, {"sub/b.md", "c.md"}, {"sub/c.md", "../real/plan.md"}}, "todo.md", "real/plan.md"},
		{"folder", [][2]string{{"way", "real"}}, "way/plan.md", "real/plan.md"},
		{"up from a linked folder", [][2]string{{"way", "real/deep"}, {"todo.md", "way/../plan.md"}}, "todo.md", "real/plan.md"},
		{"path up from a linked folder", [][2]string{{"way", "real/deep"}}, "way/../plan.md", "real/plan.md"},
	}
	for _, test := range tests {
		for _, dangling := range []bool{false, true} {
			name, content := test.name, "- [ ] a\n"
			if dangling {
				name, content = name+", dangling", ""
			}
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				mkdir(t, filepath.Join(dir, "real", "deep"))
				mkdir(t, filepath.Join(dir, "sub"))
				if !dangling {
					put(t, filepath.Join(dir, "real", "plan.md"), content)
				}
				for _, l := range test.links {
					link(t, l[1], filepath.Join(dir, l[0]))
				}
				s := Open(dir + "/" + test.open)
				if _, err := s.Read(); dangling != errors.Is(err, ErrNoPlan) {
					t.Errorf("Read: error %v", err)
				}
				update(t, s, "- [ ] b")
				for _, l := range test.links {
					if to, err := os.Readlink(filepath.Join(dir, l[0])); err != nil || to != l[1] {
						t.Errorf("%s leads to %q, %v", l[0], to, err)
					}
				}
				wantFile(t, filepath.Join(dir, test.file), content+"- [ ] b\n")
				wantNames(t, filepath.Join(dir, "real"), ".todomd", "deep", "plan.md")
			})
		}
	}
}

func TestPlacesThatHoldNoPlan(t *testing.T) {
	dir := t.TempDir()
	mkdir(t, filepath.Join(dir, "folder"))
	put(t, filepath.Join(dir, "big.md"), strings.Repeat("- [ ] a\n", MaxSize/8)+"\n")
	put(t, filepath.Join(dir, "file"), "")
	link(t, "loop.md", filepath.Join(dir, "loop.md"))
	link(t, "b.md", filepath.Join(dir, "a.md"))
	link(t, "a.md", filepath.Join(dir, "b.md"))
	link(t, "none/todo.md", filepath.Join(dir, "lost.md"))
	link(t, "folder", filepath.Join(dir, "way.md"))
	tests := []struct {
		path string
		is   error
		text string
	}{
		{"folder", ErrNotRegular, "folder"},
		{"folder/", ErrNotRegular, "folder"},
		{"folder/..", ErrNotRegular, "folder"},
		{"way.md", ErrNotRegular, "folder"},
		{"big.md", ErrTooLarge, "1048577 bytes"},
		{"loop.md", nil, "leads back to itself"},
		{"a.md", nil, "leads back to itself"},
		{"none/todo.md", nil, "create it first"},
		{"lost.md", nil, "create it first"},
		{"file/todo.md", nil, "can't"},
	}
	for _, test := range tests {
		s := Open(dir + "/" + test.path)
		_, readErr := s.Read()
		_, updateErr := s.Update(t.Context(), addLine("- [ ] a"))
		for _, err := range []error{readErr, updateErr} {
			if errors.Is(err, ErrNoPlan) && test.text == "create it first" {
				continue
			}
			if err == nil || test.is != nil && !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%s: error %v, want one with %q", test.path, err, test.text)
			}
		}
	}
	if _, err := Open("").Read(); err == nil {
		t.Error("no error without a path")
	}
}

// A link in the place of the state folder could lead anywhere.
func TestLinkedStateFolderIsRefused(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	link(t, other, filepath.Join(dir, ".todomd"))
	put(t, filepath.Join(dir, "todo.md"), "")
	_, err := Open(filepath.Join(dir, "todo.md")).Update(t.Context(), addLine("- [ ] a"))
	if err == nil || !strings.Contains(err.Error(), `.todomd" is a link where`) {
		t.Errorf("error %v", err)
	}
	wantNames(t, other)
}

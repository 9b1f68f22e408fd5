package mdplan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Boxes with words are the file's lines where the file has them, else the
// author's items: neither comes into the plan twice, nor is lost.
func TestWordsInAList(t *testing.T) {
	file := "\ufeff- [?] \xff first\r\n- [ ] real\r\n- [] empty\r\n  - [wip] below\r\n- [x ] wide\r\n"
	for _, tt := range []struct {
		name, add string // what the list has besides the file's lines
		want      string // what the file gets; "" for an error
		err       string
	}{
		{"the file", "", "", ""},
		{"a word", "- [done] new\n", "- [x] new\r\n", ""},
		{"nothing", "- [] new\n", "- [ ] new\r\n", ""},
		{"no status", "- [nope] new\n- [P] other\n", "", `Item 2: invalid status "P"`},
	} {
		name := filepath.Join(t.TempDir(), "todo.md")
		if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := ReadList([]byte(file + tt.add))
		if err != nil {
			t.Fatal(err)
		}
		s := Open(name).Session(Caller{Author: Author{Name: "w", Session: "s"}})
		_, err = s.Update(t.Context(), l, UpdateOptions{})
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %v", tt.name, err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if rest := strings.Replace(string(got), tt.want, "", 1); rest != file || !strings.Contains(string(got), tt.want) {
			t.Errorf("%s: became\n%q", tt.name, got)
		}
	}
}

// What an author says is done is not removed for the word that it is said by.
func TestWordsInAListRemoveNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), "todo.md")
	s := Open(name).Session(Caller{Author: Author{Name: "w", Session: "s"}})
	for _, text := range []string{"- [ ] a\n- [ ] b\n", "- [ ] a\n- [done] b\n"} {
		l, err := ReadList([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Update(t.Context(), l, UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || !strings.HasSuffix(string(got), "- [ ] a\n- [x] b\n") {
		t.Errorf("became\n%s, %v", got, err)
	}
}

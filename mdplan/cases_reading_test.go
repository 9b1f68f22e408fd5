package mdplan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func planOf(t testing.TB, src string) *Plan {
	t.Helper()
	p, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// outline is what is read of a plan: an item a line, "2.1 [x] text".
func outline(p *Plan) string {
	var b strings.Builder
	for _, n := range p.nodes {
		fmt.Fprintf(&b, "%s [%s] %s\n", n.number(), p.src[n.mark.start:n.mark.end], n.content)
	}
	return b.String()
}

// Kinds of files that tools of this sort were reported to misread.
var readingTests = []struct {
	name, src string
	want      string
	lines     []int // of the items, where it matters
}{
	{"sub-items count", "- [x] a\n  - [ ] b\n    - [x] c\n      - [ ] d\n- [x] e\n",
		"1 [x] a\n1.1 [ ] b\n1.1.1 [x] c\n1.1.1.1 [ ] d\n2 [x] e\n", nil},
	{"every bullet", "* [ ] a\n\n+ [x] b\n\n1. [>] c\n2. [!] d\n\n2) [-] e\n007) [ ] f\n",
		"1 [ ] a\n2 [x] b\n3 [>] c\n4 [!] d\n5 [-] e\n6 [ ] f\n", nil},
	{"backtick fence", "```\n- [ ] no\n```\n- [ ] a\n", "1 [ ] a\n", []int{4}},
	{"tilde fence", "~~~ md\n- [ ] no\n```\n- [ ] no\n~~~\n- [ ] a\n", "1 [ ] a\n", []int{6}},
	{"fence in a list item", "- [ ] a\n  ```\n  - [ ] no\n  ```\n  - [ ] b\n", "1 [ ] a\n1.1 [ ] b\n", []int{1, 5}},
	{"fence in a fence of four", "````\n```\n- [ ] no\n```\n- [ ] no\n````\n- [ ] a\n", "1 [ ] a\n", []int{7}},
	{"fence behind a bullet", "- ```\n  - [ ] no\n  ```\n- [ ] a\n", "1 [ ] a\n", []int{4}},
	{"fence of two is none", "``\n- [ ] a\n``\n- [ ] b\n", "1 [ ] a\n2 [ ] b\n", nil},
	{"closing fence with an info string is none", "```\n``` sh\n- [ ] no\n```\n- [ ] a\n", "1 [ ] a\n", nil},
	{"fence that its list item ends", "- [ ] a\n  ```\n  - [ ] no\n- [ ] b\n", "1 [ ] a\n2 [ ] b\n", nil},
	{"stray fence", "- [ ] a\n```\n- [ ] no\n", "1 [ ] a\n", nil},
	{"indented code", "text\n\n    - [ ] no\n\n- [ ] a\n", "1 [ ] a\n", nil},
	{"dates and links", "- [2026-01-29] no\n- [a](b)\n- [x](b)\n- [x][y] no\n- [ ](c)\n- [ ] a\n", "1 [ ] a\n", []int{6}},
	{"unknown marks do not count", "- [ ] a\n- [P] no\n- [✓] no\n- [ ] b\n", "1 [ ] a\n2 [ ] b\n", []int{1, 4}},
	{"sub-items below an unknown mark", "- [P] no\n  - [ ] a\n- [ ] b\n", "1 [ ] a\n2 [ ] b\n", nil},
	{"boxes in comments do not count", "<!-- - [ ] no -->\n- [ ] a\n<!--\n- [x] no\n\n- [x] no\n-->\n- [ ] b\n",
		"1 [ ] a\n2 [ ] b\n", []int{2, 8}},
	{"boxes in HTML and quotes", "<div>\n- [ ] no\n</div>\n\n> - [ ] no\n\n- [ ] a\n  > - [ ] no\n", "1 [ ] a\n", nil},
	{"nothing behind the mark", "- [ ]\n- [x] \n- [ ]\t\n- [ ] a\n", "1 [ ] \n2 [x] \n3 [ ] \n4 [ ] a\n", []int{1, 2, 3, 4}},
	{"nothing behind the mark, at the end", "- [ ] a\n- [ ]", "1 [ ] a\n2 [ ] \n", nil},
	{"children by tabs below plain bullets", "- plain\n\t- [ ] a\n\t\t- [x] b\n\t- [ ] c\n", "1 [ ] a\n1.1 [x] b\n2 [ ] c\n", nil},
	{"ordered parents of width 4", "10. [ ] a\n    - [ ] b\n        - [ ] c\n    - [ ] d\n11. [ ] e\n",
		"1 [ ] a\n1.1 [ ] b\n1.1.1 [ ] c\n1.2 [ ] d\n2 [ ] e\n", nil},
	{"tabs and spaces at three levels", "- [ ] a\n\t- [ ] b\n        - [ ] c\n- [ ] d\n  - [ ] e\n  \t- [ ] f\n",
		"1 [ ] a\n1.1 [ ] b\n1.1.1 [ ] c\n2 [ ] d\n2.1 [ ] e\n2.1.1 [ ] f\n", nil},
	{"tab behind the bullet", "-\t[ ] a\n\t- [ ] b\n", "1 [ ] a\n1.1 [ ] b\n", nil},
	{"emphasis and code", "- [ ] **bold** `- [x] code` _it_ <kbd>K</kbd>\n- [ ] `[x]` first\n",
		"1 [ ] **bold** `- [x] code` _it_ <kbd>K</kbd>\n2 [ ] `[x]` first\n", nil},
	{"mark on the line below the bullet", "-\n  [ ] a\n1.\n   [x] b\n", "1 [ ] a\n2 [x] b\n", []int{2, 4}},
	{"heading in a list item", "- # [ ] a\n- [ ] b\n  ---\n", "1 [ ] a\n2 [ ] b\n", nil},
	{"optional items", "- [ ]* a\n- [x]\\* b\n- [ ]*c\n", "1 [ ] a\n2 [x] b\n", nil},
	{"tables", "| a | b |\n|---|---|\n| [ ] | - [ ] no |\n\n- [ ] a\n", "1 [ ] a\n", nil},
	{"front matter", "---\n- [ ] no\n---\n- [ ] a\n", "1 [ ] a\n", []int{4}},
	{"TOML front matter", "+++\n- [ ] no\n+++\n- [ ] a\n", "1 [ ] a\n", []int{4}},
	{"a rule is no front matter", "- [ ] a\n\n---\n- [ ] b\n\n---\n", "1 [ ] a\n2 [ ] b\n", nil},
	{"CJK, emoji, combining marks", "- [ ] 写代码\n- [x] 👩‍👩‍👧 e\u0301\n- [ ] שלום\n", "1 [ ] 写代码\n2 [x] 👩‍👩‍👧 e\u0301\n3 [ ] שלום\n", nil},
	{"NUL and bad UTF-8", "- [ ] a\x00b\n- [x] \xff\xfe\n", "1 [ ] a\x00b\n2 [x] \xff\xfe\n", nil},
	{"the directive's section", "# Work\n<!-- todomd max-items=5 -->\n- [ ] a\n## Part\n- [ ] b\n# Success criteria\n- [ ] no\n# Future\n- [ ] no\n",
		"1 [ ] a\n2 [ ] b\n", []int{3, 5}},
}

func TestReading(t *testing.T) {
	for _, tt := range readingTests {
		t.Run(tt.name, func(t *testing.T) {
			for ending, src := range map[string]string{
				"LF": tt.src, "CRLF": strings.ReplaceAll(tt.src, "\n", "\r\n"), "BOM": "\xef\xbb\xbf" + tt.src,
				"BOM and CRLF": "\xef\xbb\xbf" + strings.ReplaceAll(tt.src, "\n", "\r\n"), "no last newline": strings.TrimSuffix(tt.src, "\n"),
			} {
				p := planOf(t, src)
				if got := outline(p); got != tt.want {
					t.Errorf("%s: %q\ngot:\n%swant:\n%s", ending, src, got, tt.want)
				}
				var lines []int
				for _, n := range p.nodes {
					lines = append(lines, n.line)
				}
				if tt.lines != nil && !slices.Equal(lines, tt.lines) {
					t.Errorf("%s: %q\nitems in lines %v, want %v", ending, src, lines, tt.lines)
				}
				if string(p.Bytes()) != src {
					t.Errorf("%s: the bytes are not those that were read", ending)
				}
			}
		})
	}
}

// A plan is done when its sub-items are.
func TestReadingCounts(t *testing.T) {
	p := planOf(t, "- [x] a\n  1. [ ] b\n  2. [>] c\n- [-] d\n  - [!] e\n")
	want := Counts{Total: 5, Pending: 1, InProgress: 1, Completed: 1, Blocked: 1, Cancelled: 1}
	if got := p.Counts(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestReadingSections(t *testing.T) {
	for _, ending := range []string{"\n", "\r\n"} {
		p := planOf(t, strings.ReplaceAll("# A\n- [ ] a\n\nB\n===\n- [ ] b\n## C #\n- [ ] c\n", "\n", ending))
		var got []string
		for _, it := range p.Items() {
			got = append(got, it.Section+": "+it.Content)
		}
		if want := []string{"A: a", "B: b", "C: c"}; !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", ending, got, want)
		}
	}
}

// The line endings of a file mean nothing to how it reads.
func TestReadingEndingsOfCorpus(t *testing.T) {
	for _, f := range readCorpus(t) {
		lf := strings.ReplaceAll(string(f.src), "\r\n", "\n")
		p, q := planOf(t, lf), planOf(t, strings.ReplaceAll(lf, "\n", "\r\n"))
		if outline(p) != outline(q) || len(p.doc.events) != len(q.doc.events) {
			t.Errorf("%s reads differently with CRLF", f.name)
		}
		for i, n := range p.nodes {
			if got := q.notes(q.nodes[i]); got != p.notes(n) {
				t.Errorf("%s: item %s: notes %q with CRLF, else %q", f.name, n.number(), got, p.notes(n))
			}
		}
	}
}

// Whatever mark an item gets, all others stay as they are.
func TestReadingMarksAreLocal(t *testing.T) {
	for _, tt := range readingTests {
		p := planOf(t, tt.src)
		for i, n := range p.nodes {
			for _, mark := range " xX>/~!-" {
				src := tt.src[:n.mark.start] + string(mark) + tt.src[n.mark.end:]
				q := planOf(t, src)
				if len(q.nodes) != len(p.nodes) {
					t.Fatalf("%q: %d items, want %d", src, len(q.nodes), len(p.nodes))
				}
				for j, m := range q.nodes {
					if i != j && m.status != p.nodes[j].status || m.content != p.nodes[j].content || m.number() != p.nodes[j].number() {
						t.Errorf("%q: item %s changed too", src, m.number())
					}
				}
			}
		}
	}
}

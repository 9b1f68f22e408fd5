package mdplan

import (
	"errors"
	"strings"
	"testing"
)

// The tables below are text in, operation, text out: bytes, so that line
// endings, a byte order mark and a missing last line ending can be seen.

type op func(p *Plan) (Change, error)

func add(text string) op {
	return func(p *Plan) (Change, error) { return p.Add(tester, text, Place{}) }
}
func addAfter(ref, text string) op {
	return func(p *Plan) (Change, error) { return p.Add(tester, text, Place{After: ref}) }
}
func addUnder(ref, text string) op {
	return func(p *Plan) (Change, error) { return p.Add(tester, text, Place{Under: ref}) }
}
func remove(ref string) op { return func(p *Plan) (Change, error) { return p.Remove(tester, ref) } }
func editTo(ref, text string) op {
	return func(p *Plan) (Change, error) { return p.Edit(tester, ref, text) }
}
func note(ref, text string) op {
	return func(p *Plan) (Change, error) { return p.Note(tester, ref, text) }
}
func status(ref string, s Status) op {
	return func(p *Plan) (Change, error) { return p.SetStatus(tester, ref, s) }
}

func then(ops ...op) op {
	return func(p *Plan) (Change, error) {
		c := Change{Plan: p}
		for _, op := range ops {
			var err error
			if c, err = op(c.Plan); err != nil {
				return c, err
			}
		}
		return c, nil
	}
}

var tester = noLimits("agent")

type editCase struct {
	name string
	in   string
	do   op
	want string // "" for an error
	err  error
}

func runEdits(t *testing.T, cases []editCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := mustParse(t, c.in)
			got, err := c.do(p)
			if c.err != nil {
				if !errors.Is(err, c.err) {
					t.Fatalf("error %v, want %v", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Plan.src) != c.want {
				t.Errorf("\nin   %q\ngot  %q\nwant %q", c.in, got.Plan.src, c.want)
			}
		})
	}
}

func TestAdd(t *testing.T) {
	runEdits(t, []editCase{
		{"empty file", "", add("a"), "# Plan\n\n- [ ] a\n", nil},
		{"blank file", "\n\n", add("a"), "- [ ] a\n\n\n", nil},
		{"byte order mark only", "\ufeff", add("a"), "\ufeff- [ ] a\n", nil},
		{"prose only", "# Plan\n\nSome prose.\n", add("a"), "# Plan\n\nSome prose.\n\n- [ ] a\n", nil},
		{"prose only, CRLF", "# Plan\r\n\r\nSome prose.\r\n", add("a"), "# Plan\r\n\r\nSome prose.\r\n\r\n- [ ] a\r\n", nil},
		{"prose without a final newline", "# Plan\n\nprose", add("a"), "# Plan\n\nprose\n\n- [ ] a", nil},
		{"prose with blank lines behind", "prose\n\n\n", add("a"), "prose\n\n- [ ] a\n\n\n", nil},
		{"front matter only", "---\ntitle: x\n---\n", add("a"), "---\ntitle: x\n---\n- [ ] a\n", nil},
		{"front matter only, TOML and CRLF", "+++\r\nx = 1\r\n+++\r\n", add("a"), "+++\r\nx = 1\r\n+++\r\n- [ ] a\r\n", nil},
		{"front matter without a final newline", "---\nx: 1\n---", add("a"), "---\nx: 1\n---\n- [ ] a", nil},
		{"plain bullets only", "- x\n- y\n", add("a"), "- x\n- y\n\n- [ ] a\n", nil},
		{"as a line", "- [ ] a\n", add("- [ ] b"), "- [ ] a\n- [ ] b\n", nil},
		{"as a line with a star and a mark", "- [ ] a\n", add("* [x] #i: b (owner:: me)"), "- [ ] a\n- [x] #i: b (owner:: me)\n", nil},
		{"as a numbered line", "- [ ] a\n", add("  1) [>] b"), "- [ ] a\n- [>] b\n", nil},
		{"a bullet alone is text", "- [ ] a\n", add("- b"), "- [ ] a\n- [ ] - b\n", nil},
		{"a bullet before no mark is text", "- [ ] a\n", add("- [?] b"), "- [ ] a\n- [ ] - [?] b\n", nil},
		{"a bullet before a link is text", "- [ ] a\n", add("- [x](y)"), "- [ ] a\n- [ ] - [x](y)\n", nil},
		{"one bullet only", "- [ ] a\n", add("- - [ ] b"), "- [ ] a\n- [ ] - - [ ] b\n", nil},
		{"one item", "- [ ] a\n", add("b"), "- [ ] a\n- [ ] b\n", nil},
		{"no final newline", "- [ ] a", add("b"), "- [ ] a\n- [ ] b", nil},
		{"CRLF", "- [ ] a\r\n", add("b"), "- [ ] a\r\n- [ ] b\r\n", nil},
		{"CRLF, no final newline", "- [x] a\r\n- [ ] b", add("c"), "- [x] a\r\n- [ ] b\r\n- [ ] c", nil},
		{"behind the last open item", "- [x] a\n- [ ] b\n- [x] c\n", add("d"), "- [x] a\n- [ ] b\n- [ ] d\n- [x] c\n", nil},
		{"none is open", "- [x] a\n- [-] b\n", add("d"), "- [x] a\n- [-] b\n- [ ] d\n", nil},
		{"before prose", "- [ ] a\n\nprose\n", add("b"), "- [ ] a\n- [ ] b\n\nprose\n", nil},
		{"before a heading on the next line", "- [ ] a\n# H\n", add("b"), "- [ ] a\n- [ ] b\n# H\n", nil},
		{"behind sub-items", "- [ ] a\n  - [ ] b\n", add("c"), "- [ ] a\n  - [ ] b\n- [ ] c\n", nil},
		{"behind notes", "- [ ] a\n  note\n", add("c"), "- [ ] a\n  note\n- [ ] c\n", nil},
		{"behind a lazy line", "- [ ] a\nlazy\n", add("c"), "- [ ] a\nlazy\n- [ ] c\n", nil},
		{"star", "* [ ] a\n", add("b"), "* [ ] a\n* [ ] b\n", nil},
		{"plus", "+ [ ] a\n", add("b"), "+ [ ] a\n+ [ ] b\n", nil},
		{"wide marker", "-   [ ] a\n", add("b"), "-   [ ] a\n-   [ ] b\n", nil},
		{"tab behind the marker", "-\t[ ] a\n", add("b"), "-\t[ ] a\n-\t[ ] b\n", nil},
		{"indented list", "   - [ ] a\n", add("b"), "   - [ ] a\n   - [ ] b\n", nil},
		{"numbered", "1. [ ] a\n2. [ ] b\n", add("c"), "1. [ ] a\n2. [ ] b\n3. [ ] c\n", nil},
		{"numbered with a bracket", "1) [ ] a\n", add("c"), "1) [ ] a\n2) [ ] c\n", nil},
		{"numbered from 0", "0. [ ] a\n", add("c"), "0. [ ] a\n1. [ ] c\n", nil},
		{"all numbered one", "1. [ ] a\n1. [ ] b\n", add("c"), "1. [ ] a\n1. [ ] b\n1. [ ] c\n", nil},
		{"nine to ten", "8. [ ] a\n9. [ ] b\n", add("c"), "8. [ ] a\n9. [ ] b\n10. [ ] c\n", nil},
		{"nine to ten with a sub-item", "9. [ ] a\n   - [ ] x\n", addAfter("1", "c"), "9. [ ] a\n   - [ ] x\n10. [ ] c\n", nil},
		{"the largest number", "999999999. [ ] a\n", add("b"), "", ErrImpossible},
		{"loose", "- [ ] a\n\n- [ ] b\n", add("c"), "- [ ] a\n\n- [ ] b\n\n- [ ] c\n", nil},
		{"loose, in between", "- [ ] a\n\n- [ ] b\n", addAfter("1", "c"), "- [ ] a\n\n- [ ] c\n\n- [ ] b\n", nil},
		{"loose, before no item", "- [ ] a\n\n- x\n- [ ] b\n", addAfter("1", "c"), "- [ ] a\n\n- [ ] c\n\n- x\n- [ ] b\n", nil},
		{"tight, before no item", "- [ ] a\n- x\n- [ ] b\n", addAfter("1", "c"), "- [ ] a\n- [ ] c\n- x\n- [ ] b\n", nil},
		{"tight, before an unknown mark", "- [ ] a\n- [?] x\n- [ ] b\n", addAfter("1", "c"), "- [ ] a\n- [ ] c\n- [?] x\n- [ ] b\n", nil},
		{"tight, behind no item", "- [ ] a\n\n* x\n  - y\n* [ ] b\n", addAfter("2", "c"), "- [ ] a\n\n* x\n  - y\n* [ ] b\n* [ ] c\n", nil},
		{"tight, behind no item with sub-items", "- x\n  - [ ] a\n- [ ] b\n", addAfter("b", "c"), "- x\n  - [ ] a\n- [ ] b\n- [ ] c\n", nil},
		{"two blank lines between", "- [ ] a\n\n\n- [ ] b\n", addAfter("1", "c"), "- [ ] a\n\n- [ ] c\n\n\n- [ ] b\n", nil},
		{"in between", "- [ ] a\n- [ ] b\n", addAfter("1", "c"), "- [ ] a\n- [ ] c\n- [ ] b\n", nil},
		{"in between, numbered", "1. [ ] a\n2. [ ] b\n", addAfter("1", "c"), "1. [ ] a\n2. [ ] c\n2. [ ] b\n", nil},
		{"after a sub-item", "- [ ] a\n  - [ ] b\n- [ ] c\n", addAfter("b", "d"), "- [ ] a\n  - [ ] b\n  - [ ] d\n- [ ] c\n", nil},
		{"under, the first", "- [ ] a\n- [ ] b\n", addUnder("a", "c"), "- [ ] a\n  - [ ] c\n- [ ] b\n", nil},
		{"under, the second", "- [ ] a\n  * [x] b\n", addUnder("a", "c"), "- [ ] a\n  * [x] b\n  * [ ] c\n", nil},
		{"under a number", "10. [ ] a\n", addUnder("a", "c"), "10. [ ] a\n    1. [ ] c\n", nil},
		{"under a wide marker", "-   [ ] a\n", addUnder("a", "c"), "-   [ ] a\n    - [ ] c\n", nil},
		{"under, with the file's tabs", "- [ ] a\n\t- [ ] b\n- [ ] c\n", addUnder("c", "d"), "- [ ] a\n\t- [ ] b\n- [ ] c\n\t- [ ] d\n", nil},
		{"under, three levels", "- [ ] a\n  - [ ] b\n", addUnder("b", "c"), "- [ ] a\n  - [ ] b\n    - [ ] c\n", nil},
		{"under, behind notes", "- [ ] a\n  note\n", addUnder("a", "c"), "- [ ] a\n  note\n  - [ ] c\n", nil},
		{"under, tab list", "-\t[ ] a\n\t-\t[ ] b\n", addUnder("b", "c"), "-\t[ ] a\n\t-\t[ ] b\n\t\t- [ ] c\n", nil},
		{"under a heading item", "- # [ ] a\n", addUnder("a", "c"), "- # [ ] a\n  - [ ] c\n", nil},
		{"below a plain bullet", "- p\n  - [ ] a\n", add("b"), "- p\n  - [ ] a\n  - [ ] b\n", nil},
		{"nested bullets on one line", "- - [ ] a\n", add("b"), "- - [ ] a\n  - [ ] b\n", nil},
		{"an open fence in the last item", "- [ ] a\n  ```\n  x", add("b"), "- [ ] a\n  ```\n  x\n- [ ] b", nil},
		{"an open fence that ends in blank lines", "- [ ] a\n  ```\n  x\n\n\n- [ ] c\n", addAfter("a", "b"), "- [ ] a\n  ```\n  x\n\n\n- [ ] b\n- [ ] c\n", nil},
		{"an open fence behind the plan", "- [ ] a\n```\nx\n", add("b"), "- [ ] a\n- [ ] b\n```\nx\n", nil},
		{"an open fence before the end", "# P\n```\nx\n", add("b"), "", ErrImpossible},
		{"a note would become lazy", "- [ ] a\n\n```\nnote\n    - [x] b\n", add("c"), "- [ ] a\n- [ ] c\n\n```\nnote\n    - [x] b\n", nil},
		{"code would become a note", "- [x] a\n\n<!-- -->\n\n    code\n", add("b"), "- [x] a\n- [ ] b\n\n<!-- -->\n\n    code\n", nil},
		{"the directive's section", "# A\n- [ ] x\n\n# B\n<!-- todomd -->\n\n# C\n- [ ] y\n", add("a"),
			"# A\n- [ ] x\n\n# B\n<!-- todomd -->\n\n- [ ] a\n\n# C\n- [ ] y\n", nil},
		{"the directive's section has items", "# A\n<!-- todomd -->\n- [ ] x\n\n## B\n\n# C\n- [ ] y\n", add("a"),
			"# A\n<!-- todomd -->\n- [ ] x\n- [ ] a\n\n## B\n\n# C\n- [ ] y\n", nil},
		{"the file's dialect", "- [~] a\n", add("[>] b"), "- [~] a\n- [~] b\n", nil},
		{"a mark by directive", "<!-- todomd marks=\"-=in_progress\" -->\n- [ ] a\n", add("[-] b"), "<!-- todomd marks=\"-=in_progress\" -->\n- [ ] a\n- [-] b\n", nil},
		{"mark, id and fields", "- [ ] a\n", add("[x] #id: b (priority:: high)"), "- [ ] a\n- [x] #id: b (priority:: high)\n", nil},
		{"id in a field", "- [ ] a\n", add("b (id:: x)"), "- [ ] a\n- [ ] #x: b\n", nil},
		{"unknown field", "- [ ] a\n", add("b (due:: now)"), "- [ ] a\n- [ ] b (due:: now)\n", nil},
		{"lines", "- [ ] a\n", add("b\nc\r\n- [ ] d"), "- [ ] a\n- [ ] b c - [ ] d\n", nil},
		{"placeholders", "- [ ] a\n", add("$1 %s \\n {{x}}"), "- [ ] a\n- [ ] $1 %s \\n {{x}}\n", nil},
		{"text of the world", "- [ ] a\n", add("日本語（全角） 👩‍👩‍👧 e\u0301 \u200fעברית"), "- [ ] a\n- [ ] 日本語（全角） 👩‍👩‍👧 e\u0301 \u200fעברית\n", nil},
		{"NUL", "- [ ] a\n", add("x\x00y"), "- [ ] a\n- [ ] x\ufffdy\n", nil},
		{"nothing", "- [ ] a\n", add(" \n"), "", ErrRule},
		{"nothing but a mark", "- [ ] a\n", add("[x]"), "", ErrRule},
		{"nothing but an id", "- [ ] a\n", add("#x:"), "", ErrRule},
		{"a taken id", "- [ ] #x: a\n", add("#x: b"), "", ErrRule},
		{"after nothing", "- [ ] a\n", addAfter("z", "b"), "", ErrRef},
		{"after one of two", "- [ ] same\n- [ ] same\n", addAfter("same", "b"), "", ErrRef},
		{"front matter and items", "\ufeff---\r\n- [ ] no\r\n---\r\n- [ ] a\r\n", add("b"), "\ufeff---\r\n- [ ] no\r\n---\r\n- [ ] a\r\n- [ ] b\r\n", nil},
		{"mixed endings", "# P\n- [ ] a\r\n", add("b"), "# P\n- [ ] a\r\n- [ ] b\r\n", nil},
		{"quoted items are none", "> - [ ] a\n", add("b"), "> - [ ] a\n\n- [ ] b\n", nil},
		{"behind an HTML block", "<div>\nx\n", add("b"), "<div>\nx\n\n- [ ] b\n", nil},
		{"a long line", "- [ ] a\n", add(strings.Repeat("x", 1<<16)), "- [ ] a\n- [ ] " + strings.Repeat("x", 1<<16) + "\n", nil},
	})
}

func TestRemove(t *testing.T) {
	runEdits(t, []editCase{
		{"the first", "- [ ] a\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"in the middle", "- [ ] a\n- [ ] b\n- [ ] c\n", remove("b"), "- [ ] a\n- [ ] c\n", nil},
		{"the last", "- [ ] a\n- [ ] b\n", remove("b"), "- [ ] a\n", nil},
		{"the last without a final newline", "- [ ] a\n- [ ] b", remove("b"), "- [ ] a", nil},
		{"the last, CRLF, without a final newline", "- [ ] a\r\n- [ ] b", remove("b"), "- [ ] a", nil},
		{"the only one", "- [ ] a\n", remove("a"), "", nil},
		{"the only one, no final newline", "- [ ] a", remove("a"), "", nil},
		{"the only one below a heading", "# P\n\n- [ ] a\n", remove("a"), "# P\n", nil},
		{"the only one between headings", "# P\n\n- [ ] a\n\n# Q\n", remove("a"), "# P\n\n# Q\n", nil},
		{"the only one between paragraphs", "x\n\n- [ ] a\n\ny\n", remove("a"), "x\n\ny\n", nil},
		{"between lines of text", "x\n- [ ] a\n\ny\n", remove("a"), "x\n\ny\n", nil},
		{"between text and a heading", "x\n- [ ] a\n# H\n", remove("a"), "x\n# H\n", nil},
		{"before a rule", "x\n- [ ] a\n***\n", remove("a"), "x\n***\n", nil},
		{"text would become a heading", "x\n- [ ] a\n---\ny\n", remove("a"), "x\n\n---\ny\n", nil},
		{"loose, the first", "- [ ] a\n\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"loose, in the middle", "- [ ] a\n\n- [ ] b\n\n- [ ] c\n", remove("b"), "- [ ] a\n\n- [ ] c\n", nil},
		{"loose, the last", "- [ ] a\n\n- [ ] b\n", remove("b"), "- [ ] a\n", nil},
		{"loose, before a heading", "- [ ] a\n\n- [ ] b\n\n\n# H\n", remove("b"), "- [ ] a\n\n\n# H\n", nil},
		{"loose, behind a heading", "# H\n\n- [ ] a\n\n\n- [ ] b\n", remove("a"), "# H\n\n- [ ] b\n", nil},
		{"loose, CRLF", "- [ ] a\r\n\r\n- [ ] b\r\n\r\n- [ ] c\r\n", remove("b"), "- [ ] a\r\n\r\n- [ ] c\r\n", nil},
		{"tight, blank lines behind", "- [ ] a\n- [ ] b\n\n\n", remove("b"), "- [ ] a\n\n\n", nil},
		{"with notes", "- [ ] a\n  note\n\n  more\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"with a fence", "- [ ] a\n  ```\n  - [ ] x\n\n  ```\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"with an open fence", "- [ ] a\n  ```\n  x\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"with a table", "- [ ] a\n\n  | x |\n  |---|\n  | 1 |\n\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"with sub-items", "- [ ] a\n  - [ ] x\n    - [ ] y\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"with lazy lines", "- [ ] a\nlazy\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"a sub-item", "- [ ] a\n  - [ ] x\n  - [ ] y\n- [ ] b\n", remove("x"), "- [ ] a\n  - [ ] y\n- [ ] b\n", nil},
		{"the only sub-item", "- [ ] a\n  - [ ] x\n- [ ] b\n", remove("x"), "- [ ] a\n- [ ] b\n", nil},
		{"the last of a group", "- [ ] a\n- [ ] b\n\n\n- [ ] c\n", remove("b"), "- [ ] a\n\n\n- [ ] c\n", nil},
		{"the first of a group", "- [ ] a\n\n\n- [ ] b\n- [ ] c\n", remove("b"), "- [ ] a\n\n\n- [ ] c\n", nil},
		{"the first sub-item, loose", "- [ ] a\n\n  - [ ] x\n  - [ ] y\n", remove("x"), "- [ ] a\n\n  - [ ] y\n", nil},
		{"the only sub-item, loose", "- [ ] a\n  - [ ] x\n\n- [ ] b\n", remove("x"), "- [ ] a\n\n- [ ] b\n", nil},
		{"the last sub-item, loose", "- [ ] a\n\n  - [ ] x\n\n  - [ ] y\n\n\n- [ ] b\n", remove("y"), "- [ ] a\n\n  - [ ] x\n\n\n- [ ] b\n", nil},
		{"the only sub-item of a tight item", "- [ ] a\n\n  - [ ] x\n- [ ] b\n", remove("x"), "- [ ] a\n- [ ] b\n", nil},
		{"a sub-item between notes", "- [ ] a\n  one\n  - [ ] x\n\n  two\n", remove("x"), "- [ ] a\n  one\n\n  two\n", nil},
		{"the first of a numbered list", "1. [ ] a\n2. [ ] b\n", remove("a"), "2. [ ] b\n", nil},
		{"a number can't interrupt text", "intro\n1. [x] a\n2. [ ] b\n", remove("a"), "intro\n\n2. [ ] b\n", nil},
		{"front matter before", "---\nx: 1\n---\n- [ ] a\n- [ ] b\n", remove("a"), "---\nx: 1\n---\n- [ ] b\n", nil},
		{"byte order mark", "\ufeff- [ ] a\n- [ ] b\n", remove("a"), "\ufeff- [ ] b\n", nil},
		{"the next item stays a list", "para\n\n- [x] a\n- [ ] b\n\npara\n", remove("a"), "para\n\n- [ ] b\n\npara\n", nil},
		{"between two lists", "* [ ] a\n\n- [ ] b\n\n* [ ] c\n", remove("b"), "* [ ] a\n\n* [ ] c\n", nil},
		{"on the line of another", "- - [ ] a\n", remove("a"), "", ErrImpossible},
		{"one of two of the same text", "- [ ] same\n- [x] same\n", remove("2"), "- [ ] same\n", nil},
		{"a heading as an item", "- # [ ] a\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
		{"a line of other white space is text", "# P\n\u00a0\n- [ ] a\n", remove("a"), "# P\n\u00a0\n", nil},
		{"form feeds as well", "- [ ] a\n\n\f\n", remove("a"), "\f\n", nil},
		{"the last one of a fence, before text", "- [ ] a\n- [ ] b\n  ```\n  x\n  ```\ntext\n", remove("b"), "- [ ] a\n\ntext\n", nil},
		{"mark on the next line", "-\n  [ ] a\n- [ ] b\n", remove("a"), "- [ ] b\n", nil},
	})
}

func TestEdit(t *testing.T) {
	runEdits(t, []editCase{
		{"plain", "- [ ] a\n", editTo("a", "b"), "- [ ] b\n", nil},
		{"the same", "- [ ] a  \n", editTo("a", "a"), "- [ ] a  \n", nil},
		{"hard break", "- [ ] a  \n  next\n", editTo("a", "b"), "- [ ] b  \n  next\n", nil},
		{"notes, blank lines and sub-items", "- [ ] a\n  note\n\n  - [ ] x\n", editTo("a", "b"), "- [ ] b\n  note\n\n  - [ ] x\n", nil},
		{"CRLF", "- [ ] a\r\n- [ ] c\r\n", editTo("a", "b"), "- [ ] b\r\n- [ ] c\r\n", nil},
		{"no final newline", "- [ ] a", editTo("a", "b"), "- [ ] b", nil},
		{"status as well", "- [ ] a\n", editTo("a", "[x] b"), "- [x] b\n", nil},
		{"as a line", "- [ ] a\n", editTo("a", "- [x] #i: b"), "- [x] #i: b\n", nil},
		{"as a numbered line", "- [ ] a\n", editTo("a", " 3. [x] b"), "- [x] b\n", nil},
		{"a bullet alone is text", "- [ ] a\n", editTo("a", "- b"), "- [ ] - b\n", nil},
		{"the dialect", "- [~] c\n- [ ] a\n", editTo("a", "[>] b"), "- [~] c\n- [~] b\n", nil},
		{"id stays", "- [ ] #i: a\n", editTo("a", "b"), "- [ ] #i: b\n", nil},
		{"id changes", "- [ ] #i: a\n", editTo("a", "#j: b"), "- [ ] #j: b\n", nil},
		{"id in a field changes", "- [ ] a (id:: i)\n", editTo("a", "#j: b"), "- [ ] b (id:: j)\n", nil},
		{"a new id", "- [ ] a\n", editTo("a", "#j: a"), "- [ ] #j: a\n", nil},
		{"round field", "- [ ] a (priority:: high)\n", editTo("a", "a (priority:: low)"), "- [ ] a (priority:: low)\n", nil},
		{"square field", "- [ ] a [priority:: high]\n", editTo("a", "a (priority:: low)"), "- [ ] a [priority:: low]\n", nil},
		{"field without a space", "- [ ] a [priority::high]\n", editTo("a", "b"), "- [ ] b [priority::high]\n", nil},
		{"new field", "- [ ] a [priority:: high]\n", editTo("a", "b (owner:: me)"), "- [ ] b [priority:: high] (owner:: me)\n", nil},
		{"unknown field is text", "- [ ] a (due:: x) (priority:: high)\n", editTo("a (due:: x)", "b"), "- [ ] b (priority:: high)\n", nil},
		{"unknown field stays", "- [ ] a (priority:: high) (due:: x)\n", editTo("a (due:: x)", "a (due:: x) (priority:: low)"), "- [ ] a (priority:: low) (due:: x)\n", nil},
		{"unknown field and id", "- [ ] #i: (due:: x)\n", editTo("1", "b"), "- [ ] #i: b\n", nil},
		{"empty item", "- [ ]\n", editTo("1", "b"), "- [ ] b\n", nil},
		{"empty item with a space", "- [ ] \n", editTo("1", "b"), "- [ ] b\n", nil},
		{"empty item, CRLF", "- [ ]\r\n- [ ] x\r\n", editTo("1", "b"), "- [ ] b\r\n- [ ] x\r\n", nil},
		{"empty item at the end", "- [ ]", editTo("1", "#i: b"), "- [ ] #i: b", nil},
		{"empty item with a field", "- [ ] (priority:: 1)\n", editTo("1", "b"), "- [ ] b (priority:: 1)\n", nil},
		{"empty item with an id", "- [ ] #i:\n", editTo("1", "b"), "- [ ] #i: b\n", nil},
		{"ATX heading", "- # [ ] a\n", editTo("a", "b"), "- # [ ] b\n", nil},
		{"setext heading", "- [ ] a\n  ---\n", editTo("a", "b"), "- [ ] b\n  ---\n", nil},
		{"optional item", "- [ ]* a\n- [x]\\* c\n", editTo("a", "b"), "- [ ]* b\n- [x]\\* c\n", nil},
		{"mark on the next line", "-\n  [ ] a\n", editTo("a", "b"), "-\n  [ ] b\n", nil},
		{"tabs behind the mark", "- [ ]\ta\t\n", editTo("a", "b"), "- [ ]\tb\t\n", nil},
		{"lines", "- [ ] a\n", editTo("a", "b\n- [ ] c"), "- [ ] b - [ ] c\n", nil},
		{"a text that looks like a fence", "- [ ] a\n", editTo("a", "```"), "- [ ] ```\n", nil},
		{"a text that looks like a heading", "- [ ] a\n", editTo("a", "# b"), "- [ ] # b\n", nil},
		{"emphasis and code", "- [ ] **a** `b`\n", editTo("**a** `b`", "*c*"), "- [ ] *c*\n", nil},
		{"table in the next line", "- [ ] a\n  | x |\n  |---|\n", editTo("a", "b"), "- [ ] b\n  | x |\n  |---|\n", nil},
		{"nothing", "- [ ] a\n", editTo("a", " "), "", ErrRule},
		{"a taken id", "- [ ] a\n- [ ] #i: b\n", editTo("a", "#i: a"), "", ErrRule},
		{"its own id", "- [ ] #i: a\n", editTo("a", "#i: b"), "- [ ] #i: b\n", nil},
		{"no item", "- [ ] a\n", editTo("z", "b"), "", ErrRef},
		{"unknown dependency", "- [ ] a\n", editTo("a", "a (dependsOn:: nope)"), "", ErrRule},
		{"an unknown dependency that was there", "- [ ] a (dependsOn:: nope)\n", editTo("a", "b"), "- [ ] b (dependsOn:: nope)\n", nil},
		{"dependency cycle", "- [ ] #a: a (dependsOn:: b)\n- [ ] #b: b\n", editTo("#b", "b (dependsOn:: a)"), "", ErrRule},
	})
}

func TestSetStatus(t *testing.T) {
	runEdits(t, []editCase{
		{"every bullet", "* [ ] a\n", status("a", Completed), "* [x] a\n", nil},
		{"numbers stay", "3) [ ] a\n3) [ ] b\n", status("a", Completed), "3) [x] a\n3) [ ] b\n", nil},
		{"capital X is the file's", "- [X] a\n- [ ] b\n", status("b", Completed), "- [X] a\n- [X] b\n", nil},
		{"the mark used most", "- [/] a\n- [~] b\n- [~] c\n- [ ] d\n", status("d", InProgress), "- [/] a\n- [~] b\n- [~] c\n- [~] d\n", nil},
		{"a mark that no item has for a while", "- [/] a\n- [ ] b\n", then(status("a", Completed), status("b", InProgress)), "- [x] a\n- [/] b\n", nil},
		{"back and again", "- [X] a\n- [ ] b\n", then(status("a", Pending), note("b", "n"), status("a", Completed)), "- [X] a\n- [ ] b\n  n\n", nil},
		{"a mark that means something else now", "- [/] a\n- [ ] b\n", then(status("a", Completed), func(p *Plan) (Change, error) {
			q, err := Parse([]byte("<!-- todomd marks=\"/=blocked\" -->\n" + string(p.src)))
			if err != nil {
				return Change{}, err
			}
			return status("b", InProgress)(q.withMarks(p.dialect()))
		}), "<!-- todomd marks=\"/=blocked\" -->\n- [x] a\n- [>] b\n", nil},
		{"blocked", "- [ ] a\n", status("a", Blocked), "- [!] a\n", nil},
		{"cancelled", "- [ ] a\n", status("a", Cancelled), "- [-] a\n", nil},
		{"an unknown mark before it", "- [?] a\n- [ ] b\n", status("1", Completed), "- [?] a\n- [x] b\n", nil},
		{"a box in a comment before it", "<!--\n- [ ] no\n-->\n- [ ] a\n", status("1", Completed), "<!--\n- [ ] no\n-->\n- [x] a\n", nil},
		{"a box in a fence before it", "~~~\n- [ ] no\n~~~\n\n- [ ] a\n", status("1", Completed), "~~~\n- [ ] no\n~~~\n\n- [x] a\n", nil},
		{"a longer fence that holds a shorter one", "````\n```\n- [ ] no\n```\n````\n- [ ] a\n", status("1", Completed), "````\n```\n- [ ] no\n```\n````\n- [x] a\n", nil},
		{"a date before it", "- [2026-01-29] x\n- [a](b)\n- [ ] a\n", status("1", Completed), "- [2026-01-29] x\n- [a](b)\n- [x] a\n", nil},
		{"a mark of several bytes", "<!-- todomd marks=\"✓=completed\" -->\n- [✓] a\n- [ ] b\n", status("b", Completed), "<!-- todomd marks=\"✓=completed\" -->\n- [✓] a\n- [✓] b\n", nil},
		{"no mark is left", "<!-- todomd marks=\"!=pending\" -->\n- [ ] a\n", status("a", Blocked), "", ErrImpossible},
		{"byte order mark", "\ufeff- [ ] a\r\n", status("a", Completed), "\ufeff- [x] a\r\n", nil},
		{"tabs", "- p\n\t- [ ] a\n\t\t- [ ] b\n", status("b", Completed), "- p\n\t- [ ] a\n\t\t- [x] b\n", nil},
		{"hard breaks, comments and tables", "T\n=\n\na  \nb\n<!-- x -->\n\n| a |\n|---|\n\n<kbd>k</kbd> <https://x.y>\n\n- [ ] a\n", status("a", Completed),
			"T\n=\n\na  \nb\n<!-- x -->\n\n| a |\n|---|\n\n<kbd>k</kbd> <https://x.y>\n\n- [x] a\n", nil},
		{"one of two of the same text", "- [ ] a\n- [ ] a\n", status("a", Completed), "", ErrRef},
		{"an unknown word", "- [ ] a\n", status("a", "doing"), "", ErrRule},
		{"waits", "- [ ] #x: a\n- [ ] b (dependsOn:: x)\n", status("b", InProgress), "", ErrRule},
	})
}

func TestNote(t *testing.T) {
	runEdits(t, []editCase{
		{"plain", "- [ ] a\n", note("a", "n"), "- [ ] a\n  n\n", nil},
		{"no final newline", "- [ ] a", note("a", "n"), "- [ ] a\n  n", nil},
		{"CRLF", "- [ ] a\r\n- [ ] b\r\n", note("a", "n\nm"), "- [ ] a\r\n  n\r\n  m\r\n- [ ] b\r\n", nil},
		{"CRLF in the note", "- [ ] a\n", note("a", "n\r\nm\r\n"), "- [ ] a\n  n\n  m\n", nil},
		{"several paragraphs", "- [ ] a\n", note("a", "n\n\nm"), "- [ ] a\n  n\n\n  m\n", nil},
		{"number", "10. [ ] a\n", note("a", "n"), "10. [ ] a\n    n\n", nil},
		{"wide marker", "-   [ ] a\n", note("a", "n"), "-   [ ] a\n    n\n", nil},
		{"tab", "-\t[ ] a\n", note("a", "n"), "-\t[ ] a\n    n\n", nil},
		{"tab, with notes", "-\t[ ] a\n\tx\n", note("a", "n"), "-\t[ ] a\n\tx\n\tn\n", nil},
		{"behind a table", "- [ ] a\n  | x | y |\n  |---|:-:|\n  | 1 | 2 |\n", note("a", "n"), "- [ ] a\n  | x | y |\n  |---|:-:|\n  | 1 | 2 |\n\n  n\n", nil},
		{"behind a table, CRLF", "- [ ] a\r\n  x | y\r\n  --|--\r\n  - [ ] s\r\n", note("a", "n"), "- [ ] a\r\n  x | y\r\n  --|--\r\n\r\n  n\r\n  - [ ] s\r\n", nil},
		{"behind a table and more", "- [ ] a\n  | x |\n  |---|\n\n  y\n", note("a", "n"), "- [ ] a\n  | x |\n  |---|\n\n  y\n  n\n", nil},
		{"behind notes", "- [ ] a\n  x\n", note("a", "n"), "- [ ] a\n  x\n  n\n", nil},
		{"before sub-items", "- [ ] a\n  - [ ] s\n", note("a", "n"), "- [ ] a\n  n\n  - [ ] s\n", nil},
		{"notes before sub-items", "- [ ] a\n  x\n  - [ ] s\n", note("a", "n"), "- [ ] a\n  x\n  n\n  - [ ] s\n", nil},
		{"notes behind sub-items", "- [ ] a\n  - [ ] s\n\n  x\n", note("a", "n"), "- [ ] a\n  - [ ] s\n\n  x\n  n\n", nil},
		{"in the middle of a loose list", "- [ ] a\n\n- [ ] b\n", note("a", "n"), "- [ ] a\n  n\n\n- [ ] b\n", nil},
		{"Markdown stays", "- [ ] a\n", note("a", "see `x` and [y](z)\n\n```go\nx := 1\n```"), "- [ ] a\n  see `x` and [y](z)\n\n  ```go\n  x := 1\n  ```\n", nil},
		{"a plain list", "- [ ] a\n", note("a", "- one\n- two"), "- [ ] a\n  - one\n  - two\n", nil},
		{"items", "- [ ] a\n", note("a", "- [ ] b"), "- [ ] a\n  ```text\n  - [ ] b\n  ```\n", nil},
		{"items in a fence", "- [ ] a\n", note("a", "```\n- [ ] b\n```"), "- [ ] a\n  ```\n  - [ ] b\n  ```\n", nil},
		{"items and a fence", "- [ ] a\n", note("a", "```\nx\n```\n- [ ] b"), "- [ ] a\n  ````text\n  ```\n  x\n  ```\n  - [ ] b\n  ````\n", nil},
		{"heading", "- [ ] a\n", note("a", "# H"), "- [ ] a\n  # H\n", nil},
		{"setext underline", "- [ ] a\n", note("a", "---"), "- [ ] a\n\n  ---\n", nil},
		{"setext underline, equals", "- [ ] a\n", note("a", "===\nx"), "- [ ] a\n\n  ===\n  x\n", nil},
		{"an open fence", "- [ ] a\n  - [ ] s\n", note("a", "```\nopen"), "- [ ] a\n  ````text\n  ```\n  open\n  ````\n  - [ ] s\n", nil},
		{"an open fence at the end", "- [ ] a\n", note("a", "```\nopen"), "- [ ] a\n  ````text\n  ```\n  open\n  ````\n", nil},
		{"an open comment", "- [ ] a\n- [ ] b\n", note("a", "<!-- open"), "- [ ] a\n  ```text\n  <!-- open\n  ```\n- [ ] b\n", nil},
		{"an open tag", "- [ ] a\n  - [ ] s\n", note("a", "<div>"), "- [ ] a\n  <div>\n\n  - [ ] s\n", nil},
		{"reference definition", "- [ ] a\n", note("a", "[x]: /url"), "- [ ] a\n  [x]: /url\n", nil},
		{"table", "- [ ] a\n", note("a", "| x |\n|---|\n| 1 |"), "- [ ] a\n  | x |\n  |---|\n  | 1 |\n", nil},
		{"quote", "- [ ] a\n", note("a", "> q"), "- [ ] a\n  > q\n", nil},
		{"code by its indent", "- [ ] a\n", note("a", "    x"), "- [ ] a\n      x\n", nil},
		{"empty item", "- [ ]\n", note("1", "n"), "- [ ]\n  n\n", nil},
		{"heading item", "- # [ ] a\n", note("1", "n"), "- # [ ] a\n  n\n", nil},
		{"lazy line", "- [ ] a\nlazy\n", note("a", "n"), "- [ ] a\nlazy\n  n\n", nil},
		{"NUL and bad bytes", "- [ ] a\n", note("a", "x\x00\xff"), "- [ ] a\n  x\ufffd\ufffd\n", nil},
		{"nothing", "- [ ] a\n", note("a", " \n"), "", ErrRule},
		{"no item", "- [ ] a\n", note("z", "n"), "", ErrRef},
	})
}

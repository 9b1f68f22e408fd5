package mdplan

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// This file has what the fuzz and property tests compare plans with: a model
// that knows nothing of how a change is written or verified.

// modelItem is an item as its readers see it.
type modelItem struct {
	depth int
	Item
}

func (m modelItem) String() string {
	return fmt.Sprintf("%d [%s] #%s %q p=%q d=%q o=%q w=%q n=%q under %q", m.depth, m.Status, m.ID, m.Content,
		m.Priority, m.DependsOn, m.Owner, m.DoneWhen, m.Notes, m.Section)
}

// modelOf returns the items of a plan in order, without what changes with
// their place: numbers, lines, and blank lines between notes.
func modelOf(p *Plan) []modelItem {
	var out []modelItem
	var walk func(items []Item, depth int)
	walk = func(items []Item, depth int) {
		for _, it := range items {
			subs := it.Items
			it.Items, it.Number, it.Line, it.Notes = nil, "", 0, squeeze(it.Notes)
			out = append(out, modelItem{depth, it})
			walk(subs, depth+1)
		}
	}
	walk(p.Items(), 0)
	return out
}

// squeeze drops blank lines and the white space around lines.
func squeeze(s string) string { return strings.Join(filled([]byte(s)), "\n") }

// filled returns the lines of a file that are not blank, without the white
// space at their ends.
func filled(src []byte) []string {
	var lines []string
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\ufeff")) {
		if line = strings.Trim(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// subtreeEnd returns the index behind the sub-items of item i.
func subtreeEnd(m []modelItem, i int) int {
	j := i + 1
	for j < len(m) && m[j].depth > m[i].depth {
		j++
	}
	return j
}

func sameModel(t testing.TB, what string, got, want []modelItem) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d items, want %d\n%v\n%v", what, len(got), len(want), got, want)
	}
	for i := range got {
		if got[i].String() != want[i].String() {
			t.Fatalf("%s: item %d is\n%v\nwant\n%v", what, i, got[i], want[i])
		}
	}
}

// typed reports whether an error is one that callers can tell apart.
func typed(err error) bool {
	var parse *ParseError
	return errors.Is(err, ErrRule) || errors.Is(err, ErrRef) || errors.Is(err, ErrImpossible) || errors.As(err, &parse)
}

// lineOf returns the index among the filled lines of the one that holds a byte.
func lineOf(src []byte, at int) int {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	return len(filled(src[:start]))
}

// readsAs returns what a text is to read as once it is an item of a plan, by
// parsing it as one. ok is false if it is no item by itself.
func readsAs(p *Plan, text string) (it Item, ok bool) {
	head := ""
	if len(p.settings.Marks) > 0 {
		var marks []string
		for r, to := range p.settings.Marks {
			marks = append(marks, string(r)+"="+string(to))
		}
		slices.Sort(marks)
		head = `<!-- todomd marks="` + strings.Join(marks, ",") + "\" -->\n"
	}
	text = p.unbulleted(oneLine(text))
	box := "[ ] "
	if mark, _, ok := boxAt([]byte(text), span{0, len(text)}); ok {
		if _, ok := p.statusOf([]rune(text[mark.start:mark.end])[0]); ok {
			box = ""
		}
	}
	q, err := Parse([]byte(head + "- " + box + text + "\n"))
	if err == nil && len(q.nodes) == 1 && len(q.top) == 1 {
		return q.Items()[0], true
	}
	return Item{}, false
}

// These lines are what the documents of the property tests are made of.
var (
	randomBlocks = []string{
		"# Plan", "## Later", "Title\n===", "Some prose\nof two lines.", "---", "***", "> quoted\n> - [ ] not an item",
		"```\n- [ ] code\n```", "~~~~\nfence\n~~~~", "    - [ ] indented", "<!-- a comment -->", "<div>\n- [ ] html\n</div>",
		"| a | b |\n|---|---|\n| 1 | 2 |", "[ref]: https://example.org", "- plain bullet\n  more of it", "1. numbered\n2. plain",
		"text\n- [ ] interrupts it", "text\n2. [ ] does not", "<kbd>x</kbd>", "\\- [ ] escaped",
	}
	randomNotes = []string{
		"a note", "a note\nof two", "```go\n- [ ] fenced\n```", "> quote", "| a |\n|---|\n| 1 |", "- a plain bullet", "1. a number",
		"<!-- hidden -->", "para\n\npara", "    deep code", "hard break  \nnext",
	}
	randomMarkers = []string{"- ", "* ", "+ ", "1. ", "1) ", "9. ", "10. ", "-   ", "-\t", "1.  "}
	randomTexts   = []string{
		"Write", "Read the *docs*", "#a: With an id", "With `code`", "x (priority:: high)", "y [owner:: me]", "日本語", "e\u0301 👩‍👩‍👧",
		"(id:: b)", "z (foo:: bar) (id:: c)", "#d:", "tail  ", "", "a [x] b", "$1 \\n %s", "<b>bold</b>", "# heading", "\\*", "* star",
		"```", "Write", "u (dependsOn:: a)", "#e: v (dependsOn:: a, d)",
	}
	randomMarks = []string{" ", " ", " ", "x", ">", "!", "-", "~", "/", "X", "?"}
)

// randomPlan makes a document of everything that plan files hold.
func randomPlan(r *rand.Rand) []byte {
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	var b strings.Builder
	indented := func(text, indent string) {
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				b.WriteString(indent)
			}
			b.WriteString(line)
		}
		b.WriteByte('\n')
	}
	var list func(indent string, depth int)
	list = func(indent string, depth int) {
		marker, loose, same := pick(randomMarkers), r.IntN(4) == 0, r.IntN(3) == 0
		n := 1 + r.IntN(4)
		for i := range n {
			m := marker
			if c := m[0]; c >= '0' && c <= '9' && !same {
				var number int
				var rest string
				fmt.Sscanf(m, "%d%s", &number, &rest)
				m = fmt.Sprint(number+i) + strings.TrimLeft(m, "0123456789")
			}
			box := "[" + pick(randomMarks) + "] "
			if r.IntN(12) == 0 {
				box = ""
			}
			b.WriteString(indent + m + box + pick(randomTexts) + "\n")
			inner := indent + strings.Repeat(" ", len(m))
			if strings.HasSuffix(m, "\t") {
				inner = indent + pick([]string{"\t", "    "})
			}
			if r.IntN(3) == 0 {
				if r.IntN(2) == 0 {
					b.WriteByte('\n')
				}
				indented(pick(randomNotes), inner)
			}
			if depth < 3 && r.IntN(4) == 0 {
				list(inner, depth+1)
			}
			if r.IntN(8) == 0 {
				indented(pick(randomNotes), inner)
			}
			if loose || r.IntN(10) == 0 {
				b.WriteString(strings.Repeat("\n", 1+r.IntN(2)))
			}
		}
	}
	for range 1 + r.IntN(5) {
		if r.IntN(2) == 0 {
			list(strings.Repeat(" ", r.IntN(3)), 0)
		} else {
			b.WriteString(pick(randomBlocks) + "\n")
		}
		b.WriteString(strings.Repeat("\n", r.IntN(3)))
	}
	s := b.String()
	switch r.IntN(8) {
	case 0:
		s = strings.ReplaceAll(s, "\n", "\r\n")
	case 1:
		s = strings.TrimRight(s, "\n")
	case 2:
		s = "\ufeff" + s
	case 3:
		s = "---\ntitle: x\n- [ ] no\n---\n" + s
	}
	return []byte(s)
}

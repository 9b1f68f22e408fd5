package mdplan

import (
	"fmt"
	"strings"
	"testing"
)

func deltaLines(deltas []Delta) string {
	var lines []string
	for _, d := range deltas {
		line := string(d.Op)
		if d.Content != "" {
			line += fmt.Sprintf(" %q:%d", d.Content, d.Line)
		}
		if d.From != "" || d.To != "" {
			line += fmt.Sprintf(" %q>%q", d.From, d.To)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestDiff(t *testing.T) {
	for _, tc := range []struct{ name, old, new, want string }{
		{"same", "- [ ] a\n", "- [ ] a\n", ``},
		{"status", "- [ ] a\n", "- [x] a\n", `status "a":1 "pending">"completed"`},
		{"added above", "- [ ] a\n", "- [ ] b\n- [ ] a\n", `added "b":1`},
		{"removed", "- [ ] a\n- [ ] b\n", "- [ ] b\n", `removed "a":1`},
		{"renamed", "- [ ] write test\n", "- [ ] write tests\n", `renamed "write tests":1 "write test">"write tests"`},
		{"other text", "- [ ] abc\n", "- [ ] xyz\n", "removed \"abc\":1\nadded \"xyz\":1"},
		{"renamed by id", "- [ ] #a: abc\n", "- [ ] #a: xyz\n", `renamed "xyz":1 "abc">"xyz"`},
		{"moved", "- [ ] a\n- [ ] b\n- [ ] c\n", "- [ ] c\n- [ ] a\n- [ ] b\n", `moved "c":1 "3">"1"`},
		{"nested", "- [ ] a\n- [ ] b\n", "- [ ] a\n  - [ ] b\n", `moved "b":2 "2">"1.1"`},
		{"unnested", "- [ ] a\n  - [ ] b\n", "- [ ] a\n- [ ] b\n", `moved "b":2 "1.1">"2"`},
		{"other section", "# x\n- [ ] a\n- [ ] b\n# y\n- [ ] c\n", "# x\n- [ ] b\n# y\n- [ ] c\n- [ ] a\n", `moved "a":5 "1">"3"`},
		{"heading renamed", "# x\n- [ ] a\n", "# y\n- [ ] a\n", `text`},
		{"fields", "- [ ] a (priority:: low)\n", "- [ ] a (priority:: high) (owner:: me)\n",
			`fields "a":1 "priority:: low">"priority:: high, owner:: me"`},
		{"notes", "- [ ] a\n", "- [ ] a\n  failed\n", `notes "a":1`},
		{"text", "x\n\n- [ ] a\n", "y\n\n- [ ] a\n", `text`},
		{"blank line", "- [ ] a\n- [ ] b\n", "- [ ] a\n\n- [ ] b\n", `text`},
		{"bullet", "- [ ] a\n", "* [ ] a\n", `text`},
		{"item and text", "x\n- [ ] a\n", "y\n- [x] a\n", "status \"a\":2 \"pending\">\"completed\"\ntext"},
		{"twice the same", "- [ ] a\n- [ ] a\n", "- [x] a\n- [ ] a\n", `status "a":1 "pending">"completed"`},
		{"emptied", "- [ ] a\n", "", `removed "a":1`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := deltaLines(Diff(mustParse(t, tc.old), mustParse(t, tc.new))); got != tc.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.want)
			}
		})
	}
}

package mdplan

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// What the plan reader finds no item in is none in a list either, and what
// looks like one is said.
func TestListIsPlan(t *testing.T) {
	for _, tt := range []struct {
		in      string
		want    []ListItem
		ignored string // the lines
	}{
		{"- [ ] a\n- **Status:** open\n- [2026-01-29] x\n", listOf(say("a", Pending)), "- **Status:** open|- [2026-01-29] x"},
		{"---\n- [ ] no\n---\n- [ ] a\n", listOf(say("a", Pending)), "- [ ] no"},
		{"<details>\n- [ ] no\n\n- [ ] a\n", listOf(say("a", Pending)), "- [ ] no"},
		{"- [ ] a\n\n<script>\n- [x] no\n</script>\n", listOf(say("a", Pending)), "- [x] no"},
		{"text\n\n    - [ ] no\n\n- [ ] a\n", listOf(say("a", Pending)), "- [ ] no"},
		{"- [ ] a\n      - [ ] no\n", []ListItem{{Content: "a", Status: Pending, Notes: "    - [ ] no"}}, "- [ ] no"},
		{"- [ ] no\n# P\n<!-- todomd -->\n- [ ] a\n# Q\n- [ ] no\n", listOf(say("a", Pending)), ""},
		{"- [ ] a\n- [ ]*d\n", listOf(say("a", Pending)), "- [ ]*d"},
		{"- [ ] a\n- [x]b\n", listOf(say("a", Pending)), "- [x]b"},
		{"- [ ] a\n<!-- todomd marks=\"?=blocked\" -->\n- [?] b\n", listOf(say("a", Pending), say("b", Blocked)), ""},
		{"- [ ] a\n\n  ```\n  - [ ] no\n  ```\n  tail\n1. [ ] b\n   * [x] c\n",
			[]ListItem{{Content: "a", Status: Pending, Notes: "```\n- [ ] no\n```\ntail"}, {Content: "b", Status: Pending, Items: listOf(say("c", Completed))}}, "- [ ] no"},
		{"[![badge](u)](v)\n\n- [ ] a\n", listOf(say("a", Pending)), ""},
		{"```\nx\n```\n- [ ] a\n```\ny\n```\n", listOf(say("a", Pending)), ""},
		{"```md\n- [ ] a\n- b\n```\n", listOf(say("a", Pending)), "- b"},
		{"\n---\n- [ ] a\n---\n", listOf(say("a", Pending)), ""},
		{"- [ ] a\n- [?] b\n- [P] c\n- [*] d\n", listOf(say("a", Pending)), "- [?] b|- [P] c|- [*] d"},
		{"- [ ] a\n- [] b\n- []\n- [completed] c\n- [wip] d\n- [x ] e\n", listOf(say("a", Pending)),
			"- [] b|- []|- [completed] c|- [wip] d|- [x ] e"},
		{"- [ ] a\n\n# Later\n1. [todo] b\n2. [?] c\n", listOf(say("a", Pending)), "1. [todo] b|2. [?] c"},
		{"- [ ] a\n  - [] b\n", []ListItem{{Content: "a", Status: Pending, Notes: "- [] b"}}, "- [] b"},

		// A tool's string.
		{"- [ ] a\n[ ] b\n", listOf(say("a", Pending), say("b", Pending)), ""},
		{"- [ ] a\n[>] b\n", listOf(say("a", Pending), say("b", InProgress)), ""},
		{"- [ ] a\n  [x] b\n", []ListItem{{Content: "a", Status: Pending, Notes: "[x] b"}}, "[x] b"},
		{"- [P] parallel\n\n# Plan\n- [ ] a\n", listOf(say("a", Pending)), "- [P] parallel"},
		{"- [ ] a\n  [!] output\n", []ListItem{{Content: "a", Status: Pending, Notes: "[!] output"}}, ""},
		{"[ ] open, [x] done\n\n- [ ] a\n", listOf(say("a", Pending)), ""},
		{"[>] started; [-] dropped\n\n- [ ] a\n", listOf(say("a", Pending)), ""},
		{"- [] a\n- [completed] b\n- [wip] c\n", listOf(say("a", Pending), say("b", Completed), say("c", "wip")), ""},
		{"- [ ] a\n[ ] b\n- [] c\n- plain\n\n---\n<div>\n- [ ] no\n</div>\n",
			listOf(say("a", Pending), say("b", Pending), say("c", Pending)), "- plain|- [ ] no"},
		{"<todos>\n- [ ] a\n\n- [ ] b\n</todos>", listOf(say("a", Pending), say("b", Pending)), ""},
		{"[ ] a\n\n    [ ] b", []ListItem{{Content: "a", Status: Pending, Items: listOf(say("b", Pending))}}, ""},
		{"    - [ ] a\n    - [ ] b\n", listOf(say("a", Pending), say("b", Pending)), ""},
		{"[ ] a\n- **Note:** b\n", listOf(say("a", Pending)), ""},
		{"Plan:\n2. [ ] a\n3. [ ] b\n", listOf(say("a", Pending), say("b", Pending)), ""},
	} {
		checkReadList(t, tt.in, tt.in, tt.want)
		l, _ := ReadList([]byte(tt.in))
		var lines []string
		for _, x := range l.Ignored {
			lines = append(lines, x.Text)
			if x.Why == "" || strings.TrimSpace(strings.Split(strings.TrimPrefix(tt.in, "```md\n"), "\n")[x.Line-1]) != x.Text {
				t.Errorf("%q: incomplete: %+v", tt.in, x)
			}
		}
		if got := strings.Join(lines, "|"); got != tt.ignored {
			t.Errorf("%q: ignored %q, want %q", tt.in, got, tt.ignored)
		}
	}
}

// A plan that is passed as its own list says what it has.
func TestPlanAsList(t *testing.T) {
	var docs [][]byte
	for _, f := range readCorpus(t) {
		docs = append(docs, f.src)
	}
	for _, s := range hostile {
		docs = append(docs, []byte(s))
	}
	for _, s := range []string{
		"- [ ] [x] two boxes\n", "- [ ] a\n  note\n\n  [ ] bare note\n  - [x] b\n    deep\n\n  tail\n", "- [ ] a\n- plain\n  - [x] b\n",
		"- [ ] \\[x] a\n- [>] `[ ]` b (owner:: w) (note:: x)\n", "- [ ] same\n- [x] same\n  - [ ] same\n", "- [ ] a \\x41 \\u202e\n",
		"- [ ] a\n- [?] q\n", "# Plan\n\n- [ ] real\n- [] task\n", "- [ ] a\n- [x ] t\n- [done] t\n- [TODO] t\n- [WIP] a\n- []\n",
		"- [ ] a\n  - [?] q\n    - [x] b\n\n# Later\n\n1. [done] a\n2. [ ] c\n",
	} {
		docs = append(docs, []byte(s), []byte(strings.ReplaceAll(s, "\n", "\r\n")))
	}
	for _, src := range docs {
		p, err := Parse(src)
		if err != nil || p.Len() == 0 {
			continue
		}
		l, err := ReadList(src)
		if err != nil {
			if !errors.Is(err, ErrNotList) {
				t.Errorf("%.60q: %v", src, err)
			}
			continue
		}
		u, err := p.Update(Caller{Author: Author{Name: "w", Session: "s"}}, l, UpdateOptions{})
		if err != nil {
			if !errors.Is(err, ErrRule) {
				t.Errorf("%.60q: %v", src, err)
			}
			t.Logf("%.60q: %v", src, err)
			continue
		}
		if !bytes.Equal(u.Plan.src, src) {
			t.Errorf("%.60q: became\n%s", src, u.Plan.src)
		}
		for _, o := range u.Outcomes {
			if o.Kind != OutcomeIgnored {
				t.Errorf("%.60q: %+v", src, o)
			}
		}
	}
}

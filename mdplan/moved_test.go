package mdplan

import (
	"errors"
	"strings"
	"testing"
)

// Who rewords an item by its number goes on calling it by that number; what
// somebody else has changed is still held against it.
func TestNumbersAfterOnesOwnChanges(t *testing.T) {
	// A step is who does it, with their session, and what: "a1 edit 2 text".
	tests := []struct {
		name, src, steps string
		moved            string // of the numbers 1 to 3, those that are refused to a1
	}{
		{"edit", "- [ ] a\n- [ ] b\n", "a1 edit 1 aa", ""},
		{"another text", "- [ ] a\n- [ ] b\n", "a1 edit 1 something else", ""},
		{"text and status", "- [ ] a\n- [ ] b\n", "a1 edit 1 [x] something else", ""},
		{"text and fields", "- [ ] a\n- [ ] b\n", "a1 edit 1 #id: zzz (priority:: high)", ""},
		{"a closed one", "- [x] a\n- [ ] b\n", "a1 edit 1 zzz", ""},
		{"chain", "- [ ] a\n- [ ] b\n", "a1 edit 1 bb; a1 edit 1 ccc; a1 edit 2 a; a1 edit 1 b", ""},
		{"the text of another", "- [ ] a\n- [ ] b\n", "a1 edit 1 b; a1 edit 2 a", ""},
		{"a sub-item", "- [ ] a\n  - [ ] b\n- [ ] c\n", "a1 edit 1.1 d; a1 edit 2 e", ""},
		{"edit and add", "- [ ] a\n- [ ] b\n", "a1 edit 1 zz; a1 add c; a1 edit 1 yy; a1 note 2 n; a1 edit 3 d", ""},
		{"edit and remove below", "- [ ] a\n- [ ] b\n", "a1 edit 1 zz; a1 remove 2; a1 edit 1 yy", "2"},
		{"remove above", "- [ ] a\n- [ ] b\n- [ ] c\n", "a1 edit 2 bb; a1 remove 1", "123"},
		{"edited by another", "- [ ] a\n- [ ] b\n", "b1 edit 1 aa", "1"},
		{"edited in another session", "- [ ] a\n- [ ] b\n", "a2 edit 1 aa", "1"},
		{"edited by both", "- [ ] a\n- [ ] b\n", "a1 edit 1 zz; b1 edit 1 yy; a1 edit 2 xx", "1"},
		{"added above by another", "- [ ] a\n- [ ] b\n", "a1 edit 1 zz; b1 save - [ ] new+- [ ] zz+- [ ] b+", "12"},
		{"added above, then edited", "- [ ] a\n- [ ] b\n", "b1 save - [ ] new+- [ ] a+- [ ] b+; a1 edit b zz", "12"},
		{"added below by another", "- [ ] a\n- [ ] b\n", "a1 edit 1 zz; b1 add c; a1 edit 1 yy", ""},
		{"in the file", "- [ ] a\n- [ ] b\n", "a1 save - [ ] aa+- [ ] b+", "1"},
	}
	for _, test := range tests {
		for _, number := range []string{"1", "2", "3"} {
			d := newDesk(t, test.src)
			agent := d.as("a", "1")
			if _, err := agent.Show(t.Context(), false); err != nil {
				t.Fatal(err)
			}
			for step := range strings.SplitSeq(test.steps, "; ") {
				who, rest, _ := strings.Cut(step, " ")
				op, rest, _ := strings.Cut(rest, " ")
				ref, text, _ := strings.Cut(rest, " ")
				if op == "save" {
					d.save(strings.ReplaceAll(rest, "+", "\n"))
					continue
				}
				_, err := d.as(who[:1], who[1:]).Do(t.Context(), op, []string{ref}, func(p *Plan, by Caller) (*Plan, error) {
					var c Change
					var err error
					switch op {
					case "edit":
						c, err = p.Edit(by, ref, text)
					case "add":
						c, err = p.Add(by, rest, Place{})
					case "note":
						c, err = p.Note(by, ref, text)
					case "remove":
						c, err = p.Remove(by, ref)
					}
					return c.Plan, err
				})
				if err != nil {
					t.Fatalf("%s: %s: %v", test.name, step, err)
				}
			}
			err := d.set(agent, number, Blocked)
			var moved *MovedError
			if got, want := errors.As(err, &moved), strings.Contains(test.moved, number); got != want {
				t.Errorf("%s: item %s: %v, want it to be refused: %v", test.name, number, err, want)
			}
		}
	}
}

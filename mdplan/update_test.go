package mdplan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// list is a step of an update test: a complete list of the agent, and what the
// file is and what is told afterwards. An err is the whole text of the refusal.
type list struct {
	say  string // as ReadList reads it
	file string
	tell string // "kind content (detail); …"
	err  string
	with UpdateOptions
	lost bool // the base is lost: a compaction
}

// human is a step in which somebody else replaces a part of the file.
type human struct{ from, to string }

type updateCase struct {
	name  string
	file  string
	steps []any
}

func told(outcomes []Outcome) string {
	var all []string
	for _, o := range outcomes {
		s := o.Kind + " " + o.Content
		if o.Detail != "" {
			s += " (" + o.Detail + ")"
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

func runUpdates(t *testing.T, cases []updateCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := mustParse(t, c.file)
			var base *Base
			for i, step := range c.steps {
				switch s := step.(type) {
				case human:
					if s.from != "" && strings.Count(string(p.src), s.from) != 1 {
						t.Fatalf("step %d: %q is not once in %q", i, s.from, p.src)
					}
					if s.from == "" {
						p = mustParse(t, s.to)
					} else {
						p = mustParse(t, strings.Replace(string(p.src), s.from, s.to, 1))
					}
				case list:
					p, base = runList(t, i, p, base, s)
				}
			}
		})
	}
}

func runList(t *testing.T, i int, p *Plan, base *Base, s list) (*Plan, *Base) {
	t.Helper()
	l, err := ReadList([]byte(s.say))
	if err != nil {
		t.Fatal(err)
	}
	o := s.with
	if o.Base = base; s.lost {
		o.Base = nil
	}
	u, err := p.Update(agent, l, o)
	if s.err != "" {
		if err == nil || err.Error() != s.err || !errors.Is(err, ErrRule) {
			t.Fatalf("step %d: error\n%v\nwant\n%v", i, err, s.err)
		}
		return p, base
	}
	if err != nil {
		t.Fatalf("step %d: %v", i, err)
	}
	if got := string(u.Plan.src); got != s.file {
		t.Fatalf("step %d:\nfrom %q\ngot  %q\nwant %q\ntold %s", i, p.src, got, s.file, told(u.Outcomes))
	}
	if got := told(u.Outcomes); got != s.tell {
		t.Fatalf("step %d: told %q, want %q", i, got, s.tell)
	}
	// A list that is repeated, any number of times, changes nothing more; what
	// it says against the file wins by being said again, so it is left to the
	// tests of that.
	if !strings.Contains(s.tell, OutcomeMerged) {
		again := u
		for range 3 {
			if again, err = again.Plan.Update(agent, l, UpdateOptions{Base: &again.Base}); err != nil {
				t.Fatalf("step %d, again: %v", i, err)
			}
			if string(again.Plan.src) != s.file {
				t.Fatalf("step %d: repeated, it makes %q of %q", i, again.Plan.src, s.file)
			}
		}
	}
	return u.Plan, &u.Base
}

func TestUpdateRows(t *testing.T) {
	runUpdates(t, []updateCase{
		{"new: added", "", []any{list{say: "[ ] a\n[>] b", file: "# Plan\n\n- [ ] a\n- [>] b\n", tell: "added a; added b"}}},
		{"new: added to what others have", "# P\n\n* [ ] x\n* [x] y\n", []any{list{say: "[ ] a",
			file: "# P\n\n* [ ] x\n* [ ] a\n* [x] y\n", tell: "added a; kept x"}}},
		{"new: the status left out is pending", "", []any{list{say: `["a"]`, file: "# Plan\n\n- [ ] a\n", tell: "added a"}}},
		{"left out: own, open, untouched", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			list{say: "[ ] b", file: "# Plan\n\n- [ ] b\n", tell: "removed a"}}},
		{"left out: with its sub-items", "", []any{
			list{say: "- [ ] a\n  - [ ] s\n- [ ] b", file: "# Plan\n\n- [ ] a\n  - [ ] s\n- [ ] b\n", tell: "added a; added b; added s"},
			list{say: "[ ] b", file: "# Plan\n\n- [ ] b\n", tell: "removed a; removed s"}}},
		{"left out: closed", "", []any{
			list{say: "[x] a\n[ ] b", file: "# Plan\n\n- [x] a\n- [ ] b\n", tell: "added a; added b"},
			list{say: "[ ] b", file: "# Plan\n\n- [x] a\n- [ ] b\n"}}},
		{"left out: another's", "- [ ] x\n", []any{
			list{say: "[ ] a\n[ ] x", file: "- [ ] a\n- [ ] x\n", tell: "added a"},
			list{say: "[ ] a", file: "- [ ] a\n- [ ] x\n", tell: "kept x"},
			list{say: "[ ] a", file: "- [ ] a\n- [ ] x\n", tell: "kept x"}}},
		{"left out: somebody reworded it", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a", "- [ ] a, but carefully"},
			list{say: "[ ] b", file: "# Plan\n\n- [ ] a, but carefully\n- [ ] b\n", tell: "kept a, but carefully"}}},
		{"left out: somebody started it", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a", "- [>] a"},
			list{say: "[ ] b", file: "# Plan\n\n- [>] a\n- [ ] b\n", tell: "kept a"}}},
		{"left out: somebody gave it a field", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a", "- [ ] a (priority:: high)"},
			list{say: "[ ] b", file: "# Plan\n\n- [ ] a (priority:: high)\n- [ ] b\n", tell: "kept a"}}},
		{"left out: somebody wrote notes", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a\n", "- [ ] a\n  mind the gap\n"},
			list{say: "[ ] b", file: "# Plan\n\n- [ ] a\n  mind the gap\n- [ ] b\n", tell: "kept a"}}},
		{"left out: somebody wrote notes, and the list named it since", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a\n", "- [ ] a\n  mind the gap\n"},
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n  mind the gap\n- [ ] b\n"},
			list{say: "[ ] b", file: "# Plan\n\n- [ ] a\n  mind the gap\n- [ ] b\n", tell: "kept a"}}},
		{"left out: somebody added sub-items", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a\n", "- [ ] a\n  - [x] s\n"},
			list{say: "[ ] b", file: "# Plan\n\n- [ ] a\n  - [x] s\n- [ ] b\n", tell: "kept a"}}},
		{"left out of the first list after a compaction", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			list{say: "[ ] b", lost: true, file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "kept a"},
			list{say: "[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "kept a"}}},
		{"left out: an empty list", "- [ ] x\n", []any{
			list{say: "[ ] a", file: "- [ ] x\n- [ ] a\n", tell: "added a; kept x"},
			list{say: "[]", file: "- [ ] x\n", tell: "removed a; kept x"}}},
		{"deleted: stays so", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a\n", ""},
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] b\n", tell: "deleted a"},
			list{say: "[x] a\n[x] b", file: "# Plan\n\n- [x] b\n", tell: "deleted a (before)"},
			human{"- [x] b\n", "- [x] b\n- [ ] a\n"},
			list{say: "[x] a\n[x] b", file: "# Plan\n\n- [x] b\n- [ ] a\n"},
			list{say: "[x] b", file: "# Plan\n\n- [x] b\n- [ ] a\n", tell: "kept a"}}},
		{"deleted: brought back by an add of the author's", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] b\n", ""},
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n", tell: "deleted b"},
			human{"- [ ] a\n", "- [ ] a\n- [ ] b\n"},
			list{say: "[ ] a\n[ ] b", with: UpdateOptions{Own: map[string]bool{"b": true}}, file: "# Plan\n\n- [ ] a\n- [ ] b\n"},
			list{say: "[ ] a", file: "# Plan\n\n- [ ] a\n", tell: "removed b"}}},
		{"deleted: of two of one text", "", []any{
			list{say: "[ ] a\n[x] a", file: "# Plan\n\n- [ ] a\n- [x] a\n", tell: "added a; added a"},
			human{"- [ ] a\n", ""},
			list{say: "[ ] a\n[x] a", file: "# Plan\n\n- [x] a\n", tell: "deleted a"}}},
		{"deleted: somebody emptied the file", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"", ""},
			list{say: "[ ] a\n[ ] b\n[ ] c", file: "# Plan\n\n- [ ] c\n", tell: "added c; deleted a; deleted b"}}},
		{"same in list and base: the file's stays", "", []any{
			list{say: "[ ] #i: a (priority:: low) (owner:: me) (doneWhen:: x)", file: "# Plan\n\n- [ ] #i: a (priority:: low) (owner:: me) (doneWhen:: x)\n", tell: "added a"},
			human{"[ ] #i: a (priority:: low) (owner:: me) (doneWhen:: x)", "[!] #j: aa [priority:: high] (owner:: you) (doneWhen:: y)"},
			list{say: "[ ] #i: a (priority:: low) (owner:: me) (doneWhen:: x)", file: "# Plan\n\n- [!] #j: aa [priority:: high] (owner:: you) (doneWhen:: y)\n", tell: "reworded aa (a)"},
			list{say: "[ ] #i: a (priority:: low) (owner:: me) (doneWhen:: x)", file: "# Plan\n\n- [!] #j: aa [priority:: high] (owner:: you) (doneWhen:: y)\n"}}},
		{"same in list and base: what somebody finished stays so", "", []any{
			list{say: "[>] a", file: "# Plan\n\n- [>] a\n", tell: "added a"},
			human{"[>]", "[x]"},
			list{say: "[>] a", file: "# Plan\n\n- [x] a\n"}}},
		{"changed in the list: its value", "", []any{
			list{say: "[ ] Write it (priority:: low)", file: "# Plan\n\n- [ ] Write it (priority:: low)\n", tell: "added Write it"},
			list{say: "[>] Write it down (priority:: high) (owner:: me)", file: "# Plan\n\n- [>] Write it down (priority:: high) (owner:: me)\n", tell: "renamed Write it down (Write it)"}}},
		{"changed in the list: others' too, but for the words", "- [ ] #i: Write it\n", []any{
			list{say: "[ ] #i: Write it", file: "- [ ] #i: Write it\n"},
			list{say: "[>] #i: Write it down (priority:: high)", file: "- [>] #i: Write it (priority:: high)\n", tell: `merged Write it (text "Write it down")`}}},
		{"changed in both: the file's, then the list's", "", []any{
			list{say: "[ ] a (priority:: low)", file: "# Plan\n\n- [ ] a (priority:: low)\n", tell: "added a"},
			human{"low", "high"},
			list{say: "[ ] a (priority:: medium)", file: "# Plan\n\n- [ ] a (priority:: high)\n", tell: `merged a (priority "medium")`},
			list{say: "[ ] a (priority:: medium)", file: "# Plan\n\n- [ ] a (priority:: medium)\n"}}},
		{"changed in both: never by a mirrored list", "", []any{
			list{say: "[ ] a (priority:: low)", file: "# Plan\n\n- [ ] a (priority:: low)\n", tell: "added a"},
			human{"low", "high"},
			list{say: "[ ] a (priority:: medium)", with: UpdateOptions{Mirrored: true}, file: "# Plan\n\n- [ ] a (priority:: high)\n", tell: `merged a (priority "medium")`},
			list{say: "[ ] a (priority:: medium)", with: UpdateOptions{Mirrored: true}, file: "# Plan\n\n- [ ] a (priority:: high)\n"}}},
		{"changed in both: never by a mirrored list, however late", "", []any{
			list{say: "[ ] #i: Write the tests (priority:: low)", file: "# Plan\n\n- [ ] #i: Write the tests (priority:: low)\n", tell: "added Write the tests"},
			human{"#i: Write the tests (priority:: low)", "#j: Write the unit tests (priority:: high)"},
			list{say: "[ ] #i: Write the tests (priority:: low)", with: UpdateOptions{Mirrored: true}, file: "# Plan\n\n- [ ] #j: Write the unit tests (priority:: high)\n",
				tell: "reworded Write the unit tests (Write the tests)"},
			list{say: "[ ] #k: Write the tests now (priority:: medium)", with: UpdateOptions{Mirrored: true}, file: "# Plan\n\n- [ ] #j: Write the unit tests (priority:: high)\n",
				tell: `merged Write the unit tests (text "Write the tests now"); merged Write the unit tests (priority "medium"); merged Write the unit tests (id "k")`}}},
		{"changed in both: words", "", []any{
			list{say: "[ ] Write the tests", file: "# Plan\n\n- [ ] Write the tests\n", tell: "added Write the tests"},
			human{"Write the tests", "Write the unit tests"},
			list{say: "[ ] Write the tests now", file: "# Plan\n\n- [ ] Write the unit tests\n", tell: `merged Write the unit tests (text "Write the tests now")`},
			list{say: "[ ] Write the tests now", file: "# Plan\n\n- [ ] Write the tests now\n", tell: "renamed Write the tests now (Write the unit tests)"}}},
		{"changed in both: alike", "", []any{
			list{say: "[ ] a", file: "# Plan\n\n- [ ] a\n", tell: "added a"},
			human{"[ ]", "[x]"},
			list{say: "[x] a", file: "# Plan\n\n- [x] a\n"}}},
		{"changed in both: status", "", []any{
			list{say: "[ ] a", file: "# Plan\n\n- [ ] a\n", tell: "added a"},
			human{"[ ]", "[!]"},
			list{say: "[>] a", file: "# Plan\n\n- [!] a\n", tell: "merged a (status in_progress, the file has blocked)"},
			list{say: "[>] a", file: "# Plan\n\n- [>] a\n"}}},
		{"changed in both: closing stays", "", []any{
			list{say: "[ ] a", file: "# Plan\n\n- [ ] a\n", tell: "added a"},
			human{"[ ]", "[x]"},
			list{say: "[>] a", file: "# Plan\n\n- [x] a\n", tell: "merged a (status in_progress, the file has completed)"},
			list{say: "[>] a", file: "# Plan\n\n- [x] a\n", tell: "merged a (status in_progress, the file has completed)"},
			list{say: "[>] a", file: "# Plan\n\n- [x] a\n", tell: "merged a (status in_progress, the file has completed)"}}},
		{"first list: an explicit status counts", "- [ ] a\n- [>] b\n", []any{
			list{say: "[x] a\n[!] b", file: "- [x] a\n- [!] b\n"}}},
		{"first list: pending never reopens", "- [x] a\n- [-] b\n- [>] c\n", []any{
			list{say: "[ ] a\n[ ] b\n[ ] c", file: "- [x] a\n- [-] b\n- [ ] c\n", tell: "closed a (completed); closed b (cancelled)"}}},
		{"first list: other words do", "- [x] a\n", []any{list{say: "[>] a", file: "- [>] a\n"}}},
		{"first list: words and place are the file's", "- [ ] b  b\n- [ ] a\n", []any{
			list{say: "[ ] a\n[ ] b b", file: "- [ ] b  b\n- [ ] a\n"}}},
		{"first list: the file's fields stay", "- [ ] a (priority:: high)\n", []any{
			list{say: "[ ] a (priority:: low) (owner:: me)", file: "- [ ] a (priority:: high) (owner:: me)\n", tell: `merged a (priority "low")`}}},
		{"a key left out leaves the field", "", []any{
			list{say: `[{"content":"a","status":"in_progress","priority":"high","owner":"me","id":"i"}]`, file: "# Plan\n\n- [>] #i: a (priority:: high) (owner:: me)\n", tell: "added a"},
			list{say: `[{"content":"a"}]`, file: "# Plan\n\n- [>] #i: a (priority:: high) (owner:: me)\n"},
			list{say: `[{"content":"a","priority":"","owner":null,"id":""}]`, file: "# Plan\n\n- [>] a\n"}}},
		{"an empty list of dependencies clears", "", []any{
			list{say: `[{"content":"a","id":"i"},{"content":"b","depends_on":["i"]}]`, file: "# Plan\n\n- [ ] #i: a\n- [ ] b (dependsOn:: i)\n", tell: "added a; added b"},
			list{say: `[{"content":"a","id":"i"},{"content":"b"}]`, file: "# Plan\n\n- [ ] #i: a\n- [ ] b (dependsOn:: i)\n"},
			list{say: `[{"content":"a","id":"i"},{"content":"b","depends_on":[]}]`, file: "# Plan\n\n- [ ] #i: a\n- [ ] b\n"}}},
		{"retired", "# P\n\n- [x] a\n- [-] b\n", []any{
			list{say: "[ ] c", with: UpdateOptions{Retire: true}, file: "# P\n\n- [ ] c\n", tell: "added c; retired a; retired b"}}},
		{"not retired: something open", "- [x] a\n- [ ] b\n", []any{
			list{say: "[ ] c", with: UpdateOptions{Retire: true}, file: "- [x] a\n- [ ] b\n- [ ] c\n", tell: "added c; kept b"}}},
		{"not retired: an item in common", "- [x] a\n- [x] b\n", []any{
			list{say: "[x] a\n[ ] c", with: UpdateOptions{Retire: true}, file: "- [x] a\n- [ ] c\n- [x] b\n", tell: "added c"}}},
		{"not retired: an empty list", "- [x] a\n", []any{
			list{say: "[]", with: UpdateOptions{Retire: true}, file: "- [x] a\n"}}},
		{"replace", "- [ ] a\n- [x] b (priority:: high)\n- [ ] c\n", []any{
			list{say: "[ ] b (priority:: low)\n[ ] d", with: UpdateOptions{Replace: true}, file: "- [ ] b (priority:: low)\n- [ ] d\n", tell: "added d; removed a; removed c"}}},
		{"replace a finished plan", "- [x] a\n- [x] b\n", []any{
			list{say: "[ ] c", with: UpdateOptions{Replace: true, Retire: true}, file: "- [ ] c\n", tell: "added c; removed a; removed b"}}},
		{"replace: order", "- [ ] a\n- [ ] b\n- [ ] c\n", []any{
			list{say: "[ ] c\n[ ] a\n[ ] b", with: UpdateOptions{Replace: true}, file: "- [ ] c\n- [ ] a\n- [ ] b\n"}}},
		{"own of an earlier session: named again", "- [ ] a\n- [ ] b\n", []any{
			list{say: "[ ] a\n[ ] b", with: UpdateOptions{Own: map[string]bool{"a": true, "b": true}}, file: "- [ ] a\n- [ ] b\n"},
			list{say: "[ ] b", file: "- [ ] b\n", tell: "removed a"}}},
		{"combined: removed, kept, renamed, merged, deleted, added", "- [ ] theirs\n", []any{
			list{say: "[ ] two more\n[ ] three\n[ ] four (priority:: low)\n[ ] one", file: "- [ ] theirs\n- [ ] two more\n- [ ] three\n- [ ] four (priority:: low)\n- [ ] one\n",
				tell: "added two more; added three; added four; added one; kept theirs"},
			human{"- [ ] three\n", ""}, human{"low", "high"},
			list{say: "[ ] two more words\n[ ] three\n[ ] four (priority:: medium)\n[ ] six", file: "- [ ] theirs\n- [ ] two more words\n- [ ] four (priority:: high)\n- [ ] six\n",
				tell: `added six; removed one; kept theirs; renamed two more words (two more); merged four (priority "medium"); deleted three`}}},
		{"id: the same in list and base, and taken away", "", []any{
			list{say: "[ ] #i: a", file: "# Plan\n\n- [ ] #i: a\n", tell: "added a"},
			human{"#i: ", ""},
			list{say: "[ ] #i: a", file: "# Plan\n\n- [ ] a\n"}}},
		{"id: changed in both", "", []any{
			list{say: "[ ] #i: a", file: "# Plan\n\n- [ ] #i: a\n", tell: "added a"},
			human{"#i: ", "#j: "},
			list{say: "[ ] #k: a", file: "# Plan\n\n- [ ] #j: a\n", tell: `merged a (id "k")`},
			list{say: "[ ] #k: a", file: "# Plan\n\n- [ ] #k: a\n"}}},
		{"a field that the file has, cleared by a later list", "- [ ] a (owner:: me)\n", []any{
			list{say: `["a"]`, file: "- [ ] a (owner:: me)\n"},
			list{say: `[{"content":"a","owner":""}]`, file: "- [ ] a\n"}}},
	})
}

// What an id says of an item: it names one that is at hand and open, and never
// makes of new work what is finished, deleted or somebody else's.
func TestUpdateIDAlone(t *testing.T) {
	runUpdates(t, []updateCase{
		{"a finished plan and new work of the same ids", "", []any{
			list{say: `[{"id":"1","content":"Read","status":"completed"},{"id":"2","content":"Write","status":"completed"}]`,
				file: "# Plan\n\n- [x] #1: Read\n- [x] #2: Write\n", tell: "added Read; added Write"},
			list{say: `[{"id":"1","content":"Deploy"},{"id":"2","content":"Announce"}]`, with: UpdateOptions{Retire: true},
				file: "# Plan\n\n- [ ] #1: Deploy\n- [ ] #2: Announce\n", tell: "added Deploy; added Announce; retired Read; retired Write"}}},
		{"a closed item beside an open one", "", []any{
			list{say: `[{"id":"1","content":"Read","status":"completed"},{"id":"2","content":"Write"}]`,
				file: "# Plan\n\n- [x] #1: Read\n- [ ] #2: Write\n", tell: "added Read; added Write"},
			list{say: `[{"id":"1","content":"Deploy"},{"id":"2","content":"Write"}]`, with: UpdateOptions{Retire: true},
				file: "# Plan\n\n- [x] #1: Read\n- [ ] Deploy\n- [ ] #2: Write\n", tell: "added Deploy; id Deploy (1)"}}},
		{"closed by somebody else since", "", []any{
			list{say: `[{"id":"1","content":"Read"},{"id":"2","content":"Write"}]`, file: "# Plan\n\n- [ ] #1: Read\n- [ ] #2: Write\n", tell: "added Read; added Write"},
			human{"- [ ] #1", "- [-] #1"},
			list{say: `[{"id":"1","content":"Deploy"},{"id":"2","content":"Write"}]`,
				file: "# Plan\n\n- [-] #1: Read\n- [ ] Deploy\n- [ ] #2: Write\n", tell: "added Deploy; id Deploy (1)"}}},
		{"closed in the list", "", []any{
			list{say: `[{"id":"1","content":"Read"},"b"]`, file: "# Plan\n\n- [ ] #1: Read\n- [ ] b\n", tell: "added Read; added b"},
			list{say: `[{"id":"1","content":"Deploy","status":"completed"},"b"]`, file: "# Plan\n\n- [x] #1: Deploy\n- [ ] b\n", tell: "added Deploy; removed Read"}}},
		{"the list takes the whole plan's place", "- [x] #1: Read\n- [ ] #2: Write\n", []any{
			list{say: `[{"id":"1","content":"Deploy"},{"id":"2","content":"Announce"}]`, with: UpdateOptions{Replace: true},
				file: "- [ ] #1: Deploy\n- [ ] #2: Announce\n", tell: "added Deploy; removed Read; renamed Announce (Write)"}}},
		{"of an item that somebody deleted", "", []any{
			list{say: `[{"id":"1","content":"alpha"},{"id":"2","content":"beta"}]`, file: "# Plan\n\n- [ ] #1: alpha\n- [ ] #2: beta\n", tell: "added alpha; added beta"},
			human{"- [ ] #2: beta\n", ""},
			list{say: `[{"id":"1","content":"alpha"},{"id":"2","content":"gamma"}]`, file: "# Plan\n\n- [ ] #1: alpha\n- [ ] #2: gamma\n", tell: "added gamma"}}},
		{"of an item that somebody deleted, and another has it now", "", []any{
			list{say: `[{"id":"1","content":"alpha"},{"id":"2","content":"beta"}]`, file: "# Plan\n\n- [ ] #1: alpha\n- [ ] #2: beta\n", tell: "added alpha; added beta"},
			human{"- [ ] #2: beta\n", "- [x] #2: done by hand\n"},
			list{say: `[{"id":"1","content":"alpha"},{"id":"2","content":"gamma"}]`, file: "# Plan\n\n- [ ] #1: alpha\n- [ ] gamma\n- [x] #2: done by hand\n", tell: "added gamma; id gamma (2)"}}},
		{"of an item that somebody deleted, and a closed one has it now", "", []any{
			list{say: `[{"id":"1","content":"alpha"},{"id":"2","content":"beta"}]`, file: "# Plan\n\n- [ ] #1: alpha\n- [ ] #2: beta\n", tell: "added alpha; added beta"},
			human{"- [ ] #2: beta\n", "- [x] #2: done by hand\n"},
			list{say: `[{"id":"1","content":"alpha"},{"id":"2","content":"beta"}]`, file: "# Plan\n\n- [ ] #1: alpha\n- [x] #2: done by hand\n", tell: "deleted beta"}}},
		{"of a closed item that somebody reworded", "", []any{
			list{say: `[{"id":"1","content":"alhpa","status":"completed"}]`, file: "# Plan\n\n- [x] #1: alhpa\n", tell: "added alhpa"},
			human{"alhpa", "The first one"},
			list{say: `[{"id":"1","content":"alhpa","status":"completed"}]`, file: "# Plan\n\n- [x] #1: The first one\n", tell: "reworded The first one (alhpa)"}}},
		{"that somebody else has brought since", "", []any{
			list{say: `[{"id":"1","content":"alpha"}]`, file: "# Plan\n\n- [ ] #1: alpha\n", tell: "added alpha"},
			human{"- [ ] #1: alpha\n", "- [ ] #1: alpha\n- [ ] #2: theirs\n"},
			list{say: `[{"id":"1","content":"alpha"},{"id":"2","content":"mine","status":"completed"}]`,
				file: "# Plan\n\n- [ ] #1: alpha\n- [x] mine\n- [ ] #2: theirs\n", tell: "added mine; kept theirs; id mine (2)"}}},
		{"that is another's, named by a dependency", "- [x] #1: old\n- [ ] theirs\n", []any{
			list{say: `[{"id":"1","content":"new"},{"id":"2","content":"b","depends_on":["1"]}]`,
				file: "- [x] #1: old\n- [ ] theirs\n- [ ] new\n- [ ] #2: b (dependsOn:: new)\n", tell: "added new; added b; kept theirs; id new (1)"}}},
		{"that somebody changed, named by a dependency", "", []any{
			list{say: `[{"id":"i","content":"a"}]`, file: "# Plan\n\n- [ ] #i: a\n", tell: "added a"},
			human{"#i", "#j"},
			list{say: `[{"id":"i","content":"a"},{"content":"b","depends_on":["i"]}]`, file: "# Plan\n\n- [ ] #j: a\n- [ ] b (dependsOn:: j)\n", tell: "added b"},
			human{"(dependsOn:: j)", "(dependsOn:: i)"},
			list{say: `[{"id":"i","content":"a"},{"content":"b","depends_on":["i"]}]`, file: "# Plan\n\n- [ ] #j: a\n- [ ] b (dependsOn:: i)\n"}}},
		{"of others' that is not written, named by a number", "- [ ] a\n", []any{
			list{say: `[{"id":"x","content":"a"},{"content":"b","depends_on":["1"]}]`, file: "- [ ] a\n- [ ] b (dependsOn:: a)\n", tell: "added b"}}},
		{"dependencies by number stay as the file has them", "- [ ] a\n- [ ] b (dependsOn:: 1)\n", []any{
			list{say: `["a",{"content":"b","depends_on":["1"]}]`, file: "- [ ] a\n- [ ] b (dependsOn:: 1)\n"},
			list{say: `["a",{"content":"b","depends_on":["1"]}]`, with: UpdateOptions{Replace: true}, file: "- [ ] a\n- [ ] b (dependsOn:: 1)\n"}}},
		{"that is another's, of an item that no text can name", "- [x] #1: old\n", []any{
			list{say: `[{"id":"1","content":"a, c"},{"id":"2","content":"b","depends_on":["1"]}]`,
				file: "- [x] #1: old\n- [ ] #a-c: a, c\n- [ ] #2: b (dependsOn:: a-c)\n", tell: "added a, c; added b; id a, c (1); named a, c (a-c)"}}},
	})
}

// A list that replaces the plan brings back what somebody deleted.
func TestUpdateReplaceDeleted(t *testing.T) {
	runUpdates(t, []updateCase{{"replace: what was deleted", "", []any{
		list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
		human{"- [ ] a\n", ""},
		list{say: "[ ] a\n[ ] b", with: UpdateOptions{Replace: true}, file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a"}}}})
}

func TestUpdateNotes(t *testing.T) {
	runUpdates(t, []updateCase{
		{"appended once", "- [ ] a\n", []any{
			list{say: `[{"content":"a","notes":"tried x"}]`, file: "- [ ] a\n  tried x\n"},
			list{say: `[{"content":"a","notes":"tried y"}]`, file: "- [ ] a\n  tried x\n  tried y\n"},
			list{say: `[{"content":"a"}]`, file: "- [ ] a\n  tried x\n  tried y\n"}}},
		{"that grew", "- [ ] a\n", []any{
			list{say: `[{"content":"a","notes":"tried x"}]`, file: "- [ ] a\n  tried x\n"},
			list{say: `[{"content":"a","notes":"tried x\ntried y"}]`, file: "- [ ] a\n  tried x\n  tried y\n"},
			list{say: `[{"content":"a","notes":"tried  x\r\ntried y \r\n\r\ntried z"}]`, file: "- [ ] a\n  tried x\n  tried y\n  tried z\n"},
			list{say: `[{"content":"a","notes":"tried x\ntried y\ntried z"}]`, lost: true, file: "- [ ] a\n  tried x\n  tried y\n  tried z\n"}}},
		{"that grew, in the first list after a compaction", "- [ ] a\r\n  theirs\r\n  tried x", []any{
			list{say: `[{"content":"a","notes":"tried x\ntried y"}]`, file: "- [ ] a\r\n  theirs\r\n  tried x\r\n  tried y"}}},
		{"that grew behind what somebody wrote", "- [ ] a\n", []any{
			list{say: `[{"content":"a","notes":"tried x"}]`, file: "- [ ] a\n  tried x\n"},
			human{"  tried x\n", "  tried x\n\n  mind the gap\n"},
			list{say: `[{"content":"a"}]`, file: "- [ ] a\n  tried x\n\n  mind the gap\n"},
			list{say: `[{"content":"a","notes":"tried x\ntried y"}]`, file: "- [ ] a\n  tried x\n\n  mind the gap\n  tried y\n"}}},
		{"that somebody took away", "- [ ] a\n", []any{
			list{say: `[{"content":"a","notes":"tried x"}]`, file: "- [ ] a\n  tried x\n"},
			human{"  tried x\n", ""},
			list{say: `[{"content":"a","notes":"tried x"}]`, file: "- [ ] a\n"},
			list{say: `[{"content":"a","notes":"tried x\ntried y"}]`, file: "- [ ] a\n  tried y\n"}}},
		{"that begin alike", "- [ ] a\n  Error:\n  timeout\n", []any{
			list{say: `[{"content":"a","notes":"Error:\ndisk full"}]`, file: "- [ ] a\n  Error:\n  timeout\n  Error:\n  disk full\n"}}},
		{"that end within a line", "- [ ] a\n  tried x\n", []any{
			list{say: `[{"content":"a","notes":"tried xylene"}]`, file: "- [ ] a\n  tried x\n  tried xylene\n"}}},
		{"fences that grew", "- [ ] a\r\n", []any{
			list{say: `[{"content":"a","notes":"` + "```\\none\\n```" + `"}]`, file: "- [ ] a\r\n  ```\r\n  one\r\n  ```\r\n"},
			list{say: `[{"content":"a","notes":"` + "```\\none\\n```\\n```\\ntwo\\n```" + `"}]`, file: "- [ ] a\r\n  ```\r\n  one\r\n  ```\r\n  ```\r\n  two\r\n  ```\r\n"}}},
		{"fences that begin alike", "- [ ] a\n  ```\n  one\n  ```\n", []any{
			list{say: `[{"content":"a","notes":"` + "```\\ntwo\\n```" + `"}]`, file: "- [ ] a\n  ```\n  one\n  ```\n  ```\n  two\n  ```\n"}}},
		{"a fence that grew inside", "- [ ] a\n", []any{
			list{say: `[{"content":"a","notes":"` + "```\\none\\n```" + `"}]`, file: "- [ ] a\n  ```\n  one\n  ```\n"},
			list{say: `[{"content":"a","notes":"` + "```\\none\\ntwo\\n```" + `"}]`, file: "- [ ] a\n  ```\n  one\n  ```\n  ```\n  one\n  two\n  ```\n"}}},
		{"that would make items, and grew", "- [ ] a\n", []any{
			list{say: `[{"content":"a","notes":"- [ ] b"}]`, file: "- [ ] a\n  ```text\n  - [ ] b\n  ```\n"},
			list{say: `[{"content":"a","notes":"- [ ] b\nwell"}]`, file: "- [ ] a\n  ```text\n  - [ ] b\n  ```\n  well\n"}}},
		{"that would make items, and grew after a compaction", "- [ ] a\n  ```text\n  - [ ] b\n  ```\n", []any{
			list{say: `[{"content":"a","notes":"- [ ] b\nwell"}]`, file: "- [ ] a\n  ```text\n  - [ ] b\n  ```\n  well\n"}}},
		{"of a new item", "", []any{
			list{say: `[{"content":"a","notes":"one\n\ntwo"},"b"]`, file: "# Plan\n\n- [ ] a\n  one\n\n  two\n- [ ] b\n", tell: "added a; added b"}}},
		{"that would make items", "- [ ] a\n", []any{
			list{say: `[{"content":"a","notes":"- [ ] b"}]`, file: "- [ ] a\n  ```text\n  - [ ] b\n  ```\n"}}},
		{"with the white space of code", "- [ ] a\n", []any{
			list{say: `[{"content":"a","notes":"log:\n\n    a\tb\n      c  d"}]`, file: "- [ ] a\n  log:\n\n      a\tb\n        c  d\n"}}},
	})
}

func TestUpdateIDs(t *testing.T) {
	runUpdates(t, []updateCase{
		{"written for own items", "", []any{
			list{say: `[{"id":1,"content":"a"},{"id":2,"content":"b"}]`, file: "# Plan\n\n- [ ] #1: a\n- [ ] #2: b\n", tell: "added a; added b"}}},
		{"not for others'", "- [ ] a\n", []any{list{say: `[{"id":"x","content":"a"}]`, file: "- [ ] a\n"}}},
		{"for others' where one depends on it", "- [ ] a\n", []any{
			list{say: `[{"id":"x","content":"a"},{"content":"b","depends_on":["x"]}]`, file: "- [ ] #x: a\n- [ ] b (dependsOn:: x)\n", tell: "added b"}}},
		{"of an item that the list leaves out", "", []any{
			list{say: "[ ] #i: Read", file: "# Plan\n\n- [ ] #i: Read\n", tell: "added Read"},
			list{say: "[ ] x\n[ ] y\n[ ] #i: Think", file: "# Plan\n\n- [ ] x\n- [ ] y\n- [ ] #i: Think\n", tell: "added x; added y; renamed Think (Read)"},
			list{say: "[ ] x\n[ ] y", file: "# Plan\n\n- [ ] x\n- [ ] y\n", tell: "removed Think"},
			list{say: "[ ] x\n[ ] #i: Sleep\n[ ] y", file: "# Plan\n\n- [ ] x\n- [ ] #i: Sleep\n- [ ] y\n", tell: "added Sleep"}}},
		{"used for another text", "- [ ] #1: theirs\n", []any{
			list{say: `[{"id":"1","content":"mine"}]`, file: "- [ ] #1: theirs\n- [ ] mine\n", tell: "added mine; kept theirs; id mine (1)"}}},
		{"numbers start again in a new session", "- [x] #1: old\n- [ ] #2: other\n", []any{
			list{say: `[{"id":"1","content":"new","status":"in_progress"}]`, file: "- [x] #1: old\n- [ ] #2: other\n- [>] new\n", tell: "added new; kept other; id new (1)"}}},
		{"pair through the base", "", []any{
			list{say: `[{"id":"x","content":"Read"}]`, file: "# Plan\n\n- [ ] #x: Read\n", tell: "added Read"},
			list{say: `[{"id":"x","content":"Think"}]`, file: "# Plan\n\n- [ ] #x: Think\n", tell: "renamed Think (Read)"}}},
		{"stay with a status", "- [ ] #x: a\n", []any{list{say: `[{"id":"x","content":"a","status":"completed"}]`, file: "- [x] #x: a\n"}}},
		{"exchanged", "", []any{
			list{say: `[{"id":"1","content":"a"},{"id":"2","content":"b"},{"id":"3","content":"c","depends_on":["1"]}]`,
				file: "# Plan\n\n- [ ] #1: a\n- [ ] #2: b\n- [ ] #3: c (dependsOn:: 1)\n", tell: "added a; added b; added c"},
			list{say: `[{"id":"1","content":"b"},{"id":"2","content":"a"},{"id":"3","content":"c"}]`,
				file: "# Plan\n\n- [ ] #1: b\n- [ ] #2: a\n- [ ] #3: c (dependsOn:: 2)\n"}}},
		{"exchanged, with a dependency that means another now", "", []any{
			list{say: `[{"id":"1","content":"a"},{"id":"2","content":"b"},{"id":"3","content":"c","depends_on":["1"]}]`,
				file: "# Plan\n\n- [ ] #1: a\n- [ ] #2: b\n- [ ] #3: c (dependsOn:: 1)\n", tell: "added a; added b; added c"},
			list{say: `[{"id":"1","content":"b"},{"id":"2","content":"a"},{"id":"3","content":"c","depends_on":["1"]}]`,
				file: "# Plan\n\n- [ ] #1: b\n- [ ] #2: a\n- [ ] #3: c (dependsOn:: 1)\n"}}},
		{"moved up by one", "", []any{
			list{say: `[{"id":"1","content":"a"},{"id":"2","content":"b"},{"id":"3","content":"c"}]`,
				file: "# Plan\n\n- [ ] #1: a\n- [ ] #2: b\n- [ ] #3: c\n", tell: "added a; added b; added c"},
			list{say: `[{"id":"1","content":"b"},{"id":"2","content":"c"},{"id":"3","content":"d"}]`,
				file: "# Plan\n\n- [ ] #1: b\n- [ ] #2: c\n- [ ] #3: d\n", tell: "added d; removed a"}}},
		{"moved down by one", "", []any{
			list{say: `[{"id":"1","content":"a"},{"id":"2","content":"b"}]`, file: "# Plan\n\n- [ ] #1: a\n- [ ] #2: b\n", tell: "added a; added b"},
			list{say: `[{"id":"1","content":"new"},{"id":"2","content":"a"},{"id":"3","content":"b"}]`,
				file: "# Plan\n\n- [ ] #1: new\n- [ ] #2: a\n- [ ] #3: b\n", tell: "added new"}}},
		{"given up by their holder", "", []any{
			list{say: `[{"id":"a","content":"Alpha"},{"id":"b","content":"Beta"}]`, file: "# Plan\n\n- [ ] #a: Alpha\n- [ ] #b: Beta\n", tell: "added Alpha; added Beta"},
			list{say: `[{"id":"x","content":"Alpha"},{"id":"a","content":"Beta"}]`, file: "# Plan\n\n- [ ] #x: Alpha\n- [ ] #a: Beta\n"},
			list{say: `[{"id":"","content":"Alpha"},{"id":"x","content":"Beta"},{"id":"a","content":"Gamma"}]`,
				file: "# Plan\n\n- [ ] Alpha\n- [ ] #x: Beta\n- [ ] #a: Gamma\n", tell: "added Gamma"}}},
		{"of a chain that ends at one that stays", "- [x] #z: theirs\n", []any{
			list{say: `[{"id":"a","content":"Alpha"},{"id":"b","content":"Beta"},{"id":"c","content":"Gamma"}]`,
				file: "- [x] #z: theirs\n- [ ] #a: Alpha\n- [ ] #b: Beta\n- [ ] #c: Gamma\n", tell: "added Alpha; added Beta; added Gamma"},
			list{say: `[{"id":"z","content":"Alpha"},{"id":"a","content":"Beta"},{"id":"d","content":"Gamma"},{"id":"b","content":"Delta"}]`,
				file: "- [x] #z: theirs\n- [ ] #a: Alpha\n- [ ] #b: Beta\n- [ ] #d: Gamma\n- [ ] Delta\n",
				tell: "added Delta; id Alpha (z); id Beta (a); id Delta (b)"}}},
		{"that somebody else changed meanwhile", "", []any{
			list{say: `[{"id":"1","content":"a"},{"id":"2","content":"b"}]`, file: "# Plan\n\n- [ ] #1: a\n- [ ] #2: b\n", tell: "added a; added b"},
			human{"#1: a", "#3: a"},
			list{say: `[{"id":"2","content":"a"},{"id":"3","content":"b"}]`, file: "# Plan\n\n- [ ] #3: a\n- [ ] #2: b\n", tell: `merged a (id "2"); id b (3)`}}},
		{"dependencies by number and text", "", []any{
			list{say: `[{"content":"a"},{"content":"b","depends_on":["1"]},{"content":"c","depends_on":["b"]}]`,
				file: "# Plan\n\n- [ ] a\n- [ ] b (dependsOn:: a)\n- [ ] c (dependsOn:: b)\n", tell: "added a; added b; added c"}}},
	})
}

// A list may deal out the ids of its own items anew, in any way: the file has
// them as the list does, and what depends on an item still does.
func TestUpdateIDsDealtAnew(t *testing.T) {
	texts := []string{"Alpha", "Beta", "Gamma", "Delta", "Epsilon"}
	say := func(ids []int, first int) string {
		var items []string
		for i, id := range ids {
			items = append(items, fmt.Sprintf(`{"id":"%d","content":%q}`, id, texts[first+i]))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	update := func(p *Plan, base *Base, text string) Update {
		t.Helper()
		l, err := ReadList([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		u, err := p.Update(agent, l, UpdateOptions{Base: base})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return u
	}
	var deal func(ids, left []int, with func([]int))
	deal = func(ids, left []int, with func([]int)) {
		if len(ids) == 4 {
			with(ids)
			return
		}
		for i, id := range left {
			rest := append(slices.Clone(left[:i]), left[i+1:]...)
			deal(append(slices.Clone(ids), id), rest, with)
		}
	}
	const on = "- [ ] last (dependsOn:: 2, 3)\n"
	deal(nil, []int{1, 2, 3, 4, 5}, func(ids []int) {
		for first := range 2 { // the second time the list drops one item and brings one
			u := update(mustParse(t, ""), nil, say([]int{1, 2, 3, 4}, 0))
			p := mustParse(t, string(u.Plan.src)+on)
			u = update(p, &u.Base, say(ids, first))
			d := u.Plan.depend()
			for i, id := range ids {
				n := d.byID[fmt.Sprint(id)]
				if n == nil || n.content != texts[first+i] {
					t.Fatalf("%s makes\n%s", say(ids, first), u.Plan.src)
				}
			}
			n := d.resolve("last")
			var got []string
			for _, m := range d.needs[n.index] {
				got = append(got, m.content)
			}
			if strings.Join(got, ", ") != "Beta, Gamma" {
				t.Fatalf("%s: the last depends on %q:\n%s", say(ids, first), got, u.Plan.src)
			}
		}
	})
}

func TestUpdatePairs(t *testing.T) {
	runUpdates(t, []updateCase{
		{"white space and shown escapes are no rename", "- [ ] a   <b> c\n", []any{
			list{say: `["a ‹b> c"]`, file: "- [ ] a   <b> c\n"},
			list{say: `[{"content":"a <b>  c","status":"completed"}]`, file: "- [x] a   <b> c\n"}}},
		{"nothing but shown white space", "- [ ] x\n", []any{list{say: `["\\x09"]`, file: "- [ ] x\n- [ ] \\x09\n", tell: "added \\x09; kept x"}}},
		{"the same text twice, by status", "- [x] a\n- [ ] a\n", []any{list{say: "[>] a\n[x] a", file: "- [x] a\n- [>] a\n"}}},
		{"the same text twice, in order", "", []any{
			list{say: "[ ] a\n[ ] a", file: "# Plan\n\n- [ ] a\n- [ ] a\n", tell: "added a; added a"},
			list{say: "[x] a\n[ ] a", file: "# Plan\n\n- [x] a\n- [ ] a\n"}}},
		{"the same text twice, one without a status", "- [-] a\n", []any{
			list{say: `["a"]`, file: "- [-] a\n"},
			list{say: `["a",{"content":"a","status":"pending"}]`, file: "- [-] a\n- [ ] a\n", tell: "added a"}}},
		{"the same text twice, one in the list", "- [x] a\n- [ ] a\n", []any{
			list{say: `[{"content":"a","status":"pending"}]`, file: "- [x] a\n- [ ] a\n"},
			human{"- [x] a\n- [ ] a\n", "- [ ] b\n- [ ] a\n- [ ] a\n"},
			list{say: `[{"content":"a","status":"in_progress"}]`, file: "- [ ] b\n- [ ] a\n- [>] a\n", tell: "kept b; kept a"}}},
		{"a rename in between", "", []any{
			list{say: "[ ] one\n[ ] Write tests\n[ ] three", file: "# Plan\n\n- [ ] one\n- [ ] Write tests\n- [ ] three\n", tell: "added one; added Write tests; added three"},
			list{say: "[ ] one\n[ ] Write the tests\n[ ] three", file: "# Plan\n\n- [ ] one\n- [ ] Write the tests\n- [ ] three\n", tell: "renamed Write the tests (Write tests)"}}},
		{"too different for a rename", "", []any{
			list{say: "[ ] one\n[ ] Write tests", file: "# Plan\n\n- [ ] one\n- [ ] Write tests\n", tell: "added one; added Write tests"},
			list{say: "[ ] one\n[ ] Sleep", file: "# Plan\n\n- [ ] one\n- [ ] Sleep\n", tell: "added Sleep; removed Write tests"}}},
		{"a rename keeps notes, sub-items and bytes", "", []any{
			list{say: "[ ] Write tests", file: "# Plan\n\n- [ ] Write tests\n", tell: "added Write tests"},
			human{"- [ ] Write tests\n", "- [ ] Write tests  \n  note\n\n  - [ ] s\n"},
			list{say: "[ ] Write the tests", file: "# Plan\n\n- [ ] Write the tests  \n  note\n\n  - [ ] s\n", tell: "kept s; renamed Write the tests (Write tests)"}}},
		{"a rename on both sides", "", []any{
			list{say: "[ ] Write tests", file: "# Plan\n\n- [ ] Write tests\n", tell: "added Write tests"},
			human{"Write tests", "Write tests well"},
			list{say: "[ ] Write tests", file: "# Plan\n\n- [ ] Write tests well\n", tell: "reworded Write tests well (Write tests)"}}},
	})
}

func TestUpdatePlaces(t *testing.T) {
	runUpdates(t, []updateCase{
		{"behind the one that it follows", "- [ ] a\n- [ ] c\n", []any{list{say: "[ ] a\n[ ] b\n[ ] c", file: "- [ ] a\n- [ ] b\n- [ ] c\n", tell: "added b"}}},
		{"before the one that it precedes", "# P\n\n- [ ] c\n", []any{list{say: "[ ] a\n[ ] b\n[ ] c", file: "# P\n\n- [ ] a\n- [ ] b\n- [ ] c\n", tell: "added a; added b"}}},
		{"among loose items", "- [ ] a\n\n- [ ] c\n", []any{list{say: "[ ] a\n[ ] b\n[ ] c", file: "- [ ] a\n\n- [ ] b\n\n- [ ] c\n", tell: "added b"}}},
		{"in a numbered list", "8. [ ] a\n9. [ ] b\n", []any{list{say: "[ ] a\n[ ] b\n[ ] c\n[ ] d", file: "8. [ ] a\n9. [ ] b\n10. [ ] c\n11. [ ] d\n", tell: "added c; added d"}}},
		{"under its parent", "- [ ] a\n- [ ] b\n", []any{list{say: "- [ ] a\n  - [ ] s\n  - [ ] t\n- [ ] b", file: "- [ ] a\n  - [ ] s\n  - [ ] t\n- [ ] b\n", tell: "added s; added t"}}},
		{"three levels at once", "", []any{list{say: "- [ ] a\n  - [ ] b\n    - [ ] c\n- [ ] d", file: "# Plan\n\n- [ ] a\n  - [ ] b\n    - [ ] c\n- [ ] d\n", tell: "added a; added d; added b; added c"}}},
		{"the list's order, where it changed", "", []any{
			list{say: "[ ] a\n[ ] b\n[ ] c", file: "# Plan\n\n- [ ] a\n- [ ] b\n- [ ] c\n", tell: "added a; added b; added c"},
			list{say: "[ ] c\n[ ] a\n[ ] b", file: "# Plan\n\n- [ ] c\n- [ ] a\n- [ ] b\n"}}},
		{"others' order stays", "", []any{
			list{say: "[ ] a\n[ ] b\n[ ] c", file: "# Plan\n\n- [ ] a\n- [ ] b\n- [ ] c\n", tell: "added a; added b; added c"},
			human{"", "# Plan\n\n- [ ] c\n- [ ] b\n- [ ] a\n"},
			list{say: "[ ] a\n[ ] b\n[ ] c", file: "# Plan\n\n- [ ] c\n- [ ] b\n- [ ] a\n"}}},
		{"moved around another's", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] b", "- [ ] theirs\n- [ ] b"},
			list{say: "[ ] b\n[ ] a", file: "# Plan\n\n- [ ] b\n- [ ] theirs\n- [ ] a\n", tell: "kept theirs"}}},
		{"moved with notes, fences and tables", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a\n", "- [ ] a\n  ```\n  - [ ] code\n\n  ```\n\n  | x |\n  |---|\n"},
			list{say: "[ ] b\n[ ] a", file: "# Plan\n\n- [ ] b\n- [ ] a\n  ```\n  - [ ] code\n\n  ```\n\n  | x |\n  |---|\n"}}},
		{"numbers stay with their places", "", []any{
			human{"", "1. [ ] a\n2. [ ] b\n"},
			list{say: "[ ] a\n[ ] b", with: UpdateOptions{Own: map[string]bool{"a": true, "b": true}}, file: "1. [ ] a\n2. [ ] b\n"},
			list{say: "[ ] b\n[ ] a", file: "1. [ ] b\n2. [ ] a\n"}}},
		{"CRLF and no final newline", "- [ ] a\r\n  n\r\n- [ ] b", []any{
			list{say: "[ ] b\n[ ] a", with: UpdateOptions{Replace: true}, file: "- [ ] b\r\n- [ ] a\r\n  n"}}},
		{"nothing crosses a heading", "", []any{
			list{say: "[ ] a\n[ ] b", file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] b", "\n# Later\n\n- [ ] b"},
			list{say: "[ ] b\n[ ] a", file: "# Plan\n\n- [ ] a\n\n# Later\n\n- [ ] b\n"}}},
		{"nesting moves own items", "", []any{
			list{say: "- [ ] a\n- [ ] b\n- [ ] c", file: "# Plan\n\n- [ ] a\n- [ ] b\n- [ ] c\n", tell: "added a; added b; added c"},
			human{"- [ ] b\n", "- [ ] b\n  ```\n  x\n  ```\n\n  | t |\n  |---|\n"},
			list{say: "- [ ] a\n  - [ ] b\n- [ ] c", file: "# Plan\n\n- [ ] a\n  - [ ] b\n    ```\n    x\n    ```\n\n    | t |\n    |---|\n- [ ] c\n"},
			list{say: `[{"content":"a","items":[]},"b","c"]`, file: "# Plan\n\n- [ ] a\n- [ ] b\n  ```\n  x\n  ```\n\n  | t |\n  |---|\n- [ ] c\n"}}},
		{"new, under what somebody deleted", "", []any{
			list{say: "- [ ] a\n  - [ ] b\n    - [ ] c\n- [ ] z", file: "# Plan\n\n- [ ] a\n  - [ ] b\n    - [ ] c\n- [ ] z\n", tell: "added a; added z; added b; added c"},
			human{"  - [ ] b\n    - [ ] c\n", ""},
			list{say: "- [ ] a\n  - [ ] b\n    - [ ] c\n    - [ ] new\n- [ ] z", file: "# Plan\n\n- [ ] a\n  - [ ] new\n- [ ] z\n", tell: "added new; deleted b; deleted c"},
			human{"- [ ] a\n  - [ ] new\n", ""},
			list{say: "- [ ] a\n  - [ ] b\n    - [ ] c\n    - [ ] new\n    - [ ] newer\n- [ ] z", file: "# Plan\n\n- [ ] newer\n- [ ] z\n",
				tell: "added newer; deleted a; deleted b (before); deleted c (before); deleted new"}}},
		{"a flat list says nothing about nesting", "- [ ] a\n  - [ ] s\n- [ ] b\n", []any{list{say: "[ ] a\n[x] s\n[ ] b", file: "- [ ] a\n  - [x] s\n- [ ] b\n"}}},
		{"no nesting flattened when it is written again", "- [ ] a\n\t- [ ] s\n\t\t- [ ] t\n", []any{list{say: "- [ ] a\n  - [ ] s\n    - [ ] t", file: "- [ ] a\n\t- [ ] s\n\t\t- [ ] t\n"}}},
		{"what Markdown has no way to move stays", "- - [ ] a\n- [ ] b\n", []any{
			list{say: "[ ] a\n[ ] b", with: UpdateOptions{Own: map[string]bool{"a": true, "b": true}}, file: "- - [ ] a\n- [ ] b\n"},
			list{say: "- [ ] b\n  - [ ] a", file: "- - [ ] a\n- [ ] b\n", tell: "unplaced a"}}},
		{"an ordered list can't interrupt text", "", []any{
			human{"", "intro\n1. [ ] a\n2. [ ] b\n"},
			list{say: "[ ] a\n[ ] b", with: UpdateOptions{Own: map[string]bool{"a": true, "b": true}}, file: "intro\n1. [ ] a\n2. [ ] b\n"},
			list{say: "[ ] b", file: "intro\n\n2. [ ] b\n", tell: "removed a"}}},
	})
}

func TestUpdateRules(t *testing.T) {
	many := func(n int) string {
		var lines []string
		for i := range n {
			lines = append(lines, fmt.Sprintf("[ ] item %d", i+1))
		}
		return strings.Join(lines, "\n")
	}
	runUpdates(t, []updateCase{
		{"content", "- [ ] z\n", []any{list{say: `["a","b"," "]`, err: "Item 3: content required"}}},
		{"status", "", []any{list{say: `["a",{"content":"b","status":"doing"}]`,
			err: `Item 2: invalid status "doing" (want pending, in_progress, completed, blocked or cancelled)`}}},
		{"status words", "", []any{list{say: `[{"content":"a","status":"In Progress"},{"content":"b","status":"DONE"},{"content":"c","status":"canceled"},{"content":"d","status":"todo"}]`,
			file: "# Plan\n\n- [>] a\n- [x] b\n- [-] c\n- [ ] d\n", tell: "added a; added b; added c; added d"}}},
		{"one in progress", "", []any{list{say: "[x] z\n[>] A\n[ ] y\n[>] B",
			err: `Only one plan item can be in_progress: item 2 "A", item 4 "B"; set all but one to pending, blocked or completed`}}},
		{"one in progress: what another has does not count", "- [>] theirs\n", []any{list{say: "[>] mine", file: "- [>] theirs\n- [>] mine\n", tell: "added mine; kept theirs"}}},
		{"one in progress: stale ones in the file are in nobody's way", "- [>] a\n- [>] b\n", []any{
			list{say: "[>] a\n[>] b\n[ ] c", file: "- [>] a\n- [>] b\n- [ ] c\n", tell: "added c"}}},
		{"one in progress: an owner counts as the author", "", []any{
			list{say: `[{"content":"a","status":"in_progress","owner":"w1"},{"content":"b","status":"in_progress","owner":"w2"}]`,
				file: "# Plan\n\n- [>] a (owner:: w1)\n- [>] b (owner:: w2)\n", tell: "added a; added b"}}},
		{"one in progress: by the directive none", "<!-- todomd in-progress=0 -->\n", []any{
			list{say: "[>] a\n[>] b", file: "<!-- todomd in-progress=0 -->\n\n- [>] a\n- [>] b\n", tell: "added a; added b"}}},
		{"at most twelve", "", []any{list{say: many(15),
			err: "Keep the session plan short (max 12 items): got 15; merge steps or leave finished ones out"}}},
		{"at most twelve, those of others not counted", "- [ ] item 1\n- [ ] item 2\n- [ ] item 3\n", []any{
			list{say: many(13), file: "- [ ] item 1\n- [ ] item 2\n- [ ] item 3\n- [ ] item 4\n- [ ] item 5\n- [ ] item 6\n- [ ] item 7\n- [ ] item 8\n- [ ] item 9\n- [ ] item 10\n- [ ] item 11\n- [ ] item 12\n- [ ] item 13\n",
				tell: "added item 4; added item 5; added item 6; added item 7; added item 8; added item 9; added item 10; added item 11; added item 12; added item 13"}}},
		{"at most as many as the file says", "<!-- todomd max-items=2 -->\n", []any{list{say: many(3),
			err: "Keep the session plan short (max 2 items): got 3; merge steps or leave finished ones out"}}},
		{"ids are unique", "", []any{list{say: `["x",{"content":"a","id":"login"},"y",{"content":"b","id":"login"}]`,
			err: `Item 4: duplicate id "login" (also item 2); give one of them another id or none`}}},
		{"ids are words", "", []any{list{say: `[{"content":"a","id":"a b"}]`,
			err: `Item 1: invalid id "a b" (want 1 to 64 letters, digits, ".", "_" or "-")`}}},
		{"unknown dependency", "", []any{list{say: `["a","b",{"content":"c","depends_on":["x"]}]`,
			err: `Item 3: unknown dependency "x"; name the id, the number or the whole text of an item`}}},
		{"cycle", "", []any{list{say: `["a",{"content":"b","id":"2","depends_on":["4"]},"c",{"content":"d","id":"4","depends_on":["2"]}]`,
			err: "Dependency cycle: 2 -> 4 -> 2; take one of these dependencies out"}}},
		{"waits", "", []any{list{say: `["z",{"content":"A","id":"a"},"y",{"content":"b","depends_on":["a"],"status":"in_progress"}]`,
			err: `Item 4 waits for item 2 "A"; finish that one first`}}},
		{"waits for what only the file has", "- [ ] #a: A\n", []any{list{say: `[{"content":"b","depends_on":["a"],"status":"in_progress"}]`,
			err: `Item 1 waits for "A"; finish that one first`}}},
		{"what it depends on is finished by the same call", "", []any{list{say: `[{"content":"A","id":"a","status":"completed"},{"content":"b","depends_on":["a"],"status":"in_progress"}]`,
			file: "# Plan\n\n- [x] #a: A\n- [>] b (dependsOn:: a)\n", tell: "added A; added b"}}},
		{"what stands in the file is in nobody's way", "- [ ] #a: a (dependsOn:: b)\n- [>] #b: b (dependsOn:: a)\n- [ ] #b: c (dependsOn:: nope)\n", []any{
			list{say: "[ ] a\n[>] b\n[!] c", file: "- [ ] #a: a (dependsOn:: b)\n- [>] #b: b (dependsOn:: a)\n- [!] #b: c (dependsOn:: nope)\n"}}},
		{"a dependency that somebody deleted is in nobody's way", "", []any{
			list{say: `[{"content":"a","id":"a"},{"content":"b","depends_on":["a"]}]`, file: "# Plan\n\n- [ ] #a: a\n- [ ] b (dependsOn:: a)\n", tell: "added a; added b"},
			human{"- [ ] #a: a\n", ""},
			list{say: `[{"content":"a","id":"a"},{"content":"b","depends_on":["a"]},{"content":"c","depends_on":["a"]}]`,
				file: "# Plan\n\n- [ ] b (dependsOn:: a)\n- [ ] c\n", tell: "added c; deleted a; unmet c (a)"}}},
		{"sub-items are numbered below their parent", "", []any{list{say: `[{"content":"a","items":["b",""]}]`, err: "Item 1.2: content required"}}},
		{"all at once", "", []any{list{say: `["",{"content":"a","status":"doing"},{"content":"b","id":"i","status":"in_progress"},{"content":"c","id":"i","status":"in_progress"}]`,
			err: "Item 1: content required\n" +
				`Item 2: invalid status "doing" (want pending, in_progress, completed, blocked or cancelled)` + "\n" +
				`Item 4: duplicate id "i" (also item 3); give one of them another id or none` + "\n" +
				`Only one plan item can be in_progress: item 3 "b", item 4 "c"; set all but one to pending, blocked or completed`}}},
		{"all at once, dependencies too", "", []any{list{say: `["",{"content":"a","status":"doing"},{"content":"b","depends_on":["x"]},{"content":"c","id":"c","depends_on":["d"]},{"content":"d","id":"d","depends_on":["c"]},{"content":"e","status":"in_progress","depends_on":["c"]}]`,
			err: "Item 1: content required\n" +
				`Item 2: invalid status "doing" (want pending, in_progress, completed, blocked or cancelled)` + "\n" +
				`Item 3: unknown dependency "x"; name the id, the number or the whole text of an item` + "\n" +
				`Item 6 waits for item 4 "c"; finish that one first` + "\n" +
				"Dependency cycle: 4 -> 5 -> 4; take one of these dependencies out"}}},
	})
}

// An edit that repeats what is wrong with an item's dependencies is not refused
// for it, nor is one that adds a sound one.
func TestEditKeepsFaultyDependencies(t *testing.T) {
	p := mustParse(t, "- [ ] #a: a (dependsOn:: nope, b)\n- [ ] #b: b (dependsOn:: a)\n- [ ] #c: c\n")
	c, err := p.Edit(agent, "a", "A (dependsOn:: nope, b, c)")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(c.Plan.src), "- [ ] #a: A (dependsOn:: nope, b, c)\n- [ ] #b: b (dependsOn:: a)\n- [ ] #c: c\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err = c.Plan.Edit(agent, "c", "c (dependsOn:: a, never)")
	const want = "Dependency cycle: 3 -> 1 -> 3; take one of these dependencies out\n" +
		`Item 3: unknown dependency "never"; name the id, the number or the whole text of an item`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %v", err, want)
	}
}

// What is wrong in the file is no fault of a list that repeats it, but the same
// brought by the list is.
func TestUpdateFaultsOfTheFile(t *testing.T) {
	runUpdates(t, []updateCase{
		{"an item without a text", "- [ ]\n- [ ] a\n", []any{
			list{say: `["","a","b"]`, file: "- [ ]\n- [ ] a\n- [ ] b\n", tell: "added b"},
			list{say: `[{"content":"","status":"completed"},"a","b"]`, file: "- [x]\n- [ ] a\n- [ ] b\n"},
			list{say: `["","","a","b"]`, err: "Item 2: content required"},
			human{"- [x]\n", "- [x] their words\n"},
			list{say: `[{"content":"","status":"completed"},"a","b"]`, file: "- [x] their words\n- [ ] a\n- [ ] b\n"},
			list{say: `["",{"content":"","status":"completed"},"a","b"]`, err: "Item 2: content required"}}},
		{"a text taken away by the list", "- [ ] #1: a\n", []any{
			list{say: `[{"id":"1","content":"a"}]`, file: "- [ ] #1: a\n"},
			list{say: `[{"id":"1","content":""}]`, err: "Item 1: content required"}}},
		{"an id twice", "- [ ] #a: x\n- [ ] #a: y\n", []any{
			list{say: `[{"id":"a","content":"x"},{"id":"a","content":"y"},"z"]`, file: "- [ ] #a: x\n- [ ] #a: y\n- [ ] z\n", tell: "added z"},
			list{say: `[{"id":"a","content":"x"},{"id":"a","content":"y"},{"id":"a","content":"z"}]`, err: `Item 3: duplicate id "a" (also item 1); give one of them another id or none`},
			list{say: `[{"id":"a","content":"new"},{"id":"a","content":"x"},{"id":"a","content":"y"}]`, err: `Item 1: duplicate id "a" (also item 2); give one of them another id or none`},
			human{"#a: y", "#b: y"},
			list{say: `[{"id":"a","content":"x"},{"id":"a","content":"y"},"z"]`, file: "- [ ] #a: x\n- [ ] #b: y\n- [ ] z\n"}}},
		{"an id that is none", "- [ ] x (id:: p q)\n", []any{
			list{say: `[{"id":"p q","content":"x"},"y"]`, file: "- [ ] x (id:: p q)\n- [ ] y\n", tell: "added y"},
			list{say: `[{"id":"p q","content":"x"},{"id":"r s","content":"y"}]`, err: `Item 2: invalid id "r s" (want 1 to 64 letters, digits, ".", "_" or "-")`}}},
		{"more in progress than one", "- [>] a\n- [>] b\n", []any{
			list{say: "[>] a\n[>] b", file: "- [>] a\n- [>] b\n"},
			human{"[>] a", "[x] a"},
			list{say: "[>] a\n[>] b\n[ ] c", file: "- [x] a\n- [>] b\n- [ ] c\n", tell: "added c"},
			list{say: "[>] a\n[>] b\n[>] c",
				err: `Only one plan item can be in_progress: item 1 "a", item 2 "b", item 3 "c"; set all but one to pending, blocked or completed`}}},
		{"dependencies, beside a fault of the list", "- [ ] a (dependsOn:: nope)\n- [ ] b (dependsOn:: c)\n- [ ] c (dependsOn:: b)\n- [>] d (dependsOn:: a)\n", []any{
			list{say: `[{"content":"a","depends_on":["nope"]},{"content":"b","depends_on":["c"]},{"content":"c","depends_on":["b"]},{"content":"d","depends_on":["a"],"status":"in_progress"},""]`,
				err: "Item 5: content required"},
			list{say: `[{"content":"a","depends_on":["nope"]},{"content":"b","depends_on":["c"]},{"content":"c","depends_on":["b"]},{"content":"d","depends_on":["a"],"status":"in_progress"}]`,
				file: "- [ ] a (dependsOn:: nope)\n- [ ] b (dependsOn:: c)\n- [ ] c (dependsOn:: b)\n- [>] d (dependsOn:: a)\n"},
			human{"nope", "nowhere"},
			list{say: `[{"content":"a","depends_on":["nope"]},{"content":"b","depends_on":["c"]},{"content":"c","depends_on":["b"]},{"content":"d","depends_on":["a"],"status":"in_progress"},""]`,
				err: "Item 5: content required"}}},
		{"dependencies, with one more by the list", "- [ ] #a: a (dependsOn:: nope, b)\n- [ ] #b: b (dependsOn:: a)\n- [ ] #c: c (dependsOn:: c)\n", []any{
			list{say: `[{"content":"a"},{"content":"b"},{"content":"c"},"d"]`,
				file: "- [ ] #a: a (dependsOn:: nope, b)\n- [ ] #b: b (dependsOn:: a)\n- [ ] #c: c (dependsOn:: c)\n- [ ] d\n", tell: "added d"},
			list{say: `[{"content":"a","depends_on":["nope","b","d"]},{"content":"b"},{"content":"c","depends_on":["c","d"]},"d",""]`, err: "Item 5: content required"},
			list{say: `[{"content":"a","depends_on":["nope","b","d"]},{"content":"b"},{"content":"c","depends_on":["c","d"]},"d"]`,
				file: "- [ ] #a: a (dependsOn:: nope, b, d)\n- [ ] #b: b (dependsOn:: a)\n- [ ] #c: c (dependsOn:: c, d)\n- [ ] d\n"},
			list{say: `[{"content":"a","depends_on":["nope","b","d","never"]},{"content":"b"},{"content":"c","depends_on":["c","d"]},{"content":"d","depends_on":["a"]}]`,
				err: `Item 1: unknown dependency "never"; name the id, the number or the whole text of an item` + "\n" +
					"Dependency cycle: 1 -> 4 -> 1; take one of these dependencies out"}}},
		{"a dependency on one of two of a text, with one more by the list", "- [ ] x\n- [ ] x\n- [ ] a (dependsOn:: x)\n", []any{
			list{say: `["x","x",{"content":"a","depends_on":["x"]},"d"]`, file: "- [ ] x\n- [ ] x\n- [ ] a (dependsOn:: x)\n- [ ] d\n", tell: "added d"},
			list{say: `["x","x",{"content":"a","depends_on":["x","d"]},"d"]`, file: "- [ ] x\n- [ ] x\n- [ ] a (dependsOn:: x, d)\n- [ ] d\n"}}},
		{"texts that look like more", "- [ ] [x] a\n- [ ] #i: #j: b\n", []any{
			list{say: `[{"content":"[x] a","status":"in_progress"},{"content":"#j: b","id":"i"}]`, file: "- [>] [x] a\n- [ ] #i: #j: b\n"},
			human{"[x] a", "c"},
			list{say: `[{"content":"[x] a","status":"in_progress"},{"content":"#j: b","id":"i"}]`, file: "- [>] c\n- [ ] #i: #j: b\n", tell: "kept c; deleted [x] a"}}},
	})
}

func TestUpdateImpossible(t *testing.T) {
	for _, c := range []struct{ name, file, say string }{
		{"add below an open fence", "# P\n```\nx\n", "[ ] a"},
		{"no mark for the status", "<!-- todomd marks=\"!=pending\" -->\n- [ ] a\n", "[!] a"},
		{"number too large", "999999999. [ ] a\n", "[ ] a\n[ ] b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := ReadList([]byte(c.say))
			if err != nil {
				t.Fatal(err)
			}
			p := mustParse(t, c.file)
			if _, err := p.Update(agent, l, UpdateOptions{}); !errors.Is(err, ErrImpossible) {
				t.Errorf("error %v, want ErrImpossible", err)
			}
			if string(p.src) != c.file {
				t.Error("a refused call changed the plan")
			}
		})
	}
}

// TestBlankLinesDoNotPileUp adds and removes an item again and again.
func TestBlankLinesDoNotPileUp(t *testing.T) {
	for _, file := range []string{
		"- [ ] a\n", "- [ ] a\n\n- [ ] b\n", "# P\n\n- [ ] a\n\n# Q\n", "x\n\n1. [ ] a\n\n\n2. [ ] b\n\ny\n", "* [ ] a\r\n\r\n* [ ] b\r\n\r\n",
		"- [ ] a\n  note\n\n  more\n\n- [ ] b", "# P\n\nprose\n",
	} {
		p := mustParse(t, file)
		for range 5 {
			c, err := p.Add(tester, "zzz", Place{})
			if err == nil {
				c, err = c.Plan.Remove(tester, "zzz")
			}
			if err != nil {
				t.Fatal(err)
			}
			p = c.Plan
		}
		if string(p.src) != file {
			t.Errorf("%q became %q", file, p.src)
		}
	}
}

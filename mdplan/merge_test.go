package mdplan

import (
	"context"
	"os"
	"strings"
	"testing"
)

// play does one step of a script on a plan file:
//
//	a1: [x] one | [ ] two    a list of agent a in session 1 ("a1 mirrored:", "a1 replace:")
//	add a1: text             the command, likewise "remove" and "cut"
//	save: text               a human saves the file ("sub: old => new", "rm")
func (d *desk) play(step string) (u Update) {
	d.t.Helper()
	ctx := context.Background()
	what, text, _ := strings.Cut(step, ":")
	text = strings.TrimPrefix(text, " ")
	text = strings.ReplaceAll(text, `\n`, "\n")
	words := strings.Fields(what)
	agent := func(name string) *Session { return d.as(name[:1], name[1:]) }
	do := func(name, via string, refs []string, op func(*Plan, Caller) (*Plan, error)) {
		d.t.Helper()
		if done, err := agent(name).Do(ctx, via, refs, op); err != nil || done.Notice != "" {
			d.t.Fatalf("%s: %v %s", step, err, done.Notice)
		}
	}
	switch words[0] {
	case "save":
		d.save(text)
	case "sub":
		from, to, _ := strings.Cut(text, " => ")
		old := d.read()
		if !strings.Contains(old, from) {
			d.t.Fatalf("%s: not in\n%s", step, old)
		}
		d.save(strings.Replace(old, from, to, 1))
	case "rm":
		if err := os.Remove(d.path); err != nil {
			d.t.Fatal(err)
		}
	case "cut":
		if _, err := agent(words[1]).Recover(ctx); err != nil {
			d.t.Fatal(err)
		}
	case "round":
		d.round(agent(words[1]), RoundOptions{UsedTodo: len(words) > 2})
	case "add":
		do(words[1], "add", nil, func(p *Plan, by Caller) (*Plan, error) {
			c, err := p.Add(by, text, Place{})
			return c.Plan, err
		})
	case "remove":
		do(words[1], "remove", nil, func(p *Plan, by Caller) (*Plan, error) {
			c, err := p.Remove(by, text)
			return c.Plan, err
		})
	case "edit":
		do(words[1], "edit", nil, func(p *Plan, by Caller) (*Plan, error) {
			from, to, _ := strings.Cut(text, " => ")
			c, err := p.Edit(by, from, to)
			return c.Plan, err
		})
	default:
		var o UpdateOptions
		if len(words) > 1 {
			o.Mirrored, o.Replace = words[1] == "mirrored", words[1] == "replace"
		}
		var l List
		if strings.HasPrefix(text, "{") {
			var err error
			if l, err = ReadList([]byte(text)); err != nil {
				d.t.Fatalf("%s: %v", step, err)
			}
		} else {
			l = writtenList(d.t, strings.Split(text, " | ")...)
		}
		var err error
		if u, err = agent(words[0]).Update(ctx, l, o); err != nil || u.Notice != "" {
			d.t.Fatalf("%s: %v %s", step, err, u.Notice)
		}
	}
	return u
}

func outcomes(u Update) string {
	var all []string
	for _, o := range u.Outcomes {
		s := o.Kind + " " + o.Content
		if o.Detail != "" {
			s += " (" + o.Detail + ")"
		}
		all = append(all, s)
	}
	return strings.Join(all, "; ")
}

// TestMergeThroughSessions plays each row of the table of merging, alone and
// with others, where the base comes from the log.
func TestMergeThroughSessions(t *testing.T) {
	const p = "# Plan\n\n"
	for _, tc := range []struct {
		name  string
		steps []string
		want  string // the file
		says  string // the outcomes of the last list
		again string // the file once the last list was said again, "" if that changes nothing
	}{
		{"new", []string{"a1: [ ] a", "a1: [ ] a | [ ] b"}, p + "- [ ] a\n- [ ] b\n", "added b", ""},
		{"left out, own", []string{"a1: [ ] a | [ ] b", "a1: [ ] a"}, p + "- [ ] a\n", "removed b", ""},
		{"left out, own, closed", []string{"a1: [ ] a | [x] b", "a1: [ ] a"}, p + "- [ ] a\n- [x] b\n", "", ""},
		{"left out, reworded by a human", []string{"a1: [ ] a | [ ] write b", "sub: write b => write b2", "a1: [ ] a"},
			p + "- [ ] a\n- [ ] write b2\n", "kept write b2", ""},
		{"left out, noted by a human", []string{"a1: [ ] a | [ ] b", "sub: [ ] b => [ ] b\n  why?", "a1: [ ] a"},
			p + "- [ ] a\n- [ ] b\n  why?\n", "kept b", ""},
		{"left out, with a human's sub-item", []string{"a1: [ ] a | [ ] b", "sub: [ ] b => [ ] b\n  - [ ] c", "a1: [ ] a"},
			p + "- [ ] a\n- [ ] b\n  - [ ] c\n", "kept b; kept c", ""},
		{"left out, started by another agent", []string{"a1: [ ] a | [ ] b", "b1: [>] b", "a1: [ ] a"},
			p + "- [ ] a\n- [>] b\n", "kept b", ""},
		{"left out, another agent's", []string{"a1: [ ] a", "b1: [ ] b", "a1: [ ] a"}, p + "- [ ] a\n- [ ] b\n", "kept b", ""},
		{"left out, another session's", []string{"a1: [ ] a", "a2: [ ] b", "a2: [ ] b"}, p + "- [ ] a\n- [ ] b\n", "kept a (before)", ""},
		{"left out, a human's in the list before", []string{"save: - [ ] h\n", "a1: [ ] h | [ ] a", "a1: [ ] a"},
			"- [ ] h\n- [ ] a\n", "kept h", ""},
		{"deleted by a human", []string{"a1: [ ] a | [ ] b", "sub: - [ ] b\n => ", "a1: [ ] a | [ ] b"}, p + "- [ ] a\n", "deleted b", ""},
		{"deleted, then added again", []string{"a1: [ ] a | [ ] b", "sub: - [ ] b\n => ", "add a1: b", "a1: [ ] a | [x] b"},
			p + "- [ ] a\n- [x] b\n", "", ""},
		{"status of others stays", []string{"a1: [ ] a | [ ] b", "sub: [ ] b => [!] b", "a1: [ ] a | [ ] b"}, p + "- [ ] a\n- [!] b\n", "", ""},
		{"status of the list", []string{"a1: [ ] a", "a1: [x] a"}, p + "- [x] a\n", "", ""},
		{"status of both", []string{"a1: [ ] a", "sub: [ ] a => [!] a", "a1: [>] a"}, p + "- [!] a\n",
			"merged a (status in_progress, the file has blocked)", p + "- [>] a\n"},
		{"status of both, mirrored", []string{"a1 mirrored: [ ] a", "sub: [ ] a => [!] a", "a1 mirrored: [>] a"}, p + "- [!] a\n",
			"merged a (status in_progress, the file has blocked)", ""},
		{"another's closing is not reopened", []string{"a1: [ ] a", "sub: [ ] a => [x] a", "a1: [>] a"}, p + "- [x] a\n",
			"merged a (status in_progress, the file has completed)", ""},
		{"own rename", []string{"a1: [ ] write the test | [ ] b", "a1: [ ] write the tests | [ ] b"},
			p + "- [ ] write the tests\n- [ ] b\n", "renamed write the tests (write the test)", ""},
		{"a human's rename", []string{"a1: [ ] write the test | [ ] b", "sub: the test => the tests", "a1: [>] write the test | [ ] b"},
			p + "- [>] write the tests\n- [ ] b\n", "reworded write the tests (write the test)", ""},
		{"a human's rename is told once", []string{"a1: [ ] write the test | [ ] b", "sub: the test => the tests", "a1: [ ] write the test | [ ] b", "a1: [>] write the test | [ ] b"},
			p + "- [>] write the tests\n- [ ] b\n", "", ""},
		{"a human's rename to quite another text", []string{"a1: [ ] build | [ ] b", "sub: build => Compile", "a1: [x] build | [ ] b"},
			p + "- [ ] Compile\n- [ ] b\n", "kept Compile; deleted build", ""},
		{"renamed by a command", []string{"a1: [ ] build | [ ] b", "edit a1: build => Compile", "a1: [x] build | [ ] b"},
			p + "- [x] Compile\n- [ ] b\n", "reworded Compile (build)", ""},
		{"renamed by commands, the last of them with a mark", []string{"a1: [ ] build | [ ] b", "edit a1: build => Compile", "edit a1: Compile => [>] Link", "a1: [x] build | [ ] b"},
			p + "- [x] Link\n- [ ] b\n", "reworded Link (build)", ""},
		{"renamed by a command to what another has", []string{"a1: [ ] build | [ ] b", "edit a1: build => b", "a1: [x] build | [ ] b"},
			p + "- [x] b\n- [ ] b\n", "reworded b (build)", ""},
		{"renamed by a command, told once", []string{"a1: [ ] build | [ ] b", "edit a1: build => Compile", "a1: [ ] build | [ ] b", "a1: [x] build | [ ] b"},
			p + "- [x] Compile\n- [ ] b\n", "", ""},
		{"renamed by a command, and left out", []string{"a1: [ ] build | [ ] b", "edit a1: build => Compile", "a1: [ ] b"},
			p + "- [ ] b\n", "removed Compile", ""},
		{"renamed by a command, mirrored", []string{"a1 mirrored: [ ] build | [ ] b", "edit a1: build => Compile", "a1 mirrored: [x] build | [ ] b"},
			p + "- [x] Compile\n- [ ] b\n", "reworded Compile (build)", ""},
		{"renamed by another session's command", []string{"a1: [ ] build | [ ] b", "edit a2: build => Compile", "a1: [x] build | [ ] b"},
			p + "- [ ] Compile\n- [ ] b\n", "kept Compile; deleted build", ""},
		{"removed by a command", []string{"a1: [ ] a | [ ] b", "remove a1: a", "a1: [ ] a | [ ] b"}, p + "- [ ] b\n", "dropped a", ""},
		{"removed by a command, told once", []string{"a1: [ ] a | [ ] b", "remove a1: a", "a1: [ ] a | [ ] b", "a1: [x] a | [ ] b"}, p + "- [ ] b\n", "deleted a (before)", ""},
		{"removed by a command, mirrored", []string{"a1 mirrored: [ ] a | [ ] b", "remove a1: a", "a1 mirrored: [ ] a | [ ] b"}, p + "- [ ] b\n", "dropped a", ""},
		{"removed by a command, and something like it added", []string{"a1: [ ] write it | [ ] b", "remove a1: write it", "add a1: write it again", "a1: [ ] write it | [ ] b"},
			p + "- [ ] b\n- [ ] write it again\n", "kept write it again; dropped write it", ""},
		{"removed by a command, and brought back by one", []string{"a1: [ ] a | [ ] b", "remove a1: a", "add a1: a", "sub: - [ ] a\n => ", "a1: [ ] a | [ ] b"},
			p + "- [ ] b\n", "deleted a", ""},
		{"removed by a command, and brought back by a human", []string{"a1: [ ] a | [ ] b", "remove a1: a", "sub: - [ ] b => - [ ] b\n- [ ] a", "add a1: c", "sub: - [ ] a\n => ", "a1: [ ] a | [ ] b | [ ] c"},
			p + "- [ ] b\n- [ ] c\n", "deleted a", ""},
		{"removed by a human's command", []string{"a1: [ ] a | [ ] b", "remove h1: a", "a1: [ ] a | [ ] b"}, p + "- [ ] b\n", "deleted a", ""},
		{"renamed on both sides", []string{"a1: [ ] write the test | [ ] b", "sub: the test => the tests", "a1: [ ] write the test now | [ ] b"},
			p + "- [ ] write the tests\n- [ ] b\n", `merged write the tests (text "write the test now")`, p + "- [ ] write the test now\n- [ ] b\n"},
		{"a human's words are no agent's", []string{"save: - [ ] write the test\n", "a1: [ ] write the test", "a1: [ ] write the tests"},
			"- [ ] write the test\n", `merged write the test (text "write the tests")`, ""},
		{"first list reopens nothing", []string{"save: - [x] h\n", "a1: [ ] h"}, "- [x] h\n", "closed h (completed)", ""},
		{"first list closes", []string{"save: - [ ] h\n", "a1: [x] h"}, "- [x] h\n", "", ""},
		{"duplicates keep their places", []string{"a1: [ ] t | [ ] t | [ ] t", "a1: [x] t | [>] t | [ ] t"},
			p + "- [x] t\n- [>] t\n- [ ] t\n", "", ""},
		{"duplicate left out", []string{"a1: [x] t | [ ] t", "a1: [x] t"}, p + "- [x] t\n", "removed t", ""},
		{"order of the list", []string{"a1: [ ] a | [ ] b | [ ] c", "a1: [ ] c | [ ] a | [ ] b"}, p + "- [ ] c\n- [ ] a\n- [ ] b\n", "", ""},
		{"order of a human stays", []string{"a1: [ ] a | [ ] b", "save: # Plan\n\n- [ ] b\n- [ ] a\n", "a1: [ ] a | [x] b"},
			p + "- [x] b\n- [ ] a\n", "", ""},
		{"new behind what it follows", []string{"a1: [ ] a | [ ] c", "sub: [ ] a => [ ] a\n- [ ] h", "a1: [ ] a | [ ] b | [ ] c"},
			p + "- [ ] a\n- [ ] b\n- [ ] h\n- [ ] c\n", "added b; kept h", ""},
		{"sections stay", []string{"save: # A\n\n- [ ] a\n\n# B\n\n- [ ] b\n", "a1: [ ] b | [ ] a | [ ] c"},
			"# A\n\n- [ ] a\n- [ ] c\n\n# B\n\n- [ ] b\n", "added c", ""},
		{"a flat list says nothing of nesting", []string{`a1: {"items":[{"content":"a","items":[{"content":"b"}]}]}`, "a1: [ ] a | [x] b"},
			p + "- [ ] a\n  - [x] b\n", "", ""},
		{"nesting of the list", []string{"a1: [ ] a | [ ] b", `a1: {"items":[{"content":"a","items":[{"content":"b"}]}]}`},
			p + "- [ ] a\n  - [ ] b\n", "", ""},
		{"notes once", []string{"a1: [ ] a", `a1: {"items":[{"content":"a","notes":"tried"}]}`}, p + "- [ ] a\n  tried\n", "", ""},
		{"two bases", []string{"a1: [ ] a | [ ] b", "a1 mirrored: [ ] a | [ ] b", "a1 mirrored: [ ] a", "a1: [ ] a"}, p + "- [ ] a\n", "", ""},
		{"a command keeps both bases", []string{"a1 mirrored: [ ] a | [ ] b", "add a1: c", "a1 mirrored: [ ] a"},
			p + "- [ ] a\n- [ ] c\n", "removed b; kept c", ""},
		{"cut", []string{"a1: [ ] a | [ ] b", "cut a1", "a1: [ ] a"}, p + "- [ ] a\n- [ ] b\n", "kept b", ""},
		{"cut, then named again", []string{"a1: [ ] a | [ ] b", "cut a1", "a1: [ ] a | [ ] b", "a1: [ ] a"}, p + "- [ ] a\n", "removed b", ""},
		{"cut, then a command", []string{"a1: [ ] a | [ ] b", "cut a1", "add a1: c", "a1: [ ] a"},
			p + "- [ ] a\n- [ ] b\n- [ ] c\n", "kept b; kept c", ""},
		{"cut of an emptied plan", []string{"a1: [ ] a", "save: ", "cut a1", "a1: [ ] a"}, p + "- [ ] a\n", "added a", ""},
		{"in an earlier session", []string{"a1: [ ] a | [ ] b", "a2: [ ] a | [ ] b", "a2: [ ] a"}, p + "- [ ] a\n", "removed b", ""},
		{"another's, named", []string{"b1: [ ] a | [ ] b", "a2: [ ] a | [ ] b", "a2: [ ] a"}, p + "- [ ] a\n- [ ] b\n", "kept b", ""},
		{"kept is named once", []string{"save: - [ ] h\n", "a1: [ ] a", "a1: [x] a"}, "- [ ] h\n- [x] a\n", "kept h (before)", ""},
		{"kept, and one more", []string{"save: - [ ] h\n", "a1: [ ] a", "sub: [ ] h => [ ] h\n- [ ] i", "a1: [x] a"},
			"- [ ] h\n- [ ] i\n- [x] a\n", "kept h (before); kept i", ""},
		{"replace", []string{"save: # H\n\n- [ ] h\n", "a1 replace: [ ] a"}, "# H\n\n- [ ] a\n", "added a; removed h", ""},
		{"missing file", []string{"a1: [ ] a | [ ] b", "rm", "a1: [ ] a"}, p + "- [ ] a\n", "added a", ""},
		{"emptied file", []string{"a1: [ ] a", "save: ", "a1: [ ] a | [ ] b"}, p + "- [ ] b\n", "added b; deleted a", ""},
		{"emptied file, all", []string{"a1: [ ] a", "save: ", "a1: [ ] a"}, "", "deleted a", ""},
		{"retired", []string{"a1: [x] a", "a1: [ ] b"}, p + "- [ ] b\n", "added b; retired a", ""},
		{"retired once more, though a human touched the plan before",
			[]string{"save: - [x] h\n", "a1 replace: [x] a", "a1: [ ] b"}, "- [ ] b\n", "added b; retired a", ""},
		{"not retired, as a human had a hand in it", []string{"a1: [ ] a", "sub: [ ] a => [x] a", "a1: [ ] b"},
			p + "- [x] a\n- [ ] b\n", "added b", ""},
		{"retired, as the save was the agent's", []string{"a1: [ ] a", "round a1", "sub: [ ] a => [x] a", "round a1 used", "a1: [ ] b"},
			p + "- [ ] b\n", "added b; retired a", ""},
		{"own by a command", []string{"a1: [ ] a", "add a1: b", "a1: [ ] a | [ ] b", "a1: [ ] a"}, p + "- [ ] a\n", "removed b", ""},
		{"own by a command, reworded by one", []string{"a1: [ ] a", "add a1: b", "edit a1: b => c", "a1: [ ] a | [ ] c", "a1: [ ] a"},
			p + "- [ ] a\n", "removed c", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(t, "")
			var u Update
			for _, step := range tc.steps {
				u = d.play(step)
			}
			if got := d.read(); got != tc.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.want)
			}
			if got := outcomes(u); got != tc.says {
				t.Errorf("says %q, want %q", got, tc.says)
			}
			want := tc.want
			for range 3 {
				if tc.again != "" {
					want = tc.again
				}
				d.play(tc.steps[len(tc.steps)-1])
				if got := d.read(); got != want {
					t.Fatalf("said again:\n%s\nwant:\n%s", got, want)
				}
			}
		})
	}
}

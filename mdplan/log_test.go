package mdplan

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func (d *desk) logFile() string {
	return filepath.Join(filepath.Dir(d.path), ".todomd", filepath.Base(d.path)+".log")
}

// compact makes the log go through a compaction.
func (d *desk) compact() {
	d.t.Helper()
	at, err := resolve(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	src, err := os.ReadFile(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	j := openJournal(at, d.clock)
	j.sync(src)
	for len(j.h.records) <= maxRecords {
		j.write(record{Kind: kindRound, By: "somebody"})
	}
	j.compact()
	if j.fail != nil || len(j.h.records) > maxRecords {
		d.t.Fatalf("%d records, %v", len(j.h.records), j.fail)
	}
}

func newsOf(r Round) string {
	var all []string
	for _, n := range r.News {
		s := n.By.Name + " " + strings.Join(Lines(n.Changes, 0), "; ")
		if n.Restored != "" {
			s += " (restored)"
		}
		if n.Lost {
			s += " (lost)"
		}
		all = append(all, s)
	}
	return strings.Join(all, " | ")
}

// TestNewsOf plays a script, in which the first round of a1 starts its news,
// and expects what the last one tells.
func TestNewsOf(t *testing.T) {
	for _, tc := range []struct {
		name  string
		steps []string
		used  bool
		want  string
	}{
		{"nothing", nil, false, ""},
		{"a human", []string{"sub: [ ] a => [x] a"}, false, "human [x] a (was pending)"},
		{"own list", []string{"a1: [x] a"}, false, ""},
		{"another session of the agent", []string{"a2: [x] a"}, false, "a [x] a (was pending)"},
		{"in order", []string{"sub: [ ] a => [x] a", "b1: [>] b", "sub: [ ] c => [!] c"}, false,
			"human [x] a (was pending) | b [>] b (was pending) | human [!] c (was pending)"},
		{"undone by the human", []string{"sub: [ ] a => [x] a", "round b1", "sub: [x] a => [ ] a"}, false, ""},
		{"undone by another", []string{"sub: [ ] a => [x] a", "add b1: d", "sub: - [ ] d\n => ", "sub: [x] a => [ ] a"}, false, ""},
		{"the agent's own list is undone", []string{"a1: [x] a", "sub: [x] a => [ ] a"}, false, "human [ ] a (was completed) (restored)"},
		{"the agent's own addition is undone", []string{"add a1: mine", "sub: - [ ] mine\n => "}, false, "human removed [ ] mine (restored)"},
		{"own save, claimed", []string{"sub: [ ] a => [x] a"}, true, ""},
		{"own save removes a human's item", []string{"sub: - [ ] b\n => "}, true, "a removed [ ] b (lost)"},
		{"own save removes an own item", []string{"add a1: mine", "round a1", "sub: - [ ] mine\n => "}, true, "a removed [ ] mine (restored)"},
		{"own save puts an older state back", []string{"sub: [ ] a => [x] a", "round a1", "sub: [x] a => [ ] a"}, true,
			"a [ ] a (was completed) (restored)"},
		{"not claimed, as something else updated the plan", []string{"sub: [ ] a => [x] a", "add b1: d"}, true,
			"human [x] a (was pending) | b added [ ] d"},
		{"renamed by one, closed by another", []string{"sub: [ ] b => [ ] bb", "b1: [x] bb"}, false,
			`human renamed "b" to "bb" | b [x] bb (was pending)`},
		{"a file that could not be read for a while", []string{"sub: [ ] a => [x] a", "round b1", "sub: [ ] b => [ ] b\rx", "round b1", "sub: \rx => "},
			false, "human [x] a (was pending)"},
		{"deleted and made again", []string{"rm", "round b1", "save: - [ ] a\n- [ ] b\n- [ ] c\n"}, false, ""},
		{"text", []string{"sub: - [ ] a => Hurry.\n\n- [ ] a"}, false, "human text outside the items changed"},
	} {
		for _, compact := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, compacted %v", tc.name, compact), func(t *testing.T) {
				d := newDesk(t, "- [ ] a\n- [ ] b\n- [ ] c\n")
				d.round(d.as("a", "1"), RoundOptions{})
				for _, step := range tc.steps {
					d.play(step)
				}
				if compact {
					d.compact()
				}
				if got := newsOf(d.round(d.as("a", "1"), RoundOptions{UsedTodo: tc.used})); got != tc.want {
					t.Errorf("got %s\nwant %s", got, tc.want)
				}
				if got := newsOf(d.round(d.as("a", "1"), RoundOptions{})); got != "" {
					t.Errorf("told twice: %s", got)
				}
			})
		}
	}
}

// What the log knows of an author survives a compaction.
func TestCompactedState(t *testing.T) {
	for _, tc := range []struct {
		name   string
		before []string
		after  string
		want   string
	}{
		{"base", []string{"a1: [ ] a | [ ] b"}, "a1: [ ] a", "- [ ] a\n"},
		{"both bases", []string{"a1 mirrored: [ ] a | [ ] b", "add a1: c"}, "a1 mirrored: [ ] a", "- [ ] a\n- [ ] c\n"},
		{"cut", []string{"a1: [ ] a | [ ] b", "cut a1"}, "a1: [ ] a", "- [ ] a\n- [ ] b\n"},
		{"a claim", []string{"a1: [ ] a", "round a1", "sub: [ ] a => [x] a", "round a1 used"}, "a1: [ ] b", "- [ ] b\n"},
		{"no claim", []string{"a1: [ ] a", "round a1", "sub: [ ] a => [x] a", "round a1"}, "a1: [ ] b", "- [x] a\n- [ ] b\n"},
		{"who is at an item", []string{"a1: [>] a", "b1: [>] b"}, "a1: [x] a | [>] c", "- [x] a\n- [>] c\n- [>] b\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(t, "")
			for _, step := range tc.before {
				d.play(step)
			}
			for range 3 {
				d.compact()
			}
			d.play(tc.after)
			if got := d.read(); got != "# Plan\n\n"+tc.want {
				t.Errorf("got:\n%s", got)
			}
		})
	}
	t.Run("labels", func(t *testing.T) {
		d := newDesk(t, "")
		d.play(`a1: {"items":[{"content":"a","status":"in_progress","active_form":"Doing a"}]}`)
		d.play("a1: [>] a | [ ] b") // says nothing of the label
		d.play("add a1: c")
		d.compact()
		shown, err := d.as("b", "").Show(t.Context(), false)
		if err != nil || !strings.Contains(shown.Plan.Render(RenderOptions{}), "[>] a (Doing a)") {
			t.Errorf("%v\n%s", err, shown.Plan.Render(RenderOptions{}))
		}
	})
}

// A claim counts for the save that it means, and not for an older one of the
// same bytes.
func TestClaimOfBytesThatWereThereBefore(t *testing.T) {
	d := newDesk(t, "- [ ] a\n")
	d.play("round a1")
	d.play("sub: [ ] => [x]")
	d.play("round b1") // sees the human's
	d.play("sub: [x] => [ ]")
	d.play("round a1")
	d.play("sub: [ ] => [x]")
	d.play("round a1 used")
	l, err := Open(d.path).Log()
	if err != nil {
		t.Fatal(err)
	}
	var by []string
	for _, e := range l.Entries {
		if e.Kind == kindPlan {
			by = append(by, e.By)
		}
	}
	if want := []string{"human", "human", "human", "a"}; !slices.Equal(by, want) {
		t.Errorf("by %v, want %v", by, want)
	}
}

// A claim is possible although the tool completed an item in the same round.
func TestClaimBesideDoneWhen(t *testing.T) {
	d := newDesk(t, "- [ ] a\n- [ ] b (doneWhen:: out)\n")
	d.play("round a1")
	d.play("sub: [ ] a => [x] a")
	if err := os.WriteFile(filepath.Join(filepath.Dir(d.path), "out"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	r := d.round(d.as("a", "1"), RoundOptions{UsedTodo: true})
	if got := newsOf(r); got != "todomd [x] b (was pending)" {
		t.Errorf("news: %s", got)
	}
}

func TestMovedNumbersOfEqualTexts(t *testing.T) {
	d := newDesk(t, "- [ ] t\n- [ ] t\n- [ ] u\n")
	agent := d.as("a", "1")
	look := func() {
		t.Helper()
		if _, err := agent.Show(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
	moved := func(ref string) bool {
		var e *MovedError
		return errors.As(d.set(agent, ref, Blocked), &e)
	}
	look()
	d.save("- [x] t\n- [ ] t\n- [ ] t\n- [ ] u\n") // one above
	if !moved("1") || !moved("2") {
		t.Error("a number among equal texts moved, and no call was refused")
	}
	look()
	d.play("add b1: v")
	if moved("1") {
		t.Error("refused, though the number means what it meant")
	}
	// What the log no longer has can't be held against it.
	look()
	for i := range 2 * keptRevisions {
		d.save(fmt.Sprintf("- [ ] t\n- [ ] t\n- [ ] u\n\n%d\n", i))
		d.round(d.as("b", "1"), RoundOptions{})
	}
	if !moved("3") {
		t.Error("a number of a plan that nobody knows any more was taken")
	}
	look()
	if moved("3") {
		t.Error("refused after another look")
	}
}

// A plan that can't be read at the moment: rounds go on and tell it once,
// nothing is lost, and restore gets out of it.
func TestUnreadableForAWhile(t *testing.T) {
	const good = "- [ ] a\n- [ ] b\n"
	for name, bad := range map[string]string{
		"carriage return": "- [ ] a\r- [ ] b\n",
		"too deep":        strings.Repeat("> - ", 200) + "x\n",
		"too large":       "- [ ] a\n" + strings.Repeat("x", MaxSize),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse([]byte(bad)); err == nil {
				t.Skip("can be read")
			}
			d := newDesk(t, good)
			agent := d.as("a", "1")
			d.round(agent, RoundOptions{})
			d.save(bad)
			r := d.round(agent, RoundOptions{})
			if len(r.Problems) != 1 || r.Idle != 2 || !strings.HasPrefix(r.Text, "<plan>The plan file can't be read") || r.Reminded {
				t.Errorf("%+v", r)
			}
			if r = d.round(agent, RoundOptions{}); r.Text != "" || r.Idle != 3 {
				t.Errorf("told twice: %+v", r)
			}
			if _, err := agent.Recover(t.Context()); err == nil {
				t.Error("recover says nothing")
			}
			if _, err := agent.Update(t.Context(), writtenList(t, "[ ] a"), UpdateOptions{}); err == nil {
				t.Error("update says nothing")
			}
			out, err := agent.Restore(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			if got := d.read(); got != good {
				t.Errorf("restored %q", got)
			}
			if name == "too large" {
				if kept, err := os.ReadFile(out.Aside); err != nil || string(kept) != bad {
					t.Errorf("%v, %d bytes kept", err, len(kept))
				}
			} else {
				if _, err := agent.Restore(t.Context(), RevOf([]byte(bad))); err != nil {
					t.Errorf("each revision can be restored: %v", err)
				} else if got := d.read(); got != bad {
					t.Errorf("restored %q", got)
				}
			}
			d.save(good)
			if r = d.round(agent, RoundOptions{}); len(r.Problems) > 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// Each revision that the log has can be restored, byte for byte, also after
// compactions.
func TestRestoreEach(t *testing.T) {
	d := newDesk(t, "")
	agent := d.as("a", "1")
	r := rand.New(rand.NewPCG(1, 2))
	were := map[string]string{}
	for i := range 300 {
		src := "# Plan\n\n"
		for n := range r.IntN(30) {
			src += fmt.Sprintf("- [%c] item %d %s\r\n", " x>!-"[r.IntN(5)], n, strings.Repeat("é", r.IntN(9)))
		}
		if r.IntN(20) == 0 {
			src = ""
		}
		were[RevOf([]byte(src))] = src
		d.save(src)
		if i%3 == 0 {
			d.round(agent, RoundOptions{})
		}
	}
	l, err := Open(d.path).Log()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range l.Entries {
		if e.Kind != kindPlan || seen[e.Rev] {
			continue
		}
		seen[e.Rev] = true
		if _, err := agent.Restore(t.Context(), e.Rev); err != nil {
			t.Fatal(err)
		}
		if got := d.read(); got != were[e.Rev] {
			t.Fatalf("%s: %q, want %q", e.Rev, got, were[e.Rev])
		}
	}
	if len(seen) < 80 {
		t.Errorf("only %d revisions", len(seen))
	}
}

// Lines of a later version are kept as they are, and hide nothing.
func TestLogOfALaterVersion(t *testing.T) {
	d := newDesk(t, "- [ ] a\n")
	agent := d.as("a", "1")
	d.round(agent, RoundOptions{})
	data, err := os.ReadFile(d.logFile())
	if err != nil {
		t.Fatal(err)
	}
	const kind = `{"kind":"vote","time":"2030-01-02T03:04:05Z","by":"a","session":"1","for":{"x":[1,2]}}` + "\n"
	const key = `{"kind":"round","time":"2030-01-02T03:04:05Z","by":"a","session":"1","idle":2,"mood":"fine"}` + "\n"
	if err := os.WriteFile(d.logFile(), append(data, kind+key...), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := d.round(agent, RoundOptions{}); r.Idle != 3 || !r.Reminded {
		t.Errorf("%+v", r)
	}
	at, err := resolve(d.path)
	if err != nil {
		t.Fatal(err)
	}
	j := openJournal(at, d.clock)
	j.sync([]byte(d.read()))
	for range maxRecords {
		j.write(record{Kind: kindDone})
	}
	j.compact()
	if data, err = os.ReadFile(d.logFile()); err != nil || !strings.Contains(string(data), kind) || !strings.Contains(string(data), key) {
		t.Errorf("%v\n%s", err, data)
	}
	l, err := Open(d.path).Log()
	if err != nil || l.Bad != 0 {
		t.Errorf("%v, %d bad", err, l.Bad)
	}
}

// Whatever bytes stand in the log, the plan works, the log can be read, and a
// line that is whole is not taken for another one.
func TestDamagedLog(t *testing.T) {
	d := newDesk(t, "- [ ] a\n- [ ] b\n")
	agent := d.as("a", "1")
	for i := range 8 {
		d.round(agent, RoundOptions{})
		d.play(fmt.Sprintf("a1: [%c] a | [ ] c", " x"[i%2]))
		d.play(fmt.Sprintf("sub: b => %d b", i))
	}
	whole, err := os.ReadFile(d.logFile())
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	n := 300
	if fewer() {
		n = 60
	}
	for i := range n {
		data := slices.Clone(whole)
		for range 1 + r.IntN(3) {
			at := r.IntN(len(data))
			switch r.IntN(4) {
			case 0:
				data = data[:at]
			case 1:
				data[at] = byte(r.IntN(256))
			case 2:
				copy(data[at:], make([]byte, 100))
			case 3:
				data = slices.Delete(data, at, min(at+r.IntN(400), len(data)))
			}
			if len(data) == 0 {
				break
			}
		}
		if err := os.WriteFile(d.logFile(), data, 0o666); err != nil {
			t.Fatal(err)
		}
		before := d.read()
		d.play(fmt.Sprintf("a1: [ ] a | [ ] round %d", i))
		if got := d.read(); !strings.Contains(got, " b\n") || !strings.Contains(got, fmt.Sprintf("round %d", i)) {
			t.Fatalf("%d: from\n%s\nto\n%s", i, before, got)
		}
		d.round(agent, RoundOptions{})
		if _, err := agent.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(d.path).Log(); err != nil {
			t.Fatal(err)
		}
		if after, err := os.ReadFile(d.logFile()); err != nil || after[len(after)-1] != '\n' {
			t.Fatalf("a torn end is left: %v", err)
		}
	}
}

// The state folder may go at any time, be somebody else's, or be no folder.
func TestStateFolderGone(t *testing.T) {
	d := newDesk(t, "")
	state := filepath.Dir(d.logFile())
	d.play("a1: [ ] a | [ ] b")
	if err := os.RemoveAll(state); err != nil {
		t.Fatal(err)
	}
	d.play("a1: [x] a") // a first list again
	if got := d.read(); got != "# Plan\n\n- [x] a\n- [ ] b\n" {
		t.Errorf("got %q", got)
	}
	d.play("round a1")
	// A log that is a link or a pipe is not followed, and said.
	if err := os.Remove(d.logFile()); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(elsewhere, []byte("mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, d.logFile()); err != nil {
		t.Skip(err)
	}
	u, err := d.as("a", "1").Update(t.Context(), writtenList(t, "[ ] c"), UpdateOptions{})
	if err != nil || u.Notice == "" {
		t.Errorf("%v %+v", err, u)
	}
	if r, err := d.as("a", "1").Round(t.Context(), RoundOptions{}); err != nil || r.Notice == "" {
		t.Errorf("%v %+v", err, r)
	}
	if src, err := os.ReadFile(elsewhere); err != nil || string(src) != "mine\n" {
		t.Errorf("a link was followed: %q %v", src, err)
	}
}

// A writer that was killed leaves its bytes, which are not lost where the log
// can't take them.
func TestKeptWithoutALog(t *testing.T) {
	d := newDesk(t, "- [ ] a\n")
	d.play("round a1")
	at, err := resolve(d.path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at.temp, []byte("- [ ] precious\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(at.log); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at.log, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := d.set(d.as("a", "1"), "a", Completed); err != nil {
		t.Fatal(err)
	}
	if src, err := os.ReadFile(at.lost); err != nil || string(src) != "- [ ] precious\n" {
		t.Errorf("%q %v", src, err)
	}
}

// A writer killed at each step of a write: the next one knows what came about,
// whether or not an editor has saved in between, and a list counts with its
// revision only.
func TestKilledAtEachStep(t *testing.T) {
	for _, at := range []step{stepRead, stepWritten, stepChecked, stepExchanged} {
		for _, editor := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, editor %v", at, editor), func(t *testing.T) {
				d := newDesk(t, "# P\n\n- [ ] h\n")
				d.play("round b1")
				cmd := child("die", d.path, string(at))
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				wait(cmd)
				came := strings.Contains(d.read(), "mine")
				if editor {
					d.play("sub: # P => # Q")
				}
				news := newsOf(d.round(d.as("b", "1"), RoundOptions{}))
				want := []string{}
				if came {
					want = append(want, "a added [ ] mine")
				}
				if editor {
					want = append(want, "human text outside the items changed")
				}
				if news != strings.Join(want, " | ") {
					t.Errorf("news %q, want %q", news, want)
				}
				// The item is the agent's own: a list without it takes it out.
				d.play("a1: [ ] other")
				if strings.Contains(d.read(), "mine") {
					t.Errorf("the killed writer's item is nobody's:\n%s", d.read())
				}
			})
		}
	}
}

// An editor's saves forced into each step of an update: each change has its
// author, and none is lost.
func TestEditorSavesDuringAnUpdate(t *testing.T) {
	for _, at := range []step{stepRead, stepWritten, stepChecked, stepExchanged} {
		for _, times := range []int{1, 3, maxTries + 5} {
			t.Run(fmt.Sprintf("%s %d", at, times), func(t *testing.T) {
				d := newDesk(t, "- [ ] h\n")
				d.play("round b1")
				s := d.as("a", "1")
				saves := 0
				s.store.pause = func(now step) {
					if now == at && saves < times {
						saves++
						temp := d.path + "~"
						if err := os.WriteFile(temp, []byte(d.read()+fmt.Sprintf("- [ ] save %d\n", saves)), 0o644); err != nil {
							t.Fatal(err)
						}
						if err := os.Rename(temp, d.path); err != nil {
							t.Fatal(err)
						}
					}
				}
				u, err := s.Update(t.Context(), writtenList(t, "[ ] mine"), UpdateOptions{})
				if u.Notice != "" || err != nil && !errors.Is(err, ErrChanging) {
					t.Fatalf("%v %s", err, u.Notice)
				}
				got := d.read()
				if strings.Contains(got, "mine") != (err == nil) {
					t.Errorf("%v, but the file is\n%s", err, got)
				}
				var human, agent []string
				for _, n := range d.round(d.as("b", "1"), RoundOptions{}).News {
					for _, c := range n.Changes {
						if n.By.IsHuman() {
							human = append(human, c.Content)
						} else {
							agent = append(agent, c.Content)
						}
						if c.Op != OpAdded {
							t.Errorf("%s: %s", n.By.Name, c)
						}
					}
				}
				slices.Sort(human)
				for _, c := range human {
					if c == "mine" {
						t.Error("the agent's item is told as the human's")
					}
				}
				if err == nil && !slices.Equal(agent, []string{"mine"}) || err != nil && len(agent) > 0 {
					t.Errorf("the agent's: %v (%v)", agent, err)
				}
				for i := range saves {
					if text := fmt.Sprintf("save %d", i+1); strings.Contains(got, text+"\n") && !slices.Contains(human, text) {
						t.Errorf("%s was not told", text)
					}
				}
				if !strings.Contains(got, fmt.Sprintf("save %d\n", saves)) {
					t.Errorf("the last save is lost:\n%s", got)
				}
			})
		}
	}
}

func init() {
	// Dies in the middle of an update.
	children["die"] = func(args []string) error {
		s := Open(args[0]).Session(Caller{Author: Author{"a", "1"}})
		s.store.pause = func(now step) {
			if string(now) == args[1] {
				p, _ := os.FindProcess(os.Getpid())
				_ = p.Kill()
				select {}
			}
		}
		l, err := ReadList([]byte("- [ ] mine"))
		if err != nil {
			return err
		}
		_, err = s.Update(context.Background(), l, UpdateOptions{})
		return err
	}
	// Closes rounds.
	children["rounds"] = func(args []string) error {
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		s := Open(args[0]).Session(Caller{Author: Author{args[1], ""}})
		for i := range n {
			r, err := s.Round(context.Background(), RoundOptions{})
			if err != nil {
				return err
			}
			if r.Idle != i+1 || r.Notice != "" {
				return fmt.Errorf("round %d: idle %d %s", i+1, r.Idle, r.Notice)
			}
		}
		return nil
	}
	// Updates and closes rounds until it is killed, and prints what is done.
	children["agent"] = func(args []string) error {
		name, first := args[1], args[2]
		s := Open(args[0]).Session(Caller{Author: Author{name, first}})
		for i := 0; ; i++ {
			text := fmt.Sprintf("%s %s %d", name, first, i)
			l, err := ReadList([]byte("- [x] " + text))
			if err != nil {
				return err
			}
			if _, err := s.Update(context.Background(), l, UpdateOptions{}); err != nil {
				return err
			}
			fmt.Println(text)
			r, err := s.Round(context.Background(), RoundOptions{})
			if err != nil {
				return err
			}
			for _, n := range r.News {
				if n.By.IsHuman() {
					return fmt.Errorf("told as a human's: %v", n)
				}
			}
		}
	}
}

// Two processes that close rounds at once: each is counted.
func TestProcessesThatCloseRounds(t *testing.T) {
	n := 500
	if fewer() {
		n = 60
	}
	d := newDesk(t, "- [ ] a\n")
	one, two := child("rounds", d.path, "one", strconv.Itoa(n)), child("rounds", d.path, "two", strconv.Itoa(n))
	for _, cmd := range []interface{ Start() error }{one, two} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{first(wait(one)), first(wait(two))} {
		if text != "" {
			t.Error(text)
		}
	}
	for _, name := range []string{"one", "two"} {
		if r := d.round(d.as(name, ""), RoundOptions{}); r.Idle != n+1 {
			t.Errorf("%s: idle %d, want %d", name, r.Idle, n+1)
		}
	}
}

func first(text string, _ bool) string { return text }

// Agents that are killed at any moment, two at a time. Nobody but they writes,
// so nothing may be told as a human's; what they were told is done stays; the
// log can be read and stays small.
func TestKilledAgents(t *testing.T) {
	kills := 1000
	if fewer() {
		kills = 40
	}
	const enough = 35 * time.Second // a busy machine gets fewer
	d := newDesk(t, "")
	d.play("c1: [ ] never closed")
	begin := time.Now()
	var turn sync.RWMutex // who writes checks that nobody is at the plan
	var killed, done atomic.Int64
	kill := func(name string, r *rand.Rand) {
		turn.RLock()
		defer turn.RUnlock()
		cmd := child("agent", d.path, name, strconv.FormatInt(killed.Add(1), 10))
		pipe, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Error(err)
			return
		}
		out := bufio.NewReader(pipe)
		said := ""
		if r.IntN(4) > 0 { // else it may not even have begun
			said, _ = out.ReadString('\n')
		}
		time.Sleep(time.Duration(r.IntN(20_000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		rest, _ := io.ReadAll(out)
		if text, _ := wait(cmd); !strings.Contains(text, "killed") && os.PathSeparator == '/' {
			t.Errorf("agent: %s", text)
		}
		src, err := os.ReadFile(d.path)
		if err != nil {
			t.Error(err)
		}
		for text := range strings.Lines(said + string(rest)) {
			done.Add(1)
			if !strings.Contains(string(src), "- [x] "+text) { // what is closed is never left out
				t.Errorf("%q was acknowledged, and is lost", text)
			}
		}
	}
	check := func() {
		turn.Lock()
		defer turn.Unlock()
		l, err := Open(d.path).Log()
		if err != nil || l.Bad > 0 {
			t.Errorf("%v, %d bad lines", err, l.Bad)
		}
		for _, e := range l.Entries {
			if e.Kind == kindPlan && e.By == HumanName {
				t.Errorf("told as a human's: %s", e)
			}
		}
		if info, err := os.Stat(d.logFile()); err != nil || info.Size() > 2*maxLogSize {
			t.Errorf("%v %v", info, err)
		}
		d.play("c1 replace: [ ] never closed") // keeps the plan small
	}
	var killers sync.WaitGroup
	for i, name := range []string{"a", "b"} {
		killers.Go(func() {
			r := rand.New(rand.NewPCG(5, uint64(i)))
			for n := range kills / 2 {
				if time.Since(begin) > enough || t.Failed() {
					return
				}
				kill(name, r)
				if n%20 == 19 {
					check()
				}
			}
		})
	}
	killers.Wait()
	check()
	t.Logf("%d kills, %d acknowledged lists", killed.Load(), done.Load())
}

// What is after a damaged line is found from the file backwards.
func TestRestoreBehindADamagedLine(t *testing.T) {
	d := newDesk(t, "- [ ] a\n- [ ] b\n- [ ] c\n")
	var were []string
	for _, step := range []string{"round b1", "b1: [x] a", "b1: [x] b", "sub: [ ] c => [!] c", "round b1"} {
		d.play(step)
		were = append(were, d.read())
	}
	data, err := os.ReadFile(d.logFile())
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "\n")
	if err := os.WriteFile(d.logFile(), []byte("damaged\n"+rest), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, want := range were[1:] {
		if _, err := d.as("b", "1").Restore(t.Context(), RevOf([]byte(want))); err != nil {
			t.Error(err)
		}
		if got := d.read(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package mdplan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// desk is a plan file in a folder of its own, with sessions on it.
type desk struct {
	t     testing.TB
	path  string
	clock time.Time
}

func newDesk(t testing.TB, src string) *desk {
	d := &desk{t: t, path: filepath.Join(t.TempDir(), "todo.md"), clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	if src != "" {
		d.save(src)
	}
	return d
}

func (d *desk) save(src string) {
	d.t.Helper()
	if err := os.WriteFile(d.path, []byte(src), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) read() string {
	d.t.Helper()
	src, err := os.ReadFile(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(src)
}

func (d *desk) as(name, session string) *Session {
	return d.with(Caller{Author: Author{name, session}})
}

func (d *desk) with(by Caller) *Session {
	s := Open(d.path).Session(by)
	s.now = func() time.Time {
		d.clock = d.clock.Add(time.Second)
		return d.clock
	}
	return s
}

// writtenList reads a list in short: "[x] a; [>] b (doing b)".
func writtenList(t testing.TB, items ...string) List {
	t.Helper()
	l, err := ReadList([]byte("- " + strings.Join(items, "\n- ")))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (d *desk) update(s *Session, items ...string) Update {
	d.t.Helper()
	u, err := s.Update(context.Background(), writtenList(d.t, items...), UpdateOptions{})
	if err != nil || u.Notice != "" {
		d.t.Fatalf("update: %v %s", err, u.Notice)
	}
	return u
}

func (d *desk) round(s *Session, o RoundOptions) Round {
	d.t.Helper()
	r, err := s.Round(context.Background(), o)
	if err != nil || r.Notice != "" {
		d.t.Fatalf("round: %v %s", err, r.Notice)
	}
	return r
}

func (d *desk) set(s *Session, ref string, status Status) error {
	_, err := s.Do(context.Background(), string(status), []string{ref}, func(p *Plan, by Caller) (*Plan, error) {
		c, err := p.SetStatus(by, ref, status)
		return c.Plan, err
	})
	return err
}

// TestReminderRhythm runs a script of what happens in each round and expects
// the rounds at which a reminder comes.
func TestReminderRhythm(t *testing.T) {
	idle := func(n int) []string { return make([]string, n) }
	after := func(first string, n int) []string { return append([]string{first}, idle(n)...) }
	for _, tc := range []struct {
		name   string
		plan   string
		rounds []string // what the agent or somebody else does before each round's end
		by     Settings
		want   []int
	}{
		{name: "default", rounds: after("update", 25), want: []int{4, 7, 13, 25}},
		{name: "never updated", plan: "- [ ] a\n", rounds: idle(7), want: []int{3, 6}},
		{name: "no plan", rounds: idle(7)},
		{name: "finished", plan: "- [x] a\n", rounds: idle(7)},
		{name: "empty", plan: "# Plan\n", rounds: idle(7)},
		{name: "blocked only", plan: "- [!] a\n- [x] b\n", rounds: idle(7)},
		{name: "identical list counts", rounds: []string{"update", "", "", "update", "", "", ""}, want: []int{7}},
		{name: "refused does not", rounds: []string{"update", "", "refused", "", ""}, want: []int{4}},
		{name: "another's edit does not", rounds: []string{"update", "", "human", ""}, want: []int{4}},
		{name: "another agent's update does not", rounds: []string{"update", "", "other", ""}, want: []int{4}},
		{name: "another session's does not", rounds: []string{"update", "", "session", ""}, want: []int{4}},
		{name: "show does not", rounds: []string{"update", "", "show", ""}, want: []int{4}},
		{name: "a command counts", rounds: []string{"update", "", "", "done", "", "", ""}, want: []int{7}},
		{name: "own edit claimed", rounds: []string{"update", "", "", "claimed", "", "", ""}, want: []int{7}},
		{name: "claim after a refusal", rounds: []string{"update", "", "", "refused claimed"}, want: []int{4}},
		{name: "other agent's rounds between", rounds: []string{"update", "", "other round", "", ""}, want: []int{4}},
		{name: "after 2", rounds: after("update", 8), by: set("remind-after", "2"), want: []int{3, 5, 9}},
		{name: "every 1", rounds: after("update", 5), by: set("remind-every", "1"), want: []int{4, 5, 6}},
		{name: "every 2", rounds: after("update", 7), by: set("remind-every", "2"), want: []int{4, 6, 8}},
		{name: "never", rounds: after("update", 8), by: set("remind-after", "0")},
		{name: "directive", plan: "<!-- todomd remind-after=1 -->\n\n- [ ] a\n", rounds: idle(4), want: []int{1, 2, 4}},
		{name: "caller over directive", plan: "<!-- todomd remind-after=1 -->\n\n- [ ] a\n", rounds: idle(4),
			by: set("remind-after", "3"), want: []int{3}},
		{name: "directive says never", plan: "<!-- todomd remind-after=0 -->\n\n- [ ] a\n", rounds: idle(4)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(t, tc.plan)
			agent := d.with(Caller{Author: Author{"agent", "1"}, Settings: tc.by})
			var got []int
			for i, what := range tc.rounds {
				used := false
				switch what {
				case "update":
					d.update(agent, "[>] a", "[ ] b")
				case "refused", "refused claimed":
					if _, err := agent.Update(context.Background(), writtenList(t, "[>] a", "[>] b"), UpdateOptions{}); err == nil {
						t.Fatal("two items in progress were taken")
					}
					used = what != "refused"
				case "human":
					d.save(d.read() + "- [ ] human\n")
				case "other":
					d.update(d.as("other", ""), "[ ] c")
				case "session":
					d.update(d.as("agent", "2"), "[ ] c")
				case "show":
					if _, err := agent.Show(context.Background(), false); err != nil {
						t.Fatal(err)
					}
				case "done":
					if err := d.set(agent, "b", Completed); err != nil {
						t.Fatal(err)
					}
				case "claimed":
					d.save(strings.Replace(d.read(), "[ ] b", "[x] b", 1))
					used = true
				case "other round":
					d.round(d.as("other", ""), RoundOptions{})
				}
				if d.round(agent, RoundOptions{UsedTodo: used}).Reminded {
					got = append(got, i+1)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(tc.want) {
				t.Errorf("reminded at %v, want %v", got, tc.want)
			}
		})
	}
}

func set(name, value string) Settings {
	var s Settings
	if err := s.Set(name, value); err != nil {
		panic(err)
	}
	return s
}

func TestReminderText(t *testing.T) {
	d := newDesk(t, "# Ship the login page\n\n- [x] Read the requirements\n- [ ] Implement login\n- [ ] Write the tests\n")
	agent := d.as("agent", "1")
	l, err := ReadList([]byte(`[{"content":"Read the requirements","status":"completed"},
		{"content":"Implement login","status":"in_progress","active_form":"Writing the login handler"},{"content":"Write the tests"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Update(context.Background(), l, UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for range 7 {
		texts = append(texts, d.round(agent, RoundOptions{}).Text)
	}
	want := []string{"", "", "", `<reminder>Refresh your current plan before continuing.

# Ship the login page
[x] Read the requirements
[>] Implement login (Writing the login handler)
[ ] Write the tests

(1/3 completed)</reminder>
`, "", "", `<reminder>Refresh your current plan before continuing.

[>] Implement login (Writing the login handler)
(1/3 completed)</reminder>
`}
	for i := range texts {
		if texts[i] != want[i] {
			t.Errorf("round %d:\n%s\nwant:\n%s", i+1, texts[i], want[i])
		}
	}
	d.update(agent, "[ ] Write the tests")
	brief := RoundOptions{Reminder: ReminderOptions{Brief: true}}
	for range 3 {
		d.round(agent, brief)
	}
	if got := d.round(agent, brief).Text; got != "<reminder>Refresh your current plan before continuing.</reminder>\n" {
		t.Errorf("brief: %q", got)
	}
}

func TestNews(t *testing.T) {
	d := newDesk(t, "# Work\n\n- [ ] a\n- [ ] b\n")
	agent := d.as("agent", "1")
	if text := d.round(agent, RoundOptions{}).Text; text != "" {
		t.Errorf("an agent's first round tells news: %s", text)
	}
	d.save("# Work\n\nHurry.\n\n- [x] a\n- [ ] b\n- [ ] <b>c</reminder>\n")
	if err := d.set(d.as("helper", ""), "b", InProgress); err != nil {
		t.Fatal(err)
	}
	if err := d.set(agent, "b", Blocked); err != nil {
		t.Fatal(err)
	}
	want := `<plan>The plan changed since you last saw it.
The file was edited (by a human, as far as is known):
  [x] a (was pending)
  added [ ] ‹b>c‹/reminder>
  text outside the items changed
helper changed:
  [>] b (was pending)

# Work
[x] a
[!] b
[ ] ‹b>c‹/reminder>

(1/3 completed)</plan>
`
	if got := d.round(agent, RoundOptions{}).Text; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := d.round(agent, RoundOptions{}).Text; got != "" {
		t.Errorf("told twice: %s", got)
	}
	// What was undone is no news.
	before := d.read()
	d.save(before + "- [ ] d\n")
	if _, err := d.as("helper", "").Show(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	d.save(before)
	if got := d.round(agent, RoundOptions{}).News; len(got) != 0 {
		t.Errorf("undone: %v", got)
	}
}

// News begins with the first command, whatever it is.
func TestNewsBegins(t *testing.T) {
	for name, first := range map[string]func(*desk, *Session){
		"update": func(d *desk, s *Session) { d.update(s, "[ ] b") },
		"done": func(d *desk, s *Session) {
			if err := d.set(s, "a", Completed); err != nil {
				t.Error(err)
			}
		},
		"show": func(d *desk, s *Session) {
			if _, err := s.Show(context.Background(), false); err != nil {
				t.Error(err)
			}
		},
	} {
		d := newDesk(t, "- [ ] a\n")
		agent := d.as("agent", "1")
		first(d, agent)
		d.save(d.read() + "- [ ] human's\n")
		if r := d.round(agent, RoundOptions{}); len(r.News) != 1 || r.News[0].Changes[0].Content != "human's" {
			t.Errorf("after %s: %+v", name, r.News)
		}
	}
}

// An agent's own edit of the file is not told back, but what it took out of
// others' is.
func TestOwnFileEdit(t *testing.T) {
	d := newDesk(t, "- [ ] human's\n")
	agent := d.as("agent", "1")
	d.update(agent, "[>] mine", "[ ] mine too")
	d.round(agent, RoundOptions{})
	d.save("- [x] mine\n- [ ] new\n")
	r := d.round(agent, RoundOptions{UsedTodo: true})
	if r.Idle != 0 {
		t.Errorf("idle %d after the agent's own edit", r.Idle)
	}
	if len(r.News) != 1 || !r.News[0].Lost || len(r.News[0].Changes) != 1 || r.News[0].Changes[0].Content != "human's" {
		t.Fatalf("news: %+v", r.News)
	}
	if !strings.Contains(r.Text, "todomd restore") {
		t.Errorf("no way back in: %s", r.Text)
	}
}

func TestUpdateKeepsOthers(t *testing.T) {
	d := newDesk(t, "")
	agent := d.as("agent", "1")
	d.update(agent, "[>] a", "[ ] b", "[ ] c")
	d.save(d.read() + "- [ ] human's\n")
	u := d.update(agent, "[x] a", "[>] c")
	want := "# Plan\n\n- [x] a\n- [>] c\n- [ ] human's\n"
	if got := d.read(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	var kinds []string
	for _, o := range u.Outcomes {
		kinds = append(kinds, o.Kind+" "+o.Content)
	}
	if got := strings.Join(kinds, "; "); got != "removed b; kept human's" {
		t.Errorf("outcomes: %s", got)
	}
	// A cut context makes the next list a first list.
	if _, err := agent.Recover(context.Background()); err != nil {
		t.Fatal(err)
	}
	d.update(agent, "[>] c")
	if got := d.read(); got != want {
		t.Errorf("after a cut:\n%s", got)
	}
}

// What an author changes by a command is nobody else's: an item that they have
// started, noted or renamed so goes with their next list all the same.
func TestOwnCommands(t *testing.T) {
	ctx := context.Background()
	for name, op := range map[string]func(*Plan, Caller) (Change, error){
		"start": func(p *Plan, by Caller) (Change, error) { return p.SetStatus(by, "item b", InProgress) },
		"note":  func(p *Plan, by Caller) (Change, error) { return p.Note(by, "item b", "failed") },
		"edit":  func(p *Plan, by Caller) (Change, error) { return p.Edit(by, "item b", "item bb") },
	} {
		for _, other := range []bool{false, true} {
			d := newDesk(t, "")
			agent := d.as("agent", "1")
			d.update(agent, "[ ] item a", "[ ] item b")
			who := agent
			if other {
				who = d.as("helper", "")
			}
			_, err := who.Do(ctx, name, nil, func(p *Plan, by Caller) (*Plan, error) {
				c, err := op(p, by)
				return c.Plan, err
			})
			if err != nil {
				t.Fatal(err)
			}
			d.update(agent, "[ ] item a")
			if stays := strings.Contains(d.read(), " item b"); stays != other {
				t.Errorf("%s by another: %v, stays: %v\n%s", name, other, stays, d.read())
			}
		}
	}
}

// What stays since something depends on it is named once in a session, then
// counted, like everything else that a list leaves out.
func TestNeededIsNamedOnce(t *testing.T) {
	d := newDesk(t, "")
	agent := d.as("agent", "1")
	d.update(agent, "[ ] wash", "[ ] iron", "[ ] before (dependsOn:: wash)")
	for i, want := range []string{
		"needed wash (before)",
		"kept wash (before)",
		"added fold; needed iron (fold); kept wash (before)",
	} {
		items := []string{"[ ] iron", "[ ] before"}
		if i == 2 {
			items = []string{"[ ] before", "[ ] fold (dependsOn:: iron)"}
		}
		if got := told(d.update(agent, items...).Outcomes); got != want {
			t.Errorf("list %d told %s, want %s", i+1, got, want)
		}
	}
}

func TestRetire(t *testing.T) {
	d := newDesk(t, "")
	agent := d.as("agent", "1")
	d.update(agent, "[x] a", "[x] b")
	d.update(agent, "[>] new work")
	if got := d.read(); got != "# Plan\n\n- [>] new work\n" {
		t.Errorf("a finished plan of agents stays:\n%s", got)
	}
	d.save("# Plan\n\n- [x] new work\n")
	d.update(agent, "[>] more work")
	if got := d.read(); got != "# Plan\n\n- [x] new work\n- [>] more work\n" {
		t.Errorf("a plan that a human touched is retired:\n%s", got)
	}
}

func TestMovedNumbers(t *testing.T) {
	d := newDesk(t, "- [ ] a\n- [ ] b\n")
	agent := d.as("agent", "1")
	if _, err := agent.Show(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	d.save("- [ ] first\n- [ ] a\n- [ ] b\n")
	err := d.set(agent, "2", Completed)
	if _, ok := err.(*MovedError); !ok {
		t.Fatalf("a number that moved: %v", err)
	}
	if err := d.set(agent, "b", Completed); err != nil {
		t.Errorf("by text: %v", err)
	}
	if _, err := agent.Show(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	if err := d.set(agent, "2", Completed); err != nil {
		t.Errorf("after another look: %v", err)
	}
}

func TestRestore(t *testing.T) {
	d := newDesk(t, "\xef\xbb\xbf- [ ] a\r\n- [ ] b")
	agent := d.as("agent", "1")
	first := d.read()
	if err := d.set(agent, "a", Completed); err != nil {
		t.Fatal(err)
	}
	second := d.read()
	restore := func(rev string) {
		t.Helper()
		if _, err := agent.Restore(context.Background(), rev); err != nil {
			t.Fatal(err)
		}
	}
	restore("")
	if d.read() != first {
		t.Errorf("restore does not take back the last change: %q", d.read())
	}
	restore("")
	if d.read() != second {
		t.Errorf("restore twice does not bring it again: %q", d.read())
	}
	if err := os.Remove(d.path); err != nil {
		t.Fatal(err)
	}
	restore("")
	if d.read() != second {
		t.Errorf("a deleted file: %q", d.read())
	}
	d.save("")
	d.round(agent, RoundOptions{})
	restore("")
	if d.read() != second {
		t.Errorf("an emptied file: %q", d.read())
	}
	restore(RevOf([]byte(first))[:5])
	if d.read() != first {
		t.Errorf("by revision: %q", d.read())
	}
}

// A session says what it has written, and nothing of what it has not.
func TestWritten(t *testing.T) {
	d := newDesk(t, "- [ ] a\n- [ ] b (doneWhen:: todo.md)\n")
	agent, ctx := d.as("agent", "1"), context.Background()
	status := func(ref string, s Status) func() (Written, error) {
		return func() (Written, error) {
			return agent.Do(ctx, "status", []string{ref}, func(p *Plan, by Caller) (*Plan, error) {
				c, err := p.SetStatus(by, ref, s)
				return c.Plan, err
			})
		}
	}
	for _, test := range []struct {
		name string
		do   func() (Written, error)
		want string // the changes; "-" for an error
	}{
		{"a change", status("a", Completed), "[x] a (was pending)"},
		{"no change", status("a", Completed), ""},
		{"no item", status("c", Completed), "-"},
		{"another text", func() (Written, error) {
			return agent.Do(ctx, "edit", []string{"a"}, func(p *Plan, by Caller) (*Plan, error) {
				c, err := p.Edit(by, "a", "z")
				return c.Plan, err
			})
		}, `renamed "a" to "z"`},
		{"a restore", func() (Written, error) { return agent.Restore(ctx, "") }, "removed [x] z\nadded [x] a"},
		{"a restore of what is there", func() (Written, error) { return agent.Restore(ctx, RevOf([]byte(d.read()))) }, ""},
		{"no revision", func() (Written, error) { return agent.Restore(ctx, "none") }, "-"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.do()
			if test.want == "-" {
				if err == nil || got.Plan != nil || got.Changes != nil {
					t.Errorf("%+v, %v", got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if src := string(got.Plan.Bytes()); src != d.read() || got.Notice != "" {
				t.Errorf("plan %q, notice %q", src, got.Notice)
			}
			if changes := strings.Join(Lines(got.Changes, 0), "\n"); changes != test.want {
				t.Errorf("changed %q, want %q", changes, test.want)
			}
		})
	}
	next, err := agent.Next(ctx)
	if err != nil || !next.Exists || len(next.Items) != 0 || len(next.Completed) != 1 || next.Completed[0].Status != Pending {
		t.Errorf("next: %+v %v", next, err)
	}
	if got := string(next.Plan.Bytes()); got != d.read() || !strings.Contains(got, "[x] b") {
		t.Errorf("next gives the plan %q", got)
	}
	if next, err := newDesk(t, "").as("agent", "1").Next(ctx); err != nil || next.Exists || next.Plan == nil || next.Items == nil {
		t.Errorf("without a plan: %+v %v", next, err)
	}
}

func TestRecover(t *testing.T) {
	d := newDesk(t, "# Ship it\n\n- [x] a\n- [ ] b\n  tried: failed\n- [ ] c\n")
	agent := d.as("agent", "1")
	d.update(agent, "[x] a", "[>] b", "[ ] c")
	d.round(agent, RoundOptions{})
	d.round(agent, RoundOptions{})
	d.save(strings.Replace(d.read(), "[ ] c", "[ ] c\n- [ ] d", 1))
	if _, err := agent.Update(context.Background(), writtenList(t, "[>] b", "[>] c"), UpdateOptions{}); err == nil {
		t.Fatal("not refused")
	}
	recovered, err := agent.Recover(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := `State of the plan, no new order:

# Ship it
[>] b — in progress for 2 rounds
    tried: failed
[ ] c
[ ] d

Ready next: "c", "d"
Last change, by human: added [ ] d
The last call was refused: Only one plan item can be in_progress: item 1 "b", item 2 "c"; set all but one to pending, blocked or completed

(1/4 completed)
`
	if recovered.Text != want {
		t.Errorf("got:\n%s\nwant:\n%s", recovered.Text, want)
	}
}

func TestDoneWhen(t *testing.T) {
	d := newDesk(t, "- [ ] a (doneWhen:: out/*.js)\n- [ ] b (doneWhen:: ../x)\n")
	agent := d.as("agent", "1")
	dir := filepath.Dir(d.path)
	d.round(agent, RoundOptions{})
	if err := os.MkdirAll(filepath.Join(dir, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"out/app.js", "../x"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := d.round(agent, RoundOptions{})
	if !strings.Contains(r.Text, "todomd changed:\n  [x] a (was pending)") {
		t.Errorf("text: %s", r.Text)
	}
	if got := d.read(); got != "- [x] a (doneWhen:: out/*.js)\n- [ ] b (doneWhen:: ../x)\n" {
		t.Errorf("file: %s", got)
	}
}

func TestTornLog(t *testing.T) {
	d := newDesk(t, "- [ ] a\n")
	agent := d.as("agent", "1")
	for range 2 {
		d.round(agent, RoundOptions{})
	}
	log := filepath.Join(filepath.Dir(d.path), ".todomd", "todo.md.log")
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.SplitAfter(string(data), "\n")
	bad := whole[0] + "no record\n" + strings.Join(whole[1:], "") + `{"kind":"round","by":"ag`
	if err := os.WriteFile(log, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := d.round(agent, RoundOptions{}); !r.Reminded {
		t.Errorf("the third round does not remind: %+v", r)
	}
	l, err := Open(d.path).Log()
	if err != nil {
		t.Fatal(err)
	}
	if l.Bad != 1 {
		t.Errorf("%d bad lines", l.Bad)
	}
	rounds := 0
	for _, e := range l.Entries {
		if e.Kind == kindRound {
			rounds++
		}
	}
	if rounds != 3 {
		t.Errorf("%d rounds in the log", rounds)
	}
}

// The log stays bounded, and what it has to remember survives compactions.
func TestCompaction(t *testing.T) {
	d := newDesk(t, "- [ ] human's\n")
	agent, other := d.as("agent", "1"), d.as("other", "2")
	d.update(agent, "[>] mine", "[ ] mine too")
	n := 4 * maxRecords
	if fewer() {
		n = maxRecords
	}
	for i := range n {
		d.round(other, RoundOptions{})
		if i%7 == 0 {
			d.save(strings.Replace(d.read(), "human's", "human's!", 1))
		}
	}
	data, err := os.ReadFile(filepath.Join(filepath.Dir(d.path), ".todomd", "todo.md.log"))
	if err != nil {
		t.Fatal(err)
	}
	h := parseHistory(data)
	if len(h.records) > maxRecords+8 || h.bad > 0 {
		t.Errorf("%d records, %d bad", len(h.records), h.bad)
	}
	u := d.update(agent, "[x] mine")
	if got := d.read(); strings.Contains(got, "mine too") || !strings.Contains(got, "human's!") || !strings.Contains(got, "[x] mine") {
		t.Errorf("the base was lost: %v\n%s", u.Outcomes, got)
	}
	if k := len(h.revs) - 1; k < 0 {
		t.Fatal("no revision")
	} else if src, err := h.bytesOf(0); err != nil || len(src) == 0 {
		t.Errorf("the oldest revision: %v", err)
	}
}

// The limit of open items binds an agent that adds them one by one; a human is
// told, and may.
func TestAddLimit(t *testing.T) {
	for _, who := range []string{"agent", HumanName} {
		d := newDesk(t, "- [ ] another's\n")
		s := d.as(who, "")
		add := func() (Change, error) {
			var c Change
			_, err := s.Do(context.Background(), "add", nil, func(p *Plan, by Caller) (*Plan, error) {
				var err error
				c, err = p.Add(by, fmt.Sprintf("item %d", p.Len()), Place{})
				return c.Plan, err
			})
			return c, err
		}
		for i := range DefaultMaxItems {
			if c, err := add(); err != nil || len(c.Warnings) > 0 {
				t.Fatalf("%s: item %d: %v %v", who, i+1, err, c.Warnings)
			}
		}
		c, err := add()
		if who == HumanName && (err != nil || len(c.Warnings) != 1) || who != HumanName && !errors.Is(err, ErrRule) {
			t.Errorf("%s: one more: %v %v", who, err, c.Warnings)
		}
		if err := d.set(s, "item 1", Completed); err != nil {
			t.Fatal(err)
		}
		if who != HumanName {
			if _, err := add(); err != nil {
				t.Errorf("%s: one more in place of a closed one: %v", who, err)
			}
		}
	}
}

// A link leads to the plan, and the log stands beside that; another plan in the
// folder has a log of its own; and a clock that goes back changes nothing.
func TestLogsOfPlans(t *testing.T) {
	d := newDesk(t, "- [ ] a\n")
	dir := filepath.Dir(d.path)
	link := filepath.Join(t.TempDir(), "plan.md")
	if err := os.Symlink(d.path, link); err != nil {
		t.Skip(err)
	}
	other := filepath.Join(dir, "other.md")
	if err := os.WriteFile(other, []byte("- [ ] x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	agent := Caller{Author: Author{"agent", "1"}}
	for i := range 3 {
		for _, path := range []string{link, other} {
			s := Open(path).Session(agent)
			s.now = func() time.Time { return time.Date(2026-i, 1, 1, 0, 0, 0, 0, time.UTC) }
			r, err := s.Round(context.Background(), RoundOptions{})
			if err != nil || r.Reminded != (i == 2) {
				t.Errorf("%s, round %d: %+v %v", filepath.Base(path), i+1, r, err)
			}
		}
	}
	if exists(filepath.Join(filepath.Dir(link), stateFolder)) {
		t.Error("a state folder stands beside the link")
	}
	for _, name := range []string{"todo.md.log", "other.md.log"} {
		if !exists(filepath.Join(dir, stateFolder, name)) {
			t.Errorf("no %s", name)
		}
	}
}

// doneWhen never looks outside of the workspace, also not through a link.
func TestDoneWhenInside(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, "- [ ] a (doneWhen:: out/secret)\n- [ ] b (doneWhen:: out/*)\n- [ ] c (doneWhen:: "+
		filepath.ToSlash(outside)+"/secret)\n- [ ] d (doneWhen:: in/x)\n- [ ] e (doneWhen:: .)\n- [ ] f (doneWhen:: [)\n")
	dir := filepath.Dir(d.path)
	if err := os.Symlink(outside, filepath.Join(dir, "out")); err != nil {
		t.Skip(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "in", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.round(d.as("agent", ""), RoundOptions{})
	if got := strings.Count(d.read(), "[x]"); got != 1 || !strings.Contains(d.read(), "[x] d") {
		t.Errorf("completed %d:\n%s", got, d.read())
	}
}

// What a watcher has seen can be brought back, though no command came between.
func TestRecord(t *testing.T) {
	d := newDesk(t, "- [ ] first\n")
	s := Open(d.path)
	for _, src := range []string{"- [ ] first\n", "- [ ] second\n", "- [ ] third\n"} {
		d.save(src)
		for range 2 {
			if err := s.Record(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := d.as(HumanName, "").Restore(context.Background(), RevOf([]byte("- [ ] second\n"))); err != nil {
		t.Fatal(err)
	}
	if got := d.read(); got != "- [ ] second\n" {
		t.Errorf("restored %q", got)
	}
	none := Open(filepath.Join(t.TempDir(), "todo.md"))
	if err := none.Record(context.Background()); err != nil || exists(filepath.Join(filepath.Dir(none.Path()), stateFolder)) {
		t.Errorf("without a plan: %v, or a state folder was made", err)
	}
}

func TestRecoverNamesHolders(t *testing.T) {
	d := newDesk(t, "- [ ] one\n- [ ] two\n")
	a, b := d.as("a", ""), d.as("b", "")
	if err := d.set(a, "one", InProgress); err != nil {
		t.Fatal(err)
	}
	if err := d.set(b, "two", InProgress); err != nil {
		t.Fatal(err)
	}
	r, err := b.Recover(context.Background())
	if err != nil || !strings.Contains(r.Text, "[>] one — a has it\n[>] two\n") {
		t.Errorf("%v\n%s", err, r.Text)
	}
	// A new session goes on with what the author has in progress.
	if next, err := d.as("b", "2").Next(context.Background()); err != nil || len(next.Items) != 1 || next.Items[0].Content != "two" {
		t.Errorf("next: %+v %v", next, err)
	}
}

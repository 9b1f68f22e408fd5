package mdplan_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/todomd/todomd/mdplan"
)

func ExampleParse() {
	plan, err := mdplan.Parse([]byte("# Ship it\n\n- [x] Read the requirements\n- [ ] #login: Implement login\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range plan.Items() {
		fmt.Println(item.Number, item.Status, item.Content)
	}
	fmt.Print(plan.Render(mdplan.RenderOptions{}))
	// Output:
	// 1 completed Read the requirements
	// 2 pending Implement login
	// [x] Read the requirements
	// [ ] #login: Implement login
	//
	// (1/2 completed)
}

// One mark changes; the rest of the file stays as its owner left it.
func ExamplePlan_SetStatus() {
	plan, err := mdplan.Parse([]byte("* [ ]   Implement login  <!-- soon -->\r\n* [ ] Write the tests"))
	if err != nil {
		fmt.Println(err)
		return
	}
	agent := mdplan.Caller{Author: mdplan.Author{Name: "agent"}}
	change, err := plan.SetStatus(agent, "login", mdplan.InProgress)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", change.Plan.Bytes())

	_, err = change.Plan.SetStatus(agent, "2", mdplan.InProgress)
	fmt.Println(err)
	fmt.Println(errors.Is(err, mdplan.ErrRule))
	// Output:
	// "* [>]   Implement login  <!-- soon -->\r\n* [ ] Write the tests"
	// Only one plan item can be in_progress: item 1 "Implement login  ‹!-- soon -->", item 2 "Write the tests"; set all but one to pending, blocked or completed
	// true
}

func ExamplePlan_Check() {
	plan, err := mdplan.Parse([]byte("- [ ] Deploy\n- [ ]Write the tests\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, problem := range plan.Check(mdplan.Settings{}) {
		fmt.Println("todo.md:" + problem.String())
	}
	// Output:
	// todo.md:2:3: warning: no space stands behind "[ ]", so this line is no item; write "[ ] …" [no-space]
}

func ExampleReadList() {
	// A call of Codex's update_plan.
	list, err := mdplan.ReadList([]byte(`{"explanation":"start","plan":[{"step":"Implement login","status":"in_progress"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list.Items[0].Content, list.Items[0].Status)
	// Output: Implement login in_progress
}

func ExampleStore() {
	dir, err := os.MkdirTemp("", "plan")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	store := mdplan.Open(filepath.Join(dir, "todo.md"))
	_, err = store.Read()
	fmt.Println(errors.Is(err, mdplan.ErrNoPlan))

	by := mdplan.Caller{Author: mdplan.Human}
	_, err = store.Update(context.Background(), func(p *mdplan.Plan) (*mdplan.Plan, error) {
		change, err := p.Add(by, "Write the tests", mdplan.Place{})
		return change.Plan, err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	src, err := os.ReadFile(store.Path())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(src))
	// Output:
	// true
	// # Plan
	//
	// - [ ] Write the tests
}

// TodoManager is the manager of a todo tool as agent tutorials build it, on a
// plan file: validation, rendering, the count of idle rounds and the reminder.
type TodoManager struct{ plan *mdplan.Session }

func (m TodoManager) Update(ctx context.Context, call []byte) (string, error) {
	list, err := mdplan.ReadList(call)
	if err != nil {
		return "", err
	}
	update, err := m.plan.Update(ctx, list, mdplan.UpdateOptions{})
	if err != nil {
		return "", err
	}
	return update.Plan.Render(mdplan.RenderOptions{Cut: mdplan.AgentCut}) + update.Report(), nil
}

func (m TodoManager) EndRound(ctx context.Context) (string, error) {
	round, err := m.plan.Round(ctx, mdplan.RoundOptions{})
	return round.Text, err
}

// The loop of the tutorials: an agent plans four steps and works; a human ticks
// one of them; the agent forgets the plan for three rounds and gets the
// reminder; then its context is cut, and the plan is brought back.
func ExampleSession() {
	dir, err := os.MkdirTemp("", "plan")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	store := mdplan.Open(filepath.Join(dir, "todo.md"))
	session := store.Session(mdplan.Caller{Author: mdplan.Author{Name: "agent", Session: "1"}})
	todo := TodoManager{session}

	// What the scripted model asks for in each round: its todo tool, or others.
	model := []string{
		`{"items":[{"content":"Read hello.py","status":"completed"},{"content":"Add types","status":"in_progress"},
			{"content":"Add docstrings"},{"content":"Add a main guard"}]}`,
		"", "", "",
	}
	for i, call := range model {
		fmt.Printf("-- round %d\n", i+1)
		if call != "" {
			answer, err := todo.Update(ctx, []byte(call))
			if err != nil {
				answer = "Error: " + err.Error() // the model can mend its call from the text
			}
			fmt.Print(answer)
		}
		if i == 1 { // a human ticks an item in an editor
			edit(store.Path(), "[ ] Add docstrings", "[x] Add docstrings")
		}
		// As a message of the user's role, or first among the tool results.
		text, err := todo.EndRound(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(text)
	}
	fmt.Println("-- the context is cut")
	recovered, err := session.Recover(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(recovered.Text)
	// Output:
	// -- round 1
	// [x] Read hello.py
	// [>] Add types
	// [ ] Add docstrings
	// [ ] Add a main guard
	//
	// (1/4 completed)
	// -- round 2
	// <plan>The plan changed since you last saw it.
	// The file was edited (by a human, as far as is known):
	//   [x] Add docstrings (was pending)
	//
	// [x] Read hello.py
	// [>] Add types
	// [x] Add docstrings
	// [ ] Add a main guard
	//
	// (2/4 completed)</plan>
	// -- round 3
	// -- round 4
	// <reminder>Refresh your current plan before continuing.
	//
	// [x] Read hello.py
	// [>] Add types
	// [x] Add docstrings
	// [ ] Add a main guard
	//
	// (2/4 completed)</reminder>
	// -- the context is cut
	// State of the plan, no new order:
	//
	// [>] Add types — in progress for 4 rounds
	// [ ] Add a main guard
	//
	// Ready next: "Add a main guard"
	// Last change, by human: [x] Add docstrings (was pending)
	//
	// (2/4 completed)
}

// An operation on items, and what the session says that it did.
func ExampleSession_Do() {
	dir, err := os.MkdirTemp("", "plan")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	session := mdplan.Open(filepath.Join(dir, "todo.md")).Session(mdplan.Caller{Author: mdplan.Human})

	for _, text := range []string{"Implement login", "Write the tests (dependsOn:: Implement login)"} {
		_, err := session.Do(ctx, "add", nil, func(p *mdplan.Plan, by mdplan.Caller) (*mdplan.Plan, error) {
			change, err := p.Add(by, text, mdplan.Place{})
			return change.Plan, err
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	written, err := session.Do(ctx, "done", []string{"login"}, func(p *mdplan.Plan, by mdplan.Caller) (*mdplan.Plan, error) {
		change, err := p.SetStatus(by, "login", mdplan.Completed)
		return change.Plan, err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("changed:", written.Changes)
	next, err := session.Next(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("next:", next.Items[0].Content)
	restored, err := session.Restore(ctx, "") // takes the last change back
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("changed:", restored.Changes)
	// Output:
	// changed: [[x] Implement login (was pending)]
	// next: Write the tests
	// changed: [[ ] Implement login (was completed)]
}

func edit(path, old, new string) {
	src, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(src), old, new, 1)), 0o644)
	}
	if err != nil {
		panic(err)
	}
}

// Package mdplan keeps an agent's plan as a checklist in a Markdown file.
//
// The file is the plan: agents and humans edit it with whatever tools they
// have, and this package reads it, changes it without harm to anything else in
// it, and tells each side what the other did.
//
// # A plan
//
// [Parse] turns bytes into an immutable [Plan]. Look at it with [Plan.Items],
// [Plan.Counts], [Plan.Next] and [Plan.Find]; show it with [Plan.Render]; see
// what is wrong in it, and what was ignored, with [Plan.Check]. Operations such
// as [Plan.SetStatus], [Plan.Add] and [Plan.Update] give a new Plan. None of
// this does input or output, reads a clock or an environment.
//
// An operation edits the bytes, and only those that it has to. In Markdown,
// adding or removing a line can change how others read: it can join two blocks
// or end a list. So every result is parsed again and compared, block by block,
// with what was meant, and an edit that Markdown has no way to write is an
// [*ImpossibleError].
//
// # The complete list
//
// The todo tools of agents pass the complete list at every call. [ReadList]
// reads the calls of all known ones, and [Plan.Update] merges such a list into
// the plan: it adds, and changes what the list says differently from the
// author's last one; it takes out only what the author brought. [Schema] is the
// definition of such a tool for a model's API, [Prompt] the guidance for a
// system prompt.
//
// # The file
//
// A [Store] reads and changes a plan file, safely between processes; what it
// promises and what it does not stands there. A [Session] is a Store as one
// author sees it: with the round log, which knows who changed what, what each
// author was told, and when an agent should be reminded of its plan.
//
// # The loop of an agent
//
// A harness opens a session, answers each call of the model's todo tool with
// [Session.Update], and closes each round, the model's reply and the tool calls
// that it asked for together, with [Session.Round]:
//
//	plan := mdplan.Open("todo.md").Session(mdplan.Caller{
//		Author: mdplan.Author{Name: "myagent", Session: id},
//	})
//
//	// A call of the tool that Schema("anthropic") defines, and its answer.
//	list, err := mdplan.ReadList(arguments)
//	if err == nil {
//		var u mdplan.Update
//		u, err = plan.Update(ctx, list, mdplan.UpdateOptions{})
//		if err == nil {
//			answer = u.Plan.Render(mdplan.RenderOptions{Cut: mdplan.AgentCut}) + u.Report()
//		}
//	}
//	if err != nil {
//		answer = "Error: " + err.Error() // the model can mend its call from this
//	}
//
//	// The end of a round: what the model should see now, mostly nothing.
//	round, err := plan.Round(ctx, mdplan.RoundOptions{})
//	if round.Text != "" {
//		messages = append(messages, user(round.Text))
//	}
//
// When the context was cut, [Session.Recover] says how the plan stands. An
// agent that edits the file with its file tools says so with
// [RoundOptions].UsedTodo. Package watch reports the edits as they happen.
//
// # The round log
//
// The round log stands in the folder .todomd beside the plan file. It is not
// synced: a power failure may cost its last records, and a log that is lost
// costs what it knew, never the plan.
//
// It is bounded. It is compacted beyond 512 records, 224 besides the
// revisions, or 1 MiB and four times the plan's size, and then keeps the newest
// 192 revisions (fewer where they would take more than half of that, but always
// two), the newest 64 other records, and of the newest 32 sessions the newest
// record of each kind. With 12 items, where each step is a list, that is 192
// revisions to go back to in up to 350 KB; with 600 items about 100 in up to
// 1.2 MB. What a round costs does not depend on how many there were.
//
// # Text
//
// What comes from a plan file is data. Everything that this package renders
// goes through [Escape], so that a file can neither steer a terminal nor close
// the block in which an agent is shown it. [Item] and [Delta] have it raw.
package mdplan

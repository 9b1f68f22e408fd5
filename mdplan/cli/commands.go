package cli

import (
	"strconv"

	"github.com/todomd/todomd/mdplan"
)

// command is a row of the table from which help is printed.
type command struct {
	name  string
	args  string      // as the usage line has them
	short string      // one line
	long  string      // what the line can't say
	flags [][2]string // "--after REF" is one with a value
	run   func(*call) error
}

// call is the command with its arguments.
func (c *command) call() string {
	if c.args == "" {
		return c.name
	}
	return c.name + " " + c.args
}

// usage is the call with the command's own flags.
func (c *command) usage() string {
	u := c.call()
	for _, f := range c.flags {
		u += " [" + f[0] + "]"
	}
	return u
}

var jsonFlag = [2]string{"--json", "print JSON"}

const aboutRef = `REF is an item's id, its number (2.1), its whole text, its line as show prints
it, or a part of the text that only one item has. A number is no part of a text. `

const aboutText = `Several words are joined. A mark ("[x] " or "- [x] "), "#id:" and fields such as
(priority:: high), (dependsOn:: id) or (owner:: name) in TEXT are taken as such.`

// table has the commands in the order of the help. It is a function, since
// commands print help from it.
func table() []command {
	return []command{
		{name: "show", short: "print the plan (also without a command)",
			flags: [][2]string{
				{"--numbers", "put item numbers before the marks (a terminal has them; --numbers=false)"},
				jsonFlag,
				{"--line", "one short line for status lines: 2/6 Implement login"},
			},
			run: runShow},
		{name: "update", args: "[FILE]", short: "take a complete list, JSON or a Markdown checklist",
			long: `Reads the complete list from FILE or standard input, in the form of any agent's
todo tool: {"items":[{"content":"…","status":"pending"}]}, a bare array, or a
checklist; at most 1 MiB. An open item of yours that your list leaves out is
removed, if it was in your last one and nobody else changed it; all others stay,
and the first list of a session removes nothing. The answer names what was
removed and what stays, and says how to drop it.`,
			flags: [][2]string{{"--replace", "take the list as it is: what it leaves out is removed"}},
			run:   runUpdate},
		{name: "add", args: "TEXT", short: "add an item",
			long: aboutText,
			flags: [][2]string{
				{"--after REF", "behind this item"},
				{"--under REF", "as the last sub-item of this one"},
				jsonFlag,
			},
			run: runAdd},
		{name: "start", args: "REF...", short: "set items in progress",
			long: aboutRef, flags: [][2]string{jsonFlag}, run: runStatus(mdplan.InProgress)},
		{name: "done", args: "REF...", short: "complete items",
			long: aboutRef + "Several items are changed all or none.", flags: [][2]string{jsonFlag}, run: runStatus(mdplan.Completed)},
		{name: "block", args: "REF...", short: "set items blocked",
			long: aboutRef, flags: [][2]string{jsonFlag}, run: runStatus(mdplan.Blocked)},
		{name: "reopen", args: "REF...", short: "set items pending again",
			long: aboutRef, flags: [][2]string{jsonFlag}, run: runStatus(mdplan.Pending)},
		{name: "cancel", args: "REF...", short: "cancel items: they stay, and no longer count",
			long: aboutRef, flags: [][2]string{jsonFlag}, run: runStatus(mdplan.Cancelled)},
		{name: "remove", args: "REF...", short: "take items out, with their notes and sub-items",
			long: aboutRef, flags: [][2]string{jsonFlag}, run: runRemove},
		{name: "edit", args: "REF TEXT", short: "give an item another text",
			long: aboutRef + "\n" + aboutText + "\nA field without a value, as in (dependsOn::), is taken away.", flags: [][2]string{jsonFlag}, run: runEdit},
		{name: "note", args: "REF [TEXT]", short: "append to an item's notes",
			long: aboutRef + "\nWithout TEXT, or if it is -, the note is read from standard input.", flags: [][2]string{jsonFlag}, run: runNote},
		{name: "next", short: "print what to work on: what you have in progress, else what is ready",
			long:  "Exit code 1 if there is nothing.",
			flags: [][2]string{jsonFlag}, run: runNext},
		{name: "check", args: "[FILE]", short: "report what is wrong in the plan file, and what is ignored",
			long: `Problems are printed as FILE:LINE:COLUMN: SEVERITY: TEXT [CODE], which editors
understand. Exit code 1 if one of them is an error.`,
			flags: [][2]string{jsonFlag}, run: runCheck},
		{name: "round", short: "close a round of an agent, and print what it should see now",
			long: `A round is the model's reply and the tool calls that it asked for, together.
Prints what others changed since this agent was last told, errors of the file,
and after 3 idle rounds the reminder; nothing if there is nothing to say.`,
			flags: [][2]string{
				{"--used-todo", "the agent updated the plan in this round, with tools of its own"},
				{"--brief", "remind without the plan"},
				{"--vary", "word the reminder differently from time to time"},
				jsonFlag,
			},
			run: runRound},
		{name: "recover", short: "print the plan for an agent whose context was cut", run: runRecover},
		{name: "watch", short: "report every settled edit of the plan: who made it and what changed",
			flags: [][2]string{
				{"--live", "redraw the plan at every edit instead"},
				{"--json", "print one JSON object a line"},
				{"--poll", "look once a second, for drives that send no events"},
			},
			run: runWatch},
		{name: "log", short: "print the round log, the oldest entry first",
			flags: [][2]string{
				{"--item REF", "only what changed this item"},
				{"--json", "print one JSON object a line"},
			},
			run: runLog},
		{name: "restore", args: "[REV]", short: "bring a revision of the plan back",
			long: `REV is a revision of todomd log, or the beginning of one. Without it, the last
change is taken back; a second time brings that change again.`,
			run: runRestore},
		{name: "prompt", short: "print the guidance for an agent's system prompt", run: runPrompt},
		{name: "schema", short: "print the JSON Schema of a list, or a todo tool's definition",
			flags: [][2]string{{"--api NAME", "for a model API: anthropic, openai, openai-responses or gemini"}},
			run:   runSchema},
	}
}

// otherNames are commands as other tools call them, for the hint only.
var otherNames = map[string]string{
	"list": "show", "ls": "show", "status": "show", "print": "show", "view": "show",
	"write": "update", "set": "update", "import": "update",
	"new": "add", "create": "add", "append": "add",
	"begin": "start", "progress": "start", "doing": "start",
	"complete": "done", "finish": "done", "close": "done", "tick": "done",
	"pending": "reopen", "open": "reopen", "undo": "reopen", "untick": "reopen",
	"rm": "remove", "delete": "remove", "del": "remove", "drop": "remove",
	"rename": "edit", "change": "edit",
	"lint": "check", "validate": "check", "verify": "check",
	"version": "--version",
}

func isCommand(name string) bool {
	_, err := find(name)
	return err == nil || name == "help" || name == "version"
}

func find(name string) (*command, error) {
	var names []string
	for _, cmd := range table() {
		if cmd.name == name {
			return &cmd, nil
		}
		names = append(names, cmd.name)
	}
	f := &failure{code: exitMisuse, msg: "there is no command " + strconv.Quote(name), hint: "todomd help lists the commands"}
	if other := first(otherNames[name], nearest(name, names)); other != "" {
		f.hint = "did you mean todomd " + other + "? todomd help lists the commands"
	}
	return nil, f
}

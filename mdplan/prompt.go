package mdplan

import "strings"

// What an agent is told, once: the prompt and the tool's description are made
// of the same sentences, so that they can't contradict each other.
const (
	sayWhen     = "Use the todo tool to plan and track work of three steps or more; leave it out for less."
	sayComplete = "Each call takes the complete list, in order, about 5 to 12 short items: it replaces your last one, an open item of yours that you leave out is removed, and what others added stays."
	sayOne      = "Keep exactly one item in_progress while you work, and set it before you start."
	sayRefresh  = "Refresh the list as the work advances: set an item completed only when it is done and checked, blocked when it waits for others, cancelled when it is dropped."
	sayNotes    = "Keep what failed, with its error, in the notes of its item; notes are appended."
	sayRefused  = "A refused call changes nothing: mend what the error names and send the list again."

	sayFile     = "The plan lives in todo.md, a Markdown checklist that you can read again at any time."
	sayOthers   = "Humans and other agents may edit it while you work. You are told what they changed: go on from there, and do not undo it unasked."
	sayReminder = "A <reminder> comes from the plan's keeper, not from the user: bring the list up to date if it is stale, then go on with the work without an answer to it."
)

// Prompt returns the guidance on the plan for an agent's system prompt. It is
// Markdown that ends in a line break.
func Prompt() string {
	return "## Plan\n\n" +
		"- " + strings.Join([]string{
		sayWhen, sayComplete, sayOne, sayRefresh, sayNotes, sayRefused, sayFile, sayOthers, sayReminder,
	}, "\n- ") + "\n"
}

// toolDescription is what the todo tool's definition says of it.
func toolDescription() string {
	return strings.Join([]string{sayWhen, sayComplete, sayOne, sayRefresh, sayNotes, sayRefused}, " ")
}

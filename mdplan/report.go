package mdplan

import (
	"fmt"
	"strings"
)

// reports are the lines of [Update.Report], one for each kind of outcome. What
// the rendered plan shows anyway (what was added) has none.
var reports = []struct {
	kind string
	// name shows one outcome.
	name func(Outcome) string
	// one and more stand around the names: %s for the names.
	one, more string
}{
	{OutcomeRemoved, contentOf, "removed: %s", "removed: %s"},
	{OutcomeRetired, contentOf, "removed with the finished plan: %s", "removed with the finished plan: %s"},
	{OutcomeNeeded, func(o Outcome) string { return shown(o.Content) + " stays: " + shown(o.Detail) + " depends on it" },
		"not in your list, but %s; to drop it, take that dependency out (depends_on: []), or list it as cancelled",
		"not in your list, but %s; to drop one, take that dependency out (depends_on: []), or list it as cancelled"},
	{OutcomeKept, contentOf,
		"kept, though not in your list: %s; to drop it, run todomd remove, or list it as cancelled",
		"kept, though not in your list: %s; to drop one, run todomd remove, or list it as cancelled"},
	{OutcomeRenamed, func(o Outcome) string { return shown(o.Detail) + " to " + shown(o.Content) },
		"renamed: %s", "renamed: %s"},
	{OutcomeMerged, func(o Outcome) string { return shown(o.Content) + " (your list has " + escapeLine(o.Detail) + ")" },
		"the file's value stays: %s", "the file's values stay: %s"},
	{OutcomeReworded, func(o Outcome) string { return shown(o.Detail) + " is " + shown(o.Content) },
		"named otherwise in the file by now: %s", "named otherwise in the file by now: %s"},
	{OutcomeDeleted, contentOf,
		"no longer in the file, deleted or renamed by somebody, and stays so: %s; todomd add brings it back, unless another item is it by now",
		"no longer in the file, deleted or renamed by somebody, and stay so: %s; todomd add brings one back, unless another item is it by now"},
	{OutcomeDropped, contentOf,
		"removed by your own command, and stays so: %s; todomd add brings it back",
		"removed by your own commands, and stay so: %s; todomd add brings one back"},
	{OutcomeClosed, func(o Outcome) string { return shown(o.Content) + " (" + o.Detail + ")" },
		"closed, and stays so: %s; todomd reopen opens it again",
		"closed, and stay so: %s; todomd reopen opens one again"},
	{OutcomeID, func(o Outcome) string { return shown(o.Detail) + " for " + shown(o.Content) },
		"another item has this id, so it was not written: %s; take another id",
		"other items have these ids, so they were not written: %s; take other ids"},
	{OutcomeUnmet, func(o Outcome) string { return shown(o.Content) + " for " + shown(o.Detail) },
		"does not wait for what somebody deleted: %s; the same list writes the dependency once that is back",
		"do not wait for what somebody deleted: %s; the same list writes the dependencies once that is back"},
	{OutcomeNamed, func(o Outcome) string { return shown(o.Detail) + " for " + shown(o.Content) },
		"a dependency can't name this item by its text, so it got an id: %s",
		"dependencies can't name these items by their texts, so they got ids: %s"},
	{OutcomeUnplaced, contentOf,
		"stays in its place, since Markdown allows no other: %s",
		"stay in their places, since Markdown allows no other: %s"},
	// The reasons are sentences, so that each has a line of its own.
	{OutcomeIgnored, func(o Outcome) string { return shown(o.Content) + ": " + escapeLine(o.Detail) },
		"not read as items of your list:", ""},
}

// counts are the lines for what the answers of a session have named before.
var counts = map[string]struct{ line, word string }{
	OutcomeKept:    {"kept, though not in your list: %s named before\n", "open item"},
	OutcomeDeleted: {"no longer in the file, though in your list: %s named before\n", "item"},
}

func contentOf(o Outcome) string { return shown(o.Content) }

// Report says in a few lines what became of a list beyond what the rendered
// plan shows: what was removed, kept, renamed or merged, and what to do where
// that was not wanted. Text of the file is escaped, see [Escape]. It is "" if
// there is nothing to say, else it ends in a line feed.
func (u Update) Report() string {
	var b strings.Builder
	for _, r := range reports {
		var names []string
		before := 0
		for _, o := range u.Outcomes {
			switch {
			case o.Kind != r.kind:
			case counts[r.kind].line != "" && o.Detail == KeptBefore:
				before++
			default:
				names = append(names, r.name(o))
			}
		}
		switch {
		case len(names) == 0:
		case r.kind == OutcomeIgnored:
			b.WriteString(r.one + "\n")
			for _, name := range names[:min(len(names), maxNames)] {
				b.WriteString("  " + name + "\n")
			}
			if more := len(names) - maxNames; more > 0 {
				fmt.Fprintf(&b, "  and %d more\n", more)
			}
		case len(names) == 1:
			fmt.Fprintf(&b, r.one+"\n", names[0])
		default:
			fmt.Fprintf(&b, r.more+"\n", listed(names))
		}
		if before > 0 {
			fmt.Fprintf(&b, counts[r.kind].line, plural(before, counts[r.kind].word))
		}
	}
	return b.String()
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

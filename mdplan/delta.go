package mdplan

import "fmt"

// Op is what happened to an item between two revisions.
type Op string

// The operations that [Diff] finds.
const (
	OpAdded   Op = "added"
	OpRemoved Op = "removed"
	OpRenamed Op = "renamed"
	OpStatus  Op = "status"
	OpMoved   Op = "moved"
	OpFields  Op = "fields"
	OpNotes   Op = "notes"
	OpText    Op = "text" // something outside the items
)

// Delta is one change of an item. Its JSON form is that of "todomd watch --json".
type Delta struct {
	Op      Op     `json:"op"`
	Content string `json:"content,omitempty"` // as it is now; of a removed item as it was
	ID      string `json:"id,omitempty"`
	Line    int    `json:"line,omitempty"` // in the new file; of a removed item in the old one
	From    string `json:"from,omitempty"` // renamed, status, moved (numbers) and fields
	To      string `json:"to,omitempty"`
	// Status is that of an added or removed item.
	Status Status `json:"status,omitempty"`
}

// String returns the change as one line, such as `[x] Write tests (was pending)`.
func (d Delta) String() string {
	text := shorten(escapeLine(d.Content), maxItemText)
	switch d.Op {
	case OpAdded:
		return "added " + shownMark(d.Status) + " " + text
	case OpRemoved:
		return "removed " + shownMark(d.Status) + " " + text
	case OpRenamed:
		return fmt.Sprintf("renamed %s to %s", shown(d.From), shown(d.Content))
	case OpStatus:
		return fmt.Sprintf("%s %s (was %s)", shownMark(Status(d.To)), text, d.From)
	case OpMoved:
		return fmt.Sprintf("moved %s from %s to %s", shown(d.Content), d.From, d.To)
	case OpFields:
		switch {
		case d.From == "":
			return fmt.Sprintf("%s has %s now", shown(d.Content), escapeLine(d.To))
		case d.To == "":
			return fmt.Sprintf("%s no longer has %s", shown(d.Content), escapeLine(d.From))
		}
		return fmt.Sprintf("%s: %s, was %s", shown(d.Content), escapeLine(d.To), escapeLine(d.From))
	case OpNotes:
		return "notes changed: " + text
	}
	return "text outside the items changed"
}

// Lines returns a diff of items as short lines for people and agents, all text
// of the file escaped. Above the bound the rest is counted; 0 is no bound.
func Lines(deltas []Delta, most int) []string {
	var lines []string
	for i, d := range deltas {
		if most > 0 && i == most {
			lines = append(lines, "… and "+plural(len(deltas)-i, "more change"))
			break
		}
		lines = append(lines, d.String())
	}
	return lines
}

// key is what two diffs name the same item by.
func (d Delta) key() string {
	if d.Op == OpText {
		return "\x00"
	}
	return pairKey(d.Content)
}

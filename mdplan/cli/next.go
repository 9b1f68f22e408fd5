package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/todomd/todomd/mdplan"
)

// How much of an item's notes next shows. The newest are appended last, and who
// needs all of them finds them in the file.
const (
	maxNoteLines = 20
	maxNoteLine  = 300 // characters
)

func runNext(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	if err := c.parse(0, 0); err != nil {
		return err
	}
	s, err := c.open()
	if err != nil {
		return err
	}
	next, err := s.Next(context.Background())
	c.hint(next.Notice)
	if err != nil {
		return c.unreadable(err)
	}
	p, items := next.Plan, next.Items
	for _, it := range next.Completed {
		c.hint(fmt.Sprintf("completed %q, since %s exists", it.Content, it.DoneWhen))
	}
	switch {
	case *asJSON:
		v := nextView{c.path, p.Rev(), items, p.Counts()}
		if !next.Exists {
			v.Rev = "" // no file has no revision
		}
		if err := c.printJSON(v); err != nil {
			return err
		}
	case len(items) == 0:
		c.printf("%s\n", nothingNext(p.Counts()))
	default:
		c.printItems("", p, items[:1], 1)
		c.printNotes(items[0].Notes)
		c.printItems("", p, items[1:], maxNames-1)
	}
	if len(items) == 0 {
		return errNo
	}
	return nil
}

// nextView is the JSON form of what is next.
type nextView struct {
	File   string        `json:"file"`
	Rev    string        `json:"rev"`
	Items  []mdplan.Item `json:"items"`
	Counts mdplan.Counts `json:"counts"`
}

// nothingNext says why nothing is next.
func nothingNext(n mdplan.Counts) string {
	switch {
	case n.Total == 0:
		return mdplan.NoTodos
	case n.Pending+n.InProgress+n.Blocked == 0:
		return "Nothing is next: every item is completed or cancelled."
	default:
		return "Nothing is next: what is open is blocked, waits for other items, or is another's."
	}
}

// printNotes prints the end of an item's notes, indented below it.
func (c *call) printNotes(notes string) {
	lines := strings.Split(strings.TrimSpace(notes), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return
	}
	if more := len(lines) - maxNoteLines; more > 0 {
		c.printf("    … %d lines of notes above\n", more)
		lines = lines[more:]
	}
	for _, line := range lines {
		if r := []rune(line); len(r) > maxNoteLine {
			line = string(r[:maxNoteLine]) + "…"
		}
		c.printf("%s\n", strings.TrimRight("    "+mdplan.Escape(strings.TrimRight(line, "\r")), " "))
	}
}

package mdplan

import (
	"context"
	"fmt"
	"strings"
)

// Recovered is the plan for an agent whose context was cut.
type Recovered struct {
	Text   string // as it goes into the agent's context; "" with an error
	Notice string // why the log can't be kept
}

// Recover returns the plan for an agent whose context was cut, and notes the
// cut: the agent's next list is a first list, which removes nothing.
//
// Errors are those of [Session.Show].
func (s *Session) Recover(ctx context.Context) (Recovered, error) {
	var out Recovered
	notice, err := s.locked(ctx, func(j *journal, p *Plan, bad *ParseError) error {
		if bad != nil {
			return fmt.Errorf("%s: %w", s.store.path, bad)
		}
		rev := ""
		switch {
		case p != nil && p.Len() > 0:
			out.Text = s.recovered(j, p)
		case p == nil && len(j.h.revs) > 0:
			out.Text = "No todos. The plan file is gone; todomd restore brings it back.\n"
		default:
			out.Text = NoTodos + "\n"
		}
		if p != nil {
			rev = p.rev
		} else if len(j.h.revs) == 0 {
			return nil // there never was a plan
		}
		j.write(s.records(record{Kind: kindCut}, record{Kind: kindTold, Rev: rev, News: true})...)
		return nil
	})
	out.Notice = notice
	return out, err
}

// recoverHead begins what recover prints: restored items must not read as
// fresh orders.
const recoverHead = "State of the plan, no new order:"

func (s *Session) recovered(j *journal, p *Plan) string {
	var b strings.Builder
	b.WriteString(recoverHead + "\n\n")
	if title := p.Title(); title != "" && !onlyPlan(title) {
		b.WriteString("# " + escapeLine(title) + "\n")
	}
	counts := p.Counts()
	if counts.Pending+counts.InProgress+counts.Blocked == 0 {
		b.WriteString("Everything is closed: nothing is left to resume.\n\n" + p.CountLine() + "\n")
		return b.String()
	}
	last, _ := j.h.last(kindRound, s.by.Author, nil)
	held := j.held()
	section := -2
	sections := p.sections()
	for _, n := range p.nodes {
		if !n.status.Open() && !p.holdsOpen(n) {
			continue
		}
		if sections > 1 && n.heading != section {
			section = n.heading
			b.WriteString(p.headingLine(section))
		}
		line := p.itemLine(n, false)
		if n.status == InProgress && last != nil && last.Doing == pairKey(n.content) {
			line += fmt.Sprintf(" — in progress for %s", plural(last.Rounds, "round"))
		}
		if who := held[pairKey(n.content)]; n.status == InProgress && who.Name != "" && who.Name != s.by.Name {
			line += " — " + escapeLine(who.Name) + " has it"
		}
		b.WriteString(line + "\n")
		if notes := p.notes(n); n.status == InProgress && notes != "" {
			indent := strings.Repeat("  ", len(n.ancestors())) + "    "
			for l := range strings.Lines(shorten(Escape(notes), maxNotes)) {
				b.WriteString(indent + strings.TrimRight(l, "\n") + "\n")
			}
		}
	}
	b.WriteByte('\n')
	if ready := p.readyNodes(); len(ready) > 0 {
		var names []string
		for i, n := range ready {
			if i == 3 {
				names = append(names, fmt.Sprintf("and %d more", len(ready)-i))
				break
			}
			names = append(names, shown(n.content))
		}
		b.WriteString("Ready next: " + strings.Join(names, ", ") + "\n")
	}
	for k := len(j.h.revs) - 1; k >= 0; k-- {
		r := j.h.rev(k)
		if len(r.Changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "Last change, by %s: %s\n", escapeLine(j.h.by(k).Name), strings.Join(Lines(r.Changes, 3), "; "))
		break
	}
	if _, at := j.h.last(kindRefused, s.by.Author, nil); at >= 0 && !s.updatedSince(j, at, false) {
		r := j.h.full(at)
		b.WriteString("The last call was refused: " + Escape(r.Error) + "\n")
	}
	b.WriteString("\n" + p.CountLine() + "\n")
	return b.String()
}

// maxNotes is how many characters of an item's notes recover shows: a stack
// trace fits, a whole log does not.
const maxNotes = 2000

// holdsOpen reports whether an item holds an open one.
func (p *Plan) holdsOpen(n *node) bool {
	for _, sub := range n.subs {
		if sub.status.Open() || p.holdsOpen(sub) {
			return true
		}
	}
	return false
}

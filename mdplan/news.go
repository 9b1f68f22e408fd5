package mdplan

import (
	"fmt"
	"strings"
)

// News is what one author changed, as a diff of items.
type News struct {
	By      Author
	Via     string
	Changes []Delta
	// Restored is the revision that the file was put back to, if it was.
	Restored string
	// Lost: the changes are the agent's own, who took out open items of others.
	Lost bool
	// Cut: the log no longer has what was changed before.
	Cut bool

	own bool // of the author that is told
}

// news returns what others did since an author was last told, in order: the
// changes of one author that follow each other are one News. What was undone
// since is left out, unless it undoes what this author did. An author that was
// never told is told nothing.
func (j *journal) news(who Author) []News {
	h := j.h
	told, at := h.last(kindTold, who, func(r *record) bool { return r.News })
	if told == nil {
		return nil
	}
	from, cut := h.toldAt(at), false
	if from < 0 && told.Rev != "" {
		from, cut = 0, true // the oldest one that it has
	}
	if from == len(h.revs)-1 {
		return nil
	}
	states := j.states(from)
	if len(states) < 2 {
		return nil
	}
	own := j.state(who, false).own
	runs := runsOf(states, who)
	// What stands as the author left it is known to it.
	alive := touched(Diff(states[0].plan, states[len(states)-1].plan))
	for _, r := range runs {
		if r.by == who {
			for key := range touched(r.diff()) {
				alive[key] = true
			}
		}
	}
	var all []News
	for _, r := range runs {
		n := News{By: r.by, Via: r.via, Cut: cut && len(all) == 0, own: r.by == who}
		if r.file && r.to.rev != "" && r.to.rev != r.from.rev && h.had(r.to.rev, r.from.k) {
			n.Restored = r.to.rev
		}
		for _, d := range r.diff() {
			switch {
			case !alive[d.key()], d.Op == OpText && (r.to.rev == "" || r.from.rev == ""): // with the file, all text goes
			case r.by != who:
				n.Changes = append(n.Changes, d)
			case r.file && d.Op == OpRemoved && d.Status.Open() && !own[pairKey(d.Content)]:
				n.Changes, n.Lost = append(n.Changes, d), true
			}
		}
		if r.by == who && n.Restored != "" && !n.Lost {
			n.Changes = r.diff()
		}
		if len(n.Changes) > 0 {
			all = append(all, n)
		}
	}
	return all
}

// had reports whether the file had a revision before the k-th one already.
func (h *history) had(rev string, k int) bool {
	for k--; k >= 0; k-- {
		if h.records[h.revs[k]].Rev == rev {
			return true
		}
	}
	return false
}

// filed is a revision that can be read as a plan.
type filed struct {
	k    int
	rev  string
	plan *Plan
	by   Author // whose what led to it is
	via  string
	file bool // it came about by a save, and not by a command
	// changes are what a command did, which knows it better than a diff.
	changes []Delta
}

// states returns the revisions from the k-th on. One that can't be read, as
// while somebody edits, is joined with the next one that can; what they changed
// together is the human's, unless one author made it all.
func (j *journal) states(k int) []filed {
	h := j.h
	var all []filed
	var by *Author
	if k < 0 {
		all = append(all, filed{k: -1, plan: emptyPlan()})
		k = 0
	}
	for ; k < len(h.revs); k++ {
		who := h.by(k)
		if by != nil && *by != who {
			who = Human
		}
		r := h.rev(k)
		p, err := h.plan(k)
		if err != nil {
			by = &who
			continue
		}
		f := filed{k: k, rev: r.Rev, plan: p, by: who, via: r.Via, file: r.Via == viaFile || r.Via == viaFound}
		if !f.file && by == nil {
			f.changes = r.Changes
		}
		by = nil
		all = append(all, f)
	}
	return all
}

// run is what one author changed in one go.
type run struct {
	from, to filed
	by       Author
	via      string
	file     bool
	deltas   []Delta
}

func (r *run) diff() []Delta {
	if r.deltas == nil {
		r.deltas = Diff(r.from.plan, r.to.plan)
	}
	return r.deltas
}

// runsOf joins what one author did in a row. An author's own saves are kept
// apart from its commands, whose answers said what they took out.
func runsOf(states []filed, who Author) []*run {
	var runs []*run
	for i, s := range states[1:] {
		if n := len(runs); n > 0 && runs[n-1].by == s.by && (s.by != who || runs[n-1].file == s.file) {
			runs[n-1].to, runs[n-1].via, runs[n-1].file, runs[n-1].deltas = s, s.via, s.file, nil
			continue
		}
		runs = append(runs, &run{from: states[i], to: s, by: s.by, via: s.via, file: s.file, deltas: s.changes})
	}
	return runs
}

// key is what two diffs name the same item by.
func (d Delta) key() string {
	if d.Op == OpText {
		return "\x00"
	}
	return pairKey(d.Content)
}

// touched returns the items that a diff names, by their texts before and after.
func touched(deltas []Delta) map[string]bool {
	keys := map[string]bool{}
	for _, d := range deltas {
		keys[d.key()] = true
		if d.Op == OpRenamed {
			keys[pairKey(d.From)] = true
		}
	}
	return keys
}

// maxNews is how many lines of one author's changes are told; the plan that
// follows them shows the rest.
const maxNews = 12

// Lines returns a diff of items as short lines for people and agents, all text
// of the file escaped. Above the bound the rest is counted; 0 is no bound.
func Lines(deltas []Delta, most int) []string {
	var lines []string
	for i, d := range deltas {
		if most > 0 && i == most {
			rest := "changes"
			if len(deltas)-i == 1 {
				rest = "change"
			}
			lines = append(lines, fmt.Sprintf("… and %d more %s", len(deltas)-i, rest))
			break
		}
		lines = append(lines, d.String())
	}
	return lines
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

// RenderNews tells what others did, by author. It is "" if there is nothing.
func RenderNews(all []News) string {
	var b strings.Builder
	for _, n := range all {
		if n.Cut {
			b.WriteString("The round log no longer has all that changed; the newest of it:\n")
		}
		switch {
		case n.Lost:
			b.WriteString("Your edit of the file took out open items of others (todomd restore brings them back):\n")
		case n.Restored != "" && n.own:
			fmt.Fprintf(&b, "Your edit put the file back to its older state %s (todomd restore takes that back):\n", n.Restored)
		case n.Restored != "" && n.By.IsHuman():
			fmt.Fprintf(&b, "The file was put back to its older state %s:\n", n.Restored)
		case n.Restored != "":
			fmt.Fprintf(&b, "%s put the file back to its older state %s:\n", escapeLine(n.By.Name), n.Restored)
		case n.By.IsHuman():
			b.WriteString("The file was edited (by a human, as far as is known):\n")
		default:
			fmt.Fprintf(&b, "%s changed:\n", escapeLine(n.By.Name))
		}
		for _, line := range Lines(n.Changes, maxNews) {
			b.WriteString("  " + line + "\n")
		}
	}
	return b.String()
}

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
}

// news returns what others did since an author was last told, in order: the
// changes of one author that follow each other are one News. What was undone
// since is left out. An author that was never told is told nothing.
func (j *journal) news(who Author) []News {
	h := j.h
	told, _ := h.last(kindTold, who, func(r *record) bool { return r.News })
	if told == nil {
		return nil
	}
	from := h.revAt(told.Rev)
	if from < 0 {
		if told.Rev != "" {
			from = 0 // the log no longer has it: the oldest one that it has
		} else {
			from = -1
		}
	}
	if from+1 >= len(h.revs) {
		return nil
	}
	before, err := h.plan(max(from, 0))
	if err != nil {
		return nil
	}
	now, err := h.plan(len(h.revs) - 1)
	if err != nil {
		return nil
	}
	alive := touched(Diff(before, now))
	own := map[string]bool{}
	for i := range h.records {
		if r := &h.records[i]; r.Kind == kindList && r.author() == who {
			for _, key := range r.Own {
				own[key] = true
			}
		}
	}
	var all []News
	for k := from + 1; k < len(h.revs); {
		by := h.by(k)
		start := k
		for k < len(h.revs) && h.by(k) == by {
			k++
		}
		a, err := h.plan(max(start-1, 0))
		if err != nil {
			continue
		}
		b, err := h.plan(k - 1)
		if err != nil {
			continue
		}
		n := News{By: by, Via: h.records[h.revs[k-1]].Via}
		if r := h.records[h.revs[k-1]]; r.Via == viaFile && r.Rev != "" {
			for m := start - 2; m >= 0; m-- {
				if h.records[h.revs[m]].Rev == r.Rev {
					n.Restored = r.Rev
				}
			}
		}
		for _, d := range Diff(a, b) {
			switch {
			case !alive[d.key()]:
				continue
			case by != who:
				n.Changes = append(n.Changes, d)
			case n.Via != viaFile && n.Via != viaFound:
			case d.Op == OpRemoved && d.Status.Open() && !own[pairKey(d.Content)]:
				n.Changes, n.Lost = append(n.Changes, d), true
			}
		}
		if by == who && n.Restored != "" && len(n.Changes) == 0 {
			n.Changes = []Delta{{Op: OpText}}
		}
		if len(n.Changes) > 0 {
			all = append(all, n)
		}
	}
	return all
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
			lines = append(lines, fmt.Sprintf("… and %d more changes", len(deltas)-i))
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
		switch {
		case n.Lost:
			b.WriteString("Your edit of the file took out open items of others (todomd restore brings them back):\n")
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

package mdplan

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// MovedError says that a number means another item than in the plan that the
// author was shown last.
type MovedError struct {
	Ref  string
	Was  Item  // what the number meant; without a Number if nobody knows any more
	Plan *Plan // the plan as it is now
}

func (e *MovedError) Error() string {
	if e.Was.Number == "" {
		return fmt.Sprintf("item %s may be another one by now: the plan changed too often since you saw it; look at it and say the number or the text again", e.Ref)
	}
	return fmt.Sprintf("item %s is no longer %s: the plan changed since you saw it; look at it and say the number or the text again",
		e.Ref, shown(e.Was.Content))
}

func (e *MovedError) Unwrap() error { return ErrRef }

// numbersHold checks that numbers mean what they meant in the plan that the
// author was shown last.
func (s *Session) numbersHold(j *journal, p *Plan, refs []string) error {
	told, at := j.h.last(kindTold, s.by.Author, showed(false))
	if told == nil || told.Rev == p.rev || p.numberIDs() {
		return nil
	}
	var numbers []string
	for _, ref := range refs {
		if number := p.numberOf(ref); number != "" {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	k := j.h.toldAt(at)
	if k < 0 { // an older state, which the log no longer has
		return &MovedError{Ref: numbers[0], Plan: p}
	}
	for from, to := range j.h.restless(k, s.by.Author) {
		seen, err := j.h.plan(from)
		if err != nil {
			return &MovedError{Ref: numbers[0], Plan: p}
		}
		if seen.numberIDs() {
			return nil
		}
		now := p
		if to < len(j.h.revs)-1 {
			if now, err = j.h.plan(to); err != nil {
				return &MovedError{Ref: numbers[0], Plan: p}
			}
		}
		if err := seen.held(now, numbers); err != nil {
			err.Plan = p
			return err
		}
	}
	return nil
}

// held checks that numbers mean the same items in both of two revisions.
func (p *Plan) held(now *Plan, numbers []string) *MovedError {
	var to *pairs
	for _, number := range numbers {
		was, is := p.numbered(number), now.numbered(number)
		if was == nil {
			continue
		}
		if to == nil {
			to = pairPlans(p, now)
		}
		same := is != nil && (pairKey(was.content) == pairKey(is.content) || was.id != "" && was.id == is.id)
		// Of several items of one text, it has to be this one; where there are
		// more or fewer than there were, nobody can tell.
		if !same || to.to[was.index] >= 0 && to.to[was.index] != is.index || p.alike(was) != now.alike(is) {
			return &MovedError{Ref: number, Was: p.itemOf(was)}
		}
	}
	return nil
}

// alike counts the items that have the text and the id of one.
func (p *Plan) alike(n *node) int {
	count := 0
	for _, m := range p.nodes {
		if m.id == n.id && pairKey(m.content) == pairKey(n.content) {
			count++
		}
	}
	return count
}

func isNumber(ref string) bool { return bareNumber(strings.TrimSpace(ref)) }

// elsewhere are the operations that can change what a number means, as a record
// has them. A text in it can't look like this: its quotes are escaped.
var elsewhere = []string{opField(OpAdded), opField(OpRemoved), opField(OpMoved), opField(OpText), opField(OpRenamed)}

// elsewhereOwn leaves the renames out: who rewords an item by a command knows
// which one has the new text.
var elsewhereOwn = elsewhere[:len(elsewhere)-1]

func opField(op Op) string { return `"op":"` + string(op) + `"` }

// restless gives the runs of revisions, by the one before and the last one of
// each, in which numbers may have got another meaning for an author: after the
// k-th, all but those that changed statuses, fields and notes only, and those
// in which a command of the author's reworded items where they stood.
func (h *history) restless(k int, who Author) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := k; from < len(h.revs)-1; {
			to := from
			for to+1 < len(h.revs) && !h.inPlace(to+1, who) {
				to++
			}
			if to > from && !yield(from, to) {
				return
			}
			from = max(to, from+1)
		}
	}
}

// inPlace reports whether in the k-th revision every number means for an author
// what it meant before. It looks at the line of the log as it is, since reading
// many in full takes longer than all else that a command does.
func (h *history) inPlace(k int, who Author) bool {
	r := &h.records[h.revs[k]]
	line := r.raw
	if line == "" {
		line = string(r.line())
	}
	if r.Rev == "" || !strings.Contains(line, `"changes":[{"op":`) {
		return false
	}
	moving := elsewhere
	if r.author() == who && r.Via != viaFile && r.Via != viaFound {
		moving = elsewhereOwn
	}
	return !slices.ContainsFunc(moving, func(op string) bool { return strings.Contains(line, op) })
}

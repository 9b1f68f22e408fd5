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

// moving are the operations that can change what a number means, as a record has
// them. A text in it can't look like this: its quotes are escaped.
var (
	moving  = []string{opField(OpAdded), opField(OpRemoved), opField(OpMoved), opField(OpText)}
	renamed = opField(OpRenamed)
)

func opField(op Op) string { return `"op":"` + string(op) + `"` }

// turn is what a revision does to what numbers mean for an author.
type turn uint8

const (
	turnNone turn = iota // it changes statuses, fields and notes only
	turnOwn              // a command of the author's rewords items where they stand: who does that knows which one has the new text
	turnAny              // numbers may have got another meaning
)

// restless gives the runs of revisions after the k-th, by the one before and the
// last one of each, in which numbers may have got another meaning for an author.
// Between them the author reworded items.
func (h *history) restless(k int, who Author) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := k; from < len(h.revs)-1; {
			to, next := from, from+1
			for ; next < len(h.revs); next++ {
				t := h.turn(next, who)
				if t == turnOwn {
					break
				}
				if t == turnAny {
					to = next
				}
			}
			if to > from && !yield(from, to) {
				return
			}
			from = next
		}
	}
}

// turn looks at the line of the log as it is, since reading many in full takes
// longer than all else that a command does.
func (h *history) turn(k int, who Author) turn {
	r := &h.records[h.revs[k]]
	line := r.raw
	if line == "" {
		line = string(r.line())
	}
	moves := func(op string) bool { return strings.Contains(line, op) }
	switch {
	case r.Rev == "" || !moves(`"changes":[{"op":`) || slices.ContainsFunc(moving, moves):
		return turnAny
	case !moves(renamed):
		return turnNone
	case r.author() == who && r.Via != viaFile && r.Via != viaFound:
		return turnOwn
	}
	return turnAny
}

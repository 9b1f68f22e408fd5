package mdplan

import (
	"fmt"
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
	if told == nil || told.Rev == p.rev || p.numberIDs() || !slices.ContainsFunc(refs, isNumber) {
		return nil
	}
	var seen *Plan
	if k := j.h.toldAt(at); k >= 0 {
		if j.h.onlyInPlace(k + 1) {
			return nil
		}
		seen, _ = j.h.plan(k)
	}
	if seen != nil && seen.numberIDs() {
		return nil
	}
	var to *pairs
	for _, ref := range refs {
		if !isNumber(ref) {
			continue
		}
		ref = strings.TrimSpace(ref)
		if seen == nil { // an older state, which the log no longer has
			return &MovedError{Ref: ref, Plan: p}
		}
		was, now := seen.numbered(ref), p.numbered(ref)
		if was == nil {
			continue
		}
		if to == nil {
			to = pairPlans(seen, p)
		}
		same := now != nil && (pairKey(was.content) == pairKey(now.content) || was.id != "" && was.id == now.id)
		// Of several items of one text, it has to be this one; where there are
		// more or fewer than there were, nobody can tell.
		if !same || to.to[was.index] >= 0 && to.to[was.index] != now.index || seen.alike(was) != p.alike(now) {
			return &MovedError{Ref: ref, Was: seen.itemOf(was), Plan: p}
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
var elsewhere = func() []string {
	var ops []string
	for _, op := range []Op{OpAdded, OpRemoved, OpRenamed, OpMoved, OpText} {
		ops = append(ops, `"op":"`+string(op)+`"`)
	}
	return ops
}()

// onlyInPlace reports whether the revisions from the k-th on changed statuses,
// fields and notes only: then every number means what it meant. It looks at the
// lines of the log as they are, since reading many in full takes longer than
// all else that a command does.
func (h *history) onlyInPlace(k int) bool {
	for ; k < len(h.revs); k++ {
		r := &h.records[h.revs[k]]
		line := r.raw
		if line == "" {
			line = string(r.line())
		}
		if r.Rev == "" || !strings.Contains(line, `"changes":[{"op":`) {
			return false
		}
		for _, op := range elsewhere {
			if strings.Contains(line, op) {
				return false
			}
		}
	}
	return true
}

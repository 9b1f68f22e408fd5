package mdplan

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Next returns the caller's items in progress, else those that are ready, by
// priority and order. It is empty if there is nothing to do next.
func (p *Plan) Next(by Caller) []Item {
	var mine, ready []*node
	deps := p.depend()
	for _, n := range p.nodes {
		switch {
		case n.status == InProgress && p.holds(by, n):
			mine = append(mine, n)
		case deps.ready(n) && (n.field(fieldOwner) == "" || n.field(fieldOwner) == by.Name):
			ready = append(ready, n)
		}
	}
	if len(mine) > 0 {
		ready = mine
	} else {
		sortByPriority(ready)
	}
	items := make([]Item, len(ready))
	for i, n := range ready {
		items[i] = p.itemOf(n)
	}
	return items
}

// Next is what an author is to work on.
type Next struct {
	Plan      *Plan  // never nil without an error
	Exists    bool   // there is a plan file
	Items     []Item // what [Plan.Next] gives for this author
	Completed []Item // whose doneWhen path was found, as they were before
	Notice    string // why the log can't be kept
}

// Next returns the author's items in progress, else those that are ready, after
// the items whose doneWhen path exists were completed.
//
// Errors are those of [Session.Show].
func (s *Session) Next(ctx context.Context) (Next, error) {
	shown, err := s.Show(ctx, false)
	if err != nil {
		return Next{}, err
	}
	var done []Item
	by := s.by
	if at, e := resolve(s.store.path); e == nil {
		if len(shown.Plan.found(at.dir)) > 0 {
			if done = s.completeFound(ctx); len(done) > 0 {
				if shown, err = s.Show(ctx, false); err != nil {
					return Next{}, err
				}
			}
		}
		// What others started is not this author's; what the author started in
		// an earlier session is.
		by.Held = openJournal(at, s.now()).held()
		for key, who := range by.Held {
			if who.Name == by.Name {
				by.Held[key] = by.Author
			}
		}
	}
	return Next{Plan: shown.Plan, Exists: shown.Exists, Items: shown.Plan.Next(by), Completed: done, Notice: shown.Notice}, nil
}

// readyNodes returns the items that can be started, by priority and order.
func (p *Plan) readyNodes() []*node {
	ready := p.depend().readyItems()
	sortByPriority(ready)
	return ready
}

// priorities are the words and letters that order items; an item without any
// comes between medium and low.
var priorities = map[string]int{
	"critical": 0, "urgent": 0, "highest": 0, "p0": 0, "0": 0,
	"high": 1, "p1": 1, "1": 1, "a": 1,
	"medium": 2, "normal": 2, "p2": 2, "2": 2, "b": 2,
	"low": 4, "p3": 4, "3": 4, "c": 4,
	"lowest": 5, "p4": 5, "4": 5,
}

func sortByPriority(nodes []*node) {
	rank := func(n *node) int {
		if r, ok := priorities[strings.ToLower(n.field(fieldPriority))]; ok {
			return r
		}
		return 3
	}
	slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(rank(a), rank(b)) })
}

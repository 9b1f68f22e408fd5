package mdplan

import (
	"errors"
	"slices"
)

// This file finds the places of what a list adds or moves.

// reorder brings own items that are siblings in one Markdown list into the
// list's order, where that differs from the base's.
func (u *updater) reorder() error {
	if u.o.Base == nil && !u.o.Replace {
		return nil
	}
	type group struct {
		parent *node
		list   int
	}
	var order []group
	groups := map[group][]*entry{}
	for _, e := range u.list {
		if e.node == nil || !e.own || e.base == nil && !u.o.Replace {
			continue
		}
		g := group{e.node.parent, u.p.list(e.node)}
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], e)
	}
	for _, g := range order {
		entries := groups[g]
		sorted := slices.IsSortedFunc(entries, func(a, b *entry) int { return a.node.index - b.node.index })
		if sorted || !u.o.Replace && u.inBaseOrder(entries) {
			continue
		}
		c := u.p.begin("move", entries[0].read.content)
		nodes := make([]*node, len(entries))
		for i, e := range entries {
			nodes[i] = e.node
		}
		c.reorder(nodes)
		q, moved, err := c.commit()
		if errors.Is(err, ErrImpossible) {
			u.tell(OutcomeUnplaced, entries[0].read.content, "")
			continue
		}
		if err != nil {
			return err
		}
		// The groups that follow are found by their items, so only those of
		// this plan change.
		next := map[group][]*entry{}
		u.follow(q, moved)
		for i, h := range order {
			if len(groups[h]) == 0 {
				continue
			}
			n := groups[h][0].node
			order[i] = group{n.parent, q.list(n)}
			next[order[i]] = groups[h]
		}
		groups = next
	}
	return nil
}

func (u *updater) inBaseOrder(entries []*entry) bool {
	at := func(e *entry) int {
		for i := range u.o.Base.Items {
			if &u.o.Base.Items[i] == e.base {
				return i
			}
		}
		return -1
	}
	return slices.IsSortedFunc(entries, func(a, b *entry) int { return at(a) - at(b) })
}

// nest moves own items below another parent, where the list says something
// about nesting that the base did not.
func (u *updater) nest() error {
	if !u.nested || u.o.Base == nil && !u.o.Replace {
		return nil
	}
	for i, e := range u.list {
		if e.node == nil || !e.own || e.base == nil && !u.o.Replace {
			continue
		}
		var parent *node
		if e.parent >= 0 {
			if parent = u.list[e.parent].node; parent == nil {
				continue // goes there when that is added
			}
		}
		if e.node.parent == parent || !u.o.Replace && u.sameBaseParent(e) {
			continue
		}
		s := u.spot(i)
		err := attempts(ways, func(w way) error {
			c := u.p.begin("move", e.read.content)
			if err := c.relocate(e.node, s, w); err != nil {
				return err
			}
			q, moved, err := c.commit()
			if err == nil {
				u.follow(q, moved)
			}
			return err
		})
		if errors.Is(err, ErrImpossible) {
			u.tell(OutcomeUnplaced, e.read.content, "")
		} else if err != nil {
			return err
		}
	}
	return nil
}

// sameBaseParent reports whether the base had an item below the same parent.
func (u *updater) sameBaseParent(e *entry) bool {
	var had *BaseItem
	if e.base.Parent >= 0 {
		had = &u.o.Base.Items[e.base.Parent]
	}
	if e.parent < 0 {
		return had == nil
	}
	return had != nil && u.list[e.parent].base == had
}

// spot returns where a new or moved item of the list goes: behind the item
// that it follows, else before the one that it precedes.
func (u *updater) spot(i int) spot {
	e := u.list[i]
	for j := i - 1; j >= 0 && j > e.parent; j-- {
		if f := u.list[j]; f.parent == e.parent && f.node != nil && u.beside(f, e) {
			return spot{after: f.node}
		}
	}
	for j := i + 1; j < len(u.list); j++ {
		if f := u.list[j]; f.parent == e.parent && f.node != nil && u.beside(f, e) {
			return spot{before: f.node}
		}
	}
	if e.parent >= 0 {
		return spot{under: u.list[e.parent].node}
	}
	return u.p.lastSpot()
}

// beside reports whether f may be the neighbour by which e is placed: in a
// nested list only an item that the plan has below the same parent.
func (u *updater) beside(f, e *entry) bool {
	if f.node == e.node || e.node != nil && e.node.holds(f.node) {
		return false
	}
	if e.parent < 0 {
		return !u.nested || f.node.parent == nil
	}
	return f.node.parent == u.list[e.parent].node
}

// addAll adds what is new: the items at the top first, then those below them.
func (u *updater) addAll() error {
	for _, e := range u.list {
		// What is new under an item that somebody deleted goes under the next one
		// up that is still there.
		for e.node == nil && !e.gone && e.parent >= 0 && u.list[e.parent].gone {
			e.parent = u.list[e.parent].parent
		}
	}
	for {
		i := slices.IndexFunc(u.list, func(e *entry) bool {
			return e.node == nil && !e.gone && (e.parent < 0 || u.list[e.parent].node != nil)
		})
		if i < 0 {
			return nil
		}
		if err := u.addFrom(i); err != nil {
			return err
		}
	}
}

// addFrom adds the new items that follow each other from i on.
func (u *updater) addFrom(i int) error {
	s := u.spot(i)
	run := []*entry{u.list[i]}
	for j := i + 1; j < len(u.list); j++ {
		e := u.list[j]
		if e.parent != u.list[i].parent {
			continue
		}
		if e.gone {
			continue
		}
		if e.node != nil {
			break
		}
		run = append(run, e)
	}
	items := make([]reading, len(run))
	for k, e := range run {
		items[k] = e.read
		items[k].dependsOn = e.guessed()
		if items[k].status == "" {
			items[k].status = Pending
		}
		if id := items[k].id; id != "" && u.taken(id, nil) {
			u.tell(OutcomeID, e.read.content, id)
			items[k].id = ""
		}
	}
	err := attempts(ways, func(w way) error {
		c := u.p.begin("add", items[0].content)
		if err := c.add(s, w, items...); err != nil {
			return err
		}
		q, moved, err := c.commit()
		if err != nil {
			return err
		}
		u.follow(q, moved)
		for k, n := range c.allAdded(q) {
			run[k].node = n
			u.tell(OutcomeAdded, n.content, "")
		}
		return nil
	})
	return u.p.explained(err, s.holder())
}

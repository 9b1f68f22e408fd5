package mdplan

import "slices"

// Changes is the outcome of an operation on several items.
type Changes struct {
	Plan     *Plan    // the plan afterwards, the same one if nothing changed
	Items    []Item   // as they are now; for RemoveAll as they were
	Ready    []Item   // what waited only for this and can be started now
	Warnings []string // limits that a human has passed
}

// SetStatusAll gives several items a status, all or none. The references mean
// items of the plan as it is before.
//
// Errors: those of [Plan.SetStatus]; an [Errors] where there are several.
func (p *Plan) SetStatusAll(by Caller, refs []string, s Status) (Changes, error) {
	nodes, err := p.findAll(refs)
	if err != nil {
		return Changes{}, err
	}
	q := p
	var errs []error
	var starts []*node
	for _, n := range nodes {
		// A status adds no item, so every item keeps its index.
		m := q.nodes[n.index]
		var waits error
		if s == InProgress && n.status != InProgress {
			if waits = q.mayStart(m, q.depend().waitsFor(m)); waits == nil {
				starts = append(starts, n)
			}
		}
		next, _, err := q.setStatus(m, s)
		if err = joinErrors(waits, err); err != nil {
			errs = append(errs, err)
			continue
		}
		q = next
	}
	warnings, err := p.mayHold(by, starts)
	if err := joinErrors(append(errs, err)...); err != nil {
		return Changes{}, err
	}
	now := func(n *node) *node { return q.nodes[n.index] }
	c := Changes{Plan: q, Ready: p.readyAfter(q, now), Warnings: warnings}
	for _, n := range nodes {
		c.Items = append(c.Items, q.itemOf(now(n)))
	}
	return c, nil
}

// RemoveAll takes several items out, with their notes and sub-items, all or
// none. The references mean items of the plan as it is before. What something
// depends on can go together with that.
//
// Errors: those of [Plan.Remove]; an [Errors] where there are several.
func (p *Plan) RemoveAll(by Caller, refs []string) (Changes, error) {
	nodes, err := p.findAll(refs)
	if err != nil || len(nodes) == 0 {
		return Changes{Plan: p}, err
	}
	nodes = outermost(nodes)
	q, moved, err := p.takeOut(nodes)
	if err != nil {
		return Changes{}, err
	}
	c := Changes{Plan: q, Ready: p.readyAfter(q, moved)}
	for _, n := range nodes {
		c.Items = append(c.Items, p.itemOf(n))
	}
	return c, nil
}

// outermost sorts items into the document's order, without those that stand
// inside another of them.
func outermost(nodes []*node) []*node {
	slices.SortFunc(nodes, func(a, b *node) int { return a.index - b.index })
	var outer []*node
	for _, n := range nodes {
		if len(outer) == 0 || !outer[len(outer)-1].holds(n) {
			outer = append(outer, n)
		}
	}
	return outer
}

// findAll returns the items that references mean, each once.
func (p *Plan) findAll(refs []string) ([]*node, error) {
	var nodes []*node
	var errs []error
	for _, ref := range refs {
		n, err := p.find(ref)
		if err != nil {
			errs = append(errs, err)
		} else if !slices.Contains(nodes, n) {
			nodes = append(nodes, n)
		}
	}
	return nodes, joinErrors(errs...)
}

package mdplan

import "cmp"

// Caller is who changes a plan, with the settings of their flags and
// environment, which win over those in the file. A [Session] fills in Held and
// Own from its log.
type Caller struct {
	Author
	Settings Settings
	// Held has the items in progress of other authors and sessions, by their
	// content: they do not count against this caller's limit.
	Held map[string]Author
	// Own has the items that this caller brought, by their content: the open
	// ones count against the limit when one more is added.
	Own map[string]bool
}

// Change is the outcome of an operation on one item.
type Change struct {
	Plan     *Plan    // the plan afterwards, the same one if nothing changed
	Item     Item     // as it is now; for Remove as it was
	Ready    []Item   // what waited only for this change and can be started now
	Warnings []string // limits that a human has passed
}

// Place says where [Plan.Add] puts an item. The zero value means behind the
// last open top-level item, else at the end of the plan.
type Place struct {
	After string // a reference: behind this item
	Under string // a reference: the last sub-item of this one
}

// SetStatus gives an item a status. Exactly its mark changes in the file.
//
// Errors: a [*RefError]; a [*RuleError] if an item is to start that waits for
// others or is one too many in progress; an [*ImpossibleError].
func (p *Plan) SetStatus(by Caller, ref string, s Status) (Change, error) {
	n, err := p.find(ref)
	if err != nil {
		return Change{}, err
	}
	var warnings []string
	if s == InProgress && n.status != InProgress {
		var limit error
		waits := p.mayStart(n, p.depend().waitsFor(n))
		warnings, limit = p.mayHold(by, []*node{n})
		if err := joinErrors(waits, limit); err != nil {
			return Change{}, err
		}
	}
	q, moved, err := p.setStatus(n, s)
	if err != nil {
		return Change{}, err
	}
	return Change{Plan: q, Item: q.itemOf(moved(n)), Ready: p.readyAfter(q, moved), Warnings: warnings}, nil
}

// setStatus gives an item a status, whatever it waits for.
func (p *Plan) setStatus(n *node, s Status) (q *Plan, moved func(*node) *node, err error) {
	if !s.valid() {
		return nil, nil, statusError("Item "+n.number(), n.number(), s)
	}
	c := p.begin("change", n.content)
	if err := c.setStatus(n, s); err != nil {
		return nil, nil, err
	}
	return c.commit()
}

// Add adds an item. A mark, with a bullet before it or without, "#id:" and fields
// in the text are taken as such.
//
// Errors: a [*RefError] for the place; a [*RuleError] for a text without
// content, an id that is taken, or dependencies that are none; an
// [*ImpossibleError].
func (p *Plan) Add(by Caller, text string, at Place) (Change, error) {
	deps := p.depend()
	said := p.newNode(p.unbulleted(text))
	refs := deps.refs(said.field(fieldDependsOn))
	r := said.reading()
	if r.status == "" {
		r.status = Pending
	}
	s, err := p.spotOf(at)
	if err != nil {
		return Change{}, err
	}
	on, warnings, err := p.mayRead(by, deps, nil, r, refs)
	if err := joinErrors(err, p.mayAdd(by, r, &warnings)); err != nil {
		return Change{}, err
	}
	r.dependsOn = deps.names(on, refs)
	var q *Plan
	var moved func(*node) *node
	var added *node
	err = attempts(ways, func(w way) error {
		c := p.begin("add", r.content)
		if err := c.add(s, w, r); err != nil {
			return err
		}
		var err error
		if q, moved, err = c.commit(); err == nil {
			added = c.added(q)
		}
		return err
	})
	if err != nil {
		return Change{}, p.explained(err, s.holder())
	}
	place := added.index
	if q, _, err = deps.carry("add", q, moved, meaning{n: added, on: on}); err != nil {
		return Change{}, err
	}
	// References and ids add no item, so every item keeps its index.
	return Change{Plan: q, Item: q.itemOf(q.nodes[place]), Warnings: warnings}, nil
}

// added returns the first item of q that the change has brought.
func (c *change) added(q *Plan) *node {
	all := c.allAdded(q)
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

func (c *change) allAdded(q *Plan) []*node {
	var nodes []*node
	at := 0
	for _, x := range c.want {
		switch {
		case x.free:
			at += len(q.doc.events) - len(c.want)
		case x.old < 0:
			nodes = append(nodes, q.itemAt(q.doc.events[at]))
		}
		at++
	}
	return nodes
}

// holder is the item beside or below which a spot is, nil at the end of the file.
func (s spot) holder() *node { return cmp.Or(s.after, s.before, s.under) }

func (p *Plan) spotOf(at Place) (spot, error) {
	switch {
	case at.After != "" && at.Under != "":
		return spot{}, noneMeant("an item goes either after one or under one")
	case at.After != "":
		n, err := p.find(at.After)
		return spot{after: n}, err
	case at.Under != "":
		n, err := p.find(at.Under)
		return spot{under: n}, err
	}
	return p.lastSpot(), nil
}

// lastSpot is where an item goes that has no neighbour: behind the last open
// top-level item, else at the end of the plan.
func (p *Plan) lastSpot() spot {
	for i := len(p.top) - 1; i >= 0; i-- {
		if p.top[i].status.Open() {
			return spot{after: p.top[i]}
		}
	}
	if len(p.top) > 0 {
		return spot{after: p.top[len(p.top)-1]}
	}
	return spot{}
}

// Remove takes an item out, with its notes and sub-items.
//
// Errors: a [*RefError]; a [*RuleError] if an item that stays depends on one
// that goes; an [*ImpossibleError].
func (p *Plan) Remove(by Caller, ref string) (Change, error) {
	n, err := p.find(ref)
	if err != nil {
		return Change{}, err
	}
	was := p.itemOf(n)
	q, moved, err := p.takeOut([]*node{n})
	if err != nil {
		return Change{}, err
	}
	return Change{Plan: q, Item: was, Ready: p.readyAfter(q, moved)}, nil
}

// takeOut removes items, none inside another, that nothing else depends on.
func (p *Plan) takeOut(nodes []*node) (q *Plan, moved func(*node) *node, err error) {
	deps := p.depend()
	if err := deps.mayRemove(nodes); err != nil {
		return nil, nil, err
	}
	if q, moved, err = p.removeAll("remove", nodes); err != nil {
		return nil, nil, err
	}
	return deps.carry("remove", q, moved)
}

// removeAll takes out items, in document order, none inside another.
func (p *Plan) removeAll(op string, nodes []*node) (q *Plan, moved func(*node) *node, err error) {
	err = attempts([]way{{}, {above: true}}, func(w way) error {
		c := p.begin(op, nodes[0].content)
		if err := c.remove(nodes, w); err != nil {
			return err
		}
		var err error
		q, moved, err = c.commit()
		return err
	})
	return q, moved, err
}

// Edit gives an item another text. A mark, with a bullet before it or without,
// "#id:" and fields in it are taken as such; an id and fields that it does not
// have stay as they are, and a field that it has without a value, as in
// "(dependsOn::)", is taken away. Others' dependencies on the item stay, whatever
// text or id it gets.
//
// Errors: a [*RefError]; a [*RuleError] as for [Plan.Add]; an [*ImpossibleError].
func (p *Plan) Edit(by Caller, ref, text string) (Change, error) {
	n, err := p.find(ref)
	if err != nil {
		return Change{}, err
	}
	deps := p.depend()
	said, was := p.newNode(p.unbulleted(text)), n.reading()
	r := said.reading().over(was)
	for _, f := range said.fields {
		if f.value == "" {
			r.clear(f.name)
		}
	}
	says := r.dependsOn != was.dependsOn
	var refs []string
	if says {
		refs = deps.refs(said.field(fieldDependsOn))
	}
	on, warnings, err := p.mayRead(by, deps, n, r, refs)
	if err != nil {
		return Change{}, err
	}
	if says {
		r.dependsOn = deps.names(on, refs)
	}
	c := p.begin("change", n.content)
	if err := c.setStatus(n, r.status); err != nil {
		return Change{}, err
	}
	c.setText(n, r)
	q, moved, err := c.commit()
	if err != nil {
		return Change{}, err
	}
	var meant []meaning
	if says {
		meant = []meaning{{n: moved(n), on: on, refs: refs}}
	}
	if q, moved, err = deps.carry("change", q, moved, meant...); err != nil {
		return Change{}, err
	}
	return Change{Plan: q, Item: q.itemOf(moved(n)), Ready: p.readyAfter(q, moved), Warnings: warnings}, nil
}

// clear takes a field's value away.
func (r *reading) clear(field string) {
	switch field {
	case fieldPriority:
		r.priority = ""
	case fieldDependsOn:
		r.dependsOn = ""
	case fieldOwner:
		r.owner = ""
	case fieldDoneWhen:
		r.doneWhen = ""
	}
}

// over fills what r does not have from another reading. The content is r's.
func (r reading) over(below reading) reading {
	or := func(a *string, b string) {
		if *a == "" {
			*a = b
		}
	}
	if r.status == "" {
		r.status = below.status
	}
	or(&r.id, below.id)
	or(&r.priority, below.priority)
	or(&r.dependsOn, below.dependsOn)
	or(&r.owner, below.owner)
	or(&r.doneWhen, below.doneWhen)
	return r
}

// Note appends a text to an item's notes: a failed attempt and its error, a
// link, a decision. Markdown in it stays Markdown; a text that would make or
// hide items is put into a code fence.
//
// Errors: a [*RefError], an [*ImpossibleError]; a [*RuleError] for an empty text.
func (p *Plan) Note(by Caller, ref, text string) (Change, error) {
	n, err := p.find(ref)
	if err != nil {
		return Change{}, err
	}
	if cleanNote(text) == "" {
		return Change{}, &RuleError{Code: "content", Item: n.number(), Msg: "a note needs a text"}
	}
	q, m, err := p.note(n, text)
	if err != nil {
		return Change{}, p.explained(err, n)
	}
	return Change{Plan: q, Item: q.itemOf(m)}, nil
}

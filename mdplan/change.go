package mdplan

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// change is one rewrite of a plan: edits of its bytes, and what the result is
// to read. In Markdown, adding or removing a line is not local: it can join
// blocks, end a list or turn text into a heading. So the result is parsed and
// every block of it is compared with what was meant before anyone sees it.
type change struct {
	p     *Plan
	op    string // for errors
	item  string
	edits []edit
	want  []expect
}

// expect is one event of the result.
type expect struct {
	old     int      // the event of the plan that it was, -1 for a new item
	reading *reading // what the item is to read, nil: as it was
	depth   int      // how many containers hold it
	grows   bool     // lines of a note may follow in the same paragraph
	free    bool     // stands for the blocks of a note, however many
}

// reading is what the first line of an item says.
type reading struct {
	status                                            Status
	id, content, priority, dependsOn, owner, doneWhen string
}

func (n *node) reading() reading {
	return reading{n.status, n.id, n.content, n.field(fieldPriority), joinIDs(n.dependsOn()),
		n.field(fieldOwner), n.field(fieldDoneWhen)}
}

// namedField is a field as it is written.
type namedField struct{ name, value string }

// fields returns the fields of a reading, the id aside, in the order in which
// they are written.
func (r reading) fields() []namedField {
	return []namedField{
		{fieldPriority, r.priority}, {fieldDependsOn, r.dependsOn}, {fieldOwner, r.owner}, {fieldDoneWhen, r.doneWhen},
	}
}

func (p *Plan) begin(op, item string) *change {
	c := &change{p: p, op: op, item: item, want: make([]expect, len(p.doc.events))}
	for i, e := range p.doc.events {
		c.want[i] = expect{old: i, depth: int(e.depth)}
	}
	return c
}

func (p *Plan) event(n *node) int    { return p.doc.bullets[n.bullet].event }
func (p *Plan) eventEnd(n *node) int { return p.doc.bullets[n.bullet].eventEnd }

// at returns where in want the event of an item stands.
func (c *change) at(n *node) int {
	old := c.p.event(n)
	if old < len(c.want) && c.want[old].old == old {
		return old
	}
	return slices.IndexFunc(c.want, func(x expect) bool { return x.old == old })
}

// commit applies the edits and verifies the result. moved gives for an item of
// the old plan the one of the new plan, nil if it was removed.
func (c *change) commit() (q *Plan, moved func(*node) *node, err error) {
	if len(c.edits) == 0 {
		return c.p, func(n *node) *node { return n }, nil
	}
	src, err := splice(c.p.src, c.edits)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %q: %w", c.op, c.item, err)
	}
	q, err = c.p.reparse(src, c.edits)
	if err != nil {
		return nil, nil, fmt.Errorf("%s %q: %w", c.op, c.item, err)
	}
	if why := c.verify(q); why != "" {
		return nil, nil, &ImpossibleError{Op: c.op, Item: c.item, Why: why}
	}
	q.labels, q.marks = c.p.labels, c.p.dialect()
	return q, c.follower(q), nil
}

// follower returns a function that gives for an item of the old plan the one
// of the new plan.
func (c *change) follower(q *Plan) func(*node) *node {
	var to []int // for each event of the old plan that of the new one, plus 1
	return func(n *node) *node {
		if to == nil {
			to = make([]int, len(c.p.doc.events))
			at := 0
			for _, x := range c.want {
				if x.free {
					at += len(q.doc.events) - len(c.want)
				} else if x.old >= 0 {
					to[x.old] = at + 1
				}
				at++
			}
		}
		if at := to[c.p.event(n)]; at > 0 {
			return q.itemAt(q.doc.events[at-1])
		}
		return nil
	}
}

// verify returns what would read differently, "" if the result is as meant.
func (c *change) verify(q *Plan) string {
	events := q.doc.events
	extra := len(events) - len(c.want)
	at := 0
	for _, x := range c.want {
		if x.free {
			for range extra + 1 {
				if at >= len(events) || q.itemAt(events[at]) != nil {
					return "it would make or hide an item"
				}
				at++
			}
			continue
		}
		if at >= len(events) {
			return "the blocks at the end of the file would be joined"
		}
		if !c.same(x, q, events[at]) {
			return "it would change how " + c.place(x) + " reads"
		}
		at++
	}
	if at != len(events) {
		return "it would make text outside of it into blocks of their own"
	}
	return ""
}

func (c *change) place(x expect) string {
	if x.old < 0 {
		return "the new item"
	}
	e := c.p.doc.events[x.old]
	if e.kind == kindBullet {
		line, _ := position(c.p.src, c.p.doc.bullets[e.bullet].start)
		return fmt.Sprintf("line %d", line)
	}
	if lines := c.p.doc.linesOf(e); len(lines) > 0 {
		line, _ := position(c.p.src, lines[0].start)
		return fmt.Sprintf("line %d", line)
	}
	return "a line"
}

// itemAt returns the item whose event e is, nil for any other block.
func (p *Plan) itemAt(e event) *node {
	if e.kind != kindBullet {
		return nil
	}
	return p.byBullet[e.bullet]
}

func (c *change) same(x expect, q *Plan, e event) bool {
	n := q.itemAt(e)
	if x.old < 0 {
		return n != nil && n.reading() == *x.reading && int(e.depth) == x.depth &&
			(e.lines.len() == 1 || x.grows) && q.doc.bullets[e.bullet].firstKind == kindParagraph
	}
	p := c.p
	o := p.doc.events[x.old]
	if o.kind != e.kind || o.level != e.level || int(e.depth) != x.depth {
		return false
	}
	old := p.itemAt(o)
	if (old == nil) != (n == nil) {
		return false
	}
	from := 0
	if o.kind == kindBullet {
		a, b := &p.doc.bullets[o.bullet], &q.doc.bullets[e.bullet]
		if a.firstKind != b.firstKind || a.firstLevel != b.firstLevel {
			return false
		}
		if x.reading != nil {
			if n == nil || n.reading() != *x.reading {
				return false
			}
			from = 1
		}
	}
	return sameLines(p.doc, o, q.doc, e, from, x.grows)
}

// sameLines compares the lines of two blocks from one on. With grows, the
// second may have more.
func sameLines(d *document, o event, f *document, e event, from int, grows bool) bool {
	old, now := d.linesOf(o), f.linesOf(e)
	if len(old) != len(now) && (!grows || len(now) < len(old)) {
		return false
	}
	for i := from; i < len(old); i++ {
		if !bytes.Equal(d.value(old[i]), f.value(now[i])) {
			return false
		}
	}
	return true
}

// attempts tries ways to write one thing until Markdown reads one of them as
// meant. The first error counts: the plain way says best what is in the way.
func attempts[T any](ways []T, try func(T) error) error {
	var first error
	for _, w := range ways {
		err := try(w)
		if err == nil || !errors.Is(err, ErrImpossible) {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

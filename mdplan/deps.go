package mdplan

import "strings"

// deps resolves what items depend on. It is made for one look at a plan.
type deps struct {
	p       *Plan
	byID    map[string]*node
	byText  map[string]*node
	byPlace map[string]*node // by number; nil where ids are bare numbers
	on      map[*node][]*node
}

// depend returns the dependencies of the plan. Where no item has any it costs
// one look at each item.
func (p *Plan) depend() *deps {
	d := &deps{p: p}
	for _, n := range p.nodes {
		on := n.dependsOn()
		if len(on) == 0 {
			continue
		}
		if d.on == nil {
			d.on = map[*node][]*node{}
		}
		for _, ref := range on {
			if m := d.resolve(ref); m != nil && m != n {
				d.on[n] = append(d.on[n], m)
			}
		}
	}
	return d
}

// resolve returns the item that a dependency names: by its id, else by its
// number, else by its whole text; nil if there is none.
func (d *deps) resolve(ref string) *node {
	if d.byID == nil {
		d.index()
	}
	ref = strings.TrimPrefix(strings.TrimSpace(ref), "#")
	if n := d.byID[ref]; n != nil {
		return n
	}
	if n := d.byPlace[ref]; n != nil {
		return n
	}
	return d.byText[pairKey(ref)]
}

func (d *deps) index() {
	d.byID, d.byText = map[string]*node{}, map[string]*node{}
	if !d.p.numberIDs() {
		d.byPlace = map[string]*node{}
	}
	for _, n := range d.p.nodes {
		if n.id != "" && d.byID[n.id] == nil {
			d.byID[n.id] = n
		}
		if key := pairKey(n.content); key != "" && d.byText[key] == nil {
			d.byText[key] = n
		}
		if d.byPlace != nil {
			d.byPlace[n.number()] = n
		}
	}
}

// waitsFor returns the open items that an item depends on.
func (d *deps) waitsFor(n *node) []*node {
	var open []*node
	for _, m := range d.on[n] {
		if m.status.Open() {
			open = append(open, m)
		}
	}
	return open
}

// ready reports whether an item is pending and neither it nor an item that holds
// it waits for another.
func (d *deps) ready(n *node) bool {
	if n.status != Pending || len(d.waitsFor(n)) > 0 {
		return false
	}
	for _, a := range n.ancestors() {
		if len(d.waitsFor(a)) > 0 {
			return false
		}
	}
	return true
}

// path returns the items from one to another along dependencies, nil if there
// is no such way.
func (d *deps) path(from, to *node) []*node {
	came := map[*node]*node{from: nil}
	for queue := []*node{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if n == to {
			var back []*node
			for ; n != nil; n = came[n] {
				back = append([]*node{n}, back...)
			}
			return back
		}
		for _, m := range d.on[n] {
			if _, seen := came[m]; !seen {
				came[m] = n
				queue = append(queue, m)
			}
		}
	}
	return nil
}

// readyAfter returns the items of q that can be started and waited before.
func (p *Plan) readyAfter(q *Plan, moved func(*node) *node) []Item {
	before := p.depend()
	if len(before.on) == 0 {
		return nil
	}
	after := q.depend()
	var items []Item
	for n := range before.on {
		if len(before.waitsFor(n)) == 0 {
			continue
		}
		if m := moved(n); m != nil && after.ready(m) {
			items = append(items, q.itemOf(m))
		}
	}
	sortByLine(items)
	return items
}

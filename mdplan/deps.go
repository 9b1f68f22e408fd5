package mdplan

import (
	"slices"
	"strconv"
	"strings"
)

// deps is what the items of a plan depend on. It is made once for a plan, in
// linear time, and not changed.
type deps struct {
	p        *Plan
	byID     map[string]*node // the first item of an id
	numbers  bool             // numbers name items: no id is a bare number
	byText   map[string]*node
	sameText map[string]int // how many items have a text
	needs    [][]*node      // by node.index, without repetition
	unknown  [][]string     // references that name no item
}

// depend resolves the dependencies of all items.
func (p *Plan) depend() *deps {
	d := &deps{
		p: p, byID: map[string]*node{}, numbers: true,
		needs: make([][]*node, len(p.nodes)), unknown: make([][]string, len(p.nodes)),
	}
	for _, n := range p.nodes {
		if n.id == "" {
			continue
		}
		if d.byID[n.id] == nil {
			d.byID[n.id] = n
		}
		d.numbers = d.numbers && !bareNumber(n.id)
	}
	for _, n := range p.nodes {
		refs := n.dependsOn()
		if len(refs) == 0 {
			continue
		}
		seen := make(map[*node]bool, len(refs))
		missing := make(map[string]bool)
		for _, ref := range refs {
			m := d.resolve(ref)
			switch {
			case m == nil && !missing[ref]:
				missing[ref] = true
				d.unknown[n.index] = append(d.unknown[n.index], ref)
			case m != nil && !seen[m]:
				seen[m] = true
				d.needs[n.index] = append(d.needs[n.index], m)
			}
		}
	}
	return d
}

// resolve returns the item that a reference names: by its id, else by its
// number, else by its whole text. A text that several items have names none. A
// "#" before it may be a part of the text, else it stands before an id.
func (d *deps) resolve(ref string) *node {
	if d.isText(ref) {
		return d.byText[pairKey(ref)]
	}
	ref = strings.TrimPrefix(strings.TrimSpace(ref), "#")
	if n := d.byID[ref]; n != nil {
		return n
	}
	if d.numbers && bareNumber(ref) {
		if n := d.p.numbered(ref); n != nil {
			return n
		}
	}
	key := pairKey(ref)
	if d.texts(key) != 1 {
		return nil
	}
	return d.byText[key]
}

// refs reads dependencies as a call says them. A text with commas may be one.
func (d *deps) refs(list string) []string {
	return splitRefs(list, func(ref string) bool {
		if strings.HasPrefix(ref, "#") {
			return d.isText(ref)
		}
		return d.resolve(ref) != nil
	})
}

// isText reports whether a reference with a "#" before it is with that the whole
// text of one item.
func (d *deps) isText(ref string) bool {
	return strings.HasPrefix(ref, "#") && d.texts(pairKey(ref)) == 1
}

// names writes dependencies on items, but for those that have no name here.
// Where there is no item, the reference stays.
func (d *deps) names(on []*node, refs []string) string {
	var names []string
	for i, n := range on {
		if n == nil {
			names = append(names, refs[i])
		} else if name, ok := d.name(n); ok {
			names = append(names, name)
		}
	}
	return joinIDs(names)
}

// texts returns how many items have a text.
func (d *deps) texts(key string) int {
	if d.byText == nil { // most plans refer by ids alone
		d.byText = make(map[string]*node, len(d.p.nodes))
		d.sameText = make(map[string]int, len(d.p.nodes))
		for _, n := range d.p.nodes {
			k := pairKey(n.content)
			d.byText[k] = n
			d.sameText[k]++
		}
	}
	if key == "" {
		return 0
	}
	return d.sameText[key]
}

// numbered returns the item of a number such as "2.1", nil if there is none.
func (p *Plan) numbered(number string) *node {
	var n *node
	level := p.top
	for part := range strings.SplitSeq(number, ".") {
		place, err := strconv.Atoi(part)
		if err != nil || place < 1 || place > len(level) {
			return nil
		}
		n = level[place-1]
		level = n.subs
	}
	return n
}

// bareNumber reports whether an id looks like the number of an item.
func bareNumber(id string) bool {
	for part := range strings.SplitSeq(id, ".") {
		if part == "" || strings.Trim(part, "0123456789") != "" {
			return false
		}
	}
	return true
}

// waitsFor returns the open items that keep n from being started. An item
// never waits for itself or for an item that it is part of: those can't close
// before it.
func (d *deps) waitsFor(n *node) []*node {
	var open []*node
	for _, m := range d.needs[n.index] {
		if m.status.Open() && !m.holds(n) {
			open = append(open, m)
		}
	}
	return open
}

// holds reports whether n is m or an item inside of it.
func (m *node) holds(n *node) bool {
	for ; n != nil; n = n.parent {
		if n == m {
			return true
		}
	}
	return false
}

// ready reports whether n is pending and waits for nothing, nor does an item
// that it is part of, but for what is in that item itself.
func (d *deps) ready(n *node) bool {
	if n.status != Pending {
		return false
	}
	for up := n; up != nil; up = up.parent {
		for _, m := range d.needs[up.index] {
			if m.status.Open() && !m.holds(n) && (up == n || !up.holds(m)) {
				return false
			}
		}
	}
	return true
}

// readyItems returns the items that could be started, in document order.
func (d *deps) readyItems() []*node {
	var ready []*node
	for _, n := range d.p.nodes {
		if d.ready(n) {
			ready = append(ready, n)
		}
	}
	return ready
}

// cycles returns the cycles among the dependencies, one for each dependency
// that closes one on a walk in document order. Each begins with the item that
// comes first in the file, if it is short enough to be shown whole. There is
// no recursion: a chain may be as long as the plan.
func (d *deps) cycles() [][]*node {
	var found [][]*node
	onPath := make([]int, len(d.p.nodes)) // where, from 1; -1: walked
	next := make([]int, len(d.p.nodes))   // the dependency to be walked next
	var path []*node
	for _, root := range d.p.nodes {
		if onPath[root.index] != 0 || len(d.needs[root.index]) == 0 {
			continue
		}
		path = append(path, root)
		onPath[root.index] = 1
		for len(path) > 0 {
			n := path[len(path)-1]
			if next[n.index] == len(d.needs[n.index]) {
				onPath[n.index] = -1
				path = path[:len(path)-1]
				continue
			}
			m := d.needs[n.index][next[n.index]]
			next[n.index]++
			switch at := onPath[m.index]; {
			case at > 0:
				found = append(found, cycle(path[at-1:]))
			case at == 0:
				path = append(path, m)
				onPath[m.index] = len(path)
			}
		}
	}
	return found
}

// cycle copies what is shown of a cycle: all of a short one, from its first
// item on, else maxNames items and the last one.
func cycle(path []*node) []*node {
	if len(path) > maxNames+1 {
		return append(slices.Clone(path[:maxNames]), path[len(path)-1])
	}
	first := 0
	for i, n := range path {
		if n.index < path[first].index {
			first = i
		}
	}
	return append(slices.Clone(path[first:]), path[:first]...)
}

// path returns the items from one to another along dependencies, nil if there
// is no such way.
func (d *deps) path(from, to *node) []*node {
	came := map[*node]*node{from: nil}
	for queue := []*node{from}; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		if n == to {
			var path []*node
			for ; n != nil; n = came[n] {
				path = append(path, n)
			}
			slices.Reverse(path)
			return path
		}
		for _, m := range d.needs[n.index] {
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
	var after *deps
	var items []Item
	for _, n := range p.nodes {
		if len(before.needs[n.index]) == 0 || n.status != Pending || before.ready(n) {
			continue
		}
		if after == nil {
			after = q.depend()
		}
		if m := moved(n); m != nil && after.ready(m) {
			items = append(items, q.itemOf(m))
		}
	}
	return items
}

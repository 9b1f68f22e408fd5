package mdplan

import (
	"bytes"
	"slices"
	"strings"
)

// Diff returns what changed between two revisions of a plan, item by item in
// the order of the new one, what was removed first. It is empty only if the
// bytes are the same: a change that touches no item is an [OpText].
func Diff(old, new *Plan) []Delta {
	if bytes.Equal(old.src, new.src) {
		return nil
	}
	to := pairPlans(old, new)
	var deltas []Delta
	for i, n := range old.nodes {
		if to.to[i] < 0 {
			deltas = append(deltas, Delta{Op: OpRemoved, Content: n.content, ID: n.id, Line: n.line, Status: n.status})
		}
	}
	moved := movedItems(old, new, to)
	for j, n := range new.nodes {
		i := to.from[j]
		d := Delta{Content: n.content, ID: n.id, Line: n.line}
		if i < 0 {
			d.Op, d.Status = OpAdded, n.status
			deltas = append(deltas, d)
			continue
		}
		m := old.nodes[i]
		add := func(op Op, from, to string) {
			d.Op, d.From, d.To = op, from, to
			deltas = append(deltas, d)
		}
		if m.content != n.content {
			add(OpRenamed, m.content, n.content)
		}
		if m.status != n.status {
			add(OpStatus, string(m.status), string(n.status))
		}
		if a, b := fieldDiff(m, n); a != b {
			add(OpFields, a, b)
		}
		if moved[j] {
			add(OpMoved, m.number(), n.number())
		}
		if old.notes(m) != new.notes(n) {
			add(OpNotes, "", "")
		}
	}
	if len(deltas) == 0 || old.outside() != new.outside() {
		deltas = append(deltas, Delta{Op: OpText})
	}
	return deltas
}

// pairPlans pairs the items of two revisions of a file. Most edits leave what
// stands above and below them as it was.
func pairPlans(old, new *Plan) *pairs {
	p := newPairs(make([]keyed, len(old.nodes)), make([]keyed, len(new.nodes)))
	same := func(i, j int) bool {
		a, b := old.nodes[i], new.nodes[j]
		return a.id == b.id && (a.content == b.content || pairKey(a.content) == pairKey(b.content))
	}
	i, n, m := 0, len(p.a), len(p.b)
	for ; i < min(n, m) && same(i, i); i++ {
		p.join(i, i)
	}
	for ; min(n, m) > i && same(n-1, m-1); n, m = n-1, m-1 {
		p.join(n-1, m-1)
	}
	if i == n && i == m {
		return p
	}
	for k := i; k < n; k++ {
		p.a[k] = old.nodes[k].keyed() // those that have a pair need none
	}
	for k := i; k < m; k++ {
		p.b[k] = new.nodes[k].keyed()
	}
	p.byText(true)
	p.byID()
	p.byGap()
	return p
}

// pairCommand pairs the items of a plan with those that a command has made of
// it. A command that adds and removes nothing leaves every item in its place,
// whatever it gives one of them: an id and a text that are both new too.
func pairCommand(old, new *Plan) *pairs {
	if len(old.nodes) != len(new.nodes) {
		return pairPlans(old, new)
	}
	p := newPairs(make([]keyed, len(old.nodes)), make([]keyed, len(new.nodes)))
	reworded := 0
	for i, n := range old.nodes {
		p.join(i, i)
		if pairKey(n.content) != pairKey(new.nodes[i].content) {
			reworded++
		}
	}
	if reworded > 1 {
		return pairPlans(old, new) // no single command
	}
	return p
}

// fieldDiff returns the fields in which two items differ, as each has them.
func fieldDiff(m, n *node) (from, to string) {
	if len(m.fields)+len(n.fields) == 0 && m.id == n.id {
		return "", ""
	}
	x, y := m.reading(), n.reading()
	if x.status, x.content = y.status, y.content; x == y {
		return "", ""
	}
	old := append([]namedField{{fieldID, x.id}}, x.fields()...)
	now := append([]namedField{{fieldID, y.id}}, y.fields()...)
	var a, b []string
	for i := range old {
		if old[i] == now[i] {
			continue
		}
		if old[i].value != "" {
			a = append(a, old[i].name+":: "+old[i].value)
		}
		if now[i].value != "" {
			b = append(b, now[i].name+":: "+now[i].value)
		}
	}
	return strings.Join(a, ", "), strings.Join(b, ", ")
}

// movedItems reports for each item of new whether it stands elsewhere: below
// another parent or heading, or out of the order of those beside it.
func movedItems(old, new *Plan, to *pairs) []bool {
	moved := make([]bool, len(new.nodes))
	section := func(p *Plan, n *node) string {
		if n.heading < 0 {
			return ""
		}
		return p.doc.headings[n.heading].text
	}
	inOrder := slices.IsSorted(slices.DeleteFunc(slices.Clone(to.from), func(i int) bool { return i < 0 }))
	groups := map[*node][]int{} // the items below each parent, in order
	var parents []*node
	headings := map[string]string{} // how a heading's text reads now
	for j, n := range new.nodes {
		i := to.from[j]
		if i < 0 {
			continue
		}
		m := old.nodes[i]
		var parent *node
		if m.parent != nil {
			if k := to.to[m.parent.index]; k >= 0 {
				parent = new.nodes[k]
			}
		}
		if a, b := section(old, m), section(new, n); n.parent == nil && a != b {
			if now, ok := headings[a]; !ok {
				headings[a] = b // the heading itself may have been renamed
			} else if now != b {
				moved[j] = true
			}
		}
		// What stood below an item that is gone, and stands at the top now, has
		// moved too.
		if parent != n.parent || m.parent != nil && n.parent == nil {
			moved[j] = true
		}
		if moved[j] || inOrder {
			continue
		}
		if groups[n.parent] == nil {
			parents = append(parents, n.parent)
		}
		groups[n.parent] = append(groups[n.parent], j)
	}
	for _, parent := range parents {
		group := groups[parent]
		places := make([]int, len(group))
		for k, j := range group {
			places[k] = to.from[j]
		}
		keep := increasing(places)
		for k, j := range group {
			moved[j] = !keep[k]
		}
	}
	return moved
}

// increasing marks a longest increasing run of distinct numbers: the items that
// need not have moved.
func increasing(a []int) []bool {
	var tails []int // the index in a of the least end of a run of each length
	before := make([]int, len(a))
	for i, x := range a {
		k, _ := slices.BinarySearchFunc(tails, x, func(t, x int) int { return a[t] - x })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	keep := make([]bool, len(a))
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = before[i] {
			keep[i] = true
		}
	}
	return keep
}

// outside returns the lines that belong to no item, blank ones aside.
func (p *Plan) outside() string {
	var b strings.Builder
	at := 0
	keep := func(s []byte) {
		for line := range bytes.Lines(s) {
			if line = bytes.TrimRight(line, " \t\r\n"); len(line) > 0 {
				b.Write(line)
				b.WriteByte('\n')
			}
		}
	}
	for _, n := range p.top {
		if n.lineStart > at {
			keep(p.src[at:n.lineStart])
		}
		at = max(at, n.end)
	}
	keep(p.src[at:])
	return b.String()
}

package mdplan

import (
	"slices"
	"strings"
)

// reorder puts items that are siblings in one Markdown list into the order in
// which they come. The places that they have now are shared out anew: whatever
// else stands in the list keeps its place. Numbers stay with the places where
// they are of the same width.
func (c *change) reorder(order []*node) {
	p := c.p
	places := slices.Clone(order)
	slices.SortFunc(places, func(a, b *node) int { return a.index - b.index })
	to := map[int]*node{} // by the event where a place begins
	for i, place := range places {
		to[p.event(place)] = order[i]
		if place == order[i] {
			continue
		}
		lines := strings.TrimRight(string(p.src[order[i].lineStart:order[i].end]), "\r\n")
		last := string(p.src[place.lineStart:place.end])
		ending := last[len(strings.TrimRight(last, "\r\n")):]
		c.edits = append(c.edits, edit{place.lineStart, place.end, p.renumber(order[i], place, lines) + ending})
	}
	var want []expect
	for i := 0; i < len(c.want); {
		n := to[c.want[i].old]
		if n == nil {
			want = append(want, c.want[i])
			i++
			continue
		}
		for e := p.event(n); e < p.eventEnd(n); e++ {
			want = append(want, expect{old: e, depth: int(p.doc.events[e].depth)})
		}
		place := p.itemAt(p.doc.events[c.want[i].old])
		i += p.eventEnd(place) - p.event(place)
	}
	c.want = want
}

// renumber gives the lines of an item the number of another's place.
func (p *Plan) renumber(n, place *node, lines string) string {
	a, b := p.doc.bullets[n.bullet], p.doc.bullets[place.bullet]
	if !a.ordered || n.markerEnd-a.start != place.markerEnd-b.start {
		return lines
	}
	at := a.start - n.lineStart
	return lines[:at] + string(p.src[b.start:place.markerEnd]) + lines[at+n.markerEnd-a.start:]
}

// relocate takes an item, with all that it holds, to another spot, indented as
// it is usual there.
func (c *change) relocate(n *node, s spot, w way) error {
	p := c.p
	in := p.insertion(s)
	if in.at > n.lineStart && in.at < n.end {
		return &ImpossibleError{Op: c.op, Item: n.content, Why: "it would have to stand inside itself"}
	}
	marker := in.marker(0)
	lines := strings.TrimRight(string(p.src[n.lineStart:n.end]), "\r\n")
	from, to := p.event(n), p.eventEnd(n)
	moved := slices.Clone(c.want[from:to])
	if err := c.remove([]*node{n}, way{}); err != nil {
		return err
	}
	c.split(in.at)
	for i := range moved {
		moved[i].depth += in.depth - p.depth(n)
	}
	c.write(in, w, p.reindent(n, lines, in.indent, marker))
	c.insert(in.event, moved...)
	return nil
}

// split lets lines go in where an edit takes some out: the blank lines behind
// the last sub-item are cut with it, and its parent ends before them.
func (c *change) split(at int) {
	for i, e := range c.edits {
		if e.start < at && at < e.end {
			c.edits[i].end = at
			c.edits = append(c.edits, edit{at, e.end, ""})
		}
	}
}

// reindent writes the lines of an item with another indent and marker.
func (p *Plan) reindent(n *node, lines, indent, marker string) string {
	at := p.doc.bullets[n.bullet].start - n.lineStart
	old := columnAt(lines, 0, at)
	body := lines[n.markerEnd-n.lineStart:]
	text := strings.TrimLeft(body, " \t")
	first, rest, more := strings.Cut(text, "\n")
	out := indent + marker + first
	if !more {
		return out
	}
	width := columnAt(indent+marker, 0, len(indent)+len(marker)) // where the text begins now
	inner := n.column - old
	wider := width - columnAt(indent, 0, len(indent)) - inner // than it was
	pad := strings.Repeat(" ", max(wider, 0))
	for _, line := range strings.Split(rest, "\n") {
		out += "\n"
		if isBlank(line) {
			out += line
			continue
		}
		lead := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if columnAt(lead, 0, len(lead)) < old {
			out += line // a lazy line needs no indent
			continue
		}
		out += indent + pad + dedent(line, old+max(-wider, 0))
	}
	return out
}

package mdplan

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// This file writes whole items: their lines, indents and the blank lines around
// them.

// eol returns the line ending to use beside a line: its own, else the first
// one of the file.
func (p *Plan) eol(lineEnd int) string {
	for _, end := range []int{lineEnd, bytes.IndexByte(p.src, '\n') + 1} {
		if end > 0 && p.src[end-1] == '\n' {
			if end > 1 && p.src[end-2] == '\r' {
				return "\r\n"
			}
			return "\n"
		}
	}
	return "\n"
}

// isBlank reports whether there is nothing but spaces and tabs, line endings
// aside: in CommonMark no other white space makes a blank line.
func isBlank[T string | []byte](s T) bool {
	for i := range len(s) {
		if c := s[i]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

// blankBefore returns the start of the blank lines that end at a line start.
func (p *Plan) blankBefore(at int) int {
	for at > p.doc.base {
		start := bytes.LastIndexByte(p.src[:at-1], '\n') + 1
		start = max(start, p.doc.base)
		if !isBlank(p.src[start:at]) {
			break
		}
		at = start
	}
	return at
}

// blankAfter returns the end of the blank lines that begin at a line start.
func (p *Plan) blankAfter(at int) int {
	for at < len(p.src) {
		end := len(p.src)
		if i := bytes.IndexByte(p.src[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if !isBlank(p.src[at:end]) {
			break
		}
		at = end
	}
	return at
}

// siblings returns the items that share an item's parent, itself among them.
func (p *Plan) siblings(n *node) []*node {
	if n.parent == nil {
		return p.top
	}
	return n.parent.subs
}

func (p *Plan) list(n *node) int { return p.doc.bullets[n.bullet].list }

// loose reports whether a blank line stands between n and the next list item,
// or the one before if n is the last of its list.
func (p *Plan) loose(n *node) bool {
	all := p.doc.bullets
	b := all[n.bullet]
	next := n.bullet + 1
	for next < len(all) && all[next].start < b.end {
		next++
	}
	if next < len(all) && all[next].list == b.list {
		return p.blankAfter(n.end) > n.end
	}
	for i := n.bullet - 1; i > b.parent; i-- {
		if all[i].parent == b.parent {
			return all[i].list == b.list && p.blankBefore(n.lineStart) < n.lineStart
		}
	}
	return false
}

// spot is where a new item goes: behind an item, before one, below one as its
// last sub-item, or, with all three nil, at the end of the plan's text.
type spot struct{ after, before, under *node }

// way is a way to write an item: with a blank line before it, behind it.
type way struct{ above, below bool }

var ways = []way{{}, {above: true}, {below: true}, {above: true, below: true}}

// prefix returns what stands before the marker of an item that stands beside n:
// its own white space, and blanks for the markers of other items.
func (p *Plan) prefix(n *node) string {
	b := p.doc.bullets[n.bullet]
	var out strings.Builder
	for _, c := range p.src[n.lineStart:b.start] {
		if c != '\t' {
			c = ' '
		}
		out.WriteByte(c)
	}
	return out.String()
}

// marker returns the marker of a neighbour of n, with the white space behind:
// the same bullet, or the number that is so many further.
func (p *Plan) marker(n *node, further int) string {
	b := p.doc.bullets[n.bullet]
	marker := string(p.src[b.start:n.markerEnd])
	if b.ordered {
		number, err := strconv.Atoi(marker[:len(marker)-1])
		if err == nil && !p.sameNumbers(n) {
			marker = strconv.Itoa(max(number+further, 0)) + marker[len(marker)-1:]
		}
	}
	space := p.src[n.markerEnd:max(b.first.start, n.markerEnd)]
	if b.firstKind != kindParagraph || len(space) == 0 || len(bytes.Trim(space, " \t")) > 0 {
		return marker + " "
	}
	return marker + string(space)
}

// sameNumbers reports whether a list is numbered "1. 1. 1.".
func (p *Plan) sameNumbers(n *node) bool {
	number := func(m *node) string { return string(p.src[p.doc.bullets[m.bullet].start:m.markerEnd]) }
	others := 0
	for _, m := range p.siblings(n) {
		if m == n || p.list(m) != p.list(n) {
			continue
		}
		if number(m) != number(n) {
			return false
		}
		others++
	}
	return others > 0
}

// childPrefix returns the indent of sub-items of n: that of those it has, else
// what the file uses below such a marker, else as far as Markdown needs.
func (p *Plan) childPrefix(n *node) string {
	if len(n.subs) > 0 {
		return p.prefix(n.subs[len(n.subs)-1])
	}
	own := p.prefix(n)
	for _, m := range p.nodes {
		if m.parent == nil {
			continue
		}
		up := p.prefix(m.parent)
		rel, ok := strings.CutPrefix(p.prefix(m), up)
		if !ok || rel == "" {
			continue
		}
		indent := own + rel
		if c := columnAt(indent, 0, len(indent)); c >= n.column && c < n.column+4 {
			return indent
		}
	}
	return own + strings.Repeat(" ", max(n.column-columnAt(own, 0, len(own)), 0))
}

// childMarker returns the marker of the i-th of the first sub-items of n.
func (p *Plan) childMarker(n *node, i int) string {
	b := p.doc.bullets[n.bullet]
	if b.ordered {
		return strconv.Itoa(i+1) + string(b.marker) + " "
	}
	return string(b.marker) + " "
}

// insertion is where lines go, and what they look like there.
type insertion struct {
	at     int
	event  int // before which event
	depth  int // how many containers hold the item
	indent string
	marker func(i int) string // of the i-th item that goes there
	loose  bool
	above  bool // loose lists want the blank line above, not below
	eol    string
}

func (p *Plan) insertion(s spot) insertion {
	switch {
	case s.after != nil:
		n := s.after
		return insertion{at: n.end, event: p.eventEnd(n), depth: p.depth(n), indent: p.prefix(n),
			marker: func(i int) string { return p.marker(n, 1+i) }, loose: p.loose(n), above: true, eol: p.eol(n.lineEnd)}
	case s.before != nil:
		n := s.before
		return insertion{at: n.lineStart, event: p.event(n), depth: p.depth(n), indent: p.prefix(n),
			marker: func(i int) string { return p.marker(n, i) }, loose: p.loose(n), eol: p.eol(n.lineEnd)}
	case s.under != nil && len(s.under.subs) > 0:
		return p.insertion(spot{after: s.under.subs[len(s.under.subs)-1]})
	case s.under != nil:
		n := s.under
		return insertion{at: n.end, event: p.eventEnd(n), depth: p.depth(n) + 1, indent: p.childPrefix(n),
			marker: func(i int) string { return p.childMarker(n, i) }, above: true, eol: p.eol(n.lineEnd)}
	}
	in := insertion{at: p.scope.end, event: len(p.doc.events), marker: func(int) string { return "- " }, above: true, loose: true, eol: p.eol(0)}
	in.at = p.blankBefore(in.at)
	if in.at <= p.doc.base {
		in.loose = false
	}
	for in.event > 0 && p.eventStart(in.event-1) >= p.scope.end {
		in.event--
	}
	return in
}

func (p *Plan) depth(n *node) int { return int(p.doc.events[p.event(n)].depth) }

// eventStart returns where a block begins; for one without lines of its own,
// where the one before it does.
func (p *Plan) eventStart(i int) int {
	for ; i >= 0; i-- {
		e := p.doc.events[i]
		if e.kind == kindBullet {
			return p.doc.bullets[e.bullet].start
		}
		if lines := p.doc.linesOf(e); len(lines) > 0 {
			return lines[0].start
		}
	}
	return 0
}

// write inserts the lines of items, which end without a line ending.
func (c *change) write(in insertion, w way, lines string) {
	text := lines
	open := in.at == len(c.p.src) && in.at > len(bom(c.p.src)) && c.p.src[in.at-1] != '\n'
	if open {
		text = in.eol + text
	}
	if w.above || in.loose && in.above {
		text = in.eol + text
	}
	if !open {
		text += in.eol
	}
	if w.below || in.loose && !in.above {
		text += in.eol
	}
	c.edits = append(c.edits, edit{in.at, in.at, text})
}

// add inserts new items, one after the other.
func (c *change) add(s spot, w way, items ...reading) error {
	in := c.p.insertion(s)
	var lines strings.Builder
	var want []expect
	if len(c.p.src) == 0 {
		lines.WriteString(newFileHeading + in.eol + in.eol)
		want = append(want, expect{old: -1, free: true})
	}
	for i := range items {
		r := &items[i]
		mark, ok := c.p.markFor(r.status)
		if !ok {
			return c.noMark(r.content, r.status)
		}
		if i > 0 {
			lines.WriteString(in.eol)
			if in.loose && in.at > c.p.doc.base && s != (spot{}) {
				lines.WriteString(in.eol)
			}
		}
		lines.WriteString(in.indent + in.marker(i) + "[" + mark + "]")
		if text := r.firstLine(); text != "" {
			lines.WriteString(" " + text)
		}
		want = append(want, expect{old: -1, reading: r, depth: in.depth})
	}
	c.write(in, w, lines.String())
	c.insert(in.event, want...)
	return nil
}

func (c *change) noMark(content string, s Status) error {
	return &ImpossibleError{Op: c.op, Item: content, Why: "the marks of the file's directive leave none for " + string(s) + " (add one there, such as c=" + string(s) + ")"}
}

// newFileHeading begins a plan file that did not exist.
const newFileHeading = "# Plan"

// insert puts the expectation of new blocks before an event of the old plan.
// Of several at one place the order is that of the calls.
func (c *change) insert(event int, x ...expect) {
	at := len(c.want)
	for i, w := range c.want {
		if w.old >= event {
			at = i
			break
		}
	}
	c.want = slices.Insert(c.want, at, x...)
}

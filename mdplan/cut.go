package mdplan

import "slices"

// This file takes whole items out, with the blank lines that go with them.

// remove takes out items with all that they hold. The nodes stand in document
// order and none is inside another.
func (c *change) remove(nodes []*node, w way) error {
	p := c.p
	for i := 0; i < len(nodes); {
		n := nodes[i]
		if b := p.doc.bullets[n.bullet]; !isBlank(p.src[n.lineStart:b.start]) {
			return &ImpossibleError{Op: c.op, Item: n.content, Why: "it stands on the line of another list item"}
		}
		// Items that follow each other go together, with what is between them.
		last := n
		for i++; i < len(nodes) && p.blankAfter(last.end) == nodes[i].lineStart; i++ {
			last = nodes[i]
		}
		c.cut(n, last, w)
		from, to := p.event(n), p.eventEnd(last)
		c.want = slices.DeleteFunc(c.want, func(x expect) bool { return x.old >= from && x.old < to })
	}
	return nil
}

// cut removes the lines from first to last and one of the two runs of blank
// lines around them.
func (c *change) cut(first, last *node, w way) {
	p := c.p
	start, end := first.lineStart, last.end
	above, below := p.blankBefore(start), p.blankAfter(end)
	before, after := start-above, below-end // bytes of blank lines
	top, bottom := above <= p.doc.base, below >= len(p.src)
	inList := p.inList(first, above) // what stands above belongs to the same list
	goesOn := p.goesOn(last, below)
	var keepAbove bool
	switch {
	case bottom:
		// What ended the file still ends it.
		if !top {
			start = above
		}
		if after == 0 && p.src[len(p.src)-1] != '\n' && start > p.doc.base {
			start = p.trimEOL(start)
		}
		c.edits = append(c.edits, edit{start, end, ""})
		return
	case top:
		keepAbove = true
	case inList && goesOn:
		// What parted groups of items still does. Behind the last one in an
		// item stands what parts that from the next.
		up := p.doc.bullets[last.bullet].parent
		keepAbove = before >= after && (up < 0 || p.doc.bullets[up].end > end)
	case goesOn:
		keepAbove = true
	case inList:
		keepAbove = false
	default:
		keepAbove = before >= after
	}
	if keepAbove {
		end = below
	} else {
		start = above
	}
	text := ""
	if kept := start - above + below - end; w.above && kept == 0 {
		text = p.eol(first.lineEnd)
	}
	c.edits = append(c.edits, edit{start, end, text})
}

func (p *Plan) trimEOL(at int) int {
	if at > 0 && p.src[at-1] == '\n' {
		at--
	}
	if at > 0 && p.src[at-1] == '\r' {
		at--
	}
	return at
}

// inList reports whether the text that ends at a byte belongs to the list tree
// that holds n.
func (p *Plan) inList(n *node, at int) bool {
	for i := n.bullet - 1; i >= 0; i-- {
		b := p.doc.bullets[i]
		if b.end == at {
			return p.root(i) == p.root(n.bullet)
		}
		if i == p.doc.bullets[n.bullet].parent {
			return true
		}
		if b.parent < 0 {
			return false
		}
	}
	return false
}

// goesOn reports whether the line at a byte belongs to the list tree of n.
func (p *Plan) goesOn(n *node, at int) bool {
	if root := p.rootBullet(n.bullet); p.doc.bullets[root].end > at {
		return true
	}
	for i := n.bullet + 1; i < len(p.doc.bullets); i++ {
		b := p.doc.bullets[i]
		if b.start >= at {
			return isBlank(p.src[at:b.start]) && p.root(i) == p.root(n.bullet)
		}
	}
	return false
}

// rootBullet returns the outermost list item that holds a list item.
func (p *Plan) rootBullet(i int) int {
	for p.doc.bullets[i].parent >= 0 {
		i = p.doc.bullets[i].parent
	}
	return i
}

// root returns the outermost list that holds a list item.
func (p *Plan) root(i int) int { return p.doc.bullets[p.rootBullet(i)].list }

package mdplan

import "strings"

func checkContent(c *checker) {
	for _, n := range c.p.nodes {
		if n.content == "" {
			c.err(n.mark.start, "content", "Item %s: content required; write its text behind the mark, or delete the line", n.number())
		}
	}
}

// checkBoxes reports an item whose text begins with a box: what looks like two
// tasks counts as one.
func checkBoxes(c *checker) {
	for _, n := range c.p.nodes {
		if i := strings.IndexByte(n.content, '['); i < 0 || i > maxInner {
			continue // spares most items the search for a bullet
		}
		s, ok := readShape(n.content, false)
		if !ok || s.at > 0 || s.open != "[" || s.prefix != "" || !s.words() || !c.knownMark(s.inner) || c.label(s.inner) {
			continue
		}
		at := n.mark.start
		if i := strings.Index(c.text[n.text.start:n.text.end], n.content); i >= 0 {
			at = n.text.start + i + s.box
		}
		c.warn(at, "two-boxes", "Item %s: a second box, %s, stands at the start of its text; take one away, or put the second task on a line of its own",
			n.number(), s.boxed())
	}
}

func checkIDs(c *checker) {
	first := map[string]*node{}
	for _, n := range c.p.nodes {
		if n.id == "" {
			continue
		}
		at := n.idAt()
		if !validID(n.id) {
			c.warn(at, "id", "Item %s: id %s is not what ids look like; use 1 to %d letters, digits, '.', '_' or '-'", n.number(), shown(n.id), maxID)
		}
		if m := first[n.id]; m != nil {
			c.err(at, "id", "Item %s: duplicate id %s (also item %s); give one of them another id", n.number(), shown(n.id), m.number())
			continue
		}
		first[n.id] = n
	}
}

// idAt returns where the id of an item stands.
func (n *node) idAt() int {
	if n.idSpan.end > n.idSpan.start {
		return n.idSpan.start
	}
	return n.fieldAt(fieldID)
}

// fieldAt returns where a field of an item stands, its mark if it has none.
func (n *node) fieldAt(name string) int {
	for _, f := range n.fields {
		if f.name == name {
			return f.start
		}
	}
	return n.mark.start
}

package mdplan

func checkContent(c *checker) {
	for _, n := range c.p.nodes {
		if n.content == "" {
			c.err(n.mark.start, "content", "Item %s: content required; write its text behind the mark, or delete the line", n.number())
		}
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

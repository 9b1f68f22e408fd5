package mdplan

import "strings"

// This file writes the first line of an item: its mark, "#id:", content and
// fields. What reads it is in text.go.

func joinIDs(ids []string) string { return strings.Join(ids, ", ") }

// setStatus writes a status with the mark that the file uses for it.
func (c *change) setStatus(n *node, s Status) error {
	if n.status == s {
		return nil
	}
	mark, ok := c.p.markFor(s)
	if !ok {
		return c.noMark(n.content, s)
	}
	r := c.reading(n)
	r.status = s
	c.edits = append(c.edits, edit{n.mark.start, n.mark.end, mark})
	return nil
}

// reading returns what an item is to read, for the caller to change.
func (c *change) reading(n *node) *reading {
	x := &c.want[c.at(n)]
	if x.reading == nil {
		r := n.reading()
		x.reading = &r
	}
	return x.reading
}

// setText makes the first line of an item read as r, its status aside. Only
// the parts that differ are touched.
func (c *change) setText(n *node, r reading) {
	now := n.reading()
	r.status = c.reading(n).status
	*c.reading(n) = r
	if n.text.start == n.text.end {
		if r != now {
			c.edits = append(c.edits, edit{n.text.start, n.text.end, c.gap(n.text.start) + r.firstLine()})
		}
		return
	}
	if r.id != now.id {
		c.setID(n, r.id)
	}
	if r.content != now.content {
		c.setContent(n, r.content)
	}
	old := now.fields()
	for i, f := range r.fields() {
		if f != old[i] {
			c.setField(n, f.name, f.value)
		}
	}
}

func (c *change) setID(n *node, id string) {
	switch {
	case n.idSpan.end > n.idSpan.start && id == "":
		c.edits = append(c.edits, edit{n.idSpan.start, n.idSpan.end, ""})
	case n.idSpan.end > n.idSpan.start:
		c.edits = append(c.edits, edit{n.idSpan.start + 1, n.idSpan.start + 1 + len(n.id), id})
	case n.field(fieldID) != "":
		c.setField(n, fieldID, id)
	default:
		c.edits = append(c.edits, edit{n.text.start, n.text.start, "#" + id + ": "})
	}
}

// gap returns the space that an insertion needs where none stands before it: an
// item with nothing behind its mark or its id may have none.
func (c *change) gap(at int) string {
	if b := c.p.src[at-1]; b == ' ' || b == '\t' {
		return ""
	}
	return " "
}

func (c *change) setContent(n *node, content string) {
	start := max(n.text.start, n.idSpan.end)
	end := start + len(strings.TrimRight(string(c.p.src[start:n.fieldStart]), " \t"))
	if start == end {
		content = c.gap(start) + content
		if len(n.fields) > 0 && n.fields[0].known {
			content += " "
		}
	}
	c.edits = append(c.edits, edit{start, end, content})
	for _, f := range n.fields {
		if !f.known { // was part of the content
			c.cutField(n, f)
		}
	}
}

func (c *change) cutField(n *node, f field) {
	start, first := f.start, max(n.text.start, n.idSpan.end)
	for start > first && (c.p.src[start-1] == ' ' || c.p.src[start-1] == '\t') {
		start--
	}
	c.edits = append(c.edits, edit{start, f.end, ""})
}

func (c *change) setField(n *node, name, value string) {
	for _, f := range n.fields {
		switch {
		case f.name != name:
		case value == "":
			c.cutField(n, f)
		default:
			c.edits = append(c.edits, edit{f.valueSpan.start, f.valueSpan.end, " " + value})
			return // of several, the first is the one that is read
		}
	}
	if value != "" {
		c.edits = append(c.edits, edit{n.text.end, n.text.end, " (" + name + ":: " + value + ")"})
	}
}

// firstLine writes the first line of a new item behind its mark.
func (r reading) firstLine() string {
	var b strings.Builder
	if r.id != "" {
		b.WriteString("#" + r.id + ": ")
	}
	b.WriteString(r.content)
	for _, f := range r.fields() {
		if f.value != "" {
			b.WriteString(" (" + f.name + ":: " + f.value + ")")
		}
	}
	return b.String()
}

// oneLine folds line breaks, and white space around them, to one space each.
func oneLine(s string) string {
	s = strings.TrimSpace(toValid(s))
	if !strings.ContainsAny(s, "\n\r\v\f") {
		return s
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\v' || r == '\f' })
	kept := parts[:0]
	for _, part := range parts {
		if part = strings.Trim(part, " \t"); part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, " ")
}

// newNode reads a text that is to become an item: a mark, "#id:" and fields
// in it are taken as such. The status is "" if the text has no mark.
func (p *Plan) newNode(text string) *node {
	text = oneLine(text)
	n := &node{}
	if mark, rest, ok := boxAt([]byte(text), span{0, len(text)}); ok {
		if s, ok := p.statusOf([]rune(text[mark.start:mark.end])[0]); ok {
			n.status = s
			text = strings.TrimSpace(text[rest.start:])
		}
	}
	n.text = span{0, len(text)}
	n.readText(text)
	return n
}

package mdplan

import "slices"

// cursor walks over spans that are sorted and apart from each other.
type cursor struct {
	spans []span
	next  int
}

// over returns the span that holds a byte. The bytes asked for only grow.
func (k *cursor) over(at int) (span, bool) {
	for k.next < len(k.spans) && k.spans[k.next].end <= at {
		k.next++
	}
	if k.next < len(k.spans) && k.spans[k.next].start <= at {
		return k.spans[k.next], true
	}
	return span{}, false
}

// lineReader knows what Markdown makes of each line, asked in their order.
type lineReader struct {
	d                          *document
	fences, code, html, quotes cursor
	node, bullet               int
	event, line                int
	bare                       int // behind the last line that lacks nothing but its bullet
}

func (c *checker) newLineReader() *lineReader {
	d := c.p.doc
	r := &lineReader{d: d, code: cursor{spans: d.code}, html: cursor{spans: d.html}}
	for _, f := range d.fences {
		if fenceMark(c.text[c.opening(f):]) != "" {
			r.fences.spans = append(r.fences.spans, span{f.start, f.end})
		}
	}
	byStart := func(a, b span) int { return a.start - b.start }
	quotes := slices.Clone(d.quotes) // one that holds another comes behind it
	slices.SortFunc(quotes, byStart)
	for _, q := range quotes {
		if n := len(r.quotes.spans); n > 0 && q.start < r.quotes.spans[n-1].end {
			r.quotes.spans[n-1].end = max(r.quotes.spans[n-1].end, q.end)
			continue
		}
		r.quotes.spans = append(r.quotes.spans, q)
	}
	return r
}

// item reports whether an item of the plan has its mark between two bytes.
func (r *lineReader) item(nodes []*node, start, end int) bool {
	for r.node < len(nodes) && nodes[r.node].mark.start < start {
		r.node++
	}
	return r.node < len(nodes) && nodes[r.node].mark.start < end
}

// listItem returns the last list item that begins between two bytes.
func (r *lineReader) listItem(start, end int) *bullet {
	for r.bullet < len(r.d.bullets) && r.d.bullets[r.bullet].start < start {
		r.bullet++
	}
	var b *bullet
	for i := r.bullet; i < len(r.d.bullets) && r.d.bullets[i].start < end; i++ {
		b = &r.d.bullets[i]
	}
	return b
}

// block returns the block that has text between two bytes.
func (r *lineReader) block(start, end int) *event {
	for ; r.event < len(r.d.events); r.event, r.line = r.event+1, 0 {
		e := &r.d.events[r.event]
		for lines := r.d.linesOf(*e); r.line < len(lines); r.line++ {
			if l := lines[r.line]; l.end > start {
				if l.start < end {
					return e
				}
				return nil
			}
		}
	}
	return nil
}

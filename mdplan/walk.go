package mdplan

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// container is what holds a block.
type container struct {
	bullet int
	depth  int
	quoted bool
	top    bool // nothing holds it but the document
}

// walker goes through the tree in the order of the file.
type walker struct {
	*collector
	d     *document
	next  int // the list item to be met next
	lists int
}

func (w *walker) children(n ast.Node, in container) {
	for ; n != nil; n = n.NextSibling() {
		w.block(n, in)
	}
}

func (w *walker) block(n ast.Node, in container) {
	d := w.d
	switch n := n.(type) {
	case *ast.List:
		w.list(n, in)
		return
	case *ast.Blockquote:
		at := len(d.events)
		w.event(kindQuote, 0, in, lineRange{})
		w.children(n.FirstChild(), container{bullet: in.bullet, depth: in.depth + 1, quoted: true})
		if s, ok := w.extent(at); ok {
			d.quotes = append(d.quotes, s)
		}
		return
	case *ast.Heading:
		w.event(kindHeading, n.Level, in, w.take(n.Lines()))
		if in.top {
			d.headings = append(d.headings, d.heading(n))
		}
	case *ast.CodeBlock:
		w.raw(kindCode, n, in)
	case *ast.FencedCodeBlock:
		w.raw(kindCode, n, in)
	case *ast.HTMLBlock:
		w.raw(kindHTML, n, in)
		w.html(n, in)
	case *ast.ThematicBreak:
		w.event(kindRule, 0, in, lineRange{})
	case *ast.Paragraph:
		w.event(kindParagraph, 0, in, w.paragraph(n, in))
	default:
		w.event(kindOther, 0, in, w.take(n.Lines()))
	}
	if in.bullet >= 0 {
		w.grow(in.bullet, n)
	}
}

// paragraph returns the lines of a paragraph, which its list item may have.
func (w *walker) paragraph(n *ast.Paragraph, in container) lineRange {
	if n.Lines().Len() > 0 {
		return w.take(n.Lines())
	}
	b := &w.d.bullets[in.bullet]
	b.paragraphs++
	return w.paragraphs[b.paragraphs-1]
}

func (w *walker) event(k blockKind, level int, in container, lines lineRange) {
	w.d.events = append(w.d.events, event{
		kind: k, level: uint8(level), depth: uint8(in.depth), bullet: int32(in.bullet), lines: lines,
	})
}

// grow makes a list item reach to the end of the block inside whose event is
// the last: lazy lines never pass through the list item's parser.
func (w *walker) grow(i int, n ast.Node) {
	b := &w.d.bullets[i]
	if r := w.d.events[len(w.d.events)-1].lines; r.len() > 0 {
		b.end = max(b.end, w.lines[r.to-1].end)
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		b.end = max(b.end, h.ClosureLine.Stop)
	}
}

func (w *walker) list(l *ast.List, in container) {
	d := w.d
	id := w.lists
	w.lists++
	for c := l.FirstChild(); c != nil; c = c.NextSibling() {
		i := w.next
		w.next++
		b := &d.bullets[i]
		b.parent, b.list, b.quoted = in.bullet, id, in.quoted
		b.marker, b.ordered = l.Marker, l.IsOrdered()
		b.event = len(d.events)
		inside := container{bullet: i, depth: in.depth + 1, quoted: in.quoted}
		first := c.FirstChild()
		ev := event{kind: kindBullet, level: l.Marker, depth: uint8(in.depth), bullet: int32(i)}
		switch f := first.(type) {
		case *ast.Paragraph:
			b.firstKind = kindParagraph
			ev.lines = w.paragraph(f, inside)
		case *ast.Heading:
			b.firstKind, b.firstLevel = kindHeading, uint8(f.Level)
			ev.lines = w.take(f.Lines())
		}
		d.events = append(d.events, ev)
		if ev.lines.len() > 0 {
			b.first = w.lines[ev.lines.from].span
			w.grow(i, first)
			first = first.NextSibling()
		}
		w.children(first, inside)
		b.eventEnd = len(d.events)
	}
}

func (w *walker) raw(k blockKind, n ast.Node, in container) {
	d := w.d
	w.event(k, 0, in, w.take(n.Lines()))
	s, ok := w.extent(len(d.events) - 1)
	if !ok {
		return
	}
	if k == kindCode {
		d.code = append(d.code, s)
		return
	}
	if h := n.(*ast.HTMLBlock); h.HasClosure() {
		s.end = max(s.end, h.ClosureLine.Stop)
	}
	d.html = append(d.html, s)
}

// extent returns the bytes from the first to the last line of the events from
// at on.
func (w *walker) extent(at int) (span, bool) {
	s, ok := span{}, false
	for _, e := range w.d.events[at:] {
		if e.lines.len() == 0 {
			continue
		}
		if !ok {
			s.start, ok = w.d.lineStart(w.lines[e.lines.from].start), true
		}
		s.end = max(s.end, w.lines[e.lines.to-1].end)
	}
	return s, ok
}

// html notes comments that may be directives, and blocks without their end.
func (w *walker) html(n *ast.HTMLBlock, in container) {
	d := w.d
	lines := n.Lines()
	if lines.Len() == 0 {
		return
	}
	first := lines.At(0)
	start := d.lineStart(first.Start)
	if in.top && lines.Len() == 1 && !n.HasClosure() {
		d.comments = append(d.comments, span{start, d.lineEnd(first.Stop)})
	}
	if n.HTMLBlockType <= ast.HTMLBlockType5 && !n.HasClosure() {
		last := lines.At(lines.Len() - 1)
		if !closesHTML(n.HTMLBlockType, d.text[last.Start:last.Stop]) {
			d.fences = append(d.fences, fence{start: start, end: last.Stop, open: true, quoted: in.quoted})
		}
	}
}

// closesHTML reports whether a line ends an HTML block of one of the types
// that end with a mark of their own (CommonMark, 4.6).
func closesHTML(t ast.HTMLBlockType, line []byte) bool {
	s := strings.ToLower(string(line))
	switch t {
	case ast.HTMLBlockType1:
		for _, tag := range []string{"</script>", "</pre>", "</style>", "</textarea>"} {
			if strings.Contains(s, tag) {
				return true
			}
		}
		return false
	case ast.HTMLBlockType2:
		return strings.Contains(s, "-->")
	case ast.HTMLBlockType3:
		return strings.Contains(s, "?>")
	case ast.HTMLBlockType4:
		return strings.Contains(s, ">")
	default:
		return strings.Contains(s, "]]>")
	}
}

func (d *document) heading(n *ast.Heading) heading {
	h := heading{level: n.Level, start: n.Pos()}
	lines := n.Lines()
	var words []string
	for i := range lines.Len() {
		seg := lines.At(i)
		if i == 0 {
			h.start = seg.Start
		}
		words = append(words, strings.TrimSpace(string(seg.Value(d.text))))
	}
	h.start = d.lineStart(min(max(h.start, 0), len(d.text)))
	h.text = strings.Join(words, " ")
	return h
}

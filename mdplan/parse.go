package mdplan

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// MaxSize is the largest plan file that is read, in bytes.
	MaxSize = 1 << 20
	// MaxItems is how many items a plan file may hold. It is a limit of the
	// file, far above what a session's plan should have (see [Settings]).
	MaxItems = 10_000
)

// node is an item with its place in the bytes.
type node struct {
	parent *node
	subs   []*node
	index  int // in Plan.nodes
	place  int // among its siblings, from 1
	bullet int // in document.bullets

	heading    int // in document.headings, -1
	line       int // of the mark, from 1
	lineStart  int // of the line that holds the marker
	markerEnd  int // behind "-" or "12."
	mark       span
	text       span // behind the mark, without white space at its ends
	lineEnd    int  // behind the first line and its ending
	end        int  // behind the last line that is not blank, but in a fence without an end
	column     int  // where the item's own text begins, in columns from 0
	status     Status
	id         string
	idSpan     span // of "#id:" with the white space behind it; empty if there is none
	content    string
	fields     []field
	fieldStart int // where the run of fields begins; text.end if there is none
}

func (n *node) number() string {
	if n.parent == nil {
		return fmt.Sprint(n.place)
	}
	return fmt.Sprintf("%s.%d", n.parent.number(), n.place)
}

// ancestors returns the items that hold n, the nearest first.
func (n *node) ancestors() []*node {
	var up []*node
	for a := n.parent; a != nil; a = a.parent {
		up = append(up, a)
	}
	return up
}

// scope is the part of the file whose items are the plan.
type scope struct {
	span
	section int // the heading that a directive made the plan, -1
}

// Parse reads a plan file. It copies src.
//
// Errors are a [*ParseError]: a file over [MaxSize] or [MaxItems], lists
// nested deeper than [MaxDepth], or a carriage return that ends a line by
// itself. Everything else can be read; what is wrong in it, or was not taken
// for an item, is told by [Plan.Check].
func Parse(src []byte) (*Plan, error) {
	return parseOwn(bytes.Clone(src))
}

// parseOwn is Parse of bytes that nobody writes to any more.
func parseOwn(src []byte) (*Plan, error) {
	return parse(src, func(base int) (*document, error) { return readBlocks(src, base, partSize) })
}

// reparse is Parse of what edits make of p's bytes.
func (p *Plan) reparse(src []byte, edits []edit) (*Plan, error) {
	return parse(src, func(base int) (*document, error) { return p.doc.reread(src, base, partSize, edits) })
}

// parse makes the plan of a file, which it keeps.
func parse(src []byte, read func(base int) (*document, error)) (*Plan, error) {
	if len(src) > MaxSize {
		return nil, tooLarge(int64(len(src)))
	}
	if err := checkCR(src); err != nil {
		return nil, err
	}
	text := string(src)
	p := &Plan{src: src, rev: RevOf(src)}
	doc, err := read(skipFront(text))
	if err != nil {
		return nil, err
	}
	p.doc = doc
	p.readDirective(text)
	if err := p.readItems(text); err != nil {
		return nil, err
	}
	return p, nil
}

func checkCR(src []byte) error {
	for i := 0; ; i++ {
		j := bytes.IndexByte(src[i:], '\r')
		if j < 0 {
			return nil
		}
		i += j
		if i+1 == len(src) || src[i+1] != '\n' {
			line, column := position(src, i)
			return &ParseError{Line: line, Column: column, Code: "lone-cr", Err: ErrLoneCR,
				Msg: "a carriage return stands here without a line feed; convert the line endings to LF or CRLF"}
		}
	}
}

// position returns the line and the column, in characters, of a byte.
func position(src []byte, at int) (line, column int) {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if start == 0 {
		start = len(bom(src[:at]))
	}
	return 1 + bytes.Count(src[:start], []byte{'\n'}), 1 + utf8.RuneCount(src[start:at])
}

func bom[T string | []byte](src T) T {
	if len(src) >= 3 && src[0] == 0xEF && src[1] == 0xBB && src[2] == 0xBF {
		return src[:3]
	}
	return src[:0]
}

// skipFront returns where the Markdown begins: behind a BOM and front matter.
// goldmark would lose the first item to the one and read items in the other.
func skipFront(text string) int {
	at := len(bom(text))
	first, rest, ok := strings.Cut(text[at:], "\n")
	mark := strings.TrimRight(first, " \t\r")
	if !ok || mark != "---" && mark != "+++" {
		return at
	}
	pos := at + len(first) + 1
	for rest != "" {
		line, next, _ := strings.Cut(rest, "\n")
		end := min(pos+len(line)+1, len(text))
		if strings.TrimRight(line, " \t\r") == mark {
			return end
		}
		pos, rest = end, next
	}
	return at
}

// itemRun is how many list items are looked at in one go: they take about half a
// millisecond. Longer plans are looked at side by side.
const itemRun = 2000

// readItems makes nodes of the list items that are items of the plan.
func (p *Plan) readItems(text string) error {
	d := p.doc
	p.byBullet = make([]*node, len(d.bullets))
	p.nodes = make([]*node, 0, len(d.bullets))
	p.top = make([]*node, 0, len(d.bullets))
	nodes := make([]node, len(d.bullets)) // one allocation; pointers into it stay good
	sideBySide(1+len(nodes)/itemRun, func(run int) {
		for i := run * itemRun; i < min(len(nodes), (run+1)*itemRun); i++ {
			if p.readItem(text, i, &nodes[i]) {
				p.byBullet[i] = &nodes[i]
			}
		}
	})
	line, counted := 1, 0
	heading := -1
	for i, n := range p.byBullet {
		if n == nil {
			continue
		}
		if len(p.nodes) == MaxItems {
			return &ParseError{Code: "items", Err: ErrTooMany, Msg: fmt.Sprintf(
				"the plan file has over %d items; move what is finished to another file", MaxItems)}
		}
		b := &d.bullets[i]
		for heading+1 < len(d.headings) && d.headings[heading+1].start <= b.start {
			heading++
		}
		line += strings.Count(text[counted:n.mark.start], "\n")
		counted = n.mark.start
		n.index, n.heading, n.line = len(p.nodes), heading, line
		for up := b.parent; up >= 0; up = d.bullets[up].parent {
			if n.parent = p.byBullet[up]; n.parent != nil {
				break
			}
		}
		if n.parent == nil {
			p.top = append(p.top, n)
			n.place = len(p.top)
		} else {
			n.parent.subs = append(n.parent.subs, n)
			n.place = len(n.parent.subs)
		}
		p.nodes = append(p.nodes, n)
	}
	return nil
}

// readItem reads what a list item says by itself, and reports whether it is an
// item of the plan.
func (p *Plan) readItem(text string, i int, n *node) bool {
	d := p.doc
	b := &d.bullets[i]
	mark, rest, ok := p.markOf(b)
	if !ok {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[mark.start:mark.end])
	if n.status, ok = p.statusOf(r); !ok {
		return false
	}
	n.bullet, n.mark, n.end = i, mark, b.end
	n.lineStart = d.lineStart(b.start)
	n.markerEnd = markerEnd(text, b.start)
	n.text = trimSpan(text, rest)
	n.lineEnd = d.lineEnd(mark.start)
	n.column = textColumn(text, n, b)
	n.readText(text)
	return true
}

// markOf returns the span of the mark of a list item in the plan's part of
// the file, and that of the text behind it.
func (p *Plan) markOf(b *bullet) (mark, rest span, ok bool) {
	if b.quoted || b.start < p.scope.start || b.start >= p.scope.end {
		return
	}
	return boxAt(p.src, b.first)
}

// boxAt reads "[", one character, "]", optionally "*" or "\*", then white
// space or the end of the line.
func boxAt(src []byte, s span) (mark, rest span, ok bool) {
	line := src[s.start:s.end]
	if len(line) < 3 || line[0] != '[' || line[1] == '\n' || line[1] == '\r' {
		return
	}
	_, size := utf8.DecodeRune(line[1:])
	at := 1 + size
	if at >= len(line) || line[at] != ']' {
		return
	}
	mark = span{s.start + 1, s.start + at}
	at++
	if bytes.HasPrefix(line[at:], []byte(`\*`)) {
		at += 2
	} else if at < len(line) && line[at] == '*' {
		at++
	}
	if at < len(line) && line[at] != ' ' && line[at] != '\t' && line[at] != '\n' && line[at] != '\r' {
		return
	}
	return mark, span{s.start + at, s.end}, true
}

// trimSpan leaves the white space at the ends of a line out. Of an empty text it
// gives the place where one would stand, behind the white space.
func trimSpan(text string, s span) span {
	t := trimEnd(text[s.start:s.end])
	if t == "" {
		at := s.start
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		return span{at, at}
	}
	return span{s.start + firstNonBlank(t), s.start + len(t)}
}

// trimEnd takes the white space off the end of a line.
func trimEnd(s string) string {
	for s != "" && isBlank(s[len(s)-1:]) {
		s = s[:len(s)-1]
	}
	return s
}

func markerEnd(text string, at int) int {
	for at < len(text) && text[at] >= '0' && text[at] <= '9' {
		at++
	}
	return at + 1
}

// textColumn returns the column where the blocks inside an item have to begin.
func textColumn(text string, n *node, b *bullet) int {
	at := n.markerEnd
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at > b.first.start || text[at] == '\n' || text[at] == '\r' {
		return columnAt(text, n.lineStart, n.markerEnd) + 1
	}
	return columnAt(text, n.lineStart, at)
}

// columnAt returns the column of a byte, with tab stops every four columns as
// in CommonMark. Every other byte counts as one: only markers and white space
// stand where this is asked.
func columnAt(text string, lineStart, at int) int {
	column := 0
	for _, c := range []byte(text[lineStart:at]) {
		if c == '\t' {
			column += 4 - column%4
		} else {
			column++
		}
	}
	return column
}

// headingAbove returns the heading whose section holds another's, -1 if none.
func (p *Plan) headingAbove(h int) int {
	level := p.doc.headings[h].level
	for h--; h >= 0; h-- {
		if p.doc.headings[h].level < level {
			return h
		}
	}
	return -1
}

// under reports whether heading h is heading top or stands in its section.
func (p *Plan) under(h, top int) bool {
	for h > top {
		h = p.headingAbove(h)
	}
	return h == top
}

package mdplan

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// This file holds all use of goldmark. It turns a file into a document: the
// headings, the list items with exact byte spans, and the sequence of leaf
// blocks by which two versions of a file are compared.
//
// Node.Pos of a list item is wrong after a partly eaten tab, and nodes have no
// end, so the block parsers for lists are wrapped: what they are handed while
// they read the lines is exact (github.com/yuin/goldmark/issues/604).

// MaxDepth is how deep lists and quotes may be nested. goldmark's time grows
// with the square of the depth: 400 levels cost a quarter of a second.
const MaxDepth = 100

type blockKind uint8

const (
	kindBullet    blockKind = iota // a list item
	kindQuote                      // opens a block quote
	kindParagraph                  // text, also a tight list item's
	kindHeading
	kindCode // indented or fenced
	kindHTML
	kindRule
	kindOther
)

// event is one step through the document, in order: a container that opens or
// a leaf block. Two files with equal events read the same.
type event struct {
	kind   blockKind
	level  uint8 // of a heading
	depth  uint8 // how many containers hold it
	bullet int32 // index of the list item itself (kindBullet), or of the one that holds the block; -1
	lines  *text.Segments
}

// bullet is a list item, whether it is an item of the plan or not.
type bullet struct {
	node       ast.Node
	start      int // its marker, "-" or "12."
	end        int // behind its last line that is not blank
	parent     int // the list item that holds it, -1
	list       int // which Markdown list it belongs to
	event      int // its event, and the one behind its last
	eventEnd   int
	marker     byte // '-', '*', '+', or what follows the number: '.', ')'
	ordered    bool
	quoted     bool      // a block quote holds it
	firstKind  blockKind // of the block with its text
	first      span      // its first line of text; empty if there is none
	firstLevel uint8
}

// span is a range of bytes of the file.
type span struct{ start, end int }

type heading struct {
	start int // of its line
	level int
	text  string
}

// fence is a fenced code block or an HTML block that needs an end.
type fence struct {
	start  int // of the line that opens it
	end    int // behind its last line
	open   bool
	quoted bool
}

type document struct {
	text     []byte // what goldmark read: the file behind BOM and front matter
	base     int    // where that begins in the file
	bullets  []bullet
	headings []heading
	events   []event
	comments []span // HTML blocks of one line, outside of all containers
	fences   []fence
	code     []span // what is code or HTML, for the reports of look-alikes
	html     []span
	quotes   []span
}

// collector is what the wrapped parsers note while goldmark reads the lines.
type collector struct {
	bullets []bullet
	stack   []openBlock
	fences  []fence
	inFence int // open fences, for their Continue: index+1
	tooDeep bool
}

// openBlock is a list item or a quote that is open.
type openBlock struct {
	node   ast.Node
	bullet int // -1 for a quote
}

var collectorKey = parser.NewContextKey()

func collected(pc parser.Context) *collector { return pc.Get(collectorKey).(*collector) }

func (c *collector) full() bool {
	if len(c.stack) < MaxDepth {
		return false
	}
	c.tooDeep = true
	return true
}

// listBlocks refuses a list that would be too deep: a list that holds no item
// is more than goldmark can bear.
type listBlocks struct{ parser.BlockParser }

func (b listBlocks) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if collected(pc).full() {
		return nil, parser.NoChildren
	}
	return b.BlockParser.Open(parent, r, pc)
}

type quoteBlocks struct{ parser.BlockParser }

func (b quoteBlocks) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	c := collected(pc)
	if c.full() {
		return nil, parser.NoChildren
	}
	n, state := b.BlockParser.Open(parent, r, pc)
	if n != nil {
		c.stack = append(c.stack, openBlock{n, -1})
	}
	return n, state
}

func (b quoteBlocks) Close(n ast.Node, r text.Reader, pc parser.Context) {
	collected(pc).close(n)
	b.BlockParser.Close(n, r, pc)
}

// close takes a block off the stack. It need not be the last: goldmark opens
// a block before it closes the one that stood in its place.
func (c *collector) close(n ast.Node) {
	if i := c.find(n); i >= 0 {
		c.stack = slices.Delete(c.stack, i, i+1)
	}
}

func (c *collector) find(n ast.Node) int {
	for i := len(c.stack) - 1; i >= 0; i-- {
		if c.stack[i].node == n {
			return i
		}
	}
	return -1
}

type itemBlocks struct{ parser.BlockParser }

func (b itemBlocks) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	n, state := b.BlockParser.Open(parent, r, pc)
	if n != nil {
		c := collected(pc)
		at := seg.Start - seg.Padding + firstNonBlank(line)
		c.stack = append(c.stack, openBlock{n, len(c.bullets)})
		c.bullets = append(c.bullets, bullet{node: n, start: at, end: seg.Stop})
	}
	return n, state
}

func (b itemBlocks) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	line, seg := r.PeekLine()
	blank := util.IsBlank(line)
	state := b.BlockParser.Continue(n, r, pc)
	if state&parser.Continue != 0 && !blank {
		c := collected(pc)
		if i := c.find(n); i >= 0 {
			c.bullets[c.stack[i].bullet].end = seg.Stop
		}
	}
	return state
}

func (b itemBlocks) Close(n ast.Node, r text.Reader, pc parser.Context) {
	collected(pc).close(n)
	b.BlockParser.Close(n, r, pc)
}

type fenceBlocks struct{ parser.BlockParser }

func (b fenceBlocks) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, seg := r.PeekLine()
	n, state := b.BlockParser.Open(parent, r, pc)
	if n != nil {
		c := collected(pc)
		c.fences = append(c.fences, fence{start: seg.Start, end: seg.Stop, open: true})
		c.inFence = len(c.fences)
	}
	return n, state
}

func (b fenceBlocks) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	_, seg := r.PeekLine()
	state := b.BlockParser.Continue(n, r, pc)
	if c := collected(pc); c.inFence > 0 {
		f := &c.fences[c.inFence-1]
		f.end = seg.Stop
		f.open = state&parser.Continue != 0
	}
	return state
}

func firstNonBlank(line []byte) int {
	for i, c := range line {
		if c != ' ' && c != '\t' {
			return i
		}
	}
	return len(line)
}

// blockParser reads blocks only: inline parsing finds no more items and costs
// several times as much. It may be shared between goroutines.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(listBlocks{parser.NewListParser()}, 300),
			util.Prioritized(itemBlocks{parser.NewListItemParser()}, 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(fenceBlocks{parser.NewFencedCodeBlockParser()}, 700),
			util.Prioritized(quoteBlocks{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
})

// readBlocks reads the file from base on. All positions that it gives are
// positions in the file, but for those of event lines: see document.line.
func readBlocks(src []byte, base int) (*document, error) {
	// Nearly every list item of a plan has a box; to grow the slice instead
	// costs a quarter of all memory.
	boxes := min(bytes.Count(src[base:], []byte{'['}), MaxItems)
	c := &collector{bullets: make([]bullet, 0, boxes+8)}
	pc := parser.NewContext()
	pc.Set(collectorKey, c)
	d := &document{text: plainEndings(src[base:]), base: base}
	root := blockParser().Parse(text.NewReader(d.text), parser.WithContext(pc))
	if c.tooDeep {
		return nil, &ParseError{Code: "depth", Err: ErrTooDeep,
			Msg: fmt.Sprintf("lists or quotes are nested more than %d levels deep; move the inner ones out", MaxDepth)}
	}
	d.bullets, d.fences = c.bullets, c.fences
	w := walker{d: d}
	d.events = make([]event, 0, len(d.bullets)*9/8+16)
	w.children(root.FirstChild(), container{bullet: -1, top: true})
	for i := len(d.bullets) - 1; i >= 0; i-- {
		b := &d.bullets[i]
		b.node = nil // lets go of the tree
		b.end = d.lineEnd(b.end)
		if b.parent >= 0 {
			p := &d.bullets[b.parent]
			p.end = max(p.end, b.end)
		}
	}
	d.shift()
	return d, nil
}

// plainEndings puts a space in the place of each carriage return, which keeps
// all positions: goldmark does not see a list item in "-" and CRLF. White
// space at the end of a line means nothing to Markdown's blocks.
func plainEndings(src []byte) []byte {
	if bytes.IndexByte(src, '\r') < 0 {
		return src
	}
	return bytes.ReplaceAll(src, []byte("\r\n"), []byte(" \n"))
}

// shift turns positions in d.text into positions in the file.
func (d *document) shift() {
	if d.base == 0 {
		return
	}
	move := func(spans []span) {
		for i := range spans {
			spans[i].start += d.base
			spans[i].end += d.base
		}
	}
	for i := range d.bullets {
		b := &d.bullets[i]
		b.start += d.base
		b.end += d.base
		b.first.start += d.base
		b.first.end += d.base
	}
	for i := range d.headings {
		d.headings[i].start += d.base
	}
	for i := range d.fences {
		d.fences[i].start += d.base
		d.fences[i].end += d.base
	}
	move(d.comments)
	move(d.code)
	move(d.html)
	move(d.quotes)
}

// lineEnd returns the end of the line that holds the byte before at.
func (d *document) lineEnd(at int) int {
	if at > 0 && d.text[at-1] == '\n' {
		return at
	}
	if i := bytes.IndexByte(d.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(d.text)
}

func (d *document) lineStart(at int) int {
	return bytes.LastIndexByte(d.text[:at], '\n') + 1
}

// line returns a line of an event as goldmark reads it, without its ending.
func (d *document) line(seg text.Segment) []byte {
	return bytes.TrimRight(seg.Value(d.text), " \t\r\n")
}

type container struct {
	bullet int
	depth  int
	quoted bool
	top    bool
}

type walker struct {
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
		w.event(kindQuote, 0, in, nil)
		w.children(n.FirstChild(), container{bullet: in.bullet, depth: in.depth + 1, quoted: true})
		if s, ok := d.extent(at); ok {
			d.quotes = append(d.quotes, s)
		}
		return
	case *ast.Heading:
		w.event(kindHeading, n.Level, in, n.Lines())
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
		w.event(kindRule, 0, in, nil)
	case *ast.Paragraph, *ast.TextBlock:
		w.event(kindParagraph, 0, in, n.Lines())
	default:
		w.event(kindOther, 0, in, n.Lines())
	}
	if in.bullet >= 0 {
		w.grow(in.bullet, n)
	}
}

func (w *walker) event(k blockKind, level int, in container, lines *text.Segments) {
	w.d.events = append(w.d.events, event{
		kind: k, level: uint8(level), depth: uint8(in.depth), bullet: int32(in.bullet), lines: lines,
	})
}

// grow makes a list item reach to the end of a block inside: lazy lines never
// pass through the list item's parser.
func (w *walker) grow(i int, n ast.Node) {
	b := &w.d.bullets[i]
	if lines := n.Lines(); lines != nil && lines.Len() > 0 {
		b.end = max(b.end, lines.At(lines.Len()-1).Stop)
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
		first := c.FirstChild()
		ev := event{kind: kindBullet, level: l.Marker, depth: uint8(in.depth), bullet: int32(i)}
		if first != nil {
			switch f := first.(type) {
			case *ast.Paragraph, *ast.TextBlock:
				b.firstKind = kindParagraph
			case *ast.Heading:
				b.firstKind, b.firstLevel = kindHeading, uint8(f.Level)
			}
			if lines := first.Lines(); b.firstKind != kindBullet && lines.Len() > 0 {
				ev.lines = lines
				seg := lines.At(0)
				b.first = span{seg.Start, seg.Stop}
				w.grow(i, first)
				first = first.NextSibling()
			}
		}
		d.events = append(d.events, ev)
		w.children(first, container{bullet: i, depth: in.depth + 1, quoted: in.quoted})
		b = &d.bullets[i]
		b.eventEnd = len(d.events)
	}
}

func (w *walker) raw(k blockKind, n ast.Node, in container) {
	w.event(k, 0, in, n.Lines())
	d := w.d
	s, ok := d.extent(len(d.events) - 1)
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

// extent returns the bytes from the first to the last line of the events from
// at on.
func (d *document) extent(at int) (span, bool) {
	s, ok := span{}, false
	for _, e := range d.events[at:] {
		if e.lines == nil || e.lines.Len() == 0 {
			continue
		}
		if !ok {
			s.start, ok = d.lineStart(e.lines.At(0).Start), true
		}
		s.end = max(s.end, e.lines.At(e.lines.Len()-1).Stop)
	}
	return s, ok
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

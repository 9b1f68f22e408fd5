package mdplan

import (
	"bytes"
	"slices"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// This file and walk.go hold all use of goldmark: here the lines are read, there
// the tree is made a document.
//
// Node.Pos of a list item is wrong after a partly eaten tab, and nodes have no
// end, so the block parsers for lists are wrapped: what they are handed while
// they read the lines is exact (github.com/yuin/goldmark/issues/604).

// MaxDepth is how deep lists and quotes may be nested. goldmark's time grows
// with the square of the depth: 400 levels cost a quarter of a second.
const MaxDepth = 100

// collector is what the wrapped parsers note while goldmark reads the lines.
type collector struct {
	bullets    []bullet
	stack      []openBlock
	lines      []line
	paragraphs []lineRange // of complete list items, see itemBlocks.Close
	fences     []fence
	inFence    int // open fences, for their Continue: index+1
	tooDeep    bool
}

// openBlock is a list item or a quote that is open.
type openBlock struct {
	node   ast.Node
	bullet int // -1 for a quote
}

// take keeps the lines of a block.
func (c *collector) take(lines *text.Segments) lineRange {
	r := lineRange{from: int32(len(c.lines))}
	for i := range lines.Len() {
		seg := lines.At(i)
		c.lines = append(c.lines, line{span{seg.Start, seg.Stop}, seg.Padding})
	}
	r.to = int32(len(c.lines))
	return r
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

// Close leaves out what makes a list tight: nobody asks.
func (listBlocks) Close(ast.Node, text.Reader, parser.Context) {}

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
		c.bullets = append(c.bullets, bullet{start: at, end: seg.Stop})
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

// Close takes the lines of an item's paragraphs away, so that goldmark's pass
// over the inline text, which finds no more items, has nothing to do.
func (b itemBlocks) Close(n ast.Node, r text.Reader, pc parser.Context) {
	b.BlockParser.Close(n, r, pc)
	c := collected(pc)
	i := c.find(n)
	if i < 0 {
		return
	}
	c.bullets[c.stack[i].bullet].paragraphs = len(c.paragraphs)
	for n := n.FirstChild(); n != nil; n = n.NextSibling() {
		if p, ok := n.(*ast.Paragraph); ok {
			c.paragraphs = append(c.paragraphs, c.take(p.Lines()))
			p.SetLines(&text.Segments{})
		}
	}
	c.close(n)
}

// linkReferences spares goldmark the search for a definition in a paragraph
// that has none: a mark, "[ ]", begins like one.
type linkReferences struct{ parser.ParagraphTransformer }

func (t linkReferences) Transform(n *ast.Paragraph, r text.Reader, pc parser.Context) {
	lines := n.Lines()
	for i := range lines.Len() {
		if bytes.Contains(r.Value(lines.At(i)), []byte("]:")) {
			t.ParagraphTransformer.Transform(n, r, pc)
			return
		}
	}
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

func firstNonBlank[T string | []byte](line T) int {
	for i := range len(line) {
		if c := line[i]; c != ' ' && c != '\t' {
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
		parser.WithParagraphTransformers(
			util.Prioritized(linkReferences{parser.LinkReferenceParagraphTransformer}, 100),
		),
	)
})

// readPart reads the part of a file from one position to another.
func readPart(src []byte, base, from, to int) *part {
	// Nearly every list item of a plan has a box; to grow the slices instead
	// costs a quarter of all memory.
	boxes := min(bytes.Count(src[from:to], []byte{'['}), MaxItems)
	c := &collector{
		bullets:    make([]bullet, 0, boxes+8),
		lines:      make([]line, 0, boxes*9/8+16),
		paragraphs: make([]lineRange, 0, boxes+8),
	}
	pc := parser.NewContext()
	pc.Set(collectorKey, c)
	r := text.NewReader(src[:to])
	r.SetPosition(0, text.NewSegment(from, from))
	r.AdvanceLine()
	root := blockParser().Parse(r, parser.WithContext(pc))
	p := &part{from: from, tooDeep: c.tooDeep, document: document{
		text: src, base: base, bullets: c.bullets, fences: c.fences,
		events: make([]event, 0, len(c.bullets)*9/8+16),
	}}
	if p.tooDeep {
		return p
	}
	switch root.LastChild().(type) {
	case *ast.FencedCodeBlock, *ast.HTMLBlock:
		p.open = true
	case *ast.List:
		p.inList = true
	}
	w := walker{collector: c, d: &p.document}
	w.children(root.FirstChild(), container{bullet: -1, top: true})
	p.lines, p.lists = c.lines, w.lists
	slices.SortFunc(p.fences, func(a, b fence) int { return a.start - b.start })
	for i := len(p.bullets) - 1; i >= 0; i-- {
		b := &p.bullets[i]
		b.end = p.lineEnd(b.end)
		if b.parent >= 0 {
			up := &p.bullets[b.parent]
			up.end = max(up.end, b.end)
		}
	}
	return p
}

package mdplan

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// plainOutline is what goldmark itself reads, without our parsers around its
// own: a line for each block.
func plainOutline(src []byte, base int) []string {
	src = plainEndings(src)[base:]
	root := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	).Parse(text.NewReader(src))
	var out []string
	lists := 0
	add := func(kind blockKind, level, depth int, n ast.Node, with ast.Node) {
		var lines []string
		if with != nil {
			for i := range with.Lines().Len() {
				seg := with.Lines().At(i)
				lines = append(lines, strings.TrimRight(string(seg.Value(src)), " \t\r\n"))
			}
		}
		out = append(out, fmt.Sprintf("%d %d %d %q", kind, level, depth, lines))
	}
	var walk func(n ast.Node, depth int)
	walk = func(n ast.Node, depth int) {
		for ; n != nil; n = n.NextSibling() {
			switch b := n.(type) {
			case *ast.List:
				lists++
				out = append(out, fmt.Sprintf("list %d %t", lists, b.IsOrdered()))
				for c := b.FirstChild(); c != nil; c = c.NextSibling() {
					first := c.FirstChild()
					switch first.(type) {
					case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
						if first.Lines().Len() > 0 {
							add(kindBullet, int(b.Marker), depth, c, first)
							walk(first.NextSibling(), depth+1)
							continue
						}
					}
					add(kindBullet, int(b.Marker), depth, c, nil)
					walk(first, depth+1)
				}
				out = append(out, "end")
			case *ast.Blockquote:
				add(kindQuote, 0, depth, n, nil)
				walk(b.FirstChild(), depth+1)
			case *ast.Heading:
				add(kindHeading, b.Level, depth, n, n)
			case *ast.CodeBlock, *ast.FencedCodeBlock:
				add(kindCode, 0, depth, n, n)
			case *ast.HTMLBlock:
				add(kindHTML, 0, depth, n, n)
			case *ast.ThematicBreak:
				add(kindRule, 0, depth, n, n)
			case *ast.Paragraph, *ast.TextBlock:
				add(kindParagraph, 0, depth, n, n)
			default:
				add(kindOther, 0, depth, n, n)
			}
		}
	}
	walk(root.FirstChild(), 0)
	return out
}

// outline is the same of a document.
func (d *document) outline() []string {
	var out []string
	var lists []int // the lists that are open, by number
	var ends []int
	seen := 0
	for i, e := range d.events {
		for len(ends) > 0 && i >= ends[len(ends)-1] {
			out, lists, ends = append(out, "end"), lists[:len(lists)-1], ends[:len(ends)-1]
		}
		if e.kind == kindBullet {
			b := d.bullets[e.bullet]
			if b.event != i {
				panic("a list item with another's event")
			}
			if len(lists) == 0 || lists[len(lists)-1] != b.list {
				seen++
				lists, ends = append(lists, b.list), append(ends, 0)
				out = append(out, fmt.Sprintf("list %d %t", seen, b.ordered))
			}
			// The list ends where its last item does.
			end := b.eventEnd
			for j := int(e.bullet) + 1; j < len(d.bullets); j++ {
				if d.bullets[j].list == b.list {
					end = d.bullets[j].eventEnd
				}
			}
			ends[len(ends)-1] = end
		}
		var lines []string
		for _, l := range d.linesOf(e) {
			lines = append(lines, string(d.value(l)))
		}
		out = append(out, fmt.Sprintf("%d %d %d %q", e.kind, e.level, e.depth, lines))
	}
	for range ends {
		out = append(out, "end")
	}
	return out
}

// sameDocument compares two readings of the same bytes.
func sameDocument(t *testing.T, what string, got, want *document) {
	t.Helper()
	a, b := *got, *want
	if !bytes.Equal(a.text, b.text) {
		t.Fatalf("%s is %q, want %q", what, a.text, b.text)
	}
	a.parts, b.parts = nil, nil
	a.text, b.text = nil, nil
	for _, d := range []*document{&a, &b} {
		d.bullets = append([]bullet{}, d.bullets...)
		numbers := map[int]int{}
		for i := range d.bullets {
			if _, ok := numbers[d.bullets[i].list]; !ok {
				numbers[d.bullets[i].list] = len(numbers)
			}
			d.bullets[i].list = numbers[d.bullets[i].list]
			d.bullets[i].paragraphs = 0
		}
		// Lines are kept in the order in which their blocks were complete.
		lines := []line{}
		d.events = append([]event{}, d.events...)
		for i, e := range d.events {
			from := len(lines)
			lines = append(lines, d.linesOf(e)...)
			d.events[i].lines = lineRange{int32(from), int32(len(lines))}
		}
		d.lines = lines
		for _, spans := range []*[]span{&d.comments, &d.code, &d.html, &d.quotes} {
			*spans = append([]span{}, *spans...)
		}
		d.headings = append([]heading{}, d.headings...)
		d.fences = append([]fence{}, d.fences...)
	}
	if !reflect.DeepEqual(a, b) {
		t.Fatalf("%s reads %q\nas   %+v\nwant %+v", what, got.text, a, b)
	}
}

// checkReading reads a file in parts of a size, as one, and as goldmark does.
func checkReading(t *testing.T, src []byte, size int) (*document, bool) {
	t.Helper()
	base := skipFront(string(src))
	whole, err := readBlocks(src, base, len(src)+1)
	parts, err2 := readBlocks(src, base, size)
	if err != nil || err2 != nil {
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("%q: %v, in parts %v", src, err, err2)
		}
		return nil, false
	}
	if got, want := whole.outline(), plainOutline(src, base); !reflect.DeepEqual(got, want) {
		t.Fatalf("%q is read as\n%s\nby goldmark as\n%s", src, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	sameDocument(t, fmt.Sprintf("parts of %d", size), parts, whole)
	return parts, true
}

func TestCorpusInParts(t *testing.T) {
	cut := 0
	for _, f := range readCorpus(t) {
		if checkCR(f.src) != nil {
			continue
		}
		for _, size := range []int{1, 100, 1000} {
			if d, ok := checkReading(t, f.src, size); ok && len(d.parts) > 1 {
				cut++
			}
		}
	}
	if cut < 100 {
		t.Errorf("only %d files were read in parts", cut)
	}
}

// checkReread replaces bytes and reads by what has changed.
func checkReread(t *testing.T, d *document, src []byte, size int, edits ...edit) {
	t.Helper()
	now, err := splice(src, edits)
	if err != nil {
		t.Fatal(err)
	}
	if checkCR(now) != nil {
		return
	}
	base := skipFront(string(now))
	want, err := readBlocks(now, base, len(now)+1)
	got, err2 := d.reread(now, base, size, edits)
	if err != nil || err2 != nil {
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("%q: %v, again %v", now, err, err2)
		}
		return
	}
	sameDocument(t, fmt.Sprintf("%q, edited to", src), got, want)
}

// A panic reaches the goroutine of who reads, which may recover from it.
func TestPanicInAPart(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	readStretches([]byte("- [ ] a\n- [ ] b\n"), 0, []stretch{{from: 0, to: 8}, {from: 8, to: 99}})
}

func TestRereadEverywhere(t *testing.T) {
	for _, s := range append(hostile, "- [ ] a\n- [ ] b\n\n* [ ] c\n  - [ ] d\n+ [ ] e\n+ [ ] f\n# g\n- [ ] h\n") {
		if checkCR([]byte(s)) != nil {
			continue
		}
		d, ok := checkReading(t, []byte(s), 1)
		if !ok {
			continue
		}
		for at := range len(s) + 1 {
			for less := range min(3, len(s)-at+1) {
				for _, more := range []string{"", "x", "\n", "```\n", "- [ ] n\n"} {
					checkReread(t, d, []byte(s), 1, edit{at, at + less, more})
				}
			}
		}
	}
}

// FuzzParts reads a file in parts, replaces some bytes, and reads the result
// by what has changed.
func FuzzParts(f *testing.F) {
	addDocuments(f, func(doc []byte) {
		f.Add(doc, uint8(1), uint16(len(doc)/2), uint16(1), "- [ ] x\n")
		f.Add(bytes.Repeat(doc, 3), uint8(9), uint16(len(doc)), uint16(0), "```\n")
	})
	f.Fuzz(func(t *testing.T, src []byte, size uint8, at, less uint16, more string) {
		if len(src) > 10*maxFuzzed || checkCR(src) != nil || size == 0 {
			return
		}
		d, ok := checkReading(t, src, int(size))
		if !ok {
			return
		}
		start := min(int(at), len(src))
		edits := []edit{{start, min(start+int(less), len(src)), more}}
		if mid := edits[0].end + int(size)*2; mid < len(src) {
			edits = append(edits, edit{mid, mid, more}) // the order does not matter
			edits[0], edits[1] = edits[1], edits[0]
		}
		checkReread(t, d, src, int(size), edits...)
	})
}

package mdplan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var benchSizes = []int{12, 1_000, 10_000}

// benchPlan is a plan of so many items, of the shape that plans have: a heading
// every 50 items, sub-items, notes, ids and fields.
func benchPlan(items int) []byte {
	var b strings.Builder
	b.WriteString("# Ship the login page\n\nSome prose about it.\n\n")
	for i := range items {
		switch {
		case i%50 == 49:
			fmt.Fprintf(&b, "\n## Part %d\n\n", i/50)
			fallthrough
		case i%4 == 0:
			fmt.Fprintf(&b, "- [x] #step-%d: Read the requirements of step %d (priority:: high)\n", i, i)
		case i%4 == 1:
			fmt.Fprintf(&b, "  - [ ] Write the handler for step %d\n", i)
		case i%4 == 2:
			fmt.Fprintf(&b, "- [ ] Write the tests of step %d\n  tried without a mock, timed out\n", i)
		default:
			fmt.Fprintf(&b, "- [!] Ask somebody about step %d\n", i)
		}
	}
	return []byte(b.String())
}

func benchEach(b *testing.B, f func(b *testing.B, src []byte, p *Plan)) {
	for _, items := range benchSizes {
		src := benchPlan(items)
		p, err := Parse(src)
		if err != nil || len(p.nodes) != items {
			b.Fatalf("%v, %d items", err, len(p.nodes))
		}
		b.Run(fmt.Sprint(items), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(src)))
			f(b, src, p)
		})
	}
}

func BenchmarkParse(b *testing.B) {
	benchEach(b, func(b *testing.B, src []byte, _ *Plan) {
		for b.Loop() {
			if _, err := Parse(src); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGoldmarkBlocks is what BenchmarkParse is measured by: goldmark's
// own parsers of blocks, without inline parsing.
func BenchmarkGoldmarkBlocks(b *testing.B) {
	blocks := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...))
	benchEach(b, func(b *testing.B, src []byte, _ *Plan) {
		for b.Loop() {
			blocks.Parse(text.NewReader(src))
		}
	})
}

func BenchmarkStatus(b *testing.B) {
	benchEach(b, func(b *testing.B, _ []byte, p *Plan) {
		by := noLimits(HumanName)
		for b.Loop() {
			if _, err := p.SetStatus(by, "2", InProgress); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkUpdate passes a list of the plan's own length that changes a status
// and leaves an item out.
func BenchmarkUpdate(b *testing.B) {
	benchEach(b, func(b *testing.B, _ []byte, p *Plan) {
		by := noLimits("agent")
		l := flatList(p)
		u, err := p.Update(by, l, UpdateOptions{})
		if err != nil {
			b.Fatal(err)
		}
		l.Items[len(l.Items)/2].Status = Completed
		l.Items = l.Items[:len(l.Items)-1]
		for b.Loop() {
			if _, err := p.Update(by, l, UpdateOptions{Base: &u.Base}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// flatList is a plan's list without nesting.
func flatList(p *Plan) List {
	var l List
	for _, n := range p.nodes {
		l.Items = append(l.Items, ListItem{Content: n.content, Status: n.status})
	}
	return l
}

func BenchmarkRender(b *testing.B) {
	benchEach(b, func(b *testing.B, _ []byte, p *Plan) {
		for b.Loop() {
			p.Render(RenderOptions{Numbers: true})
		}
	})
}

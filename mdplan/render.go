package mdplan

import (
	"fmt"
	"strings"
)

// RenderOptions says how a plan is shown.
type RenderOptions struct {
	// Numbers puts each item's number into a column of its own. Where ids are
	// bare numbers there are no others.
	Numbers bool
	// Cut keeps the text small enough for an agent's context: above so many
	// items only the item in progress with its parents, the open items of
	// First, and the next open ones are shown, and the rest is counted. Long
	// texts are cut as well. 0 shows everything.
	Cut int
	// First has the items, by content, that are shown before others when the
	// plan is cut.
	First map[string]bool
}

// AgentCut is the Cut of what agents are shown: the length up to which a
// session's plan should be kept anyway.
const AgentCut = 12

// maxItemText is how many characters of a content are shown where the plan is cut.
const maxItemText = 300

// NoTodos is what an empty plan is rendered as.
const NoTodos = "No todos."

// shownMarks are the marks of the rendered plan, whatever the file has.
var shownMarks = func() map[Status]string {
	marks := map[Status]string{}
	for s, r := range canonical {
		marks[s] = "[" + string(r) + "]"
	}
	return marks
}()

func shownMark(s Status) string { return shownMarks[s] }

// Render shows the plan as lines of text, with the count of completed items at
// its end. Text of the file is escaped, see [Escape]. It ends in a line feed.
func (p *Plan) Render(o RenderOptions) string {
	if len(p.nodes) == 0 {
		return NoTodos + "\n"
	}
	shown, rest := p.cut(o)
	width := 0
	if o.Numbers && !p.numberIDs() {
		for _, n := range shown {
			width = max(width, len(n.number()))
		}
	}
	var b strings.Builder
	b.Grow(len(p.src) * 5 / 4)
	sections := p.sections()
	section := -2
	for _, n := range shown {
		if sections > 1 && n.heading != section {
			if section != -2 {
				b.WriteByte('\n')
			}
			section = n.heading
			b.WriteString(p.headingLine(section))
		}
		if width > 0 {
			fmt.Fprintf(&b, "%-*s ", width, n.number())
		}
		p.writeItem(&b, n, o.Cut > 0)
		b.WriteByte('\n')
	}
	if rest != "" {
		b.WriteString(rest + "\n")
	}
	fmt.Fprintf(&b, "\n%s\n", p.CountLine())
	return b.String()
}

// headingLine shows a heading between items, "" for -1.
func (p *Plan) headingLine(i int) string {
	if i < 0 {
		return ""
	}
	h := p.doc.headings[i]
	return strings.Repeat("#", h.level) + " " + escapeLine(h.text) + "\n"
}

// CountLine returns the count that ends a rendered plan: "(1/4 completed)".
// Cancelled items count in neither figure.
func (p *Plan) CountLine() string {
	c := p.Counts()
	return fmt.Sprintf("(%d/%d completed)", c.Completed, c.Total-c.Cancelled)
}

// Line returns the plan as one short line for status lines, such as
// "2/6 Implement login": the count and the item in progress, if there is one.
// It is "" for a plan without items.
func (p *Plan) Line() string {
	if len(p.nodes) == 0 {
		return ""
	}
	c := p.Counts()
	line := fmt.Sprintf("%d/%d", c.Completed, c.Total-c.Cancelled)
	for _, n := range p.nodes {
		if n.status == InProgress {
			return line + " " + escapeLine(n.content)
		}
	}
	return line
}

// ItemLine returns an item as it stands in a rendered plan that is cut.
func (p *Plan) ItemLine(it Item) string {
	for _, n := range p.nodes {
		if n.line == it.Line {
			return strings.TrimLeft(p.itemLine(n, true), " ")
		}
	}
	return shownMark(it.Status) + " " + shorten(escapeLine(it.Content), maxItemText)
}

func (p *Plan) itemLine(n *node, cut bool) string {
	var b strings.Builder
	p.writeItem(&b, n, cut)
	return b.String()
}

func (p *Plan) writeItem(b *strings.Builder, n *node, cut bool) {
	for up := n.parent; up != nil; up = up.parent {
		b.WriteString("  ")
	}
	b.WriteString(shownMark(n.status))
	if n.id != "" {
		b.WriteString(" #" + escapeLine(n.id) + ":")
	}
	text := escapeLine(n.content)
	if cut {
		text = shorten(text, maxItemText)
	}
	if text != "" {
		b.WriteByte(' ')
		b.WriteString(text)
	}
	if n.status == InProgress && len(p.labels) > 0 {
		if label := p.labels[pairKey(n.content)]; label != "" {
			b.WriteString(" (" + shorten(escapeLine(label), maxItemText) + ")")
		}
	}
}

func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// sections counts the headings that items stand under.
func (p *Plan) sections() int {
	count, last := 0, -2
	for _, n := range p.nodes {
		if n.heading != last {
			count++
			last = n.heading
		}
	}
	return count
}

// cut returns the items to show, in order, and a line that counts the rest.
func (p *Plan) cut(o RenderOptions) ([]*node, string) {
	if o.Cut <= 0 || len(p.nodes) <= o.Cut {
		return p.nodes, ""
	}
	pick := map[*node]bool{}
	take := func(n *node) {
		if len(pick) < o.Cut {
			pick[n] = true
		}
	}
	for _, n := range p.nodes {
		if n.status == InProgress {
			take(n)
			for _, a := range n.ancestors() {
				take(a)
			}
		}
	}
	first := make(map[string]bool, len(o.First))
	for content, is := range o.First {
		first[pairKey(content)] = is
	}
	for _, n := range p.nodes {
		if n.status.Open() && first[pairKey(n.content)] {
			take(n)
		}
	}
	for _, n := range p.nodes {
		if n.status.Open() {
			take(n)
		}
	}
	var shown []*node
	open, closed := 0, 0
	for _, n := range p.nodes {
		switch {
		case pick[n]:
			shown = append(shown, n)
		case n.status.Open():
			open++
		default:
			closed++
		}
	}
	return shown, fmt.Sprintf("… and %d more: %d open, %d closed", open+closed, open, closed)
}

package mdplan

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// listMarks is how the marks of a checklist that came as text are read.
type listMarks struct {
	// roo is set for the call of Roo Code's update_todo_list, which writes
	// [-] for the item in progress and has no other mark but [ ] and [x].
	roo bool
}

// status returns the status of a mark or of a word in its place. It reports
// false for an unknown one, whose status is then the mark itself.
func (m listMarks) status(mark string) (Status, bool) {
	switch mark {
	case "":
		return Pending, true
	case "x", "X":
		return Completed, true
	case ">", "/", "~":
		return InProgress, true
	case "!":
		return Blocked, true
	case "-":
		if m.roo {
			return InProgress, true
		}
		return Cancelled, true
	}
	return ParseStatus(mark)
}

// This is no second grammar for plan files: a call's text need not have
// bullets, may nest by any indent, and is never written back.
var (
	checklistRE = lazyRegexp(`^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?\[([^\[\]]{0,16})\](?:\\?\*)?(?:[ \t]+(.*))?$`)
	bulletRE    = lazyRegexp(`^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$`)
	fenceRE     = lazyRegexp("^[ \t]*(`{3,}|~{3,})([^`]*)$")
	ownMarkRE   = lazyRegexp(`(?m)^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\[[>/!]\]`)
)

// checklistLine is a line of a checklist, ok if it is an item.
type checklistLine struct {
	ok       bool
	indent   int
	bulleted bool
	mark     string
	text     string
}

func parseChecklistLine(line string) checklistLine {
	m := checklistRE().FindStringSubmatch(strings.TrimRightFunc(line, unicode.IsSpace))
	if m == nil {
		return checklistLine{}
	}
	l := checklistLine{
		indent:   columnAt(m[1], 0, len(m[1])),
		bulleted: m[2] != "",
		mark:     strings.TrimSpace(m[3]),
		text:     strings.TrimSpace(m[4]),
	}
	_, known := listMarks{}.status(l.mark)
	// Behind a bullet an unknown mark is a mistake that the rules answer;
	// without one it is a footnote, and a longer text is a link or a date.
	l.ok = known || l.bulleted && (oneMark(l.mark) || statusWord(l.mark) != "")
	return l
}

func indentOf(line string) int {
	return columnAt(line, 0, len(line)-len(strings.TrimLeft(line, " \t")))
}

// listFence returns the mark of a line that opens a code fence, else "".
func listFence(line string) string {
	if m := fenceRE().FindStringSubmatch(strings.TrimRight(line, "\r")); m != nil {
		return m[1]
	}
	return ""
}

// checkNode is an item while its checklist is being read.
type checkNode struct {
	item     ListItem
	indent   int
	bulleted bool
	notes    []string
	subs     []*checkNode
}

// checkReader reads a checklist line by line.
type checkReader struct {
	*listReader
	line0 int          // the line that is read, from 0
	taken map[int]bool // the lines that were read as items
	skip  map[int]bool // the lines that are none; see List.meant
	marks listMarks
	root  checkNode
	open  []*checkNode // the items that the next line can stand in, outermost first
	// afterBlank tells the text that goes on from the text that starts anew.
	afterBlank bool
}

// markdown reads the items of a Markdown text, as a plan file or as the string
// of a tool; none if it has none.
func (r *listReader) markdown(text string, marks listMarks) ([]ListItem, error) {
	text = withoutNumbers(newlines.Replace(toValid(text))) // as JSON has it
	if ownMarkRE().MatchString(text) {
		marks.roo = false // a text with [>] means its [-] as a plan file does
	}
	t := readListText(text)
	if t != nil && t.lost > 0 {
		return nil, lostError(t.lost)
	}
	if n := t.cutLine(text); n > 0 {
		return nil, listErrorf("line %d: %v", n, cutError(strings.Split(text, "\n")[n-1]))
	}
	if t.isPlan() {
		items := r.planItems(t, t.plan.top, marks, 1)
		r.ignore(t, text, nil)
		if slices.Contains(t.kinds, lineWord) {
			r.source = &listSource{text, t, marks}
		}
		return items, nil
	}
	c := &checkReader{listReader: r, marks: marks, taken: map[int]bool{}}
	if err := c.read(t, text); err != nil {
		return nil, err
	}
	items := c.root.finish().Items
	if len(items) > 0 {
		r.ignore(t, text, c.taken)
	}
	return items, nil
}

func lostError(line int) error {
	return listErrorf("line %d: %v", line, notListf("a fence opens here and has no end, so the items below it would be lost"))
}

// read reads a tool's string.
func (c *checkReader) read(t *listText, text string) error {
	fence, fenceLine, hidden := "", 0, false
	comment := false
	for i, line := range strings.Split(text, "\n") {
		c.line0 = i
		trimmed := strings.TrimSpace(line)
		switch mark := listFence(line); {
		case comment:
			comment = !strings.Contains(line, "-->")
			continue
		case fence != "":
			hidden = hidden || parseChecklistLine(line).ok
			c.note(line)
			if mark != "" && trimmed == mark && strings.HasPrefix(mark, fence) {
				fence = ""
			}
			continue
		case mark != "":
			fence, fenceLine, hidden = mark, i+1, false
			c.text(line)
			continue
		case strings.HasPrefix(trimmed, "<!--"):
			comment = !strings.Contains(line, "-->")
			continue
		case trimmed == "":
			c.note("")
			c.afterBlank = true
			continue
		case t.is(i, lineHidden):
			c.text(line)
			continue
		}
		c.line(line)
		c.afterBlank = false
	}
	if fence != "" && hidden {
		return lostError(fenceLine)
	}
	return nil
}

func (c *checkReader) line(line string) {
	if l := parseChecklistLine(line); l.ok && !c.skip[c.line0] {
		status, _ := c.marks.status(l.mark)
		c.add(l, status)
		return
	}
	// A bullet without a box beside items is neither an item nor the note of
	// the one above it.
	if m := bulletRE().FindStringSubmatch(line); m != nil {
		for indent := columnAt(m[1], 0, len(m[1])); len(c.open) > 0 && indent < c.top().indent+2; {
			c.open = c.open[:len(c.open)-1]
		}
		c.note(line)
		return
	}
	c.text(line)
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func (c *checkReader) top() *checkNode { return c.open[len(c.open)-1] }

// add adds an item below the nearest one above that stands further left. One
// column is no level: models indent carelessly.
func (c *checkReader) add(l checklistLine, status Status) {
	for len(c.open) > 0 && l.indent < c.top().indent+2 {
		c.open = c.open[:len(c.open)-1]
	}
	if !c.room(strconv.Quote(l.text), len(c.open)+1) {
		return
	}
	parent := &c.root
	if len(c.open) > 0 {
		parent = c.top()
	}
	n := &checkNode{item: ListItem{Content: l.text, Status: status}, indent: l.indent, bulleted: l.bulleted}
	parent.subs = append(parent.subs, n)
	c.open = append(c.open, n)
	c.taken[c.line0] = true
}

// text takes a line that is no item: inside one it is a note, else it ends
// the list.
func (c *checkReader) text(line string) {
	lazy := !c.afterBlank && len(c.open) > 0 && c.top().bulleted && !strings.ContainsAny(line[:1], "#<>|`~")
	if !lazy && (len(c.open) == 0 || indentOf(line) <= c.open[0].indent) {
		c.open = nil
		return
	}
	for !lazy && indentOf(line) <= c.top().indent {
		c.open = c.open[:len(c.open)-1]
	}
	c.note(line)
}

func (c *checkReader) note(line string) {
	if len(c.open) > 0 {
		c.top().notes = append(c.top().notes, line)
	}
}

// finish returns the node as an item, with its notes and sub-items.
func (n *checkNode) finish() ListItem {
	n.item.Notes = trimNotes(strings.Join(undent(n.notes), "\n"))
	for _, sub := range n.subs {
		n.item.Items = append(n.item.Items, sub.finish())
	}
	return n.item
}

// undent removes the indent that all lines have in common.
func undent(lines []string) []string {
	common := -1
	for _, line := range lines {
		if rest := strings.TrimLeft(line, " \t"); rest != "" && (common < 0 || len(line)-len(rest) < common) {
			common = len(line) - len(rest)
		}
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line[min(max(common, 0), len(line)):]
	}
	return out
}

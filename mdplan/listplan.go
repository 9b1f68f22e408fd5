package mdplan

import (
	"cmp"
	"slices"
	"strings"
)

// This file decides how a list that came as a Markdown text is read. A text
// in which [Parse] finds items is a plan file, and says what the plan reader
// reads in it: who passes the plan itself must find nothing in it that is not
// there. All else is the string of a tool, which knows no Markdown: boxes
// without bullets, words for marks, an indent of any width; see checklist.go.
//
// The border between the two is a box without a bullet in the running text
// ("- [ ] a" and then "[ ] b"), which nothing in Markdown hides: it makes the
// whole text a tool's string. A box behind a bullet with nothing, a word, or an
// unknown mark in it is no border beside items, though a tool may mean an item by
// it: a plan file may hold such a line, and what was in a file must neither make
// a call fail nor come into the plan a second time. Where the plan's file does not
// hold it, it is an item after all; see List.meant. Boxes in front matter, code,
// comments, HTML, quotes or outside of the directive's section are hidden in both
// readings, and so is a bullet without a box: a field, a link or a detail.
//
// What is left out and looks like a task is kept in [List.Ignored].

// Ignored is a line of a Markdown text that looks like a task and was not read
// as one by [ReadList].
type Ignored struct {
	Line int    // from 1, in the text of the list
	Text string // the line
	Why  string // the reason and the way out
}

// lineKind is what a line of a list's text is to Markdown.
type lineKind uint8

const (
	lineText   lineKind = iota
	lineItem            // an item to the plan reader
	lineHidden          // nothing that a list says
	lineBare            // a box that only a tool's string has
	lineWord            // a bulleted box that a tool may mean as an item, beside items
	lineBullet          // a list item without a box, beside items
)

// listText is the text of a list with what Markdown makes of its lines.
type listText struct {
	plan  *Plan
	kinds []lineKind
	lost  int // the line of a fence without an end that holds boxes, 0 if there is none
}

// readListText returns nil if the text can't be read as a plan file.
func readListText(text string) *listText {
	p, err := Parse([]byte(text))
	if err != nil {
		return nil
	}
	c := &checker{p: p, text: text}
	r := c.newLineReader()
	t := &listText{plan: p}
	last := len(strings.TrimRight(text, " \t\n"))
	beside := map[int]bool{} // the Markdown lists that hold items
	for _, n := range p.nodes {
		beside[p.doc.bullets[n.bullet].list] = true
	}
	at := 0
	for line := range strings.Lines(text) {
		start := at
		at += len(line)
		kind := c.listLine(r, line, start, at, beside)
		if f, ok := r.fences.over(start); ok && t.lost == 0 && f.end >= last && parseChecklistLine(line).ok && c.unended(f) {
			t.lost = c.lineOf(f.start)
		}
		t.kinds = append(t.kinds, kind)
	}
	return t
}

// unended reports whether a fence has no end.
func (c *checker) unended(s span) bool {
	return slices.ContainsFunc(c.p.doc.fences, func(f fence) bool { return f.start == s.start && f.open })
}

func (c *checker) listLine(r *lineReader, line string, start, end int, beside map[int]bool) lineKind {
	_, quoted := r.quotes.over(start)
	_, fenced := r.fences.over(start)
	_, code := r.code.over(start)
	h, html := r.html.over(start)
	wrapped := html && !c.hides(h)
	if r.item(c.p.nodes, start, end) {
		return lineItem
	}
	// Without an item the text is a tool's, which may indent as it likes.
	if !c.inScope(start) || start < c.p.doc.base || quoted || fenced || code && len(c.p.nodes) > 0 || html && !wrapped {
		return lineHidden
	}
	l := parseChecklistLine(strings.TrimRight(line, "\n"))
	b := r.listItem(start, end)
	switch {
	case wrapped && l.ok:
		return lineBare
	case b != nil && l.ok && (beside[b.list] || !wordMark(l.mark)):
		return lineWord
	case b != nil:
		if beside[b.list] {
			return lineBullet
		}
	case l.ok && !l.bulleted:
		if e := r.block(start, end); e != nil && c.bareBox(l, e) {
			return lineBare
		}
	}
	return lineText
}

// wordMark reports whether a box may stand for a word that a plan explains:
// "[P] can run in parallel", in a list of its own.
func wordMark(mark string) bool {
	_, known := listMarks{}.status(mark)
	return !known && oneMark(mark) && strings.ContainsFunc(mark, isLetterOrDigit)
}

// bareBox reports whether a box without a bullet is an item of a tool's
// string, and no talk of boxes. One that is indented like the notes of a list
// item is a note: boxes below boxes, or the output of a program.
func (c *checker) bareBox(l checklistLine, e *event) bool {
	if e.kind != kindParagraph && e.kind != kindBullet || l.text == "" ||
		strings.HasPrefix(l.text, "=") || strings.Contains(l.text, "[ ]") || strings.Contains(l.text, "[x]") ||
		c.legend(shape{open: "[", inner: cmp.Or(l.mark, " "), rest: l.text}) {
		return false
	}
	return e.bullet < 0 || l.indent < c.textColumn(&c.p.doc.bullets[e.bullet])
}

// htmlBlocks are the elements that open an HTML block in CommonMark. A tag of
// another name ("<todos>") is a wrapper that a tool puts around its list.
const htmlBlocks = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
	"fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu " +
	"menuitem nav noframes ol optgroup option p param pre script search section style summary table tbody td textarea tfoot th " +
	"thead title tr track ul "

// hides reports whether an HTML block hides what is in it.
func (c *checker) hides(h span) bool {
	tag := strings.TrimLeft(c.text[h.start:h.end], " \t\n<")
	tag = strings.TrimPrefix(tag, "/")
	end := 0
	for end < len(tag) && isLetterOrDigit(rune(tag[end])) {
		end++
	}
	return end == 0 || strings.Contains(htmlBlocks, " "+strings.ToLower(tag[:end])+" ")
}

// isPlan reports whether the text is a plan file.
func (t *listText) isPlan() bool {
	return t != nil && len(t.plan.nodes) > 0 && !slices.Contains(t.kinds, lineBare)
}

// is reports whether a line, from 0, is of a kind.
func (t *listText) is(line int, kind lineKind) bool {
	return t != nil && line < len(t.kinds) && t.kinds[line] == kind
}

// planItems gives the items of a plan file as items of a list.
func (r *listReader) planItems(t *listText, nodes []*node, marks listMarks, depth int) []ListItem {
	var items []ListItem
	p := t.plan
	for _, n := range nodes {
		content := string(p.src[n.text.start:max(n.text.start, n.text.end)])
		if !r.room(shown(content), depth) {
			break
		}
		it := ListItem{Content: content, Status: n.status, Notes: trimNotes(p.notes(n))}
		if _, set := p.settings.Marks['-']; marks.roo && !set && string(p.src[n.mark.start:n.mark.end]) == "-" {
			it.Status = InProgress
		}
		if len(n.subs) > 0 {
			it.Items = r.planItems(t, n.subs, marks, depth+1)
		}
		items = append(items, it)
	}
	return items
}

// ignore keeps what looks like a task and was not taken for one. taken has the
// lines that were, from 0.
func (r *listReader) ignore(t *listText, text string, taken map[int]bool) {
	if t == nil {
		return
	}
	lines := strings.Split(text, "\n")
	c := &checker{p: t.plan, text: text}
	checkLines(c)
	c.found = slices.DeleteFunc(c.found, func(f finding) bool { return f.code == "directive" })
	why := map[int]string{}
	for _, q := range c.problems() {
		if q.Code != "directive" && why[q.Line] == "" {
			why[q.Line] = q.Message
		}
	}
	for i, line := range lines {
		msg := why[i+1]
		if msg == "" && (t.is(i, lineBullet) || t.is(i, lineWord)) {
			msg = "no box stands behind the bullet" + noItem + "write \"- [ ] …\" if it is one"
		}
		if msg != "" && !taken[i] && !t.is(i, lineItem) {
			r.ignored = append(r.ignored, Ignored{Line: i + 1, Text: strings.TrimSpace(line), Why: msg})
		}
	}
}

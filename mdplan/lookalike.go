package mdplan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file finds lines that look like items and are none. Each is reported
// once, with the reason and the way out, so that no task is ever left out in
// silence. What is commonly written in prose, in tables and in link lists is
// none of it: a report that is wrong teaches people to read none.

// knownMark reports whether a text is one mark that the file knows.
func (c *checker) knownMark(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size > 0 && size == len(s) && c.known(r)
}

// task reports whether the line would be an item where Markdown has items.
func (c *checker) task(s shape) bool {
	return s.bullet == listBullet && s.odd == 0 && s.open == "[" && s.prefix == "" && s.clear() && !s.heading && c.knownMark(s.inner)
}

// checkLines looks at every line that holds a bracket.
func checkLines(c *checker) {
	c.tasksIn, c.hidden = map[int]bool{}, map[int]*hidden{}
	r := c.newLineReader()
	at := 0
	for line := range strings.Lines(c.text) {
		start := at
		at += len(line)
		if start == 0 {
			start = len(bom(line))
		}
		line = strings.TrimRight(c.text[start:at], "\r\n")
		if strings.ContainsAny(line, boxStarts) {
			c.line(r, line, start, at)
		}
		if strings.Contains(line, "todomd") && strings.Contains(line, "<!--") {
			c.directive(r, line, start)
		}
	}
	c.countHidden()
}

// line reports the line from start to end if it looks like an item and is none.
func (c *checker) line(r *lineReader, line string, start, end int) {
	quote, quoted := r.quotes.over(start)
	s, ok := readShape(line, quoted)
	if !ok || !c.inScope(start) || r.item(c.p.nodes, start, end) {
		return
	}
	at := start + s.box
	if start < c.p.doc.base {
		if c.task(s) {
			c.hide(0, at, "in-front-matter", "the front matter", fmt.Sprintf("move it below line %d", c.lineOf(c.p.doc.base-1)))
		}
		return
	}
	if f, ok := r.fences.over(start); ok {
		if c.task(s) {
			c.tasksIn[f.start] = true
			c.hide(f.start, at, "in-code", c.begun("code", f.start), "if it is work, move it out")
		}
		return
	}
	if h, ok := r.html.over(start); ok {
		c.html(s, at, h)
		return
	}
	if code, ok := r.code.over(start); ok {
		c.indentedCode(s, at, code, r.block(start, end), r.listItem(start, end) != nil)
		return
	}
	if quoted {
		if c.task(s) {
			c.hideWith(quote.start, at, "in-quote", c.begun("block quote", quote.start),
				`this task is in a block quote, so it is no item; if it is work, take the ">" away`)
		}
		return
	}
	if b := r.listItem(start, end); b != nil {
		if c.oddLine(s, start) {
			return
		}
		c.listItem(s, at, b.first.end <= start || b.first.start >= end)
		return
	}
	if e := r.block(start, end); e != nil {
		c.textLine(r, s, at, start, end, e)
	}
}

func (c *checker) html(s shape, at int, h span) {
	if !c.task(s) {
		return
	}
	opens := h.start + max(strings.IndexByte(c.text[h.start:h.end], '<'), 0)
	c.tasksIn[h.start] = true
	if strings.HasPrefix(c.text[opens:], "<!--") {
		c.hide(h.start, at, "in-comment", c.begun("comment", opens), "if it is work, move it out")
		return
	}
	way := "put a blank line before it, or move it out"
	if end := htmlEnd(c.text[opens:h.end]); end != "" {
		way = "end that with " + end + " before it, or move it out"
	}
	c.hide(h.start, at, "in-html", c.begun("HTML", opens), way)
}

// indentedCode reports a task in an indented code block. bulleted says that
// the list item which holds the code begins on the same line.
func (c *checker) indentedCode(s shape, at int, code span, e *event, bulleted bool) {
	switch {
	case bulleted && c.task(s):
		c.warn(at, "in-code", "more than four columns behind the bullet, this task is code"+noItem+"put one space there")
	case c.task(s):
		holder := -1
		if e != nil {
			holder = int(e.bullet)
		}
		c.hideWith(code.start, at, "in-code", c.begun("code", code.start), fmt.Sprintf(
			"this task is indented so far that it is code, which begins in line %d, so it is no item; %s", c.lineOf(code.start), c.indent(holder)))
	case s.bullet == noBullet && s.open == "[" && !s.heading && s.words() && c.knownMark(s.inner):
		c.hideWith(code.start, at, "in-code", c.begun("code", code.start), fmt.Sprintf(
			"this task is indented so far that it is code, which begins in line %d, and has no bullet, so it is no item; write \"- %s …\" at the start of the line",
			c.lineOf(code.start), s.bare()))
	}
}

// indent says how far an item may be indented to belong to a list item, or to
// the document if there is none.
func (c *checker) indent(holder int) string {
	if holder < 0 {
		return "indent it by at most 3 columns"
	}
	b := &c.p.doc.bullets[holder]
	column := c.textColumn(b)
	return fmt.Sprintf("indent it by %d to %d columns to make it a sub-item of line %d", column, column+3, c.lineOf(b.start))
}

// textColumn returns the column where the blocks inside a list item begin.
func (c *checker) textColumn(b *bullet) int {
	n := &node{markerEnd: markerEnd(c.text, b.start)}
	n.lineStart = max(strings.LastIndexByte(c.text[:b.start], '\n')+1, c.p.doc.base)
	if n.markerEnd >= len(c.text) {
		return columnAt(c.text, n.lineStart, n.markerEnd) + 1
	}
	return textColumn(c.text, n, b)
}

// noItem joins the reason to the remedy in most messages.
const noItem = ", so this line is no item; "

// listItem reports a list item whose text is not a box and a text. swallowed
// says that Markdown does not see the line as its text.
func (c *checker) listItem(s shape, at int, swallowed bool) {
	switch {
	case s.heading || s.bullet != listBullet:
	case s.open != "[":
		c.brackets(s, at)
	case s.prefix == `\`:
		if s.clear() && c.knownMark(s.inner) {
			c.warn(at, "escaped", "the backslash makes the bracket text"+noItem+"delete it")
		}
	case s.prefix != "":
		if c.knownMark(s.inner) && !s.link() && (emphasis(s.prefix) || s.words()) {
			c.warn(at, "emphasis", "%s stands before the bracket"+noItem+"begin with %s", prefixName(s.prefix), s.boxed())
		}
	case s.link():
	case swallowed:
		if strings.HasPrefix(s.rest, ":") && (c.knownMark(s.inner) || statusWord(s.inner) != "") {
			c.warn(at, "link-reference", "with \":\" behind the bracket this is the target of a link"+noItem+"delete the \":\"")
		}
	case c.label(s.inner): // a link, as in "- [a] has the details"
	case s.inner == "":
		if s.words() {
			c.warn(at, "empty-box", "nothing stands between the brackets"+noItem+"write %s", c.box(Pending))
		}
	case oneMark(s.inner):
		c.mark(s, at)
	case c.knownMark(spaceless(s.inner)):
		if s.clear() {
			c.warn(at, "wide-box", "more than one character stands between the brackets"+noItem+"write %s",
				"["+escapeLine(spaceless(s.inner))+"]")
		}
	case statusWord(s.inner) != "":
		if s.clear() || s.rest[0] == ':' {
			c.warn(at, "status-word", "%s is a word, no mark"+noItem+"write %s", s.boxed(), c.box(statusWord(s.inner)))
		}
	}
}

// spaceless is what is between brackets without white space around it; " " if
// there is nothing else.
func spaceless(s string) string {
	if t := strings.TrimFunc(s, unicode.IsSpace); t != "" || s == "" {
		return t
	}
	return " "
}

// brackets reports boxes made of other characters than "[" and "]".
func (c *checker) brackets(s shape, at int) {
	inner := strings.NewReplacer("\u3000", " ", "ｘ", "x", "Ｘ", "x", "✓", "x", "✔", "x").Replace(s.inner)
	switch {
	case s.prefix != "" || s.link() || inner != "" && !c.knownMark(inner) || c.legend(s):
	case s.open == "☐":
		if c.box(Pending) != "" && c.box(Completed) != "" {
			c.warn(at, "brackets", "a drawn box is no mark"+noItem+"write %s or %s", c.box(Pending), c.box(Completed))
		}
	case s.bullet != noBullet || s.inner != "":
		c.warn(at, "brackets", "the brackets are not \"[\" and \"]\""+noItem+"write \"- [%s] …\"", spaceless(" "+escapeLine(inner)))
	}
}

// textLine reports a line of text that looks like an item.
func (c *checker) textLine(r *lineReader, s shape, at, start, end int, e *event) {
	known := s.prefix == "" && !s.link() && c.knownMark(s.inner)
	kind := e.kind
	if kind == kindBullet {
		kind = c.p.doc.bullets[e.bullet].firstKind
	}
	switch {
	case kind == kindHeading || s.heading:
		if kind == kindHeading && s.bullet != tightBullet && s.open == "[" && known && s.words() {
			c.warn(at, "heading", "a heading is no item, though it begins with %s; write \"- %s …\" if it is one",
				s.boxed(), s.bare())
		}
	case kind != kindParagraph:
	case c.oddLine(s, start):
	case s.open != "[":
		c.brackets(s, at)
	case !known:
	case s.bullet == tightBullet:
		c.warn(at, "no-space", "no space stands between \"%s\" and the bracket"+noItem+"write \"%s %s …\"",
			s.marker, s.marker, s.bare())
	case !s.clear():
	case s.bullet == otherBullet:
		c.warn(at, "bullet", "\"%s\" is no bullet of Markdown"+noItem+"write \"- %s …\"", s.marker, s.bare())
	case s.bullet == listBullet:
		c.swallowed(s, at, start, int(e.bullet))
	case c.legend(s):
	case s.words() && (strings.ContainsAny(s.inner, " xX") || e.bullet < 0 && (r.line == 0 || r.bare == start)):
		// A line of prose may begin with "[/]" where it was wrapped, and notes
		// hold the output of tools, which begin lines with "[!]".
		r.bare = end
		c.warn(at, "no-bullet", "no bullet stands before %s"+noItem+"write \"- %s …\"", s.boxed(), s.bare())
	}
}

// swallowed reports an item that Markdown takes for text of the lines above.
func (c *checker) swallowed(s shape, at, start, holder int) {
	column, least := columnAt(c.text, start, start+s.at), 0
	if holder >= 0 {
		least = c.textColumn(&c.p.doc.bullets[holder])
	}
	switch {
	case column >= least+4:
		c.warn(at, "too-deep", "indented by %d columns, this task is text of the lines above"+noItem+"%s", column, c.indent(holder))
	case s.marker[0] >= '0' && s.marker[0] <= '9':
		c.warn(at, "swallowed", "a list that begins with %s can't follow text directly"+noItem+"put a blank line before it", shown(s.marker))
	default:
		c.warn(at, "swallowed", "this task is text of the lines above"+noItem+"put a blank line before it")
	}
}

// directive reports a directive that is not read: one that does not stand on a
// line of its own outside of lists, quotes and other blocks. In code it is an
// example.
func (c *checker) directive(r *lineReader, line string, start int) {
	_, code := r.code.over(start)
	_, fenced := r.fences.over(start)
	if start < c.p.doc.base || code || fenced {
		return
	}
	i := 0
	for i < len(line) && (isSpaceOrTab(line[i]) || line[i] == '>') {
		i++
	}
	for n := markerSize(line[i:]); n > 0 && i+n < len(line) && isSpaceOrTab(line[i+n]); n = markerSize(line[i:]) {
		i = skipBlank(line, i+n)
	}
	rest, ok := strings.CutPrefix(line[i:], "<!--")
	if !ok {
		return
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), "todomd")
	if after, colon := strings.CutPrefix(rest, ":"); ok && colon && (after == "" || isSpaceOrTab(after[0])) {
		c.warn(start+i, "directive", `this todomd directive is not read; take the ":" behind "todomd" away`)
		return
	}
	if !ok || rest != "" && !isSpaceOrTab(rest[0]) && !strings.HasPrefix(rest, "-->") {
		return
	}
	_, read := slices.BinarySearchFunc(c.p.doc.comments, start, func(s span, at int) int { return s.start - at })
	if read && directivePattern().MatchString(line) {
		return
	}
	c.warn(start+i, "directive", "this todomd directive is not read; put it, whole, on a line of its own outside of lists and quotes")
}

package mdplan

import (
	"cmp"
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

// maxInner is how long, in bytes, what stands between brackets may be to be
// taken for a mark or a status word.
const maxInner = 32

// bulletForm is what stands before the brackets.
type bulletForm uint8

const (
	noBullet    bulletForm = iota
	listBullet             // "- ", "12. "
	tightBullet            // "-", with no space behind
	otherBullet            // "• ", which Markdown does not know
)

// shape is a line taken apart: bullet, brackets, what is in them and behind.
type shape struct {
	bullet  bulletForm
	marker  string // the bullet
	at      int    // where the first bullet, else the bracket, begins in the line
	box     int    // where the bracket begins
	open    string // the bracket; "☐" for one of the ballot boxes
	prefix  string // emphasis or a backslash before the bracket
	inner   string // between the brackets
	rest    string // behind them, without the "*" of an optional item
	heading bool
}

// clear reports that white space or nothing follows the brackets.
func (s shape) clear() bool { return s.rest == "" || isSpaceOrTab(s.rest[0]) }

// words reports that the brackets are followed by a text.
func (s shape) words() bool { return s.clear() && strings.TrimSpace(s.rest) != "" }

// link reports that the brackets are those of a link.
func (s shape) link() bool { return s.rest != "" && (s.rest[0] == '(' || s.rest[0] == '[') }

// boxed returns the brackets as they stand in the file, for a message.
func (s shape) boxed() string { return `"` + s.bare() + `"` }

// bare is boxed without the quotes.
func (s shape) bare() string { return "[" + escapeLine(s.inner) + "]" }

func isSpaceOrTab(c byte) bool { return c == ' ' || c == '\t' }

// otherBullets are characters that people and word processors put before the
// lines of a list.
const otherBullets = "•‣◦▪▫●○■·–—−∙⁃"

// readShape takes a line apart, and reports false if there is no box at its
// start. Marks of a quote are skipped if it stands in one.
func readShape(line string, quoted bool) (shape, bool) {
	var s shape
	i := 0
	for i < len(line) && (isSpaceOrTab(line[i]) || quoted && line[i] == '>') {
		i++
	}
	if rest, ok := strings.CutPrefix(line[i:], "<!--"); ok {
		i = len(line) - len(strings.TrimLeft(rest, " \t"))
	}
	if n := len(line[i:]) - len(strings.TrimLeft(line[i:], "#")); n > 0 {
		if n > 6 || i+n == len(line) || !isSpaceOrTab(line[i+n]) {
			return s, false
		}
		s.heading = true
		i = skipBlank(line, i+n)
	}
	s.at = i
	for s.bullet != tightBullet {
		n := markerSize(line[i:])
		if n == 0 || i+n == len(line) {
			break
		}
		if isSpaceOrTab(line[i+n]) {
			s.bullet, s.marker = listBullet, line[i:i+n]
			i = skipBlank(line, i+n)
			continue
		}
		// "*[x] done*" is emphasis.
		if line[i+n] != '[' || line[i] == '*' && strings.IndexByte(line[i+1:], '*') >= 0 {
			break
		}
		s.bullet, s.marker = tightBullet, line[i:i+n]
		i += n
	}
	if r, size := utf8.DecodeRuneInString(line[i:]); s.bullet == noBullet && size > 1 && strings.ContainsRune(otherBullets, r) {
		s.bullet, s.marker = otherBullet, line[i:i+size]
		i = skipBlank(line, i+size)
	}
	for _, prefix := range []string{"**", "__", "~~", "*", "_", `\`} {
		if s.bullet == listBullet && strings.HasPrefix(line[i:], prefix) {
			s.prefix = prefix
			i += len(prefix)
			break
		}
	}
	s.box = i
	return s, s.readBox(line[i:])
}

// readBox reads the brackets at the start of a text, and what is behind.
func (s *shape) readBox(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	s.open = string(r)
	shut := ""
	switch r {
	case '[':
		shut = "]"
	case '［':
		shut = "］]"
	case '【':
		shut = "】]"
	case '☐', '☑', '☒':
		s.inner = map[rune]string{'☐': " ", '☑': "x", '☒': "x"}[r]
		s.open, s.rest = "☐", strings.TrimPrefix(text[size:], "\uFE0F")
		return s.words()
	default:
		return false
	}
	end := strings.IndexAny(text[size:min(size+maxInner, len(text))], shut+"[")
	if end < 0 || text[size+end] == '[' {
		return false
	}
	s.inner = text[size : size+end]
	_, closing := utf8.DecodeRuneInString(text[size+end:])
	if s.prefix == `\` {
		s.inner = strings.TrimSuffix(s.inner, `\`)
	}
	s.rest = text[size+end+closing:]
	for _, mark := range []string{`\*`, "*"} {
		if rest, ok := strings.CutPrefix(s.rest, mark); ok && (rest == "" || isSpaceOrTab(rest[0])) {
			s.rest = rest
			break
		}
	}
	return true
}

func skipBlank(line string, i int) int {
	for i < len(line) && isSpaceOrTab(line[i]) {
		i++
	}
	return i
}

// markerSize returns the length of a list marker of Markdown, 0 if there is
// none.
func markerSize(s string) int {
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	switch {
	case digits == len(s) || digits > 9:
		return 0
	case digits > 0 && (s[digits] == '.' || s[digits] == ')'):
		return digits + 1
	case digits == 0 && (s[0] == '-' || s[0] == '*' || s[0] == '+'):
		return 1
	}
	return 0
}

// oneMark reports whether a text is a single character as people see it: one
// rune and what only modifies it.
func oneMark(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return false
	}
	for _, r := range s[size:] {
		if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			return false
		}
	}
	return true
}

// knownMark reports whether a text is one mark that the file knows.
func (c *checker) knownMark(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	return size > 0 && size == len(s) && c.known(r)
}

// task reports whether the line would be an item where Markdown has items.
func (c *checker) task(s shape) bool {
	return s.bullet == listBullet && s.open == "[" && s.prefix == "" && s.clear() && !s.heading && c.knownMark(s.inner)
}

// cursor walks over spans that are sorted and apart from each other.
type cursor struct {
	spans []span
	next  int
}

// over returns the span that holds a byte. The bytes asked for only grow.
func (k *cursor) over(at int) (span, bool) {
	for k.next < len(k.spans) && k.spans[k.next].end <= at {
		k.next++
	}
	if k.next < len(k.spans) && k.spans[k.next].start <= at {
		return k.spans[k.next], true
	}
	return span{}, false
}

// lineReader knows what Markdown makes of each line, asked in their order.
type lineReader struct {
	d                          *document
	fences, code, html, quotes cursor
	node, bullet               int
	event, line                int
	bare                       int // behind the last line that lacks nothing but its bullet
}

func (c *checker) newLineReader() *lineReader {
	d := c.p.doc
	r := &lineReader{d: d, code: cursor{spans: d.code}, html: cursor{spans: d.html}}
	for _, f := range d.fences {
		if fenceMark(c.text[c.opening(f):]) != "" {
			r.fences.spans = append(r.fences.spans, span{f.start, f.end})
		}
	}
	byStart := func(a, b span) int { return a.start - b.start }
	quotes := slices.Clone(d.quotes) // one that holds another comes behind it
	slices.SortFunc(quotes, byStart)
	for _, q := range quotes {
		if n := len(r.quotes.spans); n > 0 && q.start < r.quotes.spans[n-1].end {
			r.quotes.spans[n-1].end = max(r.quotes.spans[n-1].end, q.end)
			continue
		}
		r.quotes.spans = append(r.quotes.spans, q)
	}
	return r
}

// item reports whether an item of the plan has its mark between two bytes.
func (r *lineReader) item(nodes []*node, start, end int) bool {
	for r.node < len(nodes) && nodes[r.node].mark.start < start {
		r.node++
	}
	return r.node < len(nodes) && nodes[r.node].mark.start < end
}

// listItem returns the last list item that begins between two bytes.
func (r *lineReader) listItem(start, end int) *bullet {
	for r.bullet < len(r.d.bullets) && r.d.bullets[r.bullet].start < start {
		r.bullet++
	}
	var b *bullet
	for i := r.bullet; i < len(r.d.bullets) && r.d.bullets[i].start < end; i++ {
		b = &r.d.bullets[i]
	}
	return b
}

// block returns the block that has text between two bytes.
func (r *lineReader) block(start, end int) *event {
	for ; r.event < len(r.d.events); r.event, r.line = r.event+1, 0 {
		e := &r.d.events[r.event]
		for lines := r.d.linesOf(*e); r.line < len(lines); r.line++ {
			if l := lines[r.line]; l.end > start {
				if l.start < end {
					return e
				}
				return nil
			}
		}
	}
	return nil
}

// checkLines looks at every line that holds a bracket.
func checkLines(c *checker) {
	c.tasksIn = map[int]bool{}
	r := c.newLineReader()
	at := 0
	for line := range strings.Lines(c.text) {
		start := at
		at += len(line)
		if start == 0 {
			start = len(bom(line))
		}
		line = strings.TrimRight(c.text[start:at], "\r\n")
		if strings.ContainsAny(line, "[［【☐☑☒") {
			c.line(r, line, start, at)
		}
		if strings.Contains(line, "todomd") && strings.Contains(line, "<!--") {
			c.directive(r, line, start)
		}
	}
}

// line reports the line from start to end if it looks like an item and is none.
func (c *checker) line(r *lineReader, line string, start, end int) {
	_, quoted := r.quotes.over(start)
	s, ok := readShape(line, quoted)
	if !ok || !c.inScope(start) || r.item(c.p.nodes, start, end) {
		return
	}
	at := start + s.box
	if start < c.p.doc.base {
		if c.task(s) {
			c.warn(at, "in-front-matter", "this task is in the front matter, so it is no item; move it below line %d", c.lineOf(c.p.doc.base-1))
		}
		return
	}
	if f, ok := r.fences.over(start); ok {
		if c.task(s) {
			c.tasksIn[f.start] = true
			c.warn(at, "in-code", "this task is in the code that begins in line %d, so it is no item; if it is work, move it out", c.lineOf(f.start))
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
			c.warn(at, "in-quote", "this task is in a block quote, so it is no item; if it is work, take the \">\" away")
		}
		return
	}
	if b := r.listItem(start, end); b != nil {
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
		c.warn(at, "in-comment", "this task is in the comment that begins in line %d, so it is no item; if it is work, move it out", c.lineOf(opens))
		return
	}
	c.warn(at, "in-html", "this task is in the HTML that begins in line %d, so it is no item; put a blank line before it, or move it out", c.lineOf(opens))
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
		c.warn(at, "in-code", "this task is indented so far that it is code, which begins in line %d, so it is no item; %s", c.lineOf(code.start), c.indent(holder))
	case s.bullet == noBullet && s.open == "[" && !s.heading && s.words() && c.knownMark(s.inner):
		c.warn(at, "in-code", "this task is indented so far that it is code, which begins in line %d, and has no bullet, so it is no item; write \"- %s …\" at the start of the line",
			c.lineOf(code.start), s.bare())
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
		if c.knownMark(s.inner) && !s.link() {
			c.warn(at, "emphasis", "%s stands before the bracket"+noItem+"begin with %s", shown(s.prefix), s.boxed())
		}
	case s.link():
	case swallowed:
		if strings.HasPrefix(s.rest, ":") && (c.knownMark(s.inner) || statusWord(s.inner) != "") {
			c.warn(at, "link-reference", "with \":\" behind the bracket this is the target of a link"+noItem+"delete the \":\"")
		}
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

// mark reports a single character between brackets.
func (c *checker) mark(s shape, at int) {
	if c.knownMark(s.inner) {
		// "[x], [y]" and "[x]/[ ]" are talk of boxes.
		if !s.clear() && !strings.ContainsRune(",.;/|)]", rune(s.rest[0])) {
			c.warn(at, "no-space", "no space stands behind %s"+noItem+"write \"%s …\"", s.boxed(), s.bare())
		}
		return
	}
	if !s.clear() {
		return
	}
	r, _ := utf8.DecodeRuneInString(s.inner)
	way := "use one of " + c.boxes()
	if likely := c.box(likelyMark(r)); likely != "" {
		way = "write " + likely
	} else if way == "use one of " {
		way = "use a mark of the plan"
	}
	if len(s.inner) == utf8.RuneLen(r) && unicode.IsPrint(r) && !strings.ContainsRune(` ,"=<>`, r) {
		way += fmt.Sprintf(", or give it a meaning with marks=\"%c=%s\" in a todomd directive", r, cmp.Or(likelyMark(r), Pending))
	}
	c.warn(at, "unknown-mark", "unknown mark %s"+noItem+"%s", markName(s.inner), way)
}

// markName names a mark, by its code points too if it could be taken for
// another one.
func markName(mark string) string {
	name := shown(mark)
	if len(mark) == 1 && mark[0] > ' ' && mark[0] < 0x7f {
		return name
	}
	var codes []string
	for i, r := range mark {
		if _, size := utf8.DecodeRuneInString(mark[i:]); r == utf8.RuneError && size == 1 {
			codes = append(codes, fmt.Sprintf("byte 0x%02x", mark[i]))
			continue
		}
		codes = append(codes, fmt.Sprintf("U+%04X", r))
	}
	return name + " (" + strings.Join(codes, " ") + ")"
}

// likelyMark returns the status that is meant by a mark of another alphabet.
func likelyMark(r rune) Status {
	switch {
	case strings.ContainsRune("✓✔✅☑√хХχΧｘＸ×✕✖✗✘❌", r):
		return Completed
	case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff':
		return Pending
	}
	return ""
}

// statusWords are what people write between brackets besides the words that
// [ParseStatus] reads. Words with which change logs begin their lines, such as
// "new" and "fixed", are not among them.
var statusWords = map[string]Status{
	"wip": InProgress, "doing": InProgress, "started": InProgress, "ongoing": InProgress,
	"open": Pending, "not started": Pending, "planned": Pending, "queued": Pending, "to do": Pending,
	"finished": Completed, "closed": Completed,
	"waiting": Blocked, "on hold": Blocked, "paused": Blocked, "stuck": Blocked,
	"skipped": Cancelled, "skip": Cancelled, "dropped": Cancelled, "abandoned": Cancelled, "wontfix": Cancelled, "obsolete": Cancelled,
}

// statusWord returns the status that a word means, "" for any other word.
func statusWord(word string) Status {
	if s, ok := ParseStatus(word); ok {
		return s
	}
	return statusWords[strings.NewReplacer("-", " ", "_", " ").Replace(strings.ToLower(strings.TrimSpace(word)))]
}

// brackets reports boxes made of other characters than "[" and "]".
func (c *checker) brackets(s shape, at int) {
	inner := strings.NewReplacer("\u3000", " ", "ｘ", "x", "Ｘ", "x", "✓", "x", "✔", "x").Replace(s.inner)
	switch {
	case s.prefix != "" || s.link() || inner != "" && !c.knownMark(inner):
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
		if kind == kindHeading && s.bullet == noBullet && s.open == "[" && known && s.words() {
			c.warn(at, "heading", "a heading is no item, though it begins with %s; write \"- %s …\" if it is one",
				s.boxed(), s.bare())
		}
	case kind != kindParagraph:
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

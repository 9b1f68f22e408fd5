package mdplan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxShown is how much of an item's text a message shows, in characters:
// enough to find the item by, and a message stays on one line.
const maxShown = 60

// checks are what [Plan.Check] looks for.
var checks = [...]func(*checker){
	checkContent,
	checkIDs,
	checkFields,
	checkDependencies,
	checkInProgress,
	checkSection,
	checkBytes,
	checkLines, // before checkUnclosed, which wants to know what it found
	checkUnclosed,
	checkNesting,
}

// Check returns all that is wrong in the plan file, and what in it is no item
// though it looks like one, or may surprise otherwise: sorted by line and
// column. An error is a broken rule; all else is a warning. What is set in
// over, from flags or the environment, wins over the file's own settings.
//
// The messages hold text from the file as [Escape] shows it, cut to a
// sensible length. The time is linear in the size of the file.
func (p *Plan) Check(over Settings) []Problem {
	c := &checker{p: p, text: string(p.src), settings: over.Or(p.settings)}
	for _, check := range checks {
		check(c)
	}
	return c.problems()
}

// ProblemOf returns the error of a file that can't be read as a plan in the
// form of [Plan.Check].
func ProblemOf(err *ParseError) Problem {
	return Problem{
		Line: max(err.Line, 1), Column: max(err.Column, 1),
		Severity: SeverityError, Code: err.Code, Message: err.Msg,
	}
}

type checker struct {
	p        *Plan
	text     string
	settings Settings
	found    []finding
	starts   []int             // of all lines; see lineOf
	written  map[Status]string // the marks in brackets; see box
	all      string            // all of these; see boxes
	tasksIn  map[int]bool      // where blocks begin that hold lines like tasks
}

// finding is a problem at a byte of the file.
type finding struct {
	at       int
	severity Severity
	code     string
	message  string
}

func (c *checker) err(at int, code, format string, args ...any) {
	c.found = append(c.found, finding{at, SeverityError, code, fmt.Sprintf(format, args...)})
}

func (c *checker) warn(at int, code, format string, args ...any) {
	c.found = append(c.found, finding{at, SeverityWarning, code, fmt.Sprintf(format, args...)})
}

// problems turns what was found into positions in one pass over the file.
func (c *checker) problems() []Problem {
	slices.SortStableFunc(c.found, func(a, b finding) int { return cmp.Compare(a.at, b.at) })
	var all []Problem
	for _, q := range c.p.problems {
		q.Message = escapeLine(q.Message)
		all = append(all, q)
	}
	at := len(bom(c.text))
	line, column := 1, 1
	for _, f := range c.found {
		to := max(f.at, at)
		between := c.text[at:to]
		if i := strings.LastIndexByte(between, '\n'); i >= 0 {
			line += strings.Count(between, "\n")
			column = 1
			between = between[i+1:]
		}
		column += utf8.RuneCountInString(between)
		at = to
		all = append(all, Problem{line, column, f.severity, f.code, f.message})
	}
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Severity, b.Severity))
	})
	return all
}

// lineOf returns the number of the line that holds a byte.
func (c *checker) lineOf(at int) int {
	if c.starts == nil {
		c.starts = []int{0}
		for i := 0; ; {
			j := strings.IndexByte(c.text[i:], '\n')
			if j < 0 {
				break
			}
			i += j + 1
			c.starts = append(c.starts, i)
		}
	}
	i, exact := slices.BinarySearch(c.starts, at)
	if exact {
		i++
	}
	return i
}

// box returns the brackets with the mark that the file has for a status.
func (c *checker) box(s Status) string {
	if c.written == nil {
		c.written = map[Status]string{}
		for _, s := range statuses {
			if m, ok := c.p.markFor(s); ok {
				c.written[s] = "[" + escapeLine(m) + "]"
			}
		}
	}
	return c.written[s]
}

// boxes lists the marks of the file.
func (c *checker) boxes() string {
	if c.all == "" {
		var all []string
		for _, s := range statuses {
			if b := c.box(s); b != "" {
				all = append(all, b)
			}
		}
		c.all = strings.Join(all, " ")
	}
	return c.all
}

// shown is a text from the file for a message, in quotes.
func shown(text string) string {
	short := text
	count := 0
	for i := range text {
		if count == maxShown {
			short = text[:i] + "…"
			break
		}
		count++
	}
	return `"` + escapeLine(short) + `"`
}

// named is an item as messages name it: item 2 "Write the tests".
func named(number, content string) string {
	if content == "" {
		return "item " + number
	}
	return "item " + number + " " + shown(content)
}

func (n *node) named() string { return named(n.number(), n.content) }

// listed joins names, and counts those beyond maxNames.
func listed(names []string) string {
	if len(names) > maxNames {
		return strings.Join(names[:maxNames], ", ") + fmt.Sprintf(" and %d more", len(names)-maxNames)
	}
	return strings.Join(names, ", ")
}

func checkContent(c *checker) {
	for _, n := range c.p.nodes {
		if n.content == "" {
			c.err(n.mark.start, "content", "Item %s: content required; write its text behind the mark, or delete the line", n.number())
		}
	}
}

func checkIDs(c *checker) {
	first := map[string]*node{}
	for _, n := range c.p.nodes {
		if n.id == "" {
			continue
		}
		at := n.idAt()
		if !validID(n.id) {
			c.warn(at, "id", "Item %s: id %s is not what ids look like; use 1 to %d letters, digits, '.', '_' or '-'", n.number(), shown(n.id), maxID)
		}
		if m := first[n.id]; m != nil {
			c.err(at, "id", "Item %s: duplicate id %s (also item %s); give one of them another id", n.number(), shown(n.id), m.number())
			continue
		}
		first[n.id] = n
	}
}

// idAt returns where the id of an item stands.
func (n *node) idAt() int {
	if n.idSpan.end > n.idSpan.start {
		return n.idSpan.start
	}
	return n.fieldAt(fieldID)
}

// fieldAt returns where a field of an item stands, its mark if it has none.
func (n *node) fieldAt(name string) int {
	for _, f := range n.fields {
		if f.name == name {
			return f.start
		}
	}
	return n.mark.start
}

// checkFields reports fields that are not read.
func checkFields(c *checker) {
	for _, n := range c.p.nodes {
		var seen []string
		if n.idSpan.end > n.idSpan.start {
			seen = append(seen, fieldID)
		}
		for _, f := range n.fields {
			switch {
			case f.known && slices.Contains(seen, f.name):
				c.warn(f.start, "field", "Item %s: a second %s is ignored; keep one", n.number(), f.name)
			case f.known:
				seen = append(seen, f.name)
			default:
				if name := likelyField(f.name); name != "" {
					c.warn(f.start, "field", "Item %s: %s is no field; write %s", n.number(), shown(f.name), name)
				}
			}
		}
		if at, name := strayField(c.text[n.text.start:n.fieldStart]); at >= 0 {
			c.warn(n.text.start+at, "field", "Item %s: this %s is part of the text, since fields are read at the end of the line only; move it there", n.number(), name)
		}
	}
}

// otherFields are names for fields that other tools have.
var otherFields = map[string]string{
	"blockedby": fieldDependsOn, "depends": fieldDependsOn, "dependencies": fieldDependsOn, "prio": fieldPriority, "assignee": fieldOwner,
}

// likelyField returns the field that is meant by a name which is none.
func likelyField(name string) string {
	key := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	for _, known := range knownFields {
		if strings.ToLower(known) == key {
			return known
		}
	}
	return otherFields[key]
}

// strayField returns where a text holds a known field, -1 if it holds none.
func strayField(text string) (at int, name string) {
	for i := 0; ; i += 2 {
		j := strings.Index(text[i:], "::")
		if j < 0 {
			return -1, ""
		}
		i += j
		for _, name := range knownFields {
			if start := i - len(name) - 1; start >= 0 && text[start+1:i] == name && (text[start] == '(' || text[start] == '[') &&
				(start == 0 || isSpaceOrTab(text[start-1])) {
				return start, name
			}
		}
	}
}

func checkDependencies(c *checker) {
	d := c.p.depend()
	for _, n := range c.p.nodes {
		if len(d.needs[n.index]) == 0 && len(d.unknown[n.index]) == 0 {
			continue
		}
		at, number := n.fieldAt(fieldDependsOn), n.number()
		for _, ref := range d.unknown[n.index] {
			way := "name an item of the plan by its id, or take it out of dependsOn"
			if k := d.texts(pairKey(ref)); k > 1 {
				way = fmt.Sprintf("%d items have this text: give the one that is meant an id", k)
			}
			c.err(at, "depends-on", "Item %s: unknown dependency %s; %s", number, shown(ref), way)
		}
		for _, m := range d.needs[n.index] {
			if m != n && m.holds(n) {
				c.warn(at, "depends-on", "Item %s is part of item %s and does not wait for it; take the dependency out", number, m.number())
			}
		}
		if n.status != InProgress {
			continue
		}
		if open := d.waitsFor(n); len(open) > 0 {
			c.err(n.mark.start, "waits", "Item %s waits for %s; finish that first, or set item %s to pending", number, listed(nodeNames(open)), number)
		}
	}
	for _, cycle := range d.cycles() {
		c.err(cycle[0].fieldAt(fieldDependsOn), "depends-on", "Dependency cycle: %s; take one of these dependencies out", cyclePath(cycle))
	}
}

func nodeNames(nodes []*node) []string {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.named()
	}
	return names
}

// cyclePath writes a cycle as "2 -> 4 -> 2".
func cyclePath(cycle []*node) string {
	var b strings.Builder
	for i, n := range cycle {
		if i == maxNames {
			b.WriteString("… -> ")
		}
		b.WriteString(n.number() + " -> ")
	}
	return b.String() + cycle[0].number()
}

// checkInProgress counts the items in progress of each owner, and those
// without one together.
func checkInProgress(c *checker) {
	limit := c.settings.inProgress()
	if limit == 0 {
		return
	}
	byOwner := map[string][]*node{}
	var owners []string
	for _, n := range c.p.nodes {
		if n.status != InProgress {
			continue
		}
		owner := n.field(fieldOwner)
		if byOwner[owner] == nil {
			owners = append(owners, owner)
		}
		byOwner[owner] = append(byOwner[owner], n)
	}
	for _, owner := range owners {
		if nodes := byOwner[owner]; len(nodes) > limit {
			c.warn(nodes[limit].mark.start, "in-progress", "%s", inProgressMessage(limit, owner, nodeNames(nodes)))
		}
	}
}

// inProgressMessage says that more items are in progress than may be.
func inProgressMessage(limit int, owner string, names []string) string {
	who := ""
	if owner != "" {
		who = " (owner " + shown(owner) + ")"
	}
	if limit == 1 {
		return fmt.Sprintf("Only one plan item can be in_progress: %s%s; set all but one to pending, blocked or completed", listed(names), who)
	}
	return fmt.Sprintf("Only %d plan items can be in_progress: %s%s; set all but %d to pending, blocked or completed", limit, listed(names), who, limit)
}

// checkSection counts the items outside of the section that a directive makes
// the plan: a file with such a directive has others on purpose, so one line
// for all of them.
func checkSection(c *checker) {
	p := c.p
	if p.scope.section < 0 {
		return
	}
	first, count := -1, 0
	for i := range p.doc.bullets {
		b := &p.doc.bullets[i]
		if b.quoted || c.inScope(b.start) {
			continue
		}
		mark, _, ok := boxAt(p.src, b.first)
		if !ok {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(c.text[mark.start:]); !c.known(r) {
			continue
		}
		if count++; first < 0 {
			first = mark.start
		}
	}
	if count == 0 {
		return
	}
	what := "1 item stands"
	if count > 1 {
		what = fmt.Sprintf("%d items, from here on, stand", count)
	}
	c.warn(first, "outside-section", "%s outside of the section %s, which the directive makes the plan; to count it all, move the directive above the first heading",
		what, shown(p.doc.headings[p.scope.section].text))
}

func (c *checker) inScope(at int) bool { return at >= c.p.scope.start && at < c.p.scope.end }

func (c *checker) known(mark rune) bool {
	_, ok := c.p.statusOf(mark)
	return ok
}

// checkBytes reports what is no text, once for each line.
func checkBytes(c *checker) {
	if utf8.ValidString(c.text) && strings.IndexByte(c.text, 0) < 0 {
		return
	}
	at := 0
	for line := range strings.Lines(c.text) {
		if i := strings.IndexByte(line, 0); i >= 0 {
			c.warn(at+i, "nul", "a NUL character stands here, which most editors hide; delete it")
		}
		if !utf8.ValidString(line) {
			for i, r := range line {
				if _, size := utf8.DecodeRuneInString(line[i:]); r == utf8.RuneError && size == 1 {
					c.warn(at+i, "utf-8", "byte 0x%02x is not UTF-8 and is shown as \"\uFFFD\"; save the file as UTF-8", line[i])
					break
				}
			}
		}
		at += len(line)
	}
}

// checkUnclosed reports code fences and HTML blocks without an end. The end of
// a list item or quote ends them too, as CommonMark has it; that is reported
// only where it hides something.
func checkUnclosed(c *checker) {
	last := len(bytes.TrimRight(c.p.src, " \t\r\n"))
	for _, f := range c.p.doc.fences {
		if !f.open || f.end <= c.p.scope.start || f.start >= c.p.scope.end {
			continue
		}
		at := c.opening(f)
		what, way := "HTML block", "end it"
		if mark := fenceMark(c.text[at:]); mark != "" {
			what, way = "code fence", "close it with "+mark
		} else {
			at += max(strings.IndexByte(c.text[at:f.end], '<'), 0)
			if strings.HasPrefix(c.text[at:], "<!--") {
				what, way = "comment", "close it with -->"
			}
		}
		switch {
		case f.end >= last:
			c.warn(at, "unclosed", "this %s has no end, so all that follows belongs to it; %s", what, way)
		case c.tasksIn[f.start] || fenceMark(strings.TrimLeft(c.text[f.end:], " \t\r\n")) != "":
			c.warn(at, "unclosed", "this %s has no end inside its list item or quote and takes in line %d; %s", what, c.lineOf(f.end-1), way)
		}
	}
}

// opening returns where the mark of a fence stands.
func (c *checker) opening(f fence) int { return skipBlank(c.text, f.start) }

// fenceMark returns the backticks or tildes that open or close a code fence.
func fenceMark(line string) string {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	rest := strings.TrimLeft(line, line[:1])
	if n := len(line) - len(rest); n >= 3 {
		return line[:min(n, maxShown)]
	}
	return ""
}

// checkNesting reports items that are indented below another as if they were
// part of it, but by too few columns for Markdown. Below "1. " models write
// two, where three are needed.
func checkNesting(c *checker) {
	d := c.p.doc
	for _, n := range c.p.nodes {
		b := &d.bullets[n.bullet]
		i := n.bullet - 1
		for i >= 0 && i != b.parent && d.bullets[i].parent != b.parent {
			i = d.bullets[i].parent
		}
		if i < 0 || i == b.parent || c.p.byBullet[i] == nil || c.p.byBullet[i].lineStart == n.lineStart {
			continue
		}
		above, a := c.p.byBullet[i], &d.bullets[i]
		if strings.Trim(c.text[min(a.end, n.lineStart):n.lineStart], " \t\r\n") != "" {
			continue
		}
		from := columnAt(c.text, above.lineStart, a.start)
		at := columnAt(c.text, n.lineStart, b.start)
		// One column more in the same list is an untidy hand, no sub-item.
		if at <= from || at >= above.column || at == from+1 && a.list == b.list {
			continue
		}
		c.warn(b.start, "nesting", "indented by %s, this is no sub-item of item %s; indent it by %d to nest it",
			columns(at), above.number(), above.column)
	}
}

func columns(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

package mdplan

import (
	"slices"
	"strings"
)

// noteWay is a way to write a note: as it came or in a fence, behind the
// item's first notes or at the end of the item, with a blank line or without.
type noteWay struct {
	fenced, last bool
	way
}

var noteWays = func() []noteWay {
	var all []noteWay
	for _, fenced := range []bool{false, true} {
		for _, last := range []bool{false, true} {
			for _, w := range ways {
				all = append(all, noteWay{fenced, last, w})
			}
		}
	}
	return all
}()

// note appends a text to the notes of an item. Markdown in it stays Markdown,
// unless it would make or hide items: then it goes into a fence.
func (p *Plan) note(n *node, text string) (*Plan, *node, error) {
	text = cleanNote(text)
	if text == "" {
		return p, n, nil
	}
	var q *Plan
	var m *node
	err := attempts(noteWays, func(w noteWay) error {
		c := p.begin("add a note to", n.content)
		body := text
		if w.fenced {
			body = fenced(text)
		}
		at, event := p.noteSpot(n, w.last)
		if endsInTable(string(p.src[min(n.lineEnd, at):at])) {
			w.above = true // the note would be a row of it
		}
		last := c.want[event-1].old
		e := p.doc.events[last]
		c.want[event-1].grows = int(e.bullet) == n.bullet && (e.kind == kindBullet || e.kind == kindParagraph)
		c.want = slices.Insert(c.want, event, expect{old: -1, free: true})
		in := insertion{at: at, eol: p.eol(n.lineEnd)}
		c.write(in, w.way, indentNote(body, strings.Repeat(" ", n.column), in.eol, p.noteIndent(n)))
		r, moved, err := c.commit()
		if err != nil {
			return err
		}
		m = moved(n)
		if !sameNote(r.notes(m), p.notes(n), body) {
			return &ImpossibleError{Op: c.op, Item: n.content, Why: "the note would read differently"}
		}
		if r.openFences() > p.openFences() {
			return &ImpossibleError{Op: c.op, Item: n.content, Why: "what comes below it later would be inside the note"}
		}
		q = r
		return nil
	})
	return q, m, err
}

// endsInTable reports whether text ends in a table as GitHub has them, which
// CommonMark's blocks do not know.
func endsInTable(text string) bool {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i := len(lines) - 1; i > 0 && !isBlank(lines[i]); i-- {
		row := strings.TrimSpace(lines[i])
		if strings.Trim(row, "|-: \t") == "" && strings.Contains(row, "-") && strings.Contains(row+lines[i-1], "|") {
			return true
		}
	}
	return false
}

// openFences counts the fences and HTML blocks that need an end and have none.
func (p *Plan) openFences() int {
	count := 0
	for _, f := range p.doc.fences {
		if f.open {
			count++
		}
	}
	return count
}

// cleanNote gives a note's lines LF endings and no blank line at its ends.
func cleanNote(text string) string {
	text = newlines.Replace(toValid(text))
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// sameNote reports whether the notes are the old ones with one more in them,
// blank lines between aside.
func sameNote(notes, old, body string) bool {
	squeeze := func(s string) string {
		var kept []string
		for _, l := range strings.Split(s, "\n") {
			if l = strings.TrimSpace(l); l != "" {
				kept = append(kept, l)
			}
		}
		return strings.Join(kept, "\n")
	}
	a, o, b := squeeze(notes), squeeze(old), squeeze(body)
	if !strings.Contains(a, b) {
		return false
	}
	if o == "" {
		return a == b
	}
	for i := 0; i+len(b) <= len(a); i++ {
		if strings.HasPrefix(a[i:], b) && strings.Trim(strings.TrimSuffix(a[:i], "\n")+"\n"+strings.TrimPrefix(a[i+len(b):], "\n"), "\n") == o {
			return true
		}
	}
	return false
}

// hasNote reports whether the notes of an item hold a text already, line by
// line: an agent repeats its notes with every list.
func hasNote(notes, text string) bool {
	if text == "" {
		return true
	}
	if text = cleanNote(text); text == "" {
		return true
	}
	key := func(s string) string {
		lines := strings.Split(cleanNote(s), "\n")
		for i, l := range lines {
			lines[i] = pairKey(l)
		}
		return "\n" + strings.Join(lines, "\n") + "\n"
	}
	return strings.Contains(key(notes), key(text))
}

// fenced puts a text into a code fence longer than any in it.
func fenced(text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + "text\n" + text + "\n" + fence
}

func indentNote(text, indent, eol, own string) string {
	if own != "" {
		indent = own
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = indent + l
		}
	}
	return strings.Join(lines, eol)
}

// noteIndent returns the white space before the item's own notes if it is just
// as wide as the item's text needs, "" if there is none to follow.
func (p *Plan) noteIndent(n *node) string {
	for _, s := range p.noteSpans(n) {
		line := string(p.src[s.start:s.end])
		lead := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if lead != "" && columnAt(lead, 0, len(lead)) == n.column {
			return lead
		}
	}
	return ""
}

// noteSpot returns where a note is appended, and before which event: behind
// the notes that stand before the first sub-item, or at the end of the item.
func (p *Plan) noteSpot(n *node, last bool) (at, event int) {
	spans := p.noteSpans(n)
	trailing := len(spans) > 0 && spans[len(spans)-1].end == n.end && len(n.subs) > 0 &&
		spans[len(spans)-1].start >= n.subs[len(n.subs)-1].end
	if last || len(n.subs) == 0 || trailing {
		return n.end, p.eventEnd(n)
	}
	first := n.subs[0]
	event = p.event(first)
	for event > p.event(n)+1 && p.eventStart(event-1) >= first.lineStart {
		event--
	}
	return p.blankBefore(first.lineStart), event
}

// notes returns the lines inside an item below its first one that belong to
// no sub-item, without the item's indent.
func (p *Plan) notes(n *node) string {
	var b strings.Builder
	for _, s := range p.noteSpans(n) {
		for line := range strings.Lines(string(p.src[s.start:s.end])) {
			b.WriteString(strings.TrimRight(dedent(line, n.column), "\r\n"))
			b.WriteByte('\n')
		}
	}
	return strings.Trim(trimBlank(b.String()), "\n")
}

// trimBlank empties lines of white space alone.
func trimBlank(s string) string {
	if !strings.ContainsAny(s, " \t") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if isBlank(l) {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// noteSpans returns the lines of an item's notes, sub-items cut out.
func (p *Plan) noteSpans(n *node) []span {
	var spans []span
	at := n.lineEnd
	for _, sub := range n.subs {
		if at < sub.lineStart {
			spans = append(spans, span{at, sub.lineStart})
		}
		at = sub.end
	}
	if at < n.end {
		spans = append(spans, span{at, n.end})
	}
	return spans
}

// dedent takes white space of up to so many columns from a line.
func dedent(line string, columns int) string {
	column := 0
	for i := range len(line) {
		if column >= columns {
			// A tab may reach over the item's column.
			return strings.Repeat(" ", column-columns) + line[i:]
		}
		switch line[i] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return line[i:]
		}
	}
	return ""
}

package mdplan

import "strings"

// checkUnclosed reports code fences and HTML blocks without an end. The end of
// a list item or quote ends them too, as CommonMark has it; that is reported
// only where it hides something.
func checkUnclosed(c *checker) {
	for _, f := range c.p.doc.fences {
		if !f.open || f.end <= c.p.scope.start || f.start >= c.p.scope.end {
			continue
		}
		at, what, way := c.unclosedBlock(f)
		switch {
		case c.toTheEnd(f):
			c.warn(at, "unclosed", "this %s has no end, so all that follows belongs to it; %s", what, way)
		case c.tasksIn[f.start] || fenceMark(strings.TrimLeft(c.text[f.end:], " \t\r\n")) != "":
			c.warn(at, "unclosed", "this %s has no end inside its list item or quote and takes in line %d; %s", what, c.lineOf(f.end-1), way)
		}
	}
}

// toTheEnd reports whether nothing follows a block.
func (c *checker) toTheEnd(f fence) bool { return f.end >= len(strings.TrimRight(c.text, " \t\r\n")) }

// unclosedBlock returns where a block without an end begins, what it is, and
// how to end it.
func (c *checker) unclosedBlock(f fence) (at int, what, way string) {
	at = c.opening(f)
	if mark := fenceMark(c.text[at:]); mark != "" {
		return at, "code fence", "close it with " + mark
	}
	at += max(strings.IndexByte(c.text[at:f.end], '<'), 0)
	what, way = "HTML block", "end it"
	if strings.HasPrefix(c.text[at:], "<!--") {
		what = "comment"
	}
	if end := htmlEnd(c.text[at:f.end]); end != "" {
		way = "close it with " + end
	}
	return at, what, way
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

package mdplan

import (
	"bytes"
	"strings"
)

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
				what = "comment"
			}
			if end := htmlEnd(c.text[at:f.end]); end != "" {
				way = "close it with " + end
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

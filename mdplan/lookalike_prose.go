package mdplan

import "strings"

var (
	boxPattern   = lazyRegexp(`(?:^|[ \t(,;/|])\[([^\[\]])\](?:$|[ \t.,;:/|)=])`)
	labelPattern = lazyRegexp(`^ {0,3}\[([^\[\]]{1,32})\]:`)
)

// legend reports whether a line explains boxes, since it has two that differ:
// "[x] means done, [ ] means open".
func (c *checker) legend(s shape) bool {
	if s.open != "[" {
		var drawn shape
		for i := range s.rest {
			if drawn.readBox(s.rest[i:]) && drawn.open == s.open && drawn.inner != s.inner {
				return true
			}
		}
		return false
	}
	for _, m := range boxPattern().FindAllStringSubmatch(s.rest, -1) {
		if m[1] != s.inner && c.knownMark(m[1]) {
			return true
		}
	}
	return false
}

// label reports whether brackets with a text are a link, whose target stands
// elsewhere in the file. One in a list is none: "- [done]: Write it" is a task.
func (c *checker) label(text string) bool {
	if c.labels == nil {
		c.labels = map[string]bool{}
		for _, e := range c.p.doc.events {
			lines := c.p.doc.linesOf(e)
			if e.kind != kindOther || e.bullet >= 0 || len(lines) == 0 {
				continue
			}
			if m := labelPattern().FindStringSubmatch(c.text[lines[0].start:lines[0].end]); m != nil {
				c.labels[foldLabel(m[1])] = true
			}
		}
	}
	return c.labels[foldLabel(text)]
}

// foldLabel gives labels that Markdown takes for the same one form.
func foldLabel(label string) string { return strings.ToLower(strings.Join(strings.Fields(label), " ")) }

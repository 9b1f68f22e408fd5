package mdplan

import (
	"fmt"
	"strings"
)

// maxInBlock is how many tasks that one block hides are reported one by one:
// enough to see what they are, and little enough that a fence without an end
// does not bury everything else.
const maxInBlock = 10

// hidden counts the tasks that a block hides.
type hidden struct {
	what   string // the block, as messages name it
	code   string
	count  int
	behind int // where the first one stands that is only counted
}

// hide reports a task in a block; in is where that begins.
func (c *checker) hide(in, at int, code, what, way string) {
	c.hideWith(in, at, code, what, fmt.Sprintf("this task is in %s, so it is no item; %s", what, way))
}

// hideWith is hide with the whole message.
func (c *checker) hideWith(in, at int, code, what, message string) {
	h := c.hidden[in]
	if h == nil {
		h = &hidden{what: what, code: code}
		c.hidden[in] = h
	}
	switch h.count++; {
	case h.count <= maxInBlock:
		c.warn(at, code, "%s", message)
	case h.count == maxInBlock+1:
		h.behind = at
	}
}

// countHidden reports how many tasks of each block were only counted.
func (c *checker) countHidden() {
	for _, h := range c.hidden {
		if more := h.count - maxInBlock; more == 1 {
			c.warn(h.behind, h.code, "1 more task in %s is no item", h.what)
		} else if more > 1 {
			c.warn(h.behind, h.code, "%d more tasks in %s are no items", more, h.what)
		}
	}
}

// begun names a block by the line in which it begins.
func (c *checker) begun(what string, at int) string {
	return fmt.Sprintf("the %s that begins in line %d", what, c.lineOf(at))
}

// htmlEnd returns what ends an HTML block that begins with a text, "" for one
// that a blank line ends. https://spec.commonmark.org/0.31.2/#html-blocks
func htmlEnd(text string) string {
	for _, kind := range []struct{ open, end string }{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"},
	} {
		if strings.HasPrefix(text, kind.open) {
			return kind.end
		}
	}
	if len(text) > 2 && text[:2] == "<!" && isASCIILetter(text[2]) {
		return ">"
	}
	for _, tag := range []string{"script", "pre", "style", "textarea"} {
		if n := 1 + len(tag); len(text) >= n && strings.EqualFold(text[1:n], tag) &&
			(len(text) == n || strings.IndexByte(" \t\r\n>", text[n]) >= 0) {
			return "</" + tag + ">"
		}
	}
	return ""
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

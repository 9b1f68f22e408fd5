package mdplan

import (
	"fmt"
	"strings"
)

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

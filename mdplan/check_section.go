package mdplan

import (
	"fmt"
	"unicode/utf8"
)

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

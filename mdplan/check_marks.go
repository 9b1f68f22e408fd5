package mdplan

import "strings"

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

func (c *checker) known(mark rune) bool {
	_, ok := c.p.statusOf(mark)
	return ok
}

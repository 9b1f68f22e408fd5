package mdplan

import (
	"slices"
	"strings"
)

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

package mdplan

import (
	"fmt"
	"strings"
)

// maxShown is how much of an item's text a message shows, in characters:
// enough to find the item by, and a message stays on one line.
const maxShown = 60

// maxNames is how many names a message lists before it counts the rest, since
// what an agent reads has to stay small.
const maxNames = 10

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

func nodeNames(nodes []*node) []string {
	names := make([]string, len(nodes))
	for i, n := range nodes {
		names[i] = n.named()
	}
	return names
}

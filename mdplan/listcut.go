package mdplan

import "strings"

// cutRE finds the line by which a plan that is shown cut counts what it leaves
// out, also as a model repeats it: with a bullet, or dots of its own.
var cutRE = lazyRegexp(`^(?:[-*+][ \t]+)?(?:…|\.{3}) and \d+ more(?:: \d+ open, \d+ closed| in progress)$`)

func isCut(line string) bool { return cutRE().MatchString(strings.TrimSpace(line)) }

// cutLine returns the line, from 1, by which a Markdown text says that it is a
// cut plan, 0 if it is whole. Inside the notes of an item, such a line is a
// quotation.
func (t *listText) cutLine(text string) int {
	first := -1
	for i, line := range strings.Split(text, "\n") {
		switch {
		case t.is(i, lineHidden):
		case first < 0 && parseChecklistLine(line).ok:
			first = indentOf(line)
		case first >= 0 && indentOf(line) <= first && isCut(line):
			return i + 1
		}
	}
	return 0
}

// cutError refuses a cut plan: as a complete list it would remove what was only
// not shown.
func cutError(line string) error {
	return listErrorf("this list was cut: %q stands for items that would be left out; pass the complete list, see todomd show",
		strings.TrimSpace(line))
}

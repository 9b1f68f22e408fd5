package mdplan

import (
	"slices"
	"strconv"
	"strings"
)

// numberedRE finds a line of a plan that is shown with numbers: the number, the
// rest of its column, and the item with its indent.
var numberedRE = lazyRegexp(`^([ \t]*)(\d{1,9}(?:\.\d{1,9})*)( +)(\[[^\[\]]{0,16}\](?:[ \t].*)?)$`)

// withoutNumbers takes the column of numbers off a plan that was shown with one,
// as a terminal shows it. Only where every box has its number, and these ascend,
// are they that column and no text of somebody.
func withoutNumbers(text string) string {
	lines := strings.Split(text, "\n")
	column := -1 // where the items begin that are no sub-items
	var last []int
	type cell struct{ line, start, end int } // a number
	var cells []cell
	for i, line := range lines {
		m := numberedRE().FindStringSubmatchIndex(line)
		if m == nil {
			if parseChecklistLine(line).ok {
				return text
			}
			continue
		}
		number := parts(line[m[4]:m[5]])
		if !parseChecklistLine(line[m[8]:]).ok || slices.Compare(number, last) <= 0 {
			return text
		}
		last = number
		cells = append(cells, cell{i, m[4], m[5]})
		if column < 0 || m[8] < column {
			column = m[8]
		}
	}
	for _, c := range cells {
		line := lines[c.line]
		lines[c.line] = line[:c.start] + line[max(column, c.end):]
	}
	return strings.Join(lines, "\n")
}

// parts returns the parts of a number such as "2.1".
func parts(number string) []int {
	var all []int
	for part := range strings.SplitSeq(number, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil // never: numberedRE bounds the digits
		}
		all = append(all, n)
	}
	return all
}

package watch

import (
	"fmt"
	"strings"

	"github.com/todomd/todomd/mdplan"
)

// Style says what a terminal can do.
type Style struct {
	// Cursor: the terminal moves its cursor, so a plan is drawn over the one
	// before. Without it there is no escape sequence at all, and each plan is
	// printed anew behind a line that separates it.
	Cursor bool
	// Color: bold, dim and coloured text. It needs Cursor.
	Color bool
}

// StyleOf returns the style for an environment, as by os.Getenv: TERM says
// whether there is a cursor, NO_COLOR that no colour is wanted.
func StyleOf(getenv func(string) string) Style {
	term := getenv("TERM")
	cursor := term != "" && term != "dumb"
	return Style{Cursor: cursor, Color: cursor && getenv("NO_COLOR") == ""}
}

// Begin returns what to print before the first plan: another screen, without a
// cursor, whose lines are not wrapped if the terminal's widths differ from
// ours. End undoes it; print it whatever ends the program.
func (s Style) Begin() string {
	if !s.Cursor {
		return ""
	}
	return "\x1b[?1049h\x1b[?25l\x1b[?7l"
}

// End returns what to print at the end, see [Style.Begin].
func (s Style) End() string {
	if !s.Cursor {
		return ""
	}
	return "\x1b[?7h\x1b[?25h\x1b[?1049l"
}

// The looks of text, as parameters of SGR.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (s Style) paint(sgr, text string) string {
	if !s.Color || sgr == "" || text == "" {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

const (
	defaultWidth = 80 // where a terminal does not say how wide it is
	barWidth     = 30 // more says no more
	minBar       = 5
	dumbRule     = 20 // the line between two plans
	roomy        = 4  // rows from which on not all are for items
)

// Live draws a plan for a terminal of so many columns and rows, with its
// headings and its progress; print it each time that the plan or the size of
// the terminal has changed. Lines are cut to the width. Where there are more
// lines than rows, the items in progress stay, then the open ones, and the rest
// is counted. 0 rows, or a terminal without a cursor, show everything.
//
// Text of the file is escaped, see [mdplan.Escape]: no control character in it
// reaches the terminal.
func Live(p *mdplan.Plan, columns, rows int, s Style) string {
	if columns <= 0 {
		columns = defaultWidth
	}
	if !s.Cursor {
		rows = 0
	}
	lines := screen(p, columns, rows, s)
	if !s.Cursor {
		return strings.Repeat("-", min(columns, dumbRule)) + "\n" + strings.Join(lines, "\n") + "\n"
	}
	var b strings.Builder
	b.WriteString("\x1b[H")
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\r\n") // a line feed alone may keep the column
		}
		// What the last plan had there goes first: behind a line that fills the
		// row, the cursor stands on its last character.
		if i < len(lines)-1 {
			b.WriteString("\x1b[K")
		} else {
			b.WriteString("\x1b[J")
		}
		b.WriteString(line)
	}
	return b.String()
}

// row is a line that may be shown: a heading or an item.
type row struct {
	item    *mdplan.Item // nil for a heading
	heading string
	depth   int
	above   int // the row of the heading or of the parent, -1
	section int // the row of the heading, -1
}

// screen returns the lines of a plan, at most so many unless rows is 0.
func screen(p *mdplan.Plan, columns, rows int, s Style) []string {
	all := layout(p)
	progress := progressLine(p, columns, s)
	if len(all) == 0 {
		return []string{fit(mdplan.NoTodos, columns)}
	}
	shown := make([]bool, len(all))
	hidden := ""
	below := 2 // a blank line and the progress
	if rows > 0 && rows < roomy {
		below = 1
	}
	if room := rows - below; rows <= 0 || len(all) <= room {
		for i := range shown {
			shown[i] = true
		}
	} else {
		if rows >= roomy {
			room-- // for the count of the rest
		}
		shown, hidden = pick(all, room)
	}
	var lines []string
	for i, r := range all {
		if !shown[i] {
			continue
		}
		lines = append(lines, r.draw(p, columns, s))
	}
	if hidden != "" && rows >= roomy {
		lines = append(lines, s.paint(dim, fit(hidden, columns)))
	}
	if below == 2 {
		lines = append(lines, "")
	}
	return append(lines, progress)
}

// layout returns the headings and items of a plan, in order.
func layout(p *mdplan.Plan) []row {
	var all []row
	title := p.Title()
	section, at := title, -1
	if title != "" && p.Len() > 0 {
		all = append(all, row{heading: title, above: -1, section: -1})
		at = 0
	}
	var walk func(items []mdplan.Item, depth, above int)
	walk = func(items []mdplan.Item, depth, above int) {
		for i := range items {
			it := &items[i]
			if it.Section != section {
				if section = it.Section; section != "" {
					all = append(all, row{heading: section, above: -1, section: -1})
					at = len(all) - 1
				} else {
					at = -1
				}
			}
			up := above
			if up < 0 {
				up = at
			}
			all = append(all, row{item: it, depth: depth, above: up, section: at})
			walk(it.Items, depth+1, len(all)-1)
		}
	}
	walk(p.Items(), 0, -1)
	return all
}

// pick chooses what is shown in so many rows, and says what is not.
func pick(all []row, room int) (shown []bool, hidden string) {
	shown = make([]bool, len(all))
	take := func(i int) {
		var need []int
		for j := i; j >= 0 && !shown[j]; j = all[j].above {
			need = append(need, j)
		}
		if len(need) > room {
			need = need[:min(1, room)] // the item alone, if nothing else fits
		}
		for _, j := range need {
			shown[j] = true
			room--
		}
	}
	for _, want := range []func(mdplan.Status) bool{
		func(s mdplan.Status) bool { return s == mdplan.InProgress },
		mdplan.Status.Open,
	} {
		for i, r := range all {
			if r.item != nil && want(r.item.Status) {
				take(i)
			}
		}
	}
	for i := len(all) - 1; i >= 0; i-- { // what was done last, as a rule
		if all[i].item != nil {
			take(i)
		}
	}
	open, closed := 0, 0
	for i, r := range all {
		switch {
		case r.item == nil || shown[i]:
		case r.item.Status.Open():
			open++
		default:
			closed++
		}
	}
	if open+closed > 0 {
		hidden = fmt.Sprintf("… and %d more: %d open, %d closed", open+closed, open, closed)
	}
	return shown, hidden
}

func (r row) draw(p *mdplan.Plan, columns int, s Style) string {
	if r.item == nil {
		return s.paint(bold, fit(oneLine(r.heading), columns))
	}
	indent := min(2*r.depth, columns/3) // something of the text has to be seen
	looks := map[mdplan.Status]string{
		mdplan.InProgress: bold + ";" + yellow, mdplan.Completed: green, mdplan.Blocked: red, mdplan.Cancelled: dim,
	}
	return strings.Repeat(" ", indent) + s.paint(looks[r.item.Status], fit(p.ItemLine(*r.item), columns-indent))
}

func oneLine(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(mdplan.Escape(s))
}

// progressLine is a bar, where there is room for one, and the count.
func progressLine(p *mdplan.Plan, columns int, s Style) string {
	count := p.CountLine()
	c := p.Counts()
	total := c.Total - c.Cancelled
	width := min(barWidth, columns-len(count)-1)
	if width < minBar || total == 0 {
		return fit(count, columns)
	}
	done := width * c.Completed / total
	full, empty := "━", "─"
	if !s.Cursor {
		full, empty = "#", "-"
	}
	return s.paint(green, strings.Repeat(full, done)) + s.paint(dim, strings.Repeat(empty, width-done)) + " " + count
}

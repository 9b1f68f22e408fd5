package mdplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// checks are what [Plan.Check] looks for.
var checks = [...]func(*checker){
	checkContent,
	checkBoxes,
	checkIDs,
	checkFields,
	checkDependencies,
	checkInProgress,
	checkSection,
	checkBytes,
	checkLines, // before checkUnclosed, which wants to know what it found
	checkUnclosed,
	checkNesting,
}

// Check returns all that is wrong in the plan file, and what in it is no item
// though it looks like one, or may surprise otherwise: sorted by line and
// column. An error is a broken rule; all else is a warning. What is set in
// over, from flags or the environment, wins over the file's own settings.
//
// Of the tasks that one block hides, an open code fence say, the first few are
// reported and the others counted. The messages hold text from the file as
// [Escape] shows it, cut to a sensible length. The time is linear in the size
// of the file.
//
// Who has which item in progress is what [Plan.WithHolders] was told, and what
// the items' owners say; without either, all count as one author's.
func (p *Plan) Check(over Settings) []Problem {
	c := &checker{p: p, text: string(p.src), settings: over.Or(p.settings)}
	for _, check := range checks {
		check(c)
	}
	return c.problems()
}

// ProblemOf returns the error of a file that can't be read as a plan in the
// form of [Plan.Check].
func ProblemOf(err *ParseError) Problem {
	return Problem{
		Line: max(err.Line, 1), Column: max(err.Column, 1),
		Severity: SeverityError, Code: err.Code, Message: err.Msg,
	}
}

type checker struct {
	p        *Plan
	text     string
	settings Settings
	found    []finding
	starts   []int             // of all lines; see lineOf
	written  map[Status]string // the marks in brackets; see box
	all      string            // all of these; see boxes
	tasksIn  map[int]bool      // where blocks begin that hold lines like tasks
	hidden   map[int]*hidden   // by where the block begins; see hide
	labels   map[string]bool   // of link targets; see label
}

// finding is a problem at a byte of the file.
type finding struct {
	at       int
	severity Severity
	code     string
	message  string
}

func (c *checker) err(at int, code, format string, args ...any) {
	c.found = append(c.found, finding{at, SeverityError, code, fmt.Sprintf(format, args...)})
}

func (c *checker) warn(at int, code, format string, args ...any) {
	c.found = append(c.found, finding{at, SeverityWarning, code, fmt.Sprintf(format, args...)})
}

// problems turns what was found into positions in one pass over the file.
func (c *checker) problems() []Problem {
	slices.SortStableFunc(c.found, func(a, b finding) int { return cmp.Compare(a.at, b.at) })
	var all []Problem
	for _, q := range c.p.problems {
		q.Message = escapeLine(q.Message)
		all = append(all, q)
	}
	at := len(bom(c.text))
	line, column := 1, 1
	for _, f := range c.found {
		to := max(f.at, at)
		between := c.text[at:to]
		if i := strings.LastIndexByte(between, '\n'); i >= 0 {
			line += strings.Count(between, "\n")
			column = 1
			between = between[i+1:]
		}
		column += utf8.RuneCountInString(between)
		at = to
		all = append(all, Problem{line, column, f.severity, f.code, f.message})
	}
	slices.SortStableFunc(all, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Severity, b.Severity))
	})
	return all
}

// lineOf returns the number of the line that holds a byte.
func (c *checker) lineOf(at int) int {
	if c.starts == nil {
		c.starts = []int{0}
		for i := 0; ; {
			j := strings.IndexByte(c.text[i:], '\n')
			if j < 0 {
				break
			}
			i += j + 1
			c.starts = append(c.starts, i)
		}
	}
	i, exact := slices.BinarySearch(c.starts, at)
	if exact {
		i++
	}
	return i
}

func (c *checker) inScope(at int) bool { return at >= c.p.scope.start && at < c.p.scope.end }

package mdplan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What keeps bytes from being read as a plan, wrapped by a [*ParseError].
var (
	ErrTooLarge = errors.New("the plan file is too large")
	ErrTooMany  = errors.New("the plan file has too many items")
	ErrTooDeep  = errors.New("lists are nested too deeply")
	ErrLoneCR   = errors.New("a line ends in a carriage return alone")
)

// What keeps an operation from being done.
var (
	// ErrRule is wrapped by every [*RuleError].
	ErrRule = errors.New("against the rules of the plan")
	// ErrRef is wrapped by every [*RefError], and by what names nothing in the
	// round log.
	ErrRef = errors.New("no single item is meant")
	// ErrImpossible is wrapped by every [*ImpossibleError].
	ErrImpossible = errors.New("no way to write this in Markdown")
	// ErrNotList is wrapped by the errors of [ReadList].
	ErrNotList = errors.New("not a list of items")
)

// ParseError says why, and where, bytes can't be read as a plan.
type ParseError struct {
	Line, Column int    // from 1, the column in characters; 0 if the file as a whole is meant
	Code         string // as in the reports of [Plan.Check]
	Msg          string // what is wrong and what to do
	Err          error  // ErrTooLarge, ErrTooMany, ErrTooDeep or ErrLoneCR
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

func (e *ParseError) Unwrap() error { return e.Err }

// RuleError is one rule that a call would break, with the way out in its text.
type RuleError struct {
	Code string // the rule: "content", "status", "in-progress", "max-items", "id", "field", "depends-on", "waits"
	Item string // the number of the item that breaks it, "" for the list as a whole
	Msg  string // the whole message
}

func (e *RuleError) Error() string { return e.Msg }

func (e *RuleError) Unwrap() error { return ErrRule }

// RefError says that a reference names no item, or more than one.
type RefError struct {
	Ref   string
	Items []Item // the items that could be meant; empty if there is none

	byID bool   // ids are bare numbers, so that the place of an item is no reference
	way  string // by what each of the items can be named
	none string // why none of the items is meant; "" if any of them could be
}

func (e *RefError) Error() string {
	switch {
	case e.none != "" && len(e.Items) == 0:
		return e.none
	case len(e.Items) == 0:
		if e.byID {
			return fmt.Sprintf("no item %q; see the plan with todomd show", e.Ref)
		}
		return fmt.Sprintf("no item %q; see the plan with todomd show --numbers", e.Ref)
	}
	var b strings.Builder
	if e.none != "" {
		b.WriteString(e.none + ":")
	} else {
		fmt.Fprintf(&b, "%q could be any of %d items; say %s:", e.Ref, len(e.Items), e.way)
	}
	for i, it := range e.Items {
		if i == maxNames {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Items)-i)
			break
		}
		mark := ""
		if e.way == wayLine {
			mark = shownMark(it.Status) + " "
		}
		fmt.Fprintf(&b, "\n  %s(line %d): %s%s", e.label(it), it.Line, mark, Escape(it.Content))
	}
	return b.String()
}

func (e *RefError) Unwrap() error { return ErrRef }

// label is what an item is called before its line.
func (e *RefError) label(it Item) string {
	switch {
	case !e.byID:
		return it.Number + " "
	case it.ID != "":
		return "#" + it.ID + " "
	}
	return ""
}

// refError is a whole message about a reference that names no single thing:
// the text of ErrRef behind it would only repeat that.
type refError string

func (e refError) Error() string { return string(e) }

func (e refError) Unwrap() error { return ErrRef }

func noneMeant(format string, args ...any) error {
	return refError(fmt.Sprintf(format, args...))
}

// ImpossibleError says that an edit would change how Markdown reads something
// else, whatever way it is written. Nothing was changed.
type ImpossibleError struct {
	Op   string // what was to be done: "add", "remove", …
	Item string // the text of the item
	Why  string // what would read differently
}

func (e *ImpossibleError) Error() string {
	return fmt.Sprintf("can't %s %q: %s; change the file in an editor", e.Op, Escape(e.Item), e.Why)
}

func (e *ImpossibleError) Unwrap() error { return ErrImpossible }

// Errors is every problem of one call, each with its remedy.
type Errors []error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the problems to errors.Is and errors.As.
func (e Errors) Unwrap() []error { return e }

// or returns the list as an error, each problem once, nil if it is empty.
func (e Errors) or() error {
	if len(e) == 0 {
		return nil
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(e), func(err error) bool {
		text := err.Error()
		again := seen[text]
		seen[text] = true
		return again
	})
}

// joinErrors makes one flat list of the problems of several checks.
func joinErrors(errs ...error) error {
	var all Errors
	for _, err := range errs {
		var many Errors
		switch {
		case err == nil:
		case errors.As(err, &many):
			all = append(all, many...)
		default:
			all = append(all, err)
		}
	}
	return all.or()
}

// Severity of a problem: an error breaks a rule, a warning is something that
// was ignored or may surprise.
type Severity string

// The two severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Problem is something that check finds in a plan file.
type Problem struct {
	Line     int      `json:"line"`   // from 1
	Column   int      `json:"column"` // in characters, from 1
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
}

func (p Problem) String() string {
	return fmt.Sprintf("%d:%d: %s: %s [%s]", p.Line, p.Column, p.Severity, p.Message, p.Code)
}

package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/todomd/todomd/mdplan"
)

// The exit codes.
const (
	exitDone   = 0
	exitNo     = 1 // the answer is no: a rule, a conflict, a problem found, nothing next
	exitMisuse = 2 // misuse, or the system failed
)

// errNo is the answer no, where it has been printed already.
var errNo = errors.New("no")

// errDone ends a command early that has done all there is to do.
var errDone = errors.New("done")

// failure is an error of the command itself.
type failure struct {
	code int
	msg  string
	hint string
	err  error
}

func (f *failure) Error() string { return f.msg }

func (f *failure) Unwrap() error { return f.err }

func failedTo(do string, err error) error {
	return &failure{code: exitMisuse, msg: fmt.Sprintf("can't %s: %v", do, err), err: err}
}

// report prints an error and returns the exit code that it stands for.
func report(w io.Writer, err error) int {
	switch err {
	case nil, errDone:
		return exitDone
	case errNo:
		return exitNo
	}
	switch e := err.(type) {
	case mdplan.Errors:
		for _, one := range e {
			printLines(w, "todomd: ", one.Error())
		}
	case *failure:
		printLines(w, "todomd: ", e.msg)
		if e.hint != "" {
			printLines(w, "hint: ", e.hint)
		}
	default:
		printLines(w, "todomd: ", err.Error())
	}
	return exitCode(err)
}

func exitCode(err error) int {
	var f *failure
	if errors.As(err, &f) {
		return f.code
	}
	var unreadable *mdplan.ParseError
	for _, no := range []error{mdplan.ErrRule, mdplan.ErrRef, mdplan.ErrImpossible} {
		if errors.Is(err, no) {
			return exitNo
		}
	}
	if errors.As(err, &unreadable) {
		return exitNo
	}
	return exitMisuse
}

// printLines prints a text with a prefix before its first line. It may hold
// text from anywhere, and standard error is a terminal, or what an agent reads.
func printLines(w io.Writer, prefix, text string) {
	fmt.Fprintf(w, "%s%s\n", prefix, mdplan.Escape(strings.TrimRight(text, "\n")))
}

package cli

import (
	"errors"
	"fmt"

	"github.com/todomd/todomd/mdplan"
)

// checkView is the JSON form of what check finds.
type checkView struct {
	File     string           `json:"file"`
	Problems []mdplan.Problem `json:"problems"`
}

func runCheck(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	if err := c.parse(0, 1); err != nil {
		return err
	}
	s, err := c.store(first(c.args...))
	if err != nil {
		return err
	}
	problems, err := check(s, c.by.Settings)
	if errors.Is(err, mdplan.ErrNoPlan) {
		return &failure{code: exitMisuse, msg: fmt.Sprintf("there is no plan file %q to check", c.path), err: err,
			hint: "name the file, or create a plan with todomd add TEXT"}
	}
	if err != nil {
		return err
	}
	if *asJSON {
		if err := c.printJSON(checkView{c.path, problems}); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			c.printf("%s:%s\n", mdplan.Escape(c.path), mdplan.Escape(p.String()))
		}
		if len(problems) == 0 && c.outTerminal {
			c.printf("%s: nothing to report\n", mdplan.Escape(c.path))
		}
	}
	for _, p := range problems {
		if p.Severity == mdplan.SeverityError {
			return errNo
		}
	}
	return nil
}

// check returns the problems of a plan file, be it one that can't be read as a
// plan.
func check(s *mdplan.Store, over mdplan.Settings) ([]mdplan.Problem, error) {
	p, err := s.Read()
	var unreadable *mdplan.ParseError
	if errors.As(err, &unreadable) {
		return []mdplan.Problem{mdplan.ProblemOf(unreadable)}, nil
	}
	if err != nil {
		return nil, err
	}
	problems := p.WithHolders(s.Holders()).Check(over)
	if problems == nil {
		problems = []mdplan.Problem{}
	}
	return problems, nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/todomd/todomd/mdplan"
)

// store opens the plan's store. The file is named as people here name it: as
// they gave it, else from the working directory.
func (c *call) store(file string) (*mdplan.Store, error) {
	file = first(file, c.file, c.getenv("TODOMD_FILE"))
	if c.path = file; file == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, failedTo("find the working directory", err)
		}
		path, hints := mdplan.Find(dir, "")
		for _, h := range hints {
			c.hint(h)
		}
		if c.path, err = filepath.Rel(dir, path); err != nil {
			c.path = path
		}
	}
	return mdplan.Open(c.path), nil
}

// open opens the plan as the author of this call sees it.
func (c *call) open() (*mdplan.Session, error) {
	s, err := c.store("")
	if err != nil {
		return nil, err
	}
	return s.Session(c.by), nil
}

// read reads the plan, and notes in the log that this author has seen it.
// Without a plan file it is an empty plan.
func (c *call) read(news bool) (mdplan.Shown, error) {
	s, err := c.open()
	if err != nil {
		return mdplan.Shown{}, err
	}
	shown, err := s.Show(context.Background(), news)
	c.hint(shown.Notice)
	return shown, c.unreadable(err)
}

// change changes the plan by an operation on the items that refs mean.
func (c *call) change(asJSON bool, refs []string, op func(*mdplan.Plan, mdplan.Caller) (*mdplan.Plan, error)) (*mdplan.Plan, error) {
	s, err := c.open()
	if err != nil {
		return nil, err
	}
	done, err := s.Do(context.Background(), c.cmd.name, refs, op)
	c.hint(done.Notice)
	var moved *mdplan.MovedError
	if errors.As(err, &moved) {
		// The author sees the plan now, and can say the number again.
		if shown, e := s.Show(context.Background(), false); e == nil {
			if e := c.printPlan(asJSON, shown.Plan); e != nil {
				return nil, e
			}
		}
	}
	return done.Plan, c.unreadable(err)
}

// printPlan prints the plan with the numbers of its items.
func (c *call) printPlan(asJSON bool, p *mdplan.Plan) error {
	if asJSON {
		return c.printJSON(p.View(c.path, c.by.Settings))
	}
	c.out.WriteString(p.Render(mdplan.RenderOptions{Numbers: true, Cut: c.cut()}))
	return nil
}

// hint says on standard error what the caller should know.
func (c *call) hint(text string) {
	if text != "" {
		printLines(c.err, "hint: ", text)
	}
}

// cut is how much of a plan an answer has: a human sees all of it.
func (c *call) cut() int {
	if c.by.IsHuman() {
		return 0
	}
	return mdplan.AgentCut
}

// unreadable gives an error of the plan file the form that editors know.
func (c *call) unreadable(err error) error {
	var e *mdplan.ParseError
	if !errors.As(err, &e) {
		return err
	}
	place := c.path
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", c.path, e.Line, e.Column)
	}
	return &failure{code: exitNo, msg: place + ": " + e.Msg, err: err}
}

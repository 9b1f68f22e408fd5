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
			printLines(c.err, "hint: ", h)
		}
		if c.path, err = filepath.Rel(dir, path); err != nil {
			c.path = path
		}
	}
	return mdplan.Open(c.path), nil
}

// read reads the plan. Without a plan file it is an empty plan, and there is
// false.
func (c *call) read() (p *mdplan.Plan, there bool, err error) {
	s, err := c.store("")
	if err != nil {
		return nil, false, err
	}
	p, err = s.Read()
	if errors.Is(err, mdplan.ErrNoPlan) {
		p, err = mdplan.Parse(nil)
		return p, false, err
	}
	return p, err == nil, c.unreadable(err)
}

// change changes the plan. It .
func (c *call) change(edit func(*mdplan.Plan) (*mdplan.Plan, error)) (*mdplan.Plan, error) {
	s, err := c.store("")
	if err != nil {
		return nil, err
	}
	p, err := s.Update(context.Background(), edit)
	return p, c.unreadable(err)
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

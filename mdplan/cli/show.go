package cli

import (
	"errors"

	"github.com/todomd/todomd/mdplan"
)

func runShow(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	line := c.flags.Bool("line", false, "")
	numbers := c.numbersFlag()
	if err := c.parse(0, 0); err != nil {
		return err
	}
	if *asJSON && *line {
		return c.usage("--json and --line exclude each other")
	}
	if *line {
		return c.showLine()
	}
	news := c.by.IsHuman() && c.outTerminal && !*asJSON
	shown, err := c.read(news)
	if err != nil {
		return err
	}
	p := shown.Plan
	if *asJSON {
		v := p.View(c.path, c.by.Settings)
		if !shown.Exists {
			v.Rev = "" // no file has no revision
		}
		return c.printJSON(v)
	}
	if text := mdplan.RenderNews(shown.News); text != "" {
		c.printf("Since you last looked:\n%s\n", text)
	}
	c.out.WriteString(p.Render(mdplan.RenderOptions{Numbers: *numbers}))
	return nil
}

// showLine prints the plan for a status line, which asks often: it leaves the
// log alone.
func (c *call) showLine() error {
	s, err := c.store("")
	if err != nil {
		return err
	}
	p, err := s.Read()
	if errors.Is(err, mdplan.ErrNoPlan) {
		return nil
	}
	if err != nil {
		return c.unreadable(err)
	}
	if text := p.Line(); text != "" {
		c.printf("%s\n", text)
	}
	return nil
}

// numbersFlag is --numbers, which a terminal has by default.
func (c *call) numbersFlag() *bool { return c.flags.Bool("numbers", c.outTerminal, "") }

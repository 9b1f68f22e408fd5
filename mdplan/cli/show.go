package cli

import "github.com/todomd/todomd/mdplan"

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
	p, there, err := c.read()
	if err != nil {
		return err
	}
	switch {
	case *asJSON:
		v := p.View(c.path, c.by.Settings)
		if !there {
			v.Rev = "" // no file has no revision
		}
		return c.printJSON(v)
	case *line:
		if text := p.Line(); text != "" {
			c.printf("%s\n", text)
		}
	default:
		c.printf("%s", p.Render(mdplan.RenderOptions{Numbers: *numbers}))
	}
	return nil
}

// numbersFlag is --numbers, which a terminal has by default.
func (c *call) numbersFlag() *bool { return c.flags.Bool("numbers", c.outTerminal, "") }

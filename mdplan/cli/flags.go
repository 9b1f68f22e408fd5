package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"github.com/todomd/todomd/mdplan"
)

// global are the flags that every command takes, before and after its name.
type global struct {
	file, agent, session string
	limits               [len(limits)]string
}

// limits are the settings that have a flag. The variable of max-items is
// TODOMD_MAX_ITEMS.
var limits = [...]string{"max-items", "in-progress", "remind-after", "remind-every"}

func (g *global) register(fs *pflag.FlagSet) {
	fs.StringVar(&g.file, "file", "", "")
	fs.StringVar(&g.agent, "agent", "", "")
	fs.StringVar(&g.session, "session", "", "")
	for i, name := range limits {
		fs.StringVar(&g.limits[i], name, "", "")
	}
}

// flagNamed looks an argument up in the help: whether any command has such a
// flag, and whether the flag's value is the next argument.
func flagNamed(arg string) (known, value bool) {
	name, _, joined := strings.Cut(arg, "=")
	rows := slices.Clone(globalFlags)
	for _, cmd := range table() {
		rows = append(rows, cmd.flags...)
	}
	for _, row := range rows {
		if flag, _, takes := strings.Cut(row[0], " "); flag == name {
			return true, takes && !joined
		}
	}
	return false, false
}

// settings joins the flags and, below them, the environment.
func (g *global) settings(getenv func(string) string) (mdplan.Settings, error) {
	var s mdplan.Settings
	var errs mdplan.Errors
	for i, name := range limits {
		value, from := g.limits[i], "--"+name
		if value == "" {
			from = "TODOMD_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
			value = getenv(from)
		}
		if value == "" {
			continue
		}
		if err := s.Set(name, value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", from, err))
		}
	}
	if len(errs) > 0 {
		return s, errs
	}
	return s, nil
}

// parseFlags takes the flags out of the arguments. A line of a plan, "- [ ] x",
// is no flag, though it begins as one.
func (c *call) parseFlags() error {
	const mark = "\x00" // which no argument of a program can have
	args := slices.Clone(c.args)
	for i, arg := range args {
		if strings.HasPrefix(arg, "- [") {
			args[i] = mark + arg
		}
	}
	if err := c.flags.Parse(args); err != nil {
		return err
	}
	c.flags.Visit(func(f *pflag.Flag) {
		if value, marked := strings.CutPrefix(f.Value.String(), mark); marked {
			_ = f.Value.Set(value) // it is a text: others have refused the mark
		}
	})
	c.args = c.flags.Args()
	for i, arg := range c.args {
		c.args[i] = strings.TrimPrefix(arg, mark)
	}
	return nil
}

// flagError says what is wrong with a flag, and how to pass an argument that
// only looks like one.
func (c *call) flagError(err error) error {
	f := &failure{code: exitMisuse, msg: err.Error(), hint: "see todomd help " + c.cmd.name}
	if c.cmd.args != "" {
		f.hint = `an argument that begins with "-" needs "--" before it: todomd ` + c.cmd.name + ` -- "-…"`
	}
	var unknown *pflag.NotExistError
	var value *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		f.msg = fmt.Sprintf("%s has no flag --%s", c.cmd.name, unknown.GetSpecifiedName())
		var names []string
		c.flags.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		if name := nearest(unknown.GetSpecifiedName(), names); name != "" {
			f.hint = "did you mean --" + name + "?"
		}
	case errors.As(err, &unknown):
		f.msg = fmt.Sprintf("%s has no flag -%s", c.cmd.name, unknown.GetSpecifiedShortnames())
	case errors.As(err, &value):
		f.msg = fmt.Sprintf("--%s needs a value", value.GetSpecifiedName())
		f.hint = "see todomd help " + c.cmd.name
	}
	return f
}

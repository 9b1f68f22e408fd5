// Package cli is the command todomd. A command is a short function: its flags,
// one call of mdplan, what is printed, and an error. What errors look like and
// which exit codes they have is decided in one place, failure.go.
package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"github.com/todomd/todomd/mdplan"
)

// Run runs the command with these arguments (without the program's name) and
// returns its exit code: 0 done, 1 the answer is no, 2 misuse or the system
// failed.
func Run(args []string, in io.Reader, out, errOut io.Writer) int {
	buffered := bufio.NewWriter(out)
	c := &call{
		in: in, out: buffered, stdout: out, err: errOut, getenv: os.Getenv,
		inTerminal: isTerminal(in), outTerminal: isTerminal(out),
	}
	err := c.run(args)
	if e := buffered.Flush(); e != nil {
		err = failedTo("print the answer", e)
	}
	return report(errOut, err)
}

// call is one run of the command.
type call struct {
	in                      io.Reader
	out                     *bufio.Writer
	stdout                  io.Writer // what out writes to
	err                     io.Writer
	getenv                  func(string) string
	inTerminal, outTerminal bool

	cmd   *command
	flags *pflag.FlagSet
	global
	args []string // once parsed, without the flags

	by   mdplan.Caller
	path string // of the plan file, as it is shown
}

func (c *call) run(args []string) error {
	name, args := commandName(args)
	cmd, err := find(name)
	switch name {
	case "help":
		cmd, err = &command{name: name, run: (*call).help}, nil
	case "version":
		cmd, err = &command{name: name, short: "print the version", run: (*call).version}, nil
	}
	if err != nil {
		return err
	}
	c.cmd, c.args = cmd, args
	c.flags = pflag.NewFlagSet(name, pflag.ContinueOnError)
	c.flags.SetOutput(io.Discard)
	c.flags.Usage = func() {}
	c.global.register(c.flags)
	return cmd.run(c)
}

// commandName takes the command's name out of the arguments: the first that is
// neither a flag nor a flag's value. Without one it is show. Behind a flag that
// no command has, only the name of a command counts, since anything else may be
// that flag's value; the command then refuses the flag.
func commandName(args []string) (name string, rest []string) {
	mistyped := false
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return "show", args
		case arg == "-h" || arg == "--help":
			return "help", nil
		case arg == "--version":
			return "version", nil
		case arg == "-": // standard input
		case strings.HasPrefix(arg, "-"):
			known, value := flagNamed(arg)
			if value {
				i++
			}
			mistyped = mistyped || !known
		case !mistyped || isCommand(arg):
			return arg, append(args[:i:i], args[i+1:]...)
		}
	}
	return "show", args
}

// parse reads the flags, and wants as many other arguments as the command
// takes; at most -1 is any number.
func (c *call) parse(least, most int) error {
	if err := c.parseFlags(); err != nil {
		if err == pflag.ErrHelp {
			printCommand(c.out, c.cmd)
			return errDone
		}
		return c.flagError(err)
	}
	switch n := len(c.args); {
	case n < least:
		return c.usage("%s needs %s", c.cmd.name, c.cmd.args)
	case most == 0 && n > 0:
		return c.usage("%s takes no argument, got %q", c.cmd.name, c.args[0])
	case most > 0 && n > most:
		return c.usage("%s takes %s, got %q too", c.cmd.name, c.cmd.args, c.args[most])
	}
	settings, err := c.settings(c.getenv)
	if err != nil {
		return err
	}
	c.by = mdplan.Caller{
		Author:   author(c.agent, c.session, c.getenv, c.inTerminal && c.outTerminal),
		Settings: settings,
	}
	return nil
}

func (c *call) usage(format string, args ...any) error {
	return &failure{code: exitMisuse, msg: fmt.Sprintf(format, args...),
		hint: "usage: todomd " + c.cmd.usage()}
}

func (c *call) printf(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

func (c *call) printJSON(v any) error {
	data, err := mdplan.EncodeJSON(v)
	if err != nil {
		return err
	}
	_, err = c.out.Write(data)
	return err
}

// warn tells a human which limits they have passed.
func (c *call) warn(warnings []string) {
	for _, w := range warnings {
		printLines(c.err, "warning: ", w)
	}
}

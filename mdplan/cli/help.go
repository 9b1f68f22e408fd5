package cli

import (
	"fmt"
	"io"
	"strings"
)

const (
	helpHead = `todomd keeps a plan as a checklist in a Markdown file, todo.md.

Usage: todomd [COMMAND] [ARGUMENTS] [FLAGS]

Commands:
`
	helpFoot = `
todomd help COMMAND tells more about one. Exit codes: 0 done, 1 the answer is no
(a rule, a problem found, nothing next), 2 misuse or a failure.
`
)

// globalFlags are described once, below every command's own.
var globalFlags = [][2]string{
	{"--file FILE", "the plan file (TODOMD_FILE; else todo.md, TODO.md, tasks/todo.md, docs/todo.md,"},
	{"", "docs/TODO.md or .claude/todo.md, here or above in the repository)"},
	{"--agent NAME", "who you are (TODOMD_AGENT; else the agent's harness, human at a terminal)"},
	{"--session ID", "an agent's session (TODOMD_SESSION)"},
	{"--max-items N", "how many items a list may have (TODOMD_MAX_ITEMS; 12)"},
	{"--in-progress N", "how many an author may have in progress (TODOMD_IN_PROGRESS; 1, 0: no limit)"},
	{"--remind-after N", "idle rounds before a reminder (TODOMD_REMIND_AFTER; 3, 0: never)"},
	{"--remind-every N", "idle rounds between reminders (TODOMD_REMIND_EVERY; at twice the count)"},
	{"-h, --help", "print this"},
}

// help prints the commands, or what one of them does. Other commands' flags
// are no fault: who asks for help need not know whose they are.
func (c *call) help() error {
	for i := 0; i < len(c.args); i++ {
		arg := c.args[i]
		if strings.HasPrefix(arg, "-") {
			known, value := flagNamed(arg)
			if value {
				i++
			}
			if err := c.flags.Parse([]string{arg}); err != nil && !known {
				return c.flagError(err)
			}
			continue
		}
		if arg == "help" {
			continue
		}
		cmd, err := find(arg)
		if err != nil {
			return err
		}
		printCommand(c.out, cmd)
		return nil
	}
	var rows [][2]string
	for _, cmd := range table() {
		rows = append(rows, [2]string{cmd.call(), cmd.short})
	}
	io.WriteString(c.out, helpHead)
	printRows(c.out, rows)
	io.WriteString(c.out, "\nFlags of every command, before or after its name:\n")
	printRows(c.out, globalFlags)
	printRows(c.out, [][2]string{{"--version", "print the version"}})
	io.WriteString(c.out, helpFoot)
	return nil
}

func printCommand(w io.Writer, cmd *command) {
	fmt.Fprintf(w, "todomd %s: %s\n", cmd.call(), cmd.short)
	if cmd.long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimRight(cmd.long, " "))
	}
	if len(cmd.flags) > 0 {
		io.WriteString(w, "\nFlags:\n")
		printRows(w, cmd.flags)
	}
	io.WriteString(w, "\nFlags of every command:\n")
	printRows(w, globalFlags)
}

// helpColumn is where the second column of the help begins.
const helpColumn = 20

func printRows(w io.Writer, rows [][2]string) {
	for _, r := range rows {
		fmt.Fprintf(w, "  %-*s %s\n", helpColumn-3, r[0], r[1])
	}
}

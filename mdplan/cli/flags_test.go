package cli

import (
	"bufio"
	"errors"
	"io"
	"testing"

	"github.com/spf13/pflag"
)

// The name of the command is found by what the help says of flags, so the help
// has to know every flag, and which of them take a value.
func TestHelpKnowsFlags(t *testing.T) {
	for _, cmd := range table() {
		c := &call{out: bufio.NewWriter(io.Discard), err: io.Discard, getenv: func(string) string { return "" }}
		if err := c.run([]string{cmd.name, "--help=1"}); !errors.Is(err, errDone) {
			t.Fatalf("%s --help=1: %v", cmd.name, err)
		}
		rows := len(globalFlags) + len(cmd.flags)
		for _, row := range globalFlags {
			if row[0] == "" || row[0] == "-h, --help" {
				rows--
			}
		}
		c.flags.VisitAll(func(f *pflag.Flag) {
			rows--
			known, value := flagNamed("--" + f.Name)
			if want := f.NoOptDefVal == ""; !known || value != want {
				t.Errorf("%s --%s: known %t, takes a value %t, want %t", cmd.name, f.Name, known, value, want)
			}
		})
		if rows != 0 {
			t.Errorf("%s: the help has %d flags more than the command", cmd.name, rows)
		}
	}
}

// The command todomd keeps an agent's plan as a checklist in a Markdown file.
package main

import (
	"os"
	"runtime/debug"

	"github.com/todomd/todomd/mdplan/cli"
)

// memory is what a run may take before garbage is collected, in bytes. Most
// runs end in milliseconds far below it, and collecting would cost a large plan
// a third of its time.
const memory = 256 << 20

func main() {
	debug.SetMemoryLimit(memory)
	debug.SetGCPercent(-1)
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

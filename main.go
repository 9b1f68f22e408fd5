// The command todomd keeps an agent's plan as a checklist in a Markdown file.
package main

import (
	"os"

	"github.com/todomd/todomd/mdplan/cli"
)

func main() {
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

package mdplan

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// childEnv names, in the environment of a re-executed test binary, the function
// of children that it runs in place of the tests.
const childEnv = "TODOMD_TEST_CHILD"

// children are what a test runs in processes of their own. Each gets the
// arguments that follow its name, and fails by an error.
var children = map[string]func(args []string) error{}

func TestMain(m *testing.M) {
	name := os.Getenv(childEnv)
	if name == "" {
		os.Exit(m.Run())
	}
	if err := children[name](os.Args[1:]); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

func child(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), childEnv+"="+name)
	cmd.Stderr = new(bytes.Buffer)
	return cmd
}

// wait waits for a child and returns what it said it failed by.
func wait(cmd *exec.Cmd) (text string, ok bool) {
	err := cmd.Wait()
	text = cmd.Stderr.(*bytes.Buffer).String()
	if text == "" && err != nil {
		text = err.Error()
	}
	return strings.TrimSpace(text), err == nil
}

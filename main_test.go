package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/todomd/todomd/mdplan"
	"github.com/todomd/todomd/mdplan/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"todomd": main})
}

// The scripts run with an environment of their own, so that the agent that
// runs the tests is not the author.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":  scriptExit,
			"bytes": scriptBytes,
			"same":  scriptSame,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
	})
}

// exit CODE COMMAND ARG...
// wants exactly this exit code, which "! exec" does not tell from others.
func scriptExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// bytes FILE TEXT
// writes what a text file can't hold: TEXT is a Go string without its quotes.
func scriptBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes FILE TEXT")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// same FILE TEXT
// wants that FILE holds exactly TEXT, a Go string without its quotes.
func scriptSame(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same FILE TEXT")
	}
	want, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	if got := ts.ReadFile(args[0]); got != want {
		ts.Fatalf("%s has %q, want %q", args[0], got, want)
	}
}

// What show --json gives is a list that update takes, and it changes nothing.
func TestShownListChangesNothing(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("mdplan", "testdata", "corpus", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal("no plan files", err)
	}
	for _, variant := range []struct {
		name   string
		change func([]byte) []byte
	}{
		{"as it is", func(src []byte) []byte { return src }},
		{"CRLF", func(src []byte) []byte {
			return bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
		}},
		{"BOM", func(src []byte) []byte { return append([]byte("\ufeff"), src...) }},
		{"no last newline", func(src []byte) []byte { return bytes.TrimRight(src, "\r\n") }},
	} {
		t.Run(variant.name, func(t *testing.T) {
			for _, file := range files {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				src = variant.change(src)
				plan := filepath.Join(t.TempDir(), "todo.md")
				if err := os.WriteFile(plan, src, 0o666); err != nil {
					t.Fatal(err)
				}
				for _, replace := range []string{"--replace=false", "--replace"} {
					list := runOK(t, nil, "show", "--json", "--file", plan)
					runOK(t, list, "update", replace, "--agent", "somebody", "--file", plan)
					if got, err := os.ReadFile(plan); err != nil || !bytes.Equal(got, src) {
						t.Errorf("%s: update %s changed the file (%v)", file, replace, err)
					}
				}
			}
		})
	}
}

func runOK(t *testing.T, in []byte, args ...string) []byte {
	t.Helper()
	var out, errOut bytes.Buffer
	if code := cli.Run(args, bytes.NewReader(in), &out, &errOut); code != 0 {
		t.Fatalf("todomd %q: exit code %d\n%s", args, code, errOut.Bytes())
	}
	return out.Bytes()
}

// Real processes that add items and then complete them, all in one plan.
// Nothing that was acknowledged may be lost.
func TestProcessesThatRace(t *testing.T) {
	processes, each := 16, 50
	// The race detector does not look at what other processes do.
	info, ok := debug.ReadBuildInfo()
	if testing.Short() || ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		processes, each = 4, 10
	}
	command := buildCommand(t)
	plan := filepath.Join(t.TempDir(), "todo.md")
	const prose = "# Ship it\n\nWhat the human wrote.\n\n- [x] first\n\n| a | table |\n|---|-------|\n"
	if err := os.WriteFile(plan, []byte(prose), 0o666); err != nil {
		t.Fatal(err)
	}
	text := func(process, i int) string { return fmt.Sprintf("process %02d item %02d", process, i) }
	race := func(args func(process, i int) []string) {
		t.Helper()
		var all sync.WaitGroup
		for process := range processes {
			all.Go(func() {
				for i := range each {
					for tries := 0; ; tries++ {
						// As a human, whom the limits of agents do not bind.
						cmd := exec.Command(command, append(args(process, i), "--agent", "human", "--file", plan)...)
						out, err := cmd.CombinedOutput()
						if err == nil {
							break
						}
						// On a machine under load 16 writers can wait for longer than
						// the lock's time limit. What is refused is not acknowledged.
						if tries == 3 || !bytes.Contains(out, []byte(mdplan.ErrLocked.Error())) {
							t.Errorf("%q: %v\n%s", args(process, i), err, out)
							break
						}
					}
				}
			})
		}
		all.Wait()
	}
	items := func() map[string]mdplan.Status {
		t.Helper()
		p, err := mdplan.Open(plan).Read()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]mdplan.Status{}
		for _, it := range p.Items() {
			got[it.Content] = it.Status
		}
		if p.Len() != processes*each+1 || len(got) != p.Len() {
			t.Fatalf("%d items with %d texts, want %d", p.Len(), len(got), processes*each+1)
		}
		return got
	}
	race(func(process, i int) []string { return []string{"add", text(process, i)} })
	for content, status := range items() {
		if want := content == "first"; want != (status == mdplan.Completed) {
			t.Errorf("%q is %s after the additions", content, status)
		}
	}
	words := []string{"done", "block", "cancel"}
	statuses := []mdplan.Status{mdplan.Completed, mdplan.Blocked, mdplan.Cancelled}
	race(func(process, i int) []string { return []string{words[i%len(words)], text(process, i)} })
	got := items()
	for process := range processes {
		for i := range each {
			if s := got[text(process, i)]; s != statuses[i%len(words)] {
				t.Errorf("%q is %s, want %s", text(process, i), s, statuses[i%len(words)])
			}
		}
	}
	src, err := os.ReadFile(plan)
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(prose, "- [x] first\n")
	if s := string(src); !strings.HasPrefix(s, before) || !strings.HasSuffix(s, after) {
		t.Errorf("the prose around the items changed:\n%s", s)
	}
}

// buildCommand builds the command as users install it.
func buildCommand(t *testing.T) string {
	t.Helper()
	command := filepath.Join(t.TempDir(), "todomd")
	if runtime.GOOS == "windows" {
		command += ".exe"
	}
	build := exec.Command("go", "build", "-o", command, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return command
}

// What the README shows is what a new user sees.
func TestReadme(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh to run its commands with")
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	path := "PATH=" + filepath.Dir(buildCommand(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	dir := t.TempDir()
	shows := func(command, want string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // one that never ends fails
		defer cancel()
		cmd := exec.CommandContext(ctx, shell, "-c", command)
		cmd.WaitDelay = time.Second
		cmd.Dir = dir
		cmd.Env = []string{path}       // without the variables of the agent that runs the tests
		out, _ := cmd.CombinedOutput() // some commands are refused
		if got := strings.TrimSuffix(string(out), "\n"); got != want {
			t.Errorf("%s\ngives\n%s\nthe README has\n%s", command, got, want)
		}
	}
	text := strings.ReplaceAll(string(readme), "\r\n", "\n")
	_, text, _ = strings.Cut(text, "```sh\n")
	first, text, ok := strings.Cut(text, "go run . update\n")
	_, text, _ = strings.Cut(text, "```text\n")
	want, text, _ := strings.Cut(text, "\n```")
	if !ok {
		t.Fatal("the first command is missing")
	}
	shows(first+"todomd update", want)
	dir = t.TempDir()
	sessions := strings.Split(text, "```console\n")[1:]
	if len(sessions) == 0 {
		t.Fatal("no sessions")
	}
	for _, session := range sessions {
		session, _, _ := strings.Cut(session, "```")
		for _, shown := range strings.Split("\n"+session, "\n$ ")[1:] {
			command, want, _ := strings.Cut(strings.TrimSuffix(shown, "\n"), "\n")
			shows(command, want)
		}
	}
}

// Imports point one way, and mdplan stays small for those who link it.
func TestImports(t *testing.T) {
	const module = "github.com/todomd/todomd"
	const goldmark = "github.com/yuin/goldmark"
	below := func(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }
	list := func(args ...string) []string {
		t.Helper()
		cmd := exec.Command("go", append([]string{"list"}, args...)...)
		var errOut bytes.Buffer
		cmd.Stderr = &errOut
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list %q: %v\n%s", args, err, errOut.Bytes())
		}
		return strings.Fields(string(out))
	}
	for _, pkg := range list("-deps", "./mdplan") {
		switch {
		case below(pkg, module) && pkg != module+"/mdplan",
			pkg == "net", // goldmark brings net/url, which is harmless
			below(pkg, "github.com/spf13/pflag"),
			below(pkg, "github.com/fsnotify/fsnotify"):
			t.Errorf("mdplan depends on %s", pkg)
		}
	}
	// Who may import which package of the module; the command may all.
	allowed := map[string][]string{
		"mdplan":            {},
		"mdplan/hook":       {"mdplan"},
		"watch":             {"mdplan"},
		"mdplan/cli":        {"mdplan", "mdplan/hook", "watch"},
		"mdplan/todomd-mcp": {"mdplan"},
	}
	for _, pkg := range list("./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(pkg, module), "/")
		if name == "" {
			continue
		}
		may, known := allowed[name]
		if !known {
			t.Errorf("%s has no row in this test", name)
		}
		for _, imported := range list("-f", `{{join .Imports "\n"}}`, pkg) {
			if below(imported, module) && !slices.Contains(may, strings.TrimPrefix(imported, module+"/")) {
				t.Errorf("%s imports %s", name, imported)
			}
			if below(imported, goldmark) && name != "mdplan" {
				t.Errorf("%s imports %s, which is mdplan's", name, imported)
			}
		}
	}
}

// The top level stays small enough to be read at a glance.
func TestTopLevel(t *testing.T) {
	allowed := []string{"README.md", "go.mod", "go.sum", "main.go", "main_test.go", "mdplan", "testdata", "watch"}
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skip("no git, which knows what belongs to the repository: ", err)
	}
	for _, file := range strings.Fields(string(out)) {
		top, _, _ := strings.Cut(file, "/")
		if !strings.HasPrefix(top, ".") && !slices.Contains(allowed, top) {
			t.Errorf("%s stands at the top level", top)
		}
	}
}

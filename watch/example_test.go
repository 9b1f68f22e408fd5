package watch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/todomd/todomd/watch"
)

// A harness hears of the edits that a human makes in the plan while its agent
// works.
func Example() {
	dir, err := os.MkdirTemp("", "plan")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "todo.md")
	os.WriteFile(path, []byte("- [ ] Write the parser\n- [ ] Write its tests\n"), 0o644)

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	edits := watch.File(ctx, path, watch.Options{})
	go os.WriteFile(path, []byte("- [x] Write the parser\n- [ ] Write its tests\n"), 0o644) // the human

	for e := range edits {
		for _, c := range e.Changes {
			fmt.Printf("%s: %s of %q, line %d: %s, was %s\n", e.By, c.Op, c.Content, c.Line, c.To, c.From)
		}
		fmt.Printf("%d of %d done\n", e.Counts.Completed, e.Counts.Total)
		cancel() // ends the loop
	}
	// Output:
	// human: status of "Write the parser", line 1: completed, was pending
	// 1 of 2 done
}

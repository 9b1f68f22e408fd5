package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/todomd/todomd/mdplan"
	"github.com/todomd/todomd/watch"
)

func runWatch(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	live := c.flags.Bool("live", false, "")
	poll := c.flags.Bool("poll", false, "")
	if err := c.parse(0, 0); err != nil {
		return err
	}
	if *asJSON && *live {
		return c.usage("--json and --live exclude each other")
	}
	store, err := c.store("")
	if err != nil {
		return err
	}
	if dir := filepath.Dir(c.path); !isFolder(dir) {
		c.hint(fmt.Sprintf("there is no folder %q yet; waiting for it", dir))
	}
	debug.SetGCPercent(100) // this one runs for long
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	record(ctx, store)
	edits := watch.File(ctx, c.path, watch.Options{
		Initial: *live, Poll: *poll, Settings: c.by.Settings, History: store.Revisions, Holders: store.Holders,
	})
	if *live {
		return c.watchLive(store, edits)
	}
	var known []mdplan.Problem
	for e := range edits {
		if *asJSON {
			err = c.printJSON(e)
		} else {
			c.printEdit(e, known)
			known = e.Problems
		}
		if err == nil {
			err = c.out.Flush()
		}
		if err != nil {
			return failedTo("print the answer", err) // nobody reads it any more
		}
		record(ctx, store)
	}
	return nil
}

// record puts what was reported into the round log, so that it can be told and
// taken back later, also if the next edit comes before any command. The watch
// goes on where that is not possible, and so does everything else.
func record(ctx context.Context, store *mdplan.Store) { _ = store.Record(ctx) }

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// printEdit prints one line for each change, and the problems that are new.
func (c *call) printEdit(e watch.Event, known []mdplan.Problem) {
	at := e.Time.Local().Format("15:04:05")
	by := mdplan.Escape(e.By)
	for _, d := range e.Changes {
		if d.Line > 0 && d.Op != mdplan.OpRemoved {
			c.printf("%s %s: %s (%s:%d)\n", at, by, d, c.path, d.Line)
		} else {
			c.printf("%s %s: %s\n", at, by, d)
		}
	}
	if len(e.Changes) > 0 && e.Rev == "" {
		c.printf("%s %s: the file is gone\n", at, by)
	}
	for _, p := range e.Problems {
		if !slices.Contains(known, p) {
			c.printf("%s %s:%s\n", at, c.path, p)
		}
	}
}

// watchLive draws the plan anew at every edit and every change of the
// terminal's size.
func (c *call) watchLive(store *mdplan.Store, edits <-chan watch.Event) error {
	style := watch.Style{}
	if c.outTerminal {
		style = watch.StyleOf(c.getenv)
	}
	c.printf("%s", style.Begin())
	resized := make(chan os.Signal, 1)
	if c.outTerminal && style.Cursor {
		onResize(resized)
		defer signal.Stop(resized)
	}
	var plan *mdplan.Plan
	for open := true; open; {
		select {
		case e, more := <-edits:
			if open = more; more {
				record(context.Background(), store)
				plan = e.Plan.WithActiveForms(store.Labels())
			}
		case <-resized:
		}
		if !open || plan == nil {
			continue
		}
		columns, rows := 0, 0
		if f, ok := c.stdout.(*os.File); ok && c.outTerminal {
			columns, rows = terminalSize(f)
		}
		c.printf("%s", watch.Live(plan, columns, rows, style))
		if err := c.out.Flush(); err != nil {
			return failedTo("print the plan", err)
		}
	}
	c.printf("%s", style.End())
	return nil
}

package cli

import (
	"fmt"
	"strings"

	"github.com/todomd/todomd/mdplan"
)

// maxNames is how many items a list of names has before the rest is counted,
// since what an agent reads has to stay small.
const maxNames = 10

// itemsView is the JSON form of what a command has done to items.
type itemsView struct {
	File   string        `json:"file"`
	Rev    string        `json:"rev"`
	Items  []mdplan.Item `json:"items"` // that it changed; for remove as they were
	Counts mdplan.Counts `json:"counts"`
	Ready  []mdplan.Item `json:"ready"` // what waited for it and can be started now
}

// runStatus makes the command that gives items a status.
func runStatus(s mdplan.Status) func(*call) error {
	return func(c *call) error {
		asJSON := c.flags.Bool("json", false, "")
		if err := c.parse(1, -1); err != nil {
			return err
		}
		return c.changeItems(*asJSON, c.args, func(p *mdplan.Plan, by mdplan.Caller) (mdplan.Changes, error) {
			return p.SetStatusAll(by, c.args, s)
		})
	}
}

func runRemove(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	if err := c.parse(1, -1); err != nil {
		return err
	}
	return c.changeItems(*asJSON, c.args, func(p *mdplan.Plan, by mdplan.Caller) (mdplan.Changes, error) {
		return p.RemoveAll(by, c.args)
	})
}

func runAdd(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	var at mdplan.Place
	c.flags.StringVar(&at.After, "after", "", "")
	c.flags.StringVar(&at.Under, "under", "", "")
	if err := c.parse(1, -1); err != nil {
		return err
	}
	for _, name := range []string{"after", "under"} {
		if f := c.flags.Lookup(name); f.Changed && f.Value.String() == "" {
			return c.usage("--%s needs an item", name)
		}
	}
	if at.After != "" && at.Under != "" {
		return c.usage("--after and --under exclude each other")
	}
	return c.changeItems(*asJSON, []string{at.After, at.Under}, one(func(p *mdplan.Plan, by mdplan.Caller) (mdplan.Change, error) {
		return p.Add(by, strings.Join(c.args, " "), at)
	}))
}

func runEdit(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	if err := c.parse(2, -1); err != nil {
		return err
	}
	return c.changeItems(*asJSON, c.args[:1], one(func(p *mdplan.Plan, by mdplan.Caller) (mdplan.Change, error) {
		return p.Edit(by, c.args[0], strings.Join(c.args[1:], " "))
	}))
}

func runNote(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	if err := c.parse(1, -1); err != nil {
		return err
	}
	text := strings.Join(c.args[1:], " ")
	if text == "-" || len(c.args) == 1 {
		if c.inTerminal && text == "" {
			return c.usage("note needs a text, as arguments or on standard input")
		}
		data, err := readAll(c.in, "the note", mdplan.MaxSize)
		if err != nil {
			return err
		}
		text = string(data)
	}
	return c.changeItems(*asJSON, c.args[:1], one(func(p *mdplan.Plan, by mdplan.Caller) (mdplan.Change, error) {
		return p.Note(by, c.args[0], text)
	}))
}

// one makes a change of one item one of several.
func one(op func(*mdplan.Plan, mdplan.Caller) (mdplan.Change, error)) func(*mdplan.Plan, mdplan.Caller) (mdplan.Changes, error) {
	return func(p *mdplan.Plan, by mdplan.Caller) (mdplan.Changes, error) {
		c, err := op(p, by)
		return mdplan.Changes{Plan: c.Plan, Items: []mdplan.Item{c.Item}, Ready: c.Ready, Warnings: c.Warnings}, err
	}
}

// changeItems makes a change in the plan file, and prints the items, the count
// and what became ready.
func (c *call) changeItems(asJSON bool, refs []string, op func(*mdplan.Plan, mdplan.Caller) (mdplan.Changes, error)) error {
	var before *mdplan.Plan
	var done mdplan.Changes
	p, err := c.change(asJSON, refs, func(p *mdplan.Plan, by mdplan.Caller) (*mdplan.Plan, error) {
		var err error
		before = p
		done, err = op(p, by)
		return done.Plan, err
	})
	if err != nil {
		return c.withoutItems(before, err)
	}
	c.warn(done.Warnings)
	if asJSON {
		if done.Ready == nil {
			done.Ready = []mdplan.Item{}
		}
		return c.printJSON(itemsView{c.path, p.Rev(), done.Items, p.Counts(), done.Ready})
	}
	for _, it := range done.Items {
		if c.cmd.name == "remove" {
			c.printf("removed: %s%s\n", before.ItemLine(it), withSubItems(it))
		} else {
			c.printf("%s\n", p.ItemLine(it))
		}
	}
	c.printf("%s\n", p.CountLine())
	c.printItems("ready: ", p, done.Ready, maxNames)
	return nil
}

// withoutItems says of a reference into an empty plan that the plan is empty.
func (c *call) withoutItems(p *mdplan.Plan, err error) error {
	if p == nil || p.Len() > 0 || exitCode(err) != exitNo || c.cmd.name == "add" {
		return err
	}
	return &failure{code: exitNo, msg: fmt.Sprintf("there are no items in %q", c.path), err: err,
		hint: "todomd add TEXT adds one, todomd update takes a whole list"}
}

func withSubItems(it mdplan.Item) string {
	switch n := countItems(it.Items); n {
	case 0:
		return ""
	case 1:
		return " (with its sub-item)"
	default:
		return fmt.Sprintf(" (with %d sub-items)", n)
	}
}

func countItems(items []mdplan.Item) int {
	n := len(items)
	for _, it := range items {
		n += countItems(it.Items)
	}
	return n
}

// printItems prints one line for each item, and counts those above a number.
func (c *call) printItems(prefix string, p *mdplan.Plan, items []mdplan.Item, most int) {
	for i, it := range items {
		if i == most {
			c.printf("%sand %d more\n", prefix, len(items)-i)
			return
		}
		c.printf("%s%s\n", prefix, p.ItemLine(it))
	}
}

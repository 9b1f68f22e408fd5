package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/todomd/todomd/mdplan"
)

// roundView is the JSON form of the end of a round.
type roundView struct {
	File     string           `json:"file"`
	Rev      string           `json:"rev,omitempty"`
	Idle     int              `json:"idle"`
	Reminded bool             `json:"reminded"`
	News     []newsView       `json:"news"`
	Problems []mdplan.Problem `json:"problems"`
	Text     string           `json:"text"` // what belongs into the agent's context
}

type newsView struct {
	By       string         `json:"by"`
	Session  string         `json:"session,omitempty"`
	Via      string         `json:"via"`
	Restored string         `json:"restored,omitempty"` // the older revision that the file was put back to
	Lost     bool           `json:"lost,omitempty"`     // the agent itself took out open items of others
	Cut      bool           `json:"cut,omitempty"`      // the log no longer has what was changed before
	Changes  []mdplan.Delta `json:"changes"`
}

func runRound(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	used := c.flags.Bool("used-todo", false, "")
	brief := c.flags.Bool("brief", false, "")
	vary := c.flags.Bool("vary", false, "")
	if err := c.parse(0, 0); err != nil {
		return err
	}
	s, err := c.open()
	if err != nil {
		return err
	}
	r, err := s.Round(context.Background(), mdplan.RoundOptions{
		UsedTodo: *used,
		Reminder: mdplan.ReminderOptions{Brief: *brief, Vary: *vary},
	})
	c.hint(r.Notice)
	if err != nil {
		return c.unreadable(err)
	}
	if !*asJSON {
		c.printf("%s", r.Text)
		return nil
	}
	v := roundView{File: c.path, Rev: r.Rev, Idle: r.Idle, Reminded: r.Reminded, Text: r.Text,
		News: []newsView{}, Problems: append([]mdplan.Problem{}, r.Problems...)}
	for _, n := range r.News {
		v.News = append(v.News, newsView{n.By.Name, n.By.Session, n.Via, n.Restored, n.Lost, n.Cut, n.Changes})
	}
	return c.printJSON(v)
}

func runRecover(c *call) error {
	if err := c.parse(0, 0); err != nil {
		return err
	}
	s, err := c.open()
	if err != nil {
		return err
	}
	recovered, err := s.Recover(context.Background())
	c.hint(recovered.Notice)
	if err != nil {
		return c.unreadable(err)
	}
	c.printf("%s", recovered.Text)
	return nil
}

func runLog(c *call) error {
	asJSON := c.flags.Bool("json", false, "")
	item := c.flags.String("item", "", "")
	if err := c.parse(0, 0); err != nil {
		return err
	}
	s, err := c.store("")
	if err != nil {
		return err
	}
	log, err := s.Log()
	if err != nil {
		return failedTo("read the round log", err)
	}
	entries := log.Entries
	if *item != "" {
		if entries, err = log.Of(*item); err != nil {
			return err
		}
	}
	if log.Bad > 0 {
		c.hint(fmt.Sprintf("%d damaged lines of the round log were skipped", log.Bad))
	}
	for _, e := range entries {
		if *asJSON {
			if err := c.printJSON(e); err != nil {
				return err
			}
			continue
		}
		if e.Kind != "told" { // what was shown to whom is for programs
			c.printf("%s\n", e)
		}
	}
	return nil
}

func runRestore(c *call) error {
	if err := c.parse(0, 1); err != nil {
		return err
	}
	rev := ""
	if len(c.args) > 0 {
		rev = c.args[0]
	}
	s, err := c.open()
	if err != nil {
		return err
	}
	_, gone := os.Stat(c.path) // restore can't take back what brought the file itself
	restored, err := s.Restore(context.Background(), rev)
	c.hint(restored.Notice)
	if err != nil {
		return c.unreadable(err)
	}
	p := restored.Plan
	c.out.WriteString(p.Render(mdplan.RenderOptions{Cut: c.cut()}))
	if restored.Aside != "" {
		c.hint(fmt.Sprintf("the file was too large to be read as a plan; it is kept as %q", restored.Aside))
	}
	lines := mdplan.Lines(restored.Changes, maxNames)
	if len(lines) == 0 && restored.Aside == "" {
		c.printf("\nrevision %s is what the file has; nothing changed\n", p.Rev())
		return nil
	}
	way := "; this takes it back: todomd restore"
	if gone != nil || restored.Aside != "" {
		way = ""
	}
	c.printf("\nrestored %s%s\n", p.Rev(), way)
	for _, line := range lines {
		c.printf("  %s\n", line)
	}
	return nil
}

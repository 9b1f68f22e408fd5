package mdplan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever the plan, what a round tells stays small, and its blocks are whole.
func TestRoundStaysSmall(t *testing.T) {
	files, err := filepath.Glob("testdata/corpus/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no plan files", err)
	}
	plans := map[string]string{
		"long texts": strings.Repeat("- [>] "+strings.Repeat("語", 5000)+"\n", 40),
		"many":       strings.Repeat("- [>] "+strings.Repeat("x ", 140)+"\n", 2000),
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		plans[filepath.Base(file)] = string(src)
	}
	for name, src := range plans {
		if _, err := Parse([]byte(src)); err != nil {
			continue
		}
		d := newDesk(t, "# Plan\n")
		agent := d.with(Caller{Author: Author{"a", "1"}, Settings: set("remind-every", "1")})
		d.round(agent, RoundOptions{})
		d.round(agent, RoundOptions{})
		d.save(src)
		for i := range 4 { // news with a reminder, reminders alone, news with a later reminder
			if i == 3 {
				d.save(strings.NewReplacer("[>] ", "[>] newly ", "[ ] ", "[>] newly ").Replace(src))
			}
			r := d.round(agent, RoundOptions{})
			if n := utf8.RuneCountInString(r.Text); n > MaxAgentText {
				t.Errorf("%s, round %d: %d characters", name, i, n)
			}
			for _, tag := range []string{"plan", "reminder"} {
				if strings.Count(r.Text, "<"+tag+">") != strings.Count(r.Text, "</"+tag+">") {
					t.Errorf("%s, round %d: <%s> is not closed", name, i, tag)
				}
			}
			if items := strings.Count(r.Text, "\n[") + strings.Count(r.Text, "\n  "); items > 60 {
				t.Errorf("%s, round %d: %d lines of items", name, i, items)
			}
		}
	}
}

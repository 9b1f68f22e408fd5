package mdplan

import (
	"fmt"
	"strings"
)

// reminderText is the sentence of every reminder.
const reminderText = "Refresh your current plan before continuing."

// reminderTexts are equal phrasings for agents that fall into imitation.
var reminderTexts = []string{
	reminderText,
	"Before you continue, bring your plan up to date.",
	"Your plan was not updated for a while: check it against what you have done.",
	"Look at your plan again and update it before the next step.",
}

// ReminderOptions says how a reminder is worded.
type ReminderOptions struct {
	Brief bool // the first sentence only
	Vary  bool // rotate equal phrasings
	// Cut says how a plan that is too long for an agent is cut; its Cut is
	// AgentCut if it is 0.
	Cut RenderOptions
}

// Due reports whether a reminder comes at so many idle rounds: first at
// remind-after, then each remind-every rounds or, where that is unset, again at
// twice the count each time. It never comes for a plan in which nothing is
// pending or in progress.
func (p *Plan) Due(idle int, over Settings) bool {
	s := over.Or(p.settings)
	after := valueOr(s.RemindAfter, DefaultRemindAfter)
	if after == 0 || idle < after {
		return false
	}
	if c := p.Counts(); c.Pending+c.InProgress == 0 {
		return false
	}
	if s.RemindEvery != nil {
		return (idle-after)%*s.RemindEvery == 0
	}
	for n := after; n <= idle; n *= 2 {
		if n == idle {
			return true
		}
	}
	return false
}

// Reminder returns the block that recites the plan to an agent after so many
// idle rounds. The first one holds the plan, later ones the item in progress
// and the count. The same plan and count give the same bytes.
func (p *Plan) Reminder(idle int, over Settings, o ReminderOptions) string {
	s := over.Or(p.settings)
	after := max(valueOr(s.RemindAfter, DefaultRemindAfter), 1)
	text := reminderText
	if o.Vary {
		text = reminderTexts[idle/after%len(reminderTexts)]
	}
	var b strings.Builder
	b.WriteString("<reminder>" + text)
	if !o.Brief {
		b.WriteString("\n\n")
		if idle <= after {
			b.WriteString(p.titled(o.Cut))
		} else {
			shown := 0
			for _, n := range p.nodes {
				if n.status != InProgress {
					continue
				}
				if shown++; shown <= AgentCut {
					b.WriteString(strings.TrimLeft(p.itemLine(n, true), " ") + "\n")
				}
			}
			if shown > AgentCut {
				fmt.Fprintf(&b, "… and %d more in progress\n", shown-AgentCut)
			}
			b.WriteString(p.CountLine())
		}
	}
	b.WriteString("</reminder>\n")
	return limit(b.String(), "</reminder>\n", MaxAgentText)
}

// titled renders the plan below its heading, without the last line feed.
func (p *Plan) titled(o RenderOptions) string {
	if o.Cut == 0 {
		o.Cut = AgentCut
	}
	text := strings.TrimRight(p.Render(o), "\n")
	if title := p.Title(); title != "" && !onlyPlan(title) {
		text = "# " + shorten(escapeLine(title), maxItemText) + "\n" + text
	}
	return text
}

// onlyPlan reports whether a heading says no more than that a plan follows.
func onlyPlan(title string) bool {
	word := strings.ToLower(strings.TrimFunc(title, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 0x2e80 && r < 0xfe00)
	}))
	switch strings.NewReplacer("-", "", " ", "", "_", "").Replace(word) {
	case "plan", "theplan", "todo", "todos", "todolist", "todomd", "tasks", "tasklist", "task", "checklist",
		"计划", "待办", "待办事项", "任务", "任务列表":
		return true
	}
	return false
}

// MaxAgentText is the most characters that an agent is shown at once: what
// harnesses take whole.
const MaxAgentText = 10_000

// limit cuts a text that an agent is shown to so many characters, and keeps
// the tag that ends it.
func limit(s, end string, most int) string {
	if len(s) <= most {
		return s
	}
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	cut := "\n… cut; see todomd show" + end
	return string(r[:max(most-len([]rune(cut)), 0)]) + cut
}

package mdplan

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// RoundOptions says how [Session.Round] closes a round.
type RoundOptions struct {
	// UsedTodo says that the agent updated the plan in this round with a tool
	// of its own, for instance a file tool: a change that nobody explained is
	// given to the agent, where nothing else updated the plan in the round.
	UsedTodo bool
	Reminder ReminderOptions // but for Cut, which is the round's own
}

// Round is what an agent should see at the end of a round.
type Round struct {
	Idle     int    // rounds since the agent's last successful update
	Reminded bool   // a reminder is part of the text
	News     []News // what others did since the agent was last told, and what it took from them
	// Problems are the errors of the file, once for each of its revisions.
	Problems []Problem
	// Text is all of it as it goes into the agent's context, "" if there is
	// nothing to tell.
	Text   string
	Rev    string // the revision that it speaks of, "" if there is no file
	Notice string // why the log can't be kept
}

// Round closes a round of an agent: the model's reply and the tool calls that
// it asked for, together. It counts idle rounds and returns what the agent
// should see now: others' edits since it was last told, the errors of the file
// once for each revision, and the reminder. Where there never was a plan it
// returns nothing, and creates nothing.
//
// A file that can't be read as a plan is no error, but one of Round.Problems.
// Errors are [ErrLocked], [ErrNotRegular], ctx's and the system's.
func (s *Session) Round(ctx context.Context, o RoundOptions) (Round, error) {
	out, waiting, err := s.round(ctx, o, true)
	if waiting {
		s.completeFound(ctx) // at the worst the item stays open
		out, _, err = s.round(ctx, o, false)
	}
	return out, err
}

// round is Round, but for items whose doneWhen exists: with look it does
// nothing if there are any.
func (s *Session) round(ctx context.Context, o RoundOptions, look bool) (out Round, waiting bool, err error) {
	notice, err := s.locked(ctx, func(j *journal, p *Plan, bad *ParseError) error {
		out = Round{}
		if p == nil && bad == nil && len(j.h.revs) == 0 {
			return nil // there never was a plan
		}
		if waiting = look && p != nil && len(p.found(j.at.dir)) > 0; waiting {
			return nil
		}
		missing := p == nil && bad == nil
		if p == nil {
			p = emptyPlan()
		}
		if head := j.h.head(); head != nil {
			out.Rev = head.Rev
		}
		who := s.by.Author
		last, lastAt := j.h.last(kindRound, who, nil)
		if last == nil {
			last = &record{}
		}
		if o.UsedTodo {
			s.claim(j, lastAt)
		}
		if !s.updatedSince(j, lastAt, o.UsedTodo) {
			out.Idle = last.Idle + 1
		}
		r := record{Kind: kindRound, Rev: out.Rev, Idle: out.Idle}
		var news []record
		if bad != nil {
			r.Error, r.Doing, r.Rounds = bad.Error(), last.Doing, last.Rounds
			if last.Error != r.Error || last.Rev != r.Rev {
				out.Problems = []Problem{ProblemOf(bad)}
			}
		} else {
			told, at := j.h.last(kindTold, who, func(r *record) bool { return r.News })
			out.News = j.news(who)
			if told == nil || told.Rev != out.Rev || j.h.after(at) < len(j.h.revs) {
				news = append(news, record{Kind: kindTold, Rev: out.Rev, News: true})
			}
			if lastAt < 0 || last.Rev != out.Rev || last.Error != "" {
				out.Problems = p.errors(s.by.Settings)
			}
			out.Reminded = out.Idle > 0 && p.Due(out.Idle, s.by.Settings)
			r.Reminded = out.Reminded
			if key := s.doing(p, j); key != "" {
				r.Doing, r.Rounds = key, 1
				if last.Doing == key {
					r.Rounds = last.Rounds + 1
				}
			}
		}
		out.Text = out.render(p, missing, bad != nil, s.by.Settings, o.Reminder, j.firstShown(s, p))
		j.write(s.records(append(news, r)...)...)
		return nil
	})
	out.Notice = notice
	return out, waiting, err
}

// firstShown has the items that come first where the plan is cut.
func (j *journal) firstShown(s *Session, p *Plan) RenderOptions {
	return RenderOptions{Cut: AgentCut, First: j.state(s.by.Author, false).own}
}

// errors returns the problems of the file that are errors.
func (p *Plan) errors(over Settings) []Problem {
	var errs []Problem
	for _, x := range p.Check(over) {
		if x.Severity == SeverityError {
			errs = append(errs, x)
		}
	}
	return errs
}

// claim gives the revisions since a record that nobody explained to the agent,
// unless something else updated the plan since.
func (s *Session) claim(j *journal, since int) {
	var revs []string
	for k := j.h.after(since); k < len(j.h.revs); k++ {
		r := &j.h.records[j.h.revs[k]]
		switch {
		case r.Via == viaFound, r.By == ToolName:
			continue
		case r.Via != viaFile:
			return
		}
		if j.h.by(k).IsHuman() {
			revs = append(revs, r.Rev)
		}
	}
	if len(revs) > 0 {
		j.write(s.records(record{Kind: kindClaim, Revs: revs})...)
	}
}

// updatedSince reports whether the author has updated the plan successfully
// since a record: by a list, a command, or a change of the file that is theirs.
func (s *Session) updatedSince(j *journal, since int, used bool) bool {
	for k := j.h.after(since); k < len(j.h.revs); k++ {
		if j.h.by(k) == s.by.Author {
			return true
		}
	}
	refused := false
	for i := since + 1; i < len(j.h.records); i++ {
		r := &j.h.records[i]
		if r.author() != s.by.Author {
			continue
		}
		switch r.Kind {
		case kindList:
			return true
		case kindRefused:
			refused = true
		}
	}
	return used && !refused
}

// doing returns the item that the author has in progress.
func (s *Session) doing(p *Plan, j *journal) string {
	by := s.by
	by.Held = j.held()
	for _, n := range p.nodes {
		if n.status == InProgress && p.holds(by, n) {
			return pairKey(n.content)
		}
	}
	return ""
}

// render writes what an agent should see.
func (r *Round) render(p *Plan, missing, bad bool, over Settings, o ReminderOptions, cut RenderOptions) string {
	o.Cut = cut
	full := r.Reminded && !o.Brief && r.Idle <= max(valueOr(over.Or(p.settings).RemindAfter, DefaultRemindAfter), 1)
	reminder := ""
	if r.Reminded {
		reminder = p.Reminder(r.Idle, over, o)
	}
	if len(r.News) == 0 && len(r.Problems) == 0 {
		return reminder
	}
	var b strings.Builder
	b.WriteString("<plan>")
	if bad {
		b.WriteString("The plan file can't be read as a plan now; it is as somebody saved it.\n")
	}
	if len(r.News) > 0 {
		b.WriteString("The plan changed since you last saw it.\n" + RenderNews(r.News))
	}
	for i, x := range r.Problems {
		if i == maxNames {
			fmt.Fprintf(&b, "… and %d more errors; see todomd check\n", len(r.Problems)-i)
			break
		}
		fmt.Fprintf(&b, "error on line %d: %s\n", x.Line, Escape(x.Message))
	}
	switch {
	case bad:
	case missing:
		b.WriteString("The plan file is gone; todomd restore brings it back.\n")
	case !full:
		b.WriteString("\n" + p.titled(cut) + "\n")
	}
	return limit(strings.TrimRight(b.String(), "\n")+"</plan>\n", "</plan>\n", MaxAgentText-utf8.RuneCountInString(reminder)) + reminder
}

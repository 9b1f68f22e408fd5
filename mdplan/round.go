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
	Reminder ReminderOptions
}

// Round is what an agent should see at the end of a round.
type Round struct {
	Idle     int    // rounds since the agent's last successful update
	Reminded bool   // a reminder is part of the text
	News     []News // what others did since the agent was last told
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
// once for each revision, and the reminder.
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
				out.Problems = []Problem{{max(bad.Line, 1), max(bad.Column, 1), SeverityError, bad.Code, bad.Msg}}
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
	by.Held = j.h.carried(len(j.h.revs) - 1).Held
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

// Recover returns the plan for an agent whose context was cut, and notes the
// cut: the agent's next list is a first list, which removes nothing.
func (s *Session) Recover(ctx context.Context) (text, notice string, err error) {
	notice, err = s.locked(ctx, func(j *journal, p *Plan, bad *ParseError) error {
		if bad != nil {
			return fmt.Errorf("%s: %w", s.store.path, bad)
		}
		rev := ""
		switch {
		case p != nil && p.Len() > 0:
			text = s.recovered(j, p)
		case p == nil && len(j.h.revs) > 0:
			text = "No todos. The plan file is gone; todomd restore brings it back.\n"
		default:
			text = NoTodos + "\n"
		}
		if p != nil {
			rev = p.rev
		} else if len(j.h.revs) == 0 {
			return nil // there never was a plan
		}
		j.write(s.records(record{Kind: kindCut}, record{Kind: kindTold, Rev: rev, News: true})...)
		return nil
	})
	return text, notice, err
}

// recoverHead begins what recover prints: restored items must not read as
// fresh orders.
const recoverHead = "State of the plan, no new order:"

func (s *Session) recovered(j *journal, p *Plan) string {
	var b strings.Builder
	b.WriteString(recoverHead + "\n\n")
	if title := p.Title(); title != "" && !onlyPlan(title) {
		b.WriteString("# " + escapeLine(title) + "\n")
	}
	counts := p.Counts()
	if counts.Pending+counts.InProgress+counts.Blocked == 0 {
		b.WriteString("Everything is closed: nothing is left to resume.\n\n" + p.CountLine() + "\n")
		return b.String()
	}
	last, _ := j.h.last(kindRound, s.by.Author, nil)
	section := -2
	sections := p.sections()
	for _, n := range p.nodes {
		if !n.status.Open() && !p.holdsOpen(n) {
			continue
		}
		if sections > 1 && n.heading != section {
			if section = n.heading; section >= 0 {
				h := p.doc.headings[section]
				fmt.Fprintf(&b, "%s %s\n", strings.Repeat("#", h.level), escapeLine(h.text))
			}
		}
		line := p.itemLine(n, false)
		if n.status == InProgress && last != nil && last.Doing == pairKey(n.content) {
			line += fmt.Sprintf(" — in progress for %s", plural(last.Rounds, "round"))
		}
		b.WriteString(line + "\n")
		if notes := p.notes(n); n.status == InProgress && notes != "" {
			indent := strings.Repeat("  ", len(n.ancestors())) + "    "
			for l := range strings.Lines(shorten(Escape(notes), maxNotes)) {
				b.WriteString(indent + strings.TrimRight(l, "\n") + "\n")
			}
		}
	}
	b.WriteByte('\n')
	if ready := p.readyNodes(); len(ready) > 0 {
		var names []string
		for i, n := range ready {
			if i == 3 {
				names = append(names, fmt.Sprintf("and %d more", len(ready)-i))
				break
			}
			names = append(names, shown(n.content))
		}
		b.WriteString("Ready next: " + strings.Join(names, ", ") + "\n")
	}
	for k := len(j.h.revs) - 1; k >= 0; k-- {
		r := j.h.rev(k)
		if len(r.Changes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "Last change, by %s: %s\n", escapeLine(j.h.by(k).Name), strings.Join(Lines(r.Changes, 3), "; "))
		break
	}
	if _, at := j.h.last(kindRefused, s.by.Author, nil); at >= 0 && !s.updatedSince(j, at, false) {
		r := j.h.full(at)
		b.WriteString("The last call was refused: " + Escape(r.Error) + "\n")
	}
	b.WriteString("\n" + p.CountLine() + "\n")
	return b.String()
}

// maxNotes is how many characters of an item's notes recover shows: a stack
// trace fits, a whole log does not.
const maxNotes = 2000

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// holdsOpen reports whether an item holds an open one.
func (p *Plan) holdsOpen(n *node) bool {
	for _, sub := range n.subs {
		if sub.status.Open() || p.holdsOpen(sub) {
			return true
		}
	}
	return false
}

// readyNodes returns the items that can be started, by priority and order.
func (p *Plan) readyNodes() []*node {
	deps := p.depend()
	var ready []*node
	for _, n := range p.nodes {
		if deps.ready(n) {
			ready = append(ready, n)
		}
	}
	sortByPriority(ready)
	return ready
}

// completeFound completes the open items whose doneWhen path exists, as the
// tool's own change.
func (s *Session) completeFound(ctx context.Context) (done []Item) {
	at, err := resolve(s.store.path)
	if err != nil {
		return nil
	}
	tool := &Session{store: s.store, by: Caller{Author: Author{Name: ToolName}}, now: s.now}
	_, _, err = tool.update(ctx, "doneWhen", func(_ *journal, p *Plan, _ bool) (*Plan, []record, error) {
		done = nil
		c := p.begin("complete", "")
		for _, n := range p.found(at.dir) {
			if err := c.setStatus(n, Completed); err != nil {
				return nil, nil, err
			}
			done = append(done, p.itemOf(n))
		}
		q, _, err := c.commit()
		return q, nil, err
	})
	if err != nil {
		return nil // the folder may be read-only, or an editor at it
	}
	return done
}

// Next is [Plan.Next] for this author, after the items whose doneWhen path
// exists were completed. It returns those too, as they were.
func (s *Session) Next(ctx context.Context) (out Shown, next, done []Item, err error) {
	out, err = s.Show(ctx, false)
	if err != nil {
		return out, nil, nil, err
	}
	by := s.by
	if at, e := resolve(s.store.path); e == nil {
		if len(out.Plan.found(at.dir)) > 0 {
			if done = s.completeFound(ctx); len(done) > 0 {
				if out, err = s.Show(ctx, false); err != nil {
					return out, nil, nil, err
				}
			}
		}
		h := openJournal(at, s.now()).h
		by.Held = h.carried(len(h.revs) - 1).Held // what others started is not this author's
	}
	return out, out.Plan.Next(by), done, nil
}

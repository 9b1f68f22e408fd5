package watch

import (
	"bytes"
	"errors"
	"time"

	"github.com/todomd/todomd/mdplan"
)

// begin takes the first state, which is no edit.
func (l *loop) begin(snap snapshot) {
	l.known = true
	e := l.event(snap.src, snap.rev())
	if l.o.Initial {
		l.queue = l.queue.push(entry{Event: e, from: e.Plan, fromRev: e.Rev, keep: true})
	}
	l.src, l.rev, l.plan = snap.src, e.Rev, e.Plan
}

// report queues what led from the last state to this one.
func (l *loop) report(snap snapshot) {
	to := snap.rev()
	for _, r := range l.history(snap.src, to) {
		l.step(r)
	}
	if !bytes.Equal(snap.src, l.src) {
		l.step(mdplan.Revision{Rev: to, By: mdplan.Human, Via: ViaFile, Source: snap.src})
	}
	l.src, l.rev = snap.src, to
}

// history returns what the caller knows of the way to this state.
func (l *loop) history(src []byte, to string) []mdplan.Revision {
	if l.o.History == nil {
		return nil
	}
	var steps []mdplan.Revision
	end := 0 // behind the last step that is to
	for _, r := range l.o.History(l.rev, to) {
		if r.Rev == to {
			r.Source = src
		} else if r.Source == nil {
			continue
		}
		if steps = append(steps, r); r.Rev == to {
			end = len(steps)
		}
	}
	if end > 0 {
		return steps[:end]
	}
	return steps
}

// step queues one edit.
func (l *loop) step(r mdplan.Revision) {
	if bytes.Equal(r.Source, l.src) {
		return
	}
	e := l.event(r.Source, r.Rev)
	e.By, e.Via = r.By.Name, r.Via
	if !r.Time.IsZero() {
		e.Time = r.Time
	}
	e.Changes = changes(l.plan, e.Plan)
	l.queue = l.queue.push(entry{Event: e, from: l.plan, fromRev: l.rev})
	l.src, l.rev, l.plan = r.Source, r.Rev, e.Plan
}

// changes is never empty: two states between which the items are the same, or
// of which one can't be read as a plan, differ in their text.
func changes(old, new *mdplan.Plan) []mdplan.Delta {
	if deltas := mdplan.Diff(old, new); len(deltas) > 0 {
		return deltas
	}
	return []mdplan.Delta{{Op: mdplan.OpText}}
}

// event reads a state as a plan.
func (l *loop) event(src []byte, rev string) Event {
	e := Event{Time: time.Now(), File: l.file, Rev: rev, Changes: []mdplan.Delta{}, Plan: l.plan}
	if p, err := mdplan.Parse(src); err == nil {
		e.Plan = p
		if l.o.Holders != nil {
			p = p.WithHolders(l.o.Holders())
		}
		e.Problems = p.Check(l.o.Settings)
	} else {
		e.Problems = []mdplan.Problem{problem(err)}
	}
	e.Counts = e.Plan.Counts()
	if e.Problems == nil {
		e.Problems = []mdplan.Problem{}
	}
	return e
}

// warn queues an event that is no edit.
func (l *loop) warn(code, msg string) {
	e := Event{Time: time.Now(), File: l.file, Rev: l.rev, Changes: []mdplan.Delta{}, Counts: l.plan.Counts(), Plan: l.plan}
	severity := mdplan.SeverityError
	if code == codeEvents {
		severity = mdplan.SeverityWarning
	}
	e.Problems = []mdplan.Problem{{Line: 1, Column: 1, Severity: severity, Code: code, Message: msg}}
	l.queue = l.queue.push(entry{Event: e, from: l.plan, fromRev: l.rev, keep: true})
}

func problem(err error) mdplan.Problem {
	if parse := (*mdplan.ParseError)(nil); errors.As(err, &parse) {
		return mdplan.ProblemOf(parse)
	}
	return mdplan.Problem{Line: 1, Column: 1, Severity: mdplan.SeverityError, Code: "unreadable", Message: err.Error()}
}

func (s snapshot) rev() string {
	if s.stamp == (stamp{}) {
		return ""
	}
	return mdplan.RevOf(s.src)
}

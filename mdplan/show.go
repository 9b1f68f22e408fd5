package mdplan

import (
	"context"
	"fmt"
)

// Shown is what [Session.Show] returns.
type Shown struct {
	Plan   *Plan  // never nil without an error
	Exists bool   // there is a plan file
	News   []News // what others did
	Notice string // why the log can't be kept
}

// Show returns the plan, with the labels that the log has. The log notes that
// the author has seen it, so that numbers can be held against it. Where there
// is no plan file the plan is empty, and the error nil.
//
// With news, what others did since this author last asked for news stands in
// Shown.News, once.
//
// Errors: [ErrLocked], and those of [Store.Read] but ErrNoPlan.
func (s *Session) Show(ctx context.Context, news bool) (Shown, error) {
	if out, ok := s.seen(ctx, news); ok {
		return out, nil
	}
	var out Shown
	inWay := false
	notice, err := s.locked(ctx, func(j *journal, p *Plan, bad *ParseError) error {
		if bad != nil {
			return fmt.Errorf("%s: %w", s.store.path, bad)
		}
		inWay = isInWay(j.fail)
		if p == nil {
			out.Plan = emptyPlan()
		} else {
			out.Plan, out.Exists = p, true
		}
		if news {
			out.News = j.news(s.by.Author)
		}
		told, at := j.h.last(kindTold, s.by.Author, showed(news))
		if out.Exists && (told == nil || told.Rev != out.Plan.rev || j.h.after(at) < len(j.h.revs)) {
			r := toldOf(out.Plan)
			r.News = news || !j.toldOnce(s.by.Author)
			j.write(s.records(r)...)
		}
		return nil
	})
	// Who may not write the log misses nothing by it but the news. What is in its
	// way has to be moved, and nobody else may say so.
	if news || inWay {
		out.Notice = notice
	}
	return out, err
}

// seen is Show where the log has nothing to learn: the plan is as the author
// saw it last. It takes no lock.
func (s *Session) seen(ctx context.Context, news bool) (out Shown, ok bool) {
	at, err := resolve(s.store.path)
	if err != nil {
		return out, false
	}
	v, err := readSettled(ctx, at.file, 0)
	if err != nil || !v.exists() {
		return out, false
	}
	j := openJournal(at, s.now())
	head := j.h.head()
	told, toldAt := j.h.last(kindTold, s.by.Author, showed(news))
	if j.fail != nil || j.h.open >= 0 || head == nil || told == nil || told.Rev != head.Rev || head.Rev != RevOf(v.src) ||
		j.h.after(toldAt) < len(j.h.revs) {
		return out, false
	}
	p, err := s.store.parse(v)
	if err != nil {
		return out, false
	}
	return Shown{Plan: p.WithActiveForms(j.labels()).WithHolders(j.held()), Exists: true}, true
}

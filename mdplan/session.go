package mdplan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// Session is a plan as one author in one session sees and changes it. Unlike a
// bare [Store] it keeps the round log: who changed what, what each author was
// told, and how many rounds an agent has let the plan be. It may be used by
// several goroutines at once.
//
// Where the log can't be written the plan works all the same; a notice says
// what is missing then. The context of a method bounds its wait for the lock,
// see [LockTimeout].
type Session struct {
	store *Store
	by    Caller
	now   func() time.Time
}

// Session returns the plan as an author sees it. It does no input or output.
func (s *Store) Session(by Caller) *Session {
	return &Session{store: s, by: by, now: time.Now}
}

// MovedError says that a number means another item than in the plan that the
// author was shown last.
type MovedError struct {
	Ref  string
	Was  Item  // what the number meant; without a Number if nobody knows any more
	Plan *Plan // the plan as it is now
}

func (e *MovedError) Error() string {
	if e.Was.Number == "" {
		return fmt.Sprintf("item %s may be another one by now: the plan changed too often since you saw it; look at it and say the number or the text again", e.Ref)
	}
	return fmt.Sprintf("item %s is no longer %s: the plan changed since you saw it; look at it and say the number or the text again",
		e.Ref, shown(e.Was.Content))
}

func (e *MovedError) Unwrap() error { return ErrRef }

// locked calls f with the log and the plan under the plan's lock. The plan is
// nil if there is no file; then, if there is no log either, nothing is created.
// It is also nil, and bad not, if the file can't be read as a plan.
func (s *Session) locked(ctx context.Context, f func(j *journal, p *Plan, bad *ParseError) error) (notice string, err error) {
	at, err := resolve(s.store.path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", f(&journal{h: newHistory(), fail: err}, nil, nil)
	}
	if err != nil {
		return "", err
	}
	if !exists(at.file) && !exists(at.log) {
		return "", f(&journal{at: at, h: newHistory(), fail: fs.ErrNotExist}, nil, nil)
	}
	unlock, lockErr := s.store.lock(ctx, at)
	if lockErr != nil && !isReadOnly(lockErr) {
		return "", lockErr
	}
	if lockErr == nil {
		defer unlock()
	}
	j := openJournal(at, s.now())
	if lockErr != nil {
		j.fail = errors.Unwrap(lockErr)
	}
	missing := quietTime
	if head := j.h.head(); head != nil && head.Rev == "" {
		missing = 0 // it is known to be gone
	}
	v, err := readSettled(ctx, at.file, missing)
	var bad *ParseError
	switch {
	case errors.As(err, &bad): // too large to be looked at
	case err != nil:
		return "", err
	case !v.exists():
		j.sync(nil)
		err = f(j, nil, nil)
		j.compact()
		return j.notice(), err
	default:
		j.sync(v.src)
	}
	var p *Plan
	if bad == nil {
		if p, err = s.store.parse(v); err != nil && !errors.As(err, &bad) {
			return j.notice(), err
		}
	}
	if bad != nil {
		err = f(j, nil, bad)
	} else {
		err = f(j, p.WithActiveForms(j.labels()), nil)
	}
	j.compact()
	return j.notice(), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// state is what the log knows of an author and session.
type state struct {
	base    *Base           // of the last list, nil if there is none or the context was cut since
	own     map[string]bool // own items, by content
	earlier map[string]bool // those of earlier sessions too
	named   map[string]bool // items that lists left out, and that an answer named
}

// state reads the newest list record of each session of the author: each has
// all that is still needed of those before.
func (j *journal) state(who Author, mirrored bool) state {
	st := state{own: map[string]bool{}, earlier: map[string]bool{}, named: map[string]bool{}}
	_, cut := j.h.last(kindCut, who, nil)
	seen := map[string]bool{}
	based := false
	for i := len(j.h.records) - 1; i >= 0; i-- {
		r := &j.h.records[i]
		if r.Kind != kindList || r.By != who.Name || seen[r.Session] && (r.Session != who.Session || based) {
			continue
		}
		if !seen[r.Session] {
			for _, key := range j.h.full(i).Own {
				st.earlier[key] = true
				if r.Session == who.Session {
					st.own[key] = true
				}
			}
			if r.Session == who.Session && i > cut {
				for _, key := range r.Named {
					st.named[key] = true
				}
			}
			seen[r.Session] = true
		}
		if r.Session == who.Session && r.Mirrored == mirrored && !based {
			based = true
			if i > cut {
				st.base = j.h.full(i).Base
			}
		}
	}
	return st
}

// labels returns the active forms that the lists gave, the newest of each item.
func (j *journal) labels() map[string]string {
	for i := len(j.h.records) - 1; i >= 0; i-- {
		if j.h.records[i].Kind == kindList {
			return j.h.full(i).Labels
		}
	}
	return nil
}

// labelled returns the labels once a list has given others, of the items that
// the plan still has.
func (j *journal) labelled(p *Plan, more map[string]string) map[string]string {
	labels := map[string]string{}
	has := p.keys()
	for _, from := range []map[string]string{j.labels(), more} {
		for content, label := range from {
			if key := pairKey(content); label == "" {
				delete(labels, key)
			} else if has[key] {
				labels[key] = label
			}
		}
	}
	return labels
}

// caller returns the session's author with what the log knows of others.
func (s *Session) caller(j *journal, st state) Caller {
	by := s.by
	by.Held = j.h.carried(len(j.h.revs) - 1).Held
	by.Own = st.own
	return by
}

// logged is the recorder of one write: it puts the revision into the log
// before the file, and what belongs to it behind.
type logged struct {
	s     *Session
	j     *journal
	via   string
	after []record // for the log once the revision is in place
}

// planned writes all that belongs to the revision at once, ahead of the file:
// a writer that is killed later leaves the revision with its list, or neither.
func (l *logged) planned(_ place, _, after *Plan) error {
	all := []record{l.j.revision(after.src, record{By: l.s.by.Name, Session: l.s.by.Session, Via: l.via})}
	for _, r := range l.after {
		r.With = after.rev
		all = append(all, r)
	}
	l.j.write(all...)
	return nil
}

func (l *logged) done(_ place, after *Plan) error {
	l.j.write(record{Kind: kindDone, Rev: after.rev})
	l.j.h.cache[len(l.j.h.revs)-1] = after.src
	l.j.compact()
	return nil
}

func (l *logged) dropped(place) { l.j.write(record{Kind: kindDone}) }

// keep saves the bytes of a writer that was killed as a revision.
func (l *logged) keep(at place) error {
	src, err := os.ReadFile(at.temp)
	if err != nil {
		return err
	}
	j, rev := l.j, RevOf(src)
	if _, err := j.restored(rev); err != nil {
		j.write(record{Kind: kindPlan, Via: viaKept, Rev: rev, Full: src, Empty: len(src) == 0})
	}
	if j.fail != nil {
		return noLog{}.keep(at) // the log could not take them
	}
	return os.Remove(at.temp)
}

// update changes the plan through the store, with the log around it. edit may
// be called several times.
func (s *Session) update(ctx context.Context, via string, edit func(j *journal, p *Plan, missing bool) (*Plan, []record, error)) (*Plan, string, error) {
	store := *s.store
	l := &logged{s: s, via: via}
	store.log = l
	p, err := store.Update(ctx, func(p *Plan) (*Plan, error) {
		at, err := resolve(store.path)
		if err != nil {
			return nil, err
		}
		l.j = openJournal(at, s.now())
		missing := len(p.src) == 0 && !exists(at.file)
		if missing {
			if exists(at.log) {
				l.j.sync(nil)
			}
		} else {
			l.j.parsed(p)
			l.j.sync(p.src)
		}
		q, records, err := edit(l.j, p.WithActiveForms(l.j.labels()), missing)
		switch {
		case errors.Is(err, ErrRule):
			if !missing || exists(at.log) {
				l.j.refuse(s.by.Author, err)
			}
			return nil, err
		case err != nil:
			return nil, err
		}
		if q.labels == nil {
			q = q.WithActiveForms(l.j.labels())
		}
		if !l.j.toldOnce(s.by.Author) {
			records = append(records, record{Kind: kindTold, Via: viaStart, Rev: q.rev, News: true})
		}
		records = s.records(records...)
		l.after = records
		if string(q.src) == string(p.src) && (!missing || exists(at.log)) {
			l.j.write(records...)
			l.j.compact()
		}
		return q, nil
	})
	notice := ""
	if l.j != nil {
		notice = l.j.notice()
	}
	return p, notice, err
}

// Update takes a complete list, see [Plan.Update]: the base, the author's own
// items and what others have in progress come from the round log. Of the
// options only Replace and Mirrored are the caller's. notice is not empty if
// the log can't be kept.
//
// Errors are those of [Plan.Update] and of [Store.Update].
func (s *Session) Update(ctx context.Context, l List, o UpdateOptions) (u Update, notice string, err error) {
	_, notice, err = s.update(ctx, "update", func(j *journal, p *Plan, missing bool) (*Plan, []record, error) {
		st := j.state(s.by.Author, o.Mirrored)
		o.Base, o.Own, o.Retire = st.base, st.earlier, false
		if missing {
			o.Base = nil
		}
		if len(j.h.revs) > 0 {
			o.Retire = !j.h.carried(len(j.h.revs) - 1).Touched
		}
		var err error
		u, err = p.Update(s.caller(j, st), l, o)
		if err != nil {
			return nil, nil, err
		}
		for _, b := range u.Base.Items {
			if b.Own && !b.Gone {
				st.own[pairKey(b.File.Content)] = true
			}
		}
		for i := range u.Outcomes {
			if oc := &u.Outcomes[i]; oc.Kind == OutcomeKept {
				key := pairKey(oc.Content)
				if st.named[key] {
					oc.Detail = KeptBefore
				}
				st.named[key] = true
			}
		}
		st.base = &u.Base
		r := s.listRecord(j, u.Plan, st, u.Labels)
		r.Mirrored = o.Mirrored
		u.Plan = u.Plan.WithActiveForms(r.Labels)
		return u.Plan, []record{r, toldOf(u.Plan)}, nil
	})
	return u, notice, err
}

// listRecord is the record of what an author has brought to a plan.
func (s *Session) listRecord(j *journal, p *Plan, st state, labels map[string]string) record {
	r := record{Kind: kindList, Rev: p.rev, Base: st.base, Labels: j.labelled(p, labels)}
	has := p.keys()
	for _, of := range []struct {
		keys map[string]bool
		to   *[]string
	}{{st.own, &r.Own}, {st.named, &r.Named}} {
		for _, key := range slices.Sorted(maps.Keys(of.keys)) {
			if has[key] {
				*of.to = append(*of.to, key)
			}
		}
	}
	return r
}

func (s *Session) records(records ...record) []record {
	for i := range records {
		records[i].By, records[i].Session = s.by.Name, s.by.Session
	}
	return records
}

// showed tells the records of a plan that was shown, with news only those of
// one that came with the news.
func showed(news bool) func(*record) bool {
	return func(r *record) bool { return r.Via != viaStart && (r.News || !news) }
}

// toldOf is the record of a plan that its author has seen.
func toldOf(p *Plan) record { return record{Kind: kindTold, Rev: p.rev} }

// toldOnce reports whether an author's news has begun: with their first command
// or round, since nobody wants to be told what was before.
func (j *journal) toldOnce(who Author) bool {
	told, _ := j.h.last(kindTold, who, func(r *record) bool { return r.News })
	return told != nil
}

// keys has the texts of all items.
func (p *Plan) keys() map[string]bool {
	keys := make(map[string]bool, len(p.nodes))
	for _, n := range p.nodes {
		keys[pairKey(n.content)] = true
	}
	return keys
}

// Do changes the plan by an operation on items, such as [Plan.SetStatus], and
// returns the plan afterwards. via names the operation in the log. refs are the
// references in it: one that is a number is refused with a [*MovedError] if it
// means another item now than in the plan that this author was shown last. op
// may be called several times.
//
// Errors: a [*MovedError], op's, and those of [Store.Update].
func (s *Session) Do(ctx context.Context, via string, refs []string, op func(*Plan, Caller) (*Plan, error)) (p *Plan, notice string, err error) {
	return s.update(ctx, via, func(j *journal, p *Plan, _ bool) (*Plan, []record, error) {
		if err := s.numbersHold(j, p, refs); err != nil {
			return nil, nil, err
		}
		st := j.state(s.by.Author, false)
		q, err := op(p, s.caller(j, st))
		if err != nil {
			return nil, nil, err
		}
		j.parsed(p, q)
		j.diffs = reworded(j.diff(p, q), p, q)
		noted := q.rev == p.rev // a call that finds all as it wants it is an update too
		for _, d := range j.diff(p, q) {
			switch {
			case d.Op == OpAdded:
			case d.Op == OpRenamed && st.own[pairKey(d.From)]:
				delete(st.own, pairKey(d.From))
			default:
				continue
			}
			st.own[pairKey(d.Content)], noted = true, true
		}
		if st.base != nil {
			var moved bool
			st.base, moved = st.base.after(p, q)
			noted = noted || moved
		}
		if !noted {
			return q, nil, nil
		}
		return q, []record{s.listRecord(j, q, st, nil)}, nil
	})
}

// reworded makes one change of the removal and the addition that a diff sees
// where a command gave an item a text unlike the one before.
func reworded(deltas []Delta, p, q *Plan) []Delta {
	var gone, new *Delta
	for i := range deltas {
		switch d := &deltas[i]; {
		case d.Op == OpRemoved && gone == nil:
			gone = d
		case d.Op == OpAdded && new == nil:
			new = d
		default:
			return deltas
		}
	}
	if gone == nil || new == nil || len(p.nodes) != len(q.nodes) || gone.Line != new.Line || gone.Status != new.Status {
		return deltas
	}
	d := *new
	d.Op, d.From, d.To, d.Status = OpRenamed, gone.Content, new.Content, ""
	return []Delta{d}
}

// numbersHold checks that numbers mean what they meant in the plan that the
// author was shown last.
func (s *Session) numbersHold(j *journal, p *Plan, refs []string) error {
	told, at := j.h.last(kindTold, s.by.Author, showed(false))
	if told == nil || told.Rev == p.rev || p.numberIDs() || !slices.ContainsFunc(refs, isNumber) {
		return nil
	}
	var seen *Plan
	if k := j.h.toldAt(at); k >= 0 {
		if j.h.onlyInPlace(k + 1) {
			return nil
		}
		seen, _ = j.h.plan(k)
	}
	if seen != nil && seen.numberIDs() {
		return nil
	}
	var to *pairs
	for _, ref := range refs {
		if !isNumber(ref) {
			continue
		}
		ref = strings.TrimSpace(ref)
		if seen == nil { // an older state, which the log no longer has
			return &MovedError{Ref: ref, Plan: p}
		}
		was, now := seen.numbered(ref), p.numbered(ref)
		if was == nil {
			continue
		}
		if to == nil {
			to = pairPlans(seen, p)
		}
		same := now != nil && (pairKey(was.content) == pairKey(now.content) || was.id != "" && was.id == now.id)
		// Of several items of one text, it has to be this one; where there are
		// more or fewer than there were, nobody can tell.
		if !same || to.to[was.index] >= 0 && to.to[was.index] != now.index || seen.alike(was) != p.alike(now) {
			return &MovedError{Ref: ref, Was: seen.itemOf(was), Plan: p}
		}
	}
	return nil
}

// alike counts the items that have the text and the id of one.
func (p *Plan) alike(n *node) int {
	count := 0
	for _, m := range p.nodes {
		if m.id == n.id && pairKey(m.content) == pairKey(n.content) {
			count++
		}
	}
	return count
}

func isNumber(ref string) bool { return bareNumber(strings.TrimSpace(ref)) }

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
	notice, err := s.locked(ctx, func(j *journal, p *Plan, bad *ParseError) error {
		if bad != nil {
			return fmt.Errorf("%s: %w", s.store.path, bad)
		}
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
	if news {
		out.Notice = notice // without the log, news is all that a reader misses
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
	return Shown{Plan: p.WithActiveForms(j.labels()), Exists: true}, true
}

// Shown is what [Session.Show] returns.
type Shown struct {
	Plan   *Plan  // never nil without an error
	Exists bool   // there is a plan file
	News   []News // what others did
	Notice string // why the log can't be kept
}

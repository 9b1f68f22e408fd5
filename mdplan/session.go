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
// what is missing then.
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
	Was  Item  // what the number meant
	Plan *Plan // the plan as it is now
}

func (e *MovedError) Error() string {
	return fmt.Sprintf("item %s is no longer %s: others changed the plan since you saw it; look at it and say the number or the text again",
		e.Ref, shown(e.Was.Content))
}

func (e *MovedError) Unwrap() error { return ErrRef }

// locked calls f with the log and the plan under the plan's lock. The plan is
// nil if there is no file; then, if there is no log either, nothing is created.
func (s *Session) locked(ctx context.Context, f func(j *journal, p *Plan) error) (notice string, err error) {
	at, err := resolve(s.store.path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", f(&journal{h: parseHistory(nil), fail: err}, nil)
	}
	if err != nil {
		return "", err
	}
	if !exists(at.file) && !exists(at.log) {
		return "", f(&journal{at: at, h: parseHistory(nil), fail: fs.ErrNotExist}, nil)
	}
	unlock, lockErr := s.store.lock(ctx, at)
	if lockErr != nil && !isReadOnly(lockErr) {
		return "", lockErr
	}
	if lockErr == nil {
		defer unlock()
	}
	v, err := readSettled(ctx, at.file, quietTime)
	if err != nil {
		return "", err
	}
	j := openJournal(at, s.now())
	if lockErr != nil {
		j.fail = lockErr
	}
	if !v.exists() {
		j.sync(nil)
		err = f(j, nil)
	} else {
		j.sync(v.src)
		var p *Plan
		if p, err = s.store.parse(v); err != nil {
			return j.notice(), err
		}
		err = f(j, p.WithActiveForms(j.labels()))
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
	list    *record // the last list, nil if there is none or the context was cut since
	own     map[string]bool
	earlier map[string]bool // own items, those of earlier sessions too
	named   bool
}

func (j *journal) state(who Author, mirrored bool) state {
	st := state{own: map[string]bool{}, earlier: map[string]bool{}}
	_, cut := j.h.last(kindCut, who, nil)
	for i := range j.h.records {
		r := &j.h.records[i]
		if r.Kind != kindList || r.By != who.Name {
			continue
		}
		for _, key := range r.Own {
			st.earlier[key] = true
		}
		if r.Session != who.Session {
			continue
		}
		st.named = st.named || r.Named
		st.own = map[string]bool{}
		for _, key := range r.Own {
			st.own[key] = true
		}
		if r.Mirrored == mirrored && r.Base != nil {
			st.list = r
			if i < cut {
				st.list = nil
			}
		}
	}
	return st
}

// labels returns the active forms that the lists gave, the newest of each item.
func (j *journal) labels() map[string]string {
	labels := map[string]string{}
	for i := range j.h.records {
		if r := &j.h.records[i]; r.Kind == kindList {
			maps.Copy(labels, r.Labels)
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

func (l *logged) planned(_ place, _, after *Plan) error {
	l.j.write(l.j.revision(after.src, record{By: l.s.by.Name, Session: l.s.by.Session, Via: l.via}))
	return nil
}

func (l *logged) done(_ place, after *Plan) error {
	l.j.write(append([]record{{Kind: kindDone, Rev: after.rev}}, l.after...)...)
	l.j.compact()
	return nil
}

// keep saves the bytes of a writer that was killed as a revision.
func (l *logged) keep(at place) error {
	src, err := os.ReadFile(at.temp)
	if err != nil {
		return err
	}
	j := l.j
	if j == nil {
		j = openJournal(at, l.s.now())
	}
	if j.h.revAt(RevOf(src)) < 0 {
		j.write(record{Kind: kindPlan, Via: viaKept, Rev: RevOf(src), Full: src, Empty: len(src) == 0})
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
		last := l.j
		l.j = openJournal(at, s.now())
		if last != nil && l.j.h.open >= 0 {
			l.j.write(record{Kind: kindDone}) // an editor's save overtook it
		}
		missing := len(p.src) == 0 && !exists(at.file)
		if missing {
			if exists(at.log) {
				l.j.sync(nil)
			}
		} else {
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
		o.Base, o.Own, o.Retire = nil, st.earlier, false
		if st.list != nil && !missing {
			o.Base = st.list.Base
		}
		if len(j.h.revs) > 0 {
			o.Retire = !j.h.carried(len(j.h.revs) - 1).Touched
		}
		var err error
		u, err = p.Update(s.caller(j, st), l, o)
		if err != nil {
			return nil, nil, err
		}
		r := record{Kind: kindList, Base: &u.Base, Labels: u.Labels, Mirrored: o.Mirrored, Rev: u.Plan.rev, Named: st.named}
		for _, key := range slices.Sorted(maps.Keys(st.own)) {
			if u.Plan.has(key) {
				r.Own = append(r.Own, key)
			}
		}
		for _, b := range u.Base.Items {
			if key := pairKey(b.File.Content); b.Own && !b.Gone && !st.own[key] {
				r.Own = append(r.Own, key)
			}
		}
		u.KeptBefore = st.named
		for _, oc := range u.Outcomes {
			r.Named = r.Named || oc.Kind == OutcomeKept
		}
		labels := j.labels()
		maps.Copy(labels, u.Labels)
		u.Plan = u.Plan.WithActiveForms(labels)
		return u.Plan, s.records(r, s.shown(u.Plan)), nil
	})
	return u, notice, err
}

func (s *Session) records(records ...record) []record {
	for i := range records {
		records[i].By, records[i].Session = s.by.Name, s.by.Session
	}
	return records
}

// shown is the record of a plan that the author has seen.
func (s *Session) shown(p *Plan) record { return record{Kind: kindTold, Rev: p.rev} }

// has reports whether an open or closed item has a text.
func (p *Plan) has(key string) bool {
	for _, n := range p.nodes {
		if pairKey(n.content) == key {
			return true
		}
	}
	return false
}

// Do changes the plan by an operation on items, such as [Plan.SetStatus], and
// returns the plan afterwards. via names the operation in the log. refs are the
// references in it: one that is a number is refused with a [*MovedError] if it
// means another item now than in the plan that this author was shown last. op
// may be called several times.
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
		var after []record
		for _, d := range Diff(p, q) {
			if d.Op == OpAdded {
				st.own[pairKey(d.Content)] = true
				after = []record{s.ownRecord(j, st)}
			}
		}
		return q, s.records(after...), nil
	})
}

// ownRecord is the author's last list with another set of own items.
func (s *Session) ownRecord(j *journal, st state) record {
	r := record{Kind: kindList, Named: st.named}
	if last, _ := j.h.last(kindList, s.by.Author, nil); last != nil {
		r.Mirrored, r.Base = last.Mirrored, last.Base
	}
	if st.list == nil {
		r.Base = nil
	}
	r.Own = slices.Sorted(maps.Keys(st.own))
	return r
}

// numbersHold checks that numbers mean what they meant in the plan that the
// author was shown last.
func (s *Session) numbersHold(j *journal, p *Plan, refs []string) error {
	told, _ := j.h.last(kindTold, s.by.Author, nil)
	if told == nil || told.Rev == p.rev {
		return nil
	}
	k := j.h.revAt(told.Rev)
	if k < 0 {
		return nil
	}
	seen, err := j.h.plan(k)
	if err != nil {
		return nil // an older state that the log no longer has
	}
	for _, ref := range refs {
		ref = strings.TrimSpace(ref)
		if !bareNumber(ref) || p.numberIDs() || seen.numberIDs() {
			continue
		}
		was, now := seen.numbered(ref), p.numbered(ref)
		if was == nil || now != nil && (pairKey(was.content) == pairKey(now.content) || was.id != "" && was.id == now.id) {
			continue
		}
		return &MovedError{Ref: ref, Was: seen.itemOf(was), Plan: p}
	}
	return nil
}

// Show returns the plan, with the labels that the log has. The log notes that
// the author has seen it, so that numbers can be held against it. Where there
// is no plan file the plan is empty, and the error nil.
//
// With news, what others did since this author last asked for news stands in
// Shown.News, once.
func (s *Session) Show(ctx context.Context, news bool) (Shown, error) {
	if out, ok := s.seen(ctx, news); ok {
		return out, nil
	}
	var out Shown
	notice, err := s.locked(ctx, func(j *journal, p *Plan) error {
		if p == nil {
			out.Plan = emptyPlan()
		} else {
			out.Plan, out.Exists = p, true
		}
		if news {
			out.News = j.news(s.by.Author)
		}
		told, _ := j.h.last(kindTold, s.by.Author, func(r *record) bool { return r.News == news })
		if out.Exists && (told == nil || told.Rev != out.Plan.rev) {
			r := s.shown(out.Plan)
			r.News = news
			j.write(s.records(r)...)
		}
		return nil
	})
	out.Notice = notice
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
	told, _ := j.h.last(kindTold, s.by.Author, func(r *record) bool { return r.News == news })
	if j.fail != nil || j.h.open >= 0 || head == nil || told == nil || told.Rev != head.Rev || head.Rev != RevOf(v.src) {
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
	Plan   *Plan
	Exists bool   // there is a plan file
	News   []News // what others did
	Notice string // why the log can't be kept
}

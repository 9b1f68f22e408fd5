package mdplan

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// Session is a plan as one author in one session sees and changes it. Unlike a
// bare [Store] it keeps the round log: who changed what, what each author was
// told, and how many rounds an agent has let the plan be. It may be used by
// several goroutines at once.
//
// Where the log can't be written the plan works all the same; the Notice of a
// result says what is missing then, also beside an error. The context of a
// method bounds its wait for the lock, see [LockTimeout].
type Session struct {
	store *Store
	by    Caller
	now   func() time.Time
}

// Session returns the plan as an author sees it. It does no input or output.
func (s *Store) Session(by Caller) *Session {
	return &Session{store: s, by: by, now: time.Now}
}

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
	if lockErr != nil && !isReadOnly(lockErr) && !isInWay(lockErr) {
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
		err = f(j, p.WithActiveForms(j.labels()).WithHolders(j.held()), nil)
	}
	j.compact()
	return j.notice(), err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
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
func (l *logged) planned(_ paths, _, after *Plan) error {
	all := []record{l.j.revision(after.src, record{By: l.s.by.Name, Session: l.s.by.Session, Via: l.via})}
	for _, r := range l.after {
		r.With = after.rev
		all = append(all, r)
	}
	l.j.write(all...)
	return nil
}

func (l *logged) done(_ paths, after *Plan) error {
	l.j.write(record{Kind: kindDone, Rev: after.rev})
	l.j.h.cache[len(l.j.h.revs)-1] = after.src
	l.j.compact()
	return nil
}

func (l *logged) dropped(paths) { l.j.write(record{Kind: kindDone}) }

// keep saves the bytes of a writer that was killed as a revision.
func (l *logged) keep(at paths) error {
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
func (s *Session) update(ctx context.Context, via string, edit func(j *journal, p *Plan, missing bool) (*Plan, []record, error)) (Written, error) {
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
		known := p.WithActiveForms(l.j.labels()).withMarks(l.j.h.carried(len(l.j.h.revs) - 1).Marks)
		q, records, err := edit(l.j, known, missing)
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
	out := Written{Plan: p}
	if l.j != nil {
		out.Notice = l.j.notice()
	}
	return out, err
}

// Update takes a complete list, see [Plan.Update]: the base, the author's own
// items and what others have in progress come from the round log. Of the
// options only Replace and Mirrored are the caller's.
//
// Errors are those of [Plan.Update] and of [Store.Update].
func (s *Session) Update(ctx context.Context, l List, o UpdateOptions) (Update, error) {
	var u Update
	out, err := s.update(ctx, "update", func(j *journal, p *Plan, missing bool) (*Plan, []record, error) {
		st := j.state(s.by.Author, o.Mirrored)
		o.Base, o.Own, o.Retire = st.base, st.earlier, false
		if missing {
			o.Base = nil
		}
		if len(j.h.revs) > 0 {
			o.Retire = !j.h.carried(len(j.h.revs) - 1).Touched
		}
		var err error
		u, err = p.Update(s.caller(j, p, st), l, o)
		if err != nil {
			return nil, nil, err
		}
		for _, b := range u.Base.Items {
			if b.Own && !b.Gone {
				st.own[pairKey(b.File.Content)] = true
			}
		}
		for i := range u.Outcomes {
			oc := &u.Outcomes[i]
			// With Replace, what is needed may be closed.
			if key := pairKey(oc.Content); oc.Kind == OutcomeKept || oc.Kind == OutcomeNeeded && !o.Replace {
				if st.named[key] {
					oc.Kind, oc.Detail = OutcomeKept, KeptBefore
				}
				st.named[key] = true
			}
		}
		sortOutcomes(u.Outcomes)
		st.base = &u.Base
		r := s.listRecord(j, u.Plan, st, u.Labels)
		r.Mirrored = o.Mirrored
		u.Plan = u.Plan.WithActiveForms(r.Labels)
		return u.Plan, []record{r, toldOf(u.Plan)}, nil
	})
	if err != nil {
		u = Update{}
	}
	u.Notice = out.Notice
	return u, err
}

// Written is what [Session.Do] and [Session.Restore] did.
type Written struct {
	Plan    *Plan   // the plan afterwards; nil with an error
	Changes []Delta // what that changed, item by item
	Notice  string  // why the log can't be kept
	// Aside is where Restore has put a file that was too large to be read.
	Aside string
}

// Do changes the plan by an operation on items, such as [Plan.SetStatus]. via
// names the operation in the log. refs are the references in it: one that is a
// number is refused with a [*MovedError] if it means another item now than in
// the plan that this author was shown last. op may be called several times.
//
// Errors: a [*MovedError], op's, and those of [Store.Update].
func (s *Session) Do(ctx context.Context, via string, refs []string, op func(*Plan, Caller) (*Plan, error)) (Written, error) {
	var changes []Delta
	out, err := s.update(ctx, via, func(j *journal, p *Plan, _ bool) (*Plan, []record, error) {
		if err := s.numbersHold(j, p, refs); err != nil {
			return nil, nil, err
		}
		st := j.state(s.by.Author, false)
		q, err := op(p, s.caller(j, p, st))
		if err != nil {
			return nil, nil, err
		}
		j.parsed(p, q)
		changes = reworded(j.diff(p, q), p, q)
		j.diffs = changes
		noted := q.rev == p.rev // a call that finds all as it wants it is an update too
		for _, d := range changes {
			switch {
			case d.Op == OpAdded:
			case d.Op == OpRenamed && st.own[pairKey(d.From)]:
				delete(st.own, pairKey(d.From))
			default:
				continue
			}
			st.own[pairKey(d.Content)], noted = true, true
		}
		var records []record
		if mirrored := j.state(s.by.Author, true).base; mirrored != nil {
			if after, moved := mirrored.after(p, q, true); moved {
				r := s.listRecord(j, q, state{base: after, own: st.own, named: st.named}, nil)
				r.Mirrored = true
				records = append(records, r)
			}
		}
		if st.base != nil {
			var moved bool
			st.base, moved = st.base.after(p, q, false)
			noted = noted || moved
		}
		if noted || len(records) > 0 {
			records = append(records, s.listRecord(j, q, st, nil))
		}
		return q, records, nil
	})
	if err == nil {
		out.Changes = changes
	}
	return out, err
}

// reworded makes one change of the removal and the addition that a diff sees
// where a command gave an item a text unlike the one before. The dependencies on
// it, and an id, may have changed with that.
func reworded(deltas []Delta, p, q *Plan) []Delta {
	var gone, new *Delta
	var rest []Delta
	for i := range deltas {
		switch d := &deltas[i]; {
		case d.Op == OpRemoved && gone == nil:
			gone = d
		case d.Op == OpAdded && new == nil:
			new = d
		case d.Op == OpFields:
			rest = append(rest, *d)
		default:
			return deltas
		}
	}
	if gone == nil || new == nil || len(p.nodes) != len(q.nodes) || gone.Line != new.Line {
		return deltas
	}
	d := *new
	d.Op, d.From, d.To, d.Status = OpRenamed, gone.Content, new.Content, ""
	renamed := []Delta{d}
	if gone.Status != new.Status {
		d.Op, d.From, d.To = OpStatus, string(gone.Status), string(new.Status)
		renamed = append(renamed, d)
	}
	return append(renamed, rest...)
}

package mdplan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Restore brings a revision back, as a new change of the plan. rev is a revision
// of the log or the beginning of one; "" means the one before the last change,
// so that a second call takes the first one back. The bytes are those of the
// revision.
//
// The error wraps [ErrRef] if the log has no such revision, or several; others
// are those of [Store.Update]. The file need not be one that can be read as a
// plan; one over [MaxSize], which the log can't take, is moved into the state
// folder, see [Written.Aside].
func (s *Session) Restore(ctx context.Context, rev string) (Written, error) {
	out, err := s.restore(ctx, rev)
	if !errors.Is(err, ErrTooLarge) {
		return out, err
	}
	aside, rev, err := s.setAside(ctx, rev)
	if err != nil {
		return Written{}, err
	}
	out, err = s.restore(ctx, rev)
	out.Aside = aside
	out.Changes = nil // nobody knows what the file said
	return out, err
}

func (s *Session) restore(ctx context.Context, rev string) (Written, error) {
	lenient := *s.store
	lenient.anything = true
	s = &Session{store: &lenient, by: s.by, now: s.now}
	var changes []Delta
	out, err := s.update(ctx, "restore", func(j *journal, p *Plan, missing bool) (*Plan, []record, error) {
		src, err := j.restored(rev)
		if err != nil {
			return nil, nil, err
		}
		q := parseAny(src)
		changes = Diff(p, q)
		return q, s.records(toldOf(q)), nil
	})
	if err == nil {
		out.Changes = changes
	}
	return out, err
}

// setAside moves the plan file into the state folder, to a name that is free,
// if there is a revision to put in its place, and returns which: the log has not
// seen the file, so the last change is its newest revision.
func (s *Session) setAside(ctx context.Context, rev string) (aside, found string, err error) {
	at, err := resolve(s.store.path)
	if err != nil {
		return "", "", err
	}
	unlock, err := s.store.lock(ctx, at)
	if err != nil {
		return "", "", err
	}
	defer unlock()
	j := openJournal(at, s.now())
	for k := len(j.h.revs) - 1; rev == "" && k >= 0; k-- {
		rev = j.h.rev(k).Rev
	}
	if _, err := j.restored(rev); err != nil {
		return "", "", err
	}
	aside = at.lost
	for i := 2; ; i++ {
		if err = renameNew(at.file, aside); !errors.Is(err, fs.ErrExist) {
			break
		}
		aside = fmt.Sprintf("%s-%d", at.lost, i)
	}
	if err != nil {
		return "", "", writeError(at, err)
	}
	j.write(j.revision(nil, record{By: s.by.Name, Session: s.by.Session, Via: "restore"}))
	return aside, rev, nil
}

// restored returns the bytes of a revision to bring back.
func (j *journal) restored(rev string) ([]byte, error) {
	h := j.h
	if rev == "" {
		if len(h.revs) < 2 {
			return nil, noneMeant("the round log has no change to take back")
		}
		src, err := h.bytesOf(len(h.revs) - 2)
		if err == nil && src == nil {
			return nil, noneMeant("before the last change there was no plan file; name a revision of todomd log")
		}
		return src, err
	}
	var matches []string
	for i := range h.records {
		if r := &h.records[i]; r.Kind == kindPlan && r.Rev != "" && strings.HasPrefix(r.Rev, rev) && !slices.Contains(matches, r.Rev) {
			matches = append(matches, r.Rev)
		}
	}
	var found []byte
	match := ""
	for _, m := range matches {
		src, err := j.bytesOf(m)
		if err != nil {
			continue
		}
		if match != "" {
			return nil, noneMeant("revision %q could be %s or %s; say more of it", rev, match, m)
		}
		match, found = m, src
	}
	if match == "" {
		return nil, noneMeant("the round log has no revision %q; see todomd log", rev)
	}
	return found, nil
}

// bytesOf returns the bytes of a revision, wherever the log has it.
func (j *journal) bytesOf(rev string) ([]byte, error) {
	for k := len(j.h.revs) - 1; k >= 0; k-- {
		if j.h.records[j.h.revs[k]].Rev != rev {
			continue
		}
		if src, err := j.h.bytesOf(k); err == nil {
			return src, nil
		}
	}
	for i := range j.h.records {
		if r := &j.h.records[i]; r.Kind == kindPlan && r.Rev == rev {
			if r = j.h.full(i); r.hasFull() && RevOf(r.Full) == rev {
				return append([]byte{}, r.Full...), nil
			}
		}
	}
	return nil, fs.ErrNotExist
}

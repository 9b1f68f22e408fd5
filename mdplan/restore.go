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
	at, aside, err := s.store.setAside(ctx)
	if err != nil {
		return Written{}, err
	}
	if out, err = s.restore(ctx, rev); err != nil {
		return out, errors.Join(err, renameNew(aside, at.file))
	}
	out.Aside = aside
	return out, nil
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

// setAside moves the plan file into the state folder, to a name that is free.
func (s *Store) setAside(ctx context.Context) (at paths, aside string, err error) {
	if at, err = resolve(s.path); err != nil {
		return at, "", err
	}
	unlock, err := s.lock(ctx, at)
	if err != nil {
		return at, "", err
	}
	defer unlock()
	aside = at.lost
	for i := 2; ; i++ {
		if err = renameNew(at.file, aside); !errors.Is(err, fs.ErrExist) {
			break
		}
		aside = fmt.Sprintf("%s-%d", at.lost, i)
	}
	if err != nil {
		return at, "", writeError(at, err)
	}
	return at, aside, nil
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

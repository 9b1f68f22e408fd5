package mdplan

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"sync"
	"time"
)

// Revision is a state of the plan file that the round log knows.
type Revision struct {
	Rev    string // "" if there was no file
	By     Author
	Via    string    // the command; "file" for a save, "found" for what stood there first
	Time   time.Time // when it was recorded
	Source []byte    // the file's bytes
}

// Revisions returns the revisions that the file is known to have had after
// from, up to to, oldest first, for watchers that found to in the file. It
// takes no lock: the log says of a write whose it is before the file has it.
// An error of the log gives none.
func (s *Store) Revisions(from, to string) []Revision {
	at, err := resolve(s.path)
	if err != nil {
		return nil
	}
	if s.seen.is(at) {
		return nil // nobody has written since Record: the edit is no command's
	}
	data, err := readLog(at)
	if err != nil || !bytes.Contains(data, []byte(`"rev":"`+to+`"`)) && to != "" {
		return nil // most edits are a human's, and a watcher waits for this
	}
	h := parseHistory(data)
	if h.open >= 0 && h.records[h.open].Rev == to {
		h.settle(true) // the file has it
	}
	last := h.revAt(to)
	first := last // what led from an unknown revision to this one, nobody knows
	for k := last - 1; k >= 0; k-- {
		if h.records[h.revs[k]].Rev == from {
			first = k + 1
			break
		}
	}
	if first < 0 {
		return nil
	}
	var all []Revision
	for k := first; k <= last; k++ {
		src, err := h.bytesOf(k)
		if err != nil {
			continue
		}
		r := h.rev(k)
		all = append(all, Revision{r.Rev, h.by(k), r.Via, r.Time, src})
	}
	return all
}

// Labels returns the active forms that agents gave, by the items' content, for
// [Plan.WithActiveForms]. It takes no lock; an error of the log gives none.
func (s *Store) Labels() map[string]string {
	at, err := resolve(s.path)
	if err != nil {
		return nil
	}
	return openJournal(at, time.Now()).labels()
}

// Holders returns who started the items in progress, by the items' content,
// for [Plan.WithHolders]. It takes no lock; an error of the log gives none.
func (s *Store) Holders() map[string]Author {
	at, err := resolve(s.path)
	if err != nil {
		return nil
	}
	return openJournal(at, time.Now()).held()
}

// Record brings the round log up to the file: a change that no command has made
// is noted as a human's, so that it can be told and taken back. Every command
// does this; a watcher that sees edits between commands may do it for them. It
// creates nothing where there is no plan.
//
// Errors are those of [Session.Show].
func (s *Store) Record(ctx context.Context) error {
	_, err := s.Session(Caller{}).locked(ctx, func(j *journal, _ *Plan, _ *ParseError) error {
		s.seen.set(j.at)
		return nil
	})
	return err
}

// seenLog is the round log as Record left it. A watcher asks for revisions at
// every edit, and reading the log takes longer than all else that it does.
type seenLog struct {
	mu   sync.Mutex
	path string
	info fs.FileInfo
}

func (s *seenLog) set(at paths) {
	info, err := os.Lstat(at.log)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.path, s.info = at.log, nil
	if err == nil {
		s.info = info
	}
}

func (s *seenLog) is(at paths) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.info == nil || s.path != at.log {
		return false
	}
	info, err := os.Lstat(at.log)
	return err == nil && os.SameFile(info, s.info) && info.Size() == s.info.Size() && info.ModTime().Equal(s.info.ModTime())
}

package mdplan

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
)

// Entry is one entry of the round log, as "todomd log --json" prints it.
type Entry struct {
	Time     time.Time `json:"time"`
	Kind     string    `json:"kind"` // plan, list, told, round, refused, cut or claim
	By       string    `json:"by,omitempty"`
	Session  string    `json:"session,omitempty"`
	Via      string    `json:"via,omitempty"`
	Rev      string    `json:"rev,omitempty"` // without one, a plan entry says that the file was gone
	Parent   string    `json:"parent,omitempty"`
	Changes  []Delta   `json:"changes,omitempty"`
	Idle     *int      `json:"idle,omitempty"`     // of a round
	Reminded *bool     `json:"reminded,omitempty"` // of a round
	Error    string    `json:"error,omitempty"`    // of a refusal
}

// Log is the round log, oldest first.
type Log struct {
	Entries []Entry
	Bad     int // lines that are damaged, and were skipped
}

// Log returns the round log, an empty one where there is none. It takes no lock
// and writes nothing. An error is the system's.
func (s *Store) Log() (Log, error) {
	at, err := resolve(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return Log{}, nil // without the folder there is no log in it
	}
	if err != nil {
		return Log{}, err
	}
	j := openJournal(at, time.Now())
	if j.fail != nil {
		return Log{}, j.fail
	}
	var out Log
	nth := map[int]int{} // which revision a record is
	for k, i := range j.h.revs {
		nth[i] = k
	}
	for i := range j.h.records {
		r := j.h.full(i)
		e := Entry{Time: r.Time, Kind: r.Kind, By: r.By, Session: r.Session, Via: r.Via, Rev: r.Rev,
			Parent: r.Parent, Changes: r.Changes, Error: r.Error}
		switch r.Kind {
		case kindDone, kindVoid:
			continue
		case kindPlan:
			k, ok := nth[i]
			if !ok && r.Via != viaKept {
				continue // never came about
			}
			if ok {
				by := j.h.by(k)
				e.By, e.Session = by.Name, by.Session
			}
		case kindRound:
			e.Idle, e.Reminded = &r.Idle, &r.Reminded
		}
		out.Entries = append(out.Entries, e)
	}
	out.Bad = j.h.bad
	return out, nil
}

// Of returns the entries that changed an item: ref is a part of its text, or
// its id. An item is followed through its renames.
//
// The error wraps [ErrRef] if no entry has such an item.
func (l Log) Of(ref string) ([]Entry, error) {
	id, key := strings.TrimPrefix(strings.TrimSpace(ref), "#"), strings.ToLower(pairKey(ref))
	names := map[string]bool{}
	for range 2 { // the second time its other names are known
		for _, e := range l.Entries {
			for _, d := range e.Changes {
				text := pairKey(d.Content)
				if names[text] || d.ID != "" && d.ID == id || key != "" && strings.Contains(strings.ToLower(text), key) {
					names[text] = true
					if d.Op == OpRenamed {
						names[pairKey(d.From)] = true
					}
				}
			}
		}
	}
	var entries []Entry
	for _, e := range l.Entries {
		all := e.Changes
		e.Changes = nil
		for _, d := range all {
			if d.Op != OpText && names[pairKey(d.Content)] {
				e.Changes = append(e.Changes, d)
			}
		}
		if len(e.Changes) > 0 {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return nil, noneMeant("no entry of the round log changed an item %q; see todomd log", ref)
	}
	return entries, nil
}

// String returns the entry as one line.
func (e Entry) String() string {
	who := escapeLine(e.By)
	if e.Session != "" {
		who += "/" + escapeLine(e.Session)
	}
	line := e.Time.Local().Format("2006-01-02 15:04:05") + "  "
	switch e.Kind {
	case kindPlan:
		what := strings.Join(Lines(e.Changes, 5), "; ")
		switch {
		case e.Rev == "":
			what = "the file was removed"
		case e.Via == viaFound:
			what = "the plan as it was found"
		case e.Via == viaKept:
			what = "kept from a write that was killed"
		case what == "":
			what = "no item changed"
		}
		rev := e.Rev
		if rev == "" {
			rev = strings.Repeat("-", 12)
		}
		if who == "" {
			who = "?"
		}
		return fmt.Sprintf("%s%s  %s (%s): %s", line, rev, who, e.Via, what)
	case kindRound:
		line += fmt.Sprintf("round         %s: idle %d", who, *e.Idle)
		if *e.Reminded {
			line += ", reminded"
		}
		return line
	case kindRefused:
		return line + fmt.Sprintf("refused       %s: %s", who, escapeLine(e.Error))
	case kindList:
		return line + "list          " + who
	case kindTold:
		return line + "told          " + who
	case kindCut:
		return line + "cut           " + who + ": the context was compacted"
	case kindClaim:
		return line + "claim         " + who
	}
	return line + escapeLine(e.Kind) + "  " + who
}

package mdplan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// The bounds of the round log. A round is a record of about 200 bytes, a
// change of a status one of about 500, a revision in full as long as the file.
const (
	// maxRecords is when the log is compacted. Each command reads all of it.
	maxRecords = 512
	// keptRevisions and keptRecords are what a compaction leaves: so many of
	// the newest revisions, and so many of the newest other records. With 12
	// items 192 revisions take some 100 KB.
	keptRevisions = 192
	keptRecords   = 128
	// maxLogSize bounds the log besides, in bytes, with room for three more
	// copies of the file. A compaction leaves half of it at most, but always
	// the newest revision and the one before.
	maxLogSize = 1 << 20
	// maxSessions is for how many of the newest sessions the newest record of
	// each kind is kept, whatever its age.
	maxSessions = 32
)

// journal is the round log of one plan during one call. Its caller holds the
// plan's lock, or reads only.
type journal struct {
	at   place
	h    *history
	size int64
	now  time.Time
	fail error // why the log can't be kept; the plan works without
}

func openJournal(at place, now time.Time) *journal {
	j := &journal{at: at, now: now.UTC().Truncate(time.Millisecond)}
	data, err := os.ReadFile(at.log)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		j.fail = err
	}
	j.h = parseHistory(data)
	j.size = int64(len(data))
	return j
}

// write appends records. A line that a killed writer left half is cut off
// first. An error is kept, and told once at the end: what can't be written
// into the log must not keep the plan from being changed.
func (j *journal) write(records ...record) {
	var lines []byte
	for i := range records {
		records[i].Time = j.now
		lines = append(lines, records[i].line()...)
		j.h.add(records[i])
	}
	if j.fail != nil || len(lines) == 0 {
		return
	}
	j.fail = j.append(lines)
}

func (j *journal) append(lines []byte) error {
	if err := os.Mkdir(j.at.state, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	f, err := os.OpenFile(j.at.log, os.O_WRONLY|os.O_CREATE|noFollow, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	if j.h.torn {
		if err := f.Truncate(j.h.whole); err != nil {
			return err
		}
		j.h.torn = false
		j.size = j.h.whole
	}
	if _, err := f.WriteAt(lines, j.size); err != nil {
		_ = f.Truncate(j.size) // a full disk must not leave half a line
		return err
	}
	j.size += int64(len(lines))
	return f.Close()
}

// sync brings the log up to the file: a change that no record explains is
// recorded as a human's. src is nil if there is no file.
func (j *journal) sync(src []byte) {
	h := j.h
	rev := ""
	if src != nil {
		rev = RevOf(src)
	}
	head := h.head()
	if h.open >= 0 {
		open := &h.records[h.open]
		switch {
		case rev == open.Rev:
			j.write(record{Kind: kindDone, Rev: rev})
			return
		case rev != open.Parent && !j.prepared(open.Rev):
			// It was in place, and somebody has saved the file since.
			j.write(record{Kind: kindDone, Rev: open.Rev})
			head = h.head()
		}
	}
	if head == nil {
		if src != nil {
			r := record{Kind: kindPlan, By: HumanName, Via: viaFound, Rev: rev}
			r.keep(nil, src)
			j.write(r)
		}
		return
	}
	if head.Rev == rev {
		return
	}
	j.write(j.revision(src, record{By: HumanName, Via: viaFile}))
}

// prepared reports whether a revision still waits in the temporary file of a
// writer that was killed: then it never came into place.
func (j *journal) prepared(rev string) bool {
	src, err := os.ReadFile(j.at.temp)
	return err == nil && RevOf(src) == rev
}

// revision fills in the record of a revision that follows the log's last one.
func (j *journal) revision(src []byte, r record) record {
	r.Kind = kindPlan
	before := []byte{} // where there was no file
	if head := j.h.head(); head != nil {
		r.Parent = head.Rev
		if src, err := j.h.bytesOf(len(j.h.revs) - 1); err != nil {
			before = nil // the log no longer has it
		} else if src != nil {
			before = src
		}
	}
	if src == nil {
		if old, err := Parse(before); err == nil {
			r.Changes = Diff(old, emptyPlan())
		}
		return r
	}
	r.Rev = RevOf(src)
	if len(before) == 0 {
		r.keep(nil, src) // a log begins with a revision in full
	} else {
		r.keep(before, src)
	}
	if old, err := Parse(before); err == nil && before != nil {
		if now, err := Parse(src); err == nil {
			r.Changes = Diff(old, now)
		} else {
			r.Changes = []Delta{{Op: OpText}}
		}
	}
	return r
}

func emptyPlan() *Plan {
	p, err := Parse(nil)
	if err != nil {
		panic(err) // no bytes break no rule
	}
	return p
}

// full reports whether the log has grown over its bounds.
func (j *journal) full() bool {
	return len(j.h.records) > maxRecords || j.size > j.bound()
}

func (j *journal) bound() int64 {
	last := 0
	if k := len(j.h.revs) - 1; k >= 0 {
		if src, err := j.h.bytesOf(k); err == nil {
			last = len(src)
		}
	}
	return maxLogSize + 4*int64(last)
}

// compact writes the log anew with the newest records only.
func (j *journal) compact() {
	if j.fail != nil || !j.full() {
		return
	}
	kept := j.compacted(keptRevisions)
	for n := keptRevisions; n > 2 && size(kept) > j.bound()/2; {
		n /= 2
		kept = j.compacted(n)
	}
	var data []byte
	h := &history{open: -1, whose: map[int]Author{}, cache: map[int][]byte{}}
	for i := range kept {
		data = append(data, kept[i].line()...)
		h.add(kept[i])
	}
	temp := j.at.log + ".tmp"
	if err := os.WriteFile(temp, data, 0o666); err != nil {
		_ = os.Remove(temp)
		j.fail = err
		return
	}
	if err := os.Rename(temp, j.at.log); err != nil {
		j.fail = err
		return
	}
	h.whole = int64(len(data))
	j.h, j.size = h, h.whole
}

func size(records []record) int64 {
	n := 0
	for i := range records {
		n += len(records[i].line())
	}
	return int64(n)
}

// compacted returns the records that stay: so many revisions, the first of
// them in full and with what those before it said, the newest other records,
// and of the newest sessions the newest record of each kind.
func (j *journal) compacted(revisions int) []record {
	h := j.h
	stay := make([]bool, len(h.records))
	first := max(len(h.revs)-revisions, 0)
	for first < len(h.revs)-1 {
		if src, err := h.bytesOf(first); err == nil && src != nil {
			break // a revision in full has to be one
		}
		first++
	}
	for k := first; k < len(h.revs); k++ {
		stay[h.revs[k]] = true
	}
	if h.open >= 0 {
		stay[h.open] = true
	}
	others := 0
	type key struct {
		kind     string
		who      Author
		mirrored bool
		news     bool
	}
	seen := map[key]bool{}
	sessions := map[Author]bool{}
	for i, r := range slices.Backward(h.records) {
		if r.Kind == kindPlan && r.Via != viaKept || r.Kind == kindDone {
			continue
		}
		who := r.author()
		if !sessions[who] && len(sessions) < maxSessions {
			sessions[who] = true
		}
		k := key{r.Kind, who, r.Mirrored, r.News}
		if others < keptRecords || sessions[who] && !seen[k] {
			stay[i] = true
		}
		others++
		seen[k] = true
	}
	var kept []record
	for i, r := range h.records {
		if !stay[i] {
			continue
		}
		if r.Kind == kindPlan && i != h.open {
			r.Sure = true
		}
		if len(h.revs) > 0 && i == h.revs[first] {
			if src, err := h.bytesOf(first); err == nil {
				c := h.carried(first)
				by := h.by(first)
				c.By = &by
				r.Patch, r.Carried = nil, &c
				r.keep(nil, src)
			}
		}
		kept = append(kept, r)
	}
	return kept
}

// notice says what can't be kept, "" if all is well.
func (j *journal) notice() string {
	if j.fail == nil {
		return ""
	}
	return fmt.Sprintf("the round log can't be kept (%v): what others change can't be told, and rounds are not counted", j.fail)
}

// refuse records a call that the rules refused.
func (j *journal) refuse(who Author, err error) {
	j.write(record{Kind: kindRefused, By: who.Name, Session: who.Session, Error: err.Error()})
}

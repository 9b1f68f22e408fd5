package mdplan

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"
)

// journal is the round log of one plan during one call. Its caller holds the
// plan's lock, or reads only.
type journal struct {
	at   paths
	h    *history
	size int64
	now  time.Time
	fail error // why the log can't be kept; the plan works without

	// The plans that this call has parsed anyway, and what they differ in.
	plans []*Plan
	diffs []Delta // of the last two of plans, nil if not asked for yet
}

// parsed remembers plans: the one before an edit, and then the one after it too.
func (j *journal) parsed(plans ...*Plan) { j.plans, j.diffs = plans, nil }

// parse is Parse, without the work where the call has done it.
func (j *journal) parse(rev string, src []byte) (*Plan, error) {
	for _, p := range j.plans {
		if p.rev == rev {
			return p, nil
		}
	}
	return Parse(src)
}

// diff is Diff, once for the plan before and after an edit.
func (j *journal) diff(old, now *Plan) []Delta {
	if len(j.plans) != 2 || old.rev != j.plans[0].rev || now.rev != j.plans[1].rev {
		return Diff(old, now)
	}
	if j.diffs == nil {
		j.diffs = Diff(old, now)
	}
	return j.diffs
}

func openJournal(at paths, now time.Time) *journal {
	j := &journal{at: at, now: now.UTC().Truncate(time.Millisecond)}
	data, err := readLog(at)
	j.fail = err
	j.h = parseHistory(data)
	j.size = int64(len(data))
	return j
}

// readLog reads the bytes of the round log; a missing one has none.
func readLog(at paths) ([]byte, error) {
	err := folderFree(at)
	if err == nil {
		err = fileFree(at.log) // a pipe would be waited for
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(at.log)
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
	if h.open >= 0 {
		if j.cameAbout(rev, src) {
			j.write(record{Kind: kindDone, Rev: h.records[h.open].Rev})
		} else {
			j.write(record{Kind: kindDone})
		}
	}
	head := h.head()
	switch {
	case head != nil && head.Rev == rev:
	case head != nil:
		j.write(j.revision(src, record{By: HumanName, Via: viaFile}))
	case src != nil:
		r := record{Kind: kindPlan, By: HumanName, Via: viaFound, Rev: rev}
		r.keep(nil, src)
		now, _ := j.parse(rev, src)
		r.carry(j.h, Author{Name: HumanName}, now)
		j.write(r)
	}
	if len(h.revs) > 0 {
		h.cache[len(h.revs)-1] = src
	}
}

// cameAbout decides whether the revision of a writer that was killed was in
// place. The caller holds the lock, so nobody is at it any more.
func (j *journal) cameAbout(rev string, src []byte) bool {
	open := j.h.full(j.h.open)
	switch rev {
	case open.Rev:
		return true
	case open.Parent:
		return false
	}
	// Somebody has saved the file since. What the temporary file holds says how
	// far the writer came: it has the new revision before the exchange, the old
	// one after it.
	wanted, err := j.openBytes(open)
	if err != nil {
		return true // a file that was there can be brought back, so this hides less
	}
	if temp, err := os.ReadFile(j.at.temp); err == nil {
		switch {
		case RevOf(temp) == open.Parent:
			return true
		case bytes.HasPrefix(wanted, temp):
			return false
		}
	}
	// Between two moments that leave the same traces, what the save was made
	// from decides.
	before, err := j.h.bytesOf(len(j.h.revs) - 1)
	if err != nil || len(j.h.revs) == 0 {
		return true
	}
	return changedBytes(wanted, src) < changedBytes(before, src)
}

// openBytes returns the bytes of the open plan record.
func (j *journal) openBytes(open *record) ([]byte, error) {
	if open.hasFull() {
		return open.Full, nil
	}
	if open.Patch == nil || len(j.h.revs) == 0 {
		return nil, fs.ErrNotExist
	}
	before, err := j.h.bytesOf(len(j.h.revs) - 1)
	if err != nil {
		return nil, err
	}
	return open.Patch.apply(bytes.Clone(before), false)
}

// changedBytes is how much of two files differs.
func changedBytes(a, b []byte) int {
	p := makePatch(a, b)
	return len(p.Old) + len(p.New)
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
	if src != nil {
		r.Rev = RevOf(src)
		if len(before) == 0 {
			r.keep(nil, src) // a log begins with a revision in full
		} else {
			r.keep(before, src)
		}
	}
	var now *Plan
	if before != nil {
		old, oldErr := j.parse(r.Parent, before)
		var nowErr error
		now, nowErr = j.parse(r.Rev, src)
		if oldErr == nil && nowErr == nil {
			r.Changes = j.diff(old, now)
			r.Fresh = fresh(r.Changes, old)
			if r.Parent == "" || src == nil {
				r.Changes = itemsOnly(r.Changes) // with the file, all text comes and goes
			}
		} else {
			r.Changes = []Delta{{Op: OpText}}
		}
	}
	r.carry(j.h, r.author(), now)
	return r
}

// itemsOnly is a diff without the text outside the items, if it says more.
func itemsOnly(deltas []Delta) []Delta {
	if len(deltas) < 2 {
		return deltas
	}
	return slices.DeleteFunc(slices.Clone(deltas), func(d Delta) bool { return d.Op == OpText })
}

// fresh reports whether a diff leaves no item of the old plan.
func fresh(changes []Delta, old *Plan) bool {
	removed := 0
	for _, d := range changes {
		if d.Op == OpRemoved {
			removed++
		}
	}
	return removed == old.Len()
}

// carry fills in what the record carries from those before it. now is the plan
// of the revision, nil if it can't be read.
func (r *record) carry(h *history, by Author, now *Plan) {
	c := h.carried(len(h.revs) - 1)
	c.follow(r, by)
	if now != nil {
		c.Marks = now.withMarks(c.Marks).dialect()
		maps.DeleteFunc(c.Marks, func(s Status, mark string) bool { return mark == string(canonical[s]) })
	}
	r.Carried = &c
}

func emptyPlan() *Plan {
	p, err := Parse(nil)
	if err != nil {
		panic(err) // no bytes break no rule
	}
	return p
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

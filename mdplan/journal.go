package mdplan

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// The bounds of the round log. A round is a record of about 150 bytes, a
// change of a status takes about 500 (the revision, that it is in place), a
// list of 12 items some 4 KB, since it has the base. The package's
// documentation says what that comes to.
const (
	// maxRecords is when the log is compacted, maxOthers when there are so many
	// records besides the revisions. Each command reads all of it, and mostly
	// rounds add to it, so that they are what it must not cost to have many of.
	maxRecords = 512
	maxOthers  = 224
	// keptRevisions and keptRecords are what a compaction leaves: so many of
	// the newest revisions, and so many of the newest other records.
	keptRevisions = 192
	keptRecords   = 64
	// maxLogSize bounds the log besides, in bytes, with room for four more
	// copies of the file. A compaction leaves half of it at most, but always
	// the newest revision and the one before.
	maxLogSize = 1 << 20
	// maxSessions is for how many of the newest sessions the newest record of
	// each kind is kept, whatever its age.
	maxSessions = 32
	// maxKept is how many of the writes of killed writers are kept. Each is a
	// whole file, which mostly was never anything else's.
	maxKept = 4
)

// journal is the round log of one plan during one call. Its caller holds the
// plan's lock, or reads only.
type journal struct {
	at   place
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

func openJournal(at place, now time.Time) *journal {
	j := &journal{at: at, now: now.UTC().Truncate(time.Millisecond)}
	var data []byte
	info, err := os.Lstat(at.log)
	switch {
	case err == nil && !info.Mode().IsRegular():
		// A link could lead anywhere, and a pipe would be waited for.
		err = fmt.Errorf("%q is no regular file; remove it", at.log)
	case err == nil:
		data, err = os.ReadFile(at.log)
	}
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
		r.carry(j.h, Author{Name: HumanName})
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
	if before != nil {
		old, oldErr := j.parse(r.Parent, before)
		now, nowErr := j.parse(r.Rev, src)
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
	r.carry(j.h, r.author())
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

// carry fills in what the record carries from those before it.
func (r *record) carry(h *history, by Author) {
	c := h.carried(len(h.revs) - 1)
	c.follow(r, by)
	r.Carried = &c
}

func emptyPlan() *Plan {
	p, err := Parse(nil)
	if err != nil {
		panic(err) // no bytes break no rule
	}
	return p
}

// full reports whether the log has grown over its bounds. What a compaction
// could not make smaller is not compacted again until it has doubled.
func (j *journal) full() bool {
	records, others, size := maxRecords, maxOthers, j.bound()
	if len(j.h.records) <= records && j.h.others <= others && j.size <= size {
		return false
	}
	if len(j.h.revs) > 0 {
		if c := j.h.rev(0).Compacted; c != nil {
			records, others, size = max(records, 2*c.Records), max(others, 2*c.Others), max(size, 2*c.Size)
		}
	}
	return len(j.h.records) > records || j.h.others > others || j.size > size
}

func (j *journal) bound() int64 {
	return maxLogSize + 4*int64(len(j.h.cache[len(j.h.revs)-1]))
}

// compact writes the log anew with the newest records only.
func (j *journal) compact() {
	if j.fail != nil || !j.full() {
		return
	}
	kept, written := j.compacted(keptRevisions, maxKept)
	for n, old := keptRevisions, maxKept; n > 2 && size(kept) > j.bound()/2; {
		n, old = max(n/2, 2), old/2
		kept, written = j.compacted(n, old)
	}
	if written >= 0 {
		others := 0
		for i := range kept {
			if kept[i].Kind != kindPlan {
				others++
			}
		}
		kept[written].Compacted = &compacted{len(kept), others, size(kept)}
		kept[written].raw = ""
	}
	var data []byte
	h := newHistory()
	for i := range kept {
		data = append(data, kept[i].line()...)
		h.add(kept[i])
	}
	if len(h.revs) > 0 {
		h.cache[len(h.revs)-1] = j.h.cache[len(j.h.revs)-1]
	}
	if j.fail = j.replace(data); j.fail == nil {
		h.bad = j.h.bad
		h.whole = int64(len(data))
		j.h, j.size = h, h.whole
	}
}

// replace puts another log in place of the log. Like all of the log it is not
// synced.
func (j *journal) replace(data []byte) error {
	mode := fs.FileMode(0o666)
	if info, err := os.Stat(j.at.log); err == nil {
		mode = info.Mode().Perm()
	}
	temp := j.at.log + ".tmp"
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// Created, never written over: the name could be a link that somebody put
	// into the folder.
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, mode)
	if err == nil {
		_, err = f.Write(data)
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		err = rename(temp, j.at.log)
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	return err
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
// and of the newest sessions the newest record of each kind. first is where
// the first revision stands among them, -1 if there is none.
func (j *journal) compacted(revisions, leftovers int) (kept []record, first int) {
	h := j.h
	stay := make([]bool, len(h.records))
	from := max(len(h.revs)-revisions, 0)
	for from < len(h.revs)-1 {
		if src, err := h.bytesOf(from); err == nil && src != nil {
			break // a revision in full has to be one
		}
		from++
	}
	for k := from; k < len(h.revs); k++ {
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
	old := map[int]bool{} // lists that newer ones of their session have replaced
	sessions := map[Author]bool{}
	for i := len(h.records) - 1; i >= 0; i-- {
		r := &h.records[i]
		switch {
		case r.Kind == kindPlan && r.Via == viaKept:
			if leftovers > 0 {
				stay[i] = true
				leftovers--
			}
			continue
		case r.Kind == kindPlan, r.Kind == kindDone, r.Kind == kindVoid:
			continue
		}
		who := r.author()
		if !sessions[who] && len(sessions) < maxSessions {
			sessions[who] = true
		}
		k := key{r.Kind, who, r.Mirrored, r.News}
		if others < keptRecords || sessions[who] && !seen[k] {
			stay[i] = true
			old[i] = r.Kind == kindList && seen[k]
		}
		others++
		seen[k] = true
	}
	first = -1
	place := map[int]int{}
	for k, i := range h.revs {
		place[i] = k
	}
	for i := range h.records {
		if !stay[i] {
			continue
		}
		r := h.records[i]
		if old[i] && strings.Contains(r.raw, `"base"`) {
			r = *h.full(i)
			r.Base, r.Own, r.Labels, r.Named, r.raw = nil, nil, nil, nil, ""
		}
		if k, is := place[i]; is {
			r = *h.full(i)
			// Claims are counted now, so that they may go.
			who := h.by(k)
			spoilt := h.isSpoilt(k)
			if !r.Sure || r.author() != who || spoilt || r.Compacted != nil || k == from {
				r.raw = ""
			}
			r.Sure, r.By, r.Session, r.Compacted = true, who.Name, who.Session, nil
			if spoilt || k == from {
				c := h.carried(k)
				r.Carried = &c
			}
			if k == from {
				first = len(kept)
				if src, err := h.bytesOf(from); err == nil && src != nil {
					r.Patch, r.Full, r.Empty = nil, nil, false
					r.keep(nil, src)
				}
			}
		}
		kept = append(kept, r)
	}
	return kept, first
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

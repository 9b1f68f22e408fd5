package mdplan

import (
	"errors"
	"io/fs"
	"os"
	"strings"
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
	nth := map[int]int{} // which revision a record is
	for k, i := range h.revs {
		nth[i] = k
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
		if k, is := nth[i]; is {
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

func size(records []record) int64 {
	n := 0
	for i := range records {
		n += len(records[i].line())
	}
	return int64(n)
}

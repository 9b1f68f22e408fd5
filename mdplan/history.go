package mdplan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// history is the round log as it was read, and what follows from it.
type history struct {
	records []record
	bad     int   // lines that are no records, and were skipped
	whole   int64 // the bytes up to the last line that ends
	torn    bool  // a part of a line follows

	revs  []int          // the records of revisions that came about, in order
	open  int            // a plan record that nobody knows the end of, -1
	whose map[int]Author // who a revision belongs to, where a claim says so
	cache map[int][]byte
}

func parseHistory(data []byte) *history {
	h := &history{open: -1, whose: map[int]Author{}, cache: map[int][]byte{}}
	for line := range bytes.Lines(data) {
		if line[len(line)-1] != '\n' {
			h.torn = true
			break
		}
		h.whole += int64(len(line))
		var r record
		if err := json.Unmarshal(line, &r); err != nil || r.Kind == "" {
			if len(bytes.TrimSpace(line)) > 0 {
				h.bad++
			}
			continue
		}
		h.add(r)
	}
	return h
}

// add takes a record that was read or is being written.
func (h *history) add(r record) {
	i := len(h.records)
	h.records = append(h.records, r)
	switch r.Kind {
	case kindPlan:
		if r.Via == viaKept {
			return
		}
		if h.open >= 0 {
			// Whoever wrote this one saw what had become of the one before.
			if r.Parent == h.records[h.open].Rev {
				h.revs = append(h.revs, h.open)
			}
			h.open = -1
		}
		if r.Sure || r.Via == viaFile || r.Via == viaFound {
			h.revs = append(h.revs, i)
			if r.Carried != nil && r.Carried.By != nil {
				h.whose[i] = *r.Carried.By
			}
		} else {
			h.open = i
		}
	case kindDone:
		if h.open >= 0 && h.records[h.open].Rev == r.Rev {
			h.revs = append(h.revs, h.open)
		}
		h.open = -1
	case kindClaim:
		for _, j := range slices.Backward(h.revs) {
			if slices.Contains(r.Revs, h.records[j].Rev) && (h.records[j].Via == viaFile || h.records[j].Via == viaFound) {
				h.whose[j] = r.author()
			}
		}
	}
}

// head returns the record of the file's last known revision, nil if the log
// has none.
func (h *history) head() *record {
	if len(h.revs) == 0 {
		return nil
	}
	return &h.records[h.revs[len(h.revs)-1]]
}

// by returns whose a revision is: k counts in revs.
func (h *history) by(k int) Author {
	i := h.revs[k]
	if a, ok := h.whose[i]; ok {
		return a
	}
	return h.records[i].author()
}

// bytesOf returns the bytes of the k-th of revs; nil, without an error, if it
// stands for a file that was gone.
func (h *history) bytesOf(k int) ([]byte, error) {
	if src, ok := h.cache[k]; ok {
		return src, nil
	}
	from, src := k, []byte(nil)
	for ; from >= 0 && !h.records[h.revs[from]].hasFull(); from-- {
		if cached, ok := h.cache[from-1]; ok {
			src = cached
			break
		}
	}
	if from < 0 {
		return nil, fmt.Errorf("the round log no longer has revision %s", h.records[h.revs[k]].Rev)
	}
	for ; from <= k; from++ {
		r := &h.records[h.revs[from]]
		var err error
		switch {
		case r.hasFull():
			src = r.Full
			if src == nil {
				src = []byte{}
			}
		case r.Rev == "":
			src = nil
		case r.Patch != nil:
			if src, err = r.Patch.apply(src); err != nil {
				return nil, err
			}
		}
		if r.Rev != "" && RevOf(src) != r.Rev {
			return nil, fmt.Errorf("the round log's revision %s is damaged", r.Rev)
		}
	}
	h.cache[k] = src
	return src, nil
}

// plan returns the k-th of revs as a plan; one that was gone is an empty one.
func (h *history) plan(k int) (*Plan, error) {
	src, err := h.bytesOf(k)
	if err != nil {
		return nil, err
	}
	return Parse(src)
}

// last returns the newest record of a kind of an author and session, and where
// it stands; nil if there is none. A nil test takes any.
func (h *history) last(kind string, who Author, test func(*record) bool) (*record, int) {
	for i := len(h.records) - 1; i >= 0; i-- {
		r := &h.records[i]
		if r.Kind == kind && r.By == who.Name && r.Session == who.Session && (test == nil || test(r)) {
			return r, i
		}
	}
	return nil, -1
}

// after returns the first of revs whose record stands behind record i.
func (h *history) after(i int) int {
	k, _ := slices.BinarySearch(h.revs, i+1)
	return k
}

// at returns the newest of revs that stands at or before record i and has a
// revision, -1 if there is none.
func (h *history) revAt(rev string) int {
	for k := len(h.revs) - 1; k >= 0; k-- {
		if h.records[h.revs[k]].Rev == rev {
			return k
		}
	}
	return -1
}

// carried returns what the revisions up to the k-th say about who started what.
func (h *history) carried(k int) carry {
	c := carry{Held: map[string]Author{}}
	for n := 0; n <= k; n++ {
		r := &h.records[h.revs[n]]
		if r.Carried != nil { // what was compacted stands in the first one
			c.Touched = r.Carried.Touched
			maps.Copy(c.Held, r.Carried.Held)
		}
		by := h.by(n)
		if by.IsHuman() && (r.Via == viaFound || len(r.Changes) > 0) {
			c.Touched = true
		}
		for _, d := range r.Changes {
			key := pairKey(d.Content)
			switch {
			case d.Op == OpStatus && d.To == string(InProgress), d.Op == OpAdded && d.Status == InProgress:
				c.Held[key] = by
			case d.Op == OpStatus, d.Op == OpRemoved:
				delete(c.Held, key)
			case d.Op == OpRenamed:
				if who, ok := c.Held[pairKey(d.From)]; ok {
					delete(c.Held, pairKey(d.From))
					c.Held[key] = who
				}
			}
		}
	}
	return c
}

package mdplan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// history is the round log as it was read, and what follows from it.
type history struct {
	records []record
	bad     int   // lines that are no records, and were skipped
	whole   int64 // the bytes up to the last line that ends
	torn    bool  // a part of a line follows

	others int // records that are of no revision

	revs  []int          // the records of revisions that came about, in order
	open  int            // a plan record that nobody knows the end of, -1
	with  []int          // the records that were written ahead with that one
	whose map[int]Author // who a revision belongs to, where a claim says so
	// spoilt has the revisions, from and to in revs, whose Carried a later
	// claim has made wrong.
	spoilt [][2]int
	cache  map[int][]byte // by place in revs
}

func newHistory() *history {
	return &history{open: -1, whose: map[int]Author{}, cache: map[int][]byte{}}
}

func parseHistory(data []byte) *history {
	h := newHistory()
	text := string(data) // what is read of it is a part of it
	h.records = make([]record, 0, strings.Count(text, "\n")+4)
	for text != "" {
		line, rest, whole := strings.Cut(text, "\n")
		if !whole {
			h.torn = true
			break
		}
		h.whole += int64(len(line)) + 1
		text = rest
		line = strings.TrimRight(line, "\r")
		h.records = append(h.records, record{})
		r := &h.records[len(h.records)-1]
		if line == "" || !r.scan(line) {
			*r = record{}
			if err := json.Unmarshal([]byte(line), r); err != nil || r.Kind == "" {
				h.records = h.records[:len(h.records)-1]
				if strings.TrimSpace(line) != "" {
					h.bad++
				}
				continue
			}
			r.raw, r.whole = line, true
		}
		h.added()
	}
	return h
}

// full returns a record with all its fields. One that turns out to be damaged
// is counted, and has its first fields only.
func (h *history) full(i int) *record {
	r := &h.records[i]
	if r.whole || r.raw == "" {
		return r
	}
	var all record
	if err := json.Unmarshal([]byte(r.raw), &all); err != nil {
		h.bad++
		r.whole = true
		return r
	}
	all.Kind, all.raw, all.whole = r.Kind, r.raw, true
	*r = all
	return r
}

// rev returns the record of the k-th of revs with all its fields.
func (h *history) rev(k int) *record { return h.full(h.revs[k]) }

// add takes a record that is being written.
func (h *history) add(r record) {
	h.records = append(h.records, r)
	h.added()
}

// added sees what follows from the last record.
func (h *history) added() {
	i := len(h.records) - 1
	r := &h.records[i]
	if r.Kind != kindPlan && r.Kind != kindDone {
		h.others++
	}
	switch r.Kind {
	case kindPlan:
		if r.Via == viaKept {
			return
		}
		if h.open >= 0 {
			// Whoever wrote this one saw what had become of the one before.
			h.settle(r.Parent == h.records[h.open].Rev)
		}
		if r.Sure || r.Via == viaFile || r.Via == viaFound {
			h.revs = append(h.revs, i)
		} else {
			h.open = i
		}
	case kindDone:
		if h.open >= 0 {
			h.settle(h.records[h.open].Rev == r.Rev)
		}
	case kindClaim:
		h.claim(i)
	default:
		if h.open >= 0 && r.With == h.records[h.open].Rev {
			h.with = append(h.with, i)
		}
	}
}

// settle decides whether the open plan record came about.
func (h *history) settle(cameAbout bool) {
	if cameAbout {
		h.revs = append(h.revs, h.open)
	} else {
		for _, i := range h.with {
			h.records[i].Kind = kindVoid
		}
	}
	h.open, h.with = -1, nil
}

// claim gives the revisions that a claim names to its author: of each the
// newest that has the bytes, as an older one was somebody else's.
func (h *history) claim(i int) {
	r := h.full(i)
	left := map[string]int{}
	for _, rev := range r.Revs {
		left[rev]++
	}
	first := -1
	for k := len(h.revs) - 1; k >= 0 && len(left) > 0; k-- {
		j := h.revs[k]
		rev := h.records[j].Rev
		if left[rev] == 0 || h.records[j].Via != viaFile && h.records[j].Via != viaFound {
			continue
		}
		h.whose[j] = r.author()
		first = k
		if left[rev]--; left[rev] == 0 {
			delete(left, rev)
		}
	}
	if first >= 0 {
		h.spoilt = append(h.spoilt, [2]int{first, len(h.revs) - 1})
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
// stands for a file that was gone. They are found from the nearest revision
// whose bytes are known, mostly the newest one, which the file has.
func (h *history) bytesOf(k int) ([]byte, error) {
	if src, ok := h.cache[k]; ok {
		return src, nil
	}
	if h.records[h.revs[k]].Rev == "" {
		return nil, nil
	}
	err := fmt.Errorf("the round log no longer has revision %s", h.records[h.revs[k]].Rev)
	from, forward := h.known(k, -1)
	to, back := h.known(k, 1)
	walks := []func() ([]byte, error){
		func() ([]byte, error) { return h.walk(from, k) },
		func() ([]byte, error) { return h.walk(to, k) },
	}
	switch {
	case !forward && !back:
		return nil, err
	case !forward:
		walks = walks[1:]
	case !back:
		walks = walks[:1]
	case to-k < k-from:
		slices.Reverse(walks)
	}
	for _, walk := range walks {
		src, walkErr := walk()
		if walkErr == nil && RevOf(src) != h.records[h.revs[k]].Rev {
			walkErr = fmt.Errorf("the round log's revision %s is damaged", h.records[h.revs[k]].Rev)
		}
		if err = walkErr; err == nil {
			h.cache[k] = src
			return src, nil
		}
	}
	return nil, err
}

// known returns the nearest revision on one side of k whose bytes are known,
// if patches lead from there to k.
func (h *history) known(k, step int) (at int, ok bool) {
	for at = k; at >= 0 && at < len(h.revs); at += step {
		if src, ok := h.cache[at]; ok {
			return at, src != nil
		}
		r := h.rev(at)
		if step < 0 && r.hasFull() {
			return at, true
		}
		// What leads from at to its neighbour is a patch of the later one.
		if step > 0 {
			if at+1 >= len(h.revs) || h.rev(at+1).Patch == nil {
				return 0, false
			}
		} else if r.Patch == nil {
			return 0, false
		}
	}
	return 0, false
}

func (h *history) walk(from, to int) ([]byte, error) {
	src, ok := h.cache[from]
	if !ok {
		src = h.rev(from).Full
	}
	src = append([]byte{}, src...)
	var err error
	for ; from < to && err == nil; from++ {
		src, err = h.rev(from+1).Patch.apply(src, false)
	}
	for ; from > to && err == nil; from-- {
		src, err = h.rev(from).Patch.apply(src, true)
	}
	return src, err
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
// it stands; nil if there is none. A nil test takes any. Only the first fields
// of what it tests and returns are sure to be there.
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

// revAt returns the newest of revs that has a revision, -1 if there is none.
func (h *history) revAt(rev string) int {
	for k := len(h.revs) - 1; k >= 0; k-- {
		if h.records[h.revs[k]].Rev == rev {
			return k
		}
	}
	return -1
}

// toldAt returns which of revs a told record, the i-th, speaks of: the file was
// that when it was written. It is -1 if the log no longer has it.
func (h *history) toldAt(i int) int {
	for k := h.after(i) - 1; k >= 0; k-- {
		if h.records[h.revs[k]].Rev == h.records[i].Rev {
			return k
		}
	}
	return -1
}

// carried returns what the revisions up to the k-th say about who started what.
func (h *history) carried(k int) carry {
	c := carry{Held: map[string]Author{}}
	n := k
	for ; n >= 0; n-- {
		if r := h.rev(n); r.Carried != nil && !h.isSpoilt(n) {
			c.Touched = r.Carried.Touched
			maps.Copy(c.Held, r.Carried.Held)
			c.Marks = r.Carried.Marks
			break
		}
	}
	for n++; n <= k; n++ {
		c.follow(h.rev(n), h.by(n))
	}
	return c
}

func (h *history) isSpoilt(k int) bool {
	for _, s := range h.spoilt {
		if s[0] <= k && k <= s[1] {
			return true
		}
	}
	return false
}

// follow brings what is carried from the revision before to the next one.
func (c *carry) follow(r *record, by Author) {
	if r.Carried != nil {
		c.Marks = r.Carried.Marks // whoever it was
	}
	if r.Fresh {
		c.Touched = false
	}
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

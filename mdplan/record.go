package mdplan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// The kinds of records of the round log.
const (
	kindPlan    = "plan"    // a revision; without Rev, the file is gone
	kindDone    = "done"    // the revision of the last plan record is in place; without Rev, it is not
	kindList    = "list"    // an author's last list
	kindTold    = "told"    // what an author was shown
	kindRound   = "round"   // the end of a round
	kindRefused = "refused" // a call against the rules
	kindCut     = "cut"     // a context was compacted
	kindClaim   = "claim"   // gives revisions that nobody explained to an author
)

// How a revision came about, where it was no command of that name.
const (
	viaFound = "found" // stood there when the log began
	viaFile  = "file"  // somebody saved the file
	viaKept  = "kept"  // never was the file: saved from a writer that was killed
)

// record is one line of the round log.
type record struct {
	Kind    string    `json:"kind"`
	Time    time.Time `json:"time"`
	By      string    `json:"by,omitempty"`
	Session string    `json:"session,omitempty"`
	Via     string    `json:"via,omitempty"`
	Rev     string    `json:"rev,omitempty"`

	// Of a plan record: the revision before, and how to get from it to this
	// one, or all its bytes.
	Parent  string  `json:"parent,omitempty"`
	Changes []Delta `json:"changes,omitempty"`
	Patch   *patch  `json:"patch,omitempty"`
	Full    []byte  `json:"full,omitempty"`
	Empty   bool    `json:"empty,omitempty"` // Full is meant, and has no bytes
	Sure    bool    `json:"sure,omitempty"`  // came about; a compaction knows
	Carried *carry  `json:"carried,omitempty"`

	// Of a list record.
	Base     *Base             `json:"base,omitempty"`
	Own      []string          `json:"own,omitempty"`
	Labels   map[string]string `json:"labels,omitempty"`
	Mirrored bool              `json:"mirrored,omitempty"`
	Named    bool              `json:"named,omitempty"` // the items that a list left out were named once

	// Of a round record.
	Idle     int    `json:"idle,omitempty"`
	Reminded bool   `json:"reminded,omitempty"`
	Doing    string `json:"doing,omitempty"` // the item in progress, and for how many rounds
	Rounds   int    `json:"rounds,omitempty"`

	// Of a told record: whether the author was told what others did, or only
	// shown the plan.
	News bool `json:"news,omitempty"`

	Error string   `json:"error,omitempty"` // of a refused record
	Revs  []string `json:"revs,omitempty"`  // of a claim
}

func (r *record) author() Author { return Author{r.By, r.Session} }

// carry is what the records before a revision said that is still needed when
// they are dropped.
type carry struct {
	// Held has who started the items in progress, by content.
	Held map[string]Author `json:"held,omitempty"`
	// Touched: a human had a hand in the plan.
	Touched bool `json:"touched,omitempty"`
	// By is whose the revision is, once all claims are counted.
	By *Author `json:"by,omitempty"`
}

// patch replaces bytes of a revision. It can be read in both directions.
type patch struct {
	At  int    `json:"at"`
	Old []byte `json:"old,omitempty"`
	New []byte `json:"new,omitempty"`
}

// makePatch returns the smallest single patch from a to b.
func makePatch(a, b []byte) *patch {
	n := min(len(a), len(b))
	start := 0
	for start < n && a[start] == b[start] {
		start++
	}
	end := 0
	for end < n-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return &patch{At: start, Old: a[start : len(a)-end], New: b[start : len(b)-end]}
}

func (p *patch) apply(a []byte) ([]byte, error) {
	end := p.At + len(p.Old)
	if p.At < 0 || end > len(a) || !bytes.Equal(a[p.At:end], p.Old) {
		return nil, fmt.Errorf("a patch of the round log does not fit its revision")
	}
	out := make([]byte, 0, len(a)-len(p.Old)+len(p.New))
	out = append(out, a[:p.At]...)
	out = append(out, p.New...)
	return append(out, a[end:]...), nil
}

// keep gives a plan record the bytes of its revision: a patch where that is
// shorter. before is nil where the log does not have the revision before.
func (r *record) keep(before, after []byte) {
	if before != nil {
		p := makePatch(before, after)
		if len(p.Old)+len(p.New) < len(after)/2+256 {
			r.Patch = p
			return
		}
	}
	r.Full, r.Empty = after, len(after) == 0
}

func (r *record) hasFull() bool { return r.Full != nil || r.Empty }

func (r *record) line() []byte {
	data, err := json.Marshal(r)
	if err != nil { // strings, numbers and times: can't happen
		panic(err)
	}
	return append(data, '\n')
}

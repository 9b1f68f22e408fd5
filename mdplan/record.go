package mdplan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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
	kindVoid    = ""        // written ahead with a revision that never came about
)

// How a revision came about, where it was no command of that name.
const (
	viaFound = "found" // stood there when the log began
	viaFile  = "file"  // somebody saved the file
	viaStart = "start" // of a told record: an author's news begins, nothing was shown
	viaKept  = "kept"  // never was the file: saved from a writer that was killed
)

// record is one line of the round log. The fields above Changes are read from
// every line at every call, see scan; those below only where they are asked
// for, see [history.full].
type record struct {
	Kind    string    `json:"kind"`
	Time    time.Time `json:"time"` // only once the record is read in full
	By      string    `json:"by,omitempty"`
	Session string    `json:"session,omitempty"`
	Via     string    `json:"via,omitempty"`
	Rev     string    `json:"rev,omitempty"` // of a round, the file's when it ended

	Parent string `json:"parent,omitempty"` // of a plan record, the revision before
	// With is the revision that a record was written ahead with: it counts only
	// if that came about.
	With     string `json:"with,omitempty"`
	Sure     bool   `json:"sure,omitempty"`     // a plan record came about; a compaction knows
	Mirrored bool   `json:"mirrored,omitempty"` // of a list
	// News is of a told record: the author was told what others did, and not
	// only shown the plan.
	News bool `json:"news,omitempty"`

	// Of a round record.
	Idle     int    `json:"idle,omitempty"`
	Reminded bool   `json:"reminded,omitempty"`
	Doing    string `json:"doing,omitempty"` // the item in progress, and for how many rounds
	Rounds   int    `json:"rounds,omitempty"`

	Error string `json:"error,omitempty"` // of a refusal, and of a round that could not read the file

	// Of a plan record: how to get from the parent to it, or all its bytes.
	Changes []Delta `json:"changes,omitempty"`
	// Fresh: no item of the revision before is left.
	Fresh     bool       `json:"fresh,omitempty"`
	Patch     *patch     `json:"patch,omitempty"`
	Full      []byte     `json:"full,omitempty"`
	Empty     bool       `json:"empty,omitempty"` // Full is meant, and has no bytes
	Carried   *carry     `json:"carried,omitempty"`
	Compacted *compacted `json:"compacted,omitempty"`

	// Of a list record.
	Base   *Base             `json:"base,omitempty"`
	Own    []string          `json:"own,omitempty"`    // all own items of the session
	Labels map[string]string `json:"labels,omitempty"` // all labels of the plan
	Named  []string          `json:"named,omitempty"`  // items that a list left out, and that an answer named

	Revs []string `json:"revs,omitempty"` // of a claim

	raw   string // the line, "" for a record that is being written
	whole bool   // nothing is left to be read
}

func (r *record) author() Author { return Author{r.By, r.Session} }

// scan reads the first fields of a line, without its end. Every round reads
// every line, and needs no more than this of nearly all of them. It reports
// false for what is not written as the tool writes it.
func (r *record) scan(line string) bool {
	if !strings.HasPrefix(line, `{"kind":"`) || line[len(line)-1] != '}' {
		return false
	}
	r.raw = line
	for at := 1; ; at++ {
		if at >= len(line) || line[at] != '"' {
			return false
		}
		rest := line[at+1:]
		n := strings.IndexByte(rest, '"')
		if n < 0 || n+1 >= len(rest) || rest[n+1] != ':' {
			return false
		}
		at += n + 3
		size, known := r.take(rest[:n], rest[n+2:])
		if !known {
			return true
		}
		if at += size; size < 0 || at >= len(line) {
			return false
		}
		if line[at] == '}' {
			return at == len(line)-1
		}
		if line[at] != ',' {
			return false
		}
	}
}

// take reads the value of one of the first fields at the front of s, and
// returns its length, -1 if it needs the whole decoder.
func (r *record) take(key, s string) (size int, known bool) {
	var text *string
	var flag *bool
	var number *int
	var skipped string
	switch key {
	case "kind":
		text = &r.Kind
	case "time":
		text = &skipped
	case "by":
		text = &r.By
	case "session":
		text = &r.Session
	case "via":
		text = &r.Via
	case "rev":
		text = &r.Rev
	case "parent":
		text = &r.Parent
	case "with":
		text = &r.With
	case "doing":
		text = &r.Doing
	case "error":
		text = &r.Error
	case "sure":
		flag = &r.Sure
	case "mirrored":
		flag = &r.Mirrored
	case "news":
		flag = &r.News
	case "reminded":
		flag = &r.Reminded
	case "idle":
		number = &r.Idle
	case "rounds":
		number = &r.Rounds
	default:
		return 0, false
	}
	switch {
	case text != nil:
		if s == "" || s[0] != '"' {
			return -1, true
		}
		n := strings.IndexByte(s[1:], '"')
		if n < 0 || strings.IndexByte(s[1:1+n], '\\') >= 0 {
			return -1, true
		}
		*text = s[1 : 1+n]
		return n + 2, true
	case flag != nil:
		if !strings.HasPrefix(s, "true") {
			return -1, true
		}
		*flag = true
		return len("true"), true
	}
	n := 0
	for n < len(s) && n < 9 && '0' <= s[n] && s[n] <= '9' {
		*number = 10**number + int(s[n]-'0')
		n++
	}
	if n == 0 {
		return -1, true
	}
	return n, true
}

// carry is what the records up to a revision say that is needed after they are
// dropped, and that is too dear to be gathered at every call.
type carry struct {
	// Held has who started the items in progress, by content.
	Held map[string]Author `json:"held,omitempty"`
	// Touched: a human had a hand in the plan.
	Touched bool `json:"touched,omitempty"`
	// Marks is the file's dialect, for statuses that no item has for a while.
	Marks map[Status]string `json:"marks,omitempty"`
}

// compacted is what a compaction left.
type compacted struct {
	Records int   `json:"records"`
	Others  int   `json:"others"`
	Size    int64 `json:"size"`
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

// apply changes a, which it may write into, from the one side to the other.
func (p *patch) apply(a []byte, back bool) ([]byte, error) {
	old, new := p.Old, p.New
	if back {
		old, new = new, old
	}
	end := p.At + len(old)
	if p.At < 0 || end > len(a) || !bytes.Equal(a[p.At:end], old) {
		return nil, fmt.Errorf("a patch of the round log does not fit its revision")
	}
	return slices.Replace(a, p.At, end, new...), nil
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

// line returns the record as a line. One that was only read is the line that
// it was: it may hold what a later version has put there.
func (r *record) line() []byte {
	if r.raw != "" {
		return []byte(r.raw + "\n")
	}
	data, err := json.Marshal(r)
	if err != nil { // strings, numbers and times: can't happen
		panic(err)
	}
	return append(data, '\n')
}

package watch

import (
	"slices"
	"strings"

	"github.com/todomd/todomd/mdplan"
)

// maxPending is how many edits wait for a consumer that does not read. Each
// holds a plan, which may have a megabyte.
const maxPending = 16

// queue has the events that wait for the consumer, oldest first.
type queue []entry

type entry struct {
	Event
	from    *mdplan.Plan // what its changes start from
	fromRev string
	keep    bool // it says something though it changes nothing
}

// push adds an event. If there are too many, it joins two neighbours, so that
// the consumer still sees how the last state came from the one it has.
func (q queue) push(e entry) queue {
	q = append(slices.Clip(q), e)
	if len(q) <= maxPending {
		return q
	}
	at := 0
	for i := range len(q) - 1 {
		if q[i].By == q[i+1].By && q[i].Via == q[i+1].Via {
			at = i
			break
		}
	}
	e = join(q[at], q[at+1])
	if e.Rev == e.fromRev && !e.keep {
		return slices.Delete(q, at, at+2)
	}
	q[at] = e
	return slices.Delete(q, at+1, at+2)
}

// join makes one edit of two, whose author is both where they differ.
func join(a, b entry) entry {
	e := b
	e.from, e.fromRev = a.from, a.fromRev
	e.keep = a.keep || b.keep
	e.By, e.Via = names(a.By, b.By), names(a.Via, b.Via)
	e.Changes = []mdplan.Delta{}
	if e.Rev != e.fromRev {
		e.Changes = changes(e.from, e.Plan)
	}
	return e
}

func names(a, b string) string {
	if a == "" {
		return b
	}
	list := strings.Split(a, ", ")
	for _, n := range strings.Split(b, ", ") {
		if n != "" && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return strings.Join(list, ", ")
}

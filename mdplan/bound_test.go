package mdplan

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The log stays within its bound for a small and a large plan, and holds what
// the documentation of the package says: so many revisions can be restored.
func TestLogBound(t *testing.T) {
	for _, tc := range []struct {
		items, rounds, revisions int
		size                     int64
	}{
		{12, 450, keptRevisions / 2, 512 << 10},
		{600, 150, 0, 2 << 20},
	} {
		t.Run(fmt.Sprint(tc.items), func(t *testing.T) {
			rounds := tc.rounds
			if fewer() {
				rounds /= 6
			}
			d := newDesk(t, "")
			agent := d.with(Caller{Author: Author{"a", "1"}, Settings: set("max-items", "1000")})
			var most int64
			fewest := -1
			at, err := resolve(d.path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range rounds {
				items := make([]string, tc.items)
				for n := range items {
					items[n] = fmt.Sprintf("[%c] Write the tests of step %d, which is long", " x"[(i/3-n+tc.items)/tc.items%2], n)
				}
				if i%3 == 0 { // one step further
					d.update(agent, items...)
				} else if src := d.read(); i%3 == 1 {
					d.save(strings.Replace(src, "[ ]", "[!]", 1))
				}
				d.round(agent, RoundOptions{})
				info, err := os.Stat(d.logFile())
				if err != nil {
					t.Fatal(err)
				}
				if info.Size() < most && i > rounds/2 { // was compacted
					h := openJournal(at, d.clock).h
					if held := len(h.revs); fewest < 0 || held < fewest {
						fewest = held
					}
				}
				most = max(most, info.Size())
			}
			data, err := os.ReadFile(d.logFile())
			if err != nil {
				t.Fatal(err)
			}
			h := parseHistory(data)
			h.cache[len(h.revs)-1] = []byte(d.read())
			for k := range h.revs {
				if _, err := h.bytesOf(k); err != nil {
					t.Errorf("revision %d of %d: %v", k, len(h.revs), err)
				}
			}
			t.Logf("%d items, %d bytes of plan: at most %d bytes of log, now %d records, %d revisions; at least %d", tc.items, len(d.read()), most, len(h.records), len(h.revs), fewest)
			if most > tc.size {
				t.Errorf("%d bytes, want at most %d", most, tc.size)
			}
			if !fewer() && fewest >= 0 && fewest < tc.revisions {
				t.Errorf("%d revisions, want at least %d", fewest, tc.revisions)
			}
		})
	}
}

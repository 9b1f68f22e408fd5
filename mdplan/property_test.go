package mdplan

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestRandomOperations plays random operations on random documents, each of
// which is compared with a model. Its seeds are fixed: it finds the same today
// and tomorrow.
func TestRandomOperations(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	done := map[string]int{}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		src := randomPlan(r)
		ops := make([]byte, 40)
		for i := range ops {
			ops[i] = byte(r.Uint32())
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p, err := Parse(src)
			if err != nil {
				t.Fatal(err)
			}
			checkSpans(t, p)
			checkShown(t, p)
			o := &operator{t: t, p: p, in: ops, done: done}
			defer func() {
				if t.Failed() {
					t.Logf("document %q\noperations %q", src, ops)
				}
			}()
			for len(o.in) > 0 {
				o.step()
			}
		})
	}
	for _, what := range []string{"add", "remove", "edit", "note", "update"} {
		ok, no := done[what], done[what+" refused"]
		t.Logf("%s: %d done, %d refused", what, ok, no)
		if ok < 3*no {
			t.Errorf("%s: too many of these operations were refused", what)
		}
	}
}

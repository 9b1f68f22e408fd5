package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/todomd/todomd/mdplan"
)

// rig is a loop over a file system that the test writes by hand. It is used
// inside a synctest bubble only.
type rig struct {
	t      *testing.T
	mu     sync.Mutex // over what follows start
	hints  chan hint
	out    chan Event
	cancel context.CancelFunc
	start  time.Time
	file   snapshot
	err    error
	torn   error // as err, but the file can still be looked at
	ino    uint64
	frozen bool // the clock of the file system is coarse
	reads  int
	stats  int
	forced int
	news   bool // the next follow finds a new folder
}

func (r *rig) read() (snapshot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	return r.file, cmp.Or(r.err, r.torn)
}

func (r *rig) stat() stamp {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stats++
	if r.err != nil {
		return stamp{bad: true}
	}
	return r.file.stamp
}

func (r *rig) follow(force bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if force {
		r.forced++
	}
	news := r.news
	r.news = false
	return news
}

func bubble(t *testing.T, src string, o Options, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := &rig{t: t, hints: make(chan hint, hintBuffer), out: make(chan Event), cancel: cancel, start: time.Now(), ino: 1}
		if src == unreadable {
			r.err = errHeld
		} else if src != missingFile {
			r.write(src)
		}
		l := newLoop(r, r.hints, r.out, "todo.md", o)
		done := make(chan struct{})
		go func() { l.run(ctx); close(done) }()
		time.Sleep(time.Millisecond) // so that nothing falls on the instant of a look
		test(r)
		cancel()
		<-done
	})
}

const (
	missingFile = "\x00missing"
	unreadable  = "\x00unreadable"
)

// write changes the file in place.
func (r *rig) write(src string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.file.src = []byte(src)
	s := stamp{dev: 1, ino: r.ino, size: int64(len(src)), mtime: int64(time.Since(r.start)) + 1}
	if r.frozen {
		s.mtime = r.file.stamp.mtime
	}
	s.ctime = s.mtime
	r.file.stamp = s
}

// replace puts another file in its place.
func (r *rig) replace(src string) {
	r.set(func() { r.ino++ })
	r.write(src)
}

func (r *rig) remove()     { r.set(func() { r.file = snapshot{} }) }
func (r *rig) hint(h hint) { r.hints <- h }

// hold keeps the file from being read until err is nil.
func (r *rig) hold(err error) { r.set(func() { r.err = err }) }

func (r *rig) set(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

var errHeld = errors.New("held")

// none fails if an event comes within d.
func (r *rig) none(d time.Duration) {
	r.t.Helper()
	select {
	case e := <-r.out:
		r.t.Fatalf("unexpected event: %s", show(e))
	case <-time.After(d):
	}
}

// next returns the next event and how long it took.
func (r *rig) next() (Event, time.Duration) {
	r.t.Helper()
	at := time.Now()
	select {
	case e := <-r.out:
		return e, time.Since(at)
	case <-time.After(time.Minute):
		r.t.Fatal("no event")
		return Event{}, 0
	}
}

// want checks the next event and how long it takes.
func (r *rig) want(after time.Duration, want string) Event {
	r.t.Helper()
	e, d := r.next()
	if got := show(e); got != want {
		r.t.Errorf("got  %s\nwant %s", got, want)
	}
	if d != after {
		r.t.Errorf("%s: came after %v, want %v", show(e), d, after)
	}
	return e
}

// show is an event in short: its author, its changes, its problems.
func show(e Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:", e.By)
	for _, d := range e.Changes {
		fmt.Fprintf(&b, " %s", d.Op)
		if d.Content != "" {
			fmt.Fprintf(&b, " %s@%d", d.Content, d.Line)
		}
		if d.From != "" || d.To != "" {
			fmt.Fprintf(&b, " %s>%s", d.From, d.To)
		}
	}
	for _, p := range e.Problems {
		fmt.Fprintf(&b, " !%s", p.Code)
	}
	return b.String()
}

const (
	oneTwo     = "# Plan\n\n- [ ] one\n- [ ] two\n"
	oneDone    = "# Plan\n\n- [x] one\n- [ ] two\n"
	bothDone   = "# Plan\n\n- [x] one\n- [x] two\n"
	startedTwo = "# Plan\n\n- [x] one\n- [>] two\n"
	didOne     = "human: status one@3 pending>completed"
	didTwo     = "human: status two@4 pending>completed"
)

func TestReplacedAtOnce(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.replace(oneDone)
		r.hint(replaced)
		e := r.want(0, didOne)
		if e.Rev != mdplan.RevOf([]byte(oneDone)) || e.File != "todo.md" || e.Via != ViaFile || e.Counts.Completed != 1 {
			t.Errorf("event: %+v", e)
		}
		r.hint(touched) // the other half of an exchange
		r.none(3 * time.Second)
	})
}

// A rename onto the path that shows nothing, or only the beginning of what was
// there, may have been written again in place since.
func TestReplacedCutOff(t *testing.T) {
	for _, partial := range []string{"", oneTwo[:len(oneTwo)-6]} {
		bubble(t, oneTwo, Options{}, func(r *rig) {
			r.replace(partial)
			r.hint(replaced)
			r.none(50 * time.Millisecond)
			r.write(oneDone)
			r.hint(touched)
			r.want(quietTime, didOne)
			r.none(3 * time.Second)
		})
	}
}

func TestInPlace(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.write("")
		r.hint(touched)
		r.none(quietTime / 2)
		r.write(oneDone)
		r.hint(touched)
		r.want(quietTime, didOne)
		r.write(bothDone)
		r.hint(touched)
		r.want(quietTime, didTwo)
		r.none(3 * time.Second)
	})
}

func TestSlowWriter(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		for i := range len(bothDone) + 1 {
			r.write(bothDone[:i])
			r.hint(touched)
			r.none(quietTime * 9 / 10)
		}
		r.want(quietTime/10, "human: status one@3 pending>completed status two@4 pending>completed")
		r.none(3 * time.Second)
	})
}

func TestWrittenAllTheTime(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		stop := time.After(3*maxWait + maxWait/2)
		events := 0
		last := ""
		for n := 0; ; n++ {
			select {
			case <-stop:
				if events != 3 {
					t.Errorf("%d events while it was written, want 3", events)
				}
				e, d := r.next()
				if d > quietTime || string(e.Plan.Bytes()) != last {
					t.Errorf("the end came after %v with %q, want %q", d, e.Plan.Bytes(), last)
				}
				return
			case <-r.out:
				events++
			case <-time.After(quietTime / 2):
				last = fmt.Sprintf("- [ ] turn %d\n", n)
				r.write(last)
				r.hint(touched)
			}
		}
	})
}

// At the bound, too, a file that is cut off is not taken for the whole.
func TestTruncatedAllTheTime(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		for range 200 {
			r.write("")
			r.hint(touched)
			r.none(quietTime / 2)
		}
		r.write(oneTwo)
		r.hint(touched)
		r.none(10 * time.Second)
	})
}

func TestNoEdit(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		for _, h := range []hint{touched, replaced, uprooted} {
			r.replace(oneTwo)
			r.hint(h)
			r.none(3 * time.Second)
		}
		r.remove()
		r.hint(touched)
		r.none(quietTime / 2)
		r.write(oneTwo)
		r.hint(touched)
		r.none(3 * time.Second)
	})
}

func TestDeleted(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.remove()
		r.hint(touched)
		e := r.want(quietTime, "human: removed one@3 removed two@4 text")
		if e.Rev != "" || e.Counts != (mdplan.Counts{}) || e.Plan.Len() != 0 {
			t.Errorf("event: %+v", e)
		}
		r.write("") // as touch makes it: no bytes differ
		r.hint(touched)
		r.none(3 * time.Second)
		r.replace(oneTwo)
		r.hint(replaced)
		r.want(0, "human: added one@3 added two@4 text")
		r.none(3 * time.Second)
	})
}

func TestCreated(t *testing.T) {
	bubble(t, missingFile, Options{}, func(r *rig) {
		r.none(3 * time.Second)
		r.write(oneTwo)
		r.hint(touched)
		r.want(quietTime, "human: added one@3 added two@4 text")
	})
}

func TestUnreadableForAMoment(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.hold(errHeld)
		r.hint(touched)
		r.none(time.Second)
		r.hold(nil)
		r.write(oneDone)
		e, _ := r.next()
		if show(e) != didOne {
			t.Errorf("got %s", show(e))
		}
		r.none(10 * time.Second)
	})
}

func TestUnreadableForLong(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		for range 2 {
			r.hold(errHeld)
			r.hint(touched)
			e, d := r.next()
			if d > 2*time.Second {
				t.Errorf("told after %v", d)
			}
			if show(e) != ": !unreadable" || e.Rev != mdplan.RevOf([]byte(oneTwo)) || e.Counts.Total != 2 {
				t.Errorf("got %s %+v", show(e), e)
			}
			r.none(time.Minute)
			r.hold(nil)
			r.none(time.Minute)
		}
		r.hold(errHeld)
		r.hint(touched)
		r.next()
		r.none(time.Minute)
		r.hold(nil)
		r.write(oneDone)
		if e, d := r.next(); show(e) != didOne || d > tickTime+quietTime {
			t.Errorf("got %s after %v", show(e), d)
		}
		r.none(time.Minute)
	})
}

// A file that reads badly though nothing can be seen to happen to it.
func TestUnreadableUnseen(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.set(func() { r.torn = errHeld })
		r.write(oneDone)
		r.hint(touched)
		r.next()
		r.none(time.Minute)
		r.set(func() { r.torn = nil })
		if e, d := r.next(); show(e) != didOne || d > tickTime+quietTime {
			t.Errorf("got %s after %v", show(e), d)
		}
	})
}

func TestUnreadableAtFirst(t *testing.T) {
	bubble(t, unreadable, Options{}, func(r *rig) {
		if e, _ := r.next(); show(e) != ": !unreadable" {
			t.Errorf("got %s", show(e))
		}
		r.none(time.Minute)
		r.hold(nil)
		r.write(oneTwo)
		r.none(time.Minute) // the first state is no edit
		r.write(oneDone)
		r.hint(touched)
		r.want(quietTime, didOne)
	})
}

func TestUnparsable(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		broken := "- [ ] one\rtwo\n"
		r.replace(broken)
		r.hint(replaced)
		e := r.want(0, "human: text !lone-cr")
		if e.Rev != mdplan.RevOf([]byte(broken)) || e.Counts.Total != 2 || e.Plan.Len() != 2 {
			t.Errorf("event: %+v", e)
		}
		r.replace(oneTwo)
		r.hint(replaced)
		r.want(0, "human: text")
		r.replace(broken)
		r.hint(replaced)
		r.next()
		r.replace(oneDone)
		r.hint(replaced)
		r.want(0, didOne)
	})
}

// Without any event of the file system a look finds the change, and waits as
// long as looks show that it is being written.
func TestUnheard(t *testing.T) {
	bubble(t, oneTwo, Options{Poll: true}, func(r *rig) {
		r.none(tickTime / 2)
		r.write(oneDone)
		r.want(tickTime/2-time.Millisecond+quietTime, didOne)
		r.none(tickTime*4 - quietTime)
		for i := range len(bothDone) {
			r.write(bothDone[:i])
			r.none(tickTime / 20)
		}
		r.write(bothDone)
		if e, _ := r.next(); show(e) != didTwo {
			t.Errorf("got %s", show(e))
		}
		r.none(10 * time.Second)
	})
}

func TestUnheardDeletion(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.remove()
		if e, d := r.next(); e.Rev != "" || d > tickTime+quietTime {
			t.Errorf("got %s after %v", show(e), d)
		}
	})
}

// Where times are coarse, two saves of the same length can have one stamp.
func TestSameStamp(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.none(10 * time.Second)
		r.write(oneDone)
		r.next()
		r.set(func() { r.frozen = true })
		r.write(startedTwo)
		e, d := r.next()
		if show(e) != "human: status two@4 pending>in_progress" || d > tickTime+quietTime {
			t.Errorf("got %s after %v", show(e), d)
		}
	})
}

func TestIdle(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.none(5 * time.Second)
		r.set(func() { r.stats, r.reads = 0, 0 })
		r.none(time.Hour)
		r.set(func() {
			if r.stats > 3600 || r.reads > 0 {
				t.Errorf("%d looks and %d reads in an idle hour", r.stats, r.reads)
			}
		})
	})
}

func TestUprooted(t *testing.T) {
	bubble(t, oneTwo, Options{}, func(r *rig) {
		r.set(func() { r.forced = 0 })
		r.hint(uprooted)
		r.write(oneDone)
		r.want(quietTime, didOne)
		r.set(func() {
			if r.forced != 1 {
				t.Errorf("watches set anew %d times", r.forced)
			}
		})
		// What is written between a read and the new watch has no hint.
		r.set(func() { r.news = true })
		r.hint(touched)
		r.none(quietTime * 3 / 2)
		r.write(bothDone)
		r.want(quietTime/2, didTwo)
	})
}

func TestInitial(t *testing.T) {
	bubble(t, oneDone, Options{Initial: true}, func(r *rig) {
		e := r.want(0, ":")
		if e.Counts.Total != 2 || e.Rev != mdplan.RevOf([]byte(oneDone)) || e.Changes == nil {
			t.Errorf("event: %+v", e)
		}
		r.none(time.Minute)
	})
	bubble(t, missingFile, Options{Initial: true}, func(r *rig) {
		if e := r.want(0, ":"); e.Rev != "" || e.Plan == nil {
			t.Errorf("event: %+v", e)
		}
	})
}

func rev(src string, by, via string) mdplan.Revision {
	return mdplan.Revision{Rev: mdplan.RevOf([]byte(src)), By: mdplan.Author{Name: by}, Via: via, Source: []byte(src)}
}

func TestHistory(t *testing.T) {
	agentDidOne := strings.Replace(didOne, "human", "build", 1)
	for _, tt := range []struct {
		name   string
		now    string
		known  []mdplan.Revision
		events []string
	}{
		{"the agent's own write", oneDone, []mdplan.Revision{rev(oneDone, "build", "update")}, []string{agentDidOne}},
		{"its bytes need not be known", oneDone, []mdplan.Revision{{Rev: mdplan.RevOf([]byte(oneDone)), By: mdplan.Author{Name: "build"}}}, []string{agentDidOne}},
		{"a human right behind it", bothDone, []mdplan.Revision{rev(oneDone, "build", "update")}, []string{agentDidOne, didTwo}},
		{"a human known to the log", bothDone, []mdplan.Revision{rev(oneDone, "build", "update"), rev(bothDone, "human", "file")}, []string{agentDidOne, didTwo}},
		{"there and back", oneDone, []mdplan.Revision{rev(oneDone, "a", ""), rev(bothDone, "b", ""), rev(oneDone, "c", "")},
			[]string{"a: status one@3 pending>completed", "b: status two@4 pending>completed", "c: status two@4 completed>pending"}},
		{"later than what was read", oneDone, []mdplan.Revision{rev(oneDone, "build", ""), rev(bothDone, "build", "")}, []string{agentDidOne}},
		{"bytes that are lost", bothDone, []mdplan.Revision{{Rev: "gone", By: mdplan.Author{Name: "build"}}, rev(oneDone, "build", "")}, []string{agentDidOne, didTwo}},
		{"nothing known", oneDone, nil, []string{didOne}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := ""
			o := Options{History: func(from, to string) []mdplan.Revision { asked += from + ">" + to + " "; return tt.known }}
			bubble(t, oneTwo, o, func(r *rig) {
				r.replace(tt.now)
				r.hint(replaced)
				for _, want := range tt.events {
					r.want(0, want)
				}
				r.none(5 * time.Second)
			})
			if want := mdplan.RevOf([]byte(oneTwo)) + ">" + mdplan.RevOf([]byte(tt.now)) + " "; asked != want {
				t.Errorf("asked for %q, want %q", asked, want)
			}
		})
	}
}

// A consumer that stopped reading gets the net change to the last state.
func TestStalledConsumer(t *testing.T) {
	by := "human"
	o := Options{History: func(_, to string) []mdplan.Revision { return []mdplan.Revision{{Rev: to, By: mdplan.Author{Name: by}}} }}
	bubble(t, oneTwo, o, func(r *rig) {
		src := ""
		for i := range 200 {
			by = []string{"human", "build", "build"}[i%3]
			src += fmt.Sprintf("- [ ] item %d\n", i)
			r.replace(src)
			r.hint(replaced)
			synctest.Wait()
		}
		from, err := mdplan.Parse([]byte(oneTwo))
		if err != nil {
			t.Fatal(err)
		}
		added := 0
		for n := 1; ; n++ {
			e, _ := r.next()
			if want := mdplan.Diff(from, e.Plan); !slices.Equal(want, e.Changes) {
				t.Errorf("event %d: %v\nwant %v", n, e.Changes, want)
			}
			for _, d := range e.Changes {
				if d.Op == mdplan.OpAdded {
					added++
				}
			}
			if from = e.Plan; string(from.Bytes()) == src {
				if n > maxPending {
					t.Errorf("%d events were held", n)
				}
				break
			}
		}
		if added != 200 {
			t.Errorf("%d items were told of, want 200", added)
		}
		r.none(time.Minute)
	})
}

func TestJoinedAuthors(t *testing.T) {
	a := entry{Event: Event{By: "human", Via: "file", Rev: "b", Plan: emptyPlan()}, from: emptyPlan(), fromRev: "a"}
	b := entry{Event: Event{By: "build", Via: "update", Rev: "c", Plan: emptyPlan()}, fromRev: "b"}
	e := join(join(a, b), a)
	if e.By != "human, build" || e.Via != "file, update" || e.fromRev != "a" {
		t.Errorf("got %+v", e)
	}
}

func TestJoinNeighbours(t *testing.T) {
	var q queue
	by := func(i int) string { return []string{"human", "build", "build"}[i%3] }
	for i := range maxPending + 1 {
		q = q.push(entry{Event: Event{By: by(i), Rev: fmt.Sprint(i + 1), Plan: emptyPlan()}, from: emptyPlan(), fromRev: fmt.Sprint(i)})
	}
	if len(q) != maxPending {
		t.Errorf("%d wait", len(q))
	}
	at := "0"
	for _, e := range q {
		if e.fromRev != at || strings.Contains(e.By, ",") {
			t.Errorf("%s: %s to %s", e.By, e.fromRev, e.Rev)
		}
		at = e.Rev
	}
}

// Edits that end where they began are none when they are joined.
func TestJoinedToNothing(t *testing.T) {
	for _, edits := range []int{100, 101, 102, 103} {
		bubble(t, oneTwo, Options{}, func(r *rig) {
			states := []string{oneTwo, oneDone}
			for n := range edits {
				r.replace(states[(n+1)%2])
				r.hint(replaced)
				synctest.Wait()
			}
			last := oneTwo
			for done := false; !done; {
				select {
				case e := <-r.out:
					if string(e.Plan.Bytes()) == last {
						t.Fatalf("told again: %s", show(e))
					}
					last = string(e.Plan.Bytes())
				case <-time.After(time.Minute):
					done = true
				}
			}
			if last != states[edits%2] {
				t.Errorf("the last state told was %q", last)
			}
		})
	}
}

// Whatever is done to the file, however few, many or late the hints: events
// lead from the first state to the last, and each tells of a difference.
func TestAnyOrder(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 30
	}
	for seed := range runs {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		bubble(t, oneTwo, Options{}, func(r *rig) {
			states := []string{oneTwo, oneDone, bothDone, startedTwo, "", "no items\n", oneTwo[:20]}
			last := oneTwo
			var events []Event
			drain := func(d time.Duration) {
				stop := time.After(d)
				for {
					select {
					case e := <-r.out:
						events = append(events, e)
					case <-stop:
						return
					}
				}
			}
			for range 40 {
				r.hold(nil)
				switch src := states[rng.IntN(len(states))]; rng.IntN(6) {
				case 0:
					r.remove()
					last = ""
				case 1:
					r.hold(errHeld)
				case 2, 3:
					r.replace(src)
					last = src
				default:
					r.write(src)
					last = src
				}
				for range rng.IntN(3) {
					r.hint(hint(1 + rng.IntN(3)))
				}
				if rng.IntN(3) > 0 {
					drain(time.Duration(rng.IntN(400)) * time.Millisecond)
				}
			}
			r.hold(nil)
			drain(2*tickTime + maxWait)
			state := oneTwo
			for _, e := range events {
				if len(e.Changes) == 0 {
					continue
				}
				if string(e.Plan.Bytes()) == state {
					t.Errorf("seed %d: told again: %s", seed, show(e))
				}
				state = string(e.Plan.Bytes())
			}
			if state != last {
				t.Errorf("seed %d: the last state told was %q, want %q", seed, state, last)
			}
		})
	}
}

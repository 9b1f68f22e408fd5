package watch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/todomd/todomd/mdplan"
)

const (
	// quietTime is how long nothing may happen to a file before a save that is
	// not certain to be whole is taken for finished. Editors are done within a
	// few milliseconds; people notice a delay from about 100 ms on.
	quietTime = 100 * time.Millisecond

	// maxWait bounds the wait for a file that is written all the time. It is
	// longer than a slow program needs for a plan.
	maxWait = 5 * time.Second

	// tickTime is the time between two looks at a file of which no event came:
	// the price of a watch over an idle file is one stat for each.
	tickTime = time.Second

	// rechecks is how many looks after a change read the file although its
	// stamp is the same. Times on FAT and old NFS are exact to 2 s only.
	rechecks = 2

	// firstRetry, doubled maxRetries-1 times, gives a file that can't be read
	// about a second and a half before that is reported: longer than virus
	// scanners and sync programs hold it.
	firstRetry = 50 * time.Millisecond
	maxRetries = 5
)

// hint is what the file system's events amount to.
type hint uint8

const (
	touched  hint = iota + 1 // something may have happened to the file
	replaced                 // another file was renamed onto it
	uprooted                 // a watched folder went away, and its watch with it
)

// stamp tells two states of a path apart without reading the file. The zero
// value is that of a missing file.
type stamp struct {
	dev, ino     uint64
	size         int64
	mtime, ctime int64 // ns
	bad          bool  // it can't be looked at
}

// snapshot is what was read: no bytes and no stamp if there is no file.
type snapshot struct {
	src   []byte
	stamp stamp
}

// files is the file system as the loop sees it.
type files interface {
	// read returns the whole file, or an error if it can't or if the file
	// changed while it was read.
	read() (snapshot, error)
	stat() stamp
	// follow sets the watches where the path leads now, all of them anew if
	// forced, and reports whether anything may have happened unseen.
	follow(force bool) bool
}

// loop turns hints into events. It knows nothing of where hints come from.
type loop struct {
	files files
	hints <-chan hint
	out   chan<- Event
	file  string
	o     Options

	known bool         // a first state was read
	src   []byte       // the state that was reported last
	rev   string       // of src, "" without a file
	plan  *mdplan.Plan // the last state that could be read as a plan
	seen  stamp
	queue queue

	timer    *time.Timer
	dirty    time.Time // of the first hint since the last settled state, or zero
	quiet    time.Time // when it will have been quiet for long enough
	unheard  bool      // a look found it, so there may be no hints of a writer
	rechecks int
	failed   int // reads in a row that failed
}

func newLoop(f files, hints <-chan hint, out chan<- Event, file string, o Options) *loop {
	l := &loop{files: f, hints: hints, out: out, file: file, o: o, plan: emptyPlan()}
	l.timer = time.NewTimer(time.Hour)
	l.timer.Stop()
	f.follow(true)
	if snap, err := f.read(); err == nil {
		l.take(snap)
	} else {
		l.fail(err)
	}
	return l
}

func emptyPlan() *mdplan.Plan {
	p, err := mdplan.Parse(nil)
	if err != nil {
		panic(err) // no bytes at all are a plan without items
	}
	return p
}

func (l *loop) run(ctx context.Context) {
	defer l.timer.Stop()
	tick := time.NewTicker(tickTime)
	defer tick.Stop()
	for {
		out, next := l.out, Event{}
		if len(l.queue) > 0 {
			next = l.queue[0].Event
		} else {
			out = nil
		}
		select {
		case <-ctx.Done():
			return
		case h, ok := <-l.hints:
			if !ok {
				l.hints = nil // the looks go on
				continue
			}
			l.hint(h)
		case <-l.timer.C:
			l.settle()
		case <-tick.C:
			l.look()
		case out <- next:
			l.queue = l.queue[1:]
		}
	}
}

func (l *loop) hint(h hint) {
	switch h {
	case replaced:
		if snap, err := l.files.read(); err == nil && l.whole(snap) {
			l.failed = 0
			l.take(snap)
			return // a wait that goes on for earlier hints is left alone
		}
	case uprooted:
		l.files.follow(true)
	}
	l.wait()
}

// whole reports whether what was read after a rename onto the path can be
// nothing but a finished save. Were the file written again in place since, it
// could be cut off: then it is empty or, most likely, as the old one began.
func (l *loop) whole(snap snapshot) bool {
	return l.known && len(snap.src) > 0 && !l.cutOff(snap)
}

func (l *loop) cutOff(snap snapshot) bool {
	return len(snap.src) < len(l.src) && bytes.HasPrefix(l.src, snap.src)
}

// wait puts the next read off until it is quiet.
func (l *loop) wait() {
	now := time.Now()
	if l.dirty.IsZero() {
		l.dirty = now
	}
	l.quiet = now.Add(cmp.Or(l.o.quietTime, quietTime))
	at := l.quiet
	if most := l.dirty.Add(maxWait); at.After(most) {
		at = most
	}
	l.timer.Reset(at.Sub(now))
}

// settle reads the file after the wait.
func (l *loop) settle() {
	snap, err := l.files.read()
	if err != nil {
		l.fail(err)
		return
	}
	l.failed = 0
	now := time.Now()
	switch late := now.Sub(l.dirty) >= maxWait; {
	case l.unheard && snap.stamp != l.seen && !late:
		l.seen = snap.stamp
		l.wait()
		return
	case now.Before(l.quiet) && l.cutOff(snap):
		l.dirty = now // still in the middle of a save: allow it as long again
		l.wait()
		return
	}
	l.dirty, l.unheard = time.Time{}, false
	l.take(snap)
}

// look is the one thing that happens while nothing happens.
func (l *loop) look() {
	if !l.dirty.IsZero() {
		return // it will be read anyway
	}
	st := l.files.stat()
	switch {
	case st != l.seen:
		l.seen = st
		l.unheard = true
		l.rechecks = rechecks
	case l.rechecks > 0:
		l.rechecks--
	case l.failed == 0:
		return
	}
	l.wait()
}

// take makes what was read the state of the file.
func (l *loop) take(snap snapshot) {
	if snap.stamp != l.seen {
		l.seen = snap.stamp
		l.rechecks = rechecks
	}
	if !l.known {
		l.begin(snap)
	} else if !bytes.Equal(snap.src, l.src) {
		l.report(snap)
	}
	if l.files.follow(false) {
		l.wait()
	}
}

// fail tries again a few times, then says once that the file can't be read.
func (l *loop) fail(err error) {
	l.failed++
	if l.failed <= maxRetries {
		if l.dirty.IsZero() {
			l.dirty = time.Now()
		}
		l.timer.Reset(firstRetry << (l.failed - 1))
		return
	}
	l.dirty = time.Time{}
	l.files.follow(false) // the folder may be another one
	if l.failed == maxRetries+1 {
		code := "unreadable"
		if parse := (*mdplan.ParseError)(nil); errors.As(err, &parse) {
			code = parse.Code
		}
		l.warn(code, "the file can't be read: "+reason(err))
	}
}

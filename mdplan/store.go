package mdplan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Store is one plan file and the state folder beside it. It may be used by
// several goroutines at once, and by several processes through Stores of their
// own. It keeps no round log: a change that [Store.Update] makes is taken for a
// human's edit by the sessions of the plan. Who has a name uses a [Session].
//
// # What it promises
//
// Updates of one plan come one after the other, whatever process they come
// from. Who reads the file sees a whole revision, the old or the new one. If
// the process dies or the disk is full, the file is the old or the new
// revision, and the next update goes on from there. An update that succeeded
// is on the disk. A save by an editor that takes no lock, in place or by
// renaming, is not overwritten: the edit is made again on top of it. Mode and
// owner stay, and a symbolic link stays a link, whose target is changed. An
// edit that changes no byte touches nothing.
//
// # What it does not promise
//
//   - On Linux an editor's save is noticed at any moment, because the new
//     revision is exchanged with the old one and what was displaced is looked
//     at. On other systems, and on file systems that can't exchange, the file
//     is compared right before it is replaced: a save in the microseconds
//     between the two is lost.
//   - A program that holds the plan open and writes into it after it was
//     replaced writes into a file without a name. On Linux that is waited for
//     for a second, where the file is the caller's own and on a local disk.
//   - A reader may, while an editor's save is being given way to, see the new
//     revision for a moment, then the editor's, then both together.
//   - Without locks (some network file systems) updates from several machines
//     may lose each other. A disk that lies about fsync can lose an update
//     when the power fails.
//   - Replacing breaks hard links: the plan's other names keep the old
//     revision. Access lists and extended attributes beyond mode and owner are
//     not copied.
//   - The owner stays only if this process may give files away; else the file
//     becomes the caller's, who could write it before. A group that can't be
//     kept loses whatever the file does not grant to everybody, so that nobody
//     gains access.
//   - One temporary file of a killed writer may remain, until the next change.
type Store struct {
	path string
	turn chan struct{} // held by the one goroutine that is at the file lock
	log  recorder
	seen *seenLog
	// anything lets an update begin with a file that can't be read as a plan.
	anything bool

	// What tests replace.
	pause    func(step) // called at each step of an update, if not nil
	exchange func(a, b string) error
}

// What keeps a plan file from being read or changed.
var (
	// ErrNoPlan is wrapped where there is no plan file. It is an [fs.ErrNotExist].
	ErrNoPlan error = noPlanError{}
	// ErrNotRegular is wrapped where the path leads to a folder, pipe, socket
	// or device.
	ErrNotRegular = errors.New("not a regular file")
	// ErrLocked is wrapped where somebody else holds the lock for too long.
	ErrLocked = errors.New("the plan is locked")
	// ErrChanging is wrapped where every try of an update was overtaken by
	// another program's save.
	ErrChanging = errors.New("the plan keeps changing")
)

type noPlanError struct{}

func (noPlanError) Error() string        { return "there is no plan file" }
func (noPlanError) Is(target error) bool { return target == fs.ErrNotExist }

// maxTries is how often an update starts again because an editor saved in
// between. Each try takes some milliseconds, so that only a program that saves
// without a pause comes so far.
const maxTries = 20

// errRaced is the reason to start an update again: the file changed under it,
// and holds what the other program saved.
var errRaced = errors.New("another program changed the plan")

// recorder is told of every revision: this is the place of the round log. The
// lock is held during each call.
type recorder interface {
	// planned comes after the edit and before anything is written. If it
	// fails, the plan is not changed.
	planned(at paths, before, after *Plan) error
	// done comes when the revision is in place.
	done(at paths, after *Plan) error
	// dropped comes when it surely is not: an editor's save overtook the write,
	// or it failed.
	dropped(at paths)
	// keep takes the temporary file away. It holds bytes that may exist
	// nowhere else: an editor's save that another one overtook, or what a
	// killed writer left.
	keep(at paths) error
}

// noLog keeps lost bytes as one file in the state folder, the latest only.
type noLog struct{}

func (noLog) planned(paths, *Plan, *Plan) error { return nil }
func (noLog) done(paths, *Plan) error           { return nil }
func (noLog) dropped(paths)                     {}
func (noLog) keep(at paths) error               { return rename(at.temp, at.lost) }

// step names a moment of an update at which a test may act.
type step string

const (
	stepRead      step = "read"      // the file was read under the lock
	stepWritten   step = "written"   // the temporary file is complete
	stepChecked   step = "checked"   // the file was found unchanged, and is replaced next
	stepExchanged step = "exchanged" // the displaced file is compared next
)

func (s *Store) reached(at step) {
	if s.pause != nil {
		s.pause(at)
	}
}

// Open returns the store of the plan file at path, which need not exist. It
// does no input or output.
func Open(path string) *Store {
	return &Store{path: path, turn: make(chan struct{}, 1), log: noLog{}, seen: &seenLog{}, exchange: exchange}
}

// Path returns the path that the store was opened with.
func (s *Store) Path() string { return s.path }

// Read reads the plan. It takes no lock and creates nothing. The error is
// [ErrNoPlan] if there is no file, [ErrNotRegular], a [*ParseError], or the
// system's.
func (s *Store) Read() (*Plan, error) {
	at, err := resolve(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.noPlan()
	}
	if err != nil {
		return nil, err
	}
	v, err := readSettled(context.Background(), at.file, 0)
	if err != nil {
		return nil, err
	}
	if !v.exists() {
		return nil, s.noPlan()
	}
	return s.parse(v)
}

func (s *Store) noPlan() error { return fmt.Errorf("%w at %q", ErrNoPlan, s.path) }

// parseAny is Parse for bytes that need not be a plan: then it has no item.
func parseAny(src []byte) *Plan {
	p, err := Parse(src)
	if err != nil {
		p = emptyPlan()
		p.src, p.rev = src, RevOf(src)
	}
	return p
}

func (s *Store) parse(v version) (*Plan, error) {
	p, err := parseOwn(v.src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	return p, nil
}

// Update changes the plan. It calls edit with the plan as it is under the lock
// (without an item and a byte if there is no file yet), puts what edit returns
// in place of the file, and returns it. If the bytes are the same, nothing is
// written. An error of edit is returned as it is; the file stays.
//
// Where another program saves the file meanwhile, edit is called again with
// that save; for a plan that is not there yet it may be called once before the
// lock is taken. So it must not keep anything from a former call. It must not
// update the same plan through a store.
//
// Waiting for the lock ends with ctx, at the latest after [LockTimeout]. What
// was begun after that is brought to an end. The error is [ErrLocked],
// [ErrChanging], one of [Store.Read] but ErrNoPlan, ctx's, edit's or the
// system's; none of them leaves the plan changed, but for the one that says so.
func (s *Store) Update(ctx context.Context, edit func(*Plan) (*Plan, error)) (*Plan, error) {
	for range maxTries {
		p, err := s.try(ctx, edit)
		if !errors.Is(err, errRaced) {
			return p, err
		}
	}
	return nil, fmt.Errorf("%w: another program saved %q %d times during the update; try again when it is quiet", ErrChanging, s.path, maxTries)
}

func (s *Store) try(ctx context.Context, edit func(*Plan) (*Plan, error)) (*Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	at, err := resolve(s.path)
	if err != nil {
		return nil, err
	}
	known := at.known()
	if !known {
		// A plan that is not to be created gets no state folder either.
		v, err := readSettled(ctx, at.file, 0)
		if err != nil {
			return nil, err
		}
		if !v.exists() {
			_, after, changed, err := s.apply(v, edit)
			if err != nil || !changed {
				return after, err
			}
		}
	}
	unlock, err := s.lock(ctx, at)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if now, err := resolve(s.path); err != nil || now != at {
		return nil, errRaced // a link was turned elsewhere, where another lock counts
	}
	var missing time.Duration
	if known {
		missing = quietTime
	}
	v, err := readSettled(ctx, at.file, missing)
	if err != nil {
		return nil, err
	}
	s.reached(stepRead)
	before, after, changed, err := s.apply(v, edit)
	if err != nil || !changed {
		return after, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.write(at, v, before, after); err != nil {
		return nil, err
	}
	return after, nil
}

// apply makes the edit on a version, and reports whether bytes changed.
func (s *Store) apply(v version, edit func(*Plan) (*Plan, error)) (before, after *Plan, changed bool, err error) {
	if s.anything {
		before = parseAny(v.src)
	} else if before, err = s.parse(v); err != nil {
		return nil, nil, false, err
	}
	after, err = edit(before)
	if err != nil {
		return nil, nil, false, err
	}
	if after == nil {
		return nil, nil, false, errors.New("the edit returned neither a plan nor an error")
	}
	return before, after, !bytes.Equal(before.src, after.src), nil
}

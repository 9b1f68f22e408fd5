package mdplan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// LockTimeout is how long an update waits for the lock if its context sets no
// earlier end. An update holds it for some milliseconds; a dozen waiters on a
// slow disk need a second or two, and an agent's tool call may take longer than
// this, but not for ever.
const LockTimeout = 5 * time.Second

// maxHolder is how much of a lock file is read: a process number and a command.
const maxHolder = 128

// lock takes the plan's lock, which keeps goroutines and processes apart. The
// kernel gives it up when the process ends, however that happens.
//
// The wait is in the kernel and not a poll, since then a release wakes the
// waiters at once and they need no luck to meet it. That wait can't be called
// off, so when ctx ends before it does, a goroutine stays behind, which gives
// the lock up as soon as it gets it. At most one stays for each Store, as it
// keeps the Store's turn, for which others wait in the order they came.
func (s *Store) lock(ctx context.Context, at paths) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	limit := LockTimeout
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end))
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, lockError(ctx, at, limit)
	}
	for {
		f, err := openLock(at)
		if errors.Is(err, fs.ErrNotExist) {
			<-s.turn
			return nil, errRaced // a folder was removed
		}
		if err != nil {
			<-s.turn
			return nil, writeError(at, err)
		}
		granted := make(chan error)
		go func() {
			err := lockWhole(f)
			select {
			case granted <- err:
			case <-ctx.Done():
				release(f)
				<-s.turn
			}
		}()
		select {
		case err = <-granted:
		case <-ctx.Done():
			return nil, lockError(ctx, at, limit)
		}
		if err != nil {
			_ = f.Close()
			<-s.turn
			return nil, writeError(at, fmt.Errorf("can't lock %q: %w", at.lock, err))
		}
		if !stands(f, at.lock) {
			release(f)
			continue
		}
		nameHolder(f)
		ignoreState(at)
		return func() {
			_ = f.Truncate(0) // nobody holds it now
			release(f)
			<-s.turn
		}, nil
	}
}

// release unlocks before it closes: a child process that is being started at
// this moment has the file open too, and closing alone would leave it locked.
func release(f *os.File) {
	_ = unlockWhole(f)
	_ = f.Close()
}

// stands reports whether path still leads to f. Somebody may remove the lock
// file while it is waited for, as a clean-up of the working tree does; others
// then lock a new one.
func stands(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(mine, there)
}

// openLock opens the lock file, and creates what is missing.
func openLock(at paths) (*os.File, error) {
	if err := os.Mkdir(at.state, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := folderFree(at); err != nil {
		return nil, err
	}
	if err := fileFree(at.lock); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(at.lock, os.O_RDWR|os.O_CREATE|noFollow, 0o666)
	if errors.Is(err, fs.ErrPermission) {
		// Another user's. Locking needs no more than reading.
		if f, err := os.OpenFile(at.lock, os.O_RDONLY|noFollow, 0); err == nil {
			return f, nil
		}
	}
	return f, err
}

// ignoreState keeps the state folder out of version control, once: who empties
// the file wants the folder in it. The caller holds the lock, and a crash
// leaves no half of it. The plan does not depend on it, so errors wait for the
// next time.
func ignoreState(at paths) {
	path := filepath.Join(at.state, ".gitignore")
	if _, err := os.Lstat(path); err == nil {
		return
	}
	temp := at.lock + "-ignore"
	_ = os.Remove(temp)
	if _, err := writeTemp(temp, nil, []byte("*\n")); err == nil {
		_ = rename(temp, path)
	}
}

// nameHolder says in the lock file who holds it, for those who wait in vain.
// The lock holds without it, so errors (a full disk) don't count.
func nameHolder(f *os.File) {
	text := strconv.Itoa(os.Getpid()) + " " + filepath.Base(os.Args[0])
	if len(os.Args) > 1 && isWord(os.Args[1]) {
		text += " " + os.Args[1] // the command; never a text or a path
	}
	if len(text) >= maxHolder {
		text = text[:maxHolder-1]
	}
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(text+"\n"), 0)
	}
}

func isWord(s string) bool {
	for _, r := range s {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return s != ""
}

// holder says who holds the lock, as far as its file can be believed: the last
// holder's text stays when it is killed.
func holder(path string) string {
	const unknown = "another process"
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return unknown
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxHolder))
	if err != nil {
		return unknown
	}
	number, command, ok := strings.Cut(strings.TrimSpace(string(text)), " ")
	pid, err := strconv.ParseInt(number, 10, 32)
	if !ok || err != nil || pid <= 0 || !lives(int(pid)) {
		return unknown
	}
	return fmt.Sprintf("process %d (%s), as its lock file says", pid, strings.Trim(strconv.Quote(command), `"`))
}

func lockError(ctx context.Context, at paths, limit time.Duration) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("%w: %q was held by %s until the wait was called off: %w", ErrLocked, at.file, holder(at.lock), ctx.Err())
	}
	return fmt.Errorf("%w: %q is held by %s, for more than %v; try again, or end that process: %w",
		ErrLocked, at.file, holder(at.lock), limit.Round(time.Millisecond), ctx.Err())
}

package mdplan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

const (
	// busyTime is how long to wait for a program that is writing into the plan.
	// A save takes milliseconds; the rest is for a machine under load. A
	// program may as well keep the file open and never close it.
	busyTime = time.Second
	// quietTime is how long a missing or empty file is taken for the middle of
	// a save, where nothing tells for certain.
	quietTime = 100 * time.Millisecond
	// pollTime is short against a save's milliseconds and long against the
	// microseconds that a look takes.
	pollTime = 2 * time.Millisecond
)

// version is a plan file as it was read once. The zero value is a file that
// does not exist.
type version struct {
	src  []byte
	info fs.FileInfo
	odd  bool // no file that can be read as a plan: no src
	busy bool // some program has it open for writing
}

func (v version) exists() bool { return v.info != nil }

// same reports whether two versions are equal in all that a write keeps.
func (v version) same(w version) bool {
	if v.odd || w.odd {
		return v.odd && w.odd && os.SameFile(v.info, w.info)
	}
	if !v.exists() || !w.exists() {
		return v.exists() == w.exists()
	}
	return v.info.Mode() == w.info.Mode() && sameOwner(v.info, w.info) && bytes.Equal(v.src, w.src)
}

// readVersion reads the file at path. If it may be the middle of somebody's
// save, patience says for how long another try is worth it.
func readVersion(path string) (v version, patience time.Duration, err error) {
	// Opening alone can have effects (a pipe's writer wakes), so look first.
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return version{}, 0, nil
	}
	if err == nil {
		err = regular(path, info.Mode())
	}
	if err != nil {
		return version{}, 0, readError(path, err)
	}
	f, err := openToRead(path)
	if errors.Is(err, fs.ErrNotExist) {
		return version{}, 0, nil
	}
	if err != nil {
		return version{}, 0, readError(path, err)
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil {
		err = regular(path, info.Mode())
	}
	if err == nil && info.Size() > MaxSize {
		err = tooLarge(info.Size())
	}
	if err != nil {
		return version{}, 0, readError(path, err)
	}
	var b bytes.Buffer
	b.Grow(int(info.Size()) + bytes.MinRead)
	// It may have grown since; one byte more than allowed is enough for Parse.
	if _, err := b.ReadFrom(io.LimitReader(f, MaxSize+1)); err != nil {
		return version{}, 0, readError(path, err)
	}
	busy, known := openForWriting(f)
	v = version{src: b.Bytes(), info: info, busy: busy}
	now, err := f.Stat()
	switch {
	case err == nil && (now.Size() != int64(b.Len()) || !now.ModTime().Equal(info.ModTime())):
		patience = busyTime
	case busy && time.Since(info.ModTime()) < busyTime:
		patience = busyTime // emptied, or written in part, a moment ago
	case !known && b.Len() == 0:
		patience = quietTime
	}
	return v, patience, nil
}

func regular(path string, mode fs.FileMode) error {
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return fmt.Errorf("%w but a folder; name a file in it", ErrNotRegular)
	default:
		return fmt.Errorf("%w but a pipe, socket or device; name a file that can be read again and replaced", ErrNotRegular)
	}
}

func tooLarge(size int64) error {
	return &ParseError{Code: "size", Err: ErrTooLarge, Msg: fmt.Sprintf(
		"the plan file has %d bytes, at most %d are read; move what is finished to another file", size, MaxSize)}
}

func readError(path string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err // the path is named once
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("can't read %q: %w; make it readable for this user", path, err)
	}
	return fmt.Errorf("can't read %q: %w", path, err)
}

// readSettled reads the file at path when no save is under way, as far as that
// can be told. It waits for a file that is missing, as it is between the two
// steps of some editors' saves, for at most missing.
func readSettled(ctx context.Context, path string, missing time.Duration) (version, error) {
	for begin := time.Now(); ; {
		v, patience, err := readVersion(path)
		if err != nil {
			return version{}, err
		}
		if !v.exists() {
			patience = missing
		}
		if time.Since(begin) >= patience {
			return v, nil
		}
		select {
		case <-ctx.Done():
			return version{}, ctx.Err()
		case <-time.After(pollTime):
		}
	}
}

// readDisplaced reads what the exchange of files left at path. It may be
// anything. Nobody can open it as the plan any more, so when those who had
// done so are through, it is final.
func readDisplaced(path string) version {
	info, err := os.Lstat(path)
	if err != nil {
		return version{}
	}
	if !info.Mode().IsRegular() {
		return version{info: info, odd: true}
	}
	for begin := time.Now(); ; time.Sleep(pollTime) {
		v, err := readSettled(context.Background(), path, 0)
		if err != nil {
			return version{info: info, odd: true}
		}
		if !v.busy || time.Since(begin) >= busyTime {
			return v
		}
	}
}

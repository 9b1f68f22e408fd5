package mdplan

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// errNoExchange is what exchange and renameNew say where the system can't.
var errNoExchange = errors.New("files can't be exchanged here")

// write puts after in place of before, which was parsed from v. The error is
// errRaced if the file is not v any more; it then holds what the other program
// saved.
func (s *Store) write(at paths, v version, before, after *Plan) error {
	if v.exists() {
		err := mayWrite(at.file, v.info)
		if errors.Is(err, fs.ErrNotExist) {
			return errRaced
		}
		if err != nil {
			return writeError(at, fmt.Errorf("the file is read-only: %w", err))
		}
	}
	if err := s.log.planned(at, before, after); err != nil {
		return writeError(at, err)
	}
	if err := s.put(at, v, after.src); err != nil {
		if !errors.Is(err, ErrChanging) { // then whoever comes next has to look
			s.log.dropped(at)
		}
		return err
	}
	if err := syncDir(at.dir); err != nil {
		return fmt.Errorf("the plan is changed, but may be the old one after a power failure: %w", err)
	}
	// Only now: until then it is the one copy that is surely on the disk. What
	// can't be removed is cleared before the next write.
	_ = os.Remove(at.temp)
	return s.log.done(at, after)
}

func (s *Store) put(at paths, v version, src []byte) error {
	if err := s.clearTemp(at, v.src); err != nil {
		return writeError(at, err)
	}
	ours, err := writeTemp(at.temp, v.info, src)
	if err != nil {
		return writeError(at, err)
	}
	s.reached(stepWritten)
	if !unchanged(at.file, v) {
		_ = os.Remove(at.temp)
		return errRaced
	}
	s.reached(stepChecked)
	if v.exists() {
		err = s.exchangeIn(at, v, ours)
	} else {
		err = renameNew(at.temp, at.file)
	}
	switch {
	case err == nil, errors.Is(err, errRaced), errors.Is(err, ErrChanging):
		return err
	}
	_ = os.Remove(at.temp)
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return errRaced // somebody created or removed the file
	}
	return writeError(at, err)
}

// exchangeIn exchanges the temporary file, which is ours, with the plan file,
// which was found to be v, and looks at what came out. If that is not v, it is
// a save newer than v: it goes back at once, so that it stands in its place
// whatever becomes of the edit. What comes out then should be ours; if it is
// not, it is a newer save still. So the newest save is in place in the end, and
// a former one is kept. A crash leaves each of them under one of the two names.
//
// Errors of the first exchange leave everything as it was.
func (s *Store) exchangeIn(at paths, v, ours version) error {
	in, expected := ours, v
	for i := range maxTries {
		err := s.exchange(at.temp, at.file)
		if i == 0 && errors.Is(err, errNoExchange) {
			return rename(at.temp, at.file)
		}
		if i == 0 && err != nil {
			return err
		}
		if errors.Is(err, fs.ErrNotExist) {
			// The plan was removed in this moment. A save that nobody saw is
			// worth more than its removal.
			if err = renameNew(at.temp, at.file); err == nil {
				return errRaced
			}
			if errors.Is(err, fs.ErrExist) {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("%w: another program's save could not be put back and is in %q: %w", ErrChanging, at.temp, err)
		}
		s.reached(stepExchanged)
		out := readDisplaced(at.temp)
		if out.exists() && !out.same(expected) {
			in, expected = out, in
			continue
		}
		switch {
		case i == 0:
			return nil
		case expected.same(ours) || !out.exists():
			_ = os.Remove(at.temp)
		default:
			if err := s.log.keep(at); err != nil {
				return fmt.Errorf("%w: a save that another one overtook is in %q: %w", ErrChanging, at.temp, err)
			}
		}
		return errRaced
	}
	return fmt.Errorf("%w: the last save of another program is in %q", ErrChanging, at.temp)
}

// unchanged reports whether the file is v still, and not a link to such a file.
func unchanged(path string, v version) bool {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return false
	}
	now, _, err := readVersion(path)
	return err == nil && now.same(v)
}

// clearTemp makes the temporary name free. What a killed writer left there is
// kept unless it is known to be in the plan file; whether it is a former
// revision or was never whole, only the round log can tell.
func (s *Store) clearTemp(at paths, current []byte) error {
	info, err := os.Lstat(at.temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() && info.Size() > 0 {
		left, _, err := readVersion(at.temp)
		if err != nil || !bytes.Equal(left.src, current) {
			return s.log.keep(at)
		}
	}
	// Removed, never written over: it may have other names, and be a link.
	return os.Remove(at.temp)
}

// writeTemp writes a new file to the disk, with mode and owner of like unless
// that is nil. It leaves nothing behind if it fails.
func writeTemp(path string, like fs.FileInfo, src []byte) (v version, err error) {
	perm := fs.FileMode(0o666) // before the umask, as of any new file
	if like != nil {
		perm = 0o600 // nobody else's until it has its owner
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, perm)
	if err != nil {
		return version{}, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(path)
		}
	}()
	if _, err := f.Write(src); err != nil {
		return version{}, err
	}
	if like != nil {
		if err := keepMode(f, like); err != nil {
			return version{}, err
		}
	}
	if err := f.Sync(); err != nil {
		return version{}, err
	}
	info, err := f.Stat()
	if err != nil {
		return version{}, err
	}
	return version{src: src, info: info}, f.Close()
}

// keepMode gives f mode and owner of like, the owner first, since a change of
// owner drops bits of the mode.
func keepMode(f *os.File, like fs.FileInfo) error {
	mode, err := keepOwner(f, like)
	if err != nil {
		return err
	}
	if now, err := f.Stat(); err == nil && now.Mode() == mode {
		return nil // file systems without modes refuse to set one
	}
	return f.Chmod(mode)
}

// linkNew is renameNew by a hard link, which fails where the name is taken.
func linkNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		return os.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// No hard links here: look, then rename, with a gap in between.
	if _, err := os.Lstat(to); err == nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: fs.ErrExist}
	}
	return rename(from, to)
}

// writeError is for what left the plan as it was.
func writeError(at paths, err error) error {
	const format = "can't change %q, which is as it was: %w; %s"
	switch {
	case isFull(err):
		return fmt.Errorf(format, at.file, err, "free some space and try again")
	case isReadOnly(err):
		return fmt.Errorf(format, at.file, err, "make the file and its folder writable for this user (reading needs neither)")
	default:
		return fmt.Errorf("can't change %q, which is as it was: %w", at.file, err)
	}
}

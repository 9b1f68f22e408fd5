package mdplan

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two files in one step. The error is errNoExchange where the
// kernel, a sandbox (EPERM) or the file system does not do that.
func exchange(a, b string) error {
	return renameat2(a, b, unix.RENAME_EXCHANGE)
}

// renameNew renames a file to a name that is free.
func renameNew(from, to string) error {
	err := renameat2(from, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, errNoExchange) {
		return linkNew(from, to)
	}
	return err
}

func renameat2(from, to string, flags uint) error {
	var err error
	for {
		err = unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, flags)
		if err != unix.EINTR {
			break
		}
	}
	switch err {
	case nil:
		return nil
	case unix.EINVAL, unix.ENOSYS, unix.EOPNOTSUPP, unix.EPERM:
		return errNoExchange
	default:
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
}

// openForWriting reports whether any process has the file open for writing,
// and whether that is known at all. A lease for reading is granted only where
// nobody has; it is given back at once. It needs a local file system and the
// file's owner. f must be open for reading only.
func openForWriting(f *os.File) (open, known bool) {
	// In the moment of the lease a program that opens the file for writing
	// would have SIGIO sent, which ends a process that has no handler. SIGURG
	// is ignored by default.
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETSIG, int(unix.SIGURG)); err != nil {
		return false, false
	}
	switch _, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK); err {
	case nil:
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
		return false, err == nil
	case unix.EAGAIN:
		return true, true
	default:
		return false, false
	}
}

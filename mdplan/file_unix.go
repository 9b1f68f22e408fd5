//go:build unix

package mdplan

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noFollow keeps an open from going through a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// openToRead opens without waiting for a pipe's other end, should a pipe have
// come into the place of a file.
func openToRead(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

func rename(from, to string) error { return os.Rename(from, to) }

// mayWrite asks for what the mode says, since replacing a file needs only its
// folder to be writable.
func mayWrite(path string, _ fs.FileInfo) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
}

func sameOwner(a, b fs.FileInfo) bool {
	x, xok := a.Sys().(*syscall.Stat_t)
	y, yok := b.Sys().(*syscall.Stat_t)
	return xok && yok && x.Uid == y.Uid && x.Gid == y.Gid
}

// keepOwner gives f the owner and group of like, and returns the mode that f
// may have then. See [Store] for what happens where that is not allowed.
func keepOwner(f *os.File, like fs.FileInfo) (fs.FileMode, error) {
	mode := like.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	have, err := f.Stat()
	if err != nil || sameOwner(have, like) {
		return mode, err
	}
	want, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return mode, nil
	}
	if f.Chown(int(want.Uid), int(want.Gid)) == nil {
		return mode, nil
	}
	mode &= fs.ModePerm
	if f.Chown(-1, int(want.Gid)) == nil {
		return mode, nil
	}
	return mode&^0o070 | mode&(mode<<3)&0o070, nil
}

// syncDir makes a rename in dir last. Some file systems can't do that for
// folders, and say so with EINVAL.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// isFull reports whether err says that no more bytes can be written.
func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// isReadOnly reports whether err says that nothing may be written.
func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package mdplan

import (
	"os"
	"syscall"
)

// lockWhole waits until no other open file of the same name is locked. That
// may be of this process.
func lockWhole(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func unlockWhole(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}

// lives reports whether there is such a process; another user's counts.
func lives(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}

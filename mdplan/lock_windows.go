package mdplan

import (
	"os"

	"golang.org/x/sys/windows"
)

// The locked byte lies behind all that is written into the file, since Windows
// keeps others from reading what is locked.
var lockedByte = windows.Overlapped{OffsetHigh: 1}

// lockWhole waits until no other open file of the same name is locked. That
// may be of this process.
func lockWhole(f *os.File) error {
	at := lockedByte
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &at)
}

func unlockWhole(f *os.File) error {
	at := lockedByte
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &at)
}

// lives reports whether there is such a process.
func lives(pid int) bool {
	h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return err == windows.ERROR_ACCESS_DENIED
	}
	defer windows.CloseHandle(h)
	event, err := windows.WaitForSingleObject(h, 0)
	return err == nil && event == uint32(windows.WAIT_TIMEOUT)
}

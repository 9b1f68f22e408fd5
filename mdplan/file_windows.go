package mdplan

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// noFollow: a new file is created only where no name is, so that nothing could
// be followed.
const noFollow = 0

// sharingTime is how long to try again while another program has the file open
// in a way that forbids what is to be done. Virus scanners and search indexers
// do for some hundred milliseconds after each write.
const sharingTime = 2 * time.Second

func whileShared(do func() error) error {
	for begin := time.Now(); ; time.Sleep(pollTime) {
		err := do()
		busy := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !busy || time.Since(begin) > sharingTime {
			return err
		}
	}
}

func openToRead(path string) (f *os.File, err error) {
	err = whileShared(func() error {
		f, err = os.Open(path)
		return err
	})
	return f, err
}

func rename(from, to string) error {
	return whileShared(func() error { return os.Rename(from, to) })
}

func mayWrite(_ string, info fs.FileInfo) error {
	if info.Mode()&0o200 == 0 {
		return fs.ErrPermission
	}
	return nil
}

// sameOwner: files are created with the access list that the folder hands
// down, as those of other programs are.
func sameOwner(_, _ fs.FileInfo) bool { return true }

func keepOwner(_ *os.File, like fs.FileInfo) (fs.FileMode, error) {
	return like.Mode() & fs.ModePerm, nil
}

// syncDir: Windows has no such call; NTFS logs its renames.
func syncDir(string) error { return nil }

func isFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) ||
		errors.Is(err, windows.ERROR_FILE_TOO_LARGE) || errors.Is(err, syscall.ENOSPC)
}

func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, windows.ERROR_WRITE_PROTECT)
}

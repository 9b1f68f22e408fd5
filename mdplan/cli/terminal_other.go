//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd && !windows

package cli

import "os"

// terminal takes /dev/null for one too: nothing better is known here.
func terminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func terminalSize(*os.File) (columns, rows int) { return 0, 0 }

func onResize(chan<- os.Signal) {}

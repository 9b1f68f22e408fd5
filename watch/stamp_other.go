//go:build !linux

package watch

import "io/fs"

// stampOf does without the number of the file: where it matters most, for a
// rename onto the path, only Linux tells of one.
func stampOf(fi fs.FileInfo) stamp {
	return stamp{size: fi.Size(), mtime: fi.ModTime().UnixNano()}
}

package mdplan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// inWayError says that something else has the name of the state folder or of a
// file in it. It is never followed nor overwritten: a link could lead the writes
// of this folder anywhere, a repository from elsewhere may bring one, and a file
// may be somebody's.
type inWayError struct {
	path string
	is   fs.FileMode
	want string
}

func (e *inWayError) Error() string {
	is := "a pipe, socket or device"
	switch {
	case e.is.IsRegular():
		is = "a file"
	case e.is.IsDir():
		is = "a folder"
	case e.is&fs.ModeSymlink != 0:
		is = "a link"
	}
	return fmt.Sprintf("%q is %s where %s belongs; move it away", e.path, is, e.want)
}

func isInWay(err error) bool {
	var e *inWayError
	return errors.As(err, &e)
}

// folderFree returns an error if something else has the place of the state folder.
func folderFree(at paths) error {
	info, err := os.Lstat(at.state)
	if err == nil && !info.IsDir() {
		return &inWayError{at.state, info.Mode(), "the folder of the round log and the lock"}
	}
	return err
}

// fileFree returns an error if something else has the place of a file in it.
func fileFree(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return &inWayError{path, info.Mode(), "a file"}
	}
	return err
}

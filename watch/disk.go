package watch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/todomd/todomd/mdplan"
)

var (
	errChanging   = errors.New("it changes all the time")
	errNotRegular = errors.New("not a regular file")
)

// readFile reads a file whole. No file is no error.
func readFile(path string) (snapshot, error) {
	// A pipe would block the open.
	if fi, err := os.Stat(path); err != nil {
		return snapshot{}, unlessMissing(err)
	} else if !fi.Mode().IsRegular() {
		return snapshot{}, errNotRegular
	}
	f, err := os.Open(path)
	if err != nil {
		return snapshot{}, unlessMissing(err)
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return snapshot{}, err
	}
	if before.Size() > mdplan.MaxSize {
		return snapshot{}, &mdplan.ParseError{Code: "size", Err: mdplan.ErrTooLarge,
			Msg: fmt.Sprintf("it has %d bytes, at most %d are read", before.Size(), mdplan.MaxSize)}
	}
	src := make([]byte, before.Size()+1) // one more, to see that it ends there
	n, err := io.ReadFull(f, src)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return snapshot{}, err
	}
	after, err := f.Stat()
	if err != nil {
		return snapshot{}, err
	}
	if int64(n) != before.Size() || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return snapshot{}, errChanging
	}
	return snapshot{src[:n:n], stampOf(after)}, nil
}

func unlessMissing(err error) error {
	if missing(err) {
		return nil
	}
	return err
}

// missing also takes a file where the folder should be for no file.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// statFile looks at what a path leads to.
func statFile(path string) stamp {
	fi, err := os.Stat(path)
	switch {
	case err == nil:
		return stampOf(fi)
	case missing(err):
		return stamp{}
	}
	return stamp{bad: true}
}

// reason is an error's text without the path, which the event has anyway.
func reason(err error) string {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

//go:build !linux

package mdplan

import "os"

func exchange(_, _ string) error { return errNoExchange }

// renameNew renames a file to a name that is free.
func renameNew(from, to string) error { return linkNew(from, to) }

func openForWriting(*os.File) (open, known bool) { return false, false }

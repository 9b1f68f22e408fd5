package mdplan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// stateFolder is the name of the folder beside a plan file that holds its
// round log and its lock.
const stateFolder = ".todomd"

// maxLinks is how many symbolic links a plan's path may go through: as many as
// Linux itself follows.
const maxLinks = 40

// paths are where a plan file really is, and what belongs to it. The path of
// every part is absolute. They are comparable.
type paths struct {
	dir   string // the folder, without symbolic links
	file  string // the plan file, no symbolic link
	temp  string // what a write prepares; one fixed name, so that litter can't grow
	state string // the state folder
	lock  string
	log   string
	lost  string // bytes that nobody knows, while there is no log to take them
}

func pathsOf(dir, name string) paths {
	state := filepath.Join(dir, stateFolder)
	return paths{
		dir:   dir,
		file:  filepath.Join(dir, name),
		temp:  filepath.Join(dir, "."+name+".todomd-tmp"),
		state: state,
		lock:  filepath.Join(state, name+".lock"),
		log:   filepath.Join(state, name+".log"),
		lost:  filepath.Join(state, name+".lost"),
	}
}

// known reports whether the plan was ever changed through a store.
func (at paths) known() bool {
	_, err := os.Lstat(at.lock)
	return err == nil
}

// resolve follows the symbolic links of path, also to a file that does not
// exist yet. Where a folder on the way is missing the error is an
// fs.ErrNotExist.
func resolve(path string) (paths, error) {
	if path == "" {
		return paths{}, errors.New("no plan file is named")
	}
	next := path
	for range maxLinks {
		// Split, unlike Dir, keeps "link/..", which is not where link stands.
		dir, name := filepath.Split(next)
		if dir == "" {
			dir = "."
		}
		switch name {
		case "", ".", "..":
			return paths{}, fmt.Errorf("%q is a folder, %w; name a file in it", path, ErrNotRegular)
		}
		dir, err := filepath.EvalSymlinks(dir)
		if err == nil {
			dir, err = filepath.Abs(dir)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return paths{}, fmt.Errorf("the folder of %q does not exist; create it first: %w", path, err)
		}
		if err != nil {
			return paths{}, fmt.Errorf("can't follow %q: %w", path, err)
		}
		next = filepath.Join(dir, name)
		to, err := os.Readlink(next)
		if err != nil {
			return pathsOf(dir, name), nil // no link; whether it can be read is seen on reading
		}
		if !filepath.IsAbs(to) {
			to = dir + string(filepath.Separator) + to
		}
		next = to
	}
	return paths{}, fmt.Errorf("%q is a link that leads back to itself, or through more than %d others; mend it or name the file itself", path, maxLinks)
}

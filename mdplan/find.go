package mdplan

import (
	"fmt"
	"os"
	"path/filepath"
)

// planNames are the paths, below a folder, where a plan file is looked for, in
// this order. The first is the one that is created.
var planNames = [...]string{
	"todo.md",
	"TODO.md",
	filepath.Join("tasks", "todo.md"),
	filepath.Join("docs", "todo.md"),
	filepath.Join("docs", "TODO.md"),
	filepath.Join(".claude", "todo.md"),
}

// Find returns the plan file for work in dir, an absolute path: file, if that
// is not empty (below dir, unless it is absolute), else the first of the usual
// names in dir or the nearest folder above it. It does not go above the
// repository that dir is in, nor above dir where there is none. If there is no
// such file, it is the first of those that has a round log there, so that it
// can be restored, else todo.md in dir.
//
// A hint, to be shown as it is, names a file that could have been meant too.
func Find(dir, file string) (path string, hints []string) {
	if file != "" {
		if !filepath.IsAbs(file) {
			// Not Join: "link/.." is not dir.
			file = dir + string(filepath.Separator) + file
		}
		return file, nil
	}
	folders := foldersOf(dir)
	for _, folder := range folders {
		found := plansIn(folder)
		if len(found) == 0 {
			continue
		}
		for _, other := range found[1:] {
			hints = append(hints, fmt.Sprintf("the plan is %q; there is %q too, which --file or TODOMD_FILE chooses", found[0], other))
		}
		return found[0], hints
	}
	for _, folder := range folders {
		for _, name := range planNames {
			path := filepath.Join(folder, name)
			if hasLog(path) {
				return path, nil
			}
		}
	}
	return filepath.Join(dir, planNames[0]), nil
}

// foldersOf returns dir and those above it up to the root of its repository,
// the nearest first.
func foldersOf(dir string) []string {
	dir = filepath.Clean(dir)
	var folders []string
	for folder := dir; ; {
		folders = append(folders, folder)
		// A file in a work tree that is linked or a submodule.
		if exists(filepath.Join(folder, ".git")) {
			return folders
		}
		above := filepath.Dir(folder)
		if above == folder {
			return []string{dir}
		}
		folder = above
	}
}

// plansIn returns the plan files of a folder, each once: two names may be one
// file, by a link or where case does not count.
func plansIn(folder string) []string {
	var paths []string
	var infos []os.FileInfo
next:
	for _, name := range planNames {
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		for _, other := range infos {
			if os.SameFile(info, other) {
				continue next
			}
		}
		paths, infos = append(paths, path), append(infos, info)
	}
	return paths
}

func hasLog(path string) bool {
	at, err := resolve(path)
	if err != nil {
		return false
	}
	info, err := os.Stat(at.log)
	return err == nil && info.Mode().IsRegular()
}

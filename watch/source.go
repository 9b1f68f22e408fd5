package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fsnotify/fsnotify"
)

// codeEvents is the code of the one problem that is no trouble with the file.
const codeEvents = "events"

// disk is the real file system, with fsnotify for its hints.
type disk struct {
	path  string
	hints chan hint // nil without fsnotify
	err   error     // why there are no events though they were asked for

	watcher *fsnotify.Watcher
	watched map[string]stamp // the folders, as they were when their watch was set
	places  atomic.Pointer[places]
	done    chan struct{}
	pumps   sync.WaitGroup
}

// places are the names whose events concern the file.
type places struct{ folders, bases []string }

// hintBuffer lets fsnotify go on while the loop parses a plan.
const hintBuffer = 64

func newDisk(path string, poll bool) *disk {
	d := &disk{path: path, watched: map[string]stamp{}, done: make(chan struct{})}
	d.places.Store(&places{})
	if poll {
		return d
	}
	if d.watcher, d.err = fsnotify.NewWatcher(); d.err != nil {
		return d
	}
	d.hints = make(chan hint, hintBuffer)
	d.pumps.Go(func() { d.pump(d.watcher.Events, d.watcher.Errors) })
	return d
}

func (d *disk) close() {
	close(d.done)
	if d.watcher != nil {
		d.watcher.Close() // nothing is lost by a descriptor that can't be closed
	}
	d.pumps.Wait()
}

func (d *disk) read() (snapshot, error) { return readFile(d.path) }
func (d *disk) stat() stamp             { return statFile(d.path) }

// pump turns events into hints until its channels are closed.
func (d *disk) pump(events <-chan fsnotify.Event, errs <-chan error) {
	for {
		h := touched
		select {
		case e, ok := <-events:
			if !ok {
				return
			}
			if h = d.places.Load().hint(e); h == 0 {
				continue
			}
		case _, ok := <-errs:
			if !ok {
				return
			}
			// An overflow, or an event that could not be read: anything may
			// have happened.
		}
		select {
		case d.hints <- h:
		case <-d.done:
			return
		}
	}
}

// hint returns what an event means for the file, 0 for nothing. Names are
// compared without their folder, which fsnotify reports as it was given, and
// in any case, since some file systems do: a hint too many costs one read.
func (p *places) hint(e fsnotify.Event) hint {
	if slices.Contains(p.folders, e.Name) {
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			return uprooted
		}
		return 0 // its mode, or its own folder's view of it
	}
	base := filepath.Base(e.Name)
	if !slices.ContainsFunc(p.bases, func(b string) bool { return strings.EqualFold(b, base) }) {
		return 0
	}
	if renamedOnto(e) {
		return replaced
	}
	return touched
}

// renamedOnto reports whether the event is one half of a rename within the
// watched folders. fsnotify knows that from inotify's cookies but tells it in
// the event's text only.
func renamedOnto(e fsnotify.Event) bool {
	if !e.Has(fsnotify.Create) {
		return false
	}
	rest, ok := strings.CutPrefix(e.String(), fmt.Sprintf("%-13s %q", e.Op.String(), e.Name))
	return ok && strings.HasPrefix(rest, " ← ")
}

// follow watches the folder of the path and, if it is a link, that of the file
// that it leads to.
func (d *disk) follow(force bool) bool {
	if d.watcher == nil {
		return false
	}
	now := &places{}
	add := func(path string) {
		now.folders = append(now.folders, filepath.Dir(path))
		now.bases = append(now.bases, filepath.Base(path))
	}
	add(d.path)
	if fi, err := os.Lstat(d.path); err == nil && fi.Mode()&os.ModeSymlink != 0 {
		if target, err := filepath.EvalSymlinks(d.path); err == nil {
			add(target)
		} else if next, err := os.Readlink(d.path); err == nil {
			if !filepath.IsAbs(next) {
				next = filepath.Join(filepath.Dir(d.path), next)
			}
			add(next) // a file that is still to come
		}
	}
	d.places.Store(now)
	return d.watch(now.folders, force)
}

// watch sets the watches that are missing and reports whether there were any.
func (d *disk) watch(folders []string, force bool) bool {
	for folder := range d.watched {
		if force || !slices.Contains(folders, folder) {
			d.watcher.Remove(folder) // it may be gone already, with its folder
			delete(d.watched, folder)
		}
	}
	news := false
	for _, folder := range folders {
		is := folderStamp(folder)
		if was, ok := d.watched[folder]; ok {
			if is == was {
				continue
			}
			d.watcher.Remove(folder)
			delete(d.watched, folder)
		}
		if err := d.watcher.Add(folder); err == nil {
			d.watched[folder] = is
			news = true
		} else if d.err == nil && !missing(err) {
			d.err = err
		}
	}
	return news
}

// folderStamp has only what tells one folder from another.
func folderStamp(path string) stamp {
	s := statFile(path)
	return stamp{dev: s.dev, ino: s.ino, bad: s.bad}
}

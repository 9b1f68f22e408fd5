// Package watch reports the edits of a plan file as they settle: who made
// each, and what it changed, item by item. It never writes the plan.
//
// # What is promised
//
// The bytes on disk are the truth; events of the file system are hints only.
// A change of the bytes is reported once, whatever way it was saved; what ends
// where it began (a touch, a new mode, the same bytes written again) is none.
// Atomic saves that are certain to be whole are reported at once: another file
// was renamed onto the plan, it has content, and it is not merely the beginning
// of what stood there before. Everything else is reported when nothing has
// happened to the file for 100 ms, or after five seconds for a file that is
// written all the time. Until then a missing or an empty file is taken for the
// middle of a save. Several saves within that time are one edit, but for those
// that [Options.History] knows.
//
// The bytes don't tell who wrote them: without [Options.History] every edit is
// a human's, an agent's too. With the plan's [mdplan.Store] it is one line:
//
//	watch.File(ctx, store.Path(), watch.Options{History: store.Revisions})
//
// The watch goes on when the file or its folder is deleted, replaced, moved or
// made anew, when a link leads elsewhere, when events are lost, and when the
// file can't be read for a moment. While nothing happens it costs one stat a
// second, which finds what no event told.
//
// A consumer that stops reading loses no state. Edits wait for it; of more than
// 16, neighbours are joined, those of one author first.
//
// It is not promised that a state which stood in the file for less than 100 ms
// is seen, nor that a save is whole which pauses for longer in its middle: the
// rest is another edit then.
//
// # Linux
//
// The folder is watched by inotify, and that of the file that a link leads to.
// A rename within one of these folders is known for one by its cookie. A file
// that comes from another folder can't be told from one that is being written,
// so it waits for quiet. Where the limits of inotify are reached
// (fs.inotify.max_user_watches, max_user_instances), the stat once a second is
// all there is, and a first event says so. It has no changes but a problem with
// the code "events".
//
// # macOS and BSD
//
// kqueue opens every file of the folder. Renames can't be told from other
// saves, so everything waits for quiet.
//
// # Windows
//
// As on macOS, everything waits for quiet. A program that keeps the file open
// and locked makes it unreadable; it is tried again, then reported as such.
//
// # Network and shared drives
//
// NFS, SMB, 9p and the folders that virtual machines share send no events for
// edits of other machines. The stat finds them within about a second. With
// [Options.Poll] nothing but this is used. Two saves of the same length within
// the drive's resolution of time, with a look between them, are found at the
// next looks, which read the file too.
package watch

import (
	"context"
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/todomd/todomd/mdplan"
)

// Event is one settled edit of the plan. Its JSON form is that of
// "todomd watch --json".
type Event struct {
	Time time.Time // when it was seen, or when the history says that it was made
	File string    // the path as it was given to [File]
	Rev  string    // the revision of the file's bytes now, "" if there is no file
	By   string    // who made it: an agent's name, or [mdplan.HumanName]
	Via  string    // the way it was made, [ViaFile] where no command made it
	// Changes is what differs from the event before. It is empty in the first
	// event of [Options.Initial], and where Problems tells why there is no edit
	// to report.
	Changes []mdplan.Delta
	Counts  mdplan.Counts
	// Problems is what [mdplan.Plan.Check] finds, or the one thing that keeps
	// the file from being read as a plan. Counts and Plan are those of the last
	// plan that could be read then.
	Problems []mdplan.Problem
	// Plan is the plan as it is now, without items if there is no file. It is
	// never nil.
	Plan *mdplan.Plan
}

// ViaFile is the way of every edit that no command made.
const ViaFile = "file"

// MarshalJSON writes the event as one object, lists never as null.
func (e Event) MarshalJSON() ([]byte, error) {
	if e.Changes == nil {
		e.Changes = []mdplan.Delta{}
	}
	if e.Problems == nil {
		e.Problems = []mdplan.Problem{}
	}
	return json.Marshal(struct {
		Time     time.Time        `json:"time"`
		File     string           `json:"file"`
		Rev      string           `json:"rev"`
		By       string           `json:"by"`
		Via      string           `json:"via"`
		Changes  []mdplan.Delta   `json:"changes"`
		Counts   mdplan.Counts    `json:"counts"`
		Problems []mdplan.Problem `json:"problems"`
	}{e.Time.UTC(), e.File, e.Rev, e.By, e.Via, e.Changes, e.Counts, e.Problems})
}

// Options says how to watch. The zero value is good for most.
type Options struct {
	// Initial makes the plan as it is at the start the first event, without
	// changes.
	Initial bool
	// Poll does without events of the file system and looks once a second.
	Poll bool
	// Settings are for the check of each revision and go before the file's own.
	Settings mdplan.Settings
	// History says who made an edit; [mdplan.Store.Revisions] is meant for it,
	// and knows what a [mdplan.Session] did, the command's among them. nil
	// means that all edits are a human's.
	//
	// It returns the revisions that the file is known to have had after from,
	// oldest first; to is the one that it has now. The watcher reports each
	// with its author, and what then still differs from the file as a human's
	// edit. What comes behind to, and a revision without Source that is not
	// to, is left out. "" stands for no file. It is called from one goroutine,
	// once for each settled change.
	History func(from, to string) []mdplan.Revision
	// Holders says who has which item in progress, so that each author may have
	// one; [mdplan.Store.Holders] is meant for it. nil means that nothing is
	// known. It is called from one goroutine, for each event.
	Holders func() map[string]mdplan.Author

	// quietTime is for tests with real processes, which on a busy machine
	// stand still for longer than the usual one.
	quietTime time.Duration
}

// File reports the edits of a plan file until ctx is done; then, once all its
// goroutines are gone, it closes the channel. Every change after File has
// returned is reported. The file need not exist, nor its folder. What keeps it
// from being read is reported as an event too and ends nothing.
func File(ctx context.Context, path string, o Options) <-chan Event {
	out := make(chan Event)
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path // the working directory is gone: what is left to try
	}
	d := newDisk(abs, o.Poll)
	l := newLoop(d, d.hints, out, path, o)
	if d.err != nil {
		l.warn(codeEvents, "no events of the file system: "+reason(d.err)+"; looking once a second")
	}
	go func() {
		defer close(out)
		defer d.close()
		l.run(ctx)
	}()
	return out
}

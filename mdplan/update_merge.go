package mdplan

import "slices"

// This file merges what a list says of an item that the plan has with what the
// file has: status, words and fields.

// change brings status, words and fields of the items that are in the plan to
// what the list wants of them.
func (u *updater) change() error {
	c := u.p.begin("update", "")
	for _, e := range u.list {
		if e.gone {
			if textKey(e.read.content) != noText { // else there is nothing to name
				u.tell(OutcomeDeleted, e.read.content, "")
			}
			continue
		}
		if e.node == nil {
			continue
		}
		was := e.node.reading()
		r := u.wanted(e, was)
		if r.status != was.status {
			e.starts = r.status == InProgress
			if err := c.setStatus(e.node, r.status); err != nil {
				return err
			}
		}
		if r.status = was.status; r != was {
			if r.content != was.content {
				u.tell(OutcomeRenamed, r.content, was.content)
			}
			c.item = r.content
			c.setText(e.node, r)
		}
	}
	q, moved, err := c.commit()
	if err != nil {
		return err
	}
	u.follow(q, moved)
	return nil
}

// wanted applies the table of the merge to one item.
func (u *updater) wanted(e *entry, file reading) reading {
	r := file
	r.status = u.wantedStatus(e, file.status)
	said, kept := BaseState{}, BaseState{}
	if e.base != nil {
		said, kept = e.base.Said, e.base.File
	}
	merge := func(name string, given bool, list, said, kept, file string, take *string) string {
		if list == oneLine(file) {
			list = file // which no list can hold as it is
		}
		switch {
		case !given:
			if *take = said; e.base == nil {
				*take = file // so that clearing it later is a change
			}
			return file
		case u.o.Replace:
			return list
		case e.base == nil:
			if file == "" {
				return list
			}
			if list != "" && list != file {
				u.tell(OutcomeMerged, e.read.content, name+" "+shown(list))
			}
			return file
		case list == said || list == file:
			return file
		case kept == file && (e.own || name != "text") && !(u.o.Mirrored && pairKey(said) != pairKey(kept)):
			// A mirrored list has not heard that somebody else wrote it before.
			return list
		}
		u.tell(OutcomeMerged, e.node.content, name+" "+shown(list))
		if !u.o.Mirrored {
			*take = said // saying it again wins
		}
		return file
	}
	if e.base != nil || u.o.Replace {
		list := e.read.content
		if e.base != nil && !u.o.Replace && textKey(list) == textKey(said.Content) {
			list = said.Content
		}
		if textKey(e.read.content) == textKey(file.content) {
			list = file.content // white space and shown escapes are no rename
		}
		r.content = merge("text", true, list, said.Content, kept.Content, file.content, &e.said.Content)
	}
	r.priority = merge("priority", e.Priority != nil, e.read.priority, said.Priority, kept.Priority, file.priority, &e.said.Priority)
	if e.brings {
		r.dependsOn = e.guessed()
	}
	r.owner = merge("owner", e.Owner != nil, e.read.owner, said.Owner, kept.Owner, file.owner, &e.said.Owner)
	r.doneWhen = merge("done_when", e.DoneWhen != nil, e.read.doneWhen, said.DoneWhen, kept.DoneWhen, file.doneWhen, &e.said.DoneWhen)
	r.id = u.wantedID(e, file.id)
	return r
}

func (u *updater) wantedStatus(e *entry, file Status) Status {
	list := e.read.status
	switch {
	case list == "" || list == file:
		if list == "" && e.base != nil {
			e.said.Status = e.base.Said.Status
		}
		e.closed = e.base != nil && e.base.Closed && list == "" && !file.Open()
		return file
	case u.o.Replace:
		return list
	case e.base == nil:
		if list == Pending && !file.Open() {
			u.tell(OutcomeClosed, e.read.content, string(file))
			return file
		}
		return list
	case list == e.base.Said.Status:
		e.closed = e.base.Closed && !file.Open()
		return file
	case e.base.File.Status == file && !(e.base.Closed && !file.Open()):
		return list
	}
	e.closed = !file.Open()
	u.tell(OutcomeMerged, e.node.content, "status "+string(list)+", the file has "+string(file))
	if !u.o.Mirrored {
		e.said.Status = e.base.Said.Status
	}
	return file
}

// wantedID is idFor with the answer that it deserves.
func (u *updater) wantedID(e *entry, file string) string {
	id, kind := u.idFor(e, file)
	if e.ID == nil {
		if e.said.ID = file; e.base != nil && !u.o.Replace {
			e.said.ID = e.base.Said.ID
		}
	}
	switch kind {
	case OutcomeMerged:
		u.tell(kind, e.node.content, "id "+shown(e.read.id))
		if !u.o.Mirrored {
			e.said.ID = e.base.Said.ID
		}
	case OutcomeID:
		u.tell(kind, e.read.content, e.read.id)
	}
	return id
}

// idFor returns the id that an item is to have: that of the list for own items
// and for those that another depends on, unless the file uses it for another
// text. kind says what the answer has to tell of it, "" for nothing.
func (u *updater) idFor(e *entry, file string) (is, kind string) {
	id, b := e.read.id, e.base
	if u.o.Replace {
		b = nil
	}
	switch {
	case e.ID == nil, sameID(id, file), !e.own && !u.needed(e):
		return file, ""
	case u.o.Replace:
	case b == nil && (id == "" || file != ""):
		return file, ""
	case b != nil && id == b.Said.ID && (file != "" || b.File.ID != "" || !u.newlyNeeded(e)):
		return file, ""
	case b != nil && (b.File.ID != file || u.o.Mirrored && file != "" && b.Said.ID != file):
		return file, OutcomeMerged
	}
	if id != "" && u.taken(id, e.node) {
		if b == nil || id != b.Said.ID {
			kind = OutcomeID
		}
		return file, kind
	}
	return id, ""
}

// sameID reports whether a list can mean an id that the file has: a "#" before
// it and white space are lost on the way.
func sameID(list, file string) bool {
	return list == file || file != "" && trimID(oneLine(list)) == trimID(oneLine(file))
}

// taken reports whether the file uses an id for another item that stays.
func (u *updater) taken(id string, but *node) bool {
	if u.idsOf != u.p {
		u.idsOf, u.ids = u.p, map[string][]*node{}
		for _, n := range u.p.nodes {
			if n.id != "" {
				u.ids[n.id] = append(u.ids[n.id], n)
			}
		}
	}
	return slices.ContainsFunc(u.ids[id], func(n *node) bool {
		return n != but && !slices.ContainsFunc(u.left, func(top *node) bool { return top.holds(n) })
	})
}

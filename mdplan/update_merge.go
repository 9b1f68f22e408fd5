package mdplan

// This file merges what a list says of an item that the plan has with what the
// file has: status, words and fields.

// change brings status, words and fields of the items that are in the plan to
// what the list wants of them.
func (u *updater) change() error {
	u.settleIDs()
	c := u.p.begin("update", "")
	for _, e := range u.list {
		if e.gone {
			u.tellGone(e)
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
	u.newIDs = nil // they are written
	return nil
}

// tellGone tells of an item of the list that the file does not have any more.
func (u *updater) tellGone(e *entry) {
	switch {
	case textKey(e.read.content) == noText: // there is nothing to name
	case e.base.Gone:
		u.tell(OutcomeDeleted, e.read.content, KeptBefore)
	case e.base.Removed:
		u.tell(OutcomeDropped, e.read.content, "")
	default:
		u.tell(OutcomeDeleted, e.read.content, "")
	}
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
			if name == "text" && list != file && (textKey(kept) != textKey(file) || e.base.Reworded) {
				u.tell(OutcomeReworded, file, list)
			}
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

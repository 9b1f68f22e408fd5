package mdplan

import "slices"

// This file finds the ids that the items of a list get. An id has one holder, so
// whether one may have it depends on what becomes of whoever has it: in a list
// that exchanges ids each waits for the other, and all are settled together.

// settleIDs finds which items of the plan get the id that the list wants for
// them: all, but those whose id an item has that keeps it. Keeping one for that
// reason may be what keeps the next from its own.
func (u *updater) settleIDs() {
	u.newIDs = map[*node]string{}
	wants := map[string]*node{}
	var queue []*node
	for _, e := range u.list {
		if e.node == nil || e.gone {
			continue
		}
		file := e.node.reading().id
		id, kind := u.askedID(e, file)
		if kind != "" || id == file || id != "" && wants[id] != nil {
			continue
		}
		u.newIDs[e.node] = id
		if id != "" {
			wants[id] = e.node
			queue = append(queue, e.node)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		id, ok := u.newIDs[n]
		if !ok || !u.taken(id, n) {
			continue
		}
		delete(u.newIDs, n)
		if next := wants[n.id]; next != nil {
			queue = append(queue, next)
		}
	}
}

// wantedID is what an item's id becomes, with the answer that it deserves.
func (u *updater) wantedID(e *entry, file string) string {
	id, kind := u.askedID(e, file)
	if e.ID == nil {
		if e.said.ID = file; e.base != nil && !u.o.Replace {
			e.said.ID = e.base.Said.ID
		}
	}
	if kind == "" && id != file {
		if _, ok := u.newIDs[e.node]; !ok {
			if e.base == nil || u.o.Replace || id != e.base.Said.ID {
				u.tell(OutcomeID, e.read.content, id)
			}
			return file
		}
	}
	if kind == OutcomeMerged {
		u.tell(kind, e.node.content, "id "+shown(e.read.id))
		if !u.o.Mirrored {
			e.said.ID = e.base.Said.ID
		}
	}
	return id
}

// askedID returns the id that an item is to have if no other has it: that of the
// list for own items and for those that another depends on. kind says what the
// answer has to tell of it, "" for nothing.
func (u *updater) askedID(e *entry, file string) (is, kind string) {
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
	return id, ""
}

// sameID reports whether a list can mean an id that the file has: a "#" before
// it and white space are lost on the way.
func sameID(list, file string) bool {
	return list == file || file != "" && trimID(oneLine(list)) == trimID(oneLine(file))
}

// taken reports whether the file uses an id for another item that stays, and
// that does not get another id by this call.
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
		_, givesUp := u.newIDs[n]
		return n != but && !givesUp && !slices.ContainsFunc(u.left, func(top *node) bool { return top.holds(n) })
	})
}

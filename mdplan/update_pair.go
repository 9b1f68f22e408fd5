package mdplan

import "slices"

// This file finds the item of the plan that each item of a list means, and what
// becomes of those that it does not name.

func (u *updater) keys() []keyed {
	keys := make([]keyed, len(u.list))
	for i, e := range u.list {
		keys[i] = keyed{id: e.read.id, key: textKey(e.read.content), status: e.read.status}
		if keys[i].status == "" {
			keys[i].status, keys[i].unsaid = Pending, true
		}
	}
	return keys
}

// pair finds the item of the plan that each item of the list means, by itself
// and through the base. Where the base leads to an item of the same text, that
// is the one: of equal texts each has its own past.
func (u *updater) pair() {
	list, file := u.keys(), keysOf(u.p.nodes)
	direct := newPairs(list, file)
	var toFile *pairs
	if u.o.Base == nil {
		direct.byText(false)
		if u.o.Replace {
			direct.byOpenID()
			direct.byGap()
		}
	} else {
		said := make([]keyed, len(u.o.Base.Items))
		for i, b := range u.o.Base.Items {
			said[i] = b.Said.keyed()
		}
		toBase := newPairs(list, said)
		toBase.inPlace()
		toBase.byText(false)
		toFile = u.o.Base.inFile(file)
		for i := range u.list {
			if b := toBase.to[i]; b >= 0 {
				if j := toFile.to[b]; j >= 0 && file[j].key == list[i].key {
					direct.join(i, j)
				}
			}
		}
		direct.byText(false)
		for b, j := range toFile.to {
			if j >= 0 {
				toBase.b[b].status = file[j].status // what is finished by now is not renamed
			} else {
				toBase.b[b].id = "" // an id alone leads to no item that is gone
			}
		}
		toBase.byOpenID()
		toBase.byGap()
		for i, e := range u.list {
			b := toBase.to[i]
			if b < 0 {
				continue
			}
			j := toFile.to[b]
			if j >= 0 && direct.to[i] >= 0 && direct.to[i] != j {
				continue // the past of another item, which an id leads to that was used again
			}
			e.base = &u.o.Base.Items[b]
			if direct.to[i] < 0 {
				if j >= 0 && direct.from[j] < 0 {
					direct.join(i, j)
				} else if j < 0 && !u.o.Replace {
					e.gone = true
				}
			}
		}
		if u.o.Replace {
			direct.byOpenID()
		}
		u.ofBase = make(map[*BaseItem]*node, len(toFile.to))
		for b, j := range toFile.to {
			if j >= 0 {
				u.ofBase[&u.o.Base.Items[b]] = u.p.nodes[j]
			}
		}
	}
	for i, e := range u.list {
		if j := direct.to[i]; j >= 0 {
			e.node, e.known = u.p.nodes[j], true
			e.was = e.node
		}
	}
	if u.dependencies() {
		u.resolver, u.became = u.newResolver(), slices.Clone(u.p.nodes)
	}
	for _, e := range u.list {
		e.own = !e.known || u.o.Replace || u.o.Own[pairKey(e.read.content)]
		if e.base != nil && e.base.Own {
			// What was deleted and is here again is somebody else's.
			e.own = e.own || !e.base.Gone
			e.touched = e.known && !e.base.Gone && u.touched(e.base, e.node)
		}
		e.said = e.read.state()
	}
	u.leftOut(direct, toFile)
}

// inFile pairs the items of a base with those of the file. Where the file has as
// many of a text as it had, each is the one that it was. For the others the
// order counts in which they stood there: what is equal in all else, and what
// two items have between them, is told by it.
func (b *Base) inFile(file []keyed) *pairs {
	var order []int
	for i, it := range b.Items {
		if !it.Gone {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return b.Items[i].At - b.Items[j].At })
	kept := make([]keyed, len(order))
	for k, i := range order {
		kept[k] = b.Items[i].File.keyed()
		if b.Items[i].Removed {
			kept[k].id, kept[k].status = "", Cancelled // only its text is it, if it is back
		}
	}
	sorted := newPairs(kept, file)
	same := map[string][]int{}
	for j, k := range file {
		same[k.key] = append(same[k.key], j)
	}
	for k, i := range order {
		it := &b.Items[i]
		if js := same[kept[k].key]; kept[k].key != "" && len(js) == it.Of && it.Nth < it.Of && sorted.from[js[it.Nth]] < 0 {
			sorted.join(k, js[it.Nth])
		}
	}
	sorted.byText(true)
	// What is closed under an id is another item than what was open under it,
	// unless its text is the same too.
	sorted.byIDWhere(func(a, b keyed) bool { return a.status.Open() == b.status.Open() })
	sorted.byGap()
	p := newPairs(make([]keyed, len(b.Items)), file)
	for k, j := range sorted.to {
		if j >= 0 {
			p.join(order[k], j)
		}
	}
	return p
}

// touched reports whether somebody else wrote something in an item. That its
// dependencies have other names now is not their writing.
func (u *updater) touched(b *BaseItem, n *node) bool {
	now := n.reading().state()
	now.Status = b.File.Status
	if u.sameAsBase(b, n) {
		now.DependsOn = b.File.DependsOn
	}
	return b.Touched || b.File != now || b.Digest != u.p.digest(n)
}

// baseOf returns the item of the base that an item of the plan was, nil if it
// was in none.
func (u *updater) baseOf(n *node) *BaseItem {
	for b, m := range u.ofBase {
		if m == n {
			return b
		}
	}
	return nil
}

// leftOut says which of the items that the list does not name are to be removed.
func (u *updater) leftOut(direct, toFile *pairs) {
	u.remove = map[*node]bool{}
	for j, n := range u.p.nodes {
		if direct.from[j] >= 0 {
			continue
		}
		var b *BaseItem
		if toFile != nil && toFile.from[j] >= 0 {
			b = &u.o.Base.Items[toFile.from[j]]
		}
		switch {
		case u.o.Replace:
			u.remove[n] = true
		case b != nil && b.Own && n.status.Open() && b.File.Status == n.status && !u.touched(b, n):
			u.remove[n] = true
		case n.status.Open():
			u.kept = append(u.kept, n)
		}
	}
	// An item that holds one that stays can't go.
	for _, n := range slices.Backward(u.p.nodes) {
		if u.remove[n] {
			for _, sub := range n.subs {
				if !u.remove[sub] {
					delete(u.remove, n)
					if n.status.Open() {
						u.kept = append(u.kept, n)
					}
					break
				}
			}
		}
	}
}

// settleLeft tells what becomes of the items that the list does not name.
func (u *updater) settleLeft() {
	for _, n := range u.p.nodes {
		if u.remove[n] && (n.parent == nil || !u.remove[n.parent]) {
			u.left = append(u.left, n)
		}
		if u.remove[n] {
			u.tell(OutcomeRemoved, n.content, "")
		}
	}
	slices.SortFunc(u.kept, func(a, b *node) int { return a.index - b.index })
	for _, n := range u.kept {
		u.tell(OutcomeKept, n.content, "")
	}
}

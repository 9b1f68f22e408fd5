package mdplan

import "slices"

// This file merges the dependencies of a list with what the file has, and brings
// them into the plan.

// dependencies reports whether the list or the plan has any.
func (u *updater) dependencies() bool {
	return slices.ContainsFunc(u.list, func(e *entry) bool { return len(e.DependsOn) > 0 || e.base != nil && e.base.Said.DependsOn != "" }) ||
		slices.ContainsFunc(u.p.nodes, func(n *node) bool { return n.field(fieldDependsOn) != "" })
}

// mergeDependencies applies the table of the merge to what an item depends on.
// Dependencies are the same that mean the same items.
func (u *updater) mergeDependencies() {
	r := u.resolver
	if r == nil {
		return
	}
	for _, e := range u.list {
		var said, done, file []need
		b := e.base
		if b != nil {
			said, done = r.saidBy(b), r.doneBy(b)
		}
		if e.node != nil {
			file = r.needsIn(e.node)
		}
		e.needs = r.needsOf(e)
		e.says = e.needs
		switch {
		case e.node == nil:
			e.brings = len(e.needs) > 0
		case e.DependsOn == nil:
			if e.says = said; b == nil {
				e.says = file // so that clearing it later is a change
			}
		case sameNeeds(e.needs, file), r.asWritten(e, file):
		case u.o.Replace:
			e.brings = true
		case b == nil && len(file) == 0:
			e.brings = true
		case b == nil && len(e.needs) == 0:
		case b == nil:
			u.tell(OutcomeMerged, e.read.content, "depends_on "+shown(joinIDs(refsOf(e.needs))))
		case sameNeeds(e.needs, done):
		case u.sameAsBase(b, e.node) && !(u.o.Mirrored && !sameNeeds(said, r.needsOfBase(b.File.DependsOn))):
			// A mirrored list has not heard that somebody else wrote it before.
			e.brings = true
		default:
			u.tell(OutcomeMerged, e.node.content, "depends_on "+shown(joinIDs(refsOf(e.needs))))
			if e.heard = u.o.Mirrored; !e.heard {
				e.says = said // saying it again wins
			}
		}
	}
}

// dropped returns which dependencies of an item are not written, since somebody
// deleted the items that they mean.
func (u *updater) dropped(e *entry) []int {
	if e.node == nil || e.heard {
		return nil
	}
	var dropped []int
	on := u.last.needs[e.node.index]
	for i, x := range e.says {
		n := u.now(x)
		if x.unknown() || n != nil && slices.Contains(on, n) {
			continue
		}
		if n == nil && e.brings || u.droppedBefore(e, x) {
			dropped = append(dropped, i)
		}
	}
	return dropped
}

// droppedBefore reports whether the last list could not write a dependency.
func (u *updater) droppedBefore(e *entry, x need) bool {
	if e.base == nil || len(e.base.Dropped) == 0 {
		return false
	}
	said := u.resolver.saidBy(e.base)
	return slices.ContainsFunc(e.base.Dropped, func(i int) bool { return i < len(said) && said[i].is() == x.is() })
}

// asWritten reports whether the list says dependencies in the file's words, and
// means by each what the file does, as far as that means anything.
func (r *resolver) asWritten(e *entry, file []need) bool {
	refs := splitIDs(joinIDs(e.DependsOn))
	if len(refs) != len(file) {
		return false
	}
	for i, x := range file {
		if !sameID(refs[i], x.ref) || !x.unknown() && r.said(refs[i]).is() != x.is() {
			return false
		}
	}
	return true
}

// had reports whether the file has a dependency of an item in these words. Then
// it is no fault of the list's.
func (e *entry) had(ref string) bool { return e.was != nil && slices.Contains(e.was.dependsOn(), ref) }

func refsOf(needs []need) []string {
	var refs []string
	for _, x := range needs {
		refs = append(refs, x.ref)
	}
	return refs
}

// guessed writes the dependencies of an item as they will probably be named.
// What is wrong in that, depend mends once all names are known.
func (e *entry) guessed() string {
	var refs []string
	for _, x := range e.needs {
		ref := ""
		switch {
		case x.unknown():
			ref = x.ref
		case x.node != nil && x.node.id != "":
			ref = x.node.id
		case x.node != nil:
			ref = x.node.content
		case x.base != nil || x.entry.gone:
		case x.entry.node != nil && x.entry.node.id != "":
			ref = x.entry.node.id
		case x.entry.read.id != "":
			ref = x.entry.read.id
		default:
			ref = x.entry.read.content
		}
		if isRef(ref) {
			refs = append(refs, ref)
		}
	}
	return joinIDs(refs)
}

// now returns the item that a dependency means as it has become, nil if it is
// none, or none any more.
func (u *updater) now(x need) *node {
	switch {
	case x.entry != nil:
		return x.entry.node
	case x.node != nil:
		return u.became[x.node.index]
	}
	return nil
}

// depend writes what the list says of dependencies, and again what the other
// steps have made to mean something else.
func (u *updater) depend() error {
	r := u.resolver
	if r == nil {
		return nil
	}
	brings := map[*node]*entry{}
	var want []meaning
	for _, e := range u.list {
		if !e.brings || e.node == nil {
			continue
		}
		m := meaning{n: e.node, said: true}
		for _, x := range e.needs {
			on := u.now(x)
			if on != nil || x.unknown() {
				m.on, m.refs = append(m.on, on), append(m.refs, x.ref)
			} else if !u.droppedBefore(e, x) {
				u.tell(OutcomeUnmet, e.node.content, x.text())
			}
		}
		want = append(want, m)
		brings[e.node] = e
	}
	if len(want) == 0 && u.p == r.deps.p {
		u.last = r.deps // nothing has changed
		return nil
	}
	for _, m := range r.deps.meanings(func(n *node) *node { return u.became[n.index] }) {
		if brings[m.n] == nil {
			want = append(want, m)
		}
	}
	taken := make(map[string]bool, 2*len(u.list))
	for _, e := range u.list {
		taken[e.read.id], taken[pairKey(e.read.content)] = true, true
		for _, ref := range e.DependsOn {
			taken[trimID(ref)] = true
		}
	}
	w, err := u.p.wire("update", want, taken)
	if err != nil {
		return err
	}
	var errs Errors
	names := u.namer()
	for _, s := range w.stuck {
		errs = append(errs, namelessError(names.short(s.n), names.full(s.on[0])))
	}
	if err := errs.or(); err != nil {
		return err
	}
	for _, n := range w.given {
		u.tell(OutcomeNamed, n.content, n.id)
	}
	if u.follow(w.p, w.moved); w.deps != nil {
		u.last = w.deps
	} else {
		u.last = w.p.depend()
	}
	return nil
}

// named writes dependencies for the next base, as the file names what they mean.
func (u *updater) named(needs []need) string {
	var refs []string
	for _, x := range needs {
		ref := x.ref
		if n := u.now(x); n != nil {
			if name, ok := u.last.name(n); ok {
				ref = name
			}
		} else if x.entry != nil && isRef(x.entry.read.content) {
			ref = x.entry.read.content // it is gone, and told by the list's words
		}
		refs = append(refs, ref)
	}
	return joinIDs(refs)
}

// keepNeeded takes out of what is to be removed what an item depends on that
// stays, with the items that hold that.
func (u *updater) keepNeeded() {
	r := u.resolver
	if r == nil || len(u.remove) == 0 {
		return
	}
	var queue []*node
	keep := func(on *node, by need) {
		if !u.remove[on] {
			return
		}
		u.holds = append(u.holds, holding{on, by})
		u.stays = append(u.stays, on)
		for up := on; up != nil && u.remove[up]; up = up.parent {
			if delete(u.remove, up); up != on && up.status.Open() {
				u.kept = append(u.kept, up)
			}
			queue = append(queue, up)
		}
	}
	for _, e := range u.list {
		if e.brings && !e.gone {
			for _, x := range e.needs {
				if x.node != nil {
					keep(x.node, need{entry: e})
				}
			}
		}
	}
	for _, n := range u.p.nodes {
		if e := r.of[n]; !u.remove[n] && (e == nil || !e.brings) {
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, on := range r.deps.needs[n.index] {
			keep(on, need{node: n})
		}
	}
}

// holding is an item that stays since another one depends on it.
type holding struct {
	on *node
	by need
}

// tellNeeded tells of these once their names are those that stay.
func (u *updater) tellNeeded() {
	for _, h := range u.holds {
		by := h.by.text()
		if n := u.now(h.by); n != nil {
			by = n.content
		}
		u.tell(OutcomeNeeded, h.on.content, by)
	}
}

// needed reports whether an item of the list depends on this one by its id.
func (u *updater) needed(e *entry) bool {
	if u.needs == nil {
		u.needs = map[string]bool{}
		for _, f := range u.list {
			for _, x := range f.needs {
				u.needs[x.ref] = true
			}
		}
	}
	return e.read.id != "" && u.needs[e.read.id]
}

// newlyNeeded reports whether an item is needed and was not by the last list.
func (u *updater) newlyNeeded(e *entry) bool {
	if !u.needed(e) {
		return false
	}
	if u.neededBefore == nil {
		u.neededBefore = map[any]bool{}
		for i := range u.o.Base.Items {
			for _, x := range u.resolver.saidBy(&u.o.Base.Items[i]) {
				u.neededBefore[x.is()] = true
			}
		}
	}
	return !u.neededBefore[need{entry: e}.is()]
}

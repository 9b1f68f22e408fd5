package mdplan

import "slices"

// This file brings the dependencies of a list into the plan, and checks what
// becomes of them: on the result, or, where there will be none, on the list.

// resolveDependencies writes dependencies as the file can keep them: by id
// where the item has or gets one, else by its text. Those that the file has
// already, and that mean the same in it, stay as they are written there.
func (u *updater) resolveDependencies() {
	var deps *deps
	for _, e := range u.list {
		if len(e.DependsOn) == 0 {
			continue
		}
		if deps == nil {
			deps = u.p.depend()
		}
		var kept []string
		refs := splitIDs(e.read.dependsOn)
		if e.known {
			e.had = e.node.dependsOn()
		}
		same := e.known && slices.EqualFunc(refs, e.had, sameID)
		for i, ref := range refs {
			f := u.meant(ref)
			if same && f != nil {
				n := deps.resolve(e.had[i])
				same = n == nil || n == f.node
			}
			if f != nil {
				refs[i] = f.ref(ref)
			}
			if f == nil || !f.gone {
				// Nothing waits for an item that somebody deleted.
				e.meant = append(e.meant, f)
				if f != nil {
					ref = u.refInFile(f)
				}
				kept = append(kept, ref)
			}
		}
		e.read.dependsOn = joinIDs(refs)
		e.said.DependsOn = e.read.dependsOn
		e.depends = joinIDs(kept)
		if same {
			e.depends = joinIDs(e.node.dependsOn())
		}
	}
}

// refInFile returns how the file can name an item of the list once it has it.
func (u *updater) refInFile(f *entry) string {
	id := f.read.id
	if f.node != nil {
		id, _ = u.idFor(f, f.node.id)
	} else if id != "" && u.taken(id, nil) {
		id = ""
	}
	if id != "" {
		return id
	}
	if f.node != nil {
		return f.node.content
	}
	return f.read.content
}

// meant returns the item of the list that a dependency names by an id, by the
// list's number, or by its text; nil if that is not in the list.
func (u *updater) meant(ref string) *entry {
	if u.refs == nil {
		u.refs = &listRefs{byID: map[string]*entry{}, other: map[string]*entry{}}
		for _, e := range u.list {
			if id := e.read.id; id != "" && u.refs.byID[id] == nil {
				u.refs.byID[id] = e
			}
			for _, key := range []string{e.number, pairKey(e.read.content)} {
				if u.refs.other[key] == nil {
					u.refs.other[key] = e
				}
			}
		}
	}
	if e := u.refs.byID[ref]; e != nil {
		return e
	}
	return u.refs.other[pairKey(ref)]
}

// listRefs finds the items of a list by their ids, and by numbers and texts.
type listRefs struct{ byID, other map[string]*entry }

// needed reports whether an item of the list depends on this one by its id.
func (u *updater) needed(e *entry) bool {
	if u.needs == nil {
		u.needs = map[string]bool{}
		for _, f := range u.list {
			for _, id := range f.DependsOn {
				u.needs[id] = true
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
		u.neededBefore = map[string]bool{}
		for _, b := range u.o.Base.Items {
			for _, id := range splitIDs(b.Said.DependsOn) {
				u.neededBefore[id] = true
			}
		}
	}
	return !u.neededBefore[e.read.id]
}

// ref returns how a base names an item: whatever the file has made of it since,
// a list that is repeated says the same of it.
func (e *entry) ref(said string) string {
	switch {
	case e.read.id != "" && e.read.id == said:
		return said
	case e.node != nil && e.node.id != "":
		return e.node.id
	case e.read.id != "":
		return e.read.id
	}
	return e.read.content
}

// rulesAfter checks what the list has made of dependencies, on the result:
// only what this call has brought can be in its way.
func (u *updater) rulesAfter() error {
	deps := u.p.depend()
	numbers := map[*node]string{}
	for _, e := range u.list {
		if e.node != nil {
			numbers[e.node] = e.number
		}
	}
	name := func(n *node) string {
		if number, ok := numbers[n]; ok {
			return number
		}
		return shown(n.content)
	}
	var errs Errors
	brought := map[*node][]*node{} // what an item depends on since this call
	for _, e := range u.list {
		n := e.node
		if n == nil {
			continue
		}
		if e.brings && e.depends != "" {
			refs := n.dependsOn()
			for i, f := range e.meant {
				switch {
				case i < len(refs) && slices.Contains(e.had, refs[i]):
				case f != nil && (i >= len(refs) || len(refs) != len(e.meant) || deps.resolve(refs[i]) != f.node):
					errs = append(errs, namelessError(e.number, f.number, f.read.content, f.read.id))
				case i >= len(refs):
				case f == e, f == nil && (deps.resolve(refs[i]) == nil || deps.resolve(refs[i]) == n):
					errs = append(errs, dependencyError(e.number, refs[i]))
				default:
					brought[n] = append(brought[n], deps.resolve(refs[i]))
				}
			}
		}
		if n.status == InProgress && (!e.known || e.starts) {
			for _, m := range deps.waitsFor(n) {
				errs = append(errs, waitsError(e.number, e.number, name(m), m.content))
			}
		}
	}
	for _, cycle := range deps.cycles() {
		if !closes(cycle, brought) {
			continue
		}
		names := make([]string, 0, len(cycle)+1)
		for _, n := range cycle {
			names = append(names, name(n))
		}
		errs = append(errs, cycleError(append(names, names[0])))
	}
	return errs.or()
}

// dependencyRules checks the dependencies of a list that is refused already,
// so that its author can mend all of it at once. Items of the list that are
// nowhere yet stand in for what they would become.
func (u *updater) dependencyRules() Errors {
	deps := u.p.depend()
	byNode := map[*node]*entry{}
	for _, e := range u.list {
		if e.node != nil {
			byNode[e.node] = e
		}
	}
	var errs Errors
	needs := map[*entry][]*entry{}
	for _, e := range u.list {
		if e.depends == "" || u.dependsAsBefore(e) {
			continue
		}
		refs := splitIDs(e.depends)
		for i, f := range e.meant {
			if i < len(refs) && slices.Contains(e.had, refs[i]) {
				continue
			}
			if f == nil && i < len(refs) {
				m := deps.resolve(refs[i])
				if f = byNode[m]; m != nil && f == nil {
					if m.status.Open() && e.read.status == InProgress {
						errs = append(errs, waitsError(e.number, e.number, shown(m.content), m.content))
					}
					continue
				}
			}
			if f == nil || f == e {
				errs = append(errs, dependencyError(e.number, refs[min(i, len(refs)-1)]))
				continue
			}
			needs[e] = append(needs[e], f)
			if e.read.status == InProgress && f.open() {
				errs = append(errs, waitsError(e.number, e.number, f.number, f.read.content))
			}
		}
	}
	return append(errs, listCycles(u.list, needs)...)
}

// closes reports whether a cycle goes along a dependency that a call brought.
// Of a long cycle not all is there to be looked at: then it is enough that an
// item of it has a new one.
func closes(cycle []*node, brought map[*node][]*node) bool {
	return slices.ContainsFunc(cycle, func(n *node) bool {
		return slices.ContainsFunc(brought[n], func(m *node) bool {
			return len(cycle) > maxNames || slices.Contains(cycle, m)
		})
	})
}

// dependsAsBefore reports whether the file's dependencies of an item stay,
// whatever the list says of them.
func (u *updater) dependsAsBefore(e *entry) bool {
	switch {
	case !e.known:
		return false
	case e.depends == joinIDs(e.node.dependsOn()):
		return true
	case u.o.Replace:
		return false
	case e.base == nil:
		return e.node.field(fieldDependsOn) != ""
	}
	return e.base.Said.DependsOn == e.read.dependsOn
}

// open reports whether an item of the list will be open if the list is taken.
func (e *entry) open() bool {
	switch {
	case e.read.status.valid():
		return e.read.status.Open()
	case e.known:
		return e.node.status.Open()
	}
	return true
}

// listCycles returns a cycle for each item that closes one on a walk in the
// order of the list.
func listCycles(list []*entry, needs map[*entry][]*entry) Errors {
	var errs Errors
	onPath := map[*entry]int{} // where, from 1; -1: walked
	var path []*entry
	var walk func(e *entry)
	walk = func(e *entry) {
		path = append(path, e)
		onPath[e] = len(path)
		for _, f := range needs[e] {
			switch at := onPath[f]; {
			case at > 0:
				var names []string
				for _, x := range path[at-1:] {
					names = append(names, x.number)
				}
				errs = append(errs, cycleError(append(names, f.number)))
			case at == 0:
				walk(f)
			}
		}
		path = path[:len(path)-1]
		onPath[e] = -1
	}
	for _, e := range list {
		if onPath[e] == 0 {
			walk(e)
		}
	}
	return errs
}

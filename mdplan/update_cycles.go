package mdplan

import "slices"

// This file checks what a list has made of dependencies: on the result, or, where
// there will be none, on the list.

// namer returns how an answer names items: by the list's number, else by text.
func (u *updater) namer() func(*node) string {
	numbers := map[*node]string{}
	for _, e := range u.list {
		if e.node != nil {
			numbers[e.node] = e.number
		}
	}
	return func(n *node) string {
		if number, ok := numbers[n]; ok {
			return number
		}
		return shown(n.content)
	}
}

// rulesAfter checks what the list has made of dependencies, on the result:
// only what this call has brought can be in its way.
func (u *updater) rulesAfter() error {
	deps := u.last
	if deps == nil {
		return nil // there are no dependencies
	}
	name := u.namer()
	var errs Errors
	brought := map[*node][]*node{} // what an item depends on since this call
	for _, e := range u.list {
		n := e.node
		if n == nil {
			continue
		}
		if e.brings {
			brought[n] = u.newOn(e, deps.needs[n.index])
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

// newOn returns what of these an item did not depend on before.
func (u *updater) newOn(e *entry, on []*node) []*node {
	if e.was == nil {
		return on
	}
	had := map[*node]bool{}
	for _, m := range u.resolver.deps.needs[e.was.index] {
		had[u.became[m.index]] = true
	}
	return slices.DeleteFunc(slices.Clone(on), func(m *node) bool { return had[m] })
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

// bringsUnknown reports whether the list says a dependency that is none.
func (u *updater) bringsUnknown() bool {
	return slices.ContainsFunc(u.list, func(e *entry) bool {
		return e.brings && !e.gone && slices.ContainsFunc(e.needs, func(x need) bool { return x.unknown() && !e.had(x.ref) })
	})
}

// dependencyRules checks the dependencies of a list that is refused already,
// so that its author can mend all of it at once. Items of the list that are
// nowhere yet stand in for what they would become.
func (u *updater) dependencyRules() Errors {
	var errs Errors
	needs := map[*entry][]*entry{}
	fresh := map[[2]*entry]bool{} // what the list has brought of them
	for _, e := range u.list {
		if !e.brings || e.gone {
			continue
		}
		for _, x := range e.needs {
			had := e.had(x.ref)
			starts := e.read.status == InProgress && u.starts(e)
			switch {
			case x.unknown() && had:
			case x.texts > 1:
				errs = append(errs, sameTextError(e.number, x.ref, x.texts))
			case x.unknown():
				errs = append(errs, u.resolver.deps.unknownError(e.number, x.ref))
			case x.node != nil:
				if starts && x.node.status.Open() {
					errs = append(errs, waitsError(e.number, e.number, shown(x.node.content), x.node.content))
				}
			case x.entry != nil && !x.entry.gone:
				needs[e] = append(needs[e], x.entry)
				fresh[[2]*entry{e, x.entry}] = !had
				if starts && x.entry != e && x.entry.open() {
					errs = append(errs, waitsError(e.number, e.number, x.entry.number, x.entry.read.content))
				}
			}
		}
	}
	return append(errs, listCycles(u.list, needs, fresh)...)
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
// order of the list, if a fresh dependency is in it.
func listCycles(list []*entry, needs map[*entry][]*entry, fresh map[[2]*entry]bool) Errors {
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
				brought := false
				for i, x := range path[at-1:] {
					names = append(names, x.number)
					next := f
					if at+i < len(path) {
						next = path[at+i]
					}
					brought = brought || fresh[[2]*entry{x, next}]
				}
				if brought {
					errs = append(errs, cycleError(append(names, f.number)))
				}
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

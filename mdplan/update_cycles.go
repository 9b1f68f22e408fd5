package mdplan

import (
	"fmt"
	"slices"
	"strings"
)

// This file checks what a list has made of dependencies: on the result, or, where
// there will be none, on the list.

// answerNames are how an answer names items: by the list's number, else by text.
type answerNames map[*node]*entry

func (u *updater) namer() answerNames {
	names := answerNames{}
	for _, e := range u.list {
		if e.node != nil {
			names[e.node] = e
		}
	}
	return names
}

func (a answerNames) short(n *node) string {
	if e := a[n]; e != nil {
		return e.number
	}
	return shown(n.content)
}

// full names an item by its text too: the list's, and the file's if that is
// another one.
func (a answerNames) full(n *node) string {
	e := a[n]
	switch {
	case e == nil:
		return shown(n.content)
	case textKey(e.read.content) == textKey(n.content):
		return named(e.number, n.content)
	}
	return named(e.number, e.read.content) + nowCalled(n)
}

func nowCalled(n *node) string { return ", which is " + shown(n.content) + " in the file now" }

// waitsFor names an item that an item of the list waits for. Where the file has
// it in place of one that the list names, that is the one that was renamed.
func (u *updater) waitsFor(e *entry, n *node, names answerNames) string {
	if names[n] == nil && e.base != nil && e.was != nil {
		was, is := u.resolver.needsOfBase(e.base.File.DependsOn), u.resolver.needsIn(e.was)
		for i, x := range is {
			if len(was) == len(is) && u.now(x) == n && was[i].entry != nil && was[i].entry.gone {
				return named(was[i].entry.number, was[i].entry.read.content) + nowCalled(n)
			}
		}
	}
	return names.full(n)
}

// rulesAfter checks what the list has made of dependencies, on the result:
// only what this call has brought can be in its way.
func (u *updater) rulesAfter() error {
	deps := u.last
	if deps == nil {
		return nil // there are no dependencies
	}
	names := u.namer()
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
				errs = append(errs, waitsError(e.number, u.waitsFor(e, m, names)))
			}
		}
	}
	for _, cycle := range deps.cycles() {
		if !closes(cycle, brought) {
			continue
		}
		path := make([]string, 0, len(cycle)+1)
		for _, n := range cycle {
			path = append(path, names.short(n))
		}
		err := cycleError(append(path, path[0]))
		err.Msg += u.onlyInFile(cycle, names)
		errs = append(errs, err)
	}
	return errs.or()
}

// onlyInFile names the dependencies of a cycle that the list does not have, and
// how a list takes each out: its author can't see them there.
func (u *updater) onlyInFile(cycle []*node, names answerNames) string {
	var b strings.Builder
	for i, n := range cycle {
		m := cycle[(i+1)%len(cycle)]
		if !slices.Contains(u.last.needs[n.index], m) {
			continue // of a long cycle not all is there
		}
		var way string
		switch e := names[n]; {
		case e == nil:
			way = `todomd edit ("TEXT (dependsOn::)")`
		case e.DependsOn != nil && slices.ContainsFunc(e.needs, func(x need) bool { return u.now(x) == m }):
			continue
		case len(u.last.needs[n.index]) > 1:
			way = `"depends_on" without it on item ` + e.number
		default:
			way = `"depends_on":[] on item ` + e.number
		}
		fmt.Fprintf(&b, "; only the file has %s -> %s: %s takes it out", names.short(n), names.short(m), way)
	}
	return b.String()
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
				errs = append(errs, sameTextError(e.number, x.ref, x.texts, u.resolver.numbers))
			case x.unknown():
				errs = append(errs, u.resolver.deps.unknownError(e.number, e.written(x.ref), u.resolver.numbers))
			case x.node != nil:
				if starts && x.node.status.Open() {
					errs = append(errs, waitsError(e.number, shown(x.node.content)))
				}
			case x.entry != nil && !x.entry.gone:
				needs[e] = append(needs[e], x.entry)
				fresh[[2]*entry{e, x.entry}] = !had
				if starts && x.entry != e && x.entry.open() {
					errs = append(errs, waitsError(e.number, named(x.entry.number, x.entry.read.content)))
				}
			}
		}
	}
	return append(errs, listCycles(u.list, needs, fresh)...)
}

// written returns a reference as the list has it, with a "#" before it.
func (e *entry) written(ref string) string {
	if slices.Contains(e.DependsOn, "#"+ref) {
		return "#" + ref
	}
	return ref
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

package mdplan

import (
	"slices"
	"strings"
)

// This file checks a list: by itself before anything is done, and what it makes
// of dependencies on the result, before anyone sees that.

// rules checks what the list says by itself.
func (u *updater) rules() error {
	var errs Errors
	ids := map[string]string{}
	busy := map[string][]string{}
	starts := map[string]bool{}
	var owners []string
	brought, fresh := 0, 0
	for _, e := range u.list {
		if e.read.content == "" {
			errs = append(errs, contentError(e.number))
		}
		if e.Status != "" && !e.Status.valid() {
			errs = append(errs, statusError("Item "+e.number, e.number, e.Status))
		}
		if id := e.read.id; id != "" {
			if other, ok := ids[id]; ok {
				errs = append(errs, idError(e.number, id, other))
			} else if ids[id] = e.number; !validID(id) {
				errs = append(errs, badIDError(e.number, id))
			}
		}
		if !e.known && !e.gone {
			fresh++
		}
		if e.own && !e.gone {
			brought++
		}
		if e.Status == InProgress && !e.gone {
			owner := e.owner(u.by)
			if e.known && e.node.status == InProgress && !u.p.holds(u.by, e.node) && owner == u.by.Name {
				continue
			}
			if busy[owner] == nil {
				owners = append(owners, owner)
			}
			busy[owner] = append(busy[owner], named(e.number, e.read.content))
			starts[owner] = starts[owner] || !e.known || e.node.status != InProgress
		}
	}
	settings := u.by.Settings.Or(u.p.settings)
	for _, owner := range owners {
		if limit := settings.inProgress(); limit > 0 && starts[owner] && len(busy[owner]) > limit {
			err := inProgressError(limit, "", busy[owner])
			if u.by.IsHuman() {
				u.warnings = append(u.warnings, err.Error())
			} else {
				errs = append(errs, err)
			}
		}
	}
	if limit := settings.maxItems(); fresh > 0 && brought > limit {
		err := tooManyError(limit, brought)
		if u.by.IsHuman() {
			u.warnings = append(u.warnings, err.Error())
		} else {
			errs = append(errs, err)
		}
	}
	return errs.or()
}

// owner is the author that an item in progress counts for.
func (e *entry) owner(by Caller) string {
	switch {
	case e.Owner != nil && e.read.owner != "":
		return e.read.owner
	case e.Owner == nil && e.known && e.node.field(fieldOwner) != "":
		return e.node.field(fieldOwner)
	}
	return by.Name
}

// resolveDependencies writes dependencies as the file can keep them: by id
// where the item has or gets one, else by its text.
func (u *updater) resolveDependencies() {
	for _, e := range u.list {
		if len(e.DependsOn) == 0 {
			continue
		}
		refs := splitIDs(e.read.dependsOn)
		for i, ref := range refs {
			refs[i] = u.fileRef(ref)
		}
		e.read.dependsOn = joinIDs(refs)
		e.said.DependsOn = e.read.dependsOn
	}
}

// fileRef returns how the file names an item that a list names by an id, by
// the list's number, or by its text.
func (u *updater) fileRef(ref string) string {
	var found *entry
	for _, e := range u.list {
		if e.read.id == ref {
			return ref
		}
		if found == nil && (e.number == ref || pairKey(e.read.content) == pairKey(ref)) {
			found = e
		}
	}
	if found == nil {
		return ref
	}
	if found.read.id != "" {
		return found.read.id
	}
	if found.node != nil && found.node.id != "" {
		return found.node.id
	}
	if !strings.ContainsAny(found.read.content, ",，()[]") {
		return found.read.content
	}
	return ref
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
	brought := map[*node]bool{} // whose dependencies the list says
	for _, e := range u.list {
		n := e.node
		if n == nil {
			continue
		}
		if len(e.DependsOn) > 0 && n.field(fieldDependsOn) != "" {
			for _, ref := range n.dependsOn() {
				m := deps.resolve(ref)
				if m == nil || m == n {
					errs = append(errs, dependencyError(e.number, ref))
					continue
				}
			}
			brought[n] = true
		}
		if n.status == InProgress && (!e.known || e.starts) {
			for _, m := range deps.waitsFor(n) {
				errs = append(errs, waitsError(e.number, e.number, name(m), m.content))
			}
		}
	}
	for _, cycle := range deps.cycles() {
		if !slices.ContainsFunc(cycle, func(n *node) bool { return brought[n] }) {
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

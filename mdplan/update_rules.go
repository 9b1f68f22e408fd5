package mdplan

import "slices"

// This file checks a list by itself, before anything is done. What the list
// only repeats, of the file or of the list before, is no fault of it.

// rules checks what the list says by itself.
func (u *updater) rules() error {
	var errs Errors
	ids := map[string]string{} // who has one already
	for _, e := range slices.Backward(u.list) {
		if e.read.id != "" && !u.bringsID(e) {
			ids[e.read.id] = e.number
		}
	}
	busy := map[string][]string{}
	starts := map[string]bool{}
	var owners []string
	brought, fresh := 0, 0
	for _, e := range u.list {
		if u.lacksText(e) {
			errs = append(errs, contentError(e.number))
		}
		if e.Status != "" && !e.Status.valid() {
			errs = append(errs, statusError("Item "+e.number, e.number, e.Status))
		}
		if id := e.read.id; u.bringsID(e) {
			if other, ok := ids[id]; ok {
				errs = append(errs, idError(e.number, id, other))
			} else if ids[id] = e.number; !validID(id) {
				errs = append(errs, badIDError(e.number, id))
			}
		}
		if !e.gone {
			errs = append(errs, e.fieldRules()...)
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
			starts[owner] = starts[owner] || u.starts(e)
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
	if len(errs) > 0 || u.bringsUnknown() {
		// Otherwise the result is checked, which knows what the merge made of them.
		errs = append(errs, u.dependencyRules()...)
	}
	return errs.or()
}

// lacksText reports whether an item of the list has no text where it needs one.
func (u *updater) lacksText(e *entry) bool {
	switch {
	case textKey(e.read.content) != noText, e.gone:
		return false
	case e.known && textKey(e.node.content) == noText:
		return false
	}
	return e.base == nil || u.o.Replace || textKey(e.base.Said.Content) != noText
}

// bringsID reports whether an item of the list has an id that it had neither in
// the file nor in the list before.
func (u *updater) bringsID(e *entry) bool {
	id := e.read.id
	if id == "" || e.known && sameID(id, e.node.id) {
		return false
	}
	return e.base == nil || u.o.Replace || id != e.base.Said.ID
}

// starts reports whether the list puts an item in progress, rather than that it
// repeats what was so before.
func (u *updater) starts(e *entry) bool {
	if !e.known {
		return true
	}
	return e.node.status != InProgress && (e.base == nil || u.o.Replace || e.base.Said.Status != InProgress)
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

package mdplan

// This file checks a list by itself, before anything is done.

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
	if len(errs) > 0 || u.bringsUnknown() {
		// Otherwise the result is checked, which knows what the merge made of them.
		errs = append(errs, u.dependencyRules()...)
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

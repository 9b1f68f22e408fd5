package mdplan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file has the rules that a call may not break, and their texts. Each
// text names the item and the way out: an agent that can't see what to change
// repeats the call for ever.

// holds reports whether an item in progress counts for a caller: by its owner,
// else by who is known to have started it, else for whoever asks.
func (p *Plan) holds(by Caller, n *node) bool {
	if owner := n.field(fieldOwner); owner != "" {
		return owner == by.Name
	}
	who, known := by.Held[pairKey(n.content)]
	return !known || who == by.Author
}

// mayStart returns why an item that waits for others can't be started; n may be
// new to the plan. A human may pass the limit: then a warning says so.
func (p *Plan) mayStart(by Caller, n *node, waits []*node) (warnings []string, err error) {
	var errs Errors
	for _, m := range waits {
		errs = append(errs, waitsError(n.number(), n.number(), m.number(), m.content))
	}
	limit := by.Settings.Or(p.settings).inProgress()
	var busy []string
	for _, m := range p.nodes {
		if m != n && m.status == InProgress && p.holds(by, m) {
			busy = append(busy, m.named())
		}
	}
	busy = append(busy, n.named())
	if limit > 0 && len(busy) > limit {
		if by.IsHuman() {
			warnings = append(warnings, fmt.Sprintf("%d items are in progress now", len(busy)))
		} else {
			errs = append(errs, inProgressError(limit, n.number(), busy))
		}
	}
	return warnings, errs.or()
}

func inProgressError(limit int, number string, names []string) *RuleError {
	return &RuleError{Code: "in-progress", Item: number, Msg: inProgressMessage(limit, "", names)}
}

func waitsError(number, name, on, content string) *RuleError {
	return &RuleError{Code: "waits", Item: number,
		Msg: fmt.Sprintf("Item %s waits for item %s %s; finish that one first", name, on, shown(content))}
}

func statusError(label, number string, s Status) *RuleError {
	words := make([]string, len(statuses))
	for i, w := range statuses {
		words[i] = string(w)
	}
	last := len(words) - 1
	return &RuleError{Code: "status", Item: number,
		Msg: fmt.Sprintf("%s: invalid status %s (want %s or %s)", label, shown(string(s)), strings.Join(words[:last], ", "), words[last])}
}

func contentError(number string) *RuleError {
	return &RuleError{Code: "content", Item: number, Msg: fmt.Sprintf("Item %s: content required", number)}
}

func idError(number, id, other string) *RuleError {
	return &RuleError{Code: "id", Item: number,
		Msg: fmt.Sprintf("Item %s: duplicate id %s (also item %s)", number, shown(id), other)}
}

func badIDError(number, id string) *RuleError {
	return &RuleError{Code: "id", Item: number,
		Msg: fmt.Sprintf(`Item %s: invalid id %s (want 1 to %d letters, digits, ".", "_" or "-")`, number, shown(id), maxID)}
}

func dependencyError(number, ref string) *RuleError {
	return &RuleError{Code: "depends-on", Item: number,
		Msg: fmt.Sprintf("Item %s: unknown dependency %s; name the id, the number or the whole text of an item", number, shown(ref))}
}

func namelessError(number, on, content, id string) *RuleError {
	wayOut := "give that one an id"
	if id != "" { // the file has it for another item, else it would name this one
		wayOut += " that the file has for no other item"
	}
	return &RuleError{Code: "depends-on", Item: number,
		Msg: fmt.Sprintf("Item %s: the file can't name item %s %s by its text; %s", number, on, shown(content), wayOut)}
}

func cycleError(numbers []string) *RuleError {
	return &RuleError{Code: "depends-on", Item: numbers[0],
		Msg: "Dependency cycle: " + strings.Join(numbers, " -> ") + "; take one of these dependencies out"}
}

// mayRead returns why an item may not have a reading: n is the item that is to
// have it, nil for a new one. What stays as it was is never in the way.
func (p *Plan) mayRead(by Caller, n *node, r reading) (warnings []string, err error) {
	number, old := "", reading{}
	if n != nil {
		number, old = n.number(), n.reading()
	} else {
		number = strconv.Itoa(len(p.top) + 1)
	}
	var errs Errors
	if r.content == "" {
		errs = append(errs, contentError(number))
	}
	if r.id != "" && r.id != old.id {
		if !validID(r.id) {
			errs = append(errs, badIDError(number, r.id))
		}
		for _, m := range p.nodes {
			if m != n && m.id == r.id {
				errs = append(errs, idError(number, r.id, m.number()))
				break
			}
		}
	}
	errs = append(errs, fieldRules(number, n, r, old, nil)...)
	if r.dependsOn != old.dependsOn && r.dependsOn != "" && !fieldHolds(n, namedField{fieldDependsOn, r.dependsOn}) {
		errs = append(errs, fieldError(number, fieldDependsOn, r.dependsOn))
	}
	deps := p.depend()
	var on []*node
	if r.dependsOn == old.dependsOn && n != nil {
		on = deps.waitsFor(n)
	} else {
		had := splitIDs(old.dependsOn)
		for _, ref := range splitIDs(r.dependsOn) {
			m := deps.resolve(ref)
			if slices.Contains(had, ref) {
				if m != nil && m != n {
					on = append(on, m)
				}
				continue
			}
			if m == nil || m == n {
				errs = append(errs, dependencyError(number, ref))
				continue
			}
			on = append(on, m)
			if n != nil {
				if path := deps.path(m, n); path != nil {
					numbers := []string{number}
					for _, x := range path {
						numbers = append(numbers, x.number())
					}
					errs = append(errs, cycleError(numbers))
				}
			}
		}
	}
	if r.status == InProgress && old.status != InProgress {
		if n == nil {
			n = &node{place: len(p.top) + 1, content: r.content}
		}
		on = slices.DeleteFunc(on, func(m *node) bool { return !m.status.Open() })
		w, err := p.mayStart(by, n, on)
		warnings = append(warnings, w...)
		return warnings, joinErrors(errs.or(), err)
	}
	return warnings, errs.or()
}

// mayAdd returns why an author may not add one more item to their open ones.
func (p *Plan) mayAdd(by Caller, r reading, warnings *[]string) error {
	limit := by.Settings.Or(p.settings).maxItems()
	open := 0
	for _, n := range p.nodes {
		if n.status.Open() && by.Own[pairKey(n.content)] {
			open++
		}
	}
	if !r.status.Open() || open < limit {
		return nil
	}
	err := tooManyError(limit, open+1)
	if by.IsHuman() {
		*warnings = append(*warnings, err.Error())
		return nil
	}
	return err
}

func tooManyError(limit, got int) *RuleError {
	return &RuleError{Code: "max-items", Msg: fmt.Sprintf(
		"Keep the session plan short (max %s): got %d; merge steps or leave finished ones out", plural(limit, "item"), got)}
}

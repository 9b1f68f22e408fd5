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
// new to the plan.
func (p *Plan) mayStart(n *node, waits []*node) error {
	var errs Errors
	for _, m := range waits {
		errs = append(errs, waitsError(n.number(), m.named()))
	}
	return errs.or()
}

// mayHold returns why a caller can't have items in progress too; one may be new
// to the plan. A human may pass the limit: then a warning says so.
func (p *Plan) mayHold(by Caller, starts []*node) (warnings []string, err error) {
	limit := by.Settings.Or(p.settings).inProgress()
	if limit == 0 || len(starts) == 0 {
		return nil, nil
	}
	var busy []string
	for _, m := range p.nodes {
		if m.status == InProgress && p.holds(by, m) && !slices.Contains(starts, m) {
			busy = append(busy, m.named())
		}
	}
	busy = append(busy, nodeNames(starts)...)
	if len(busy) <= limit {
		return nil, nil
	}
	if by.IsHuman() {
		return []string{fmt.Sprintf("%d items are in progress now", len(busy))}, nil
	}
	number := ""
	if len(starts) == 1 {
		number = starts[0].number()
	}
	return nil, inProgressError(limit, number, busy)
}

func inProgressError(limit int, number string, names []string) *RuleError {
	return &RuleError{Code: "in-progress", Item: number, Msg: inProgressMessage(limit, "", names)}
}

// waitsError says what an item waits for: on names it with its text.
func waitsError(number, on string) *RuleError {
	return &RuleError{Code: "waits", Item: number,
		Msg: fmt.Sprintf("Item %s waits for %s; finish that one first", number, on)}
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
		Msg: fmt.Sprintf("Item %s: duplicate id %s (also item %s); give one of them another id or none", number, shown(id), other)}
}

func badIDError(number, id string) *RuleError {
	return &RuleError{Code: "id", Item: number,
		Msg: fmt.Sprintf(`Item %s: invalid id %s (want 1 to %d letters, digits, ".", "_" or "-")`, number, shown(id), maxID)}
}

// dependencyError says that a dependency names no item. Where ids are bare
// numbers, there are no others to name one by.
func dependencyError(number, ref string, numbers bool) *RuleError {
	way := "the id, the number or the whole text"
	if !numbers {
		way = "the id or the whole text"
	}
	return &RuleError{Code: "depends-on", Item: number,
		Msg: fmt.Sprintf("Item %s: unknown dependency %s; name %s of an item", number, shown(ref), way)}
}

// sameTextError says that a dependency is a text that several items have.
func sameTextError(number, ref string, count int, numbers bool) *RuleError {
	way := "the id or the number of the one that is meant"
	if !numbers {
		way = "the id of the one that is meant"
	}
	return &RuleError{Code: "depends-on", Item: number,
		Msg: fmt.Sprintf("Item %s: %d items have the text %s; name %s", number, count, shown(ref), way)}
}

// namelessError says that an item has an id that is another's too, and no text
// that only it has: on names it with its text.
func namelessError(number, on string) *RuleError {
	return &RuleError{Code: "depends-on", Item: number,
		Msg: fmt.Sprintf("Item %s: the file can't name %s, since its id and its text are another item's too; give it an id of its own", number, on)}
}

// neededError says that an item can't go, since others depend on it.
func neededError(n *node, by []*node) *RuleError {
	depend := "depends"
	if len(by) > 1 {
		depend = "depend"
	}
	rest := fmt.Sprintf(`, take the dependency out with edit ("TEXT (dependsOn::)"), or cancel item %s instead`, n.number())
	if !n.status.Open() { // nothing waits for it as it is
		rest = ` or take the dependency out with edit ("TEXT (dependsOn::)")`
	}
	return &RuleError{Code: "depends-on", Item: n.number(), Msg: fmt.Sprintf(
		"%s %s on %s; remove them in one call%s", upperFirst(listed(nodeNames(by))), depend, n.named(), rest)}
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func cycleError(numbers []string) *RuleError {
	return &RuleError{Code: "depends-on", Item: numbers[0],
		Msg: "Dependency cycle: " + strings.Join(numbers, " -> ") + "; take one of these dependencies out"}
}

// mayRead returns why an item may not have a reading: n is the item that is to
// have it, nil for a new one. What stays as it was is never in the way. refs are
// the dependencies that the call says, nil if it leaves them, and on what they
// mean: nil for one at fault that the item had already.
func (p *Plan) mayRead(by Caller, deps *deps, n *node, r reading, refs []string) (on []*node, warnings []string, err error) {
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
	had := splitIDs(old.dependsOn)
	for _, ref := range refs {
		m := deps.resolve(ref)
		switch {
		case slices.Contains(had, ref):
			if m == n {
				m = nil
			}
			on = append(on, m)
		case m == nil && (ref == r.id || pairKey(ref) == pairKey(r.content) && deps.texts(pairKey(ref)) == 0):
			errs = append(errs, cycleError([]string{number, number}))
		case m == nil:
			errs = append(errs, deps.unknownError(number, ref, deps.numbers))
		default:
			on = append(on, m)
			if n == nil {
				continue
			}
			if path := deps.path(m, n); path != nil {
				numbers := []string{number}
				for _, x := range path {
					numbers = append(numbers, x.number())
				}
				errs = append(errs, cycleError(numbers))
			}
		}
	}
	waits := on
	if refs == nil && n != nil && r.dependsOn != "" {
		waits = deps.waitsFor(n)
	}
	if r.status == InProgress && old.status != InProgress {
		if n == nil {
			n = &node{place: len(p.top) + 1, content: r.content}
		}
		waits = slices.DeleteFunc(slices.Clone(waits), func(m *node) bool { return m == nil || !m.status.Open() || m.holds(n) })
		warnings, err = p.mayHold(by, []*node{n})
		return on, warnings, joinErrors(errs.or(), p.mayStart(n, waits), err)
	}
	return on, warnings, errs.or()
}

// unknownError says why a reference names no item. numbers says whether numbers
// could.
func (d *deps) unknownError(number, ref string, numbers bool) *RuleError {
	if k := d.texts(pairKey(ref)); k > 1 {
		return sameTextError(number, ref, k, numbers)
	}
	return dependencyError(number, ref, numbers)
}

// mayRemove returns why items may not go: others stay that depend on them, and
// would no longer wait.
func (d *deps) mayRemove(nodes []*node) error {
	goes := make([]bool, len(d.p.nodes))
	for _, n := range nodes {
		goes[n.index] = true
	}
	for _, n := range d.p.nodes {
		if n.parent != nil && goes[n.parent.index] {
			goes[n.index] = true
		}
	}
	needed := map[*node][]*node{}
	for _, n := range d.p.nodes {
		if goes[n.index] {
			continue
		}
		for _, m := range d.needs[n.index] {
			if goes[m.index] {
				needed[m] = append(needed[m], n)
			}
		}
	}
	var errs Errors
	for _, n := range d.p.nodes {
		if by := needed[n]; by != nil {
			errs = append(errs, neededError(n, by))
		}
	}
	return errs.or()
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

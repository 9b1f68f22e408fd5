package mdplan

import "slices"

// This file finds what the dependencies of a list mean, merges them with what
// the file has, and brings them into the plan.

// need is one dependency: of an item of the list, of the base, or of the file.
type need struct {
	ref   string    // as it is written
	entry *entry    // the item of the list that is meant
	base  *BaseItem // else that of the last list
	node  *node     // else that of the plan, as it was when the call came
	texts int       // how many items of the list have this text, if that is why none is meant
}

// is returns what two needs have in common that mean the same item.
func (x need) is() any {
	switch {
	case x.entry != nil && x.entry.was != nil:
		return x.entry.was
	case x.entry != nil && x.entry.base != nil:
		return x.entry.base
	case x.entry != nil:
		return x.entry
	case x.node != nil:
		return x.node
	case x.base != nil:
		return x.base
	}
	return pairKey(x.ref)
}

func sameNeeds(a, b []need) bool {
	return slices.EqualFunc(a, b, func(x, y need) bool { return x.is() == y.is() })
}

func (x need) unknown() bool { return x.entry == nil && x.base == nil && x.node == nil }

// resolver finds what dependencies mean. It is made once, and only for a list
// or a plan that has some.
type resolver struct {
	u       *updater
	deps    *deps
	numbers bool // numbers name items of the list: no id there is a bare number
	byID    map[string]*entry
	byPlace map[string]*entry
	byText  map[string]*entry
	texts   map[string]int
	of      map[*node]*entry
	ofBase  map[*BaseItem]*entry

	baseID, baseText, saidText map[string]*BaseItem // made when needed
	before                     map[string]need      // by what the last list called it, made when needed
}

func (u *updater) newResolver() *resolver {
	r := &resolver{u: u, deps: u.p.depend(), numbers: true, byID: map[string]*entry{}, byPlace: map[string]*entry{},
		byText: map[string]*entry{}, texts: map[string]int{}, of: map[*node]*entry{}, ofBase: map[*BaseItem]*entry{}}
	for _, e := range u.list {
		if id := e.read.id; id != "" {
			if r.byID[id] == nil {
				r.byID[id] = e
			}
			r.numbers = r.numbers && !bareNumber(id)
		}
		key := pairKey(e.read.content)
		r.byPlace[e.number] = e
		r.byText[key] = e
		r.texts[key]++
		if e.node != nil {
			r.of[e.node] = e
		}
		if e.base != nil {
			r.ofBase[e.base] = e
		}
	}
	return r
}

// said returns what the list means by a reference: an item of its own by id,
// number or text, else one that only the file has.
func (r *resolver) said(ref string) need {
	key := pairKey(ref)
	e := r.byID[ref]
	if e == nil && r.numbers {
		e = r.byPlace[ref]
	}
	if e == nil && r.texts[key] == 1 {
		e = r.byText[key]
	}
	if e != nil {
		return need{ref: ref, entry: e}
	}
	if k := r.texts[key]; k > 1 && r.deps.byID[ref] == nil {
		return need{ref: ref, texts: k}
	}
	if x := r.inFile(ref); !x.unknown() {
		return x
	}
	return r.saidBefore(ref)
}

// saidBefore returns what the last list meant by a reference that means nothing
// any more, such as the text before a rename.
func (r *resolver) saidBefore(ref string) need {
	if r.before == nil {
		r.before = map[string]need{}
		if r.u.o.Base != nil {
			for _, b := range r.u.o.Base.Items {
				needs := r.needsOfBase(b.Said.DependsOn)
				for i, said := range b.Refs {
					if len(b.Refs) == len(needs) {
						r.before[said] = needs[i]
					}
				}
			}
		}
	}
	x := r.before[ref]
	x.ref = ref
	return x
}

// inFile returns what the file means by a reference.
func (r *resolver) inFile(ref string) need {
	n := r.deps.resolve(ref)
	if n == nil {
		return need{ref: ref}
	}
	if e := r.of[n]; e != nil {
		return need{ref: ref, entry: e}
	}
	return need{ref: ref, node: n}
}

// needsOf returns the dependencies that the list gives an item.
func (r *resolver) needsOf(e *entry) []need {
	var needs []need
	names := func(ref string) bool { return !r.said(ref).unknown() || r.texts[pairKey(ref)] > 0 }
	for i := 0; i < len(e.DependsOn); {
		// A list that came as one text has lost its commas to ReadList.
		j := min(len(e.DependsOn), i+maxRun)
		for j > i+1 && (names(e.DependsOn[i]) || !names(joinIDs(e.DependsOn[i:j]))) {
			j--
		}
		for _, ref := range splitRefs(joinIDs(e.DependsOn[i:j]), names) {
			needs = append(needs, r.said(ref))
		}
		i = j
	}
	return needs
}

func (r *resolver) needsIn(n *node) []need {
	var needs []need
	for _, ref := range n.dependsOn() {
		needs = append(needs, r.inFile(ref))
	}
	return needs
}

// needsOfBase returns what dependencies meant when the base was taken: they are
// named there as the file named them.
func (r *resolver) needsOfBase(list string) []need {
	if list == "" {
		return nil
	}
	if r.baseID == nil {
		r.baseID, r.baseText, r.saidText = map[string]*BaseItem{}, map[string]*BaseItem{}, map[string]*BaseItem{}
		for i := range r.u.o.Base.Items {
			b := &r.u.o.Base.Items[i]
			for _, x := range []struct {
				in  map[string]*BaseItem
				key string
			}{{r.baseID, b.File.ID}, {r.baseText, pairKey(b.File.Content)}, {r.saidText, pairKey(b.Said.Content)}} {
				if x.in[x.key] == nil {
					x.in[x.key] = b
				}
			}
		}
	}
	names := func(ref string) bool { return r.baseText[pairKey(ref)] != nil || r.saidText[pairKey(ref)] != nil }
	var needs []need
	for _, ref := range splitRefs(list, names) {
		needs = append(needs, r.ofLast(ref))
	}
	return needs
}

func (r *resolver) ofLast(ref string) need {
	key := pairKey(ref)
	b := r.baseID[ref]
	if b == nil && r.deps.byID[ref] == nil {
		b = r.baseText[key]
	}
	if b == nil {
		if x := r.inFile(ref); !x.unknown() {
			return x
		}
		b = r.saidText[key]
	}
	if b == nil {
		return need{ref: ref}
	}
	if e := r.ofBase[b]; e != nil {
		return need{ref: ref, entry: e}
	}
	if n := r.u.ofBase[b]; n != nil {
		if e := r.of[n]; e != nil {
			return need{ref: ref, entry: e}
		}
		return need{ref: ref, node: n}
	}
	return need{ref: ref, base: b}
}

// sameAsBase reports whether an item of the file depends on what it depended on
// when the base was taken, whatever names that has now.
func (u *updater) sameAsBase(b *BaseItem, n *node) bool {
	now := joinIDs(n.dependsOn())
	return b.File.DependsOn == now ||
		u.resolver != nil && sameNeeds(u.resolver.needsOfBase(b.File.DependsOn), u.resolver.needsIn(n))
}

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
		var said, file []need
		b := e.base
		if b != nil {
			said = r.needsOfBase(b.Said.DependsOn)
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
		case sameNeeds(e.needs, said):
		case u.sameAsBase(b, e.node) && !(u.o.Mirrored && !sameNeeds(said, r.needsOfBase(b.File.DependsOn))):
			// A mirrored list has not heard that somebody else wrote it before.
			e.brings = true
		default:
			u.tell(OutcomeMerged, e.node.content, "depends_on "+shown(joinIDs(refsOf(e.needs))))
			if !u.o.Mirrored {
				e.says = said // saying it again wins
			}
		}
	}
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
			// Nothing waits for an item that somebody deleted.
			if on := u.now(x); on != nil || x.unknown() {
				m.on, m.refs = append(m.on, on), append(m.refs, x.ref)
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
			taken[ref] = true
		}
	}
	w, err := u.p.wire("update", want, taken)
	if err != nil {
		return err
	}
	var errs Errors
	name := u.namer()
	for _, s := range w.stuck {
		errs = append(errs, namelessError(name(s.n), name(s.on[0]), s.on[0].content))
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
	if len(needs) == 0 {
		return ""
	}
	var refs []string
	for _, x := range needs {
		ref := x.ref
		if n := u.now(x); n != nil {
			if name, ok := u.last.name(n); ok {
				ref = name
			}
		} else if x.entry != nil {
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
	keep := func(on *node, by string) {
		if !u.remove[on] {
			return
		}
		u.tell(OutcomeNeeded, on.content, by)
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
					keep(x.node, e.read.content)
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
			keep(on, n.content)
		}
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
		for _, b := range u.o.Base.Items {
			for _, x := range u.resolver.needsOfBase(b.Said.DependsOn) {
				u.neededBefore[x.is()] = true
			}
		}
	}
	return !u.neededBefore[need{entry: e}.is()]
}

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

package mdplan

import (
	"slices"
	"strings"
)

// This file finds what the dependencies of a list mean.

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

// gone reports whether somebody has deleted what is meant.
func (x need) gone() bool {
	return x.node == nil && (x.entry != nil && x.entry.gone || x.entry == nil && x.base != nil)
}

// text returns the words that the list has, or had, for what is meant.
func (x need) text() string {
	switch {
	case x.entry != nil:
		return x.entry.read.content
	case x.base != nil:
		return x.base.Said.Content
	case x.node != nil:
		return x.node.content
	}
	return x.ref
}

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
	if id := trimID(ref); id != ref {
		if x := r.said(id); !x.unknown() {
			return x
		}
	}
	return r.saidBefore(ref)
}

// saidBefore returns what the last list meant by a reference that means nothing
// any more, such as the text before a rename.
func (r *resolver) saidBefore(ref string) need {
	if r.before == nil {
		r.before = map[string]need{}
		if r.u.o.Base != nil {
			for k := range r.u.o.Base.Items {
				b := &r.u.o.Base.Items[k]
				needs := r.saidBy(b)
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
	names := func(ref string) bool {
		if strings.HasPrefix(ref, "#") {
			return r.texts[pairKey(ref)] > 0 || r.deps.isText(ref)
		}
		return !r.said(ref).unknown() || r.texts[pairKey(ref)] > 0
	}
	for i := 0; i < len(e.DependsOn); {
		// A list that came as one text has lost its commas to ReadList.
		j := min(len(e.DependsOn), i+maxRun)
		for j > i+1 && (names(e.DependsOn[i]) || names(trimID(e.DependsOn[i])) ||
			!names(joinIDs(e.DependsOn[i:j])) && !names(trimID(joinIDs(e.DependsOn[i:j])))) {
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

// saidBy returns what the last list gave an item.
func (r *resolver) saidBy(b *BaseItem) []need {
	needs := r.needsOfBase(b.Said.DependsOn)
	if len(b.On) == len(needs) {
		for i, k := range b.On {
			if k >= 0 && k < len(r.u.o.Base.Items) {
				needs[i] = r.ofItem(&r.u.o.Base.Items[k], needs[i].ref)
			}
		}
	}
	return needs
}

// doneBy returns what the last list gave an item, without what could not be
// written then and can be now.
func (r *resolver) doneBy(b *BaseItem) []need {
	needs := r.saidBy(b)
	var done []need
	for i, x := range needs {
		if !slices.Contains(b.Dropped, i) || x.gone() {
			done = append(done, x)
		}
	}
	return done
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
	return r.ofItem(b, ref)
}

// ofItem returns what an item of the base is now.
func (r *resolver) ofItem(b *BaseItem, ref string) need {
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

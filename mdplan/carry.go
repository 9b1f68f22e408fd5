package mdplan

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file keeps dependencies at what they mean. A reference is an id, a number
// or a text, so that an item that is added, moved, removed or renamed can make
// it mean another item or none, and what waits would look ready.

// maxGivenID is how long an id may be that is made of an item's words, in
// characters: it stands before the text, which it must not outgrow.
const maxGivenID = 24

// meaning is what the dependencies of an item are to name.
type meaning struct {
	n    *node
	on   []*node  // nil for a reference that stays as it is, since it names nothing
	refs []string // how those are written; nil: as they stand there
	said bool     // a call says it; else the file has it
}

// meanings returns what the dependencies of a plan's items mean, once the items
// are where moved says.
func (d *deps) meanings(moved func(*node) *node) []meaning {
	var all []meaning
	for _, n := range d.p.nodes {
		if len(d.needs[n.index]) == 0 {
			continue
		}
		refs := n.dependsOn()
		m := moved(n)
		if m == nil {
			continue
		}
		on := make([]*node, len(refs))
		for i, ref := range refs {
			if to := d.resolve(ref); to != nil {
				on[i] = moved(to)
			}
		}
		all = append(all, meaning{n: m, on: on})
	}
	return all
}

// wiring is the outcome of a [Plan.wire].
type wiring struct {
	p     *Plan
	moved func(*node) *node
	given []*node   // items that got an id, since a dependency can't name them otherwise
	stuck []meaning // what a call says and the file can't name, one item each
	deps  *deps     // of p, where they were resolved
}

// wire writes the dependencies that do not mean what they are to mean, each with
// an item's id, else its text, else an id that the item is given. Nothing but
// such references and ids changes. taken has words that no new id may be.
func (p *Plan) wire(op string, want []meaning, taken map[string]bool) (wiring, error) {
	w := wiring{p: p, moved: func(n *node) *node { return n }}
	if len(want) == 0 {
		return w, nil
	}
	namer := &namer{d: p.depend(), taken: taken}
	c := p.begin(op, "")
	for _, m := range want {
		now := m.n.dependsOn()
		refs := make([]string, len(m.on))
		wrong := len(now) != len(m.on)
		for i, on := range m.on {
			if on == nil && m.refs != nil {
				refs[i] = m.refs[i]
				wrong = wrong || refs[i] != now[i]
				continue
			}
			if len(now) == len(m.on) && (on == nil || namer.d.resolve(now[i]) == on) {
				refs[i] = now[i]
				continue
			}
			name, ok := namer.name(on)
			switch {
			case ok:
			case m.said:
				w.stuck = append(w.stuck, meaning{n: m.n, on: []*node{on}, said: true})
			case namer.d.resolve(on.number()) == on:
				name = on.number() // as whoever wrote the reference may have named it
			default:
				name = now[i]
			}
			refs[i], wrong = name, true
		}
		if wrong {
			c.item = m.n.content
			c.setRefs(m.n, now, refs)
		}
	}
	if len(w.stuck) > 0 {
		return w, nil
	}
	for _, g := range namer.given {
		c.giveID(g, namer.ids[g])
	}
	if len(c.edits) == 0 {
		w.deps = namer.d
		return w, nil
	}
	q, moved, err := c.commit()
	if err != nil {
		return w, err
	}
	w.p, w.moved = q, moved
	for _, g := range namer.given {
		w.given = append(w.given, moved(g))
	}
	return w, nil
}

// setRefs writes the dependencies of an item. Where there are as many as before
// only those that differ are touched.
func (c *change) setRefs(n *node, now, refs []string) {
	c.reading(n).dependsOn = joinIDs(refs)
	spans := n.refSpans(c.p.src)
	if len(spans) != len(refs) || len(now) != len(refs) {
		c.setField(n, fieldDependsOn, joinIDs(refs))
		return
	}
	for i, at := range spans {
		if refs[i] != now[i] {
			c.edits = append(c.edits, edit{at.start, at.end, refs[i]})
		}
	}
}

// refSpans returns where the dependencies of an item stand in its file, each
// without the "#" that may stand before it.
func (n *node) refSpans(src []byte) []span {
	at := slices.IndexFunc(n.fields, func(f field) bool { return f.name == fieldDependsOn })
	if at < 0 {
		return nil
	}
	var spans []span
	for _, s := range partsOf(string(src[n.fields[at].valueSpan.start:n.fields[at].valueSpan.end])) {
		base := n.fields[at].valueSpan.start
		spans = append(spans, span{base + s.start, base + s.end})
	}
	return spans
}

// partsOf returns where the parts of a list with commas stand that splitIDs
// returns.
func partsOf(list string) []span {
	var parts []span
	for start := 0; start <= len(list); {
		end, next := len(list), len(list)+1
		if i := strings.IndexFunc(list[start:], isComma); i >= 0 {
			end = start + i
			_, size := utf8.DecodeRuneInString(list[end:])
			next = end + size
		}
		part := list[start:end]
		from := start + len(part) - len(strings.TrimLeftFunc(part, unicode.IsSpace))
		part = strings.TrimSpace(part)
		if trimmed := strings.TrimPrefix(part, "#"); trimmed != "" {
			parts = append(parts, span{from + len(part) - len(trimmed), from + len(part)})
		}
		start = next
	}
	return parts
}

// maxRun is how many parts a text with commas may have to be found in a list
// that has others too: trying every run would take too long in a hostile one.
const maxRun = 16

// splitRefs reads references with commas between them: of the parts that
// together are the name of one thing, as a text with commas is, it makes one. A
// "#" before a part is left out, unless it belongs to such a name.
func splitRefs(list string, names func(string) bool) []string {
	parts := partsOf(list)
	var refs []string
	for i := 0; i < len(parts); {
		last := len(parts) - 1
		if i > 0 {
			last = min(last, i+maxRun-1)
		}
		start := parts[i].start
		hash := start
		if start > 0 && list[start-1] == '#' {
			hash--
		}
		j := last
		for !names(list[hash:parts[j].end]) {
			if hash < start && names(list[start:parts[j].end]) || j == i {
				hash = start
				break
			}
			if j > i+maxRun {
				j = i + maxRun
			}
			j--
		}
		refs = append(refs, list[hash:parts[j].end])
		i = j + 1
	}
	return refs
}

// giveID writes an id to an item that has none.
func (c *change) giveID(n *node, id string) {
	c.reading(n).id = id
	if n.text.start == n.text.end {
		c.edits = append(c.edits, edit{n.text.start, n.text.end, c.gap(n.text.start) + "#" + id + ":"})
		return
	}
	c.setID(n, id)
}

// namer finds the names that dependencies of a plan can have for its items.
type namer struct {
	d     *deps
	taken map[string]bool // what no new id may be
	seen  bool            // the words of the plan are in taken
	ids   map[*node]string
	given []*node // has an id in ids, in order
	last  map[string]int
}

// name returns the id of an item, else its text, else a new id. It reports
// false if the item's id is another's too and its text names it neither: the id
// is somebody's, and nobody can tell whose it should be.
func (r *namer) name(n *node) (string, bool) {
	if name, ok := r.d.name(n); ok {
		return name, true
	}
	if id, ok := r.ids[n]; ok {
		return id, true
	}
	if n.id != "" {
		return "", false
	}
	if r.ids == nil {
		r.ids, r.last = map[*node]string{}, map[string]int{}
	}
	id := r.newID(n.content)
	r.ids[n] = id
	r.given = append(r.given, n)
	return id, true
}

// name returns how a dependency can name an item: by its id, else by its text.
func (d *deps) name(n *node) (string, bool) {
	switch {
	case n.id != "" && d.byID[n.id] == n:
		return n.id, true
	case isRef(n.content) && d.resolve(n.content) == n:
		return n.content, true
	}
	return "", false
}

// isRef reports whether a text can stand as one reference in a field.
func isRef(text string) bool {
	for _, brackets := range []string{"()", "[]"} {
		line := "x " + brackets[:1] + fieldDependsOn + ":: " + text + brackets[1:]
		n := node{text: span{0, len(line)}}
		n.readText(line)
		if refs := n.dependsOn(); n.content != "x" || len(refs) != 1 || refs[0] != text {
			return false
		}
	}
	return true
}

// newID makes an id of the words of a text. It is none that a dependency could
// mean something else by: no id, text or reference of the plan, and no number.
func (r *namer) newID(text string) string {
	if !r.seen {
		r.seen = true
		all := map[string]bool{}
		for word := range r.taken {
			all[word] = true
		}
		for _, n := range r.d.p.nodes {
			all[n.id], all[pairKey(n.content)] = true, true
			for _, ref := range n.dependsOn() {
				all[ref] = true
			}
		}
		r.taken = all
	}
	var b strings.Builder
	size := 0
	for _, word := range strings.FieldsFunc(strings.ToLower(toValid(text)), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		runes := []rune(word)
		if size > 0 && size+1+len(runes) > maxGivenID {
			break
		}
		if runes = runes[:min(len(runes), maxGivenID)]; size > 0 {
			b.WriteByte('-')
			size++
		}
		b.WriteString(string(runes))
		size += len(runes)
	}
	base := b.String()
	if !validID(base) || bareNumber(base) {
		base = strings.TrimSuffix("item-"+base, "-")
		if !validID(base) {
			base = "item"
		}
	}
	id := base
	for r.taken[id] {
		r.last[base] = max(r.last[base], 1) + 1
		id = fmt.Sprintf("%s-%d", base, r.last[base])
	}
	r.taken[id] = true
	return id
}

// carry writes the references of a plan's items that a change of it has made to
// mean something else, and those that the call said, which are items of the plan
// before. moved is that of the change.
func (d *deps) carry(op string, q *Plan, moved func(*node) *node, said ...meaning) (*Plan, func(*node) *node, error) {
	var want []meaning
	for _, m := range d.meanings(moved) {
		if !slices.ContainsFunc(said, func(s meaning) bool { return s.n == m.n }) {
			want = append(want, m)
		}
	}
	for _, s := range said {
		on := make([]*node, len(s.on))
		for i, n := range s.on {
			if n != nil {
				on[i] = moved(n)
			}
		}
		want = append(want, meaning{n: s.n, on: on, refs: s.refs, said: true})
	}
	w, err := q.wire(op, want, nil)
	if err != nil {
		return nil, nil, err
	}
	var errs Errors
	for _, s := range w.stuck {
		errs = append(errs, namelessError(s.n.number(), s.on[0].named()))
	}
	if err := errs.or(); err != nil {
		return nil, nil, err
	}
	return w.p, func(n *node) *node {
		if m := moved(n); m != nil {
			return w.moved(m)
		}
		return nil
	}, nil
}

package mdplan

import (
	"strings"
	"unicode/utf8"
)

// This file finds for the items of one list those of another.

// keyed is what an item is paired by.
type keyed struct {
	id, key string // the text as pairKey gives it
	status  Status
	unsaid  bool // no status was given
}

func keysOf(nodes []*node) []keyed {
	keys := make([]keyed, len(nodes))
	for i, n := range nodes {
		keys[i] = n.keyed()
		keys[i].key = textKey(n.content)
	}
	return keys
}

// noText is the key of items without a text, which no text has.
const noText = "\n"

// textKey is pairKey for lists: a human's file may have items without a text,
// or with one that is white space only and can't be seen, and a list that shows
// them as they are means them.
func textKey(content string) string {
	if key := pairKey(content); strings.TrimSpace(key) != "" {
		return key
	}
	return noText
}

func (n *node) keyed() keyed { return keyed{id: n.id, key: pairKey(n.content), status: n.status} }

// pairs gives for each item of a the one of b, and the other way round; -1 if
// there is none, or none yet.
type pairs struct {
	a, b     []keyed
	to, from []int
}

func newPairs(a, b []keyed) *pairs {
	p := &pairs{a: a, b: b, to: make([]int, len(a)), from: make([]int, len(b))}
	for i := range p.to {
		p.to[i] = -1
	}
	for i := range p.from {
		p.from[i] = -1
	}
	return p
}

func (p *pairs) join(i, j int) { p.to[i], p.from[j] = j, i }

// inPlace pairs items of the same text that stand at the same place of both
// lists, where nothing that is said speaks against it. A list that is repeated
// is paired with itself, whatever other texts it has twice.
func (p *pairs) inPlace() {
	for i := range min(len(p.a), len(p.b)) {
		a, b := p.a[i], p.b[i]
		if a.key != "" && a.key == b.key && (a.id == "" || a.id == b.id) && (a.unsaid || a.status == b.status) {
			p.join(i, i)
		}
	}
}

// byText pairs items of the same text: first those whose ids are the same too,
// then those of the same status, then what is left, in order. Between two
// revisions of a file the status says nothing where as many items of the text
// are left on both sides: then each is the one in its place.
func (p *pairs) byText(revisions bool) {
	count := map[string]int{}
	if revisions {
		for i, k := range p.a {
			if p.to[i] < 0 {
				count[k.key]++
			}
		}
		for j, k := range p.b {
			if p.from[j] < 0 {
				count[k.key]--
			}
		}
	}
	byKey := map[string][]int{}
	for j, k := range p.b {
		if k.key != "" && p.from[j] < 0 {
			byKey[k.key] = append(byKey[k.key], j)
		}
	}
	for _, same := range []func(a, b keyed) bool{
		func(a, b keyed) bool { return a.id != "" && a.id == b.id },
		func(a, b keyed) bool { return a.status == b.status && (!revisions || count[a.key] != 0) },
		func(a, b keyed) bool { return true },
	} {
		skip := map[string]int{} // how many at the front of a bucket are taken
		for i, k := range p.a {
			if p.to[i] >= 0 {
				continue
			}
			bucket := byKey[k.key]
			for n := skip[k.key]; n < len(bucket); n++ {
				j := bucket[n]
				if p.from[j] >= 0 {
					if n == skip[k.key] {
						skip[k.key]++
					}
					continue
				}
				if same(k, p.b[j]) {
					p.join(i, j)
					break
				}
			}
		}
	}
}

// byID pairs items of the same id.
func (p *pairs) byID() { p.byIDWhere(func(a, b keyed) bool { return true }) }

// byOpenID pairs open items of the same id. Agents number every list from 1:
// what is finished under an id is not what a list has under it next.
func (p *pairs) byOpenID() {
	p.byIDWhere(func(a, b keyed) bool { return a.status.Open() && b.status.Open() })
}

func (p *pairs) byIDWhere(may func(a, b keyed) bool) {
	byID := map[string]int{}
	for j := len(p.b) - 1; j >= 0; j-- { // of equal ids, the first is the one that is meant
		if p.b[j].id != "" && p.from[j] < 0 {
			byID[p.b[j].id] = j
		}
	}
	for i, k := range p.a {
		if j, ok := byID[k.id]; ok && k.id != "" && p.to[i] < 0 && p.from[j] < 0 && may(k, p.b[j]) {
			p.join(i, j)
		}
	}
}

// byGap pairs the only open item left on each side between the same paired
// neighbours, if their texts are alike: a rename.
func (p *pairs) byGap() {
	prev := -1 // the pair of the last paired item of a
	for i := 0; i <= len(p.a); {
		start := i
		for i < len(p.a) && p.to[i] < 0 {
			i++
		}
		next := len(p.b)
		if i < len(p.a) {
			next = p.to[i]
		}
		if only := start; i-start == 1 && next-prev == 2 && p.from[prev+1] < 0 {
			a, b := p.a[only], p.b[prev+1]
			if a.status.Open() && b.status.Open() && alike(a.key, b.key) {
				p.join(only, prev+1)
			}
		}
		prev = next
		i++
	}
}

// alike reports whether the common prefix and suffix of two texts make at
// least half of the longer one, in characters.
func alike(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	prefix := 0
	for prefix < len(x) && x[prefix] == y[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < len(x)-prefix && x[len(x)-1-suffix] == y[len(y)-1-suffix] {
		suffix++
	}
	return 2*(prefix+suffix) >= utf8.RuneCountInString(string(y))
}

package mdplan

import (
	"fmt"
	"slices"
	"strings"
)

// Find returns the item that a reference means: an id (with or without "#"), a
// number ("2.1"), an item's whole text, a line as a shown plan has it, whose mark
// decides between equal texts, or a part of the text that only one item has.
// Where ids are bare numbers, numbers are ids and nothing else. A number that
// another item's text begins with ("2. ") means neither, unless the item of that
// number begins with it too.
//
// The error is a [*RefError] with the items that could be meant.
func (p *Plan) Find(ref string) (Item, error) {
	n, err := p.find(ref)
	if err != nil {
		return Item{}, err
	}
	return p.itemOf(n), nil
}

func (p *Plan) find(ref string) (*node, error) {
	if exact := p.exact(ref); len(exact) > 0 {
		return p.only(ref, exact)
	}
	key := pairKey(ref)
	if key == "" {
		return nil, p.noItem(ref)
	}
	if isNumber(ref) {
		// "22" must not find "Upgrade to Node 22".
		return nil, p.noNumber(ref)
	}
	said := p.readLine(ref)
	if found := p.narrowed(said); len(found) > 0 {
		return p.only(ref, found)
	}
	for _, fold := range []func(string) string{func(s string) string { return s }, strings.ToLower} {
		var part []*node
		for _, n := range p.nodes {
			if strings.Contains(fold(pairKey(n.content)), fold(key)) {
				part = append(part, n)
			}
		}
		if len(part) > 0 {
			return p.only(ref, part)
		}
	}
	if said.id != "" {
		return nil, p.noneOf(ref, said)
	}
	return nil, p.noItem(ref)
}

// exact returns the items that have a reference as id, number or whole text.
// To a number belong those whose texts begin with it, where the item of that
// number does not: they were numbered by hand, and nobody can tell which of the
// two numbers is meant.
func (p *Plan) exact(ref string) []*node {
	ref = strings.TrimSpace(ref)
	id := strings.TrimPrefix(ref, "#")
	var numbered *node
	if id == ref && bareNumber(id) && !p.numberIDs() {
		numbered = p.numbered(id)
	}
	begins := func(*node) bool { return false }
	if numbered != nil && !beginsWith(numbered.content, id) {
		begins = func(n *node) bool { return beginsWith(n.content, id) }
	}
	key := pairKey(ref)
	var found []*node
	for _, n := range p.nodes {
		if n == numbered || n.id != "" && n.id == id || key != "" && pairKey(n.content) == key || begins(n) {
			found = append(found, n)
		}
	}
	return found
}

func (p *Plan) only(ref string, nodes []*node) (*node, error) {
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	return nil, p.refError(ref, nodes)
}

func (p *Plan) noItem(ref string) *RefError { return p.refError(ref, nil) }

// noNumber says that no item has a number, and how many there are.
func (p *Plan) noNumber(ref string) *RefError {
	number := strings.TrimSpace(ref)
	if p.numberIDs() {
		return p.noItem(number)
	}
	var near []*node
	for _, n := range p.nodes {
		if beginsWith(n.content, number) {
			near = append(near, n)
		}
	}
	err := p.refError(number, near)
	err.none = p.without(number)
	switch {
	case len(near) == 1:
		err.none += "; the text of one begins with it, say " + err.way
	case len(near) > 1:
		err.none += fmt.Sprintf("; the texts of %d begin with it, say %s", len(near), err.way)
	default:
		err.none += "; see todomd show --numbers"
	}
	return err
}

// without says what stands where a number leads to no item.
func (p *Plan) without(number string) string {
	has := "the plan has " + plural(len(p.top), "item")
	if subs := len(p.nodes) - len(p.top); subs > 0 {
		has += " and " + plural(subs, "sub-item")
	}
	for parent, _, nested := cutLast(number, "."); nested; parent, _, nested = cutLast(parent, ".") {
		n := p.numbered(parent)
		switch {
		case n == nil:
			continue
		case len(n.subs) == 0:
			has = n.named() + " has no sub-items"
		default:
			has = n.named() + " has " + plural(len(n.subs), "sub-item")
		}
		break
	}
	return fmt.Sprintf("there is no item %s: %s", number, has)
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// noneOf says of a line with an id that no item has all of it.
func (p *Plan) noneOf(ref string, l refLine) *RefError {
	var near []*node
	for _, n := range p.nodes {
		if n.id == l.id || l.text != "" && p.reads(n, l.text) {
			near = append(near, n)
		}
	}
	err := p.refError(ref, near)
	if len(near) > 0 {
		err.none = fmt.Sprintf("no item has both the id and the text of %q; near it, say %s", ref, err.way)
	}
	return err
}

func (p *Plan) refError(ref string, nodes []*node) *RefError {
	err := &RefError{Ref: ref, byID: p.numberIDs()}
	for _, n := range nodes {
		err.Items = append(err.Items, p.itemOf(n))
	}
	err.way = p.wayTo(nodes)
	return err
}

// wayLine names an item where nothing but its mark tells it from others.
const wayLine = "its line as todomd show has it"

// wayTo says by what each of some items can be named.
func (p *Plan) wayTo(nodes []*node) string {
	const line = "its line as todomd show --numbers has it"
	first := nodes[:min(len(nodes), maxNames)]
	if p.numberIDs() {
		shared := slices.ContainsFunc(first, func(n *node) bool { return len(p.exact(n.content)) > 1 })
		if shared && !slices.ContainsFunc(first, func(n *node) bool { return len(p.narrowed(p.readLine(p.itemLine(n, false)))) != 1 }) {
			return wayLine
		}
		return "an id or a text that only one has"
	}
	for _, way := range []struct {
		name string
		ref  func(*node) string
	}{
		{"its number", (*node).number},
		{"its whole text", func(n *node) string { return n.content }},
	} {
		if !slices.ContainsFunc(first, func(n *node) bool { return len(p.exact(way.ref(n))) != 1 }) {
			return way.name
		}
	}
	return line
}

// numberIDs reports whether ids of the plan are bare numbers.
func (p *Plan) numberIDs() bool {
	for _, n := range p.nodes {
		if n.id != "" && bareNumber(n.id) {
			return true
		}
	}
	return false
}

// itemOf returns a node's item with its sub-items.
func (p *Plan) itemOf(n *node) Item {
	it := p.copyItem(n)
	it.Items = p.copyItems(n.subs)
	return it
}

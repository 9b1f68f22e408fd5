package mdplan

import "strings"

// Find returns the item that a reference means: an id (with or without "#"), a
// number ("2.1"), an item's whole text, or a part of the text that only one
// item has. Where ids are bare numbers, numbers are ids and nothing else.
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
		return nil, &RefError{Ref: ref, byID: p.numberIDs()}
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
	return nil, &RefError{Ref: ref, byID: p.numberIDs()}
}

// exact returns the items that have a reference as id, number or whole text.
func (p *Plan) exact(ref string) []*node {
	ref = strings.TrimSpace(ref)
	id := strings.TrimPrefix(ref, "#")
	var numbered *node
	if id == ref && bareNumber(id) && !p.numberIDs() {
		numbered = p.numbered(id)
	}
	key := pairKey(ref)
	var found []*node
	for _, n := range p.nodes {
		if n == numbered || n.id != "" && n.id == id || key != "" && pairKey(n.content) == key {
			found = append(found, n)
		}
	}
	return found
}

func (p *Plan) only(ref string, nodes []*node) (*node, error) {
	if len(nodes) == 1 {
		return nodes[0], nil
	}
	err := &RefError{Ref: ref, byID: p.numberIDs()}
	for _, n := range nodes {
		err.Items = append(err.Items, p.itemOf(n))
	}
	return nil, err
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

package mdplan

import (
	"fmt"
	"slices"
	"strings"
)

// This file keeps what the next list of an author is compared with.

// Base is what [Plan.Update] has to know of an author's last list. A caller
// keeps it with the session; its JSON form is stable.
type Base struct {
	Items []BaseItem `json:"items"`
}

// BaseItem is an item of a last list: what the list said, and what the file
// had once the list was taken.
type BaseItem struct {
	Parent int       `json:"parent"` // its place in Items, -1 at the top
	Said   BaseState `json:"said"`
	File   BaseState `json:"file"`
	Own    bool      `json:"own,omitempty"`
	// At is which item of the file it was, from 0, and Nth which of the Of
	// items of its text.
	At  int `json:"at"`
	Nth int `json:"nth,omitempty"`
	Of  int `json:"of,omitempty"`
	// Digest stands for notes and sub-items in the file.
	Digest string `json:"digest,omitempty"`
	// Noted stands for the notes that a list gave it last.
	Noted string `json:"noted,omitempty"`
	// Touched: since the author brought it, somebody else changed its words,
	// fields, notes or sub-items. What they wrote must not go with an item that
	// a list leaves out, however often the author has named it since.
	Touched bool `json:"touched,omitempty"`
	// Gone: the file had not had the item any more, and the answer named it.
	Gone bool `json:"gone,omitempty"`
	// Removed and Reworded: since the list, its author has taken the item out or
	// given it another text by a command.
	Removed  bool `json:"removed,omitempty"`
	Reworded bool `json:"reworded,omitempty"`
	// Refs has the dependencies in the list's own words, where the file names
	// them otherwise: a list that is repeated may have words that nothing has now.
	Refs []string `json:"refs,omitempty"`
	// On has for each dependency of Said the item of the base that it means, by
	// its place in Items, -1 for another. Names change, by the author's commands
	// too, which no list has heard of.
	On []int `json:"on,omitempty"`
	// Dropped has which dependencies of Said, from 0, were not written, since
	// somebody had deleted the items: the same list writes them once those are
	// back.
	Dropped []int `json:"dropped,omitempty"`
	// Closed: somebody else closed it.
	Closed bool `json:"closed,omitempty"`
}

// BaseState is the first line of an item.
type BaseState struct {
	Content  string `json:"content"`
	Status   Status `json:"status,omitempty"`
	ID       string `json:"id,omitempty"`
	Priority string `json:"priority,omitempty"`
	// DependsOn is joined with commas. What a list said stands there as the file
	// named it then.
	DependsOn string `json:"depends_on,omitempty"`
	Owner     string `json:"owner,omitempty"`
	DoneWhen  string `json:"done_when,omitempty"`
}

func (r reading) state() BaseState {
	return BaseState{Content: r.content, Status: r.status, ID: r.id, Priority: r.priority,
		DependsOn: r.dependsOn, Owner: r.owner, DoneWhen: r.doneWhen}
}

func (s BaseState) keyed() keyed {
	k := keyed{id: s.ID, key: textKey(s.Content), status: s.Status}
	if k.status == "" {
		k.status = Pending // as for an item of a list
	}
	return k
}

// base returns what the author's next list is compared with.
func (u *updater) base() Base {
	nth, of := u.p.sameTexts()
	var b Base
	file := func(item *BaseItem, n *node) {
		item.At, item.Nth, item.Of = n.index, nth[n.index], of[textKey(n.content)]
		item.File = n.reading().state()
		item.Digest = u.p.digest(n)
	}
	for _, e := range u.list {
		e.said.DependsOn = u.named(e.says)
		item := BaseItem{Parent: e.parent, Said: e.said, Own: e.own, Touched: e.touched,
			Gone: e.gone || e.node == nil, Closed: e.closed}
		if refs := refsOf(e.says); joinIDs(refs) != e.said.DependsOn {
			item.Refs = refs
		}
		if item.Noted = noted(e.Notes); e.Notes == "" && e.base != nil {
			item.Noted = e.base.Noted
		}
		if e.node != nil {
			file(&item, e.node)
		}
		b.Items = append(b.Items, item)
	}
	if u.resolver == nil {
		return b // there are no dependencies
	}
	// What stays only because something depends on it goes once nothing does.
	says := make([][]need, len(u.list), len(u.list)+len(u.stays))
	place := make(map[any]int, len(u.list)) // by need.is
	for i, e := range u.list {
		says[i], place[need{entry: e}.is()] = e.says, i
	}
	for _, n := range u.stays {
		old, now := u.baseOf(n), u.became[n.index]
		if old == nil || !old.Own || now == nil {
			continue
		}
		item := BaseItem{Parent: -1, Said: old.Said, Own: true, Touched: old.Touched}
		needs := u.resolver.saidBy(old)
		item.Said.DependsOn = u.named(needs)
		file(&item, now)
		says, place[need{node: n}.is()] = append(says, needs), len(b.Items)
		b.Items = append(b.Items, item)
	}
	for i, needs := range says {
		b.Items[i].On = placesOf(needs, place)
	}
	for i, e := range u.list {
		b.Items[i].Dropped = u.dropped(e)
	}
	return b
}

// placesOf returns where the items stand in a base that are meant, -1 for one
// that is none of it; nil if none is.
func placesOf(needs []need, place map[any]int) []int {
	on, any := make([]int, len(needs)), false
	for i, x := range needs {
		on[i] = -1
		if k, ok := place[x.is()]; ok {
			on[i], any = k, true
		}
	}
	if !any {
		return nil
	}
	return on
}

// sameTexts returns for each item how many of its text stand before it, and for
// each text how many items have it.
func (p *Plan) sameTexts() (nth []int, of map[string]int) {
	nth, of = make([]int, len(p.nodes)), make(map[string]int, len(p.nodes))
	for i, n := range p.nodes {
		key := textKey(n.content)
		nth[i] = of[key]
		of[key]++
	}
	return nth, of
}

// after returns the base once its author has changed p to q by a command, and
// whether that makes a difference: what the author wrote is nobody else's. A
// mirrored list knows nothing of commands: its base only keeps leading to its
// items, under whatever words.
func (b *Base) after(p, q *Plan, mirrored bool) (*Base, bool) {
	inFile, moved := b.inFile(keysOf(p.nodes)), pairCommand(p, q)
	nth, of := q.sameTexts()
	after := &Base{Items: slices.Clone(b.Items)}
	changed := false
	for i := range after.Items {
		it := &after.Items[i]
		j := inFile.to[i]
		switch {
		case it.Gone:
			continue
		case j < 0:
			if it.Removed && of[textKey(it.File.Content)] > 0 {
				it.Removed, changed = false, true // brought back
			}
			continue
		case moved.to[j] < 0:
			it.Removed, changed = true, true
			continue
		}
		if it.Removed {
			it.Removed, changed = false, true
		}
		n, m := p.nodes[j], q.nodes[moved.to[j]]
		old, now := n.reading().state(), m.reading().state()
		for _, f := range []struct {
			base     *string
			old, now string
		}{
			{&it.File.Content, old.Content, now.Content}, {(*string)(&it.File.Status), string(old.Status), string(now.Status)},
			{&it.File.ID, old.ID, now.ID}, {&it.File.Priority, old.Priority, now.Priority},
			{&it.File.DependsOn, old.DependsOn, now.DependsOn}, {&it.File.Owner, old.Owner, now.Owner},
			{&it.File.DoneWhen, old.DoneWhen, now.DoneWhen}, {&it.Digest, p.digest(n), q.digest(m)},
		} {
			if *f.base == f.old && f.old != f.now && (!mirrored || f.base == &it.File.Content) {
				*f.base, changed = f.now, true
			}
		}
		if textKey(old.Content) != textKey(now.Content) {
			it.Reworded, changed = true, true
		}
		it.At, it.Nth, it.Of = m.index, nth[m.index], of[textKey(m.content)]
	}
	return after, changed
}

// digest stands for what an item holds below its first line.
func (p *Plan) digest(n *node) string {
	var b strings.Builder
	b.WriteString(p.notes(n))
	for _, sub := range n.subs {
		fmt.Fprintf(&b, "\x00%q%s", sub.reading(), p.digest(sub))
	}
	if b.Len() == 0 {
		return ""
	}
	return RevOf([]byte(b.String()))
}

package mdplan

import (
	"fmt"
	"slices"
	"strings"
)

// UpdateOptions says how [Plan.Update] takes a list.
type UpdateOptions struct {
	// Base is the author's last list in this session; nil makes the list a
	// first list, which adds and changes, and removes nothing.
	Base *Base
	// Replace takes the list as it is, for all items, whoever brought them.
	Replace bool
	// Mirrored says that a harness repeats the list of its own todo tool. Such
	// a list never wins over what somebody else wrote.
	Mirrored bool
	// Own has the items that this author brought in earlier sessions, by their
	// content: naming them makes them the author's own again.
	Own map[string]bool
	// Retire lets a list that shares no item with a finished plan take its place.
	Retire bool
}

// Update is the outcome of [Plan.Update] and [Session.Update].
type Update struct {
	Plan     *Plan     // the plan afterwards, the same one if nothing changed
	Outcomes []Outcome // in the order of the constants for their kinds
	Base     Base      // for the author's next list
	// Labels has the active forms that the list gives, by content, for
	// [Plan.WithActiveForms]; "" takes one away.
	Labels   map[string]string
	Warnings []string // limits that a human has passed
	Notice   string   // why a session's log can't be kept
}

// Update takes a complete list and changes the plan as little as possible: a
// list removes, rewords and moves only its author's own items, and changes only
// what differs from the author's last list. What it does not mention stays.
// A dependency is an id, a number or a whole text of the list's items, else of
// the plan's; an item that the file can't name by its text gets an id. What an
// item that stays depends on stays too, and keeps being what is meant.
//
// Errors: an [Errors] with every [*RuleError] of the list at once, each naming
// its item by the list's numbers; an [*ImpossibleError]; those of [ReadList] for
// a Markdown text, since what some lines of it mean only the plan can tell.
func (p *Plan) Update(by Caller, l List, o UpdateOptions) (Update, error) {
	l, err := l.meant(p)
	if err != nil {
		return Update{}, err
	}
	u := &updater{p: p, by: by, o: o}
	u.flatten(l.Items, -1, "")
	u.pair()
	u.mergeDependencies()
	u.keepNeeded()
	u.settleLeft()
	u.retire()
	if err := u.rules(); err != nil {
		return Update{}, err
	}
	for _, step := range []func() error{u.change, u.reorder, u.nest, u.addAll, u.addNotes, u.removeLeft, u.depend} {
		if err := step(); err != nil {
			return Update{}, err
		}
	}
	if err := u.rulesAfter(); err != nil {
		return Update{}, err
	}
	for _, x := range l.Ignored {
		u.tell(OutcomeIgnored, x.Text, fmt.Sprintf("in its line %d, %s", x.Line, x.Why))
	}
	u.tellNeeded()
	sortOutcomes(u.outcomes)
	return Update{Plan: u.p, Outcomes: u.outcomes, Base: u.base(), Labels: u.labels(), Warnings: u.warnings}, nil
}

// entry is an item of the list.
type entry struct {
	ListItem
	number string
	parent int // in updater.list, -1
	read   reading
	base   *BaseItem
	node   *node // nil: not in the plan (yet)
	known  bool  // was in the plan when the call came
	own    bool
	gone   bool      // somebody deleted it
	said   BaseState // for the next base
	closed bool      // by somebody else, against what the list says
	starts bool      // this call puts it in progress

	was     *node  // the item of the plan when the call came
	needs   []need // its dependencies, as the list says them
	says    []need // those for the next base
	brings  bool   // this call writes them
	heard   bool   // a mirrored list was told that the file's stay
	touched bool   // see BaseItem
}

type updater struct {
	p        *Plan
	by       Caller
	o        UpdateOptions
	list     []*entry
	nested   bool // the list says something about nesting
	outcomes []Outcome
	warnings []string
	left     []*node // to be removed

	// What the list does not name: to be removed, open and staying, and staying
	// only because something depends on it.
	remove map[*node]bool
	kept   []*node
	stays  []*node
	holds  []holding

	resolver *resolver           // nil: there are no dependencies
	ofBase   map[*BaseItem]*node // what the items of the base are in the plan
	became   []*node             // with a resolver: by index, what the items of the plan are now
	last     *deps               // of the result

	// What lists of thousands of items would be searched for again and again.
	texts        map[string]bool // of the file and the base
	needs        map[string]bool // ids that the list depends on
	neededBefore map[any]bool    // what the last one did, as need.is has it
	idsOf        *Plan           // whose ids are in ids
	ids          map[string][]*node
	newIDs       map[*node]string // what settleIDs found
}

func (u *updater) flatten(items []ListItem, parent int, prefix string) {
	for i, it := range items {
		e := &entry{ListItem: it, number: fmt.Sprintf("%s%d", prefix, i+1), parent: parent}
		e.read = u.read(it)
		e.take()
		u.list = append(u.list, e)
		if it.Items != nil {
			u.nested = true
			u.flatten(it.Items, len(u.list)-1, e.number+".")
		}
	}
}

// read reads a content. One that is the text of an item as the file has it, or
// the base, is no more than that, however much of it looks like a mark, an id or
// fields: a list that shows a plan says the same as the plan. Beside a status of
// its own the text may also begin with a box and have fields behind it.
func (u *updater) read(it ListItem) reading {
	r, text := u.p.newNode(it.Content).reading(), oneLine(it.Content)
	switch {
	case r == (reading{content: text}):
		return r
	case u.hasText(text):
		return reading{content: text}
	case r.status != "" && it.Status != "":
		n := node{content: text}
		n.text.end = len(n.content)
		n.readText(n.content)
		if boxed := n.reading(); u.hasText(boxed.content) {
			return boxed
		}
	}
	return r
}

// hasText reports whether the plan or the base has an item of a text.
func (u *updater) hasText(content string) bool {
	if u.texts == nil {
		u.texts = map[string]bool{}
		for _, n := range u.p.nodes {
			u.texts[textKey(n.content)] = true
		}
		if u.o.Base != nil {
			for _, b := range u.o.Base.Items {
				u.texts[textKey(b.Said.Content)] = true
			}
		}
	}
	return u.texts[textKey(content)]
}

// take joins what stands inside the content with the keys of the item: a key
// wins over what the content says.
func (e *entry) take() {
	if e.Status != "" {
		e.read.status = e.Status
	} else {
		e.Status = e.read.status
	}
	set := func(key **string, value *string) {
		switch {
		case *key != nil:
			*value = oneLine(**key)
		case *value != "":
			v := *value
			*key = &v
		}
	}
	set(&e.ID, &e.read.id)
	e.read.id = strings.TrimPrefix(e.read.id, "#")
	set(&e.Priority, &e.read.priority)
	set(&e.Owner, &e.read.owner)
	set(&e.DoneWhen, &e.read.doneWhen)
	if e.DependsOn != nil {
		refs := make([]string, len(e.DependsOn)) // the caller's slice stays as it is
		for i, ref := range e.DependsOn {
			refs[i] = oneLine(ref)
		}
		e.DependsOn = refs
	} else if e.read.dependsOn != "" {
		e.DependsOn = []string{e.read.dependsOn}
	}
	e.read.dependsOn = "" // what it means is found once all items are known
}

func (u *updater) tell(kind, content, detail string) {
	u.outcomes = append(u.outcomes, Outcome{kind, content, detail})
}

// retire takes out a finished plan that the list has nothing to do with.
func (u *updater) retire() {
	if !u.o.Retire || u.o.Replace || len(u.list) == 0 || len(u.p.nodes) == 0 {
		return
	}
	for _, e := range u.list {
		if e.known || slices.ContainsFunc(e.needs, func(x need) bool { return x.node != nil }) {
			return
		}
	}
	for _, n := range u.p.nodes {
		if n.status.Open() {
			return
		}
	}
	u.left = slices.Clone(u.p.top)
	for _, n := range u.p.nodes {
		u.tell(OutcomeRetired, n.content, "")
	}
}

// follow replaces the items of the list and those to be removed by what they
// became.
func (u *updater) follow(q *Plan, moved func(*node) *node) {
	for _, e := range u.list {
		if e.node != nil {
			e.node = moved(e.node)
		}
	}
	for i, n := range u.left {
		u.left[i] = moved(n)
	}
	for i, n := range u.became {
		if n != nil {
			u.became[i] = moved(n)
		}
	}
	u.p = q
}

// removeLeft takes out what the list left out, all at once.
func (u *updater) removeLeft() error {
	if len(u.left) == 0 {
		return nil
	}
	left := outermost(u.left)
	u.left = nil
	q, moved, err := u.p.removeAll("remove", left)
	if err != nil {
		return err
	}
	u.follow(q, moved)
	return nil
}

// labels returns the active forms of the list, by content.
func (u *updater) labels() map[string]string {
	labels := map[string]string{}
	for _, e := range u.list {
		if e.ActiveForm != nil && e.node != nil {
			labels[e.node.content] = oneLine(*e.ActiveForm)
		}
	}
	return labels
}

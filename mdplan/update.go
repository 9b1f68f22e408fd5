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

// Outcome is one thing that an update did or did not do.
type Outcome struct {
	Kind    string // one of the Outcome constants
	Content string // of the item, as it is now
	Detail  string // what it was, or what the list wanted
}

// The kinds of outcomes, in the order in which an [Update] has them.
const (
	OutcomeAdded    = "added"
	OutcomeRemoved  = "removed"
	OutcomeRetired  = "retired"  // went with a finished plan
	OutcomeNeeded   = "needed"   // left out, and stays since an item depends on it; Detail: that item's text
	OutcomeKept     = "kept"     // left out, open, and stays; Detail: KeptBefore if this session's answers named it already
	OutcomeRenamed  = "renamed"  // Detail: the text before
	OutcomeMerged   = "merged"   // the file's value stays; Detail: what the list wanted
	OutcomeReworded = "reworded" // the file has other words for it; Detail: the list's, which it had before
	OutcomeDeleted  = "deleted"  // somebody deleted it or gave it a text unlike that, and it stays so; Detail: as for a kept one
	OutcomeDropped  = "dropped"  // the author removed it by a command, and it stays so
	OutcomeClosed   = "closed"   // "pending" in a first list did not reopen it; Detail: the file's status
	OutcomeID       = "id"       // Detail: an id that the file uses for another text
	OutcomeUnmet    = "unmet"    // a dependency is not written, since somebody deleted the item; Detail: that item's text
	OutcomeNamed    = "named"    // got an id, since a dependency can't name it by its text; Detail: the id
	OutcomeUnplaced = "unplaced" // Markdown allows no other place
	OutcomeIgnored  = "ignored"  // a line of the list that looks like an item and is none; Content: the line, Detail: the reason
)

// KeptBefore is the Detail of a kept or deleted item that a report only counts.
// What stays since something depends on it is one too, once it was named as
// needed.
const KeptBefore = "before"

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

// base returns what the author's next list is compared with.
func (u *updater) base() Base {
	at := make(map[int]int, len(u.list))
	nth, of := u.p.sameTexts()
	var b Base
	file := func(item *BaseItem, n *node) {
		item.At, item.Nth, item.Of = n.index, nth[n.index], of[textKey(n.content)]
		item.File = n.reading().state()
		item.Digest = u.p.digest(n)
	}
	for i, e := range u.list {
		at[i] = len(b.Items)
		e.said.DependsOn = u.named(e.says)
		item := BaseItem{Parent: -1, Said: e.said, Own: e.own, Touched: e.touched,
			Gone: e.gone || e.node == nil, Closed: e.closed}
		if refs := refsOf(e.says); joinIDs(refs) != e.said.DependsOn {
			item.Refs = refs
		}
		if e.parent >= 0 {
			item.Parent = at[e.parent]
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

var outcomeOrder = []string{OutcomeAdded, OutcomeRemoved, OutcomeRetired, OutcomeNeeded, OutcomeKept, OutcomeRenamed,
	OutcomeMerged, OutcomeReworded, OutcomeDeleted, OutcomeDropped, OutcomeClosed, OutcomeID, OutcomeUnmet, OutcomeNamed, OutcomeUnplaced, OutcomeIgnored}

func sortOutcomes(outcomes []Outcome) {
	slices.SortStableFunc(outcomes, func(a, b Outcome) int {
		return slices.Index(outcomeOrder, a.Kind) - slices.Index(outcomeOrder, b.Kind)
	})
}

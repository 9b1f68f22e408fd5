package mdplan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Status is the state of an item. Its zero value stands for "not given".
type Status string

// The five statuses. An item is open while it is Pending, InProgress or
// Blocked, and closed when it is Completed or Cancelled.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Blocked    Status = "blocked"
	Cancelled  Status = "cancelled"
)

var statuses = [...]Status{Pending, InProgress, Completed, Blocked, Cancelled}

// Statuses returns the five statuses in the order in which messages name them.
func Statuses() []Status { return slices.Clone(statuses[:]) }

// ParseStatus reads a status word as models write it: in any case, with "-"
// or a space for "_", and "done", "complete", "todo", "canceled" for what they
// mean. It reports false, and the word as it came, if it is none of these.
func ParseStatus(word string) (Status, bool) {
	w := strings.ToLower(strings.TrimSpace(word))
	w = strings.NewReplacer("-", "_", " ", "_").Replace(w)
	switch w {
	case "done", "complete":
		return Completed, true
	case "todo":
		return Pending, true
	case "canceled":
		return Cancelled, true
	}
	if s := Status(w); s.valid() {
		return s, true
	}
	return Status(word), false
}

// Open reports whether work is left: pending, in progress or blocked.
func (s Status) Open() bool { return s == Pending || s == InProgress || s == Blocked }

func (s Status) valid() bool { return slices.Contains(statuses[:], s) }

// Item is one task of a plan, as plain data. Values that a Plan hands out are
// copies: changing them changes nothing in the plan. Its JSON form is that of
// "todomd show --json".
type Item struct {
	// Number is the item's place, "3" or for a sub-item "2.1".
	Number  string `json:"number"`
	ID      string `json:"id,omitempty"`
	Content string `json:"content"`
	Status  Status `json:"status"`
	// ActiveForm labels the item in progress. It is not in the file; who has
	// it from elsewhere sets it with [Plan.WithActiveForms].
	ActiveForm string   `json:"active_form,omitempty"`
	Priority   string   `json:"priority,omitempty"`
	DependsOn  []string `json:"depends_on"`
	Owner      string   `json:"owner,omitempty"`
	// DoneWhen is a path or glob whose existence completes the item.
	DoneWhen string `json:"done_when,omitempty"`
	// Section is the text of the heading that the item stands under.
	Section string `json:"section,omitempty"`
	// Line is the line of the item's mark in the file, counted from 1.
	Line int `json:"line"`
	// Notes is what stands inside the item below its first line and is no
	// sub-item, without the item's indent. Lines end in "\n" but for the last.
	Notes string `json:"notes,omitempty"`
	// Items are the sub-items. Like DependsOn it is never nil.
	Items []Item `json:"items"`
}

// Counts counts the items of a plan, sub-items included.
type Counts struct {
	Total      int `json:"total"`
	Pending    int `json:"pending"`
	InProgress int `json:"in_progress"`
	Completed  int `json:"completed"`
	Blocked    int `json:"blocked"`
	Cancelled  int `json:"cancelled"`
}

// Plan is a plan file as it was read: its bytes and the items in them. It is
// immutable, so it may be used by several goroutines at once. Operations give
// a new Plan. The zero value is not useful; [Parse] of no bytes at all gives
// an empty plan.
type Plan struct {
	src      []byte
	doc      *document
	nodes    []*node // every item, in document order
	top      []*node // the items without a parent
	byBullet []*node // by list item, nil for one that is no item
	settings Settings
	scope    scope
	problems []Problem // found while reading: the directive's
	rev      string
	labels   map[string]string // active forms by content key
	marks    map[Status]string // the dialect of revisions before, where the file shows none now
	holders  map[string]Author // who started the items in progress, by content key
}

// Bytes returns a copy of the file's bytes.
func (p *Plan) Bytes() []byte { return bytes.Clone(p.src) }

// Rev returns the revision: a short hash of the file's bytes.
func (p *Plan) Rev() string { return p.rev }

// RevOf returns the revision that a plan file of these bytes has: the first
// 12 hexadecimal digits of their SHA-256.
func RevOf(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:6])
}

// Len returns the number of items, sub-items included.
func (p *Plan) Len() int { return len(p.nodes) }

// Settings returns what the file's directive sets.
func (p *Plan) Settings() Settings { return p.settings.clone() }

// Items returns the plan's items, sub-items inside their parents.
func (p *Plan) Items() []Item { return p.copyItems(p.top) }

func (p *Plan) copyItems(nodes []*node) []Item {
	items := make([]Item, len(nodes))
	for i, n := range nodes {
		items[i] = p.copyItem(n)
		items[i].Items = p.copyItems(n.subs)
	}
	return items
}

// copyItem returns the item of a node without its sub-items.
func (p *Plan) copyItem(n *node) Item {
	it := Item{
		Number:    n.number(),
		ID:        n.id,
		Content:   n.content,
		Status:    n.status,
		Priority:  n.field(fieldPriority),
		DependsOn: n.dependsOn(),
		Owner:     n.field(fieldOwner),
		DoneWhen:  n.field(fieldDoneWhen),
		Line:      n.line,
		Notes:     p.notes(n),
	}
	if it.DependsOn == nil {
		it.DependsOn = []string{}
	}
	if n.heading >= 0 {
		it.Section = p.doc.headings[n.heading].text
	}
	if len(p.labels) > 0 {
		it.ActiveForm = p.labels[pairKey(n.content)]
	}
	return it
}

// WithActiveForms returns the plan with labels for its items in progress. The
// key is an item's content; white space in it does not count.
func (p *Plan) WithActiveForms(labels map[string]string) *Plan {
	q := *p
	q.labels = make(map[string]string, len(labels))
	for content, label := range labels {
		if label != "" {
			q.labels[pairKey(content)] = label
		}
	}
	return &q
}

// WithHolders returns the plan with what is known of who started its items in
// progress, for [Plan.Check]. The key is an item's content; white space in it
// does not count. The map is copied.
func (p *Plan) WithHolders(holders map[string]Author) *Plan {
	q := *p
	q.holders = make(map[string]Author, len(holders))
	for content, who := range holders {
		q.holders[pairKey(content)] = who
	}
	return &q
}

// Counts counts the plan's items.
func (p *Plan) Counts() Counts {
	var c Counts
	for _, n := range p.nodes {
		c.Total++
		switch n.status {
		case Pending:
			c.Pending++
		case InProgress:
			c.InProgress++
		case Completed:
			c.Completed++
		case Blocked:
			c.Blocked++
		case Cancelled:
			c.Cancelled++
		}
	}
	return c
}

// Title returns the text of the heading that the whole plan stands under: the
// last one before the first item that is of a higher level than all others
// between the items. It is "" where there is none.
func (p *Plan) Title() string {
	common := -1
	for i, n := range p.nodes {
		if n.heading < 0 {
			return ""
		}
		if i == 0 {
			common = n.heading
		}
		for common >= 0 && !p.under(n.heading, common) {
			common = p.headingAbove(common)
		}
		if common < 0 {
			return ""
		}
	}
	if common < 0 {
		return ""
	}
	return p.doc.headings[common].text
}

package mdplan

import "encoding/json"

// List is a complete list as a todo tool of an agent passes it. [ReadList]
// reads one; its JSON form is todomd's own, {"items":[…]}.
type List struct {
	Items []ListItem
	// Ignored is what in a Markdown text looks like a task and was not read as
	// one. It is no part of the JSON form.
	Ignored []Ignored

	source *listSource // nil if there is but one way to read the list
}

// ListItem is one item of a List. A field that is nil (or a Status that is
// empty) was not in the call, and leaves the plan's value as it is; a pointer
// to "" and an empty, non-nil slice clear it.
type ListItem struct {
	Content    string     `json:"content"`
	Status     Status     `json:"status,omitempty"` // "" if left out; an unknown word is kept for the rules to refuse
	ID         *string    `json:"id,omitzero"`
	ActiveForm *string    `json:"active_form,omitzero"`
	Priority   *string    `json:"priority,omitzero"`
	DependsOn  []string   `json:"depends_on,omitzero"` // nil: as it is; empty: none
	Owner      *string    `json:"owner,omitzero"`
	DoneWhen   *string    `json:"done_when,omitzero"`
	Notes      string     `json:"notes,omitempty"` // appended to the item's notes
	Items      []ListItem `json:"items,omitzero"`  // nil: says nothing about nesting; empty: no sub-items
}

// MarshalJSON writes the list in todomd's own form. What a call left out is
// left out again, so that [ReadList] of the result gives the same list.
func (l List) MarshalJSON() ([]byte, error) {
	items := l.Items
	if items == nil {
		items = []ListItem{} // null is no list
	}
	return json.Marshal(struct {
		Items []ListItem `json:"items"`
	}{items})
}

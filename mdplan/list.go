package mdplan

// List is a complete list as a todo tool of an agent passes it.
type List struct {
	Items []ListItem
}

// ListItem is one item of a List. A field that is nil (or a Status that is
// empty) was not in the call, and leaves the plan's value as it is; a pointer
// to "" and an empty, non-nil slice clear it.
type ListItem struct {
	Content    string
	Status     Status // "" if left out; an unknown word is kept for the rules to refuse
	ID         *string
	ActiveForm *string
	Priority   *string
	DependsOn  []string // nil: as it is; empty: none
	Owner      *string
	DoneWhen   *string
	Notes      string     // appended to the item's notes
	Items      []ListItem // nil: says nothing about nesting; empty: no sub-items
}

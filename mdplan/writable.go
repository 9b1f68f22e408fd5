package mdplan

import (
	"errors"
	"fmt"
)

// This file says beforehand why Markdown can't hold a value, where the check of
// the result could only say that something reads differently.

// fieldHolds reports whether a field reads its value back, in the brackets that
// the item has for it already, else in round ones.
func fieldHolds(n *node, f namedField) bool {
	open, shut := "(", ")"
	if n != nil {
		for _, old := range n.fields {
			if old.name == f.name {
				if !old.round {
					open, shut = "[", "]"
				}
				break
			}
		}
	}
	text := open + f.name + ":: " + f.value + shut
	got, ok := lastField(text)
	return ok && got.start == 0 && got.name == f.name && got.value == f.value
}

// listNames are the keys that a list has for the fields of the file.
var listNames = map[string]string{fieldDoneWhen: "done_when"}

func fieldError(number, name, value string) *RuleError {
	return &RuleError{Code: "field", Item: number, Msg: fmt.Sprintf(
		"Item %s: %s can't be %s, since the brackets in it do not match and the file keeps it in brackets; balance them or take them out", number, name, shown(value))}
}

// fieldRules returns what of a reading the file can't hold, its dependencies
// aside. What stays as it was is never in the way.
func fieldRules(number string, n *node, r, old reading, names map[string]string) Errors {
	var errs Errors
	was := old.fields()
	for i, f := range r.fields() {
		if f.name == fieldDependsOn || f.value == was[i].value || f.value == "" || fieldHolds(n, f) {
			continue
		}
		name := f.name
		if names[name] != "" {
			name = names[name]
		}
		errs = append(errs, fieldError(number, name, f.value))
	}
	return errs
}

// fieldRules are those of an item of the list.
func (e *entry) fieldRules() Errors {
	var n *node
	old := reading{}
	if e.known {
		n, old = e.node, e.node.reading()
	}
	r := e.read
	for _, f := range []struct {
		key *string
		of  *string
		was string
	}{{e.Priority, &r.priority, old.priority}, {e.Owner, &r.owner, old.owner}, {e.DoneWhen, &r.doneWhen, old.doneWhen}} {
		if f.key == nil {
			*f.of = f.was
		}
	}
	return fieldRules(e.number, n, r, old, listNames)
}

// openBlock describes the block without an end that takes in whatever is added
// inside an item, or without one at the end of the file; "" if there is none.
func (p *Plan) openBlock(in *node) string {
	c := &checker{p: p, text: string(p.src)}
	for _, f := range p.doc.fences {
		if f.open && (in == nil && c.toTheEnd(f) || in != nil && in.lineStart <= f.start && f.start < in.end) {
			at, what, way := c.unclosedBlock(f)
			return fmt.Sprintf("the %s that begins in line %d has no end, so what is added would belong to it; %s", what, c.lineOf(at), way)
		}
	}
	return ""
}

// explained gives an error of an operation inside of an item, or at the end of
// the file (nil), its cause where a block without an end is in the way.
func (p *Plan) explained(err error, in *node) error {
	var impossible *ImpossibleError
	if !errors.As(err, &impossible) {
		return err
	}
	why := p.openBlock(in)
	if why == "" {
		return err
	}
	e := *impossible
	e.Why = why
	return &e
}

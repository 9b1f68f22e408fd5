package mdplan

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// View is the JSON form of a plan, as "todomd show --json" prints it.
type View struct {
	File     string    `json:"file"`
	Rev      string    `json:"rev"`
	Items    []Item    `json:"items"`
	Counts   Counts    `json:"counts"`
	Problems []Problem `json:"problems"`
}

// View returns the plan in its JSON form, with the problems that Check finds.
func (p *Plan) View(file string, over Settings) View {
	v := View{File: file, Rev: p.rev, Items: p.Items(), Counts: p.Counts(), Problems: p.Check(over)}
	if v.Problems == nil {
		v.Problems = []Problem{}
	}
	return v
}

// EncodeJSON writes a value as one line of JSON that is safe to print: control
// characters that JSON leaves as they are, and those that turn the direction
// of text, are escaped, and so are "<", ">" and "&".
func EncodeJSON(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if !needsEscape(string(data)) {
		return append(data, '\n'), nil
	}
	var b bytes.Buffer
	for _, r := range string(data) {
		if r == 0x7f || isControl(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

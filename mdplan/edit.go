package mdplan

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// splice applies edits to src. Insertions at one place stand in the order in
// which they come; edits that overlap are an error.
func splice(src []byte, edits []edit) ([]byte, error) {
	var out bytes.Buffer
	at := 0
	for _, e := range inOrder(edits) {
		if e.start < at || e.end < e.start || e.end > len(src) {
			return nil, fmt.Errorf("edits overlap at byte %d", e.start)
		}
		out.Write(src[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(src[at:])
	return out.Bytes(), nil
}

// inOrder returns edits in the order of the bytes that they replace.
func inOrder(edits []edit) []edit {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	return edits
}

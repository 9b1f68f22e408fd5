package mdplan

import "strings"

// listSource is the Markdown text of a list that was read as a plan file, though
// boxes in it, with nothing, a word or an unknown mark in them, could be items to
// a tool. Only the plan can tell: a line that it has is no item in either.
type listSource struct {
	text  string
	t     *listText
	marks listMarks
}

// meant returns the list as its author means it beside a plan: a box with a word
// that the plan's file does not have is an item of the author's. Left out, it
// would remove what it says is done.
func (l List) meant(p *Plan) (List, error) {
	if l.source == nil {
		return l, nil
	}
	in := map[string]bool{} // the lines of the plan's file
	for line := range strings.Lines(toValid(strings.TrimPrefix(string(p.src), bom(string(p.src))))) {
		in[strings.TrimSpace(line)] = true
	}
	r := &listReader{}
	c := &checkReader{listReader: r, marks: l.source.marks, taken: map[int]bool{}, skip: map[int]bool{}}
	own := false
	for i, line := range strings.Split(l.source.text, "\n") {
		if l.source.t.is(i, lineWord) {
			c.skip[i] = in[strings.TrimSpace(line)]
			own = own || !c.skip[i]
		}
	}
	if !own {
		return l, nil
	}
	if err := c.read(l.source.t, l.source.text); err != nil {
		return List{}, err
	}
	items := c.root.finish().Items
	r.ignore(l.source.t, l.source.text, c.taken)
	return List{Items: items, Ignored: r.ignored}, r.err()
}

package mdplan

import "strings"

// refLine is what a line of a plan says of an item, be it as a shown plan has the
// line or as the file does. Its mark, fields and label are left out: they change
// while the item stays the same one.
type refLine struct {
	number string // where --numbers puts it, before the mark
	id     string
	text   string
}

// readLine reads a reference as such a line.
func (p *Plan) readLine(ref string) refLine {
	var l refLine
	text := oneLine(ref)
	if size := p.boxSize(text); size > 0 {
		text = text[size:]
	} else if first, rest, ok := strings.Cut(text, " "); ok && bareNumber(first) && !p.numberIDs() {
		rest = strings.TrimLeft(rest, " ")
		if size := p.boxSize(rest); size > 0 {
			l.number, text = first, rest[size:]
		}
	} else if rest := p.unbulleted(text); rest != text {
		text = rest[p.boxSize(rest):]
	}
	text = strings.TrimSpace(text)
	n := node{text: span{0, len(text)}}
	n.readText(text)
	l.id, l.text = n.id, n.content
	return l
}

// boxSize returns how long the mark in brackets at the start of a text is, with
// what makes the item optional; 0 if there is none.
func (p *Plan) boxSize(text string) int {
	mark, rest, ok := boxAt([]byte(text), span{0, len(text)})
	if !ok {
		return 0
	}
	if _, known := p.statusOf([]rune(text[mark.start:mark.end])[0]); !known {
		return 0
	}
	return rest.start
}

// unbulleted takes the bullet off a text that goes on with a mark, as it is
// copied from a file. Before anything else a bullet is text.
func (p *Plan) unbulleted(text string) string {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	n := markerSize(trimmed)
	if n == 0 || n == len(trimmed) || !isSpaceOrTab(trimmed[n]) {
		return text
	}
	rest := strings.TrimLeft(trimmed[n:], " \t")
	if p.boxSize(rest) == 0 {
		return text
	}
	return rest
}

// lineItems returns the items that have the id and the text of a line.
func (p *Plan) lineItems(l refLine) []*node {
	if l == (refLine{}) {
		return nil
	}
	var found []*node
	for _, n := range p.nodes {
		switch {
		case l.id != "" && n.id != l.id:
		case l.text == "" && (l.id == "" || l.number != "") && n.content != "":
		case l.text == "" || p.reads(n, l.text):
			found = append(found, n)
		}
	}
	return found
}

// narrowed returns the items that a line can mean: of several, the one that has
// its number, since nothing else tells equal texts apart.
func (p *Plan) narrowed(l refLine) []*node {
	found := p.lineItems(l)
	if len(found) > 1 && l.number != "" {
		for _, n := range found {
			if n == p.numbered(l.number) {
				return []*node{n}
			}
		}
	}
	return found
}

// reads reports whether a text is that of an item as it is shown: with its
// label, or cut with "…".
func (p *Plan) reads(n *node, text string) bool {
	key, want := pairKey(n.content), pairKey(text)
	if key == want {
		return true
	}
	if cut, ok := strings.CutSuffix(want, "…"); ok && cut != "" && strings.HasPrefix(key, cut) {
		return true
	}
	label := p.labels[key]
	return label != "" && n.status == InProgress && pairKey(n.content+" ("+label+")") == want
}

// numberOf returns the number that a reference relies on, "" if it names its
// item without one.
func (p *Plan) numberOf(ref string) string {
	if isNumber(ref) {
		return strings.TrimSpace(ref)
	}
	if len(p.exact(ref)) > 0 {
		return ""
	}
	if l := p.readLine(ref); l.number != "" && len(p.lineItems(l)) > 1 {
		return l.number
	}
	return ""
}

// beginsWith reports whether a text begins with a number as a heading would:
// "2. Login", "2) Login", "2: Login", "2 - Login", and for a number of several
// parts "2.1 Login" too. "2 eggs" and "2:30" begin with none.
func beginsWith(text, number string) bool {
	const emphasis = "*_"
	text = strings.TrimLeft(text, emphasis)
	end := len(text) - len(strings.TrimLeft(text, "0123456789."))
	code := strings.TrimRight(text[:end], ".")
	if code == "" || !bareNumber(code) || plainNumber(code) != plainNumber(number) {
		return false
	}
	rest := strings.TrimLeft(text[len(code):], emphasis)
	ends := strings.Contains(code, ".")
	if rest != "" && strings.IndexByte(".):", rest[0]) >= 0 {
		rest, ends = strings.TrimLeft(rest[1:], emphasis), true
	}
	words := strings.TrimLeft(rest, " \t")
	if words == rest && rest != "" {
		return false
	}
	for _, dash := range []string{"- ", "– ", "— "} {
		ends = ends || strings.HasPrefix(words, dash)
	}
	return ends
}

// plainNumber is a number without the noughts that its parts may begin with.
func plainNumber(number string) string {
	parts := strings.Split(number, ".")
	for i, part := range parts {
		parts[i] = strings.TrimLeft(part, "0")
	}
	return strings.Join(parts, ".")
}

package mdplan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// refLine is what a line of a plan says of an item, be it as a shown plan has the
// line or as the file does. Its fields and label are left out, since they change
// while the item stays the same one; so does its status, which only tells equal
// items apart.
type refLine struct {
	number string // where --numbers puts it, before the mark
	id     string
	text   string
	status Status // "" without a mark
}

// readLine reads a reference as such a line.
func (p *Plan) readLine(ref string) refLine {
	var l refLine
	text := oneLine(ref)
	if size := p.boxSize(text); size > 0 {
		text, l.status = text[size:], p.shownStatus(text)
	} else if first, rest, ok := strings.Cut(text, " "); ok && bareNumber(first) && !p.numberIDs() {
		rest = strings.TrimLeft(rest, " ")
		if size := p.boxSize(rest); size > 0 {
			l.number, text, l.status = first, rest[size:], p.shownStatus(rest)
		}
	} else if rest := p.unbulleted(text); rest != text {
		mark, _, _ := boxAt([]byte(rest), span{0, len(rest)})
		l.status, _ = p.statusOf(firstRune(rest[mark.start:]))
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
	if _, known := p.statusOf(firstRune(text[mark.start:])); !known {
		return 0
	}
	return rest.start
}

// shownStatus returns the status of a text's mark where a shown plan has it: the
// file may give a meaning of its own to the marks of the shown one.
func (p *Plan) shownStatus(text string) Status {
	mark, _, _ := boxAt([]byte(text), span{0, len(text)})
	r := firstRune(text[mark.start:])
	for s, m := range canonical {
		if m == r {
			return s
		}
	}
	s, _ := p.statusOf(r)
	return s
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
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
	if l.number+l.id+l.text == "" {
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
// its number, and without a number the only one that has its status.
func (p *Plan) narrowed(l refLine) []*node {
	found := p.lineItems(l)
	if len(found) < 2 {
		return found
	}
	var same []*node
	for _, n := range found {
		if l.number == "" && n.status == l.status || l.number != "" && n == p.numbered(l.number) {
			same = append(same, n)
		}
	}
	if len(same) == 1 {
		return same
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

// codeBrackets are what a code may stand between.
var codeBrackets = [...][2]string{{"(", ")"}, {"[", "]"}, {"（", "）"}, {"［", "］"}, {"【", "】"}}

// wideEnds end a code without a space behind.
const wideEnds = "、．。）：］】"

// beginsWith reports whether a text begins with a number as a heading would:
// "2. Login", "2.Login", "2) Login", "(2) Login", "2: Login", "2 - Login",
// "2、Login", and for a number of several parts "2.1 Login" too. "2 eggs", "2:30"
// and the link "[2](url)" begin with none.
func beginsWith(text, number string) bool {
	const emphasis = "*_"
	text = strings.TrimLeft(text, emphasis)
	is := func(code string) bool {
		return code != "" && bareNumber(code) && plainNumber(code) == plainNumber(number)
	}
	for _, b := range codeBrackets {
		if inner, ok := strings.CutPrefix(text, b[0]); ok {
			code, rest, ok := strings.Cut(inner, b[1])
			return ok && is(code) && (rest == "" || rest[0] != '(' && rest[0] != '[')
		}
	}
	end := len(text) - len(strings.TrimLeft(text, "0123456789."))
	code := strings.TrimRight(text[:end], ".")
	if !is(code) {
		return false
	}
	rest := strings.TrimLeft(text[len(code):], emphasis)
	ends := strings.Contains(code, ".")
	if rest != "" && strings.ContainsRune(wideEnds, firstRune(rest)) {
		return true
	}
	if rest != "" && strings.IndexByte(".):", rest[0]) >= 0 {
		if rest[0] == '.' && unicode.IsLetter(firstRune(rest[1:])) {
			return true
		}
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

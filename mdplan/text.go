package mdplan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The fields of an item, in Dataview's form.
const (
	fieldPriority  = "priority"
	fieldDependsOn = "dependsOn"
	fieldOwner     = "owner"
	fieldID        = "id"
	fieldDoneWhen  = "doneWhen"
)

var knownFields = [...]string{fieldPriority, fieldDependsOn, fieldOwner, fieldID, fieldDoneWhen}

// maxID is how long an id may be, in characters.
const maxID = 64

type field struct {
	span         // from bracket to bracket
	valueSpan    span
	name, value  string
	known, round bool
}

// readText reads the first line of an item: "#id:", the content, and the run
// of fields that ends it.
func (n *node) readText(text string) {
	start, end := n.text.start, n.text.end
	id, size := leadingID(text[start:end])
	if size > 0 {
		n.id, n.idSpan = id, span{start, start + size}
		start += size
	}
	n.fields, n.fieldStart = fieldRun(text, start, end)
	n.content = text[start:n.fieldStart]
	if len(n.fields) > 0 {
		n.content = strings.TrimRight(n.content, " \t")
		for _, f := range n.fields {
			if !f.known {
				n.content = strings.TrimLeft(n.content+" "+text[f.start:f.end], " ")
			}
		}
		if n.id == "" {
			n.id = n.field(fieldID)
		}
	}
}

// leadingID reads "#id:" at the start of a text and the white space behind it.
func leadingID(text string) (id string, size int) {
	if !strings.HasPrefix(text, "#") {
		return "", 0
	}
	colon := strings.IndexByte(text, ':')
	if colon < 0 || !validID(text[1:colon]) {
		return "", 0
	}
	rest := text[colon+1:]
	trimmed := strings.TrimLeft(rest, " \t")
	if rest != "" && len(trimmed) == len(rest) {
		return "", 0 // "#12:30" is a text
	}
	return text[1:colon], len(text) - len(trimmed)
}

func validID(id string) bool {
	if id == "" || utf8.RuneCountInString(id) > maxID {
		return false
	}
	for _, r := range id {
		if r != '.' && r != '_' && r != '-' && (!unicode.IsLetter(r) && !unicode.IsDigit(r) || r == utf8.RuneError) {
			return false
		}
	}
	return true
}

// fieldRun reads the fields that end a line, and returns where they begin.
func fieldRun(text string, start, end int) ([]field, int) {
	var run []field
	at := end
	for {
		t := trimEnd(text[start:at])
		f, ok := lastField(t)
		if !ok {
			break
		}
		f.start += start
		f.end += start
		f.valueSpan.start += start
		f.valueSpan.end += start
		run = append(run, f)
		at = f.start
	}
	if len(run) == 0 {
		return nil, end
	}
	slices.Reverse(run)
	return run, at
}

// lastField reads the field "(name:: value)" or "[name:: value]" that ends t.
func lastField(t string) (field, bool) {
	if t == "" {
		return field{}, false
	}
	shut := t[len(t)-1]
	var open byte
	switch shut {
	case ')':
		open = '('
	case ']':
		open = '['
	default:
		return field{}, false
	}
	depth, at := 0, len(t)-1
	for ; at >= 0; at-- {
		if t[at] == shut {
			depth++
		} else if t[at] == open {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if at < 0 || at > 0 && t[at-1] != ' ' && t[at-1] != '\t' && t[at-1] != ')' && t[at-1] != ']' {
		return field{}, false
	}
	inner := t[at+1 : len(t)-1]
	name, value, ok := strings.Cut(inner, "::")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, "()[]") {
		return field{}, false
	}
	f := field{span: span{at, len(t)}, name: name, value: strings.TrimSpace(value), round: open == '('}
	f.valueSpan = span{at + 1 + len(inner) - len(value), len(t) - 1}
	f.known = slices.Contains(knownFields[:], name)
	return f, true
}

// field returns the value of a known field, "" if the item has none.
func (n *node) field(name string) string {
	for _, f := range n.fields {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

func (n *node) dependsOn() []string { return splitIDs(n.field(fieldDependsOn)) }

// splitIDs reads a list of ids as a human writes it: "login, #tests".
func splitIDs(list string) []string {
	if list == "" {
		return nil
	}
	var ids []string
	for _, id := range strings.FieldsFunc(list, isComma) {
		if id = strings.TrimPrefix(strings.TrimSpace(id), "#"); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

func isComma(r rune) bool { return r == ',' || r == '，' }

// pairKey is the text by which items are paired: white space folded, what
// display escapes undone, and bad bytes as JSON shows them.
func pairKey(s string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '\\' || c == ' ' && (i == 0 || i+1 == len(s) || s[i+1] == ' ') {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	valid := toValid(s)
	for _, t := range []string{unescape(valid), valid} {
		if words := strings.Fields(t); len(words) > 0 {
			return strings.Join(words, " ")
		}
	}
	return strings.Trim(s, " \t\r\n") // other white space is text to Markdown
}

// toValid replaces each byte that is not UTF-8 as encoding/json does, and each
// NUL, which most editors hide, as CommonMark does: what commands and lists
// write has neither.
func toValid(s string) string {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return strings.ReplaceAll(s, "\x00", "\ufffd")
}

package mdplan

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Escape makes text from the file safe to show to an agent or on a terminal:
// "<" before a letter, "/" or "!" becomes "‹", so that it can neither close
// nor open a block that it is shown in, and control characters, those that
// turn the direction of text included, are shown as "\x1b" or "\u202e".
func Escape(s string) string {
	if !needsEscape(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case r == '<' && opensTag(s[i+1:]):
			b.WriteRune('‹')
		case r == '\t' || r == '\n':
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case isControl(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// escapeLine is Escape for what has to stay on one line.
func escapeLine(s string) string {
	if !needsEscape(s) {
		return s
	}
	return lineReplacer.Replace(Escape(s))
}

// Made once, since making one costs more than to show an item.
var lineReplacer = strings.NewReplacer("\n", `\n`, "\t", " ")

func needsEscape(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == '<' || c < 0x20 || c >= 0x7f {
			return true
		}
	}
	return false
}

func opensTag(rest string) bool {
	if rest == "" {
		return false
	}
	c := rest[0]
	return c == '/' || c == '!' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// isControl reports C1 controls, line separators and what turns the direction
// of the text around it. Joiners and marks of direction stay: scripts need them.
func isControl(r rune) bool {
	return r >= 0x80 && r <= 0x9f || r == 0x2028 || r == 0x2029 ||
		r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff
}

// unescape undoes what Escape shows, so that an agent that repeats a text as
// it saw it means the item that has it.
func unescape(s string) string {
	if !strings.ContainsAny(s, "‹\\") {
		return s
	}
	s = strings.ReplaceAll(s, "‹", "<")
	var b strings.Builder
	for i := 0; i < len(s); {
		if r, size, ok := shownRune(s[i:]); ok {
			b.WriteRune(r)
			i += size
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// shownRune reads a control character as Escape shows it.
func shownRune(s string) (r rune, size int, ok bool) {
	digits := 0
	switch {
	case strings.HasPrefix(s, `\x`):
		digits = 2
	case strings.HasPrefix(s, `\u`):
		digits = 4
	default:
		return 0, 0, false
	}
	if len(s) < 2+digits {
		return 0, 0, false
	}
	for _, c := range []byte(s[2 : 2+digits]) {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		default:
			return 0, 0, false
		}
	}
	if digits == 2 && r >= 0x20 && r != 0x7f || digits == 4 && !isControl(r) {
		return 0, 0, false
	}
	return r, 2 + digits, true
}

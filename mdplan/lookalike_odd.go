package mdplan

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// oddNames are the characters that hide most often before a task: copied from
// web pages, word processors and chats.
var oddNames = map[rune]string{
	'\u00a0': "no-break space", '\u3000': "ideographic space", '\u200b': "zero width space", '\ufeff': "byte order mark",
	'\u2002': "en space", '\u2003': "em space", '\u2009': "thin space", '\u202f': "narrow no-break space", '\u2060': "word joiner",
	'\u00ad': "soft hyphen", '\u2028': "line separator", '\u2029': "paragraph separator", '\f': "form feed", '\v': "vertical tab",
}

// isOdd reports whether a character looks like white space or like nothing,
// and is neither a space nor a tab to Markdown.
func isOdd(r rune) bool {
	return r != ' ' && r != '\t' && (unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Cf) || r != 0 && unicode.IsControl(r))
}

// oddName names a character that can't be seen.
func oddName(r rune) string {
	if name := oddNames[r]; name != "" {
		return fmt.Sprintf("U+%04X (%s)", r, name)
	}
	return fmt.Sprintf("U+%04X", r)
}

// skipOdd skips white space and what looks like it, and keeps the first
// character that is none to Markdown.
func (s *shape) skipOdd(line string, i int) int {
	for i < len(line) {
		r, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case isSpaceOrTab(line[i]):
		case isOdd(r):
			if s.odd == 0 {
				s.odd, s.oddAt, s.oddBehind = r, i, s.bullet != noBullet
			}
		default:
			return i
		}
		i += size
	}
	return i
}

// oddLine reports a task that a character hides which can't be seen, and
// whether it did.
func (c *checker) oddLine(s shape, start int) bool {
	if s.odd == 0 || s.bullet != listBullet || s.open != "[" || s.prefix != "" || s.heading || !s.words() || !c.knownMark(s.inner) {
		return false
	}
	where, way := "before the bullet", "delete it"
	if s.oddBehind {
		where, way = "between the bullet and the bracket", "put one space there"
	}
	c.warn(start+s.oddAt, "invisible", "%s stands %s and is no space to Markdown"+noItem+"%s", oddName(s.odd), where, way)
	return true
}

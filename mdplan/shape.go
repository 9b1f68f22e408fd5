package mdplan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxInner is how long, in bytes, what stands between brackets may be to be
// taken for a mark or a status word.
const maxInner = 32

// bulletForm is what stands before the brackets.
type bulletForm uint8

const (
	noBullet    bulletForm = iota
	listBullet             // "- ", "12. "
	tightBullet            // "-", with no space behind
	otherBullet            // "• ", which Markdown does not know
)

// shape is a line taken apart: bullet, brackets, what is in them and behind.
type shape struct {
	bullet  bulletForm
	marker  string // the bullet
	at      int    // where the first bullet, else the bracket, begins in the line
	box     int    // where the bracket begins
	open    string // the bracket; "☐" for one of the drawn boxes
	prefix  string // emphasis or a backslash before the bracket
	inner   string // between the brackets
	rest    string // behind them, without the "*" of an optional item
	heading bool

	odd       rune // what looks like white space before the bracket and is none; see isOdd
	oddAt     int
	oddBehind bool // it stands behind the bullet
}

// clear reports that white space or nothing follows the brackets.
func (s shape) clear() bool { return s.rest == "" || isSpaceOrTab(s.rest[0]) }

// words reports that the brackets are followed by a text.
func (s shape) words() bool { return s.clear() && strings.TrimSpace(s.rest) != "" }

// link reports that the brackets are those of a link.
func (s shape) link() bool { return s.rest != "" && (s.rest[0] == '(' || s.rest[0] == '[') }

// boxed returns the brackets as they stand in the file, for a message.
func (s shape) boxed() string { return `"` + s.bare() + `"` }

// bare is boxed without the quotes.
func (s shape) bare() string { return "[" + escapeLine(s.inner) + "]" }

func isSpaceOrTab(c byte) bool { return c == ' ' || c == '\t' }

// otherBullets are characters that people and word processors put before the
// lines of a list.
const otherBullets = "•‣◦▪▫●○■·–—−∙⁃"

// numberPattern finds what people write for "1." or "-" and Markdown does not
// know. Only "1.1" and "--" need the space behind: "--[ ]" may be an option's.
var numberPattern = lazyRegexp(`^((?:[(（]?(?:\pN{1,9}|\p{Latin}|[ivxIVX]{1,5}|#|[一二三四五六七八九十]{1,3})\\?[.)．）、:：。]|[①-⑳]|` +
	`\\[-*+]|(?:\d{1,9}(?:\.\d{1,9})+[.)]?|-{2,3}|\*{2,3}|\+{2,3})[ \t]))[ \t\x{3000}]*(\[)`)

// tagPattern finds an HTML element that begins before a bracket.
var tagPattern = lazyRegexp(`^(?:<[A-Za-z][^<>]{0,60}>)+`)

// prefixes are what stands before a bracket and makes it text.
var prefixes = []string{"**", "__", "~~", "*", "_", `\`, `"`, "'", "“", "”", "‘", "„", "«", "「"}

// prefixName names a prefix for a message.
func prefixName(prefix string) string {
	if emphasis(prefix) || prefix[0] == '<' {
		return shown(prefix)
	}
	return "a quotation mark"
}

// emphasis reports whether a prefix is emphasis of Markdown.
func emphasis(prefix string) bool { return strings.Trim(prefix, "*_~") == "" }

// readShape takes a line apart, and reports false if there is no box at its
// start. Marks of a quote are skipped if it stands in one.
func readShape(line string, quoted bool) (shape, bool) {
	var s shape
	i := 0
	for i < len(line) && (isSpaceOrTab(line[i]) || quoted && line[i] == '>') {
		i++
	}
	i = s.skipOdd(line, i)
	if rest, ok := strings.CutPrefix(line[i:], "<!--"); ok {
		i = len(line) - len(strings.TrimLeft(rest, " \t"))
	}
	if n := len(line[i:]) - len(strings.TrimLeft(line[i:], "#")); n > 0 {
		switch {
		case n <= 6 && i+n < len(line) && isSpaceOrTab(line[i+n]):
			s.heading = true
			i = skipBlank(line, i+n)
		case n == 1 && i+1 < len(line) && line[i+1] == '.': // "#." numbers itself elsewhere
		default:
			return s, false
		}
	}
	s.at = i
	for s.bullet != tightBullet {
		n := markerSize(line[i:])
		if n == 0 || i+n == len(line) {
			break
		}
		if isSpaceOrTab(line[i+n]) {
			s.bullet, s.marker = listBullet, line[i:i+n]
			i = s.skipOdd(line, i+n)
			continue
		}
		if r, _ := utf8.DecodeRuneInString(line[i+n:]); isOdd(r) {
			s.bullet, s.marker = listBullet, line[i:i+n]
			i = s.skipOdd(line, i+n)
			continue
		}
		// "*[x] done*" is emphasis.
		if line[i+n] != '[' || line[i] == '*' && strings.IndexByte(line[i+1:], '*') >= 0 {
			break
		}
		s.bullet, s.marker = tightBullet, line[i:i+n]
		i += n
	}
	if r, size := utf8.DecodeRuneInString(line[i:]); s.bullet == noBullet && size > 1 && strings.ContainsRune(otherBullets, r) {
		s.bullet, s.marker = otherBullet, line[i:i+size]
		i = skipBlank(line, i+size)
	} else if s.bullet == noBullet && !strings.HasPrefix(line[i:], "[") {
		if m := numberPattern().FindStringSubmatch(line[i:]); m != nil {
			s.bullet, s.marker = otherBullet, strings.TrimSpace(m[1])
			i += len(m[0]) - len(m[2])
		}
	}
	if s.bullet == listBullet {
		for _, prefix := range prefixes {
			if strings.HasPrefix(line[i:], prefix) {
				s.prefix = prefix
				break
			}
		}
		if s.prefix == "" {
			s.prefix = tagPattern().FindString(line[i:])
		}
		i += len(s.prefix)
	}
	s.box = i
	return s, s.readBox(line[i:])
}

// boxStarts are what a box may begin with.
const boxStarts = "[［【☐☑☒⬜□◻▢🔲"

// readBox reads the brackets at the start of a text, and what is behind.
func (s *shape) readBox(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	s.open = string(r)
	shut := ""
	switch r {
	case '[':
		shut = "]"
	case '［':
		shut = "］]"
	case '【':
		shut = "】]"
	case '☐', '☑', '☒', '⬜', '□', '◻', '▢', '🔲':
		s.inner = " "
		if r == '☑' || r == '☒' {
			s.inner = "x"
		}
		s.open, s.rest = "☐", strings.TrimPrefix(text[size:], "\uFE0F")
		// "☐x" is a task that lacks a space, "☐=open" talk of boxes.
		return s.words() || s.bullet == listBullet && strings.IndexFunc(s.rest, isLetterOrDigit) == 0
	default:
		return false
	}
	end := strings.IndexAny(text[size:min(size+maxInner, len(text))], shut+"[")
	if end < 0 || text[size+end] == '[' {
		return false
	}
	s.inner = text[size : size+end]
	_, closing := utf8.DecodeRuneInString(text[size+end:])
	if s.prefix == `\` {
		s.inner = strings.TrimSuffix(s.inner, `\`)
	}
	s.rest = text[size+end+closing:]
	for _, mark := range []string{`\*`, "*"} {
		if rest, ok := strings.CutPrefix(s.rest, mark); ok && (rest == "" || isSpaceOrTab(rest[0])) {
			s.rest = rest
			break
		}
	}
	return true
}

func skipBlank(line string, i int) int {
	for i < len(line) && isSpaceOrTab(line[i]) {
		i++
	}
	return i
}

// markerSize returns the length of a list marker of Markdown, 0 if there is
// none.
func markerSize(s string) int {
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	switch {
	case digits == len(s) || digits > 9:
		return 0
	case digits > 0 && (s[digits] == '.' || s[digits] == ')'):
		return digits + 1
	case digits == 0 && (s[0] == '-' || s[0] == '*' || s[0] == '+'):
		return 1
	}
	return 0
}

// oneMark reports whether a text is a single character as people see it: one
// rune and what only modifies it.
func oneMark(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return false
	}
	for _, r := range s[size:] {
		if !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			return false
		}
	}
	return true
}

package mdplan

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark reports a single character between brackets.
func (c *checker) mark(s shape, at int) {
	if c.knownMark(s.inner) {
		// "[x], [y]" and "[x]/[ ]" are talk of boxes.
		if !s.clear() && !strings.ContainsRune(",.;/|)]", rune(s.rest[0])) {
			c.warn(at, "no-space", "no space stands behind %s"+noItem+"write \"%s …\"", s.boxed(), s.bare())
		}
		return
	}
	if !s.clear() {
		return
	}
	r, _ := utf8.DecodeRuneInString(s.inner)
	way := "use one of " + c.boxes()
	if likely := c.box(likelyMark(r)); likely != "" {
		way = "write " + likely
	} else if way == "use one of " {
		way = "use a mark of the plan"
	}
	if len(s.inner) == utf8.RuneLen(r) && unicode.IsPrint(r) && !strings.ContainsRune(` ,"=<>`, r) {
		way += fmt.Sprintf(", or give it a meaning with marks=\"%c=%s\" in a todomd directive", r, cmp.Or(likelyMark(r), Pending))
	}
	c.warn(at, "unknown-mark", "unknown mark %s"+noItem+"%s", markName(s.inner), way)
}

// markName names a mark, by its code points too if it could be taken for
// another one.
func markName(mark string) string {
	name := shown(mark)
	if len(mark) == 1 && mark[0] > ' ' && mark[0] < 0x7f {
		return name
	}
	var codes []string
	for i, r := range mark {
		if _, size := utf8.DecodeRuneInString(mark[i:]); r == utf8.RuneError && size == 1 {
			codes = append(codes, fmt.Sprintf("byte 0x%02x", mark[i]))
			continue
		}
		codes = append(codes, fmt.Sprintf("U+%04X", r))
	}
	return name + " (" + strings.Join(codes, " ") + ")"
}

// likelyMark returns the status that is meant by a mark of another alphabet.
func likelyMark(r rune) Status {
	switch {
	case strings.ContainsRune("✓✔✅☑√хХχΧｘＸ×✕✖✗✘❌", r):
		return Completed
	case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff':
		return Pending
	}
	return ""
}

// statusWords are what people write between brackets besides the words that
// [ParseStatus] reads. Words with which change logs begin their lines, such as
// "new" and "fixed", are not among them.
var statusWords = map[string]Status{
	"wip": InProgress, "doing": InProgress, "started": InProgress, "ongoing": InProgress,
	"open": Pending, "not started": Pending, "planned": Pending, "queued": Pending, "to do": Pending,
	"finished": Completed, "closed": Completed, "ok": Completed, "okay": Completed,
	"waiting": Blocked, "on hold": Blocked, "paused": Blocked, "stuck": Blocked,
	"skipped": Cancelled, "skip": Cancelled, "dropped": Cancelled, "abandoned": Cancelled, "wontfix": Cancelled, "obsolete": Cancelled,
}

// statusWord returns the status that a word means, "" for any other word.
func statusWord(word string) Status {
	if s, ok := ParseStatus(word); ok {
		return s
	}
	return statusWords[strings.NewReplacer("-", " ", "_", " ").Replace(strings.ToLower(strings.TrimSpace(word)))]
}

package mdplan

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Settings are the limits and rhythms of a plan, as a directive in the file or
// a caller sets them. A nil field is not set. [Settings.Or] joins two layers.
type Settings struct {
	MaxItems    *int            // how many items a list may have
	InProgress  *int            // how many items an author may have in progress; 0: no limit
	RemindAfter *int            // idle rounds before the first reminder; 0: never
	RemindEvery *int            // idle rounds between later ones; unset: at twice the count
	Marks       map[rune]Status // marks that the file reads otherwise
}

// The defaults of the settings.
const (
	DefaultMaxItems    = 12
	DefaultInProgress  = 1
	DefaultRemindAfter = 3
)

// Or returns s with what it does not set taken from below.
func (s Settings) Or(below Settings) Settings {
	or := func(a, b *int) *int {
		if a != nil {
			return a
		}
		return b
	}
	s.MaxItems = or(s.MaxItems, below.MaxItems)
	s.InProgress = or(s.InProgress, below.InProgress)
	s.RemindAfter = or(s.RemindAfter, below.RemindAfter)
	s.RemindEvery = or(s.RemindEvery, below.RemindEvery)
	if s.Marks == nil {
		s.Marks = below.Marks
	}
	return s
}

// clone returns settings that share nothing with s.
func (s Settings) clone() Settings {
	for _, p := range []**int{&s.MaxItems, &s.InProgress, &s.RemindAfter, &s.RemindEvery} {
		if *p != nil {
			value := **p
			*p = &value
		}
	}
	s.Marks = maps.Clone(s.Marks)
	return s
}

func (s Settings) maxItems() int   { return valueOr(s.MaxItems, DefaultMaxItems) }
func (s Settings) inProgress() int { return valueOr(s.InProgress, DefaultInProgress) }

func valueOr(p *int, def int) int {
	if p == nil {
		return def
	}
	return *p
}

// maxSetting is far above what any plan needs, and far below what overflows.
const maxSetting = 1_000_000

// Set sets a setting by the name that the directive has for it. The error
// says which names there are or what the value must be.
func (s *Settings) Set(name, value string) error {
	var to **int
	switch name {
	case "max-items":
		to = &s.MaxItems
	case "in-progress":
		to = &s.InProgress
	case "remind-after":
		to = &s.RemindAfter
	case "remind-every":
		to = &s.RemindEvery
	case "marks":
		return s.setMarks(value)
	default:
		return fmt.Errorf("unknown setting %q (want max-items, in-progress, remind-after, remind-every or marks)", name)
	}
	least := 0
	if name == "max-items" || name == "remind-every" {
		least = 1
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > maxSetting {
		return fmt.Errorf("%s wants a whole number from %d to %d, got %q", name, least, maxSetting, value)
	}
	*to = &n
	return nil
}

func (s *Settings) setMarks(value string) error {
	marks := map[rune]Status{}
	for _, pair := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
		r, size := utf8.DecodeRuneInString(pair)
		status, ok := Status(""), false
		if strings.HasPrefix(pair[size:], "=") && r != '[' && r != ']' && r != utf8.RuneError {
			status, ok = ParseStatus(pair[size+1:])
		}
		if !ok {
			return fmt.Errorf(`marks wants pairs such as "-=in_progress", got %q`, pair)
		}
		marks[r] = status
	}
	s.Marks = marks
	return nil
}

// canonical has the marks as they are written in a file that has none yet;
// alsoRead those that are read besides.
var (
	canonical = map[Status]rune{Pending: ' ', InProgress: '>', Completed: 'x', Blocked: '!', Cancelled: '-'}
	alsoRead  = map[rune]Status{'/': InProgress, '~': InProgress, 'X': Completed}
)

func (p *Plan) statusOf(mark rune) (Status, bool) {
	if s, ok := p.settings.Marks[mark]; ok {
		return s, true
	}
	switch mark {
	case ' ':
		return Pending, true
	case 'x':
		return Completed, true
	}
	for s, r := range canonical {
		if r == mark {
			return s, true
		}
	}
	s, ok := alsoRead[mark]
	return s, ok
}

// markFor returns the mark that the file uses most for a status, else the one
// that it used before, else the first one that it would read so.
func (p *Plan) markFor(s Status) (string, bool) {
	candidates := []rune(p.dialect()[s])
	own := len(candidates)
	for r, to := range p.settings.Marks {
		if to == s {
			candidates = append(candidates, r)
		}
	}
	slices.Sort(candidates[own:]) // a map has no order, a file should
	candidates = append(candidates, canonical[s], '/', '~', 'X')
	for _, r := range candidates {
		if got, ok := p.statusOf(r); ok && got == s {
			return string(r), true
		}
	}
	return "", false
}

// dialect returns the mark that the file uses most for each status; for one
// that no item has, the mark of before.
func (p *Plan) dialect() map[Status]string {
	count := map[rune]int{}
	var marks []rune // in the order of the file
	last, run := rune(-1), 0
	for i := range len(p.nodes) + 1 {
		r := rune(-1)
		if i < len(p.nodes) {
			r, _ = utf8.DecodeRune(p.src[p.nodes[i].mark.start:p.nodes[i].mark.end])
		}
		if r == last {
			run++
			continue
		}
		if _, met := count[last]; !met && run > 0 {
			marks = append(marks, last)
		}
		count[last] += run
		last, run = r, 1
	}
	most := maps.Clone(p.marks)
	if most == nil {
		most = map[Status]string{}
	}
	best := map[Status]int{}
	for _, r := range marks {
		if s, ok := p.statusOf(r); ok && (count[r] > best[s] || count[r] == best[s] && r == canonical[s]) {
			best[s], most[s] = count[r], string(r)
		}
	}
	return most
}

// withMarks returns the plan with the dialect of revisions before.
func (p *Plan) withMarks(marks map[Status]string) *Plan {
	q := *p
	q.marks = marks
	return &q
}

var (
	directivePattern = lazyRegexp(`^[ ]{0,3}<!--\s*todomd(\s[^>]*?)?\s*-->\s*$`)
	settingPattern   = lazyRegexp(`([^\s="]+)=("[^"]*"|[^\s"]*)|\S+`)
)

// lazyRegexp compiles a pattern on first use: most starts of the command meet
// nothing that needs it.
func lazyRegexp(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// readDirective reads the first directive of the file: its settings, and the
// section that it makes the plan.
func (p *Plan) readDirective(text string) {
	p.scope = scope{span: span{0, len(text)}, section: -1}
	found := false
	for _, c := range p.doc.comments {
		line := text[c.start:c.end]
		if !strings.Contains(line, "todomd") {
			continue
		}
		m := directivePattern().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if found {
			p.warn(c.start, "directive", "a second todomd directive is ignored; keep one")
			continue
		}
		found = true
		for _, kv := range settingPattern().FindAllStringSubmatch(m[1], -1) {
			if kv[1] == "" {
				p.warn(c.start, "directive", fmt.Sprintf("%q is no setting; write name=value", kv[0]))
				continue
			}
			if err := p.settings.Set(kv[1], strings.Trim(kv[2], `"`)); err != nil {
				p.warn(c.start, "directive", err.Error())
			}
		}
		p.scope = p.scopeOf(c.start, len(text))
	}
}

// scopeOf returns the section that holds a directive, or the whole file if no
// heading stands above it.
func (p *Plan) scopeOf(at, end int) scope {
	s := scope{span: span{0, end}, section: -1}
	for i, h := range p.doc.headings {
		if h.start < at {
			s.section, s.start = i, h.start
		}
	}
	if s.section < 0 {
		return s
	}
	for _, h := range p.doc.headings[s.section+1:] {
		if h.level <= p.doc.headings[s.section].level {
			s.end = h.start
			break
		}
	}
	return s
}

func (p *Plan) warn(at int, code, msg string) {
	line, column := position(p.src, at)
	p.problems = append(p.problems, Problem{Line: line, Column: column, Severity: SeverityWarning, Code: code, Message: msg})
}

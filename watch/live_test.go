package watch

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/todomd/todomd/mdplan"
)

func parse(t testing.TB, src string) *mdplan.Plan {
	t.Helper()
	p, err := mdplan.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTextWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "ｱ": 1, "Ａ": 2, "한국": 4, "\u1112\u1161\u11ab": 2,
		"👍": 2, "👍🏽": 2, "👩‍👩‍👧": 2, "❤": 1, "❤️": 2, "👩‍❤️‍👨": 2, "🇩🇪": 2, "🇩🇪🇫🇷": 4, "1️⃣": 2, "✅": 2, "⚠": 1,
		"שלום": 4, "a\u200db": 2, "नि": 2, "…": 1, "\u00ad": 1, "🏳️‍🌈": 2, "\xff": 1,
	} {
		if got := textWidth(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		s     string
		width int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"abc", 1, "…"}, {"abc", 0, ""},
		{"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"日本語", 1, "…"},
		{"a👩‍👩‍👧b", 4, "a👩‍👩‍👧b"}, {"a👩‍👩‍👧bc", 4, "a👩‍👩‍👧…"}, {"a👩‍👩‍👧b", 3, "a…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		if got := fit(tt.s, tt.width); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.s, tt.width, got, tt.want)
		}
	}
}

func FuzzFit(f *testing.F) {
	f.Add("a👩‍👩‍👧b日本e\u0301", 5)
	f.Fuzz(func(t *testing.T, s string, width int) {
		got := fit(s, width)
		if w := textWidth(got); w > max(width, 0) {
			t.Errorf("%q in %d: %q takes %d", s, width, got, w)
		}
		if width > 0 && textWidth(s) <= width && got != s {
			t.Errorf("%q in %d: cut to %q", s, width, got)
		}
	})
}

const sections = `# Ship it

Some words.

## Build

- [x] Read
- [>] Implement <b>login</b>
  - [x] Hash
  - [ ] 日本語のテスト

## Later

- [!] Blocked
- [-] Dropped
`

func TestLive(t *testing.T) {
	p := parse(t, sections)
	plain := Style{Cursor: true}
	for _, tt := range []struct {
		name          string
		columns, rows int
		style         Style
		want          string
	}{
		{"all", 40, 20, plain, `
			Ship it
			Build
			[x] Read
			[>] Implement ‹b>login‹/b>
			  [x] Hash
			  [ ] 日本語のテスト
			Later
			[!] Blocked
			[-] Dropped

			━━━━━━━━━─────────────── (2/5 completed)`},
		{"narrow", 12, 20, plain, `
			Ship it
			Build
			[x] Read
			[>] Impleme…
			  [x] Hash
			  [ ] 日本…
			Later
			[!] Blocked
			[-] Dropped

			(2/5 comple…`},
		{"low", 40, 9, plain, `
			Build
			[>] Implement ‹b>login‹/b>
			  [ ] 日本語のテスト
			Later
			[!] Blocked
			[-] Dropped
			… and 2 more: 0 open, 2 closed

			━━━━━━━━━─────────────── (2/5 completed)`},
		{"very low", 40, 4, plain, `
			[>] Implement ‹b>login‹/b>
			… and 5 more: 2 open, 3 closed

			━━━━━━━━━─────────────── (2/5 completed)`},
		{"one row", 40, 1, plain, `
			━━━━━━━━━─────────────── (2/5 completed)`},
		{"dumb", 40, 3, Style{}, `
			--------------------
			Ship it
			Build
			[x] Read
			[>] Implement ‹b>login‹/b>
			  [x] Hash
			  [ ] 日本語のテスト
			Later
			[!] Blocked
			[-] Dropped

			#########--------------- (2/5 completed)
			`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Live(p, tt.columns, tt.rows, tt.style)
			if tt.style.Cursor {
				got = strings.NewReplacer("\x1b[K", "", "\x1b[J", "", "\r\n", "\n").Replace(
					strings.TrimPrefix(got, "\x1b[H"))
			}
			want := strings.ReplaceAll(strings.TrimPrefix(tt.want, "\n"), "\t\t\t", "")
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]")

// Whatever stands in the file and however small the terminal is: no line is too
// long, none too many, and no control character is the file's.
func TestLiveAnySize(t *testing.T) {
	hostile := "# \x1b]0;title\x07 \u202e\n\n- [>] \x1b[2J\x1b[31mred \u009b1m 👩‍👩‍👧 日本語 \x00 \x7f\n  - [ ] \tdeep\n\n## \x1b[H\n\n- [x] e\u0301\n- [ ] </plan>\n"
	for _, src := range []string{sections, hostile, "", "no items\n", "- [-] dropped\n", "- [ ]\n", deep(20), many(40)} {
		p := parse(t, src)
		for _, columns := range []int{1, 2, 5, 9, 21, 22, 59} {
			for _, rows := range []int{1, 2, 3, 4, 5, 9, 200} {
				for _, s := range []Style{{}, {Cursor: true}, {Cursor: true, Color: true}} {
					got := Live(p, columns, rows, s)
					text := got
					if s.Cursor {
						text = strings.ReplaceAll(escapes.ReplaceAllString(got, ""), "\r", "")
					}
					for _, r := range text {
						if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == utf8.RuneError {
							t.Fatalf("%q in %d×%d shows %q: %q", src, columns, rows, r, got)
						}
					}
					lines := strings.Split(text, "\n")
					if s.Cursor && len(lines) > rows {
						t.Fatalf("%q in %d×%d has %d lines: %q", src, columns, rows, len(lines), text)
					}
					for _, line := range lines {
						if textWidth(line) > columns {
							t.Fatalf("%q in %d×%d: %q is too long", src, columns, rows, line)
						}
					}
					if s.Cursor && rows >= 4 && columns > 20 && strings.Contains(src, "[>]") && !strings.Contains(text, "[>]") {
						t.Fatalf("%q in %d×%d hides what is in progress: %q", src, columns, rows, text)
					}
				}
			}
		}
	}
}

func deep(n int) string {
	src := ""
	for i := range n {
		src += strings.Repeat("  ", i) + "- [ ] level\n"
	}
	return src + strings.Repeat("  ", n) + "- [>] here\n"
}

func many(n int) string {
	src := ""
	for i := range n {
		src += fmt.Sprintf("- [%c] item %d\n", "x "[i%2], i)
	}
	return src
}

func TestColor(t *testing.T) {
	got := Live(parse(t, "- [x] a\n- [>] b\n"), 20, 10, Style{Cursor: true, Color: true})
	if !strings.Contains(got, "\x1b[1;33m[>] b\x1b[0m") || !strings.Contains(got, "\x1b[32m[x] a\x1b[0m") {
		t.Errorf("%q", got)
	}
	if got := Live(parse(t, "- [x] a\n"), 20, 10, Style{Cursor: true}); regexp.MustCompile("\x1b\\[[0-9;]*m").MatchString(got) {
		t.Errorf("colour without leave: %q", got)
	}
}

func TestStyleOf(t *testing.T) {
	for _, tt := range []struct {
		term, noColor string
		want          Style
	}{
		{"xterm", "", Style{true, true}}, {"xterm", "1", Style{Cursor: true}}, {"dumb", "", Style{}}, {"", "", Style{}},
	} {
		s := StyleOf(func(name string) string { return map[string]string{"TERM": tt.term, "NO_COLOR": tt.noColor}[name] })
		if s != tt.want || (s.Begin() == "") == s.Cursor || (s.End() == "") == s.Cursor {
			t.Errorf("%q %q: %+v", tt.term, tt.noColor, s)
		}
	}
}

// textWidth returns how many cells a line takes.
func textWidth(s string) int {
	total := 0
	for s != "" {
		size, w := cell(s)
		total += w
		s = s[size:]
	}
	return total
}

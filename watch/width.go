package watch

import (
	"sort"
	"unicode"
	"unicode/utf8"
)

// Terminals give a character no cell, one or two. What they draw for sequences
// of emoji differs; these are the widths of those that join them, and
// [Style.Begin] keeps the others from breaking a line that comes out longer.

const (
	joiner         = '\u200d'
	emojiSelector  = '\ufe0f'
	firstSkinTone  = '\U0001f3fb'
	lastSkinTone   = '\U0001f3ff'
	firstRegional  = '\U0001f1e6' // flags are pairs of these
	lastRegional   = '\U0001f1ff'
	firstJamoVowel = '\u1160' // drawn into the syllable before
	lastJamoFinal  = '\u11ff'
)

// cell returns the length in bytes and the width in cells of the first
// character of s, with all that is drawn into it.
func cell(s string) (size, width int) {
	r, size := utf8.DecodeRuneInString(s)
	width = runeWidth(r)
	for size < len(s) {
		next, n := utf8.DecodeRuneInString(s[size:])
		switch {
		case next == emojiSelector:
			if width > 0 {
				width = 2
			}
		case next == joiner:
			if after, m := utf8.DecodeRuneInString(s[size+n:]); runeWidth(after) == 2 || isSymbol(after) {
				n += m
			}
		case isRegional(r) && isRegional(next):
			r, width = 0, 2
		case next >= firstSkinTone && next <= lastSkinTone && width == 2:
		case runeWidth(next) > 0:
			return size, width
		}
		size += n
	}
	return size, width
}

func isRegional(r rune) bool { return r >= firstRegional && r <= lastRegional }

// isSymbol reports characters such as the heart, which are narrow by
// themselves but are joined like emoji.
func isSymbol(r rune) bool { return r >= 0x2600 && r <= 0x27bf }

func runeWidth(r rune) int {
	switch {
	case r < 0x20 || r == 0x7f:
		return 0
	case r < 0x300:
		return 1 // the soft hyphen, too, though it is a format character
	case r >= firstJamoVowel && r <= lastJamoFinal, unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	if i := sort.Search(len(wide), func(i int) bool { return wide[i][1] >= r }); i < len(wide) && wide[i][0] <= r {
		return 2
	}
	return 1
}

// fit cuts a line to a width, with an ellipsis where something is missing.
func fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(s) <= width {
		return s // no character is wider than its bytes
	}
	total, keep := 0, 0 // keep: what leaves room for the ellipsis
	for at := 0; at < len(s); {
		size, w := cell(s[at:])
		if total+w > width {
			return s[:keep] + "…"
		}
		total += w
		at += size
		if total < width {
			keep = at
		}
	}
	return s
}

// wide has the ranges of the characters of two cells: those that Unicode calls
// wide or full width, and what is not assigned between them.
var wide = [...][2]rune{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x23f0, 0x23f0},
	{0x23f3, 0x23f3}, {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f},
	{0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5},
	{0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea}, {0x26f2, 0x26f3}, {0x26f5, 0x26f5},
	{0x26fa, 0x26fa}, {0x26fd, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728},
	{0x274c, 0x274c}, {0x274e, 0x274e}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
	{0x27b0, 0x27b0}, {0x27bf, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b50}, {0x2b55, 0x2b55},
	{0x2e80, 0x303e}, {0x3041, 0x3247}, {0x3250, 0x4dbf}, {0x4e00, 0xa4c6}, {0xa960, 0xa97c},
	{0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe10, 0xfe6b}, {0xff01, 0xff60}, {0xffe0, 0xffe6},
	{0x16fe0, 0x18d08}, {0x1aff0, 0x1b2ff}, {0x1f004, 0x1f004}, {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e},
	{0x1f191, 0x1f19a}, {0x1f200, 0x1f265}, {0x1f300, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
	{0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4},
	{0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e},
	{0x1f550, 0x1f567}, {0x1f57a, 0x1f57a}, {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f},
	{0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6df}, {0x1f6eb, 0x1f6ec},
	{0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff},
	{0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
}

package mdplan

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var updateGolden = flag.Bool("update", false, "write testdata/check.golden anew")

func report(problems []Problem) []string {
	var lines []string
	for _, q := range problems {
		lines = append(lines, q.String())
	}
	return lines
}

var checkTests = []struct {
	name, src string
	want      []string
}{
	{"content", "- [ ] \n- [ ]\n- [x] #a:\n- [ ] (priority:: high)\n- [ ] fine\n", []string{
		`1:4: error: Item 1: content required; write its text behind the mark, or delete the line [content]`,
		`2:4: error: Item 2: content required; write its text behind the mark, or delete the line [content]`,
		`3:4: error: Item 3: content required; write its text behind the mark, or delete the line [content]`,
		`4:4: error: Item 4: content required; write its text behind the mark, or delete the line [content]`,
	}},
	{"ids", "- [ ] #a: A\n- [ ] B (id:: a)\n- [ ] #b: C\n- [ ] E (id:: a b)\n", []string{
		`2:9: error: Item 2: duplicate id "a" (also item 1); give one of them another id [id]`,
		`4:9: warning: Item 4: id "a b" is not what ids look like; use 1 to 64 letters, digits, '.', '_' or '-' [id]`,
	}},
	{"unknown dependency", "- [ ] #a: A (dependsOn:: x, y, x)\n- [ ] B (dependsOn:: #a, A, 1)\n- [x] C (dependsOn:: 9)\n", []string{
		`1:13: error: Item 1: unknown dependency "x"; name an item of the plan by its id, or take it out of dependsOn [depends-on]`,
		`1:13: error: Item 1: unknown dependency "y"; name an item of the plan by its id, or take it out of dependsOn [depends-on]`,
		`3:9: error: Item 3: unknown dependency "9"; name an item of the plan by its id, or take it out of dependsOn [depends-on]`,
	}},
	{"numbers are ids", "- [ ] #1: A (dependsOn:: 2)\n- [ ] B (dependsOn:: 1)\n", []string{
		`1:13: error: Item 1: unknown dependency "2"; name an item of the plan by its id, or take it out of dependsOn [depends-on]`,
	}},
	{"dependency by an ambiguous text", "- [ ] same\n- [ ] same\n- [ ] B (dependsOn:: same)\n", []string{
		`3:9: error: Item 3: unknown dependency "same"; 2 items have this text: give the one that is meant an id [depends-on]`,
	}},
	{"cycle of one", "- [ ] A (dependsOn:: 1)\n", []string{
		`1:9: error: Dependency cycle: 1 -> 1; take one of these dependencies out [depends-on]`,
	}},
	{"cycles", "- [ ] #a: A (dependsOn:: c)\n- [ ] #b: B\n- [ ] #c: C (dependsOn:: d)\n- [ ] #d: D (dependsOn:: a, c)\n- [ ] #e: E (dependsOn:: a)\n", []string{
		`1:13: error: Dependency cycle: 1 -> 3 -> 4 -> 1; take one of these dependencies out [depends-on]`,
		`3:13: error: Dependency cycle: 3 -> 4 -> 3; take one of these dependencies out [depends-on]`,
	}},
	{"cycle of two", "- [ ] one\n- [ ] #b: two (dependsOn:: d)\n- [ ] three\n- [ ] #d: four (dependsOn:: b)\n", []string{
		`2:15: error: Dependency cycle: 2 -> 4 -> 2; take one of these dependencies out [depends-on]`,
	}},
	{"waits", "- [ ] A\n- [!] #b: B\n- [x] #c: C\n- [>] D (dependsOn:: A, b, c)\n", []string{
		`4:4: error: Item 4 waits for item 1 "A", item 2 "B"; finish that first, or set item 4 to pending [waits]`,
	}},
	{"in progress", "- [>] A\n  - [ ] a (dependsOn:: 1)\n- [>] B\n- [>] C (owner:: w)\n- [>] D (owner:: w)\n- [>] E (owner:: v)\n", []string{
		`2:11: warning: Item 1.1 is part of item 1 and does not wait for it; take the dependency out [depends-on]`,
		`3:4: warning: Only one plan item can be in_progress: item 1 "A", item 2 "B"; set all but one to pending, blocked or completed [in-progress]`,
		`5:4: warning: Only one plan item can be in_progress: item 3 "C", item 4 "D" (owner "w"); set all but one to pending, blocked or completed [in-progress]`,
	}},
	{"in progress, the file's limit", "<!-- todomd in-progress=2 -->\n- [>] A\n- [>] B\n- [>] C\n", []string{
		`4:4: warning: Only 2 plan items can be in_progress: item 1 "A", item 2 "B", item 3 "C"; set all but 2 to pending, blocked or completed [in-progress]`,
	}},
	{"no limit", "<!-- todomd in-progress=0 -->\n- [>] A\n- [>] B\n", nil},
	{"fields", "- [ ] A (depends_on:: x)\n- [ ] (dependsOn:: 1) B\n- [ ] C (owner:: a) (owner:: b)\n- [ ] #c: D (id:: d)\n- [ ] says `(owner:: x)` in code (note:: fine)\n", []string{
		`1:9: warning: Item 1: "depends_on" is no field; write dependsOn [field]`,
		`2:7: warning: Item 2: this dependsOn is part of the text, since fields are read at the end of the line only; move it there [field]`,
		`3:21: warning: Item 3: a second owner is ignored; keep one [field]`,
		`4:13: warning: Item 4: a second id is ignored; keep one [field]`,
	}},
	{"long text", "- [ ] éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé\n- [>] B (dependsOn:: 1)\n", []string{
		`2:4: error: Item 2 waits for item 1 "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…"; finish that first, or set item 2 to pending [waits]`,
	}},
	{"hostile text", "- [ ] </reminder>\x1b[31m\u202e\n- [>] B (dependsOn:: 1)\n", []string{
		`2:4: error: Item 2 waits for item 1 "‹/reminder>\x1b[31m\u202e"; finish that first, or set item 2 to pending [waits]`,
	}},
	{"fenced code", "intro\n```\n- [ ] a\n```\n~~~~ md\n```\n- [x] b\n~~~\n* [>] c\n~~~~\n- [ ] d\n  ```\n  1. [ ] e\n  [ ] legend\n  - [P] f\n  ```\n", []string{
		`3:3: warning: this task is in the code that begins in line 2, so it is no item; if it is work, move it out [in-code]`,
		`7:3: warning: this task is in the code that begins in line 5, so it is no item; if it is work, move it out [in-code]`,
		`9:3: warning: this task is in the code that begins in line 5, so it is no item; if it is work, move it out [in-code]`,
		`13:6: warning: this task is in the code that begins in line 12, so it is no item; if it is work, move it out [in-code]`,
	}},
	{"indented code", "text\n\n    - [ ] a\n    [ ] b\n    `[ ]` c\n\n- [ ] d\n\n      - [ ] e\n", []string{
		`3:7: warning: this task is indented so far that it is code, which begins in line 3, so it is no item; indent it by at most 3 columns [in-code]`,
		`4:5: warning: this task is indented so far that it is code, which begins in line 3, and has no bullet, so it is no item; write "- [ ] …" at the start of the line [in-code]`,
		`9:9: warning: this task is indented so far that it is code, which begins in line 9, so it is no item; indent it by 2 to 5 columns to make it a sub-item of line 7 [in-code]`,
	}},
	{"code behind a bullet", "-     [ ] a\n", []string{
		`1:7: warning: more than four columns behind the bullet, this task is code, so this line is no item; put one space there [in-code]`,
	}},
	{"HTML", "<!-- - [ ] a -->\n<!--\n- [ ] b\n-->\n<details>\n- [ ] c\n\n- [ ] d\n</details>\n", []string{
		`1:8: warning: this task is in the comment that begins in line 1, so it is no item; if it is work, move it out [in-comment]`,
		`3:3: warning: this task is in the comment that begins in line 2, so it is no item; if it is work, move it out [in-comment]`,
		`6:3: warning: this task is in the HTML that begins in line 5, so it is no item; put a blank line before it, or move it out [in-html]`,
	}},
	{"HTML that a blank line does not end", "<PRE>\n- [ ] a\n</PRE>\n\n<?php\n- [ ] b\n?>\n\n<!X\n- [ ] c\n>\n\n<![CDATA[\n- [ ] d\n]]>\n\n<preface>\n- [ ] e\n\n<script>\n\n- [ ] f\n", []string{
		`2:3: warning: this task is in the HTML that begins in line 1, so it is no item; end that with </pre> before it, or move it out [in-html]`,
		`6:3: warning: this task is in the HTML that begins in line 5, so it is no item; end that with ?> before it, or move it out [in-html]`,
		`10:3: warning: this task is in the HTML that begins in line 9, so it is no item; end that with > before it, or move it out [in-html]`,
		`14:3: warning: this task is in the HTML that begins in line 13, so it is no item; end that with ]]> before it, or move it out [in-html]`,
		`18:3: warning: this task is in the HTML that begins in line 17, so it is no item; put a blank line before it, or move it out [in-html]`,
		`20:1: warning: this HTML block has no end, so all that follows belongs to it; close it with </script> [unclosed]`,
		`22:3: warning: this task is in the HTML that begins in line 20, so it is no item; end that with </script> before it, or move it out [in-html]`,
	}},
	{"unclosed instruction", "<?php\n\ntext\n", []string{
		`1:1: warning: this HTML block has no end, so all that follows belongs to it; close it with ?> [unclosed]`,
	}},
	{"unclosed CDATA in a list", "- [ ] a\n\n  <![CDATA[\n  - [ ] b\n- [ ] c\n", []string{
		`3:3: warning: this HTML block has no end inside its list item or quote and takes in line 4; close it with ]]> [unclosed]`,
		`4:5: warning: this task is in the HTML that begins in line 3, so it is no item; end that with ]]> before it, or move it out [in-html]`,
	}},
	{"front matter", "---\ntodo:\n- [ ] a\n---\n- [ ] b\n", []string{
		`3:3: warning: this task is in the front matter, so it is no item; move it below line 4 [in-front-matter]`,
	}},
	{"block quotes", "> - [ ] a\n> > - [x] b\n- [ ] c\n  > 1. [ ] d\n\n> [!NOTE]\n> text\n", []string{
		`1:5: warning: this task is in a block quote, so it is no item; if it is work, take the ">" away [in-quote]`,
		`2:7: warning: this task is in a block quote, so it is no item; if it is work, take the ">" away [in-quote]`,
		`4:8: warning: this task is in a block quote, so it is no item; if it is work, take the ">" away [in-quote]`,
	}},
	{"unknown marks", "- [P] a\n- [✓] b\n- [х] c\n- [\u00a0] d\n- [✔️] e\n- [,] f\n- [\x01] g\n- [<] h\n- [1] i\n", []string{
		`1:3: warning: unknown mark "P", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="P=pending" in a todomd directive [unknown-mark]`,
		`2:3: warning: unknown mark "✓" (U+2713), so this line is no item; write [x], or give it a meaning with marks="✓=completed" in a todomd directive [unknown-mark]`,
		`3:3: warning: unknown mark "х" (U+0445), so this line is no item; write [x], or give it a meaning with marks="х=completed" in a todomd directive [unknown-mark]`,
		`4:3: warning: unknown mark " " (U+00A0), so this line is no item; write [ ] [unknown-mark]`,
		`5:3: warning: unknown mark "✔️" (U+2714 U+FE0F), so this line is no item; write [x] [unknown-mark]`,
		`6:3: warning: unknown mark ",", so this line is no item; use one of [ ] [>] [x] [!] [-] [unknown-mark]`,
		`7:3: warning: unknown mark "\x01" (U+0001), so this line is no item; use one of [ ] [>] [x] [!] [-] [unknown-mark]`,
		`8:3: warning: unknown mark "<", so this line is no item; use one of [ ] [>] [x] [!] [-] [unknown-mark]`,
		`9:3: warning: unknown mark "1", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="1=pending" in a todomd directive [unknown-mark]`,
	}},
	{"unknown mark of the file", "<!-- todomd marks=\"?=blocked\" -->\n- [?] a\n- [o] b\n", []string{
		`3:3: warning: unknown mark "o", so this line is no item; use one of [ ] [>] [x] [?] [-], or give it a meaning with marks="o=pending" in a todomd directive [unknown-mark]`,
	}},
	{"no space behind the box", "- [ ]a\n- [x]b\n- [x](url)\n- [x][ref]\n- [2026-01-29] d\n- [a](b)\n- [^1] f\n- [ ]**b**\n- [x], [y]\n- [ ]* k\n- [ ]\\* k\n", []string{
		`1:3: warning: no space stands behind "[ ]", so this line is no item; write "[ ] …" [no-space]`,
		`2:3: warning: no space stands behind "[x]", so this line is no item; write "[x] …" [no-space]`,
		`8:3: warning: no space stands behind "[ ]", so this line is no item; write "[ ] …" [no-space]`,
	}},
	{"empty and wide boxes", "- [] x\n- []\n- [](u)\n- []byte\n- [ x ] y\n- [  ] z\n- [ x](u)\n", []string{
		`1:3: warning: nothing stands between the brackets, so this line is no item; write [ ] [empty-box]`,
		`5:3: warning: more than one character stands between the brackets, so this line is no item; write [x] [wide-box]`,
		`6:3: warning: more than one character stands between the brackets, so this line is no item; write [ ] [wide-box]`,
	}},
	{"words", "- [done] x\n- [in progress] y\n- [WIP] w\n- [done](u)\n- [Story] s\n- [blocked]: two words\n", []string{
		`1:3: warning: "[done]" is a word, no mark, so this line is no item; write [x] [status-word]`,
		`2:3: warning: "[in progress]" is a word, no mark, so this line is no item; write [>] [status-word]`,
		`3:3: warning: "[WIP]" is a word, no mark, so this line is no item; write [>] [status-word]`,
		`6:3: warning: "[blocked]" is a word, no mark, so this line is no item; write [!] [status-word]`,
	}},
	{"no space behind the bullet", "-[ ] a\n\n1.[ ] h\n*[x] i*\n*[x] j\n-[x](url)\n", []string{
		`1:2: warning: no space stands between "-" and the bracket, so this line is no item; write "- [ ] …" [no-space]`,
		`3:3: warning: no space stands between "1." and the bracket, so this line is no item; write "1. [ ] …" [no-space]`,
		`5:2: warning: no space stands between "*" and the bracket, so this line is no item; write "* [x] …" [no-space]`,
	}},
	{"no bullet", "[ ] b\n[x] c\n\n[>] d\n[!] e\n\n[ ]\n[x](url) f\n", []string{
		`1:1: warning: no bullet stands before "[ ]", so this line is no item; write "- [ ] …" [no-bullet]`,
		`2:1: warning: no bullet stands before "[x]", so this line is no item; write "- [x] …" [no-bullet]`,
		`4:1: warning: no bullet stands before "[>]", so this line is no item; write "- [>] …" [no-bullet]`,
		`5:1: warning: no bullet stands before "[!]", so this line is no item; write "- [!] …" [no-bullet]`,
	}},
	{"no bullet, wrapped prose", "The mark\n[/] says so\n- [ ] a\n  [!] note\n  [x] evidence\n\n  [!] output of a tool\n", []string{
		`5:3: warning: no bullet stands before "[x]", so this line is no item; write "- [x] …" [no-bullet]`,
	}},
	{"other bullets", "• [ ] d\n– [x] e\n• [x](url)\n", []string{
		`1:3: warning: "•" is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`2:3: warning: "–" is no bullet of Markdown, so this line is no item; write "- [x] …" [bullet]`,
	}},
	{"other brackets", "- ［ ］ f\n- ［\u3000］ f\n【x】g\n\n【重要】 h\n- 【x】(url)\n- ☐ d\n- ☑ e\n- [ ] ok ☐\n", []string{
		`1:3: warning: the brackets are not "[" and "]", so this line is no item; write "- [ ] …" [brackets]`,
		`2:3: warning: the brackets are not "[" and "]", so this line is no item; write "- [ ] …" [brackets]`,
		`3:1: warning: the brackets are not "[" and "]", so this line is no item; write "- [x] …" [brackets]`,
		`7:3: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
		`8:3: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
	}},
	{"headings", "## [ ] h\n### [Story] h\n[ ] s\n---\n- ## [ ] an item\n", []string{
		`1:4: warning: a heading is no item, though it begins with "[ ]"; write "- [ ] …" if it is one [heading]`,
		`3:1: warning: a heading is no item, though it begins with "[ ]"; write "- [ ] …" if it is one [heading]`,
	}},
	{"link references", "- [x]: /url\n- [x]: /url\n  more\n- [TODO]: fix\n- [1]: http://example.org\n\n[x]: /url\n", []string{
		`1:3: warning: with ":" behind the bracket this is the target of a link, so this line is no item; delete the ":" [link-reference]`,
		`2:3: warning: with ":" behind the bracket this is the target of a link, so this line is no item; delete the ":" [link-reference]`,
		`4:3: warning: with ":" behind the bracket this is the target of a link, so this line is no item; delete the ":" [link-reference]`,
	}},
	{"too deep", "- [ ] a\n        - [ ] b\n        text\n\npara\n    - [ ] c\n\npara\n2. [ ] d\n", []string{
		`2:11: warning: indented by 8 columns, this task is text of the lines above, so this line is no item; indent it by 2 to 5 columns to make it a sub-item of line 1 [too-deep]`,
		`6:7: warning: indented by 4 columns, this task is text of the lines above, so this line is no item; indent it by at most 3 columns [too-deep]`,
		`9:4: warning: a list that begins with "2." can't follow text directly, so this line is no item; put a blank line before it [swallowed]`,
	}},
	{"too shallow", "1. [ ] a\n  - [ ] b\n  - [ ] c\n2. [ ] d\n\n  - [ ] e\n10. [ ] f\n   - [ ] g\n11. [ ] h\n    - [ ] i\n", []string{
		`2:3: warning: indented by 2 columns, this is no sub-item of item 1; indent it by 3 to nest it [nesting]`,
		`6:3: warning: indented by 2 columns, this is no sub-item of item 4; indent it by 3 to nest it [nesting]`,
		`8:4: warning: indented by 3 columns, this is no sub-item of item 6; indent it by 4 to nest it [nesting]`,
	}},
	{"too shallow, or not", "- [ ] a\n - [ ] b\n* [ ] c\n   - [ ] d\n1. [ ] e\n  1. [ ] f\n- [ ] g\n1. [ ] h\n\ntext\n\n  - [ ] i\n", []string{
		`6:3: warning: indented by 2 columns, this is no sub-item of item 4; indent it by 3 to nest it [nesting]`,
	}},
	{"fence without an end", "- [ ] a\n```\n- [ ] b\n", []string{
		"2:1: warning: this code fence has no end, so all that follows belongs to it; close it with ``` [unclosed]",
		`3:3: warning: this task is in the code that begins in line 2, so it is no item; if it is work, move it out [in-code]`,
	}},
	{"fence at the end", "- [ ] a\n\n~~~~\n", []string{
		`3:1: warning: this code fence has no end, so all that follows belongs to it; close it with ~~~~ [unclosed]`,
	}},
	{"fence that its item ends", "- [ ] a\n  ```\n  code\n- [ ] b\n", nil},
	{"fence with its end in the wrong place", "- [ ] a\n  ```\n  code\n```\n- [ ] b\n", []string{
		"2:3: warning: this code fence has no end inside its list item or quote and takes in line 3; close it with ``` [unclosed]",
		"4:1: warning: this code fence has no end, so all that follows belongs to it; close it with ``` [unclosed]",
		`5:3: warning: this task is in the code that begins in line 4, so it is no item; if it is work, move it out [in-code]`,
	}},
	{"fence that its item ends, with a task", "- [ ] a\n  ~~~\n  - [ ] b\n- [ ] c\n", []string{
		`2:3: warning: this code fence has no end inside its list item or quote and takes in line 3; close it with ~~~ [unclosed]`,
		`3:5: warning: this task is in the code that begins in line 2, so it is no item; if it is work, move it out [in-code]`,
	}},
	{"comment without an end", "- [ ] a\n<!-- b\n- [ ] c\n", []string{
		`2:1: warning: this comment has no end, so all that follows belongs to it; close it with --> [unclosed]`,
		`3:3: warning: this task is in the comment that begins in line 2, so it is no item; if it is work, move it out [in-comment]`,
	}},
	{"bytes", "- [ ] a\xff\n- [ ] b\x00\xfe\xff\n- [\xff] i\n", []string{
		`1:8: warning: byte 0xff is not UTF-8 and is shown as "�"; save the file as UTF-8 [utf-8]`,
		`2:8: warning: a NUL character stands here, which most editors hide; delete it [nul]`,
		`2:9: warning: byte 0xfe is not UTF-8 and is shown as "�"; save the file as UTF-8 [utf-8]`,
		`3:3: warning: unknown mark "�" (byte 0xff), so this line is no item; use one of [ ] [>] [x] [!] [-] [unknown-mark]`,
		`3:4: warning: byte 0xff is not UTF-8 and is shown as "�"; save the file as UTF-8 [utf-8]`,
	}},
	{"section", "# A\n- [ ] a\n# B\n<!-- todomd max-items=3 -->\n- [ ] b\n- [P] p\n# C\n- [ ] c\n- [P] d\n- [x] e\n> - [ ] f\n", []string{
		`2:4: warning: 3 items, from here on, stand outside of the section "B", which the directive makes the plan; to count it all, move the directive above the first heading [outside-section]`,
		`6:3: warning: unknown mark "P", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="P=pending" in a todomd directive [unknown-mark]`,
	}},
	{"section, one item outside", "# A\n- [ ] a\n# B\n<!-- todomd -->\n- [ ] b\n", []string{
		`2:4: warning: 1 item stands outside of the section "B", which the directive makes the plan; to count it all, move the directive above the first heading [outside-section]`,
	}},
	{"directives", "<!-- todomd nope=1 <b -->\n- [ ] a\n  <!-- todomd max-items=3 -->\n> <!-- todomd x=1 -->\n\n<!-- todomd\nmax-items=1 -->\n\n<!-- todomd in-progress=2 --> tail\n\n<!-- todomd -->\n<!-- todomdx -->\n```\n<!-- todomd -->\n```\n", []string{
		`1:1: warning: unknown setting "nope" (want max-items, in-progress, remind-after, remind-every or marks) [directive]`,
		`1:1: warning: "‹b" is no setting; write name=value [directive]`,
		`3:3: warning: this todomd directive is not read; put it, whole, on a line of its own outside of lists and quotes [directive]`,
		`4:3: warning: this todomd directive is not read; put it, whole, on a line of its own outside of lists and quotes [directive]`,
		`6:1: warning: this todomd directive is not read; put it, whole, on a line of its own outside of lists and quotes [directive]`,
		`9:1: warning: this todomd directive is not read; put it, whole, on a line of its own outside of lists and quotes [directive]`,
		`11:1: warning: a second todomd directive is ignored; keep one [directive]`,
	}},
	{"directive with a colon", "<!-- todomd: max-items=3 -->\n<!-- todomd:x -->\n<!-- todo: y -->\n- [ ] a\n", []string{
		`1:1: warning: this todomd directive is not read; take the ":" behind "todomd" away [directive]`,
	}},
	{"BOM, CRLF and tabs", "\ufeff[ ] a\r\n\r\n- [P] b\r\n-\t[Q] c\r\n\t- [R] d\r\n\t\t\t- [ ] e\r\n", []string{
		`1:1: warning: no bullet stands before "[ ]", so this line is no item; write "- [ ] …" [no-bullet]`,
		`3:3: warning: unknown mark "P", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="P=pending" in a todomd directive [unknown-mark]`,
		`4:3: warning: unknown mark "Q", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="Q=pending" in a todomd directive [unknown-mark]`,
		`5:4: warning: unknown mark "R", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="R=pending" in a todomd directive [unknown-mark]`,
		`6:6: warning: indented by 12 columns, this task is text of the lines above, so this line is no item; indent it by 6 to 9 columns to make it a sub-item of line 5 [too-deep]`,
	}},
	{"BOM and front matter", "\ufeff---\r\n- [ ] a\r\n---\r\n-[ ] b\r\n", []string{
		`2:3: warning: this task is in the front matter, so it is no item; move it below line 3 [in-front-matter]`,
		`4:2: warning: no space stands between "-" and the bracket, so this line is no item; write "- [ ] …" [no-space]`,
	}},
	{"talk of boxes", "| [ ] a | b |\n|---|---|\n| - [ ] c | d |\n\nUse `- [ ]` for tasks.\n- `[ ]` pending\n- `- [ ]` x\n- see [x] there\n", nil},
	{"emphasis and escapes", "- **[ ] a**\n- \\[ ] b\n- \\[x\\] c\n- ~~[x] g~~\n- **[x](url)** h\n- \\[note] i\n", []string{
		`1:5: warning: "**" stands before the bracket, so this line is no item; begin with "[ ]" [emphasis]`,
		`2:4: warning: the backslash makes the bracket text, so this line is no item; delete it [escaped]`,
		`3:4: warning: the backslash makes the bracket text, so this line is no item; delete it [escaped]`,
		`4:5: warning: "~~" stands before the bracket, so this line is no item; begin with "[x]" [emphasis]`,
	}},
	{"a character that can't be seen before the bullet", "\u00a0- [ ] a\n\n\u3000- [ ] b\n\n\u2003- [ ] c\n\n\u200b- [ ] d\n\n\ufeff- [ ] e\n\n\u00ad- [ ] f\n\n\u2028- [ ] g\n\n\f- [ ] h\n- [ ] i\n  \u200b1. [x] j\n", []string{
		`1:1: warning: U+00A0 (no-break space) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
		`3:1: warning: U+3000 (ideographic space) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
		`5:1: warning: U+2003 (em space) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
		`7:1: warning: U+200B (zero width space) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
		`9:1: warning: U+FEFF (byte order mark) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
		`11:1: warning: U+00AD (soft hyphen) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
		`13:1: warning: U+2028 (line separator) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
		`15:1: warning: U+000C (form feed) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
		`17:3: warning: U+200B (zero width space) stands before the bullet and is no space to Markdown, so this line is no item; delete it [invisible]`,
	}},
	{"a character that can't be seen behind the bullet", "-\u00a0[ ] a\n\n- \u00a0[ ] b\n- \u200b[ ] c\n1.\u3000[x] d\n", []string{
		`1:2: warning: U+00A0 (no-break space) stands between the bullet and the bracket and is no space to Markdown, so this line is no item; put one space there [invisible]`,
		`3:3: warning: U+00A0 (no-break space) stands between the bullet and the bracket and is no space to Markdown, so this line is no item; put one space there [invisible]`,
		`4:3: warning: U+200B (zero width space) stands between the bullet and the bracket and is no space to Markdown, so this line is no item; put one space there [invisible]`,
		`5:3: warning: U+3000 (ideographic space) stands between the bullet and the bracket and is no space to Markdown, so this line is no item; put one space there [invisible]`,
	}},
	{"numbers of other kinds", "a. [ ] a\n\n(1) [ ] b\n\n１. [ ] c\n\n1、[ ] d\n\n#. [ ] e\n\niv) [x] f\n\n① [x] g\n\n（二） [ ] h\n\nNote: [ ] i\n\na. [1] j\n", []string{
		`1:4: warning: "a." is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`3:5: warning: "(1)" is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`5:4: warning: "１." is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`7:3: warning: "1、" is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`9:4: warning: "#." is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`11:5: warning: "iv)" is no bullet of Markdown, so this line is no item; write "- [x] …" [bullet]`,
		`13:3: warning: "①" is no bullet of Markdown, so this line is no item; write "- [x] …" [bullet]`,
		`15:5: warning: "（二）" is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
	}},
	{"a drawn box without a space", "- ☐x\n- ☑=done\n", []string{
		`1:3: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
	}},
	{"ok", "- [ok] x\n- [new] y\n", []string{
		`1:3: warning: "[ok]" is a word, no mark, so this line is no item; write [x] [status-word]`,
	}},
	{"tags and quotes before the bracket", "- <b>[ ] a</b>\n- \"[ ] b\"\n- “[x] c”\n- \"[ ]\" means pending\n- <b>[ ]</b> pending\n- '[x](u)' d\n", []string{
		`1:6: warning: "‹b>" stands before the bracket, so this line is no item; begin with "[ ]" [emphasis]`,
		`2:4: warning: a quotation mark stands before the bracket, so this line is no item; begin with "[ ]" [emphasis]`,
		`3:4: warning: a quotation mark stands before the bracket, so this line is no item; begin with "[x]" [emphasis]`,
	}},
	{"what looks like a bullet", "1.1 [ ] a\n\n1.2. [x] b\n\n\\- [ ] c\n\n2\\. [x] d\n\n-- [ ] e\n\n*** [x] f\n\n--- [x](u)\n-- [P] g\n1.5 [m] h\n\\- text [ ] i\n", []string{
		`1:5: warning: "1.1" is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`3:6: warning: "1.2." is no bullet of Markdown, so this line is no item; write "- [x] …" [bullet]`,
		`5:4: warning: "\-" is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`7:5: warning: "2\." is no bullet of Markdown, so this line is no item; write "- [x] …" [bullet]`,
		`9:4: warning: "--" is no bullet of Markdown, so this line is no item; write "- [ ] …" [bullet]`,
		`11:5: warning: "***" is no bullet of Markdown, so this line is no item; write "- [x] …" [bullet]`,
	}},
	{"headings with a bullet", "### 1. [ ] a\n## 1.2 [x] b\n# - [ ] c\n## (a) [ ] d\n## 1. [x](u)\n## 1. [ ]\n## 2. Use [ ] well\n", []string{
		`1:8: warning: a heading is no item, though it begins with "[ ]"; write "- [ ] …" if it is one [heading]`,
		`2:8: warning: a heading is no item, though it begins with "[x]"; write "- [x] …" if it is one [heading]`,
		`3:5: warning: a heading is no item, though it begins with "[ ]"; write "- [ ] …" if it is one [heading]`,
		`4:8: warning: a heading is no item, though it begins with "[ ]"; write "- [ ] …" if it is one [heading]`,
	}},
	{"drawn boxes", "- ⬜ a\n- □ b\n- ◻️ c\n1. ▢ d\n- 🔲 e\n- ✅ f\n- ⬛ g\n- `⬜` h\n\n| ⬜ | ☐ |\n|---|---|\n| ⬜ i | [ ] j |\n\n⬜ k\n", []string{
		`1:3: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
		`2:3: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
		`3:3: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
		`4:4: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
		`5:3: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
		`14:1: warning: a drawn box is no mark, so this line is no item; write [ ] or [x] [brackets]`,
	}},
	{"two boxes", "- [ ] [ ] a\n- [x] [>] b\n- [ ] - [ ] c\n- [ ] #id: [x] d\n- [ ] [x](u) e\n- [ ] [?] f\n- [ ] `[ ]` g\n- [ ] [x], [ ] h\n- [ ] \\[x] i\n- [ ] [x]\n\n[-]: u\n\n- [ ] [-] j\n", []string{
		`1:7: warning: Item 1: a second box, "[ ]", stands at the start of its text; take one away, or put the second task on a line of its own [two-boxes]`,
		`2:7: warning: Item 2: a second box, "[>]", stands at the start of its text; take one away, or put the second task on a line of its own [two-boxes]`,
		`3:9: warning: Item 3: a second box, "[ ]", stands at the start of its text; take one away, or put the second task on a line of its own [two-boxes]`,
		`4:12: warning: Item 4: a second box, "[x]", stands at the start of its text; take one away, or put the second task on a line of its own [two-boxes]`,
	}},
	{"legends", "[x] means done, [ ] means open.\n\n☐ open, ☑ done\n\n- [ ] a\n\n[ ] one [ ] two\n\n[x] done (see [ ](u))\n\n[>] started; [-] dropped\n", []string{
		`7:1: warning: no bullet stands before "[ ]", so this line is no item; write "- [ ] …" [no-bullet]`,
		`9:1: warning: no bullet stands before "[x]", so this line is no item; write "- [x] …" [no-bullet]`,
	}},
	{"links by reference", "- [a] see below\n- [B]\n- [c] no link\n- [d] in code\n- [e] in text\n- [done] link\n\n[a]: http://a\n[b]: <http://b> 'B'\n[Done]: u\n\n```\n[d]: u\n```\n\ntext\n[e]: u\n", []string{
		`3:3: warning: unknown mark "c", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="c=pending" in a todomd directive [unknown-mark]`,
		`4:3: warning: unknown mark "d", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="d=pending" in a todomd directive [unknown-mark]`,
		`5:3: warning: unknown mark "e", so this line is no item; use one of [ ] [>] [x] [!] [-], or give it a meaning with marks="e=pending" in a todomd directive [unknown-mark]`,
	}},
	{"items of all forms", "* [ ] a\n+ [x] b\n1. [>] c\n2) [!] d\n- # [-] e\n- - [ ] f\n-\n  [ ] g\n- [ ]* h\n", nil},
}

func TestCheck(t *testing.T) {
	for _, tt := range checkTests {
		t.Run(tt.name, func(t *testing.T) {
			got := report(planOf(t, tt.src).Check(Settings{}))
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q\ngot:\n%s\nwant:\n%s", tt.src, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// A report does not depend on the line endings, nor on a BOM.
func TestCheckEndings(t *testing.T) {
	for _, tt := range checkTests {
		if strings.Contains(tt.src, "\r") {
			continue
		}
		for _, src := range []string{strings.ReplaceAll(tt.src, "\n", "\r\n"), "\xef\xbb\xbf" + tt.src, strings.TrimSuffix(tt.src, "\n")} {
			if got := report(planOf(t, src).Check(Settings{})); !slices.Equal(got, tt.want) {
				t.Errorf("%q\ngot:\n%s\nwant:\n%s", src, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		}
	}
}

// The limit is one for each author and session, where it is known who has what.
func TestCheckHolders(t *testing.T) {
	ada, ada2, bob := Author{Name: "ada", Session: "1"}, Author{Name: "ada", Session: "2"}, Author{Name: "bob", Session: "1"}
	const only = "warning: Only one plan item can be in_progress: "
	const way = "; set all but one to pending, blocked or completed [in-progress]"
	for _, tt := range []struct {
		src  string
		held map[string]Author
		want []string
	}{
		{"- [>] A\n- [>] B\n", nil, []string{"2:4: " + only + `item 1 "A", item 2 "B"` + way}},
		{"- [>] A\n- [>] B\n", map[string]Author{"A": ada, "B": bob}, nil},
		{"- [>] A\n- [>] B\n", map[string]Author{"A": ada, "B": ada2}, nil},
		{"- [>] A  x\n- [>] B\n", map[string]Author{"A x": ada, "B": ada}, []string{"2:4: " + only + `item 1 "A  x", item 2 "B"` + way}},
		{"- [>] A\n- [>] B\n- [>] C\n", map[string]Author{"A": ada}, []string{"3:4: " + only + `item 2 "B", item 3 "C"` + way}},
		{"- [>] A\n- [>] B (owner:: bob)\n", map[string]Author{"A": ada, "B": ada}, nil},
		{"- [>] A (owner:: ada)\n- [>] B\n- [>] C\n", map[string]Author{"B": ada, "C": bob}, []string{"2:4: " + only + `item 1 "A", item 2 "B"` + way}},
	} {
		if got := report(planOf(t, tt.src).WithHolders(tt.held).Check(Settings{})); !slices.Equal(got, tt.want) {
			t.Errorf("%q, %v\ngot:\n%s\nwant:\n%s", tt.src, tt.held, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

func TestCheckOver(t *testing.T) {
	p := planOf(t, "<!-- todomd in-progress=1 -->\n- [>] A\n- [>] B\n")
	two := 2
	if got := report(p.Check(Settings{InProgress: &two})); len(got) != 0 {
		t.Errorf("the caller's limit does not win: %q", got)
	}
	if got := report(p.Check(Settings{})); len(got) != 1 {
		t.Errorf("the file's limit: %q", got)
	}
}

func TestCheckLong(t *testing.T) {
	p := planOf(t, strings.Repeat("- [ ] a\n", 200))
	if got := report(p.Check(Settings{})); len(got) != 0 {
		t.Errorf("a file that is merely long has problems: %q", got)
	}
}

func TestProblemOf(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"- [ ] a\n- [ ] b\r- [ ] c\n", "2:8: error: a carriage return stands here without a line feed; convert the line endings to LF or CRLF [lone-cr]"},
		{strings.Repeat("- [ ] a\n", MaxItems+1), "1:1: error: the plan file has over 10000 items; move what is finished to another file [items]"},
	} {
		_, err := Parse([]byte(tt.src))
		var e *ParseError
		if !errors.As(err, &e) {
			t.Fatalf("%.20q: %v", tt.src, err)
		}
		if got := ProblemOf(e).String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

// Every line of this was looked at. To look again: go test -run Corpus -update
func TestCheckCorpus(t *testing.T) {
	var out strings.Builder
	for _, f := range readCorpus(t) {
		for _, line := range report(planOf(t, string(f.src)).Check(Settings{})) {
			fmt.Fprintf(&out, "%s:%s\n", f.name, line)
		}
	}
	const name = "testdata/check.golden"
	if *updateGolden {
		if err := os.WriteFile(name, []byte(out.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got, wanted := strings.Split(out.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(wanted)) {
		if i >= len(got) || i >= len(wanted) || got[i] != wanted[i] {
			t.Fatalf("line %d\ngot:\n%s\nwant:\n%s", i+1, strings.Join(got[min(i, len(got)):], "\n"), strings.Join(wanted[min(i, len(wanted)):], "\n"))
		}
	}
}

// Files that are all trouble. A check that is not linear runs into the test's
// deadline here.
func TestCheckLarge(t *testing.T) {
	if fewer() {
		t.Skip("takes seconds")
	}
	fill := func(s string) string { return strings.Repeat(s, MaxSize/len(s)) }
	var chain strings.Builder
	for i := range MaxItems {
		fmt.Fprintf(&chain, "- [>] #i%d: t (dependsOn:: i%d, i%d)\n", i, (i+1)%MaxItems, i*7%MaxItems)
	}
	for name, src := range map[string]string{
		"boxes in a line":     "- [ ] " + fill("[ ] x ")[:MaxSize-6],
		"brackets in a line":  "- [P] " + strings.Repeat("[", 64<<10),
		"open brackets":       fill("- [\n"),
		"unknown marks":       fill("- [P] x\n"),
		"no bullets":          fill("[ ] x\n"),
		"a fence":             "```\n" + fill("- [ ] x\n")[:MaxSize-4],
		"quotes":              fill("> - [ ] x\n"),
		"too deep":            fill("a\n     - [ ] x\n\n"),
		"bad bytes":           fill("\xff\n"),
		"bad bytes in a line": fill("\xff\x00"),
		"directives":          fill("> <!-- todomd\n"),
		"dependencies":        chain.String(),
		"colons":              "- [ ] " + fill("::")[:MaxSize-6],
	} {
		t.Run(name, func(t *testing.T) { planOf(t, src).Check(Settings{}) })
	}
}

func FuzzCheck(f *testing.F) {
	for _, tt := range checkTests {
		f.Add([]byte(tt.src))
	}
	for _, c := range readCorpus(f) {
		f.Add(c.src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := Parse(src)
		if err != nil {
			var e *ParseError
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			inside(t, src, ProblemOf(e))
			return
		}
		all := p.Check(Settings{})
		for i, q := range all {
			inside(t, src, q)
			if i > 0 && (q.Line < all[i-1].Line || q.Line == all[i-1].Line && q.Column < all[i-1].Column) {
				t.Errorf("%s comes behind %s", q, all[i-1])
			}
		}
		lookalikes := map[int]bool{}
		for _, q := range all {
			if !strings.Contains(q.Message, "it is no item") && !strings.Contains(q.Message, noItem) {
				continue
			}
			if lookalikes[q.Line] {
				t.Errorf("line %d is reported twice", q.Line)
			}
			lookalikes[q.Line] = true
		}
		for _, n := range p.nodes {
			if lookalikes[n.line] {
				t.Errorf("line %d is an item and is reported to be none", n.line)
			}
		}
		d := p.depend()
		for _, n := range d.readyItems() {
			if n.status != Pending || len(d.waitsFor(n)) > 0 {
				t.Errorf("item %s is not ready", n.number())
			}
		}
	})
}

// inside fails if a problem is not of the file, or not fit to be shown.
func inside(t *testing.T, src []byte, q Problem) {
	t.Helper()
	lines := strings.Split(strings.TrimPrefix(string(src), "\xef\xbb\xbf"), "\n")
	if q.Line < 1 || q.Line > len(lines) {
		t.Fatalf("%s: the file has %d lines", q, len(lines))
	}
	if n := utf8.RuneCountInString(lines[q.Line-1]); q.Column < 1 || q.Column > n+1 {
		t.Errorf("%s: the line has %d characters", q, n)
	}
	if i := strings.IndexFunc(q.Message, unicode.IsControl); i >= 0 || !utf8.ValidString(q.Message) {
		t.Errorf("%q can't be shown", q.Message)
	}
	if q.Code == "" || q.Message == "" || q.Severity != SeverityError && q.Severity != SeverityWarning {
		t.Errorf("incomplete: %+v", q)
	}
}

// Of many tasks that one block hides, the first few are reported, and the rest
// is counted: else one open fence buries all else that is wrong.
func TestCheckCountsWhatABlockHides(t *testing.T) {
	many := func(line string) string { return strings.Repeat(line, 3000) }
	for name, test := range map[string]struct{ src, last string }{
		"fence": {"- [ ] a\n```\n" + many("- [ ] b\n"),
			`13:3: warning: 2990 more tasks in the code that begins in line 2 are no items [in-code]`},
		"indented code": {"text\n\n" + many("    - [ ] b\n"),
			`13:7: warning: 2990 more tasks in the code that begins in line 3 are no items [in-code]`},
		"comment": {"- [ ] a\n\n<!--\n" + many("- [ ] b\n") + "-->\n",
			`14:3: warning: 2990 more tasks in the comment that begins in line 3 are no items [in-comment]`},
		"HTML": {"<div>\n" + many("- [ ] b\n"),
			`12:3: warning: 2990 more tasks in the HTML that begins in line 1 are no items [in-html]`},
		"quote": {many("> - [ ] b\n"),
			`11:5: warning: 2990 more tasks in the block quote that begins in line 1 are no items [in-quote]`},
		"front matter": {"---\n" + many("- [ ] b\n") + "---\n",
			`12:3: warning: 2990 more tasks in the front matter are no items [in-front-matter]`},
		"one more": {"```\n" + strings.Repeat("- [ ] b\n", maxInBlock+1) + "```\n",
			`12:3: warning: 1 more task in the code that begins in line 1 is no item [in-code]`},
	} {
		var of []Problem
		for _, p := range mustParse(t, test.src).Check(Settings{}) {
			if p.Code != "unclosed" {
				of = append(of, p)
			}
		}
		if len(of) != maxInBlock+1 || of[maxInBlock].String() != test.last {
			t.Errorf("%s: %d problems, the last %v, want %d and %s", name, len(of), of[len(of)-1], maxInBlock+1, test.last)
		}
	}
	two := "```\n" + strings.Repeat("- [ ] b\n", maxInBlock) + "```\n"
	if got := len(mustParse(t, two+two).Check(Settings{})); got != 2*maxInBlock {
		t.Errorf("two blocks: %d problems", got)
	}
}

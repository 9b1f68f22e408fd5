package mdplan

import (
	"errors"
	"strings"
	"testing"
)

func TestFindItem(t *testing.T) {
	const (
		node22 = "- [ ] Upgrade to Node 22\n- [ ] b\n  - [ ] the v1.2 release\n"
		codes  = "- [ ] 1. Setup\n- [ ] 3. Foo\n- [ ] 2. Bar\n"
		dups   = "- [ ] #2: two\n- [x] dup\n- [ ] dup\n"
		shown  = "- [ ] #x: login\n- [>] Write the docs (priority:: high)\n- [ ] t\n- [x] t\n- [ ]\n- [ ] [ ] boxed\n"
	)
	tests := []struct {
		name, src, ref string
		want           string // the number of the item, "" if none is meant
		err            string // the whole error, "*" for any text in it
	}{
		// A number is no part of a text.
		{"number in a text", node22, "22", "", "there is no item 22: the plan has 2 items and 1 sub-item; see todomd show --numbers"},
		{"version in a text", node22, "1.2", "", `there is no item 1.2: item 1 "Upgrade to Node 22" has no sub-items; see todomd show --numbers`},
		{"one sub-item", node22, "2.2", "", `there is no item 2.2: item 2 "b" has 1 sub-item; see todomd show --numbers`},
		{"no such parent", node22, "7.1", "", "there is no item 7.1: the plan has 2 items and 1 sub-item; see todomd show --numbers"},
		{"nought", node22, "0", "", "there is no item 0: the plan has 2 items and 1 sub-item; see todomd show --numbers"},
		{"spaces around it", node22, " 22 ", "", "there is no item 22: the plan has 2 items and 1 sub-item; see todomd show --numbers"},
		{"a part with a letter", node22, "Node 22", "1", ""},
		{"a part with a letter, v1.2", node22, "v1.2", "2.1", ""},
		{"whole text", "- [ ] 22\n- [ ] Node 22\n", "22", "1", ""},
		{"id", "- [ ] #22: a\n- [ ] Node 22\n", "22", "1", ""},
		{"ids are numbers", "- [ ] #1: a\n- [ ] Node 22\n", "22", "", `no item "22"; see the plan with todomd show`},
		{"sub-item", node22, "2.1", "2.1", ""},

		// A number that another text begins with.
		{"code of another", codes, "2", "", "\"2\" could be any of 2 items; say its whole text:\n  2 (line 2): 3. Foo\n  3 (line 3): 2. Bar"},
		{"code of another, above", codes, "3", "", "\"3\" could be any of 2 items; say its whole text:\n  2 (line 2): 3. Foo\n  3 (line 3): 2. Bar"},
		{"code agrees", codes, "1", "1", ""},
		{"whole text of a code", codes, "2. Bar", "3", ""},
		{"code of an item without that number", "- [ ] 1. Setup\n- [ ] 5. Foo\n", "5", "", "there is no item 5: the plan has 2 items; the text of one begins with it, say its number:\n  2 (line 2): 5. Foo"},
		{"bracket", "- [ ] a\n- [ ] b\n- [ ] 2) c\n", "2", "", "*3 (line 3): 2) c"},
		{"dot without a space", "- [ ] a\n- [ ] b\n- [ ] 2.Foo\n", "2", "", "*3 (line 3): 2.Foo"},
		{"round brackets", "- [ ] a\n- [ ] b\n- [ ] (2) Foo\n", "2", "", "*3 (line 3): (2) Foo"},
		{"square brackets", "- [ ] a\n- [ ] b\n- [ ] [2] Foo\n", "2", "", "*3 (line 3): [2] Foo"},
		{"wide brackets", "- [ ] a\n- [ ] b\n- [ ] （2）登录\n", "2", "", "*3 (line 3): （2）登录"},
		{"ideographic comma", "- [ ] a\n- [ ] b\n- [ ] 2、登录\n", "2", "", "*3 (line 3): 2、登录"},
		{"wide dot", "- [ ] a\n- [ ] b\n- [ ] 2．Foo\n", "2", "", "*3 (line 3): 2．Foo"},
		{"wide bracket", "- [ ] a\n- [ ] b\n- [ ] 2）Foo\n", "2", "", "*3 (line 3): 2）Foo"},
		{"wide colon", "- [ ] a\n- [ ] b\n- [ ] 2：Foo\n", "2", "", "*3 (line 3): 2：Foo"},
		{"emphasis in brackets", "- [ ] a\n- [ ] b\n- [ ] **(2)** Foo\n", "2", "", "*3 (line 3): **(2)** Foo"},
		{"two levels in brackets", "- [ ] a\n  - [ ] b\n- [ ] (1.1) c\n", "1.1", "", "*2 (line 3): (1.1) c"},
		{"code agrees in brackets", "- [ ] (2) a\n- [ ] (1) b\n- [ ] (3) c\n", "3", "3", ""},
		{"link, no code", "- [ ] a\n- [ ] b\n- [ ] [2](u) c\n", "2", "2", ""},
		{"count in brackets, no code", "- [ ] a\n- [ ] b\n- [ ] (2 eggs) c\n", "2", "2", ""},
		{"decimal, no code", "- [ ] a\n- [ ] b\n- [ ] 2.5 GB\n", "2", "2", ""},
		{"brackets that differ, no code", "- [ ] a\n- [ ] b\n- [ ] (2] c\n", "2", "2", ""},
		{"colon", "- [ ] a\n- [ ] b\n- [ ] 2: c\n", "2", "", "*3 (line 3): 2: c"},
		{"dash", "- [ ] a\n- [ ] b\n- [ ] 2 - c\n", "2", "", "*3 (line 3): 2 - c"},
		{"long dash", "- [ ] a\n- [ ] b\n- [ ] 2 – c\n", "2", "", "*3 (line 3): 2 – c"},
		{"emphasis", "- [ ] a\n- [ ] b\n- [ ] **2.** c\n", "2", "", "*3 (line 3): **2.** c"},
		{"leading nought", "- [ ] a\n- [ ] b\n- [ ] 02. c\n", "2", "", "*3 (line 3): 02. c"},
		{"two levels", "- [ ] a\n  - [ ] b\n- [ ] 1.1 c\n", "1.1", "", "*2 (line 3): 1.1 c"},
		{"two levels and a dot", "- [ ] a\n  - [ ] b\n- [ ] 1.1. c\n", "1.1", "", "*2 (line 3): 1.1. c"},
		{"count, no code", "- [ ] a\n- [ ] b\n- [ ] 2 eggs\n", "2", "2", ""},
		{"time, no code", "- [ ] a\n- [ ] b\n- [ ] 2:30 call\n", "2", "2", ""},
		{"longer number, no code", "- [ ] a\n- [ ] b\n- [ ] 2.1 c\n- [ ] 22. d\n", "2", "2", ""},
		{"nested codes agree", "- [ ] 1. a\n  - [ ] 1.1 b\n  - [ ] 1.2 c\n- [ ] 2. d\n", "1.2", "1.2", ""},
		{"nested codes agree, one part each", "- [ ] 1. a\n  - [ ] 1. b\n  - [ ] 2. c\n- [ ] 2. d\n", "2", "2", ""},
		{"agrees in other writing", "- [ ] 1) a\n- [ ] 2 - b\n- [ ] 2. b\n", "2", "2", ""},
		{"no text is alone", "- [ ] 1. a\n- [ ] 2. b\n- [ ] c\n- [ ] c\n- [ ] 3. d\n", "3", "", "\"3\" could be any of 2 items; say its line as todomd show --numbers has it:\n  3 (line 3): c\n  5 (line 5): 3. d"},
		{"a line with its number", "- [ ] 1. a\n- [ ] 2. b\n- [ ] c\n- [ ] c\n- [ ] 3. d\n", "3 [ ] c", "3", ""},
		{"the way out of a part is clear", "- [ ] 2. ab\n- [ ] 1. ac\n", "a", "", "\"a\" could be any of 2 items; say its whole text:\n  1 (line 1): 2. ab\n  2 (line 2): 1. ac"},

		// What a shown plan has.
		{"id and text", shown, "#x: login", "1", ""},
		{"id and colon", shown, "#x:", "1", ""},
		{"mark and text", shown, "[ ] login", "1", ""},
		{"another mark", shown, "[x] login", "1", ""},
		{"mark, id and text", shown, "[ ] #x: login", "1", ""},
		{"mark and id", shown, "[ ] #x:", "1", ""},
		{"bullet", shown, "- [ ] login", "1", ""},
		{"indent and number", shown, "  3. [ ] #x: login", "1", ""},
		{"optional", shown, "- [ ]* login", "1", ""},
		{"fields", shown, "Write the docs (priority:: high)", "2", ""},
		{"fields of the file", shown, "- [>] Write the docs (priority:: low) (owner:: me)", "2", ""},
		{"label", shown, "[>] Write the docs (Writing the docs)", "2", ""},
		{"cut text", shown, "[>] Write the d…", "2", ""},
		{"white space", shown, "[ ]   #x:  login ", "1", ""},
		{"number column", shown, "1 [ ] #x: login", "1", ""},
		{"number column, of an older plan", shown, "7 [ ] #x: login", "1", ""},
		{"number of equal texts", shown, "4 [x] t", "4", ""},
		{"without a text", shown, "5 [ ]", "5", ""},
		{"box in the text", shown, "[ ] [ ] boxed", "6", ""},
		{"the text as it stands", shown, "[ ] boxed", "6", ""},
		{"the text as it stands wins", "- [ ] login\n- [ ] [ ] login\n", "[ ] login", "2", ""},
		{"equal texts, two marks", shown, "[ ] t", "3", ""},
		{"equal texts, two marks, as the file has one", shown, "- [X] t", "4", ""},
		{"equal texts, a third mark", shown, "[>] t", "", "\"[>] t\" could be any of 2 items; say its number:\n  3 (line 3): t\n  4 (line 4): t"},
		{"equal texts, the number is another's", shown, "1 [ ] t", "", "*say its number"},
		{"equal texts, no mark", shown, "t", "", "*say its number"},
		{"equal texts, no number, two marks", dups, "[ ] dup", "3", ""},
		{"equal texts, no number, two marks, the other", dups, "- [x] dup", "2", ""},
		{"equal texts, no number, one mark", dups + "- [ ] dup\n", "[ ] dup", "", "*an id or a text that only one has"},
		{"equal texts, no number, no mark", dups, "dup", "", "\"dup\" could be any of 2 items; say its line as todomd show has it:\n  (line 2): [x] dup\n  (line 3): [ ] dup"},
		{"equal texts, marks of the file", "<!-- todomd marks=\"-=in_progress\" -->\n\n- [-] t\n- [ ] t\n", "- [-] t", "1", ""},
		{"equal texts, marks as shown", "<!-- todomd marks=\"-=in_progress\" -->\n\n- [-] t\n- [ ] t\n", "[-] t", "", "*say its number"},
		{"id of another text", "- [ ] #x: login\n- [ ] #y: logout\n", "#x: logout", "",
			"no item has both the id and the text of \"#x: logout\"; near it, say its number:\n  1 (line 1): login\n  2 (line 2): logout"},
		{"id of no item", shown, "#z: login", "", "no item has both the id and the text of \"#z: login\"; near it, say its number:\n  1 (line 1): login"},
		{"no item at all", shown, "#z: nothing", "", `no item "#z: nothing"; see the plan with todomd show --numbers`},
		{"whole text before a part", "- [ ] Explain login (priority:: high) here\n- [ ] login\n", "login (priority:: high)", "2", ""},
		{"a part as it stands", "- [ ] why #x: login fails\n", "#x: login", "1", ""},
		{"ids are numbers, id and text", "- [ ] #2: a\n- [ ] #1: b\n", "[ ] #1: b", "2", ""},
		{"a box alone", shown, "[ ]", "6", ""}, // as a part of the only text that has it
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := mustParse(t, test.src).WithActiveForms(map[string]string{"Write the docs": "Writing the docs"})
			it, err := p.Find(test.ref)
			if it.Number != test.want {
				t.Errorf("item %q, want %q", it.Number, test.want)
			}
			if test.want != "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			part, anywhere := strings.CutPrefix(test.err, "*")
			if !errors.Is(err, ErrRef) {
				t.Fatalf("error %v", err)
			}
			if got := err.Error(); got != test.err && !(anywhere && strings.Contains(got, part)) {
				t.Errorf("error %q, want %q", got, test.err)
			}
		})
	}
}

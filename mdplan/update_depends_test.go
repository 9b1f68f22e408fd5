package mdplan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestUpdateDependencies(t *testing.T) {
	first := list{say: `[{"id":"1","content":"a"},{"id":"2","content":"b","depends_on":["1"]}]`,
		file: "# Plan\n\n- [ ] #1: a\n- [ ] #2: b (dependsOn:: 1)\n", tell: "added a; added b"}
	chain := list{say: `["one",{"content":"two","depends_on":["one"]}]`,
		file: "# Plan\n\n- [ ] one\n- [ ] two (dependsOn:: one)\n", tell: "added one; added two"}
	runUpdates(t, []updateCase{
		{"a whole text with commas", "", []any{
			list{say: `["Lint, test and build",{"content":"Ship","depends_on":["Lint, test and build"]}]`,
				file: "# Plan\n\n- [ ] #lint-test-and-build: Lint, test and build\n- [ ] Ship (dependsOn:: lint-test-and-build)\n",
				tell: "added Lint, test and build; added Ship; named Lint, test and build (lint-test-and-build)"},
			list{say: `["Lint, test and build",{"content":"Ship","depends_on":["Lint, test and build"]}]`,
				file: "# Plan\n\n- [ ] #lint-test-and-build: Lint, test and build\n- [ ] Ship (dependsOn:: lint-test-and-build)\n"},
			list{say: `["Lint, test and build",{"content":"Ship","depends_on":[]}]`,
				file: "# Plan\n\n- [ ] #lint-test-and-build: Lint, test and build\n- [ ] Ship\n"}}},
		{"such a text among others, in the content", "", []any{
			list{say: `["a","b, c",{"content":"d (dependsOn:: a, b, c)"}]`,
				file: "# Plan\n\n- [ ] a\n- [ ] #b-c: b, c\n- [ ] d (dependsOn:: a, b-c)\n", tell: "added a; added b, c; added d; named b, c (b-c)"}}},
		{"of somebody else's item", "- [ ] x, y\n", []any{
			list{say: `[{"content":"c","depends_on":["x, y"]}]`, file: "- [ ] #x-y: x, y\n- [ ] c (dependsOn:: x-y)\n", tell: "added c; kept x, y; named x, y (x-y)"}}},
		{"such a text, not in an array", "", []any{
			list{say: `["a","b, c",{"content":"d","depends_on":"a, b, c"}]`,
				file: "# Plan\n\n- [ ] a\n- [ ] #b-c: b, c\n- [ ] d (dependsOn:: a, b-c)\n", tell: "added a; added b, c; added d; named b, c (b-c)"}}},
		{"several in one element", "", []any{
			list{say: `["a","b",{"content":"c","depends_on":["a, b"]}]`,
				file: "# Plan\n\n- [ ] a\n- [ ] b\n- [ ] c (dependsOn:: a, b)\n", tell: "added a; added b; added c"}}},
		{"a text that the file can't hold in a field", "", []any{
			list{say: `["f) (g",{"content":"c","depends_on":["1"]}]`,
				file: "# Plan\n\n- [ ] #f-g: f) (g\n- [ ] c (dependsOn:: f-g)\n", tell: "added f) (g; added c; named f) (g (f-g)"}}},
		{"a text with a hash before it", "- [ ] 5 issue\n", []any{
			list{say: `["#5 issue","#a, b",{"content":"c","depends_on":["#5 issue"]},{"content":"d","depends_on":"#a, b, #5 issue, 5 issue"}]`,
				file: "- [ ] 5 issue\n- [ ] #5-issue: #5 issue\n- [ ] #a-b: #a, b\n- [ ] c (dependsOn:: 5-issue)\n- [ ] d (dependsOn:: a-b, 5-issue, 5 issue)\n",
				tell: "added #5 issue; added #a, b; added c; added d; kept 5 issue; named #5 issue (5-issue); named #a, b (a-b)"},
			list{say: `["#5 issue",{"content":"c","depends_on":["#6 issue"]}]`,
				err: `Item 2: unknown dependency "#6 issue"; name the id, the number or the whole text of an item`}}},
		{"ids with a hash before them", "", []any{
			list{say: `[{"content":"a","id":"x"},{"content":"b","id":"#y"},{"content":"c","depends_on":["#x","##y"]}]`,
				file: "# Plan\n\n- [ ] #x: a\n- [ ] #y: b\n- [ ] c (dependsOn:: x, y)\n", tell: "added a; added b; added c"}}},
		{"a text without a word, one that is a number", "", []any{
			list{say: `["!, ?","3, 4",{"content":"c","depends_on":["1","2"]}]`,
				file: "# Plan\n\n- [ ] #item: !, ?\n- [ ] #3-4: 3, 4\n- [ ] c (dependsOn:: item, 3-4)\n", tell: "added !, ?; added 3, 4; added c; named !, ? (item); named 3, 4 (3-4)"}}},
		{"a text that reads as another's number", "", []any{
			list{say: `["b","1",{"content":"c","depends_on":["2"]}]`,
				file: "# Plan\n\n- [ ] b\n- [ ] #item-1: 1\n- [ ] c (dependsOn:: item-1)\n", tell: "added b; added 1; added c; named 1 (item-1)"}}},
		{"the list's words are no id", "", []any{
			list{say: `["a, b","a-b",{"content":"c","depends_on":["a, b"]}]`,
				file: "# Plan\n\n- [ ] #a-b-2: a, b\n- [ ] a-b\n- [ ] c (dependsOn:: a-b-2)\n", tell: "added a, b; added a-b; added c; named a, b (a-b-2)"}}},
		{"a text that is another's id", "- [ ] #x: y\n", []any{
			list{say: `["x",{"content":"c","depends_on":["1"]}]`,
				file: "- [ ] #x: y\n- [ ] #x-2: x\n- [ ] c (dependsOn:: x-2)\n", tell: "added x; added c; kept y; named x (x-2)"}}},
		{"a text that two items have", "", []any{
			list{say: `["a","a",{"content":"c","depends_on":["a"]}]`,
				err: `Item 3: 2 items have the text "a"; name the id or the number of the one that is meant`},
			list{say: `["a","a",{"content":"c","depends_on":["2"]}]`,
				file: "# Plan\n\n- [ ] a\n- [ ] #a-2: a\n- [ ] c (dependsOn:: a-2)\n", tell: "added a; added a; added c; named a (a-2)"}}},
		{"ids that move on", "", []any{first,
			list{say: `[{"id":"1","content":"zero"},{"id":"2","content":"a"},{"id":"3","content":"b","depends_on":["2"]}]`,
				file: "# Plan\n\n- [ ] #1: zero\n- [ ] #2: a\n- [ ] #3: b (dependsOn:: 2)\n", tell: "added zero"}}},
		{"an id that is another's now", "", []any{first,
			list{say: `[{"id":"1","content":"zero"},{"id":"2","content":"a"},{"id":"3","content":"b","depends_on":["1"]}]`,
				file: "# Plan\n\n- [ ] #1: zero\n- [ ] #2: a\n- [ ] #3: b (dependsOn:: 1)\n", tell: "added zero"}}},
		{"ids that move on beside somebody else's", "- [ ] #1: theirs\n", []any{
			list{say: `[{"id":"1","content":"a"},{"id":"2","content":"b","depends_on":["1"]}]`,
				file: "- [ ] #1: theirs\n- [ ] a\n- [ ] #2: b (dependsOn:: a)\n", tell: "added a; added b; kept theirs; id a (1)"},
			list{say: `[{"id":"2","content":"a"},{"id":"3","content":"b","depends_on":["2"]}]`,
				file: "- [ ] #1: theirs\n- [ ] #2: a\n- [ ] #3: b (dependsOn:: a)\n", tell: "kept theirs"}}},
		{"an id that moves on to what somebody else has", "- [ ] #1: theirs\n", []any{
			list{say: `[{"id":"1","content":"a"},{"id":"2","content":"b","depends_on":["1"]}]`,
				file: "- [ ] #1: theirs\n- [ ] a\n- [ ] #2: b (dependsOn:: a)\n", tell: "added a; added b; kept theirs; id a (1)"},
			list{say: `[{"id":"1","content":"zero"},{"id":"2","content":"a"},{"id":"3","content":"b","depends_on":["1"]}]`,
				file: "- [ ] #1: theirs\n- [ ] zero\n- [ ] #2: a\n- [ ] #3: b (dependsOn:: zero)\n", tell: "added zero; kept theirs; id zero (1)"}}},
		{"a rename carries what others say", "", []any{chain,
			human{"- [ ] two (dependsOn:: one)\n", "- [ ] two (dependsOn:: one)\n- [ ] theirs [dependsOn::two ,one]\n"},
			list{say: `["one b",{"content":"two","depends_on":["one b"]}]`,
				file: "# Plan\n\n- [ ] one b\n- [ ] two (dependsOn:: one b)\n- [ ] theirs [dependsOn::two ,one b]\n", tell: "kept theirs; renamed one b (one)"}}},
		{"a rename to a text that others have", "- [ ] theirs\n", []any{
			list{say: `["their",{"content":"two","depends_on":["their"]}]`,
				file: "- [ ] theirs\n- [ ] their\n- [ ] two (dependsOn:: their)\n", tell: "added their; added two; kept theirs"},
			list{say: `[{"content":"theirs","status":"pending"},"their",{"content":"two","depends_on":["their"]}]`,
				file: "- [ ] theirs\n- [ ] their\n- [ ] two (dependsOn:: their)\n"}}},
		{"a changed id carries what others say", "", []any{first,
			human{"(dependsOn:: 1)\n", "(dependsOn:: 1)\n- [ ] theirs (dependsOn:: #1, 2)\n"},
			list{say: `[{"id":"x","content":"a"},{"id":"2","content":"b","depends_on":["x"]}]`,
				file: "# Plan\n\n- [ ] #x: a\n- [ ] #2: b (dependsOn:: x)\n- [ ] theirs (dependsOn:: #x, 2)\n", tell: "kept theirs"}}},
		{"a number in the file, and an item added above", "- [ ] a\n- [ ] b (dependsOn:: 1)\n", []any{
			list{say: "[ ] zero\n[ ] a\n[ ] b", file: "- [ ] zero\n- [ ] a\n- [ ] b (dependsOn:: a)\n", tell: "added zero"}}},
		{"a number in the file, and an id that is one", "- [ ] a\n- [ ] b (dependsOn:: 1)\n", []any{
			list{say: `["a","b",{"id":"1","content":"c"}]`, file: "- [ ] a\n- [ ] b (dependsOn:: a)\n- [ ] #1: c\n", tell: "added c"}}},
		{"a text in the file, and the same once more", "- [ ] a\n- [ ] b (dependsOn:: a)\n", []any{
			list{say: `["a","a","b"]`, file: "- [ ] #a-2: a\n- [ ] a\n- [ ] b (dependsOn:: a-2)\n", tell: "added a; named a (a-2)"}}},
		{"left out, and something depends on it", "", []any{chain,
			list{say: `["two"]`, file: "# Plan\n\n- [ ] one\n- [ ] two (dependsOn:: one)\n", tell: "needed one (two)"},
			list{say: `[{"content":"two","depends_on":["one"]}]`, file: "# Plan\n\n- [ ] one\n- [ ] two (dependsOn:: one)\n", tell: "needed one (two)"},
			list{say: `[{"content":"two","depends_on":[]}]`, file: "# Plan\n\n- [ ] two\n", tell: "removed one"}}},
		{"left out, and something that the list renames depends on it", "", []any{
			list{say: `["one","x",{"content":"Ship it","depends_on":["one"]}]`, file: "# Plan\n\n- [ ] one\n- [ ] x\n- [ ] Ship it (dependsOn:: one)\n", tell: "added one; added x; added Ship it"},
			list{say: `["x","Ship it now"]`, file: "# Plan\n\n- [ ] one\n- [ ] x\n- [ ] Ship it now (dependsOn:: one)\n", tell: "needed one (Ship it now); renamed Ship it now (Ship it)"}}},
		{"an unknown one where the list's ids are numbers", "- [ ] a\n", []any{
			list{say: `[{"id":"2","content":"b","depends_on":["5"]}]`, err: `Item 1: unknown dependency "5"; name the id or the whole text of an item`}}},
		{"left out, and something new depends on it", "", []any{
			list{say: `["one"]`, file: "# Plan\n\n- [ ] one\n", tell: "added one"},
			list{say: `[{"content":"two","depends_on":["one"]}]`, file: "# Plan\n\n- [ ] one\n- [ ] two (dependsOn:: one)\n", tell: "added two; needed one (two)"}}},
		{"left out with what depends on it", "", []any{chain,
			list{say: `["three"]`, file: "# Plan\n\n- [ ] three\n", tell: "added three; removed one; removed two"}}},
		{"left out, and somebody else's depends on it", "", []any{chain,
			human{"two (dependsOn:: one)\n", "two (dependsOn:: one)\n- [ ] theirs (dependsOn:: two)\n"},
			list{say: `["three"]`, file: "# Plan\n\n- [ ] one\n- [ ] two (dependsOn:: one)\n- [ ] theirs (dependsOn:: two)\n- [ ] three\n",
				tell: "added three; needed two (theirs); needed one (two); kept theirs"}}},
		{"left out, replaced", "- [ ] #x: one\n- [ ] y\n- [ ] two (dependsOn:: x)\n", []any{
			list{say: `["two"]`, with: UpdateOptions{Replace: true}, file: "- [ ] #x: one\n- [ ] two (dependsOn:: x)\n", tell: "removed y; needed one (two)"}}},
		{"a sub-item left out, and something depends on it", "", []any{
			list{say: `[{"content":"a","items":["s","t"]},{"content":"b","depends_on":["s"]}]`,
				file: "# Plan\n\n- [ ] a\n  - [ ] s\n  - [ ] t\n- [ ] b (dependsOn:: s)\n", tell: "added a; added b; added s; added t"},
			list{say: `["b"]`, file: "# Plan\n\n- [ ] a\n  - [ ] s\n- [ ] b (dependsOn:: s)\n", tell: "removed t; needed s (b); kept a"}}},
		{"a finished plan that a new item depends on", "- [x] a\n", []any{
			list{say: `[{"content":"b","depends_on":["a"]}]`, with: UpdateOptions{Retire: true}, file: "- [x] a\n- [ ] b (dependsOn:: a)\n", tell: "added b"}}},
		{"renamed by somebody else, and left out", "", []any{chain,
			human{"", "# Plan\n\n- [ ] #o: one\n- [ ] two (dependsOn:: o)\n"},
			list{say: `["one"]`, file: "# Plan\n\n- [ ] #o: one\n", tell: "removed two"}}},
		{"on what somebody deleted, until that is back", "", []any{
			list{say: `["a","b"]`, file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a\n", ""},
			list{say: `["a","b",{"content":"e","depends_on":["a"]}]`, file: "# Plan\n\n- [ ] b\n- [ ] e\n", tell: "added e; deleted a; unmet e (a)"},
			list{say: `["a","b",{"content":"e","depends_on":["a"]}]`, file: "# Plan\n\n- [ ] b\n- [ ] e\n", tell: "deleted a (before)"},
			list{say: `["a","b",{"content":"e","depends_on":["a","b"]}]`, file: "# Plan\n\n- [ ] b\n- [ ] e (dependsOn:: b)\n", tell: "deleted a (before)"},
			list{say: `["a","b","e"]`, file: "# Plan\n\n- [ ] b\n- [ ] e (dependsOn:: b)\n", tell: "deleted a (before)"},
			human{"- [ ] e", "- [ ] a\n- [ ] e"},
			list{say: `["a","b","e"]`, file: "# Plan\n\n- [ ] b\n- [ ] a\n- [ ] e (dependsOn:: b)\n"},
			list{say: `["a","b",{"content":"e","depends_on":["a","b"]}]`, file: "# Plan\n\n- [ ] b\n- [ ] a\n- [ ] e (dependsOn:: a, b)\n"},
			human{"(dependsOn:: a, b)", "(dependsOn:: b)"},
			list{say: `["a","b",{"content":"e","depends_on":["a","b"]}]`, file: "# Plan\n\n- [ ] b\n- [ ] a\n- [ ] e (dependsOn:: b)\n"}}},
		{"on what somebody deleted, and somebody changes the rest", "", []any{
			list{say: `["a","b"]`, file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a\n", ""},
			list{say: `["a","b",{"content":"e","depends_on":["a"]}]`, file: "# Plan\n\n- [ ] b\n- [ ] e\n", tell: "added e; deleted a; unmet e (a)"},
			human{"- [ ] e\n", "- [ ] a\n- [ ] e (dependsOn:: b)\n"},
			list{say: `["a","b",{"content":"e","depends_on":["a"]}]`, file: "# Plan\n\n- [ ] b\n- [ ] a\n- [ ] e (dependsOn:: b)\n", tell: `merged e (depends_on "a")`},
			list{say: `["a","b",{"content":"e","depends_on":["a"]}]`, file: "# Plan\n\n- [ ] b\n- [ ] a\n- [ ] e (dependsOn:: a)\n"}}},
		{"on what somebody deleted, in a mirrored list", "", []any{
			list{say: `["a","b"]`, file: "# Plan\n\n- [ ] a\n- [ ] b\n", tell: "added a; added b"},
			human{"- [ ] a\n", ""},
			list{say: `["a","b",{"content":"e","depends_on":["a"]}]`, with: UpdateOptions{Mirrored: true}, file: "# Plan\n\n- [ ] b\n- [ ] e\n", tell: "added e; deleted a; unmet e (a)"},
			human{"- [ ] e\n", "- [ ] a\n- [ ] e (dependsOn:: b)\n"},
			list{say: `["a","b",{"content":"e","depends_on":["a"]}]`, with: UpdateOptions{Mirrored: true}, file: "# Plan\n\n- [ ] b\n- [ ] a\n- [ ] e (dependsOn:: b)\n", tell: `merged e (depends_on "a")`},
			list{say: `["a","b",{"content":"e","depends_on":["a"]}]`, with: UpdateOptions{Mirrored: true}, file: "# Plan\n\n- [ ] b\n- [ ] a\n- [ ] e (dependsOn:: b)\n"}}},
		{"a cycle of which the list has a part", "", []any{first,
			list{say: `[{"id":"1","content":"b"},{"id":"2","content":"a","depends_on":["1"]}]`,
				err: `Dependency cycle: 1 -> 2 -> 1; take one of these dependencies out; only the file has 1 -> 2: "depends_on":[] on item 1 takes it out`},
			list{say: `[{"id":"1","content":"b","depends_on":[]},{"id":"2","content":"a","depends_on":["1"]}]`,
				file: "# Plan\n\n- [ ] #1: b\n- [ ] #2: a (dependsOn:: 1)\n"}}},
		{"a cycle of which the list has a part, beside others", "- [ ] z\n", []any{
			list{say: `["a",{"content":"b","depends_on":["a","z"]}]`, file: "- [ ] z\n- [ ] a\n- [ ] b (dependsOn:: a, z)\n", tell: "added a; added b; kept z"},
			list{say: `[{"content":"a","depends_on":["b"]},"b"]`,
				err: `Dependency cycle: 1 -> 2 -> 1; take one of these dependencies out; only the file has 2 -> 1: "depends_on" without it on item 2 takes it out`},
			list{say: `[{"content":"a","depends_on":["b"]},{"content":"b","depends_on":["z"]}]`,
				file: "- [ ] z\n- [ ] a (dependsOn:: b)\n- [ ] b (dependsOn:: z)\n", tell: "kept z"}}},
		{"a cycle along what only the file has", "- [ ] a\n- [ ] z (dependsOn:: a)\n", []any{
			list{say: `[{"content":"a","depends_on":["z"]}]`,
				err: `Dependency cycle: 1 -> "z" -> 1; take one of these dependencies out; only the file has "z" -> 1: todomd edit ("TEXT (dependsOn::)") takes it out`}}},
		{"to start what waits for what somebody renamed", "", []any{chain,
			human{"", "# Plan\n\n- [ ] Compile\n- [ ] two (dependsOn:: Compile)\n"},
			list{say: `[{"content":"one","status":"completed"},{"content":"two","status":"in_progress","depends_on":["one"]}]`,
				err: `Item 2 waits for item 1 "one", which is "Compile" in the file now; finish that one first`}}},
		{"to start what waits for what somebody reworded", "", []any{chain,
			human{"", "# Plan\n\n- [ ] one b\n- [ ] two (dependsOn:: one b)\n"},
			list{say: `["one",{"content":"two","status":"in_progress"}]`,
				err: `Item 2 waits for item 1 "one", which is "one b" in the file now; finish that one first`}}},
		{"itself", "", []any{list{say: `["a",{"content":"b","depends_on":["b"]}]`,
			err: "Dependency cycle: 2 -> 2; take one of these dependencies out"}}},
		{"itself, and another problem", "", []any{list{say: `["",{"content":"b","depends_on":["b","x","x"]}]`,
			err: "Item 1: content required\n" + `Item 2: unknown dependency "x"; name the id, the number or the whole text of an item` +
				"\nDependency cycle: 2 -> 2; take one of these dependencies out"}}},
		{"to reopen what a started item depends on", "- [x] a\n- [>] b (dependsOn:: a)\n", []any{
			list{say: `["a","b"]`, file: "- [x] a\n- [>] b (dependsOn:: a)\n"},
			list{say: "[!] a\n[>] b", file: "- [!] a\n- [>] b (dependsOn:: a)\n"}}},
	})
}

// TestDependenciesMean passes lists with dependencies by id, number and text,
// over plans that somebody else has a hand in: what each item depends on in the
// file is the item that the list meant.
func TestDependenciesMean(t *testing.T) {
	words := []string{"a", "b", "c, d", "1", "2", "e)", "x-y", "x, y", "b", "#z", "z", "#7, y", "f (g:: h)", "日本、語, x"}
	rounds := 3000
	if fewer() {
		rounds = 300
	}
	refused := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var file strings.Builder
		for range r.IntN(4) {
			file.WriteString("- [ ] " + []string{"", "#1: ", "#x-y: ", "#k: "}[r.IntN(4)] + words[r.IntN(len(words))] +
				[]string{"", " (dependsOn:: 1)", " (dependsOn:: k)", " (dependsOn:: b, a)"}[r.IntN(4)] + "\n")
		}
		p := mustParse(t, file.String())
		var base *Base
		history := fmt.Sprintf("%q", file.String())
		merged := map[string]bool{} // the file's dependencies stay
		for range 4 {
			l, means := meaningfulList(r, words)
			u, err := p.Update(noLimits("agent"), l, UpdateOptions{Base: base, Replace: r.IntN(8) == 0})
			history += fmt.Sprintf("\n%+v\n%v", l.Items, err)
			if err != nil {
				if !typed(err) {
					t.Fatal(err)
				}
				refused++
				continue
			}
			history += fmt.Sprintf("\n%q %s", u.Plan.src, told(u.Outcomes))
			checkMeans(t, p, u, l, means, merged, history)
			p, base = u.Plan, &u.Base
		}
	}
	t.Logf("%d lists, %d refused", 4*rounds, refused)
	if refused > rounds {
		t.Error("too many lists were refused")
	}
}

// meaningfulList returns a list without cycles, and for each item the places of
// those that it depends on.
func meaningfulList(r *rand.Rand, words []string) (List, [][]int) {
	var l List
	n := 1 + r.IntN(5)
	means := make([][]int, n)
	ids, texts := r.IntN(3), map[string]int{}
	for i, w := range r.Perm(len(words))[:n] {
		it := ListItem{Content: words[w]}
		texts[pairKey(it.Content)]++
		if ids == 0 || ids == 1 && r.IntN(2) == 0 {
			it.ID = new(fmt.Sprint([]string{"", "i"}[ids], i+1))
		}
		l.Items = append(l.Items, it)
	}
	byID := map[string]bool{}
	for _, it := range l.Items {
		if it.ID != nil {
			byID[*it.ID] = true
		}
	}
	for i := range l.Items {
		l.Items[i].DependsOn = []string{}
		for j := range i {
			if r.IntN(3) > 0 {
				continue
			}
			it := &l.Items[j]
			ref := fmt.Sprint(j + 1)
			switch {
			case it.ID != nil && r.IntN(2) == 0:
				ref = *it.ID
			case ids != 0 && r.IntN(2) == 0:
			case texts[it.Content] == 1 && !byID[it.Content] && !bareNumber(it.Content):
				ref = it.Content
			case ids == 0:
				ref = *it.ID
			}
			l.Items[i].DependsOn = append(l.Items[i].DependsOn, ref)
			means[i] = append(means[i], j)
		}
	}
	return l, means
}

// checkMeans compares what the items of a list depend on with what it meant,
// where the merge has not left another's dependencies in place.
func checkMeans(t *testing.T, p *Plan, u Update, l List, means [][]int, merged map[string]bool, history string) {
	t.Helper()
	for _, o := range u.Outcomes {
		if o.Kind == OutcomeMerged || o.Kind == OutcomeDeleted {
			merged[o.Content] = true
		}
	}
	q := u.Plan
	d := q.depend()
	at := func(i int) *node {
		b := u.Base.Items[i]
		if b.Gone {
			return nil
		}
		return q.nodes[b.At]
	}
	for i := range l.Items {
		n := at(i)
		if n == nil || merged[l.Items[i].Content] || merged[n.content] {
			continue
		}
		if len(means[i]) == 0 {
			continue // an item that the base has not keeps the file's
		}
		var want []*node
		for _, j := range means[i] {
			if m := at(j); m != nil {
				want = append(want, m)
			}
		}
		if len(want) < len(means[i]) {
			continue
		}
		var got []*node
		for _, ref := range n.dependsOn() {
			got = append(got, d.resolve(ref))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("item %d depends on %q, the list means places %v\n%s", i+1, n.dependsOn(), means[i], history)
		}
	}
	// What others depend on is what it was.
	old := p.depend()
	moved := pairPlans(p, q)
	for _, n := range p.nodes {
		j := moved.to[n.index]
		if j < 0 || isListed(u.Base, j) || old.texts(pairKey(n.content)) > 1 {
			continue // of equal texts nobody knows which is which
		}
		for k, ref := range n.dependsOn() {
			m := old.resolve(ref)
			if m == nil || moved.to[m.index] < 0 || m.id != "" && d.byID[m.id] != q.nodes[moved.to[m.index]] {
				continue // what has another's id has no name
			}
			if now := q.nodes[j].dependsOn(); k >= len(now) || d.resolve(now[k]) == nil {
				t.Fatalf("%q depended on %q, and now on %q\n%s", n.content, ref, now, history)
			}
		}
	}
}

func isListed(b Base, at int) bool {
	for _, it := range b.Items {
		if !it.Gone && it.At == at {
			return true
		}
	}
	return false
}

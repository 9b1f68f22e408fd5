package mdplan

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestCommandsKeepDependencies(t *testing.T) {
	add := func(text string, at Place) func(*Plan) (Change, error) {
		return func(p *Plan) (Change, error) { return p.Add(tester, text, at) }
	}
	edit := func(ref, text string) func(*Plan) (Change, error) {
		return func(p *Plan) (Change, error) { return p.Edit(tester, ref, text) }
	}
	remove := func(refs ...string) func(*Plan) (Change, error) {
		return func(p *Plan) (Change, error) {
			c, err := p.RemoveAll(tester, refs)
			return Change{Plan: c.Plan, Ready: c.Ready}, err
		}
	}
	status := func(ref string, s Status) func(*Plan) (Change, error) {
		return func(p *Plan) (Change, error) { return p.SetStatus(tester, ref, s) }
	}
	for _, tt := range []struct {
		name, src string
		do        func(*Plan) (Change, error)
		want      string // "" and err: the refusal
		err       string
	}{
		{"add by number", "- [ ] a\n- [ ] #x: b\n", add("c (dependsOn:: 2, 1)", Place{}), "- [ ] a\n- [ ] #x: b\n- [ ] c (dependsOn:: x, a)\n", ""},
		{"add by the number of what can't be named", "- [ ] a, b\n", add("c (dependsOn:: 1)", Place{}), "- [ ] #a-b: a, b\n- [ ] c (dependsOn:: a-b)\n", ""},
		{"add by the number of what has no text", "- [ ]\n", add("c (dependsOn:: 1)", Place{}), "- [ ] #item:\n- [ ] c (dependsOn:: item)\n", ""},
		{"add by a whole text with commas", "- [ ] a, b\n- [ ] a\n", add("c (dependsOn:: a, b, a)", Place{}), "- [ ] #a-b: a, b\n- [ ] a\n- [ ] c (dependsOn:: a-b, a)\n", ""},
		{"add above what is named by number", "- [ ] a\n- [ ] b (dependsOn:: 1)\n- [ ] c\n- [ ] d [dependsOn:: #3 ,1]\n", add("z", Place{After: "b"}),
			"- [ ] a\n- [ ] b (dependsOn:: 1)\n- [ ] z\n- [ ] c\n- [ ] d [dependsOn:: #c ,1]\n", ""},
		{"add what makes a text mean two", "- [ ] a\n- [ ] b (dependsOn:: a)\n", add("a", Place{}), "- [ ] #a-2: a\n- [ ] b (dependsOn:: a-2)\n- [ ] a\n", ""},
		{"add an id that was a text", "- [ ] #k: a\n- [ ] b (dependsOn:: a)\n", add("#a: z", Place{}), "- [ ] #k: a\n- [ ] b (dependsOn:: k)\n- [ ] #a: z\n", ""},
		{"add what depends on itself", "- [ ] a\n", add("c (dependsOn:: c)", Place{}), "", "Dependency cycle: 2 -> 2; take one of these dependencies out"},
		{"add by a text that two have", "- [ ] a\n- [ ] a\n", add("c (dependsOn:: a)", Place{}), "", `Item 3: 2 items have the text "a"; name the id or the number of the one that is meant`},
		{"add an unknown one, twice", "", add("c (dependsOn:: x, x)", Place{}), "", `Item 1: unknown dependency "x"; name the id, the number or the whole text of an item`},
		{"add an unknown one where ids are numbers", "- [ ] #7: a\n", add("c (dependsOn:: 1)", Place{}), "", `Item 2: unknown dependency "1"; name the id or the whole text of an item`},
		{"add by a text that two have where ids are numbers", "- [ ] #7: a\n- [ ] a\n", add("c (dependsOn:: a)", Place{}), "",
			`Item 3: 2 items have the text "a"; name the id of the one that is meant`},
		{"add an id that another has", "- [ ] #k: a\n", add("#k: c", Place{}), "", `Item 2: duplicate id "k" (also item 1); give one of them another id or none`},
		{"add by a text with a hash before it", "- [ ] #5 issue\n- [ ] 5 issue\n", add("c (dependsOn:: #5 issue, #2)", Place{}), "- [ ] #5-issue: #5 issue\n- [ ] 5 issue\n- [ ] c (dependsOn:: 5-issue, 5 issue)\n", ""},
		{"add by what has another's id and text", "- [ ] #a: a\n- [ ] #a: a\n", add("c (dependsOn:: 2)", Place{}), "",
			`Item 3: the file can't name item 2 "a", since its id and its text are another item's too; give it an id of its own`},
		{"edit by number", "- [ ] a\n- [ ] b\n", edit("b", "b (dependsOn:: 1)"), "- [ ] a\n- [ ] b (dependsOn:: a)\n", ""},
		{"edit what was a number already", "- [ ] a\n- [ ] b (dependsOn:: 1)\n", edit("b", "c"), "- [ ] a\n- [ ] c (dependsOn:: 1)\n", ""},
		{"edit to itself", "- [ ] a\n- [ ] b\n", edit("b", "b (dependsOn:: b)"), "", "Dependency cycle: 2 -> 2; take one of these dependencies out"},
		{"edit to itself by its new text", "- [ ] a\n- [ ] b\n", edit("b", "c (dependsOn:: c)"), "", "Dependency cycle: 2 -> 2; take one of these dependencies out"},
		{"edit a text that is named", "- [ ] one\r\n- [ ] two  [dependsOn::  x,one ] \r\n  one\r\n", edit("1", "uno"), "- [ ] uno\r\n- [ ] two  [dependsOn::  x,uno ] \r\n  one\r\n", ""},
		{"edit an id that is named", "- [ ] #a: one\n- [ ] two (dependsOn:: #a) (priority:: low)\n", edit("1", "#b: one"), "- [ ] #b: one\n- [ ] two (dependsOn:: #b) (priority:: low)\n", ""},
		{"edit to a text that another has", "- [ ] one\n- [ ] two (dependsOn:: one)\n- [ ] uno\n", edit("1", "uno"), "- [ ] #uno-2: uno\n- [ ] two (dependsOn:: uno-2)\n- [ ] uno\n", ""},
		{"edit to a text with commas", "- [ ] one\n- [ ] two (dependsOn:: one)\n", edit("1", "one, two"), "- [ ] #one-two: one, two\n- [ ] two (dependsOn:: one-two)\n", ""},
		{"edit both ends", "- [ ] one\n- [ ] two (dependsOn:: one)\n", edit("2", "uno (dependsOn:: 1)"), "- [ ] one\n- [ ] uno (dependsOn:: one)\n", ""},
		{"edit a dependency out", "- [ ] one\n- [ ] two (priority:: low) (dependsOn:: one)\n", edit("2", "two (dependsOn::)"), "- [ ] one\n- [ ] two (priority:: low)\n", ""},
		{"edit fields out", "- [ ] two (priority:: low) (owner:: x) (doneWhen:: y)\n", edit("1", "two (owner:: ) (priority::) (doneWhen::)"), "- [ ] two\n", ""},
		{"remove what another depends on", "- [ ] one\n- [ ] two (dependsOn:: one)\n", remove("one"), "",
			`Item 2 "two" depends on item 1 "one"; remove them in one call, take the dependency out with edit ("TEXT (dependsOn::)"), or cancel item 1 instead`},
		{"remove what is closed and another depends on", "- [x] one\n- [-] uno\n- [ ] two (dependsOn:: one, uno)\n", remove("one", "uno"), "",
			`Item 3 "two" depends on item 1 "one"; remove them in one call or take the dependency out with edit ("TEXT (dependsOn::)")` + "\n" +
				`Item 3 "two" depends on item 2 "uno"; remove them in one call or take the dependency out with edit ("TEXT (dependsOn::)")`},
		{"remove what several depend on, below another", "- [ ] top\n  - [ ] one\n- [ ] two (dependsOn:: one)\n- [x] three (dependsOn:: 1.1)\n", remove("top"), "",
			`Item 2 "two", item 3 "three" depend on item 1.1 "one"; remove them in one call, take the dependency out with edit ("TEXT (dependsOn::)"), or cancel item 1.1 instead`},
		{"remove both", "- [ ] one\n- [ ] two (dependsOn:: one)\n- [ ] three\n", remove("one", "two"), "- [ ] three\n", ""},
		{"remove what depends on what holds it", "- [ ] a\n  - [ ] b (dependsOn:: a)\n- [ ] c\n", remove("a"), "- [ ] c\n", ""},
		{"remove above what is named by number", "- [ ] a\n- [ ] b\n- [ ] c (dependsOn:: 2)\n", remove("a"), "- [ ] b\n- [ ] c (dependsOn:: b)\n", ""},
		{"remove what an unknown dependency could have meant", "- [ ] a\n- [ ] a\n- [ ] c (dependsOn:: a, x)\n", remove("2"), "- [ ] a\n- [ ] c (dependsOn:: a, x)\n", ""},
		{"cancel what another depends on", "- [ ] one\n- [ ] two (dependsOn:: one)\n", status("one", Cancelled), "- [-] one\n- [ ] two (dependsOn:: one)\n", ""},
		{"reopen what a started item depends on", "- [x] one\n- [>] two (dependsOn:: one)\n", status("one", Pending), "- [ ] one\n- [>] two (dependsOn:: one)\n", ""},
		{"block what a started item depends on", "- [x] one\n- [>] two (dependsOn:: one)\n", status("one", Blocked), "- [!] one\n- [>] two (dependsOn:: one)\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := mustParse(t, tt.src)
			c, err := tt.do(p)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err || !errors.Is(err, ErrRule) {
					t.Fatalf("error\n%v\nwant\n%s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := string(c.Plan.src); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if len(c.Ready) > 0 && !strings.HasPrefix(tt.name, "cancel") && !strings.HasSuffix(tt.name, "out") {
				t.Errorf("ready: %s", contents(c.Ready))
			}
		})
	}
}

func TestStartSeveralOnce(t *testing.T) {
	p := mustParse(t, "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] d (dependsOn:: a)\n")
	want := `Item 4 waits for item 1 "a"; finish that one first` + "\n" +
		`Only one plan item can be in_progress: item 1 "a", item 2 "b", item 3 "c"; set all but one to pending, blocked or completed`
	if _, err := p.SetStatusAll(agent, []string{"a", "b", "c", "d", "4"}, InProgress); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	c, err := p.SetStatusAll(Caller{Author: Author{Name: HumanName}}, []string{"a", "b", "c"}, InProgress)
	if err != nil || !slices.Equal(c.Warnings, []string{"3 items are in progress now"}) {
		t.Errorf("warnings %q, %v", c.Warnings, err)
	}
}

func TestSplitRefs(t *testing.T) {
	names := func(ref string) bool { return ref == "a, b" || ref == "c，d，e" }
	for list, want := range map[string]string{
		"": "", " , #, ,": "", "x": "x", "#x , y": "x|y", "a, b": "a, b", "a,b": "a|b", "x, a, b, y": "x|a, b|y",
		"a, b, c，d，e": "a, b|c，d，e", "#a, b": "a, b", "# x，y": " x|y",
	} {
		if got := strings.Join(splitRefs(list, names), "|"); got != want {
			t.Errorf("%q: got %q, want %q", list, got, want)
		}
		if got, want := splitRefs(list, func(string) bool { return false }), splitIDs(list); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, splitIDs %q", list, got, want)
		}
	}
	// A hostile list takes no longer than its length.
	long := strings.Repeat("x,", MaxSize/2)
	if got := len(splitRefs(long, names)); got != MaxSize/2 {
		t.Errorf("%d references", got)
	}
}

func TestNewID(t *testing.T) {
	p := mustParse(t, "- [ ] taken\n- [ ] #used: x (dependsOn:: named)\n")
	r := &namer{d: p.depend(), taken: map[string]bool{"said": true}, last: map[string]int{}}
	for _, tt := range []struct{ text, want string }{
		{"Lint, test and build", "lint-test-and-build"}, {"Lint, test and build", "lint-test-and-build-2"}, {"Lint, test and build", "lint-test-and-build-3"},
		{"one two three four five six seven", "one-two-three-four-five"}, {strings.Repeat("ä", 70), strings.Repeat("ä", maxGivenID)},
		{"Taken", "taken-2"}, {"used!", "used-2"}, {"named", "named-2"}, {"said", "said-2"},
		{"", "item"}, {"!?", "item-2"}, {"12", "item-12"}, {"1.2", "1-2"}, {"日本、語", "日本-語"}, {"a\xffb", "a-b"},
	} {
		got := r.newID(tt.text)
		if got != tt.want || !validID(got) {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
	ids := map[string]bool{}
	for i := range 5000 {
		id := r.newID("same")
		if ids[id] {
			t.Fatalf("%d: %q again", i, id)
		}
		ids[id] = true
	}
	if len(ids) != 5000 {
		t.Error(fmt.Sprint(len(ids)))
	}
}

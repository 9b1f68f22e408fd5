package mdplan

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func numbers(nodes []*node) string {
	var all []string
	for _, n := range nodes {
		all = append(all, n.number())
	}
	return strings.Join(all, " ")
}

func TestReady(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"none depends", "- [ ] a\n- [>] b\n- [x] c\n- [!] d\n- [-] e\n- [ ] f\n", "1 6"},
		{"by id", "- [ ] #a: A\n- [ ] B (dependsOn:: a)\n- [ ] C (dependsOn:: #a)\n", "1"},
		{"closed, either way", "- [x] #a: A\n- [-] #b: B\n- [ ] C (dependsOn:: a, b)\n", "3"},
		{"one of two closed", "- [x] #a: A\n- [!] #b: B\n- [ ] C (dependsOn:: a, b)\n", ""},
		{"by number", "- [x] A\n  - [ ] a\n- [ ] B (dependsOn:: 1)\n- [ ] C (dependsOn:: 1.1)\n", "1.1 2"},
		{"by text", "- [ ] write  the tests\n- [ ] B (dependsOn:: write the tests)\n", "1"},
		{"an id before a number", "- [ ] #x: A\n- [ ] B (dependsOn:: 1)\n- [x] #1: C\n", "1 2"},
		{"an id before a text", "- [ ] b\n- [x] #b: B\n- [ ] C (dependsOn:: b)\n", "1 3"},
		{"unknown keeps nothing back", "- [ ] A (dependsOn:: nothing)\n", "1"},
		{"itself", "- [ ] A (dependsOn:: 1)\n", "1"},
		{"its own parent", "- [ ] A\n  - [ ] a (dependsOn:: 1)\n", "1 1.1"},
		{"its own sub-item", "- [ ] A (dependsOn:: 1.1)\n  - [ ] a\n  - [ ] b\n", "1.1 1.2"},
		{"what its parent waits for", "- [ ] A\n- [ ] B (dependsOn:: 1)\n  - [ ] b\n", "1"},
		{"its parent waits for its sibling's child", "- [ ] A (dependsOn:: 1.1.1)\n  - [ ] a\n    - [ ] x\n  - [ ] b\n", "1.1 1.1.1 1.2"},
		{"each for the other", "- [ ] A (dependsOn:: 2)\n- [ ] B (dependsOn:: 1)\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := numbers(planOf(t, tt.src).depend().readyItems()); got != tt.want {
				t.Errorf("%q: ready are %q, want %q", tt.src, got, tt.want)
			}
		})
	}
}

func TestWaitsFor(t *testing.T) {
	p := planOf(t, "- [ ] #a: A\n- [!] #b: B\n- [x] #c: C\n- [ ] D (dependsOn:: c, b, a, 4)\n  - [ ] E (dependsOn:: a, D)\n")
	d := p.depend()
	for number, want := range map[string]string{"1": "", "4": "2 1", "4.1": "1"} {
		if got := numbers(d.waitsFor(p.numbered(number))); got != want {
			t.Errorf("item %s waits for %q, want %q", number, got, want)
		}
	}
}

func TestNumbered(t *testing.T) {
	p := planOf(t, "- [ ] a\n  - [ ] b\n- [ ] c\n")
	for _, n := range p.nodes {
		if got := p.numbered(n.number()); got != n {
			t.Errorf("item %s is not found by its number", n.number())
		}
	}
	for _, number := range []string{"", "0", "3", "1.2", "1.1.1", "1.", ".1", "-1", "x", "99999999999999999999"} {
		if p.numbered(number) != nil {
			t.Errorf("%q is no item's number", number)
		}
	}
}

func TestCycles(t *testing.T) {
	chain := func(n int, last string) string {
		var b strings.Builder
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "- [ ] a (dependsOn:: %d)\n", i+1)
		}
		return b.String() + "- [ ] a" + last + "\n"
	}
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"none", "- [ ] a (dependsOn:: 2, 3)\n- [ ] b (dependsOn:: 3)\n- [ ] c\n", nil},
		{"two apart", "- [ ] a (dependsOn:: 2)\n- [ ] b (dependsOn:: 1)\n- [ ] c (dependsOn:: 4)\n- [ ] d (dependsOn:: 3)\n",
			[]string{"1 -> 2 -> 1", "3 -> 4 -> 3"}},
		{"two that share an item", "- [ ] a (dependsOn:: 2, 3)\n- [ ] b (dependsOn:: 1)\n- [ ] c (dependsOn:: 1)\n",
			[]string{"1 -> 2 -> 1", "1 -> 3 -> 1"}},
		{"entered in its middle", "- [ ] a (dependsOn:: 3)\n- [ ] b (dependsOn:: 3)\n- [ ] c (dependsOn:: 2)\n", []string{"2 -> 3 -> 2"}},
		{"between parent and sub-item", "- [ ] a (dependsOn:: 1.1)\n  - [ ] b (dependsOn:: 1)\n", []string{"1 -> 1.1 -> 1"}},
		{"a long one", chain(15, " (dependsOn:: 1)"), []string{"1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> 10 -> … -> 15 -> 1"}},
		{"a long chain without one", chain(MaxItems, ""), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range planOf(t, tt.src).depend().cycles() {
				got = append(got, cyclePath(c))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

package mdplan

import (
	"errors"
	"strings"
	"testing"
)

const severalPlan = `- [ ] A
- [ ] B
  - [ ] B1
- [ ] C (dependsOn:: A)
- [ ] #d: D (dependsOn:: C)
`

func contents(items []Item) string {
	var all []string
	for _, it := range items {
		all = append(all, it.Number+" "+it.Content)
	}
	return strings.Join(all, ", ")
}

func TestSeveral(t *testing.T) {
	for _, test := range []struct {
		name         string
		op           string
		refs         []string
		items, ready string
		want         string // what of severalPlan becomes what
	}{
		{"statuses", "done", []string{"2", "1"}, "2 B, 1 A", "3 C",
			"- [x] A\n- [x] B\n  - [ ] B1\n- [ ] C (dependsOn:: A)\n- [ ] #d: D (dependsOn:: C)\n"},
		{"what became ready and was done too", "done", []string{"1", "C"}, "1 A, 3 C", "4 D",
			"- [x] A\n- [ ] B\n  - [ ] B1\n- [x] C (dependsOn:: A)\n- [ ] #d: D (dependsOn:: C)\n"},
		{"one item twice", "done", []string{"A", "1"}, "1 A", "3 C",
			"- [x] A\n- [ ] B\n  - [ ] B1\n- [ ] C (dependsOn:: A)\n- [ ] #d: D (dependsOn:: C)\n"},
		{"numbers mean the plan before", "remove", []string{"4", "2", "3"}, "2 B, 3 C, 4 D", "",
			"- [ ] A\n"},
		{"an item inside another", "remove", []string{"2.1", "d", "2"}, "2 B, 4 D", "",
			"- [ ] A\n- [ ] C (dependsOn:: A)\n"},
		{"none", "remove", nil, "", "", severalPlan},
		{"none", "done", nil, "", "", severalPlan},
	} {
		t.Run(test.op+" "+test.name, func(t *testing.T) {
			p, err := Parse([]byte(severalPlan))
			if err != nil {
				t.Fatal(err)
			}
			var c Changes
			if test.op == "done" {
				c, err = p.SetStatusAll(Caller{}, test.refs, Completed)
			} else {
				c, err = p.RemoveAll(Caller{}, test.refs)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := contents(c.Items); got != test.items {
				t.Errorf("items %q, want %q", got, test.items)
			}
			if got := contents(c.Ready); test.op == "done" && got != test.ready {
				t.Errorf("ready %q, want %q", got, test.ready)
			}
			if got := string(c.Plan.Bytes()); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestSeveralRefused(t *testing.T) {
	p, err := Parse([]byte(severalPlan))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		refs  []string
		is    error
		count int
	}{
		{[]string{"1", "x", "99"}, ErrRef, 2},
		{[]string{"1", "2"}, ErrRule, 1}, // one too many in progress
		{[]string{"1", "2", "2.1"}, ErrRule, 1},
		{[]string{"3", "C"}, ErrRule, 1},
		{[]string{"3", "4", "1"}, ErrRule, 2}, // both wait
	} {
		_, err := p.SetStatusAll(Caller{Author: Author{Name: "a"}}, test.refs, InProgress)
		var all Errors
		if !errors.Is(err, test.is) || !errors.As(err, &all) || len(all) != test.count {
			t.Errorf("%q: got %v, want %d errors that are %v", test.refs, err, test.count, test.is)
		}
	}
	if _, err := p.RemoveAll(Caller{}, []string{"1", "x"}); !errors.Is(err, ErrRef) {
		t.Errorf("got %v", err)
	}
}

// What is reopened has not become ready by itself.
func TestReadyIsWhatWaited(t *testing.T) {
	p, err := Parse([]byte("- [x] A\n- [-] B (dependsOn:: A)\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.SetStatus(Caller{}, "B", Pending)
	if err != nil || len(c.Ready) > 0 {
		t.Errorf("ready %q, %v", contents(c.Ready), err)
	}
}

package mdplan

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRepeatedListKeepsDependencies repeats the last list after commands of its
// author and others' edits, of ids, texts and dependencies: a list that says
// what it said before takes no dependency away and changes none.
func TestRepeatedListKeepsDependencies(t *testing.T) {
	words := []string{"Read", "Write it", "Write it down", "Test, then lint", "e)", "日本", "7", "#z", "Ship"}
	// None is a text of the list: that would be another item of it.
	others := []string{"Compile", "Write it up", "Go, now", "8", "#y", "f)"}
	ids := []string{"", "#1: ", "#2: ", "#9: ", "#k: ", "#Ship: ", "#Compile: "}
	rounds := 4000
	if fewer() {
		rounds = 400
	}
	repeated := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 8))
		l, _ := meaningfulList(r, words)
		u, err := mustParse(t, "- [ ] theirs\n").Update(noLimits("agent"), l, UpdateOptions{})
		if err != nil {
			continue
		}
		p, base, mirrored := u.Plan, &u.Base, r.IntN(4) == 0
		lost := false // somebody else changed the plan, or an item was removed
		history := fmt.Sprintf("%+v\n%q", l.Items, p.src)
		for range 8 {
			if len(p.nodes) == 0 {
				break
			}
			n := p.nodes[r.IntN(len(p.nodes))]
			text := others[r.IntN(len(others))]
			if r.IntN(2) == 0 {
				text = n.content
			}
			switch r.IntN(5) {
			case 0:
				text += " (dependsOn:: " + p.nodes[r.IntN(len(p.nodes))].content + ")"
			case 1:
				text += " (dependsOn::)"
			}
			ref := n.number()
			if m, err := p.find(ref); err != nil || m != n {
				ref = n.id
			}
			own := r.IntN(3) > 0
			var c Change
			if what := r.IntN(8); what == 0 {
				c, err = p.Add(noLimits("agent"), ids[r.IntN(len(ids))]+others[r.IntN(len(others))], Place{})
			} else if what == 1 {
				c, err = p.Remove(noLimits("agent"), ref)
			} else {
				c, err = p.Edit(noLimits("agent"), ref, ids[r.IntN(len(ids))]+text)
			}
			if err != nil {
				if !typed(err) {
					t.Fatal(err)
				}
				continue
			}
			lost = lost || !own || len(c.Plan.nodes) < len(p.nodes)
			if own {
				base, _ = base.after(p, c.Plan, mirrored)
			}
			p = c.Plan
			history += fmt.Sprintf("\nown %v: %q", own, p.src)
			if r.IntN(3) > 0 {
				continue
			}
			u, err := p.Update(noLimits("agent"), l, UpdateOptions{Base: base, Mirrored: mirrored})
			if err != nil {
				t.Fatalf("seed %d: the list is refused: %v\n%s", seed, err, history)
			}
			if string(u.Plan.src) != string(p.src) {
				t.Fatalf("seed %d: it made\n%q\n%s\n%s", seed, u.Plan.src, told(u.Outcomes), history)
			}
			if !lost && strings.Contains(told(u.Outcomes), OutcomeDeleted) {
				t.Fatalf("seed %d: told %s\n%s", seed, told(u.Outcomes), history)
			}
			base = &u.Base
			repeated++
		}
	}
	t.Logf("repeated %d times", repeated)
}

package mdplan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOwnListOfEveryPlan passes the list that a plan shows of itself, whatever
// stands in the plan: it is accepted, changes no byte and has nothing to tell.
func TestOwnListOfEveryPlan(t *testing.T) {
	names, err := filepath.Glob("testdata/corpus/*.md")
	if err != nil || len(names) == 0 {
		t.Fatal("no plan files", err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(name), func(t *testing.T) { checkOwnList(t, src) })
	}
	for i, doc := range slices.Concat(hostile, faulty, []string{deepest()}) {
		t.Run(fmt.Sprint("document ", i), func(t *testing.T) { checkOwnList(t, []byte(doc)) })
	}
	rounds := 3000
	if fewer() {
		rounds = 300
	}
	for seed := range rounds {
		src := randomPlan(rand.New(rand.NewPCG(uint64(seed), 3)))
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { checkOwnList(t, src) })
	}
}

// faulty are plans that break the rules, or whose items are no lists' items.
var faulty = []string{
	"- [ ]", "- [ ]\n- [x]\n- [ ] a\n- [>] \n", "- [ ] #a:\n- [ ] #b:\n", "- [ ] #a: x\n- [ ] #a: y\n- [ ] #a: x\n", "- [ ] (id:: p q)\n",
	"- [ ] x (id:: p q)\n- [ ] y (id:: p q)\n", "- [ ] \u00a0\n", "- [ ] \u00a0\n- [ ]\n- [x] \u2003\n- [x]\n", "- [ ] a\u00a0\n- [ ] \u3000a\n- [ ] a\n",
	"- [ ] [x] a\n- [ ] [ ] a\n- [ ] a\n", "- [x] [ ]\n- [ ] [x]\n", "- [ ] #a: #b: x\n- [ ] #b: x\n", "- [ ] #: x\n- [ ] # x\n- [ ] ## [ ] x\n",
	"- [ ] x (id:: #a)\n- [ ] y (dependsOn:: ##a)\n", "- [ ] x (priority:: a) (priority:: b)\n- [ ] y (owner::)\n", "- [ ] (priority:: high)\n- [ ] (owner:: me) x\n",
	"- [ ] a (dependsOn:: nope, nope)\n- [>] b (dependsOn:: a)\n- [ ] c (dependsOn:: d)\n- [ ] d (dependsOn:: c)\n- [ ] e (dependsOn:: e)\n",
	"- [ ] a (dependsOn:: 2)\n- [ ] b (dependsOn:: 1)\n- [>] c (dependsOn:: #1,  2 ,,)\n", "- [ ] #2: a (dependsOn:: 2)\n- [ ] #1: b (dependsOn:: 1)\n",
	"- [>] a\n- [>] a\n- [>] b (owner:: me)\n- [>] c (owner:: me)\n- [>] d\n", "- [ ] a, b\n- [>] c (dependsOn:: a, b)\n", "- [ ] x\n- [ ] y (dependsOn:: X)\n",
	"- [ ] a\n  - [ ]\n    - [x] #a:\n- [ ] #a: a\n", "- [ ] \\x09\n- [ ] \\x41\n- [ ] A\n", "- [ ] ‹b>\n- [ ] <b>\n", "- [ ] \u200b\n- [ ]\n- [ ] \ufeff\n", "- [ ] \xff\n- [ ] \ufffd\n- [ ] #a: \xff (id:: b)\n",
	"- [ ] #" + longID + ": x\n- [ ] x (id:: " + longID + ")\n", "- [ ] #a: x (id:: b)\n", "- [ ] a  [x]\n- [ ] \"a\"\n- [ ] null\n", "- [ ] a\tb\n- [ ] a b\n- [ ] a  b\n", "- [ ] x (doneWhen:: a  b)\n- [ ] y (owner:: a\tb) (priority::  c)\n",
	"- [ ] a (dependsOn:: a，b)\n- [ ] b (dependsOn:: )\n", "- [ ] a (owner:: \u00a0)\n- [ ] b (id:: \u00a0x)\n- [ ] c (dependsOn:: \u00a0)\n", "- [ ] a\n  \u00a0\n- [ ] b\n\n      code\n", "- [ ] a\n  \x0c\n  b\n",
}

// deepest is as deep as a plan may be.
func deepest() string {
	var b strings.Builder
	for i := range MaxDepth {
		b.WriteString(strings.Repeat("  ", i) + "- [ ] a\n")
	}
	return b.String()
}

var longID = string(bytes.Repeat([]byte("i"), maxID+1))

func checkOwnList(t *testing.T, src []byte) {
	t.Helper()
	p, err := Parse(src)
	if err != nil {
		return
	}
	data, err := EncodeJSON(p.View("todo.md", Settings{}))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > MaxListSize {
		return
	}
	l, err := ReadList(data)
	if err != nil {
		t.Fatalf("%q: %v\n%s", src, err, data)
	}
	none := map[string]bool{}
	for _, n := range p.nodes {
		none[pairKey(n.content)] = true
	}
	for _, first := range []UpdateOptions{{}, {Own: none}, {Mirrored: true}, {Retire: true}, {Replace: true}} {
		o := first
		for round := range 3 {
			u, err := p.Update(agent, l, o)
			if err != nil {
				t.Fatalf("%q: %+v, list %d: %v\n%s", src, first, round, err, data)
			}
			if !bytes.Equal(u.Plan.src, src) || len(u.Outcomes) > 0 {
				t.Fatalf("%+v, list %d\nfrom %q\ngot  %q\ntold %s\n%s", first, round, src, u.Plan.src, told(u.Outcomes), data)
			}
			o.Base = &u.Base
		}
	}
}

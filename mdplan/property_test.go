package mdplan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRandomOperations plays random operations on random documents, each of
// which is compared with a model. Its seeds are fixed: it finds the same today
// and tomorrow.
func TestRandomOperations(t *testing.T) {
	rounds := 1000
	if fewer() {
		rounds = 100
	}
	done := map[string]int{}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		src := randomPlan(r)
		ops := make([]byte, 40)
		for i := range ops {
			ops[i] = byte(r.Uint32())
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			p, err := Parse(src)
			if err != nil {
				t.Fatal(err)
			}
			checkSpans(t, p)
			checkShown(t, p)
			o := &operator{t: t, p: p, in: ops, done: done}
			defer func() {
				if t.Failed() {
					t.Logf("document %q\noperations %q", src, ops)
				}
			}()
			for len(o.in) > 0 {
				o.step()
			}
		})
	}
	for _, what := range []string{"add", "remove", "edit", "note", "update"} {
		ok, no := done[what], done[what+" refused"]
		t.Logf("%s: %d done, %d refused", what, ok, no)
		if ok < 3*no {
			t.Errorf("%s: too many of these operations were refused", what)
		}
	}
}

// TestOthersNeverLose lets an agent pass lists, good and bad ones, between the
// edits of somebody else. Nothing that the other wrote may be lost: every text
// of theirs is a word that nobody else uses, so it is enough to look for it.
func TestOthersNeverLose(t *testing.T) {
	rounds := 600
	if fewer() {
		rounds = 100
	}
	lists, refused := 0, 0
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := &sharedPlan{t: t, r: rand.New(rand.NewPCG(uint64(seed), 2)), theirs: map[string]bool{}}
			// A list of todomd's own wins by saying a thing twice; one that
			// renames must therefore be mirrored to lose against the other.
			w.mirrored = w.r.IntN(2) == 0
			w.p = mustParse(t, string(randomPlan(w.r)))
			for _, n := range w.p.nodes {
				w.theirs[n.content] = true
			}
			for range 12 {
				if w.r.IntN(2) == 0 {
					w.other()
				} else {
					w.list()
				}
				w.look()
			}
			lists, refused = lists+w.lists, refused+w.refused
		})
	}
	t.Logf("%d lists, %d refused", lists, refused)
	if lists < 5*refused {
		t.Error("too many lists were refused")
	}
}

type sharedPlan struct {
	t        *testing.T
	r        *rand.Rand
	p        *Plan
	base     *Base
	mirrored bool
	said     List
	words    int
	theirs   map[string]bool // what must be in the file: words, and whole texts
	deleted  []string        // the agent's items that the other deleted
	lists    int
	refused  int
	history  []string
}

func (w *sharedPlan) word(who string) string {
	w.words++
	return fmt.Sprintf("%s%03d", who, w.words)
}

func (w *sharedPlan) log(format string, args ...any) {
	w.history = append(w.history, fmt.Sprintf(format, args...))
}

// look demands that everything of the other is there, and nothing that they
// deleted.
func (w *sharedPlan) look() {
	w.t.Helper()
	src := string(w.p.src)
	for text := range w.theirs {
		if !strings.Contains(src, text) {
			w.t.Fatalf("%q is lost\n%s\n%q", text, strings.Join(w.history, "\n"), src)
		}
	}
	for _, content := range w.deleted {
		if hasContent(w.p, content) {
			w.t.Fatalf("%q is back\n%s\n%q", content, strings.Join(w.history, "\n"), src)
		}
	}
}

func hasContent(p *Plan, content string) bool {
	return slices.ContainsFunc(p.nodes, func(n *node) bool { return n.content == content })
}

// other makes one edit of somebody else's.
func (w *sharedPlan) other() {
	by := noLimits(HumanName)
	var n *node
	ref := ""
	if len(w.p.nodes) > 0 {
		n = w.p.nodes[w.r.IntN(len(w.p.nodes))]
		if ref = numberRef(w.p, n); ref == "no such item" {
			return
		}
	}
	word := w.word("theirs")
	var c Change
	var err error
	op := w.r.IntN(7)
	if n == nil {
		op = 0
	}
	switch op {
	case 0:
		c, err = w.p.Add(by, word, Place{})
	case 1:
		c, err = w.p.Add(by, word, Place{After: ref})
	case 2:
		c, err = w.p.Add(by, word, Place{Under: ref})
	case 3:
		c, err = w.p.Note(by, ref, []string{word, "```\n" + word + "\n```", "- [ ] " + word, "| " + word + " |\n|---|"}[w.r.IntN(4)])
	case 4:
		if strings.Contains(n.content, "theirs") || w.theirs[n.content] {
			return // what they wrote before would be gone by their own hand
		}
		c, err = w.p.Edit(by, ref, n.content+" "+word)
	case 5: // text between the items
		at := n.lineStart
		if w.r.IntN(2) == 0 {
			at = len(w.p.src)
		}
		src := string(w.p.src[:at]) + "\n<!-- " + word + " -->\n\n" + string(w.p.src[at:])
		q, e := Parse([]byte(src))
		if e != nil || len(q.nodes) != len(w.p.nodes) {
			return
		}
		c.Plan = q
	case 6:
		sub := string(w.p.src[n.lineStart:n.end])
		for text := range w.theirs {
			if strings.Contains(sub, text) {
				return
			}
		}
		c, err = w.p.Remove(by, ref)
		if err == nil && w.base != nil {
			for _, m := range w.p.nodes {
				if n.holds(m) && strings.HasPrefix(m.content, "agent") && !hasContent(c.Plan, m.content) {
					w.deleted = append(w.deleted, m.content)
				}
			}
		}
	}
	if err != nil {
		if !typed(err) {
			w.t.Fatal(err)
		}
		return
	}
	if op != 6 {
		w.theirs[word] = true
	}
	w.log("other %d on %q: %q", op, ref, c.Plan.src)
	w.p = c.Plan
}

// list passes a list of the agent: its last one, changed a little.
func (w *sharedPlan) list() {
	items := append([]ListItem(nil), w.said.Items...)
	for range w.r.IntN(4) {
		i := 0
		if len(items) > 0 {
			i = w.r.IntN(len(items))
		}
		switch op := w.r.IntN(9); {
		case op == 0 || len(items) == 0:
			items = append(items[:i:i], append([]ListItem{{Content: w.word("agent")}}, items[i:]...)...)
		case op == 1:
			items = append(items[:i:i], items[i+1:]...)
		case op == 2:
			j := w.r.IntN(len(items))
			items[i], items[j] = items[j], items[i]
		case op == 3:
			items[i].Status = statuses[w.r.IntN(len(statuses))]
		case op == 4 && w.mirrored:
			items[i].Content += " more"
		case op == 5:
			items[i].Notes = w.word("agent-note")
		case op == 6 && i > 0 && items[i-1].Content != items[i].Content:
			up := &items[i-1]
			up.Items = append(append([]ListItem{}, up.Items...), items[i])
			items = append(items[:i:i], items[i+1:]...)
		case op == 7 && len(w.p.nodes) > 0: // it names what it sees
			n := w.p.nodes[w.r.IntN(len(w.p.nodes))]
			items = append(items, ListItem{Content: n.content, Status: n.status})
		case op == 8:
			items = nil
		}
	}
	if w.r.IntN(8) == 0 && len(w.deleted) == 0 {
		w.base = nil // a compaction; then what was deleted is new again
	}
	w.said = List{Items: items}
	w.lists++
	u, err := w.p.Update(noLimits("agent"), w.said, UpdateOptions{Base: w.base, Mirrored: w.mirrored})
	if err != nil {
		w.refused++
		if !typed(err) {
			w.t.Fatal(err)
		}
		return
	}
	w.log("list %v: %s: %q", w.said, told(u.Outcomes), u.Plan.src)
	w.p, w.base = u.Plan, &u.Base
}

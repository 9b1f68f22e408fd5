package mdplan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Whatever lists agents say, and whatever a human saves between them: nothing
// that the human wrote is lost, no status that the human gave is overwritten by
// a list that does not say so, and a list that is said again changes nothing.
func TestNothingOfOthersIsLost(t *testing.T) {
	seeds := 40
	if fewer() {
		seeds = 12
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			d := newDesk(t, "# Work\n\nProse of the human.\n\n- [ ] human 0\n  note 0\n\n## Later\n\n- [x] human 1\n")
			texts := []string{"human 0", "human 1"} // of items that the human wrote
			lines := []string{"Prose of the human.", "  note 0", "# Work", "## Later"}
			closed := map[string]bool{} // what the human has closed
			last := map[string][]string{}
			var script []string
			fail := func(format string, args ...any) {
				t.Helper()
				t.Fatalf("%s\nafter:\n%s\nthe file:\n%s", fmt.Sprintf(format, args...), strings.Join(script, "\n"), d.read())
			}
			for step := range 40 {
				script = append(script, "")
				say := &script[len(script)-1]
				switch r.IntN(10) {
				case 0, 1: // the human adds, anywhere between lines
					text := fmt.Sprintf("human %d", step+2)
					*say = "human adds " + text
					all := strings.SplitAfter(d.read(), "\n")
					at := len(all) - 1
					for _, i := range r.Perm(len(all)) { // in front of an item at the top
						if strings.HasPrefix(all[i], "- [") {
							at = i
							break
						}
					}
					all = slices.Insert(all, at, fmt.Sprintf("- [%c] %s\n  note %d\n", " >!"[r.IntN(3)], text, step))
					d.save(strings.Join(all, ""))
					texts = append(texts, text)
					lines = append(lines, fmt.Sprintf("  note %d", step))
				case 2: // the human rewords an agent's item
					p, err := Parse([]byte(d.read()))
					if err != nil {
						t.Fatal(err)
					}
					n := p.nodes[r.IntN(len(p.nodes))]
					if !strings.HasPrefix(n.content, "agent") || strings.Contains(n.content, "mine") {
						continue
					}
					text := fmt.Sprintf("%s, mine %d", n.content, step)
					*say = "human rewords to " + text
					d.save(strings.Replace(d.read(), "] "+n.content+"\n", "] "+text+"\n", 1))
				case 3: // the human closes something
					text := texts[r.IntN(len(texts))]
					src := d.read()
					for _, mark := range " >!" {
						src = strings.Replace(src, fmt.Sprintf("[%c] %s\n", mark, text), "[x] "+text+"\n", 1)
					}
					if src != d.read() {
						*say = "human closes " + text
						closed[text] = true
						d.save(src)
					}
				case 4:
					who := []string{"a1", "b1"}[r.IntN(2)]
					*say = "cut " + who
					d.play(*say)
				case 5:
					d.round(d.as("a", "1"), RoundOptions{})
				default:
					who := []string{"a1", "a2", "b1", "a1 mirrored"}[r.IntN(4)]
					l := slices.Clone(last[who])
					if len(l) == 0 || r.IntN(3) == 0 {
						l = nil
						for range 1 + r.IntN(5) {
							switch r.IntN(4) {
							case 0:
								l = append(l, texts[r.IntN(len(texts))])
							default:
								l = append(l, fmt.Sprintf("agent %d", r.IntN(12)))
							}
						}
					}
					if len(l) > 1 && r.IntN(2) == 0 {
						l = l[1:]
					}
					if r.IntN(3) == 0 {
						slices.Reverse(l)
					}
					l = slices.Compact(l)
					last[who] = l
					items := make([]string, len(l))
					for i, text := range l {
						mark := " x!"[r.IntN(3)]
						if slices.Contains(texts, text) {
							// Another status, said outright, is the agent's right.
							mark = ' '
						}
						items[i] = fmt.Sprintf("[%c] %s", mark, text)
					}
					*say = who + ": " + strings.Join(items, " | ")
					d.play(*say)
					d.play(*say) // what was kept against it may be changed by the second one
					before := d.read()
					d.play(*say)
					if got := d.read(); got != before {
						fail("the same list changed the file again, from\n%s", before)
					}
				}
				src := d.read()
				for _, text := range texts {
					if !strings.Contains(src, "] "+text+"\n") {
						fail("lost: %q", text)
					}
					if closed[text] && !strings.Contains(src, "[x] "+text+"\n") {
						fail("reopened: %q", text)
					}
				}
				for _, line := range lines {
					if !strings.Contains(src, line+"\n") {
						fail("lost: the line %q", line)
					}
				}
			}
		})
	}
}

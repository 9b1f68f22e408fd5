package mdplan

import (
	"bytes"
	"encoding/json"
	"testing"
)

func mustParse(t testing.TB, src string) *Plan {
	t.Helper()
	p, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var agent = Caller{Author: Author{Name: "agent"}}

// noLimits lets a test do what the limits of a session would refuse.
func noLimits(name string) Caller {
	zero, many := 0, MaxItems
	return Caller{Author: Author{Name: name}, Settings: Settings{InProgress: &zero, MaxItems: &many}}
}

// TestCorpusStatus gives every item of every corpus file each status: only the
// mark may change, and setting it back restores the file where the old mark is
// the one that the file uses.
func TestCorpusStatus(t *testing.T) {
	for _, f := range readCorpus(t) {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			p, err := Parse(f.src)
			if err != nil {
				t.Fatal(err)
			}
			every := 1
			if fewer() {
				every = 1 + len(p.nodes)/10
			}
			for i := 0; i < len(p.nodes); i += every {
				n := p.nodes[i]
				ref := numberRef(p, n)
				for _, s := range statuses {
					c, err := p.SetStatus(noLimits(HumanName), ref, s)
					if err != nil {
						t.Fatalf("item %s: %v", n.number(), err)
					}
					if s == n.status {
						if c.Plan != p {
							t.Fatalf("item %s has its status already, and was written", n.number())
						}
						continue
					}
					got := c.Plan.src
					mark, _ := p.markFor(s)
					want := append(append(bytes.Clone(p.src[:n.mark.start]), mark...), p.src[n.mark.end:]...)
					if !bytes.Equal(got, want) {
						t.Fatalf("item %s to %s: more than the mark changed", n.number(), s)
					}
					back, err := c.Plan.SetStatus(noLimits(HumanName), ref, n.status)
					if err != nil {
						t.Fatal(err)
					}
					old := string(p.src[n.mark.start:n.mark.end])
					if mark, _ := c.Plan.markFor(n.status); mark == old && !bytes.Equal(back.Plan.src, p.src) {
						t.Fatalf("item %s to %s and back: not the same file", n.number(), s)
					}
				}
			}
		})
	}
}

// TestCorpusOwnList updates every corpus file with the list that the plan
// itself gives: no byte may change, and nothing is told but what was left out.
func TestCorpusOwnList(t *testing.T) {
	for _, f := range readCorpus(t) {
		p, err := Parse(f.src)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(map[string]any{"items": p.Items()})
		if err != nil {
			t.Fatal(err)
		}
		l, err := ReadList(data)
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		u, err := p.Update(agent, l, UpdateOptions{})
		if err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		if !bytes.Equal(u.Plan.src, p.src) {
			t.Errorf("%s: the plan's own list changed the file", f.name)
		}
		if len(u.Outcomes) > 0 {
			t.Errorf("%s: %v", f.name, u.Outcomes)
		}
	}
}

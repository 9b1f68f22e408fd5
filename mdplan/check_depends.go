package mdplan

import (
	"fmt"
	"strings"
)

func checkDependencies(c *checker) {
	d := c.p.depend()
	for _, n := range c.p.nodes {
		if len(d.needs[n.index]) == 0 && len(d.unknown[n.index]) == 0 {
			continue
		}
		at, number := n.fieldAt(fieldDependsOn), n.number()
		for _, ref := range d.unknown[n.index] {
			way := "name an item of the plan by its id, or take it out of dependsOn"
			if k := d.texts(pairKey(ref)); k > 1 {
				way = fmt.Sprintf("%d items have this text: give the one that is meant an id", k)
			}
			c.err(at, "depends-on", "Item %s: unknown dependency %s; %s", number, shown(ref), way)
		}
		for _, m := range d.needs[n.index] {
			if m != n && m.holds(n) {
				c.warn(at, "depends-on", "Item %s is part of item %s and does not wait for it; take the dependency out", number, m.number())
			}
		}
		if n.status != InProgress {
			continue
		}
		if open := d.waitsFor(n); len(open) > 0 {
			c.err(n.mark.start, "waits", "Item %s waits for %s; finish that first, or set item %s to pending", number, listed(nodeNames(open)), number)
		}
	}
	for _, cycle := range d.cycles() {
		c.err(cycle[0].fieldAt(fieldDependsOn), "depends-on", "Dependency cycle: %s; take one of these dependencies out", cyclePath(cycle))
	}
}

// cyclePath writes a cycle as "2 -> 4 -> 2".
func cyclePath(cycle []*node) string {
	var b strings.Builder
	for i, n := range cycle {
		if i == maxNames {
			b.WriteString("… -> ")
		}
		b.WriteString(n.number() + " -> ")
	}
	return b.String() + cycle[0].number()
}

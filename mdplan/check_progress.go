package mdplan

import (
	"fmt"
	"slices"
)

// checkInProgress counts the items in progress of each author and session:
// by their owner, else by who is known to have started them. Those of which
// nothing is known count as one author's. An owner's count in each of their
// sessions.
func checkInProgress(c *checker) {
	limit := c.settings.inProgress()
	if limit == 0 {
		return
	}
	byOwner := map[string][]*node{}
	byHolder := map[Author][]*node{}
	var holders []Author
	for _, n := range c.p.nodes {
		if n.status != InProgress {
			continue
		}
		who := c.p.holders[pairKey(n.content)]
		if owner := n.field(fieldOwner); owner != "" {
			who = Author{Name: owner}
			byOwner[owner] = append(byOwner[owner], n)
		}
		if byHolder[who] == nil {
			holders = append(holders, who)
		}
		byHolder[who] = append(byHolder[who], n)
	}
	for _, who := range holders {
		nodes, owner := byHolder[who], ""
		switch owned := byOwner[who.Name]; {
		case len(owned) > 0 && who.Session != "" && len(nodes) > 0:
			nodes = append(slices.Clone(nodes), owned...)
			slices.SortFunc(nodes, func(a, b *node) int { return a.index - b.index })
		case len(owned) == len(nodes):
			owner = who.Name
		}
		if len(nodes) > limit {
			c.warn(nodes[limit].mark.start, "in-progress", "%s", inProgressMessage(limit, owner, nodeNames(nodes)))
		}
	}
}

// inProgressMessage says that more items are in progress than may be.
func inProgressMessage(limit int, owner string, names []string) string {
	who := ""
	if owner != "" {
		who = " (owner " + shown(owner) + ")"
	}
	if limit == 1 {
		return fmt.Sprintf("Only one plan item can be in_progress: %s%s; set all but one to pending, blocked or completed", listed(names), who)
	}
	return fmt.Sprintf("Only %d plan items can be in_progress: %s%s; set all but %d to pending, blocked or completed", limit, listed(names), who, limit)
}

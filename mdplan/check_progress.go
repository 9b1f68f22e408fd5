package mdplan

import "fmt"

// checkInProgress counts the items in progress of each owner, and those
// without one together.
func checkInProgress(c *checker) {
	limit := c.settings.inProgress()
	if limit == 0 {
		return
	}
	byOwner := map[string][]*node{}
	var owners []string
	for _, n := range c.p.nodes {
		if n.status != InProgress {
			continue
		}
		owner := n.field(fieldOwner)
		if byOwner[owner] == nil {
			owners = append(owners, owner)
		}
		byOwner[owner] = append(byOwner[owner], n)
	}
	for _, owner := range owners {
		if nodes := byOwner[owner]; len(nodes) > limit {
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

package mdplan

import "slices"

// Outcome is one thing that an update did or did not do.
type Outcome struct {
	Kind    string // one of the Outcome constants
	Content string // of the item, as it is now
	Detail  string // what it was, or what the list wanted
}

// The kinds of outcomes, in the order in which an [Update] has them.
const (
	OutcomeAdded    = "added"
	OutcomeRemoved  = "removed"
	OutcomeRetired  = "retired"  // went with a finished plan
	OutcomeNeeded   = "needed"   // left out, and stays since an item depends on it; Detail: that item's text
	OutcomeKept     = "kept"     // left out, open, and stays; Detail: KeptBefore if this session's answers named it already
	OutcomeRenamed  = "renamed"  // Detail: the text before
	OutcomeMerged   = "merged"   // the file's value stays; Detail: what the list wanted
	OutcomeReworded = "reworded" // the file has other words for it; Detail: the list's, which it had before
	OutcomeDeleted  = "deleted"  // somebody deleted it or gave it a text unlike that, and it stays so; Detail: as for a kept one
	OutcomeDropped  = "dropped"  // the author removed it by a command, and it stays so
	OutcomeClosed   = "closed"   // "pending" in a first list did not reopen it; Detail: the file's status
	OutcomeID       = "id"       // Detail: an id that the file uses for another text
	OutcomeUnmet    = "unmet"    // a dependency is not written, since somebody deleted the item; Detail: that item's text
	OutcomeNamed    = "named"    // got an id, since a dependency can't name it by its text; Detail: the id
	OutcomeUnplaced = "unplaced" // Markdown allows no other place
	OutcomeIgnored  = "ignored"  // a line of the list that looks like an item and is none; Content: the line, Detail: the reason
)

// KeptBefore is the Detail of a kept or deleted item that a report only counts.
// What stays since something depends on it is one too, once it was named as
// needed.
const KeptBefore = "before"

var outcomeOrder = []string{OutcomeAdded, OutcomeRemoved, OutcomeRetired, OutcomeNeeded, OutcomeKept, OutcomeRenamed,
	OutcomeMerged, OutcomeReworded, OutcomeDeleted, OutcomeDropped, OutcomeClosed, OutcomeID, OutcomeUnmet, OutcomeNamed, OutcomeUnplaced, OutcomeIgnored}

func sortOutcomes(outcomes []Outcome) {
	slices.SortStableFunc(outcomes, func(a, b Outcome) int {
		return slices.Index(outcomeOrder, a.Kind) - slices.Index(outcomeOrder, b.Kind)
	})
}

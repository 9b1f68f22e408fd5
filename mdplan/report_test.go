package mdplan

import (
	"fmt"
	"testing"
)

func TestReport(t *testing.T) {
	for _, test := range []struct {
		name     string
		outcomes []Outcome
		want     string
	}{
		{"nothing", nil, ""},
		{"what the plan shows anyway", []Outcome{{OutcomeAdded, "A", ""}}, ""},
		{"one of each", []Outcome{
			{OutcomeRemoved, "A", ""}, {OutcomeRetired, "B", ""}, {OutcomeKept, "C", ""},
			{OutcomeRenamed, "D2", "D"}, {OutcomeMerged, "E", `priority "high"`}, {OutcomeDeleted, "F", ""},
			{OutcomeReworded, "J2", "J"}, {OutcomeDropped, "K", ""},
			{OutcomeClosed, "G", "completed"}, {OutcomeID, "H", "login"}, {OutcomeUnplaced, "I", ""},
		}, `removed: "A"
removed with the finished plan: "B"
kept, though not in your list: "C"; to drop it, run todomd remove, or list it as cancelled
renamed: "D" to "D2"
the file's value stays: "E" (your list has priority "high")
named otherwise in the file by now: "J" is "J2"
no longer in the file, deleted or renamed by somebody, and stays so: "F"; todomd add brings it back, unless another item is it by now
removed by your own command, and stays so: "K"; todomd add brings it back
closed, and stays so: "G" (completed); todomd reopen opens it again
another item has this id, so it was not written: "login" for "H"; take another id
stays in its place, since Markdown allows no other: "I"
`},
		{"several", []Outcome{{OutcomeKept, "A", ""}, {OutcomeRemoved, "B", ""}, {OutcomeKept, "C", ""}},
			`removed: "B"
kept, though not in your list: "A", "C"; to drop one, run todomd remove, or list it as cancelled
`},
		{"named before", []Outcome{{OutcomeKept, "A", KeptBefore}, {OutcomeDeleted, "B", KeptBefore}, {OutcomeDeleted, "C", KeptBefore}},
			"kept, though not in your list: 1 open item named before\nno longer in the file, though in your list: 2 items named before\n"},
		{"hostile", []Outcome{{OutcomeRenamed, "a\x1b[31m\n</reminder>", "%s"}},
			`renamed: "%s" to "a\x1b[31m\n‹/reminder>"` + "\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := (Update{Outcomes: test.outcomes}).Report(); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestReportIsShort(t *testing.T) {
	var u Update
	for i := range 12 {
		u.Outcomes = append(u.Outcomes, Outcome{OutcomeRemoved, fmt.Sprint(i), ""})
	}
	const want = `removed: "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" and 2 more` + "\n"
	if got := u.Report(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Every kind of outcome has its line, but for what the plan shows anyway.
func TestReportKnowsEveryKind(t *testing.T) {
	for _, kind := range outcomeOrder {
		said := Update{Outcomes: []Outcome{{kind, "A", "B"}}}.Report() != ""
		if said != (kind != OutcomeAdded) {
			t.Errorf("%s: said is %v", kind, said)
		}
	}
}

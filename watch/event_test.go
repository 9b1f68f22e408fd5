package watch

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/todomd/todomd/mdplan"
)

func TestEventJSON(t *testing.T) {
	e := Event{Time: time.Date(2026, 1, 2, 3, 4, 5, 600, time.FixedZone("", 3600)), File: "todo.md", Rev: "abc", By: "human", Via: ViaFile,
		Changes: []mdplan.Delta{{Op: mdplan.OpStatus, Content: "one", ID: "x", Line: 3, From: "pending", To: "completed"}},
		Counts:  mdplan.Counts{Total: 1, Completed: 1}, Plan: emptyPlan()}
	got, err := json.Marshal(e)
	want := `{"time":"2026-01-02T02:04:05.0000006Z","file":"todo.md","rev":"abc","by":"human","via":"file",` +
		`"changes":[{"op":"status","content":"one","id":"x","line":3,"from":"pending","to":"completed"}],` +
		`"counts":{"total":1,"pending":0,"in_progress":0,"completed":1,"blocked":0,"cancelled":0},"problems":[]}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s %v\nwant %s", got, err, want)
	}
	got, err = json.Marshal(Event{})
	want = `{"time":"0001-01-01T00:00:00Z","file":"","rev":"","by":"","via":"","changes":[],` +
		`"counts":{"total":0,"pending":0,"in_progress":0,"completed":0,"blocked":0,"cancelled":0},"problems":[]}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s %v\nwant %s", got, err, want)
	}
}

package mdplan

import "testing"

func TestLinesCountTheRest(t *testing.T) {
	deltas := []Delta{{Op: OpText}, {Op: OpText}, {Op: OpText}}
	for most, want := range map[int]string{1: "… and 2 more changes", 2: "… and 1 more change"} {
		got := Lines(deltas, most)
		if last := got[len(got)-1]; len(got) != most+1 || last != want {
			t.Errorf("Lines of 3 with at most %d: %q, want the last to be %q", most, got, want)
		}
	}
}

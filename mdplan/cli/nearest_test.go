package cli

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"show", "update", "done", "start", "check", "next", "note", "log", "add"}
	for word, want := range map[string]string{
		"doen": "done", "dnoe": "done", "shwo": "show", "updaet": "update", "chek": "check", "starts": "start",
		"not": "note", "x": "", "completely": "", "": "",
		"foo": "", "bar": "", "zap": "", "lob": "log", "tests": "", "noet": "note", "sohw": "show", "strat": "start", "chekc": "check", "udpaet": "update",
	} {
		if got := nearest(word, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

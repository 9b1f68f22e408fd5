package mdplan

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// This file appends what a list says in notes. An agent repeats its notes with
// every list, and lets them grow: only what is new of them is appended.

// addNotes appends the notes that the items do not have yet.
func (u *updater) addNotes() error {
	for _, e := range u.list {
		if e.node == nil || e.Notes == "" {
			continue
		}
		text := u.newNotes(e)
		if text == "" {
			continue
		}
		q, _, err := u.p.note(e.node, text)
		if err != nil {
			return u.p.explained(err, e.node)
		}
		// A note adds no item, so every item keeps its index.
		u.follow(q, func(m *node) *node { return q.nodes[m.index] })
	}
	return nil
}

// newNotes returns what an item does not have of the notes that a list gives
// it. What it has is known from the list before, wherever that stands by now,
// and whether or not somebody took it away since; else from the notes
// themselves, if they end in it: what stands further up and only begins alike
// (a line "Error:") is not what the list goes on with.
func (u *updater) newNotes(e *entry) string {
	notes := u.p.notes(e.node)
	if hasNote(notes, e.Notes) {
		return ""
	}
	text := foldNotes(e.Notes)
	have := foldNotes(notes)
	whole := func(k int) bool { return !leavesFence(text.lines[:text.at[k]]) }
	known := text.endOf(have.keys, whole)
	if n := len(have.keys); n > 0 && strings.Trim(have.keys[n-1], "`") == "" {
		// Perhaps it stands in the fence that note had to put around it.
		k := text.endOf(have.keys[:n-1], whole)
		if k > known && k < n-1 && have.keys[n-2-k] == have.keys[n-1]+"text" {
			known = k
		}
	}
	if e.base != nil && e.base.Noted != "" && !u.o.Replace {
		if k := text.said(e.base.Noted); k > known && whole(k) {
			known = k
		}
	}
	return strings.Join(text.lines[text.at[known]:], "\n")
}

// notesText is a text of notes by its lines, and the keys of those that are not
// blank: the k-th key and those before it are the lines before at[k].
type notesText struct {
	lines, keys []string
	at          []int
}

func foldNotes(notes string) notesText {
	t := notesText{lines: strings.Split(cleanNote(notes), "\n"), at: []int{0}}
	for i, l := range t.lines {
		if key := pairKey(l); key != "" {
			t.keys = append(t.keys, key)
			t.at = append(t.at, i+1)
		}
	}
	t.at[len(t.keys)] = len(t.lines)
	return t
}

// endOf returns how many of the first lines of a text others end in, as many
// as possible of which it may be. It walks once over each, after Knuth, Morris
// and Pratt: notes may be as long as a file.
func (t notesText) endOf(lines []string, may func(int) bool) int {
	shorter := make([]int, len(t.keys)+1) // for so many lines that match, the next fewer that do
	k := 0
	for i := 1; i < len(t.keys); i++ {
		for k > 0 && t.keys[k] != t.keys[i] {
			k = shorter[k]
		}
		if t.keys[k] == t.keys[i] {
			k++
		}
		shorter[i+1] = k
	}
	k = 0
	for _, l := range lines {
		for k > 0 && (k == len(t.keys) || t.keys[k] != l) {
			k = shorter[k]
		}
		if k < len(t.keys) && t.keys[k] == l {
			k++
		}
	}
	for k > 0 && !may(k) {
		k = shorter[k]
	}
	return k
}

// said returns how many of the first lines make the text of a digest, 0 if
// none do.
func (t notesText) said(digest string) int {
	h := sha256.New()
	for i, key := range t.keys {
		h.Write([]byte(key + "\n"))
		if digestOf(h.Sum(nil)) == digest {
			return i + 1
		}
	}
	return 0
}

// noted is the digest of notes that a base keeps in their stead: they may be
// long, and every list has a record.
func noted(notes string) string {
	keys := foldNotes(notes).keys
	if len(keys) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(keys, "\n") + "\n"))
	return digestOf(sum[:])
}

func digestOf(sum []byte) string { return hex.EncodeToString(sum[:6]) }

// leavesFence reports whether lines end inside a code fence: what comes next
// is no text of its own then.
func leavesFence(lines []string) bool {
	fence := ""
	for _, l := range lines {
		l = strings.TrimSpace(l)
		switch mark := listFence(l); {
		case fence == "":
			fence = mark
		case mark == l && strings.HasPrefix(mark, fence):
			fence = ""
		}
	}
	return fence != ""
}

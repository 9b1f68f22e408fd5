package mdplan

import (
	"bytes"
	"testing"
)

// What commands and lists write has no NUL: check would report it at once.
func TestNoNULWritten(t *testing.T) {
	p := planOf(t, "- [ ] a\n")
	note, err := p.Note(Caller{}, "1", "one\x00two\n\x00")
	if err != nil || string(note.Plan.src) != "- [ ] a\n  one\ufffdtwo\n  \ufffd\n" {
		t.Errorf("note: %q, %v", note.Plan.src, err)
	}
	add, err := p.Add(Caller{}, "b\x00c (owner:: x\x00)", Place{})
	if err != nil || string(add.Plan.src) != "- [ ] a\n- [ ] b\ufffdc (owner:: x\ufffd)\n" {
		t.Errorf("add: %q, %v", add.Plan.src, err)
	}
	edit, err := p.Edit(Caller{}, "1", "\x00")
	if err != nil || string(edit.Plan.src) != "- [ ] \ufffd\n" {
		t.Errorf("edit: %q, %v", edit.Plan.src, err)
	}
	l, err := ReadList([]byte(`[{"content":"b\u0000","owner":"\u0000w","priority":"h\u0000","done_when":"\u0000","notes":"n\u0000","depends_on":["c\u0000"]},{"content":"c\u0000"}]`))
	if err != nil {
		t.Fatal(err)
	}
	u, err := p.Update(Caller{}, l, UpdateOptions{})
	if err != nil || bytes.IndexByte(u.Plan.src, 0) >= 0 {
		t.Fatalf("update: %q, %v", u.Plan.src, err)
	}
	again, err := u.Plan.Update(Caller{}, l, UpdateOptions{})
	if err != nil || !bytes.Equal(again.Plan.src, u.Plan.src) {
		t.Errorf("again: %q, %v", again.Plan.src, err)
	}
	// One that a human's file has is found again, and stays.
	q := planOf(t, "- [ ] a\x00b\n  n\x00\n")
	l, err = ReadList(q.src)
	if err != nil {
		t.Fatal(err)
	}
	if u, err = q.Update(Caller{}, l, UpdateOptions{}); err != nil || !bytes.Equal(u.Plan.src, q.src) {
		t.Errorf("the file's own: %q, %v", u.Plan.src, err)
	}
}

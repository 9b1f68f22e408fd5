package mdplan

import (
	"errors"
	"testing"
)

// A refusal names what can't be written and the way out.
func TestWritable(t *testing.T) {
	const why = ", since the brackets in it do not match and the file keeps it in brackets; balance them or take them out"
	for _, tt := range []struct{ src, list, want string }{
		{"", `[{"content":"b","owner":"x)"},{"content":"c"}]`, `Item 1: owner can't be "x)"` + why},
		{"", `[{"content":"a"},{"content":"b","priority":"(x","done_when":"a) (b"}]`,
			`Item 2: priority can't be "(x"` + why + "\n" + `Item 2: done_when can't be "a) (b"` + why},
		{"- [ ] b [owner:: w]\n", `[{"content":"b","owner":"x]"}]`, `Item 1: owner can't be "x]"` + why},
		{"- [ ] b (owner:: w)\n", `[{"content":"b","owner":"x]","priority":"f(x)"}]`, ""},
		{"", `[{"content":"x)"},{"content":"b","depends_on":["x)"]}]`, ""}, // by an id that it gets
		{"- [ ] x)\n", `[{"content":"b","depends_on":["x)"]}]`, ""},
		{"", `[{"content":"x)","id":"x"},{"content":"b","depends_on":["x)"]}]`, ""},
		{"", `[{"content":"b","owner":"x)"},{"content":"","depends_on":["q"]}]`,
			`Item 1: owner can't be "x)"` + why + "\nItem 2: content required\n" +
				`Item 2: unknown dependency "q"; name the id, the number or the whole text of an item`},
	} {
		l, err := ReadList([]byte(tt.list))
		if err != nil {
			t.Fatal(err)
		}
		_, err = planOf(t, tt.src).Update(Caller{Author: Author{Name: "w"}}, l, UpdateOptions{})
		if got := errorText(err); got != tt.want || tt.want != "" && !errors.Is(err, ErrRule) {
			t.Errorf("%q, %s\ngot:  %s\nwant: %s", tt.src, tt.list, got, tt.want)
		}
	}
	if _, err := planOf(t, "").Add(Caller{}, "a [owner:: x)]", Place{}); errorText(err) != `Item 1: owner can't be "x)"`+why {
		t.Error(err)
	}
	if _, err := planOf(t, "- [ ] a\n").Edit(Caller{}, "1", "a [dependsOn:: x)]"); errorText(err) != `Item 1: unknown dependency "x)"; name the id, the number or the whole text of an item` {
		t.Error(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Where a block has no end, nothing can be added behind it: the refusal says
// which block, and how to end it.
func TestOpenBlock(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"x\n\n```\nfoo\n", "the code fence that begins in line 3 has no end, so what is added would belong to it; close it with ```"},
		{"~~~~ md\nfoo\n\n", "the code fence that begins in line 1 has no end, so what is added would belong to it; close it with ~~~~"},
		{"x\n\n<!--\nfoo\n", "the comment that begins in line 3 has no end, so what is added would belong to it; close it with -->"},
		{"x\n\n<script>\nfoo\n", "the HTML block that begins in line 3 has no end, so what is added would belong to it; close it with </script>"},
	} {
		want := `can't add "a": ` + tt.want + "; change the file in an editor"
		if _, err := planOf(t, tt.src).Add(Caller{}, "a", Place{}); errorText(err) != want || !errors.Is(err, ErrImpossible) {
			t.Errorf("%q\ngot:  %v\nwant: %s", tt.src, err, want)
		}
		if _, err := planOf(t, tt.src).Update(Caller{}, List{Items: listOf(say("a", ""))}, UpdateOptions{}); errorText(err) != want {
			t.Errorf("%q\ngot:  %v\nwant: %s", tt.src, err, want)
		}
	}
	p := planOf(t, "- [ ] a\n  ```\n  x\n- [ ] b\n")
	const why = ": the code fence that begins in line 2 has no end, so what is added would belong to it; close it with ```; change the file in an editor"
	if _, err := p.Add(Caller{}, "c", Place{Under: "1"}); errorText(err) != `can't add "c"`+why {
		t.Error(err)
	}
}

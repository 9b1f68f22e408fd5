package mdplan

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// A plan that is shown with numbers reads as it does without them.
func TestShownNumbersAreNoText(t *testing.T) {
	var docs []string
	for _, f := range readCorpus(t) {
		docs = append(docs, string(f.src))
	}
	docs = append(docs, hostile...)
	docs = append(docs, "- [ ] a\n  - [x] b\n    - [>] c\n- [ ] 3 [ ] d\n", "# A\n- [ ] a\n  - [x] b\n# B\n- [ ] #id: c\n",
		strings.Repeat("- [ ] a\n  - [ ] b\n", 12))
	read := 0
	for _, src := range docs {
		p, err := Parse([]byte(src))
		if err != nil || p.Len() == 0 {
			continue
		}
		want, err := ReadList([]byte(p.Render(RenderOptions{})))
		if err != nil {
			continue
		}
		shown := p.Render(RenderOptions{Numbers: true})
		got, err := ReadList([]byte(shown))
		if err != nil || !reflect.DeepEqual(got.Items, want.Items) {
			t.Errorf("%v\n%s\nread\n%s\nwant\n%s", err, shown, asJSON(got.Items), asJSON(want.Items))
		}
		read++
	}
	if read < 20 {
		t.Errorf("only %d plans were read", read)
	}
	sub := []ListItem{{Content: "a", Status: Pending, Items: listOf(say("b", Completed))}, say("c", Pending)}
	for _, in := range []string{
		"1   [ ] a\n1.1   [x] b\n2   [ ] c\n\n(1/3 completed)\n",
		"  1   [ ] a\n  1.1   [x] b\n  2   [ ] c\n",
		"```\n1   [ ] a\n1.1   [x] b\n2   [ ] c\n```",
		"2   [ ] a\n2.1   [x] b\n10  [ ] c\n",
	} {
		checkReadList(t, in, in, sub)
		quoted := fmt.Sprintf(`{"todos":%s}`, asText(in))
		checkReadList(t, quoted, quoted, sub)
	}
	for _, in := range []string{
		"1 [ ] a\n3 [ ] b\n2 [ ] c\n", // out of order
		"1 [ ] a\n1 [ ] b\n",
		"1 [url] a\n",
	} {
		if l, err := ReadList([]byte(in)); err == nil {
			t.Errorf("%q: read as %s", in, asJSON(l.Items))
		}
	}
	checkReadList(t, "some boxes", "[ ] a\n2 [ ] b\n", listOf(say("a", Pending)))
}

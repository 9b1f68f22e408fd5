package mdplan

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A plan that was shown cut is no complete list, however it comes back.
func TestCutListIsRefused(t *testing.T) {
	var src strings.Builder
	for i := range AgentCut + 3 {
		fmt.Fprintf(&src, "- [%s] item %d\n", string("x >"[min(i%5, 2)]), i)
	}
	p := mustParse(t, src.String())
	for _, numbers := range []bool{false, true} {
		whole := p.Render(RenderOptions{Numbers: numbers})
		if l, err := ReadList([]byte(whole)); err != nil || len(l.Items) != p.Len() {
			t.Errorf("whole: %d items, %v", len(l.Items), err)
		}
		cut := p.Render(RenderOptions{Numbers: numbers, Cut: AgentCut})
		for name, in := range map[string]string{
			"text":     cut,
			"indented": "  " + strings.ReplaceAll(cut, "\n", "\n  "),
			"fenced":   "```\n" + cut + "```\n",
			"bullets":  strings.ReplaceAll(strings.ReplaceAll(cut, "[", "- ["), "… and", "- ... and"),
			"JSON":     fmt.Sprintf(`{"todos":%s}`, asText(cut)),
			"items":    fmt.Sprintf(`["a",%s]`, asText(strings.Split(cut[strings.Index(cut, "…"):], "\n")[0])),
		} {
			if numbers && name == "bullets" {
				continue // nobody writes both
			}
			_, err := ReadList([]byte(in))
			if err == nil || !errors.Is(err, ErrNotList) || !strings.Contains(err.Error(), "this list was cut") || !strings.Contains(err.Error(), "todomd show") {
				t.Errorf("%s, numbers %v: %v\n%s", name, numbers, err, in)
			}
		}
	}
	for _, in := range []string{
		"- [ ] a\n  … and 3 more: 2 open, 1 closed\n",
		"- [ ] a\n```\n… and 3 more: 2 open, 1 closed\n```\n",
		"… and 3 more: 2 open, 1 closed\n\n- [ ] a\n",
		"- [ ] a\n- [ ] b … and 3 more: 2 open, 1 closed\n",
		"[ ] a\n… and 3 more\n",
	} {
		if _, err := ReadList([]byte(in)); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func asText(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}

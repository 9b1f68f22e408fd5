package mdplan

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// corpusFile is a plan file of a real shape, with the items that an
// independent CommonMark and GFM parser sees in it.
type corpusFile struct {
	name  string
	src   []byte
	items [][3]any // line, checked, depth
}

func readCorpus(t testing.TB) []corpusFile {
	t.Helper()
	names, err := filepath.Glob("testdata/corpus/*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	expected := map[string][][3]any{}
	data, err := os.ReadFile("testdata/corpus/expected.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var row struct {
			File  string
			Items [][3]any
		}
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatal(err)
		}
		expected[row.File] = row.Items
	}
	var files []corpusFile
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)
		if _, ok := expected[base]; !ok {
			t.Fatalf("%s is not in expected.jsonl", base)
		}
		files = append(files, corpusFile{base, src, expected[base]})
	}
	if len(files) != len(expected) {
		t.Fatalf("%d files, %d expected", len(files), len(expected))
	}
	return files
}

// moreThanGFM lists the items that the design reads and GFM's parser does not,
// each with its reason.
var moreThanGFM = map[string]map[int]string{
	"other-50.md": {
		40: kiro, 44: kiro, 72: kiro, 76: kiro, 80: kiro, 100: kiro, 104: kiro, 125: kiro, 129: kiro,
		152: kiro, 156: kiro, 176: kiro, 180: kiro, 186: "[-] is cancelled", 202: kiro, 206: kiro,
		210: kiro, 244: kiro, 264: kiro,
	},
	"other-64.md": {80: "[~] is in progress"},
}

// deeperThanGFM lists the items below one of those.
var deeperThanGFM = map[string]map[int]int{"other-50.md": {189: 1}}

const kiro = "[ ]* or [x]* is an optional item"

func TestCorpusReading(t *testing.T) {
	for _, f := range readCorpus(t) {
		t.Run(f.name, func(t *testing.T) {
			p, err := Parse(f.src)
			if err != nil {
				t.Fatal(err)
			}
			want, depth := map[int]bool{}, map[int]int{}
			for _, it := range f.items {
				line := int(it[0].(float64))
				want[line], depth[line] = it[1].(bool), int(it[2].(float64))
			}
			for _, n := range p.nodes {
				mark := string(p.src[n.mark.start:n.mark.end])
				checked, ok := want[n.line]
				if !ok {
					if moreThanGFM[f.name][n.line] == "" {
						t.Errorf("line %d: an item that GFM does not see: %q", n.line, n.content)
					}
					continue
				}
				delete(want, n.line)
				if got := len(n.ancestors()); got != depth[n.line]+deeperThanGFM[f.name][n.line] {
					t.Errorf("line %d: depth %d, GFM sees %d", n.line, got, depth[n.line])
				}
				if isX := mark == "x" || mark == "X"; isX != checked {
					t.Errorf("line %d: mark %q, GFM sees checked %v", n.line, mark, checked)
				}
			}
			for line := range want {
				t.Errorf("line %d: GFM sees an item here", line)
			}
		})
	}
}

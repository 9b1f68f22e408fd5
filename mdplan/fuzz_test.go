package mdplan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxFuzzed keeps a run of a fuzz target short: what breaks does so small.
const maxFuzzed = 2000

// hostile are the documents that parsers of checklists were seen to break on.
var hostile = []string{
	"", "\n", "\r\n", "- [ ] a", "- [ ] a\r\n- [x] b\r\n", "\ufeff- [ ] a\n", "---\n- [ ] no\n---\n- [ ] a\n", "+++\nx=1\n+++\n- [x] a\n",
	"a\r- [ ] b", "- [ ] a\n  ---\n", "- # [ ] a\n", "-\n  [ ] a\n", "- - [ ] a\n", "- [x]: /url\n", "- [x]: /url\n  [ ] a\n",
	"> - [ ] a\nlazy\n", "- [ ] a\nlazy\n", "- [ ] a\n\n      - [ ] lazy text\n", "1. [ ] a\n  - [ ] b\n", "- [ ] a\n\n```\nnote\n    - [x] b\n",
	"intro\n1. [x] a\n2. [ ] b\n", "-\t[ ] a\n\t-\t[ ] b\n\t\t-\t[ ] c\n", "- plain\n\t- [ ] tab\n", " 1)\t[ ] a\n\t- [x] b\n",
	"- [ ]\n- [ ] \n- [x]\t\n", "- [✓] a\n- [х] b\n- [ ]* c\n- [x]\\* d\n- [] e\n- [  ] f\n", "- [ ] a\n<!-- todomd marks=\"?=blocked\" -->\n",
	"# P\n\n## Other\n- [ ] no\n## This\n<!-- todomd max-items=3 -->\n- [ ] a\n## That\n- [ ] no\n", "- [ ] a\n  ```\n  - [ ] b\n",
	"<!-- x\n- [ ] a\n-->\n- [ ] b\n", "- [ ] a \x1b[31m\x00\xff </reminder>\n", "- [ ] #a: x (dependsOn:: b)\n- [ ] #b: y (dependsOn:: a)\n",
	"- [ ] a\n  [ref]: /x\n\n  [ref2]: /y\n- [ ] [ref]\n", "* [ ] a\n+ [ ] b\n- [ ] c\n", "1. [ ] a\n1. [ ] b\n9. [ ] c\n", "999999999. [ ] a\n",
	"- [ ] a\n\n\n\n- [ ] b\n\n\n", "- [ ] a\n- \n- [ ] b\n", "- [ ] a\n===\n- [ ] b\n---\n", "- [ ] a\n  | x |\n  |---|\n", "\t- [ ] code\n- [ ] a\n",
	"<div>\n- [ ] a\n\n- [ ] b\n</div>\n", "- [ ] a\n  <script>\n- [ ] b\n", "- [ ] a\u2028b\u0085c\n", "10. [ ] a\n    - [ ] b\n11. [ ] c\n",
	"* [X] \n\v", "# P\n\u00a0\n- [ ] a\n\f\n- [ ] b\n", "- [ ] a\n- [ ] b\n  ```\n  x\n  ```\ntext\n",
}

func addDocuments(f *testing.F, add func(doc []byte)) {
	for _, s := range hostile {
		add([]byte(s))
	}
	names, err := filepath.Glob("testdata/corpus/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		if src, err := os.ReadFile(name); err != nil {
			f.Fatal(err)
		} else if len(src) < maxFuzzed {
			add(src)
		}
	}
}

func FuzzParse(f *testing.F) {
	addDocuments(f, func(doc []byte) { f.Add(doc) })
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 10*maxFuzzed {
			return
		}
		before := bytes.Clone(src)
		p, err := Parse(src)
		if !bytes.Equal(src, before) {
			t.Fatal("the source was written to")
		}
		if err != nil {
			if !typed(err) || p != nil {
				t.Fatalf("%v, %v", p, err)
			}
			return
		}
		if !bytes.Equal(p.Bytes(), src) {
			t.Fatal("not the same bytes")
		}
		checkSpans(t, p)
		checkShown(t, p)
		if len(src) <= maxFuzzed {
			checkOwnList(t, src)
		}
	})
}

func checkSpans(t *testing.T, p *Plan) {
	t.Helper()
	end := 0
	for i, n := range p.nodes {
		b := p.doc.bullets[n.bullet]
		at := []int{0, n.lineStart, b.start, n.markerEnd, n.mark.start, n.mark.end, n.text.start, n.text.end, n.lineEnd, n.end, len(p.src)}
		for k := 1; k < len(at); k++ {
			if at[k] < at[k-1] {
				t.Fatalf("item %s: spans out of order: %v", n.number(), at)
			}
		}
		if p.src[n.mark.start-1] != '[' || p.src[n.mark.end] != ']' || utf8.RuneCount(p.src[n.mark.start:n.mark.end]) != 1 {
			t.Fatalf("item %s: no mark at %v", n.number(), n.mark)
		}
		if bytes.IndexByte(p.src[n.mark.start:n.text.end], '\n') >= 0 {
			t.Fatalf("item %s: its text is not on the line of its mark", n.number())
		}
		if n.lineStart < end && (n.parent == nil || n.lineStart < n.parent.lineEnd) && i > 0 && p.nodes[i-1].lineEnd > n.lineStart {
			t.Fatalf("item %s starts on a line of item %s", n.number(), p.nodes[i-1].number())
		}
		end = n.end
		if n.fieldStart < n.text.start || n.fieldStart > n.text.end || n.idSpan.end > 0 && n.idSpan.start != n.text.start {
			t.Fatalf("item %s: fields at %d, id at %v of %v", n.number(), n.fieldStart, n.idSpan, n.text)
		}
		if n.parent != nil && (n.lineStart < n.parent.lineEnd || n.end > n.parent.end) {
			t.Fatalf("item %s is not inside its parent", n.number())
		}
		for k, sub := range n.subs {
			if sub.parent != n || sub.place != k+1 || k > 0 && sub.lineStart < n.subs[k-1].end {
				t.Fatalf("sub-items of %s out of order", n.number())
			}
		}
		if last := bytes.TrimRight(p.src[n.lineStart:n.end], "\r\n"); isBlank(last[bytes.LastIndexByte(last, '\n')+1:]) && !endsInFence(p, n) {
			t.Fatalf("item %s ends in a blank line", n.number())
		}
		if c := rune(p.src[max(n.end-1, 0)]); n.end < len(p.src) && c != '\n' {
			t.Fatalf("item %s ends inside a line", n.number())
		}
		if line, _ := position(p.src, n.mark.start); line != n.line {
			t.Fatalf("item %s: line %d, want %d", n.number(), n.line, line)
		}
		for _, s := range p.noteSpans(n) {
			if s.start < n.lineEnd || s.end > n.end {
				t.Fatalf("item %s: notes at %v", n.number(), s)
			}
		}
	}
	for k := 1; k < len(p.top); k++ {
		if p.top[k].lineStart < p.top[k-1].end {
			t.Fatalf("items %d and %d overlap", k, k+1)
		}
	}
}

// endsInFence reports whether the end of an item is inside a fence that has no
// end itself: its blank lines are content.
func endsInFence(p *Plan, n *node) bool {
	for _, f := range p.doc.fences {
		if f.open && f.start >= n.lineStart && f.end >= n.end {
			return true
		}
	}
	return false
}

func checkShown(t *testing.T, p *Plan) {
	t.Helper()
	p.Title()
	p.Line()
	p.Next(agent)
	p.Items()
	for _, o := range []RenderOptions{{}, {Numbers: true, Cut: 2}} {
		shown := p.Render(o)
		for _, r := range shown {
			if r < ' ' && r != '\n' || r == 0x7f || isControl(r) {
				t.Fatalf("a control character is shown: %q", shown)
			}
		}
		if again := Escape(shown); again != shown {
			t.Fatalf("shown text is escaped further: %q", shown)
		}
	}
	data, err := EncodeJSON(p.View("todo.md", Settings{}))
	if err != nil || !json.Valid(data) {
		t.Fatalf("%v in %s", err, data)
	}
	if s := Escape(string(p.src)); Escape(s) != s {
		t.Fatalf("escaped twice: %q", p.src)
	}
}

func FuzzStatus(f *testing.F) {
	addDocuments(f, func(doc []byte) { f.Add(doc) })
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > maxFuzzed {
			return
		}
		p, err := Parse(src)
		if err != nil {
			return
		}
		before := modelOf(p)
		for i, n := range p.nodes {
			if i > 20 {
				break
			}
			for _, s := range statuses {
				checkStatus(t, p, before, n, s)
			}
		}
	})
}

// checkStatus demands that a status changes one mark and nothing else.
func checkStatus(t *testing.T, p *Plan, before []modelItem, n *node, s Status) {
	t.Helper()
	by := noLimits(HumanName)
	c, err := p.SetStatus(by, numberRef(p, n), s)
	if err != nil {
		if !typed(err) {
			t.Fatal(err)
		}
		return
	}
	q := c.Plan
	if n.status == s {
		if !bytes.Equal(q.src, p.src) {
			t.Fatal("a status that it had changed the file")
		}
		return
	}
	after := len(p.src) - n.mark.end
	if !bytes.Equal(q.src[:n.mark.start], p.src[:n.mark.start]) || !bytes.Equal(q.src[len(q.src)-after:], p.src[n.mark.end:]) ||
		utf8.RuneCount(q.src[n.mark.start:len(q.src)-after]) != 1 {
		t.Fatalf("more than the mark changed: %q", q.src)
	}
	want := append([]modelItem(nil), before...)
	want[n.index].Status = s
	sameModel(t, "status", modelOf(q), want)
	back, err := q.SetStatus(by, numberRef(q, q.nodes[n.index]), n.status)
	if err != nil {
		if errors.Is(err, ErrRule) { // it may wait for others, as it did before
			return
		}
		t.Fatal(err)
	}
	if mark, _ := q.markFor(n.status); mark == string(p.src[n.mark.start:n.mark.end]) && !bytes.Equal(back.Plan.src, p.src) {
		t.Fatal("setting it back does not restore the file")
	}
}

// numberRef returns a reference that means one item and no other, "" if there
// is none.
func numberRef(p *Plan, n *node) string {
	for _, ref := range []string{n.number(), n.id, n.content} {
		if m, err := p.find(ref); err == nil && m == n {
			return ref
		}
	}
	return "no such item"
}

// fuzzTexts are what items and notes are made of in FuzzEdit.
var fuzzTexts = []string{
	"plain words", "Write (priority:: high)", "[x] done already", "- [ ] a bullet", "# heading", "```", "<div>", "two\nlines", "back\\",
	"hard  ", "[a]: /url", "1. number", "$1 %s \\n", "日本語", "nul\x00bad\xff", "***", "| a |", "    code", "#id: with id", "#: t",
	"(id:: q) b", "a (id:: q)", "[foo:: bar]", "~~~", "---", "===", "<!--", "-->", "", " ", "[ ]", "[>] [ ] x", "a (dependsOn:: 1)",
	"text\n- [ ] hidden item", "text\n\n# heading\n\ntext", "```\nopen", "a\r\nb\tc", "> quote", "    - [ ] deep", "*", "1)", "[x]* opt",
	"a (owner::  x )", "x [id:: z] [priority:: 1]", "(foo:: bar) (priority:: low)", "a\u2028b", "\ufeffbom", "#a", "<script>", "+\n===",
}

func FuzzEdit(f *testing.F) {
	addDocuments(f, func(doc []byte) {
		for _, ops := range []string{"\x00\x00\x00\x01\x01\x01\x02\x01\x02", "\x03\x00\x04\x03\x01\x05\x04\x00\x23", "\x05\x03\x00\x01\x02\x05\x02\x01\x00", "\x01\x00\x03\x02\x00\x06\x04\x02\x01\x03"} {
			f.Add(doc, []byte(ops))
		}
	})
	f.Fuzz(func(t *testing.T, src, ops []byte) {
		if len(src) > maxFuzzed || len(ops) > 40 {
			return
		}
		p, err := Parse(src)
		if err != nil {
			return
		}
		o := &operator{t: t, p: p, in: ops}
		for len(o.in) > 0 && len(o.p.src) < 2*maxFuzzed {
			o.step()
		}
	})
}

// operator plays a series of operations, which bytes decide on, and compares
// each outcome with a model that it changes itself.
type operator struct {
	t    *testing.T
	p    *Plan
	in   []byte
	base *Base
	last List
	done map[string]int // how many operations of each kind were done, for tests
}

func (o *operator) next(n int) int {
	if len(o.in) == 0 || n <= 0 {
		return 0
	}
	b := int(o.in[0])
	o.in = o.in[1:]
	return b % n
}

func (o *operator) text() string { return fuzzTexts[o.next(len(fuzzTexts))] }

func (o *operator) item() (n *node, ref string) {
	if len(o.p.nodes) == 0 {
		return nil, "no such item"
	}
	n = o.p.nodes[o.next(len(o.p.nodes))]
	ref = numberRef(o.p, n)
	if ref == "no such item" {
		n = nil
	}
	return n, ref
}

func (o *operator) step() {
	switch o.next(7) {
	case 0:
		o.add()
	case 1:
		o.remove()
	case 2:
		o.edit()
	case 3:
		o.note()
	case 4:
		if n, _ := o.item(); n != nil {
			s := statuses[o.next(len(statuses))]
			checkStatus(o.t, o.p, modelOf(o.p), n, s)
			if c, err := o.p.SetStatus(noLimits(HumanName), numberRef(o.p, n), s); err == nil {
				o.p = c.Plan
			}
		}
	default:
		o.update()
	}
	checkSpans(o.t, o.p)
}

// refused reports whether an operation failed, and demands a typed error.
func (o *operator) refused(what string, err error) bool {
	if err == nil {
		if o.done != nil {
			o.done[what]++
		}
		return false
	}
	if !typed(err) {
		o.t.Fatalf("%s: %v", what, err)
	}
	if o.done != nil && errors.Is(err, ErrImpossible) {
		o.done[what+" refused"]++
	}
	return true
}

func (o *operator) add() {
	t, p := o.t, o.p
	var at Place
	var n *node
	switch o.next(3) {
	case 0:
		n, at.After = o.item()
	case 1:
		n, at.Under = o.item()
	}
	text := o.text()
	want := modelOf(p)
	c, err := p.Add(noLimits(HumanName), text, at)
	if o.refused("add", err) {
		return
	}
	it, ok := readsAs(p, text)
	if !ok {
		t.Fatalf("%q was added and is no item by itself", text)
	}
	fresh := modelItem{0, it}
	fresh.Number, fresh.Line = "", 0
	i := len(want)
	switch {
	case n == nil:
		if last := lastOpen(p); last != nil {
			n = last
			i = subtreeEnd(want, n.index)
		}
	case at.After != "":
		i = subtreeEnd(want, n.index)
		fresh.depth = want[n.index].depth
	default:
		i = subtreeEnd(want, n.index)
		fresh.depth = want[n.index].depth + 1
	}
	got := modelOf(c.Plan)
	if len(got) > i {
		fresh.Section = got[i].Section
		if n != nil && fresh.Section != want[n.index].Section {
			t.Fatalf("added in another section: %q", c.Plan.src)
		}
	}
	want = append(want[:i:i], append([]modelItem{fresh}, want[i:]...)...)
	back := carried(t, p, c.Plan, want, func(j int) int {
		if j >= i {
			j++
		}
		return j
	}, i, it.DependsOn)
	sameModel(t, fmt.Sprintf("add %q", text), got, want)
	if len(p.src) > 0 {
		sameLinesBut(t, p, back, 0, 0, lineOf(c.Plan.src, c.Plan.nodes[i].lineStart), 1)
	}
	if c.Item.Content != it.Content {
		t.Fatalf("added %q, told %q", it.Content, c.Item.Content)
	}
	if back, err := c.Plan.Remove(noLimits(HumanName), numberRef(c.Plan, c.Plan.nodes[i])); err == nil && len(p.src) > 0 {
		if d := blank(back.Plan.src) - blank(p.src); d > 1 || d < 0 {
			t.Fatalf("added and removed again, it leaves %d blank lines more: %q, %q, %q", d, p.src, c.Plan.src, back.Plan.src)
		}
	}
	o.p = c.Plan
}

func lastOpen(p *Plan) *node {
	var last *node
	for _, n := range p.top {
		if n.status.Open() {
			last = n
		}
	}
	if last == nil && len(p.top) > 0 {
		last = p.top[len(p.top)-1]
	}
	return last
}

// carried takes over into a model, and into a copy of q that it returns, what a
// change has made of references, after it has seen that each still means what it
// meant, and that ids went only to items that are meant. to is where the items of
// p are in q, said the item there whose dependencies the change brought.
func carried(t testing.TB, p, q *Plan, want []modelItem, to func(int) int, said int, refs []string) *Plan {
	t.Helper()
	old, now := p.depend(), q.depend()
	meant := map[*node]bool{}
	same := func(refs []string, m *node) {
		got := m.dependsOn()
		if len(got) != len(refs) {
			t.Fatalf("the dependencies %q became %q: %q, %q", refs, got, p.src, q.src)
		}
		for k, ref := range refs {
			on := old.resolve(ref)
			switch {
			case on == nil && got[k] != ref:
				t.Fatalf("%q, which meant nothing, became %q: %q, %q", ref, got[k], p.src, q.src)
			case on != nil && (to(on.index) < 0 || now.resolve(got[k]) != q.nodes[to(on.index)]):
				if got[k] != ref || len(p.nodes[on.index].id) == 0 { // an id that two items have names nothing
					t.Fatalf("%q became %q, which means something else: %q, %q", ref, got[k], p.src, q.src)
				}
			case on != nil:
				meant[q.nodes[to(on.index)]] = true
			}
		}
		if w := &want[m.index]; len(got) > 0 {
			w.DependsOn = got
		}
	}
	if said >= 0 {
		same(refs, q.nodes[said])
	}
	for _, n := range p.nodes {
		if j := to(n.index); j >= 0 && j != said {
			same(n.dependsOn(), q.nodes[j])
		}
	}
	var edits []edit
	for _, n := range p.nodes {
		j := to(n.index)
		if j < 0 || j == said {
			continue
		}
		m := q.nodes[j]
		if meant[m] && n.id == "" {
			want[j].ID = m.id
		}
		if n.id != m.id || joinIDs(n.dependsOn()) != joinIDs(m.dependsOn()) {
			edits = append(edits, edit{m.text.start, m.text.end, string(p.src[n.text.start:n.text.end])})
		}
	}
	src, err := splice(q.src, edits)
	if err != nil {
		t.Fatal(err)
	}
	back := *q
	back.src = src
	return &back
}

// sameLinesBut demands that two files have the same lines in the same order,
// blank lines and white space around them aside, but for a run of lines.
func sameLinesBut(t testing.TB, p, q *Plan, oldAt, oldCount, newAt, newCount int) {
	t.Helper()
	a, b := filled(p.src), filled(q.src)
	if oldCount > 0 {
		a = append(a[:oldAt:oldAt], a[oldAt+oldCount:]...)
	}
	if newCount > 0 {
		b = append(b[:newAt:newAt], b[newAt+newCount:]...)
	}
	if x, y := strings.Join(a, "\n"), strings.Join(b, "\n"); x != y {
		t.Fatalf("lines outside of the item changed\nfrom %q\nto   %q", p.src, q.src)
	}
	headings := func(p *Plan) (all []string) {
		for _, h := range p.doc.headings {
			all = append(all, h.text)
		}
		return all
	}
	if x, y := headings(p), headings(q); strings.Join(x, "\n") != strings.Join(y, "\n") {
		t.Fatalf("headings changed from %q to %q", x, y)
	}
	if x, y := len(p.doc.bullets)-len(p.nodes), len(q.doc.bullets)-len(q.nodes); x != y && oldCount+newCount < 2 {
		t.Fatalf("plain list items changed from %d to %d", x, y)
	}
}

func (o *operator) remove() {
	p := o.p
	n, ref := o.item()
	want := modelOf(p)
	c, err := p.Remove(noLimits(HumanName), ref)
	if o.refused("remove", err) {
		return
	}
	end := subtreeEnd(want, n.index)
	want = append(want[:n.index:n.index], want[end:]...)
	q := carried(o.t, p, c.Plan, want, func(j int) int {
		switch {
		case j < n.index:
			return j
		case j < end:
			return -1
		}
		return j - end + n.index
	}, -1, nil)
	sameModel(o.t, "remove", modelOf(c.Plan), want)
	from, to := lineOf(p.src, n.lineStart), len(filled(p.src[:n.end]))
	sameLinesBut(o.t, p, q, from, to-from, 0, 0)
	if blank(c.Plan.src) > blank(p.src)+1 { // one may be needed to keep blocks apart
		o.t.Fatalf("blank lines grew: %q", c.Plan.src)
	}
	o.p = c.Plan
}

// blank counts the blank lines of a file.
func blank(src []byte) int {
	count := 0
	for line := range bytes.Lines(src) {
		if isBlank(line) {
			count++
		}
	}
	return count
}

func (o *operator) edit() {
	p, t := o.p, o.t
	n, ref := o.item()
	text := o.text()
	want := modelOf(p)
	c, err := p.Edit(noLimits(HumanName), ref, text)
	if o.refused("edit", err) {
		return
	}
	it, ok := readsAs(p, text)
	if !ok {
		t.Fatalf("%q was written and is no item by itself", text)
	}
	w := &want[n.index]
	w.Content = it.Content
	text = p.unbulleted(oneLine(text))
	if _, _, boxed := boxAt([]byte(text), span{0, len(text)}); boxed {
		w.Status = it.Status
	}
	for _, f := range []struct{ to, from *string }{{&w.ID, &it.ID}, {&w.Priority, &it.Priority}, {&w.Owner, &it.Owner}, {&w.DoneWhen, &it.DoneWhen}} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	refs := n.dependsOn()
	if len(it.DependsOn) > 0 {
		refs = it.DependsOn
	}
	q := carried(t, p, c.Plan, want, func(j int) int { return j }, n.index, refs)
	if given := c.Plan.nodes[n.index].id; w.ID == "" && slices.ContainsFunc(c.Plan.nodes, func(m *node) bool { return slices.Contains(m.dependsOn(), given) }) {
		w.ID = given
	}
	sameModel(t, fmt.Sprintf("edit %q to %q", n.content, text), modelOf(c.Plan), want)
	m := c.Plan.nodes[n.index]
	sameLinesBut(t, p, q, lineOf(p.src, n.mark.start), 1, lineOf(c.Plan.src, m.mark.start), 1)
	o.p = c.Plan
}

func (o *operator) note() {
	p, t := o.p, o.t
	n, ref := o.item()
	text := o.text()
	want := modelOf(p)
	c, err := p.Note(noLimits(HumanName), ref, text)
	if o.refused("note", err) {
		return
	}
	q := c.Plan
	got := modelOf(q)
	if len(got) != len(want) {
		t.Fatalf("note %q: %d items, want %d: %q", text, len(got), len(want), q.src)
	}
	for _, line := range filled([]byte(cleanNote(text))) {
		if !strings.Contains(got[n.index].Notes, line) {
			t.Fatalf("note %q is not in %q", text, got[n.index].Notes)
		}
	}
	if !isSubsequence(strings.Split(want[n.index].Notes, "\n"), strings.Split(got[n.index].Notes, "\n")) {
		t.Fatalf("note %q: the notes were %q, are %q", text, want[n.index].Notes, got[n.index].Notes)
	}
	want[n.index].Notes = got[n.index].Notes
	sameModel(t, fmt.Sprintf("note %q", text), got, want)
	if !isSubsequence(filled(p.src), filled(q.src)) {
		t.Fatalf("a note took lines away: %q", q.src)
	}
	o.p = q
}

func isSubsequence(a, b []string) bool {
	for _, line := range b {
		if len(a) > 0 && a[0] == line {
			a = a[1:]
		}
	}
	return len(a) == 0 || len(a) == 1 && a[0] == ""
}

// update passes a complete list: the last one, changed here and there, or one
// that is made anew.
func (o *operator) update() {
	switch o.next(6) {
	case 0:
		o.base = nil // a compaction
	case 1:
		o.last = List{}
	case 2, 3:
		o.last = ownList(o.p)
	}
	for range 1 + o.next(4) {
		o.last = o.changeList(o.last)
	}
	opts := UpdateOptions{Base: o.base, Mirrored: o.next(2) == 1, Retire: o.next(8) == 1, Replace: o.next(8) == 1}
	u, err := o.p.Update(noLimits("agent"), o.last, opts)
	if o.refused("update", err) {
		return
	}
	checkUpdate(o.t, o.p, u, o.last, opts)
	o.p, o.base = u.Plan, &u.Base
}

// ownList is the list of a plan as an agent repeats it.
func ownList(p *Plan) List {
	data, err := json.Marshal(map[string]any{"items": p.Items()})
	if err != nil {
		panic(err)
	}
	l, err := ReadList(data)
	if err != nil {
		return List{}
	}
	return l
}

// changeList returns another list: with an item more, less, moved, renamed, …
func (o *operator) changeList(l List) List {
	items := append([]ListItem(nil), l.Items...)
	i := o.next(len(items))
	at := func() *ListItem { return &items[i] }
	op := o.next(11)
	if len(items) == 0 {
		op = 0
	}
	switch op {
	case 0:
		items = append(items[:i:i], append([]ListItem{{Content: o.text()}}, items[i:]...)...)
	case 1:
		items = append(items[:i:i], items[i+1:]...)
	case 2:
		j := o.next(len(items))
		items[i], items[j] = items[j], items[i]
	case 3:
		at().Content += " more"
	case 4:
		at().Status = statuses[o.next(len(statuses))]
	case 5:
		at().Notes = o.text()
	case 6:
		s := fuzzTexts[o.next(len(fuzzTexts))]
		at().Priority = &s
	case 7: // into the one before
		if i > 0 {
			up := &items[i-1]
			up.Items = append(append([]ListItem{}, up.Items...), items[i])
			items = append(items[:i:i], items[i+1:]...)
		}
	case 8: // out of its parent
		if subs := at().Items; len(subs) > 0 {
			sub := subs[0]
			at().Items = append([]ListItem{}, subs[1:]...)
			items = append(items[:i+1:i+1], append([]ListItem{sub}, items[i+1:]...)...)
		}
	case 9:
		items = append(items, items[i]) // the same text twice
	case 10: // as agents that number their items
		for k := range items {
			id := fmt.Sprint((i + k) % 9)
			items[k].ID = &id
		}
	}
	return List{Items: items}
}

// bareLines returns the filled lines of a file that are no item's first line,
// without the markers that a move may give another number.
func bareLines(p *Plan, but func(*node) bool) map[string]int {
	lines := map[string]int{}
	skip := map[int]bool{}
	for _, n := range p.nodes {
		skip[lineOf(p.src, n.lineStart)] = true
		skip[lineOf(p.src, n.mark.start)] = true
		if but != nil && but(n) {
			for i := lineOf(p.src, n.lineStart); i < len(filled(p.src[:n.end])); i++ {
				skip[i] = true
			}
		}
	}
	for i, line := range filled(p.src) {
		if !skip[i] {
			lines[line]++
		}
	}
	return lines
}

// checkUpdate demands what holds for every list, whatever is in it.
func checkUpdate(t *testing.T, p *Plan, u Update, l List, o UpdateOptions) {
	t.Helper()
	q := u.Plan
	count := map[string]int{}
	gone := map[string]int{}
	for _, out := range u.Outcomes {
		count[out.Kind]++
		if out.Kind == OutcomeRemoved || out.Kind == OutcomeRetired {
			gone[out.Content]++
		}
		if out.Kind == OutcomeID && !slices.ContainsFunc(q.nodes, func(n *node) bool { return n.id == out.Detail }) {
			t.Fatalf("no item has the id %q that was not written: %v\n%q\n%q", out.Detail, u.Outcomes, p.src, q.src)
		}
	}
	if got, want := len(q.nodes), len(p.nodes)+count[OutcomeAdded]-count[OutcomeRemoved]-count[OutcomeRetired]; got != want {
		t.Fatalf("%d items, want %d: %v\n%q\n%q", got, want, u.Outcomes, p.src, q.src)
	}
	if o.Base == nil && !o.Replace && count[OutcomeRemoved]+count[OutcomeRenamed] > 0 {
		t.Fatalf("a first list removed or reworded: %v", u.Outcomes)
	}
	missing := 0
	for _, b := range u.Base.Items {
		if b.Gone && textKey(b.Said.Content) != noText {
			missing++
		}
	}
	if missing != count[OutcomeDeleted]+count[OutcomeDropped] {
		t.Fatalf("%d items of the list are not in the plan: %v\n%q\n%q\n%v", missing, u.Outcomes, p.src, q.src, l)
	}
	now := bareLines(q, nil)
	for line, n := range bareLines(p, func(n *node) bool { return gone[n.content] > 0 }) {
		if now[line] < n {
			t.Fatalf("the line %q is lost: %v\n%q\n%q", line, u.Outcomes, p.src, q.src)
		}
	}
	// Saying again what somebody else wrote otherwise wins, once.
	rounds := 1
	if count[OutcomeMerged] > 0 && !o.Mirrored {
		rounds = 2
	}
	for round := range rounds {
		again, err := q.Update(noLimits("agent"), l, UpdateOptions{Base: &u.Base, Mirrored: o.Mirrored})
		if err != nil {
			if rounds == 2 && errors.Is(err, ErrRule) {
				return // what would win is against a rule
			}
			t.Fatalf("the same list again: %v\n%q", err, q.src)
		}
		if round == rounds-1 && !bytes.Equal(again.Plan.src, q.src) {
			t.Fatalf("the same list again changes the file: %v\n%q\n%q\n%q\n%v\n%+v", again.Outcomes, p.src, q.src, again.Plan.src, l, u.Base)
		}
		q, u = again.Plan, again
	}
}

func FuzzUpdateJSON(f *testing.F) {
	names, err := filepath.Glob("testdata/lists/*")
	if err != nil {
		f.Fatal(err)
	}
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, byte(i))
	}
	for i, s := range []string{`["Write","Write",""]`, `{"items":[{"content":"a","items":[{"content":"Write"},{"content":"b"}]},{"content":"note me","notes":"- [ ] x\n# h"}]}`,
		`[{"content":"Read the docs","id":"a","depends_on":["b"]},{"content":"w","id":"b"}]`, `[{"id":1,"text":"Write"},{"id":"2","text":"#d: z (priority:: low)"}]`} {
		f.Add([]byte(s), byte(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed byte) {
		if len(data) > maxFuzzed {
			return
		}
		l, err := ReadList(data)
		if err != nil {
			if !errors.Is(err, ErrNotList) {
				t.Fatal(err)
			}
			return
		}
		p, err := Parse([]byte(updatePlans[int(seed)%len(updatePlans)]))
		if err != nil {
			t.Fatal(err)
		}
		u, err := p.Update(noLimits("agent"), l, UpdateOptions{})
		if err != nil {
			if !typed(err) {
				t.Fatal(err)
			}
			return
		}
		checkUpdate(t, p, u, l, UpdateOptions{})
		if !hasItems(modelOf(u.Plan), modelOf(p)) {
			t.Fatalf("a first list lost an item: %q", u.Plan.src)
		}
		checkSpans(t, u.Plan)
	})
}

// hasItems reports whether all items of want are among those of got, with
// their notes, whatever their status and fields are now.
func hasItems(got, want []modelItem) bool {
	for _, w := range want {
		i := 0
		for i < len(got) && (got[i].Content != w.Content || !strings.Contains(got[i].Notes, w.Notes)) {
			i++
		}
		if i == len(got) {
			return false
		}
		got = append(got[:i:i], got[i+1:]...)
	}
	return true
}

// updatePlans are the plans that FuzzUpdateJSON passes lists to.
var updatePlans = []string{
	"", "# Plan\n\nprose\n", "- [ ] Write\n- [x] Read the docs\n  a note\n- [>] Write\n", "# P\r\n\r\n1. [ ] Write\r\n   - [ ] b\r\n2. [ ] c",
	"intro\n1. [x] a\n2. [ ] Write\n", "- [ ] a\n\n  ```\n  note\n\n# Later\n\n* [ ] #b: Write\n\n* [!] #1: w\n",
	"---\nx: 1\n---\n\n# A\n<!-- todomd marks=\"-=in_progress\" -->\n- [-] Read the docs (priority:: high)\n\n# B\n- [ ] Write\n",
	"- plain\n  - [ ] Write\n    > quote\n\ntail\n", "- [ ] a\n\n```\nopen fence\n",
}

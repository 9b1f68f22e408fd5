package mdplan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxListSize is how many bytes a list may have: as many as a plan file, which
// has to hold what the list says.
const MaxListSize = MaxSize

const (
	// maxListItems is how many items a list may have, sub-items included.
	maxListItems = MaxItems
	// maxListDepth is how deep items may nest: as deep as in a plan file, which
	// has to be able to give its own list.
	maxListDepth = MaxDepth
	// maxListWraps bounds how many layers of a tool call are taken off: an
	// assistant's call has at most three, one of which may be quoted twice.
	maxListWraps = 8
	// maxListProblems keeps an answer short enough for an agent's context.
	maxListProblems = 20
)

// listExample stands in the errors, since a caller has to see what to send.
const listExample = `{"items":[{"content":"Write the tests","status":"pending"}]}`

// Where the list stands in a call. The own key comes first.
var listKeys = []string{"items", "todos", "tasks", "todo_list", "todoList", "plan"}

// What a whole tool call keeps its arguments in: the APIs' own names, and
// those of hook payloads and transcripts.
var listWraps = []string{"input", "arguments", "args", "parameters", "params",
	"tool_input", "function", "function_call", "functionCall"}

// ReadList reads a complete list as the todo tools of agents pass it: JSON in
// todomd's own form ({"items":[…]}), as a bare array, or as any known tool
// writes it, alone or with the whole tool call around it; or a Markdown
// checklist, as text or inside a JSON string. White space, a byte order mark
// and a code fence around it do not count. Keys that no tool uses are ignored.
// An item that is a string is its content.
//
// Contents are as they came, without the white space at their ends: a mark,
// an id or fields written inside a content are still in it. A description
// beside a title becomes the item's notes. In a checklist the marks mean what
// they mean in a plan file, but for the call of Roo Code's tool (an object
// whose "todos" is a string, or a <todos> element as the model writes it), where
// [-] is an item in progress. A text in which [Parse] finds items is read as
// Parse reads it. One without any, or with boxes besides that lack their bullet,
// is the string of a tool: all its boxes are items, also those that hold nothing
// or a word, but those in front matter, code, comments, HTML and quotes. What
// looks like an item and was not read as one is in [List.Ignored]; of that,
// [Session.Update] takes the boxes with nothing, a word or an unknown mark in
// them for items where their lines are not the plan file's.
//
// A plan as [Plan.Render] shows it is such a string, with numbers or without;
// one that was cut is refused, since it is not complete.
//
// Every error wraps [ErrNotList]; an [Errors] holds all problems of the
// list's items. Whether the items obey the rules is not asked here.
func ReadList(data []byte) (List, error) {
	if len(data) > MaxListSize {
		return List{}, listErrorf("the list has %d bytes, at most %d are read; leave finished items out", len(data), MaxListSize)
	}
	r := &listReader{}
	items, err := r.text(string(data), listMarks{}, 0)
	if err == nil {
		err = r.err()
	}
	if err != nil {
		return List{}, err
	}
	return List{Items: items, Ignored: r.ignored, source: r.source}, nil
}

// listError is an error of ReadList with a text of its own.
type listError struct{ msg string }

func (e *listError) Error() string { return e.msg }

func (e *listError) Unwrap() error { return ErrNotList }

func listErrorf(format string, args ...any) error {
	return &listError{fmt.Sprintf(format, args...)}
}

func notListf(format string, args ...any) error {
	return listErrorf("%v: %s; pass the complete list, such as %s", ErrNotList, fmt.Sprintf(format, args...), listExample)
}

// listReader collects what is wrong with single items, so that a caller can
// mend them all at once.
type listReader struct {
	problems Errors
	ignored  []Ignored
	source   *listSource
	count    int
}

// err returns the problems of the items, as many as a caller can use.
func (r *listReader) err() error {
	if more := len(r.problems) - maxListProblems; more > 0 {
		r.problems = append(r.problems[:maxListProblems:maxListProblems], listErrorf("and %d more problems", more))
	}
	return r.problems.or()
}

func (r *listReader) problemf(number, format string, args ...any) {
	r.problems = append(r.problems, listErrorf("Item %s: %s", number, fmt.Sprintf(format, args...)))
}

// text reads JSON or a Markdown checklist. A wrapped call may quote its
// arguments, so that this happens at more than one depth.
func (r *listReader) text(s string, marks listMarks, wraps int) ([]ListItem, error) {
	s = strings.TrimPrefix(s, "\ufeff")
	inner := unfence(s)
	body := strings.TrimSpace(inner)
	if body == "" {
		return nil, notListf("nothing was given")
	}
	if todos, ok := rawTodos(body); ok {
		return r.within("todos", todos, listMarks{roo: true}, wraps)
	}
	first := body[0]
	if first != '{' && first != '"' && (first != '[' || isChecklist(body) || !startsArray(body)) {
		// A plan file may begin and end with a fence.
		for _, text := range []string{s, inner} {
			items, err := r.markdown(text, marks)
			if err != nil || len(items) > 0 {
				return items, err
			}
			if inner == s {
				break
			}
		}
	}
	v, err := decodeJSON(s, body)
	if err != nil {
		if strings.IndexByte(`{["`, first) < 0 {
			return nil, notListf("neither JSON nor a Markdown checklist")
		}
		return nil, err
	}
	return r.value(v, marks, wraps)
}

// rawTodos returns the list in a call of Roo Code's update_todo_list as the
// model writes it: "<update_todo_list><todos>…</todos></update_todo_list>", which
// may stand behind prose. It is what {"todos":"…"} has. Below an item, the tag is
// a part of that item's notes.
func rawTodos(text string) (todos string, ok bool) {
	const open, shut = "<todos>", "</todos>"
	before, todos, ok := strings.Cut(text, open)
	if !ok || before != "" && !strings.HasSuffix(strings.TrimRight(before, " \t"), "\n") && !strings.HasSuffix(before, ">") {
		return "", false
	}
	for line := range strings.Lines(before) {
		if parseChecklistLine(line).ok || strings.ContainsAny(line[:1], `{["`) {
			return "", false
		}
	}
	if end := strings.LastIndex(todos, shut); end >= 0 {
		todos = todos[:end]
	}
	return todos, true
}

// isChecklist tells "[ ] a" from a JSON array: both start alike, and "[ ]"
// alone is the empty array.
func isChecklist(body string) bool {
	line, _, _ := strings.Cut(body, "\n")
	l := parseChecklistLine(line)
	return l.ok && l.mark+l.text != "" && !json.Valid([]byte(body))
}

// startsArray tells a JSON array from a Markdown text that begins with a link.
func startsArray(body string) bool {
	rest := strings.TrimLeft(body[1:], " \t\r\n")
	return rest == "" || strings.IndexByte(`[]{"-0123456789tfn`, rest[0]) >= 0
}

// unfence returns what is in the code fence around s, as a model's answer has
// one, else s.
func unfence(s string) string {
	open, rest, ok := strings.Cut(strings.TrimSpace(s), "\n")
	mark := listFence(open)
	if !ok || mark == "" {
		return s
	}
	body, ok := strings.CutSuffix(rest, mark)
	if !ok || body != "" && !strings.HasSuffix(body, "\n") {
		return s
	}
	return body
}

// decodeJSON decodes the one JSON value in body, a part of s; positions in
// errors are those in s.
func decodeJSON(s, body string) (any, error) {
	base := strings.Index(s, body)
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber() // an id of 20 digits has to stay what it is
	var v any
	err := d.Decode(&v)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, jsonErrorf(s, base+int(syntax.Offset)-1, "%v", err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, jsonErrorf(s, base+len(body), "the JSON ends too early")
	case err != nil:
		return nil, notListf("%v", err)
	}
	if rest := strings.TrimLeft(body[d.InputOffset():], " \t\r\n"); rest != "" {
		return nil, jsonErrorf(s, base+len(body)-len(rest), "%s stands after the end of the JSON", quoteStart(rest))
	}
	return v, nil
}

func jsonErrorf(s string, offset int, format string, args ...any) error {
	before := strings.TrimPrefix(s[:min(max(offset, 0), len(s))], "\ufeff")
	line := 1 + strings.Count(before, "\n")
	column := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return listErrorf("line %d, column %d: %v", line, column, notListf(format, args...))
}

// quoteStart quotes enough of a text to recognise it.
func quoteStart(s string) string {
	const enough = 20 // characters
	if r := []rune(s[:min(len(s), 4*enough+utf8.UTFMax)]); len(r) > enough {
		return fmt.Sprintf("%q…", string(r[:enough]))
	}
	return fmt.Sprintf("%q", s)
}

// value finds the list in a decoded call.
func (r *listReader) value(v any, marks listMarks, wraps int) ([]ListItem, error) {
	if wraps > maxListWraps {
		return nil, notListf("more than %d layers around it", maxListWraps)
	}
	switch v := v.(type) {
	case []any:
		return r.items(v, "", 1), nil
	case string:
		return r.text(v, marks, wraps+1)
	case map[string]any:
		return r.call(v, marks, wraps)
	}
	return nil, notListf("got %s", jsonKind(v))
}

func (r *listReader) call(obj map[string]any, marks listMarks, wraps int) ([]ListItem, error) {
	if obj["merge"] == true {
		// Taken as the complete list it would remove what it left out.
		return nil, notListf("a call with merge says only what changes")
	}
	// A list beside a text of the same call (a "plan" in prose) is the list.
	for _, key := range listKeys {
		if list, ok := obj[key].([]any); ok {
			return r.items(list, "", 1), nil
		}
	}
	for _, key := range listKeys {
		if _, isText := obj[key].(string); isText {
			return r.within(key, obj[key], listMarks{roo: key == "todos"}, wraps)
		}
		if call, isCall := obj[key].(map[string]any); isCall && holdsList(call) {
			return r.within(key, call, marks, wraps)
		}
	}
	for _, key := range listWraps {
		switch obj[key].(type) {
		case map[string]any, []any, string:
			return r.within(key, obj[key], marks, wraps)
		}
	}
	for _, key := range listKeys {
		if v, ok := obj[key]; ok {
			return nil, notListf("%q must be a list, got %s", key, jsonKind(v))
		}
	}
	if _, v := pick(obj, contentKeys); v != nil {
		return nil, notListf("got a single item")
	}
	return nil, notListf("got an object without \"items\"")
}

// holdsList reports whether an object has anything that a list could be in.
func holdsList(obj map[string]any) bool {
	has := func(key string) bool { return obj[key] != nil }
	return slices.ContainsFunc(listKeys, has) || slices.ContainsFunc(listWraps, has)
}

// within says of an error in which part of the call it is.
func (r *listReader) within(key string, v any, marks listMarks, wraps int) ([]ListItem, error) {
	items, err := r.value(v, marks, wraps+1)
	if err != nil {
		return nil, listErrorf("in %q: %v", key, err)
	}
	return items, nil
}

// items reads the items of a list; under is the number of their parent.
func (r *listReader) items(list []any, under string, depth int) []ListItem {
	items := make([]ListItem, 0, min(len(list), maxListItems))
	for i, v := range list {
		number := fmt.Sprintf("%s%d", under, i+1)
		if !r.room(number, depth) {
			break
		}
		it := r.item(v, number, depth)
		if isCut(it.Content) {
			r.problemf(number, "%v", cutError(it.Content))
		}
		items = append(items, it)
	}
	return items
}

// room counts an item and reports whether there may be one.
func (r *listReader) room(number string, depth int) bool {
	r.count++
	switch {
	case depth > maxListDepth:
		r.problemf(number, "nested more than %d levels deep", maxListDepth)
		return false
	case r.count == maxListItems+1:
		r.problems = append(r.problems, listErrorf("the list has more than %d items", maxListItems))
	}
	return r.count <= maxListItems
}

func (r *listReader) item(v any, number string, depth int) ListItem {
	var it ListItem
	switch v := v.(type) {
	case string:
		it.Content = strings.TrimSpace(v)
		return it
	case map[string]any:
		for _, f := range listFields {
			key, val := pick(v, f.keys)
			if key != "" && !f.set(&it, val) {
				r.problemf(number, "%s must be %s, got %s", key, f.want, jsonKind(val))
			}
		}
		if key, val := pick(v, subItemKeys); val != nil {
			subs, ok := val.([]any)
			if !ok {
				r.problemf(number, "%s must be a list of items, got %s", key, jsonKind(val))
			} else {
				it.Items = r.items(subs, number+".", depth+1)
			}
		}
		return it
	}
	r.problemf(number, "an item must be an object or a text, got %s", jsonKind(v))
	return it
}

// pick returns the first of the keys that has a value, else the first that is
// there at all, else "".
func pick(obj map[string]any, keys []string) (key string, v any) {
	for _, k := range keys {
		val, ok := obj[k]
		if !ok {
			continue
		}
		if val != nil && val != "" {
			return k, val
		}
		if key == "" {
			key, v = k, val
		}
	}
	return key, v
}

func jsonKind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case string:
		return "a text"
	case []any:
		return "a list"
	}
	return "an object"
}

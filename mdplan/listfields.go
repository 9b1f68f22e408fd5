package mdplan

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// contentKeys are what the todo tools call an item's text. "content" wins,
// and a title wins over the description beside it.
var contentKeys = []string{"content", "subject", "title", "step", "task", "text", "description"}

// subItemKeys are what an item keeps its sub-items in.
var subItemKeys = []string{"items", "subtasks", "children"}

// listField is how one field of an item is written in a call. set reports
// false if the value is of a type that can't be meant.
type listField struct {
	keys []string
	want string
	set  func(it *ListItem, v any) bool
}

// The fields of an item in every dialect; the first key is todomd's own. The
// order counts: a description needs the content, "completed" the status.
var listFields = []listField{
	{contentKeys, "a text", setContent},
	{[]string{"description"}, "a text", addDescription},
	{[]string{"notes"}, "a text", addNotes},
	{[]string{"status", "state"}, "a word", setStatus},
	{[]string{"completed", "done"}, "true or false", setCompleted},
	{[]string{"id"}, "a word or a number", setWord(func(it *ListItem) **string { return &it.ID }, trimID)},
	{[]string{"active_form", "activeForm"}, "a text", setWord(func(it *ListItem) **string { return &it.ActiveForm }, strings.TrimSpace)},
	{[]string{"priority"}, "a word or a number", setWord(func(it *ListItem) **string { return &it.Priority }, strings.TrimSpace)},
	{[]string{"owner"}, "a word", setWord(func(it *ListItem) **string { return &it.Owner }, strings.TrimSpace)},
	{[]string{"done_when", "doneWhen"}, "a path", setWord(func(it *ListItem) **string { return &it.DoneWhen }, strings.TrimSpace)},
	{[]string{"depends_on", "dependsOn", "blocked_by", "blockedBy"}, "a list of ids", setDependsOn},
}

func setContent(it *ListItem, v any) bool {
	s, ok := v.(string)
	it.Content = strings.TrimSpace(s)
	return ok || v == nil
}

// addDescription keeps the description that stands beside a title: it says
// what a later session needs in order to go on.
func addDescription(it *ListItem, v any) bool {
	if s, ok := v.(string); ok && strings.TrimSpace(s) != it.Content {
		return addNotes(it, v)
	}
	return true // what is not text is another tool's business
}

func addNotes(it *ListItem, v any) bool {
	var text string
	switch v := v.(type) {
	case nil:
	case string:
		text = v
	case []any:
		for _, line := range v {
			s, ok := line.(string)
			if !ok {
				return false
			}
			text += s + "\n"
		}
	default:
		return false
	}
	text = trimNotes(text)
	if it.Notes != "" && text != "" {
		text = "\n" + text
	}
	it.Notes += text
	return true
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// trimNotes leaves the indent of the first line, which may be code.
func trimNotes(s string) string {
	s = newlines.Replace(s)
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	start := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	return s[strings.LastIndexByte(s[:start], '\n')+1:]
}

func setStatus(it *ListItem, v any) bool {
	s, ok := v.(string)
	if strings.TrimSpace(s) != "" {
		it.Status = listStatus(s)
	}
	return ok || v == nil
}

// listStatus is ParseStatus with the word of VS Code's manage_todo_list.
func listStatus(word string) Status {
	status, ok := ParseStatus(word)
	if !ok && strings.EqualFold(strings.TrimSpace(word), "not-started") {
		return Pending
	}
	return status
}

// setCompleted reads the check box of tools that have no other status. Where
// the key holds something else, such as a time, it is an unknown key.
func setCompleted(it *ListItem, v any) bool {
	if done, ok := v.(bool); ok && it.Status == "" {
		it.Status = Pending
		if done {
			it.Status = Completed
		}
	}
	return true
}

// setWord sets a field of one value. null clears it as "" does.
func setWord(field func(*ListItem) **string, clean func(string) string) func(*ListItem, any) bool {
	return func(it *ListItem, v any) bool {
		s, ok := word(v)
		if !ok && v != nil {
			return false
		}
		s = clean(s)
		*field(it) = &s
		return true
	}
}

// setDependsOn takes a single id, or ids with commas between them, for a list.
func setDependsOn(it *ListItem, v any) bool {
	list, isList := v.([]any)
	if s, ok := v.(string); ok {
		for part := range strings.SplitSeq(s, ",") {
			list = append(list, part)
		}
	} else if !isList && v != nil {
		list = []any{v}
	}
	ids := []string{}
	for _, e := range list {
		s, ok := word(e)
		if !ok {
			return false
		}
		// A "#" may begin the text that is meant: it stays.
		if trimID(s) != "" {
			ids = append(ids, strings.TrimSpace(s))
		}
	}
	it.DependsOn = ids
	return true
}

// trimID takes the "#" off that an id is shown with.
func trimID(s string) string {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r == '#' || unicode.IsSpace(r) })
	return strings.TrimRightFunc(s, unicode.IsSpace)
}

// word returns a text, or a number as a person would write it: 1 for 1.0.
func word(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		const exact = 1 << 53 // a float64 holds every whole number up to this
		f, err := v.Float64()
		if err != nil || math.Abs(f) > exact || !strings.ContainsAny(v.String(), ".eE") {
			return v.String(), true
		}
		return strconv.FormatFloat(f, 'f', -1, 64), true
	}
	return "", false
}

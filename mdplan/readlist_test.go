package mdplan

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func listOf(its ...ListItem) []ListItem { return append([]ListItem{}, its...) }

func say(content string, status Status) ListItem { return ListItem{Content: content, Status: status} }

// listFixtures are calls as the tools of the field write them.
var listFixtures = map[string][]ListItem{
	"own.json": {
		{Content: "Read the requirements", Status: Completed, ID: new("read")},
		{Content: "Implement login", Status: InProgress, ID: new("login"), ActiveForm: new("Writing the login handler"),
			Priority: new("high"), DependsOn: []string{"read"}, Owner: new("worker-2"), DoneWhen: new("dist/login.js"),
			Notes: "bcrypt 4 fails on ARM",
			Items: listOf(say("Hash the password", ""), ListItem{Content: "Issue a session", Status: Blocked, Items: listOf()})},
		{Content: "Write the tests", ID: new(""), ActiveForm: new(""), Priority: new(""), DependsOn: []string{}, Owner: new(""), DoneWhen: new("")},
	},
	"array.json": listOf(say("Measure", Pending), say("Cut twice", ""), say("Sand", Completed)),
	"claude-code.json": {
		{Content: "Find the leak", Status: Completed, ActiveForm: new("Finding the leak")},
		{Content: "Close the socket", Status: InProgress, ActiveForm: new("Closing the socket")},
	},
	"codex.json":            listOf(say("Split the lexer off", Completed), say("Port the grammar", InProgress), say("Drop the old one", Pending)),
	"codex-call.json":       listOf(say("Port the grammar", Pending)),
	"codex-event.json":      listOf(say("Port the grammar", Completed), say("Drop the old one", Pending)),
	"chat-completions.json": listOf(say("Pack", Pending)),
	"gemini-cli.json":       listOf(say("Draw the map", Cancelled), say("Ask for the key", Blocked)),
	"opencode.json":         {{Content: "Bump the version", Status: Pending, ID: new("1"), Priority: new("high")}},
	"qwen-code.json":        {{Content: "Make the model", Status: Pending, ID: new("make-model")}},
	"crush.json":            {{Content: "Trace the request", Status: InProgress, ActiveForm: new("Tracing the request")}},
	"langchain.json":        listOf(say("Collect the sources", Pending)),
	"roo-code.json":         listOf(say("Read the schema", Completed), say("Write the migration", InProgress), say("Try it on a copy", Pending)),
	"vscode.json": {
		{Content: "Add the flag", Status: Completed, ID: new("1"), Notes: "cmd/root.go, beside --json"},
		{Content: "Document it", Status: Pending, ID: new("2")},
	},
	"kimi-cli.json": listOf(say("Warm the cache", Completed)),
	"tutorial.json": {{Content: "Set the table", Status: InProgress, ID: new("1")}},
	"claude-tasks.json": {
		{Content: "Make the index", Status: Completed, ID: new("1"), ActiveForm: new("Making the index"), DependsOn: []string{},
			Notes: "One row for each word.\nNo stemming."},
		{Content: "Search it", Status: Pending, ID: new("2"), DependsOn: []string{"1"}},
	},
	"checklist.md": {
		say("Read the requirements", Completed),
		{Content: "#login: Implement login (priority:: high)", Status: InProgress, Notes: "Try 1: the hash was cut off",
			Items: listOf(
				ListItem{Content: "Hash the password", Status: Pending, Items: listOf(say("Choose the cost", InProgress))},
				say("Issue a session", Blocked))},
		say("Captchas", Cancelled),
	},
	"fenced.txt": listOf(say("Unwrap", Pending)),
}

func TestReadListOfTools(t *testing.T) {
	files, err := os.ReadDir(filepath.Join("testdata", "lists"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(listFixtures) {
		t.Errorf("%d files, %d expected readings", len(files), len(listFixtures))
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join("testdata", "lists", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		checkReadList(t, f.Name(), string(data), listFixtures[f.Name()])
		checkReadList(t, f.Name()+" with BOM and CRLF", "\ufeff\r\n"+strings.ReplaceAll(string(data), "\n", "\r\n"), listFixtures[f.Name()])
	}
}

func checkReadList(t *testing.T, name, data string, want []ListItem) {
	t.Helper()
	got, err := ReadList([]byte(data))
	if err != nil {
		t.Errorf("%s: %v", name, err)
	} else if !reflect.DeepEqual(got.Items, want) {
		t.Errorf("%s: read\n%s\nwant\n%s", name, asJSON(got.Items), asJSON(want))
	}
}

func asJSON(its []ListItem) string {
	b, err := json.MarshalIndent(its, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func TestReadList(t *testing.T) {
	id := func(content, id string) ListItem { return ListItem{Content: content, ID: &id} }
	deps := func(ids ...string) ListItem { return ListItem{Content: "a", DependsOn: append([]string{}, ids...)} }
	for _, test := range []struct {
		in   string
		want []ListItem
	}{
		// Containers.
		{`[]`, listOf()},
		{`[ ]`, listOf()},
		{`{"items":[]}`, listOf()},
		{`{"todo_list":["a"]}`, listOf(say("a", ""))},
		{`{"plan":"first read, then write","tasks":["a"]}`, listOf(say("a", ""))},
		{`{"plan":{"items":["a"]}}`, listOf(say("a", ""))},
		{`{"todos":"[{\"content\":\"a\"}]"}`, listOf(say("a", ""))},
		{`"{\"items\":[\"a\"]}"`, listOf(say("a", ""))},
		{`{"tool_name":"TodoWrite","tool_input":{"todos":["a"]},"tool_response":{"todos":["b"]}}`, listOf(say("a", ""))},
		{`{"method":"tools/call","params":{"name":"todo","arguments":{"items":["a"]}}}`, listOf(say("a", ""))},
		{`{"items":["a"],"items":["b"]}`, listOf(say("b", ""))},
		{"  \n```\n[\"a\"]\n```  \n", listOf(say("a", ""))},

		// Contents.
		{`[" a\tb \n"]`, listOf(say("a\tb", ""))},
		{`["a\n  b"]`, listOf(say("a\n  b", ""))},
		{`["- [x] #id: a (priority:: high)"]`, listOf(say("- [x] #id: a (priority:: high)", ""))},
		{`[{"title":"t","description":"d","content":"c"}]`, []ListItem{{Content: "c", Notes: "d"}}},
		{`[{"title":"t","description":"d","notes":"n"}]`, []ListItem{{Content: "t", Notes: "d\nn"}}},
		{`[{"title":"","description":"d"}]`, listOf(say("d", ""))},
		{`[{"content":"c","description":{"type":"string"}}]`, listOf(say("c", ""))},
		{`[{"foo":1}]`, listOf(say("", ""))},
		{`[{"content":null}]`, listOf(say("", ""))},
		{`["\ud800 $1 %s \\n 私 e\u0301"]`, listOf(say("\ufffd $1 %s \\n 私 e\u0301", ""))},
		{`[{"content":"c","notes":["one","two"]}]`, []ListItem{{Content: "c", Notes: "one\ntwo"}}},
		{`[{"content":"c","notes":"\n  code\r\n  more\n\n"}]`, []ListItem{{Content: "c", Notes: "  code\n  more"}}},

		// Statuses.
		{`[{"content":"a","status":"In Progress"}]`, listOf(say("a", InProgress))},
		{`[{"content":"a","status":"doing"}]`, listOf(say("a", "doing"))},
		{`[{"content":"a","status":null},{"content":"b","status":" "}]`, listOf(say("a", ""), say("b", ""))},
		{`[{"content":"a","done":true,"status":"blocked"}]`, listOf(say("a", Blocked))},
		{`[{"content":"a","completed":"2024-02-03"}]`, listOf(say("a", ""))},

		// Ids.
		{`[{"content":"a","id":1},{"content":"b","id":1.0},{"content":"c","id":1.50},{"content":"d","id":12345678901234567890}]`,
			listOf(id("a", "1"), id("b", "1"), id("c", "1.5"), id("d", "12345678901234567890"))},
		{`[{"content":"a","id":1e2},{"content":"b","id":1e999},{"content":"c","id":" #x "}]`, listOf(id("a", "100"), id("b", "1e999"), id("c", "x"))},
		{`[{"content":"a","depends_on":["1",2,3.0,"#x",""]}]`, listOf(deps("1", "2", "3", "#x"))},
		{`[{"content":"a","dependsOn":"x, y"}]`, listOf(deps("x", "y"))},
		{`[{"content":"a","blocked_by":4}]`, listOf(deps("4"))},
		{`[{"content":"a","blockedBy":null}]`, listOf(deps())},
		{`[{"content":"a","depends_on":""}]`, listOf(deps())},
		{`[{"content":"a","depends_on":[],"dependsOn":["x"]}]`, listOf(deps())},
		{`[{"content":"a","active_form":"","activeForm":"x"}]`, []ListItem{{Content: "a", ActiveForm: new("x")}}},
		{`[{"content":"a","priority":1}]`, []ListItem{{Content: "a", Priority: new("1")}}},
		{`[{"content":"a","items":null}]`, listOf(say("a", ""))},
		{`[{"content":"a","subtasks":["b"]}]`, []ListItem{{Content: "a", Items: listOf(say("b", ""))}}},

		// Checklists.
		{"[ ] a\n[x] b", listOf(say("a", Pending), say("b", Completed))},
		{`"- [ ] a\r\n- [X] b"`, listOf(say("a", Pending), say("b", Completed))},
		{"* [/] a\n+ [-] b\n[]  c\n2. [ ]* d\n3. [ ]", listOf(say("a", InProgress), say("b", Cancelled), say("c", Pending), say("d", Pending), say("", Pending))},
		{"1. [completed] a\n2. [in progress] b\n[TODO] c", listOf(say("a", Completed), say("b", InProgress), say("c", Pending))},
		{"- [ ] a\n- [link](x) b\n[1] note", listOf(say("a", Pending))},
		{"Here it is:\n```md\n- [ ] no\n```\n- [ ] a", listOf(say("a", Pending))},
		{"```md\n- [ ] a\n```", listOf(say("a", Pending))},
		{"[ ] a\n  [>] b\n\t[x] c\n  [ ] d\n[ ] e", []ListItem{
			{Content: "a", Status: Pending, Items: listOf(ListItem{Content: "b", Status: InProgress, Items: listOf(say("c", Completed))}, say("d", Pending))},
			say("e", Pending)}},
		{"- [ ] a\n - [ ] b", listOf(say("a", Pending), say("b", Pending))},
		{"- [ ] a\n- forgot the box\n\n- a bullet in prose", listOf(say("a", Pending))},
		{"- [ ] a\n\n  one\n\n      two\n\nprose\n\n  more prose", []ListItem{{Content: "a", Status: Pending, Notes: "one\n\n    two"}}},
		{"- [ ] a\n  ```sh\n  - [ ] no\n  ```\n- [ ] b", []ListItem{{Content: "a", Status: Pending, Notes: "```sh\n- [ ] no\n```"}, say("b", Pending)}},
		{"- [ ] a\n> - [ ] quoted", listOf(say("a", Pending))},
		{"- [ ] a\n  - detail\n  wraps", []ListItem{{Content: "a", Status: Pending, Notes: "- detail\nwraps"}}},
		{"- [ ] \xff", listOf(say("\ufffd", Pending))},
		{`{"items":"- [-] a"}`, listOf(say("a", Cancelled))},
		{`{"name":"update_todo_list","input":{"todos":"- [-] a\n- [~] b"}}`, listOf(say("a", InProgress), say("b", InProgress))},
		{`{"todos":"- [-] a\n- [>] b"}`, listOf(say("a", Cancelled), say("b", InProgress))},
	} {
		checkReadList(t, test.in, test.in, test.want)
	}
}

func TestReadListErrors(t *testing.T) {
	const example = "; pass the complete list, such as " + listExample
	for _, test := range []struct{ in, want string }{
		{"", "not a list of items: nothing was given" + example},
		{" \ufeff", "not a list of items: neither JSON nor a Markdown checklist" + example},
		{"5", "not a list of items: got a number" + example},
		{"null", "not a list of items: got null" + example},
		{"All done!", "not a list of items: neither JSON nor a Markdown checklist" + example},
		{"{\n \"items\": [ü]}", "line 2, column 12: not a list of items: invalid character 'Ã' looking for beginning of value" + example},
		{"\ufeff{\"é\":}", "line 1, column 6: not a list of items: invalid character '}' looking for beginning of value" + example},
		{"```json\n[1,]\n```", "line 2, column 4: not a list of items: invalid character ']' looking for beginning of value" + example},
		{`{"items":[`, "line 1, column 11: not a list of items: the JSON ends too early" + example},
		{"[] \n and more", "line 2, column 2: not a list of items: \"and more\" stands after the end of the JSON" + example},
		{`{"todos":"- [ ] a` + "\n- [ ] b\"}", "line 1, column 18: not a list of items: invalid character '\\n' in string literal" + example},
		{`{"arguments":"{"}`, "in \"arguments\": line 1, column 2: not a list of items: the JSON ends too early" + example},
		{`{"items":null}`, `not a list of items: "items" must be a list, got null` + example},
		{`{"items":{"a":1}}`, `not a list of items: "items" must be a list, got an object` + example},
		{`{"plan":{"content":"a"}}`, `not a list of items: "plan" must be a list, got an object` + example},
		{`{"todos":{"plan":7}}`, `in "todos": not a list of items: "plan" must be a list, got a number` + example},
		{"<todos></todos>", `in "todos": not a list of items: nothing was given` + example},
		{`{"todos":""}`, `in "todos": not a list of items: nothing was given` + example},
		{`{"subject":"a","description":"b"}`, "not a list of items: got a single item" + example},
		{`{"action":"read"}`, `not a list of items: got an object without "items"` + example},
		{`{"merge":true,"todos":[{"id":"1","status":"completed"}]}`, "not a list of items: a call with merge says only what changes" + example},
		{"- [ ] a\n```\n- [ ] b", "line 2: not a list of items: a fence opens here and has no end, so the items below it would be lost" + example},
		{`[{"content":"a"},{"content":5,"status":3},[],{"content":"a","items":[7,{"content":"b","depends_on":{}}]}]`,
			"Item 2: content must be a text, got a number\n" +
				"Item 2: status must be a word, got a number\n" +
				"Item 3: an item must be an object or a text, got a list\n" +
				"Item 4.1: an item must be an object or a text, got a number\n" +
				"Item 4.2: depends_on must be a list of ids, got an object"},
		{`[{"title":"a","id":true,"activeForm":[],"notes":[1],"blockedBy":[null],"items":"x"}]`,
			"Item 1: notes must be a text, got a list\n" +
				"Item 1: id must be a word or a number, got true or false\n" +
				"Item 1: activeForm must be a text, got a list\n" +
				"Item 1: blockedBy must be a list of ids, got a list\n" +
				"Item 1: items must be a list of items, got a text"},
		{"[" + strings.Repeat("1,", 99) + "1]", strings.TrimPrefix(func() string {
			var s strings.Builder
			for i := range maxListProblems {
				fmt.Fprintf(&s, "\nItem %d: an item must be an object or a text, got a number", i+1)
			}
			return s.String() + "\nand 80 more problems"
		}(), "\n")},
	} {
		_, err := ReadList([]byte(test.in))
		if err == nil {
			t.Errorf("%s: no error", test.in)
			continue
		}
		if err.Error() != test.want {
			t.Errorf("%s: error\n%v\nwant\n%s", test.in, err, test.want)
		}
		if !errors.Is(err, ErrNotList) {
			t.Errorf("%s: does not wrap ErrNotList: %#v", test.in, err)
		}
	}
}

// The raw call of Roo Code's tool reads as the same text in its JSON does.
func TestReadListOfRooCode(t *testing.T) {
	ab := listOf(say("a", Completed), say("b", InProgress))
	for in, want := range map[string][]ListItem{
		"<update_todo_list>\n<todos>\n[x] a\n[-] b\n</todos>\n</update_todo_list>\n":  ab,
		"<update_todo_list><todos>[x] a\n[-] b</todos></update_todo_list>":            ab,
		"<todos>\r\n- [x] a\r\n- [-] b\r\n</todos>":                                   ab,
		"I go on.\n\n<update_todo_list>\n  <todos>\n[x] a\n[-] b\n":                   ab,
		"```xml\n<todos>\n[x] a\n[-] b\n</todos>\n```":                                ab,
		"<todos>\n[ ] a </todos> tag\n[-] b\n</todos>":                                listOf(say("a </todos> tag", Pending), say("b", InProgress)),
		"<todos>\n[>] a\n[-] b\n</todos>":                                             listOf(say("a", InProgress), say("b", Cancelled)),
		"[ ] read <todos>\n[-] b":                                                     listOf(say("read <todos>", Pending), say("b", Cancelled)),
		"- [ ] a\n  ```\n<todos>\n[-] b\n```":                                         listOf(ListItem{Content: "a", Status: Pending, Notes: "  ```\n<todos>\n[-] b\n```"}),
		"All is well with <todos> here\n- [-] b":                                      listOf(say("b", Cancelled)),
		"{\"arguments\":\"<update_todo_list>\\n<todos>\\n[x] a\\n[-] b\\n</todos>\"}": ab,
	} {
		l, err := ReadList([]byte(in))
		if err != nil || !reflect.DeepEqual(l.Items, want) {
			t.Errorf("%q:\n%+v, %v\nwant\n%+v", in, l.Items, err, want)
		}
	}
}

func TestReadListLimits(t *testing.T) {
	array := func(n int) string { return "[" + strings.Repeat(`"a",`, n-1) + `"a"]` }
	checklist := func(n int) string { return strings.Repeat("- [ ] a\n", n) }
	nested := func(n int) string {
		return "[" + strings.Repeat(`{"content":"a","items":[`, n-1) + `"a"` + strings.Repeat("]}", n-1) + "]"
	}
	indented := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat("  ", i) + "- [ ] a\n")
		}
		return b.String()
	}
	wrapped := func(n int) string {
		return strings.Repeat(`{"input":`, n) + `["a"]` + strings.Repeat("}", n)
	}
	sized := func(n int) string { return `["` + strings.Repeat("a", n-4) + `"]` }
	for _, test := range []struct {
		name string
		of   func(int) string
		most int
		want string
	}{
		{"items", array, maxListItems, "more than 10000 items"},
		{"checklist items", checklist, maxListItems, "more than 10000 items"},
		{"depth", nested, maxListDepth, "nested more than 100 levels deep"},
		{"checklist depth", indented, maxListDepth, "nested more than 100 levels deep"},
		{"wraps", wrapped, maxListWraps, "more than 8 layers around it"},
		{"size", sized, MaxListSize, "at most 1048576 are read"},
	} {
		if _, err := ReadList([]byte(test.of(test.most))); err != nil {
			t.Errorf("%s: %.200v", test.name, err)
		}
		_, err := ReadList([]byte(test.of(test.most + 1)))
		if err == nil || !strings.Contains(err.Error(), test.want) || !errors.Is(err, ErrNotList) {
			t.Errorf("%s: error %.200v, want %q", test.name, err, test.want)
		}
	}
	if _, err := ReadList([]byte(strings.Repeat("[", MaxListSize))); !errors.Is(err, ErrNotList) {
		t.Errorf("deep JSON: %v", err)
	}
}

func TestListJSON(t *testing.T) {
	for _, test := range []struct {
		list List
		want string
	}{
		{List{}, `{"items":[]}`},
		{List{Items: listOf(say("a", ""))}, `{"items":[{"content":"a"}]}`},
		{List{Items: []ListItem{{Content: "a", ID: new(""), DependsOn: []string{}, Items: listOf()}}}, `{"items":[{"content":"a","id":"","depends_on":[],"items":[]}]}`},
	} {
		got, err := json.Marshal(test.list)
		if err != nil || string(got) != test.want {
			t.Errorf("%s, %v; want %s", got, err, test.want)
		}
	}
}

func FuzzReadList(f *testing.F) {
	for name := range listFixtures {
		data, err := os.ReadFile(filepath.Join("testdata", "lists", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`[{"content":" a","id":-0.0,"depends_on":" # #x,","notes":"\r\r\n b","status":" \t"}]`))
	f.Add([]byte("- [ ] a\n\t1. [x]\tb\n```\n~~~\n<!--"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ReadList(data)
		if err != nil {
			if !errors.Is(err, ErrNotList) {
				t.Fatalf("does not wrap ErrNotList: %v", err)
			}
			return
		}
		own, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		if len(own) > MaxListSize {
			return // escapes can make it longer than the limit
		}
		again, err := ReadList(own)
		if err != nil {
			t.Fatalf("%s: %v", own, err)
		}
		if list.Items == nil {
			list.Items = listOf() // a list without items has one form
		}
		if !reflect.DeepEqual(again.Items, list.Items) {
			t.Fatalf("read\n%s\nand again\n%s", asJSON(list.Items), asJSON(again.Items))
		}
	})
}

package mdplan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// toolKeywords are the keywords of JSON Schema that no API refuses in a tool.
var toolKeywords = []string{"type", "description", "enum", "properties", "required", "items"}

func TestSchemaForms(t *testing.T) {
	for _, test := range []struct {
		api, keys string
		params    []string // where the schema of the arguments stands
	}{
		{"anthropic", "description input_schema name", []string{"input_schema"}},
		{"openai", "function type", []string{"function", "parameters"}},
		{"openai-responses", "description name parameters strict type", []string{"parameters"}},
		{"gemini", "description name parameters", []string{"parameters"}},
	} {
		t.Run(test.api, func(t *testing.T) {
			def := schemaOf(t, test.api)
			if got := strings.Join(slices.Sorted(maps.Keys(def)), " "); got != test.keys {
				t.Errorf("keys %s, want %s", got, test.keys)
			}
			if strict, ok := def["strict"]; ok && strict != false {
				t.Errorf("strict is %v", strict)
			}
			tool := def
			if f, ok := def["function"].(map[string]any); ok {
				tool = f
			}
			if tool["name"] != "todo" {
				t.Errorf("name %v", tool["name"])
			}
			// OpenAI refuses longer ones, others cut at 2,000.
			if d, ok := tool["description"].(string); !ok || d == "" || len(d) > 1024 {
				t.Errorf("description of %d bytes", len(d))
			}
			params := def
			for _, key := range test.params {
				params = params[key].(map[string]any)
			}
			keyName := regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`) // Anthropic's rule
			walkSchema(params, func(s map[string]any) {
				for key := range s {
					if !slices.Contains(toolKeywords, key) {
						t.Errorf("keyword %q is not taken everywhere", key)
					}
				}
				name, _ := s["type"].(string)
				if upper := name == strings.ToUpper(name); name == "" || upper != (test.api == "gemini") {
					t.Errorf("type %q", name)
				}
				if s["enum"] != nil && !strings.EqualFold(name, "string") {
					t.Errorf("an enum of type %q", name)
				}
				props, _ := s["properties"].(map[string]any)
				for key := range props {
					if !keyName.MatchString(key) {
						t.Errorf("key %q", key)
					}
				}
				required, _ := s["required"].([]any)
				for _, key := range required {
					if props[key.(string)] == nil {
						t.Errorf("%v is required and not defined", key)
					}
				}
			})
			call := `{"items":[{"content":"a","status":"in_progress","active_form":"b","id":"c","depends_on":["d"],
				"priority":"e","owner":"f","notes":"g","items":[{"content":"h","status":"pending"}]}]}`
			var v any
			if err := json.Unmarshal([]byte(call), &v); err != nil {
				t.Fatal(err)
			}
			for _, problem := range validate(params, params, v, "") {
				t.Error(problem)
			}
			checkReadList(t, test.api, call, []ListItem{{Content: "a", Status: InProgress, ActiveForm: new("b"), ID: new("c"),
				DependsOn: []string{"d"}, Priority: new("e"), Owner: new("f"), Notes: "g", Items: listOf(say("h", Pending))}})
		})
	}
}

// TestSchemaTakesLists checks the neutral schema by the form that it is of.
func TestSchemaTakesLists(t *testing.T) {
	root := schemaOf(t, "")
	check := func(src string) []string {
		var v any
		if err := json.Unmarshal([]byte(src), &v); err != nil {
			t.Fatal(err)
		}
		return validate(root, root, v, "")
	}
	for name, its := range listFixtures {
		if name == "checklist.md" {
			continue // has a status that the schema refuses as the rules do
		}
		own, err := json.Marshal(List{Items: its})
		if err != nil {
			t.Fatal(err)
		}
		if problems := check(string(own)); len(problems) > 0 {
			t.Errorf("%s: %q", name, problems)
		}
	}
	if problems := check(listExample); len(problems) > 0 {
		t.Errorf("%s: %q", listExample, problems)
	}
	want := []string{`.items[0].items[0]: content is missing`, `.items[0].status: "doing" is not in the enum`}
	if got := check(`{"items":[{"content":"a","status":"doing","items":[{}]}]}`); !reflect.DeepEqual(got, want) {
		t.Errorf("problems %q, want %q", got, want)
	}
	// What a field of an item is called must not differ from what is read.
	item := reflect.TypeFor[ListItem]()
	props := root["$defs"].(map[string]any)["item"].(map[string]any)["properties"].(map[string]any)
	if len(props) != item.NumField() {
		t.Errorf("%d keys for %d fields", len(props), item.NumField())
	}
	for i := range item.NumField() {
		key, _, _ := strings.Cut(item.Field(i).Tag.Get("json"), ",")
		if props[key] == nil {
			t.Errorf("no key %q", key)
		}
	}
}

func TestSchemaBytes(t *testing.T) {
	for _, api := range []string{"", "anthropic", "openai", "openai-responses", "gemini"} {
		a, err := Schema(api)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := Schema(api)
		if !bytes.Equal(a, b) {
			t.Errorf("%q: two calls differ", api)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, bytes.TrimSpace(a), "", "  "); err != nil || string(a) != indented.String()+"\n" {
			t.Errorf("%q: not indented JSON with a line break at its end: %v", api, err)
		}
		if i, j := bytes.Index(a, []byte(`"content"`)), bytes.Index(a, []byte(`"active_form"`)); i < 0 || i > j {
			t.Errorf("%q: the content is not the first key", api)
		}
	}
	_, err := Schema("Anthropic")
	if want := `unknown API "Anthropic": want one of anthropic, openai, openai-responses, gemini`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func schemaOf(t *testing.T, api string) map[string]any {
	t.Helper()
	data, err := Schema(api)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func walkSchema(s map[string]any, visit func(map[string]any)) {
	visit(s)
	if its, ok := s["items"].(map[string]any); ok {
		walkSchema(its, visit)
	}
	props, _ := s["properties"].(map[string]any)
	for _, p := range props {
		walkSchema(p.(map[string]any), visit)
	}
}

// validate knows the keywords that the schemas use.
func validate(root, s map[string]any, v any, at string) (problems []string) {
	if ref, ok := s["$ref"].(string); ok {
		s = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	fail := func(format string, args ...any) []string {
		return append(problems, fmt.Sprintf("%s: ", at)+fmt.Sprintf(format, args...))
	}
	switch kind := strings.ToLower(fmt.Sprint(s["type"])); v := v.(type) {
	case string:
		if kind != "string" {
			return fail("a string, not of type %s", kind)
		}
		if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, any(v)) {
			return fail("%q is not in the enum", v)
		}
	case []any:
		if kind != "array" {
			return fail("an array, not of type %s", kind)
		}
		for i, e := range v {
			problems = append(problems, validate(root, s["items"].(map[string]any), e, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case map[string]any:
		if kind != "object" {
			return fail("an object, not of type %s", kind)
		}
		required, _ := s["required"].([]any)
		for _, key := range required {
			if v[key.(string)] == nil {
				problems = fail("%s is missing", key)
			}
		}
		props, _ := s["properties"].(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if p, ok := props[key].(map[string]any); ok {
				problems = append(problems, validate(root, p, v[key], at+"."+key)...)
			} else {
				problems = fail("key %q is not defined", key)
			}
		}
	default:
		return fail("a %T", v)
	}
	return problems
}

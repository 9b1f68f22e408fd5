package mdplan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// todoTool is what the todo tool is called in every API.
const todoTool = "todo"

// toolDepth is how deep the items of a tool's definition nest. Gemini and
// Anthropic refuse references in a tool's schema, so that sub-items have to be
// written out, and each level costs the tokens of a whole item.
const toolDepth = 2

// schemaAPIs are the forms of [Schema], in the order in which its error names
// them. No form sets strict: it demands every key in every call, and a key
// that is null clears the field that it should leave alone.
var schemaAPIs = []struct {
	name string
	make func() any
}{
	{"anthropic", func() any {
		return struct {
			Name        string      `json:"name"`
			Description string      `json:"description"`
			InputSchema *jsonSchema `json:"input_schema"`
		}{todoTool, toolDescription(), toolSchema()}
	}},
	{"openai", func() any {
		return struct {
			Type     string         `json:"type"`
			Function openAIFunction `json:"function"`
		}{"function", openAIFunction{todoTool, toolDescription(), toolSchema()}}
	}},
	{"openai-responses", func() any {
		return struct {
			Type string `json:"type"`
			openAIFunction
			Strict bool `json:"strict"` // left out, the Responses API sets it
		}{"function", openAIFunction{todoTool, toolDescription(), toolSchema()}, false}
	}},
	{"gemini", func() any {
		s := toolSchema()
		s.upperTypes()
		return openAIFunction{todoTool, toolDescription(), s}
	}},
}

// openAIFunction is what Gemini calls a function declaration.
type openAIFunction struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Parameters  *jsonSchema `json:"parameters"`
}

// Schema returns the definition of the todo tool as a model's API takes it:
// an element of "tools" for "anthropic", "openai" (Chat Completions) and
// "openai-responses", an element of "functionDeclarations" for "gemini"; and
// for "" the JSON Schema of a list, which is what [ReadList] reads of them
// all. It is indented JSON that ends in a line break, the same bytes at each
// call. An unknown API is an error that names those that there are.
func Schema(api string) ([]byte, error) {
	if api == "" {
		return indentJSON(listSchema())
	}
	names := make([]string, len(schemaAPIs))
	for i, a := range schemaAPIs {
		if a.name == api {
			return indentJSON(a.make())
		}
		names[i] = a.name
	}
	return nil, fmt.Errorf("unknown API %q: want one of %s", api, strings.Join(names, ", "))
}

func indentJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// jsonSchema has the keywords that every API takes, and those of the neutral
// schema.
type jsonSchema struct {
	Dialect     string      `json:"$schema,omitempty"`
	Ref         string      `json:"$ref,omitempty"`
	Title       string      `json:"title,omitempty"`
	Type        string      `json:"type,omitempty"`
	Description string      `json:"description,omitempty"`
	Enum        []Status    `json:"enum,omitempty"`
	Properties  schemaProps `json:"properties,omitempty"`
	Required    []string    `json:"required,omitempty"`
	Items       *jsonSchema `json:"items,omitempty"`
	Defs        schemaProps `json:"$defs,omitempty"`
}

// schemaProps keeps its order: models fill keys in the order of the schema.
type schemaProps []schemaProp

type schemaProp struct {
	name   string
	schema *jsonSchema
}

func (ps schemaProps) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := indentJSON(p.schema)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", p.name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func textSchema(description string) *jsonSchema {
	return &jsonSchema{Type: "string", Description: description}
}

// itemProps are the keys of an item but for its sub-items.
func itemProps() schemaProps {
	return schemaProps{
		{"content", textSchema("What is to be done, in one short line.")},
		{"status", &jsonSchema{Type: "string", Description: "How it stands.", Enum: Statuses()}},
		{"active_form", textSchema("What is being done, shown while the item is in progress, such as \"Writing the tests\".")},
		{"id", textSchema("A short name that depends_on can refer to: letters, digits, '.', '_' and '-'.")},
		{"depends_on", &jsonSchema{Type: "array", Description: "The ids of the items that have to be closed before this one starts.", Items: &jsonSchema{Type: "string"}}},
		{"priority", textSchema("Such as high, medium or low.")},
		{"owner", textSchema("Who works on it, if it is not you.")},
		{"notes", textSchema("What a later session needs to know, such as a failed attempt and its error. Appended to the notes that the item has.")},
	}
}

// toolSchema is the schema of a tool's arguments.
func toolSchema() *jsonSchema {
	return &jsonSchema{
		Type:       "object",
		Properties: schemaProps{{"items", toolItems(1)}},
		Required:   []string{"items"},
	}
}

func toolItems(depth int) *jsonSchema {
	list := &jsonSchema{
		Type:        "array",
		Description: "The complete list, in the order of the work.",
		Items: &jsonSchema{
			Type:       "object",
			Properties: itemProps(),
			Required:   []string{"content", "status"},
		},
	}
	if depth > 1 {
		list.Description = "The steps of this item. Leave it out to keep those that it has."
	}
	if depth < toolDepth {
		list.Items.Properties = append(list.Items.Properties, schemaProp{"items", toolItems(depth + 1)})
	}
	return list
}

// upperTypes writes the types as Gemini's Type enumeration names them.
func (s *jsonSchema) upperTypes() {
	s.Type = strings.ToUpper(s.Type)
	for _, p := range s.Properties {
		p.schema.upperTypes()
	}
	if s.Items != nil {
		s.Items.upperTypes()
	}
}

// listSchema is the JSON Schema of a list in todomd's own form.
func listSchema() *jsonSchema {
	items := &jsonSchema{Type: "array", Items: &jsonSchema{Ref: "#/$defs/item"}}
	item := &jsonSchema{Type: "object", Required: []string{"content"}}
	item.Properties = append(itemProps(),
		schemaProp{"done_when", textSchema("A path whose existence completes the item.")},
		schemaProp{"items", items})
	return &jsonSchema{
		Dialect:     "https://json-schema.org/draft/2020-12/schema",
		Title:       todoTool,
		Type:        "object",
		Description: "A complete list of the items of a plan.",
		Properties:  schemaProps{{"items", items}},
		Required:    []string{"items"},
		Defs:        schemaProps{{"item", item}},
	}
}

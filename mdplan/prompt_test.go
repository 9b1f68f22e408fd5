package mdplan

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPrompt(t *testing.T) {
	p := Prompt()
	// It is paid for in every request of an agent.
	if n := utf8.RuneCountInString(p); n > 1200 {
		t.Errorf("%d characters, want at most 1200", n)
	}
	if !strings.HasSuffix(p, ".\n") || strings.Contains(p, "\n\n\n") {
		t.Errorf("ends or breaks oddly: %q", p)
	}
	for _, say := range []string{sayWhen, sayComplete, sayOne, sayRefresh, sayNotes, sayFile, sayOthers, sayReminder} {
		if !strings.Contains(p, say) {
			t.Errorf("does not say %q", say)
		}
	}
	for _, say := range []string{sayWhen, sayComplete, sayOne, sayRefresh, sayNotes} {
		if !strings.Contains(toolDescription(), say) {
			t.Errorf("the tool's description does not say %q", say)
		}
	}
	for _, word := range []string{"todo tool", "todo.md", "<reminder>", "in_progress"} {
		if !strings.Contains(p, word) {
			t.Errorf("does not speak of %s", word)
		}
	}
}

func ExamplePrompt() {
	first, _, _ := strings.Cut(Prompt(), "\n")
	fmt.Println(first)
	// Output: ## Plan
}

func ExampleReadList() {
	list, err := ReadList([]byte(`{"todos":[{"content":"Pack","status":"done"},"Leave"]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, it := range list.Items {
		fmt.Printf("%s %q\n", it.Content, it.Status)
	}
	// Output:
	// Pack "completed"
	// Leave ""
}

package cli

import (
	"testing"

	"github.com/todomd/todomd/mdplan"
)

func TestAuthor(t *testing.T) {
	type env map[string]string
	for _, test := range []struct {
		name           string
		agent, session string // flags
		env            env
		terminals      bool
		want           mdplan.Author
	}{
		{name: "a human", terminals: true, want: mdplan.Human},
		{name: "a script", want: mdplan.Author{Name: "agent"}},
		{name: "flags", agent: "a", session: "s", terminals: true, want: mdplan.Author{Name: "a", Session: "s"}},
		{name: "flags win", agent: "a", session: "s", env: env{"TODOMD_AGENT": "b", "TODOMD_SESSION": "t"}, want: mdplan.Author{Name: "a", Session: "s"}},
		{name: "environment", env: env{"TODOMD_AGENT": "b", "TODOMD_SESSION": "t"}, terminals: true, want: mdplan.Author{Name: "b", Session: "t"}},
		{name: "environment wins over the harness", env: env{"TODOMD_AGENT": "b", "CODEX_THREAD_ID": "t"}, want: mdplan.Author{Name: "b", Session: "t"}},
		{name: "codex", env: env{"CODEX_THREAD_ID": "t"}, want: mdplan.Author{Name: "codex", Session: "t"}},
		{name: "gemini", env: env{"GEMINI_CLI": "1", "GEMINI_SESSION_ID": "t"}, want: mdplan.Author{Name: "gemini", Session: "t"}},
		{name: "qwen", env: env{"QWEN_CODE": "1", "QWEN_CODE_SESSION_ID": "t"}, want: mdplan.Author{Name: "qwen", Session: "t"}},
		{name: "opencode", env: env{"OPENCODE": "1"}, want: mdplan.Author{Name: "opencode"}},
		{name: "copilot", env: env{"COPILOT_CLI": "1"}, want: mdplan.Author{Name: "copilot"}},
		{name: "cursor", env: env{"CURSOR_AGENT": "1"}, want: mdplan.Author{Name: "cursor"}},
		{name: "claude", env: env{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "t"}, want: mdplan.Author{Name: "claude", Session: "t"}},
		{name: "codex under claude", env: env{"CODEX_THREAD_ID": "c", "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "t"}, want: mdplan.Author{Name: "codex", Session: "c"}},
		{name: "opencode under claude has no session of claude's", env: env{"OPENCODE": "1", "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "t"}, want: mdplan.Author{Name: "opencode"}},
		{name: "an agent at a terminal", env: env{"CLAUDECODE": "1"}, terminals: true, want: mdplan.Author{Name: "claude"}},
		{name: "a human has no session", agent: "human", env: env{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "t"}, want: mdplan.Human},
	} {
		t.Run(test.name, func(t *testing.T) {
			getenv := func(name string) string { return test.env[name] }
			if got := author(test.agent, test.session, getenv, test.terminals); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

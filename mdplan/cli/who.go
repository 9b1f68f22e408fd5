package cli

import "github.com/todomd/todomd/mdplan"

// harnesses are the variables by which an agent's harness is known. Claude
// Code's is the last: agents that are started from it inherit it.
var harnesses = []struct{ variable, agent, session string }{
	{"CODEX_THREAD_ID", "codex", "CODEX_THREAD_ID"},
	{"GEMINI_CLI", "gemini", "GEMINI_SESSION_ID"},
	{"QWEN_CODE", "qwen", "QWEN_CODE_SESSION_ID"},
	{"OPENCODE", "opencode", ""},
	{"COPILOT_CLI", "copilot", ""},
	{"CURSOR_AGENT", "cursor", ""},
	{"CLAUDECODE", "claude", "CLAUDE_CODE_SESSION_ID"},
}

// someAgent is the author where nothing tells who it is: a program that runs
// without a terminal is hardly ever a human.
const someAgent = "agent"

// author says who runs the command: who the flags name, else the environment,
// else the harness that has started it, else the human at the terminal.
func author(agent, session string, getenv func(string) string, terminals bool) mdplan.Author {
	a := mdplan.Author{Name: first(agent, getenv("TODOMD_AGENT")), Session: first(session, getenv("TODOMD_SESSION"))}
	for _, h := range harnesses {
		if getenv(h.variable) == "" {
			continue
		}
		a.Name = first(a.Name, h.agent)
		if h.session != "" {
			a.Session = first(a.Session, getenv(h.session))
		}
		break
	}
	if a.Name == "" && terminals {
		a.Name = mdplan.HumanName
	}
	a.Name = first(a.Name, someAgent)
	if a.IsHuman() {
		a.Session = "" // a human has one plan in mind, whatever terminal it is
	}
	return a
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

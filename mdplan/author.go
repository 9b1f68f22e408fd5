package mdplan

// HumanName is the author's name of every change that no agent claims.
const HumanName = "human"

// ToolName is the author's name of changes that the tool makes by itself.
const ToolName = "todomd"

// Author is who changes or reads a plan: a human, or an agent in a session.
type Author struct {
	Name    string // HumanName, or an agent's name
	Session string // of an agent; may be empty
}

// Human is the author at the keyboard.
var Human = Author{Name: HumanName}

// IsHuman reports whether the rules that bind agents do not bind this author.
func (a Author) IsHuman() bool { return a.Name == HumanName }

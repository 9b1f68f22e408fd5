package mdplan

import "testing"

// A command that gives an item quite another text is known to be a rename: who
// is at the item stays at it, and others are told so.
func TestReworded(t *testing.T) {
	d := newDesk(t, "")
	d.play("a1: [>] Build | [ ] Test | [ ] Ship")
	d.play("round b1")
	d.play("round a1")
	d.play("edit b1: Build => Compile it all")
	if got, want := newsOf(d.round(d.as("a", "1"), RoundOptions{})), `b renamed "Build" to "Compile it all"`; got != want {
		t.Errorf("news %s, want %s", got, want)
	}
	if err := d.set(d.as("b", "1"), "Test", InProgress); err != nil {
		t.Errorf("the item is taken for another's: %v", err)
	}
	if err := d.set(d.as("a", "1"), "Ship", InProgress); err == nil {
		t.Error("a has two items in progress")
	}
}

// So it is where the dependencies on the item follow.
func TestRewordedWithDependencies(t *testing.T) {
	d := newDesk(t, "")
	d.play("a1: [>] Build | [ ] Test (dependsOn:: Build) | [ ] Ship")
	d.play("round b1")
	d.play("round a1")
	d.play("edit b1: Build => Compile it all")
	if got, want := newsOf(d.round(d.as("a", "1"), RoundOptions{})), `b renamed "Build" to "Compile it all"; "Test": dependsOn:: Compile it all, was dependsOn:: Build`; got != want {
		t.Errorf("news %s, want %s", got, want)
	}
	if err := d.set(d.as("a", "1"), "Ship", InProgress); err == nil {
		t.Error("a has two items in progress")
	}
}

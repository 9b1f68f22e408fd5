//go:build unix

package mdplan

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() {
	// Uses a plan that this user may only read, then one whose log it may not
	// write.
	children["reader"] = func(args []string) error {
		s := Open(args[0]).Session(Caller{Author: Author{"a", "1"}})
		ctx := context.Background()
		for range 3 {
			r, err := s.Round(ctx, RoundOptions{})
			if err != nil {
				return err
			}
			if strings.Count(r.Notice, "the round log can't be kept") != 1 || r.Idle != 1 {
				return errors.New("round: " + r.Notice)
			}
		}
		shown, err := s.Show(ctx, false)
		if err != nil || shown.Plan.Len() != 2 || shown.Notice != "" {
			return errors.New("show: " + shown.Notice)
		}
		if r, err := s.Recover(ctx); err != nil || r.Notice == "" || !strings.Contains(r.Text, "[ ] a") {
			return errors.New("recover: " + r.Text)
		}
		if _, err := s.Next(ctx); err != nil {
			return err
		}
		if _, err := s.store.Log(); err != nil {
			return err
		}
		if _, err := s.Do(ctx, "done", nil, func(p *Plan, by Caller) (*Plan, error) {
			c, err := p.SetStatus(by, "a", Completed)
			return c.Plan, err
		}); err == nil || !strings.Contains(err.Error(), "which is as it was") {
			return errors.New("a read-only plan was changed")
		}
		return nil
	}
}

// A user who may only read has all that reading gives, is told once a call what
// can't be kept, and changes nothing.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs a user without rights")
	}
	for _, state := range []bool{false, true} {
		dir, err := os.MkdirTemp("", "todomd-readonly")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		d := &desk{t: t, path: filepath.Join(dir, "todo.md")}
		const plan = "- [ ] a\n- [ ] b (doneWhen:: todo.md)\n"
		d.save(plan)
		if state { // root's, but no round of this agent
			if _, err := d.as("b", "").Show(t.Context(), false); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		binary := filepath.Join(dir, "test")
		program, err := os.ReadFile(os.Args[0]) // stands where this user can't go
		if err == nil {
			err = os.WriteFile(binary, program, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(binary, d.path)
		cmd.Env = append(os.Environ(), childEnv+"=reader")
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("with a log %v: %v\n%s", state, err, out)
		}
		if got := d.read(); got != plan {
			t.Errorf("the plan is %q", got)
		}
	}
}

package mdplan

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func init() {
	// Takes the lock, says so by a file, and keeps the lock until it is killed.
	children["hold"] = func(args []string) error {
		_, err := Open(args[1]).Update(context.Background(), func(*Plan) (*Plan, error) {
			if err := os.WriteFile(args[2], nil, 0o666); err != nil {
				return nil, err
			}
			select {}
		})
		return err
	}
}

// hold has a process hold the lock of the plan at path.
func hold(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	ready := filepath.Join(t.TempDir(), "ready")
	cmd := child("hold", "update", path, ready)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for {
		if _, err := os.Stat(ready); err == nil {
			return cmd
		}
		time.Sleep(time.Millisecond)
	}
}

// within is a context that ends long before LockTimeout.
func within(t *testing.T, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	t.Cleanup(cancel)
	return ctx
}

func brief(t *testing.T) context.Context { return within(t, 50*time.Millisecond) }

func TestLockedByAProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "todo.md")
	put(t, path, "- [ ] a\n")
	holder := hold(t, path)
	s := Open(path)
	// The second one finds the first still waiting in the kernel.
	for range 2 {
		_, err := s.Update(brief(t), addLine("- [ ] b"))
		if !errors.Is(err, ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v, want ErrLocked", err)
		}
		want := fmt.Sprintf("held by process %d (%s update), as its lock file says", holder.Process.Pid, filepath.Base(os.Args[0]))
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q, want %q in it", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Update(ctx, addLine("- [ ] b")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	if p, err := s.Read(); err != nil || string(p.Bytes()) != "- [ ] a\n" {
		t.Errorf("reading needs no lock: %v", err)
	}
	holder.Process.Kill()
	holder.Wait()
	update(t, s, "- [ ] b") // behind the wait that was given up
	wantFile(t, path, "- [ ] a\n- [ ] b\n")
}

// A wait that was given up leaves neither a goroutine nor the lock behind.
func TestWaitGivenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "todo.md")
	a, b := Open(path), Open(path)
	update(t, a, "- [ ] a")
	before := runtime.NumGoroutine()
	_, err := a.Update(t.Context(), func(p *Plan) (*Plan, error) {
		for range 20 {
			if _, err := b.Update(brief(t), addLine("- [ ] b")); !errors.Is(err, ErrLocked) {
				t.Errorf("error %v, want ErrLocked", err)
			}
		}
		if n := runtime.NumGoroutine(); n > before+10 { // some are on their way out
			t.Errorf("%d goroutines, %d before", n, before)
		}
		return p, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	update(t, b, "- [ ] c")
	update(t, a, "- [ ] d")
	wantFile(t, path, "- [ ] a\n- [ ] c\n- [ ] d\n")
}

// Who waited at a lock file that is no more must not believe that it has the
// lock, which somebody else took on a new file.
func TestLockFileRemovedWhileHeld(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	s := Open(path)
	update(t, s, "- [ ] a")
	waited := make(chan error)
	_, err := s.Update(t.Context(), func(p *Plan) (*Plan, error) {
		go func() {
			_, err := Open(path).Update(within(t, 500*time.Millisecond), addLine("- [ ] c"))
			waited <- err
		}()
		time.Sleep(20 * time.Millisecond) // it is at the lock now, most likely
		if err := os.RemoveAll(filepath.Join(dir, ".todomd")); err != nil {
			t.Skip("a lock file that is open can't be removed here: ", err)
		}
		hold(t, path)
		return addLine("- [ ] b")(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-waited; !errors.Is(err, ErrLocked) {
		t.Errorf("error %v, want ErrLocked", err)
	}
	wantFile(t, path, "- [ ] a\n- [ ] b\n")
}

// Another plan has another lock.
func TestLinkTurnedWhileWaiting(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		mkdir(t, filepath.Join(dir, name))
		put(t, filepath.Join(dir, name, "plan.md"), "- [ ] "+name+"\n")
	}
	path := filepath.Join(dir, "todo.md")
	link(t, "one/plan.md", path)
	done := make(chan bool)
	_, err := Open(path).Update(t.Context(), func(p *Plan) (*Plan, error) {
		go func() {
			defer close(done)
			update(t, Open(path), "- [ ] new")
		}()
		time.Sleep(20 * time.Millisecond) // it is at the lock now, most likely
		if err := os.Remove(path); err != nil {
			return nil, err
		}
		return p, os.Symlink("two/plan.md", path)
	})
	if err != nil {
		t.Fatal(err)
	}
	<-done
	wantFile(t, filepath.Join(dir, "one", "plan.md"), "- [ ] one\n")
	wantFile(t, filepath.Join(dir, "two", "plan.md"), "- [ ] two\n- [ ] new\n")
	wantNames(t, filepath.Join(dir, "two"), ".todomd", "plan.md")
}

func TestStaleHolderIsNotBelieved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	dead := child("none")
	if err := dead.Start(); err != nil {
		t.Fatal(err)
	}
	dead.Wait()
	for text, want := range map[string]string{
		"": "another process", "x y": "another process", "-1 init": "another process", "0 x": "another process",
		strconv.Itoa(os.Getpid()):                                "another process",
		fmt.Sprintf("%d todomd update\n", dead.Process.Pid):      "another process",
		fmt.Sprintf("%d todomd update\n", os.Getpid()):           fmt.Sprintf("process %d (todomd update), as its lock file says", os.Getpid()),
		fmt.Sprintf("%d \x1b[2Jx\n", os.Getpid()):                fmt.Sprintf(`process %d (\x1b[2Jx), as its lock file says`, os.Getpid()),
		fmt.Sprintf("%d %s\n", 1<<40, strings.Repeat("x", 1000)): "another process",
	} {
		put(t, path, text)
		if got := holder(path); got != want {
			t.Errorf("holder of %.40q is %q, want %q", text, got, want)
		}
	}
	if got := holder(path + "x"); got != "another process" {
		t.Errorf("without a file: %q", got)
	}
}

func TestSixteenWaitersAllGetTheirTurn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "todo.md")
	shared := Open(path)
	update(t, shared, "- [ ] zero")
	var wg sync.WaitGroup
	_, err := shared.Update(t.Context(), func(p *Plan) (*Plan, error) {
		for i := range 16 {
			s := shared
			if i%2 == 0 {
				s = Open(path)
			}
			wg.Go(func() { update(t, s, fmt.Sprintf("- [ ] waiter %02d", i)) })
		}
		time.Sleep(20 * time.Millisecond)
		return addLine("- [ ] first")(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	got := get(t, path)
	for i := range 16 {
		if line := fmt.Sprintf("- [ ] waiter %02d\n", i); strings.Count(got, line) != 1 {
			t.Errorf("%q is there %d times", line, strings.Count(got, line))
		}
	}
}

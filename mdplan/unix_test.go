//go:build unix

package mdplan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user and group without rights on any system.
const nobody = 65534

func init() {
	// Becomes another user and tries to update.
	children["nobody"] = func(args []string) error {
		if err := syscall.Setgroups(nil); err != nil {
			return err
		}
		if err := syscall.Setgid(nobody); err != nil {
			return err
		}
		if err := syscall.Setuid(nobody); err != nil {
			return err
		}
		return readAndAppend(args[0])
	}
	children["limited"] = func(args []string) error {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
			return err
		}
		return grow(args[0])
	}
}

func runChild(t *testing.T, name string, args ...string) (text string, ok bool) {
	t.Helper()
	cmd := child(name, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return wait(cmd)
}

func readAndAppend(path string) error {
	if _, err := Open(path).Read(); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	_, err := Open(path).Update(context.Background(), addLine("- [ ] b"))
	return err
}

// grow makes a plan larger than a small disk.
func grow(path string) error {
	_, err := Open(path).Update(context.Background(), func(p *Plan) (*Plan, error) {
		return Parse(append(p.Bytes(), "- [ ] "+strings.Repeat("more ", 50_000)+"\n"...))
	})
	return err
}

func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "socket")
	if l, err := net.Listen("unix", socket); err == nil {
		defer l.Close()
	} else {
		socket = pipe // the path is too long for one
	}
	link(t, pipe, filepath.Join(dir, "link"))
	link(t, "/dev/zero", filepath.Join(dir, "device"))
	for _, path := range []string{pipe, socket, filepath.Join(dir, "link"), filepath.Join(dir, "device"), "/dev/null"} {
		if _, err := Open(path).Read(); !errors.Is(err, ErrNotRegular) {
			t.Errorf("Read of %s: error %v, want ErrNotRegular", path, err)
		}
	}
	if _, err := Open(pipe).Update(t.Context(), addLine("- [ ] a")); !errors.Is(err, ErrNotRegular) {
		t.Errorf("Update: error %v, want ErrNotRegular", err)
	}
	// Pipes in the places of the store's own files.
	path := filepath.Join(dir, "todo.md")
	if err := syscall.Mkfifo(filepath.Join(dir, ".todo.md.todomd-tmp"), 0o666); err != nil {
		t.Fatal(err)
	}
	update(t, Open(path), "- [ ] a")
	os.Remove(filepath.Join(dir, ".todomd", "todo.md.lock"))
	if err := syscall.Mkfifo(filepath.Join(dir, ".todomd", "todo.md.lock"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path).Update(t.Context(), addLine("- [ ] b")); err == nil || !strings.Contains(err.Error(), "move it away") {
		t.Errorf("error %v", err)
	}
}

func TestModeAndOwnerStay(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o664, 0o755, 0o666, 0o444, 0o755 | fs.ModeSetgid} {
		if os.Getuid() != 0 && mode == 0o444 {
			continue // read-only
		}
		path := filepath.Join(t.TempDir(), "todo.md")
		put(t, path, "- [ ] a\n")
		uid, gid := os.Getuid(), os.Getgid()
		if uid == 0 {
			uid, gid = 1234, 5678
			if err := os.Chown(path, uid, gid); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		update(t, Open(path), "- [ ] b")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		stat := info.Sys().(*syscall.Stat_t)
		if info.Mode() != mode || int(stat.Uid) != uid || int(stat.Gid) != gid {
			t.Errorf("mode %v, owner %d:%d, want %v, %d:%d", info.Mode(), stat.Uid, stat.Gid, mode, uid, gid)
		}
	}
}

func TestNewPlanHasTheUsualMode(t *testing.T) {
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	path := filepath.Join(t.TempDir(), "todo.md")
	update(t, Open(path), "- [ ] a")
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 {
		t.Errorf("mode %v, %v, want what the umask leaves", info.Mode(), err)
	}
}

// openFolder is a temporary folder that others may write to.
func openFolder(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to become somebody else")
	}
	dir, err := os.MkdirTemp("", "todomd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReadOnly(t *testing.T) {
	t.Run("folder", func(t *testing.T) {
		dir := openFolder(t)
		path := filepath.Join(dir, "todo.md")
		put(t, path, "- [ ] a\n")
		os.Chmod(path, 0o666)
		os.Chmod(dir, 0o755)
		text, ok := runChild(t, "nobody", path)
		if ok || !strings.Contains(text, "permission denied") || !strings.Contains(text, "make the file and its folder writable") {
			t.Errorf("%q", text)
		}
		wantFile(t, path, "- [ ] a\n")
		wantNames(t, dir, "todo.md")
	})
	t.Run("file", func(t *testing.T) {
		dir := openFolder(t)
		path := filepath.Join(dir, "todo.md")
		put(t, path, "- [ ] a\n")
		text, ok := runChild(t, "nobody", path)
		if ok || !strings.Contains(text, "the file is read-only") {
			t.Errorf("%q", text)
		}
		wantFile(t, path, "- [ ] a\n")
		wantNames(t, dir, ".todomd", "todo.md")
	})
	t.Run("unreadable", func(t *testing.T) {
		path := filepath.Join(openFolder(t), "todo.md")
		put(t, path, "- [ ] a\n")
		os.Chmod(path, 0o600)
		if text, ok := runChild(t, "nobody", path); ok || !strings.Contains(text, "read: can't read") {
			t.Errorf("%q", text)
		}
	})
}

// Who may write the file but not give it away becomes its owner. Nobody gains
// access by that.
func TestAnothersFile(t *testing.T) {
	for mode, want := range map[fs.FileMode]fs.FileMode{
		0o666: 0o666, // root's group could write, and so can everybody
		0o676: 0o666, // its group's rights are not those of another group
		0o646: 0o646,
		0o606: 0o606,
	} {
		dir := openFolder(t)
		path := filepath.Join(dir, "todo.md")
		put(t, path, "- [ ] a\n")
		os.Chmod(path, mode)
		update(t, Open(path), "- [ ] root's") // the lock file is root's then
		os.Chmod(filepath.Join(dir, ".todomd"), 0o755)
		if text, ok := runChild(t, "nobody", path); !ok {
			t.Error(text)
		}
		wantFile(t, path, "- [ ] a\n- [ ] root's\n- [ ] b\n")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if owner := info.Sys().(*syscall.Stat_t).Uid; owner != nobody || info.Mode() != want {
			t.Errorf("mode %v becomes %v of %d, want %v", mode, info.Mode(), owner, want)
		}
	}
}

func wantFull(t *testing.T, dir, text string, failed bool) {
	t.Helper()
	if !failed || !strings.Contains(text, "as it was") || !strings.Contains(text, "free some space") {
		t.Errorf("error %q", text)
	}
	wantFile(t, filepath.Join(dir, "todo.md"), "- [ ] a\n")
	wantNames(t, dir, ".todomd", "todo.md")
}

// The limit on the size of files stops a write in the middle.
func TestFileSizeLimit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "todo.md")
	update(t, Open(path), "- [ ] a")
	text, ok := runChild(t, "limited", path)
	wantFull(t, dir, text, !ok)
	update(t, Open(path), "- [ ] b")
}

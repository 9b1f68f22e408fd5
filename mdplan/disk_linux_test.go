package mdplan

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("no file system can be mounted: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	path := filepath.Join(dir, "todo.md")
	update(t, Open(path), "- [ ] a")
	err := grow(path)
	text := ""
	if err != nil {
		text = err.Error()
	}
	wantFull(t, dir, text, err != nil)

	// Without a single free byte the lock still works, and tells.
	ballast := filepath.Join(dir, ".todomd", "ballast")
	_ = os.WriteFile(ballast, make([]byte, 1<<20), 0o666)
	if _, err := Open(path).Update(t.Context(), addLine("- [ ] b")); err == nil || !isFull(err) {
		t.Errorf("error %v, want one of a full disk", err)
	}
	os.Remove(ballast)
	wantFile(t, path, "- [ ] a\n")
	update(t, Open(path), "- [ ] b")
}

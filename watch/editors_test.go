//go:build linux

package watch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Real editors, each in a terminal of its own: what a human does in them is one
// edit.
func TestEditors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		way   string
		args  []string
		ready string // on the screen when it takes keys
		keys  []string
		want  string
	}{
		{"vim", "plain", []string{"-u", "NONE", "-i", "NONE"}, "one", []string{":3s/\\[ \\]/[x]/\r", ":w\r"}, didOne},
		{"vim", "new file", []string{"-u", "NONE", "-i", "NONE", "-c", "set backup backupcopy=no"}, "one", []string{":3s/\\[ \\]/[x]/\r", ":w\r"}, didOne},
		{"vim", "in place", []string{"-u", "NONE", "-i", "NONE", "-c", "set backupcopy=yes"}, "one", []string{":3s/\\[ \\]/[x]/\r", ":w\r"}, didOne},
		{"vim", "same bytes", []string{"-u", "NONE", "-i", "NONE"}, "one", []string{":w\r"}, ""},
		{"nano", "plain", []string{"-I", "+3,4"}, "one", []string{"\x1b[3~x", "\x0f", "\r"}, didOne},
		{"nano", "backup", []string{"-I", "-B", "+3,4"}, "one", []string{"\x1b[3~x", "\x0f", "\r"}, didOne},
		{"emacs", "plain", []string{"-nw", "-Q", "+3:4"}, "one", []string{"\x04x", "\x18\x13"}, didOne},
	} {
		t.Run(tt.name+" "+tt.way, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(tt.name); err != nil {
				t.Skipf("%s is not installed", tt.name)
			}
			p := onDisk(t, oneTwo, Options{})
			term := edit(t, exec.Command(tt.name, append(tt.args, "todo.md")...), p.dir)
			term.see(tt.ready)
			p.none(settled) // opening it is no edit
			for _, k := range tt.keys {
				term.press(k)
			}
			if tt.want != "" {
				p.want(tt.want)
			}
			p.none(settled)
			term.quit()
			p.none(settled) // nor is leaving it
		})
	}
}

// terminal is a program that believes that a human looks at it.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	mu     sync.Mutex
	screen bytes.Buffer
	ended  chan struct{}
}

func edit(t *testing.T, cmd *exec.Cmd, dir string) *terminal {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("no terminal: %v", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	err = errors.Join(err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0),
		unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	if err != nil {
		t.Skipf("no terminal: %v", err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal: %v", err)
	}
	defer slave.Close()
	term := &terminal{t: t, cmd: cmd, master: os.NewFile(uintptr(fd), "terminal"), ended: make(chan struct{})}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm", "HOME="+t.TempDir())
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		io.Copy(term, term.master) // until the last of its programs has ended
		cmd.Wait()
		close(term.ended)
	}()
	t.Cleanup(term.quit)
	return term
}

func (x *terminal) Write(b []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.Write(b)
}

func (x *terminal) shown() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

// see waits until a text was shown and nothing more is drawn.
func (x *terminal) see(text string) {
	x.t.Helper()
	for end := time.Now().Add(patience); ; {
		before := x.shown()
		time.Sleep(200 * time.Millisecond)
		if strings.Contains(before, text) && x.shown() == before {
			return
		}
		if time.Now().After(end) {
			x.t.Fatalf("never showed %q: %q", text, before)
		}
	}
}

// press sends keys and waits until the program has drawn what they did.
func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
}

// quit ends the editor as a closed window does.
func (x *terminal) quit() {
	select {
	case <-x.ended:
	default:
		x.cmd.Process.Kill()
		<-x.ended
		x.master.Close()
	}
}

//go:build linux

package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/todomd/todomd/mdplan"
	"golang.org/x/sys/unix"
)

// never is a quiet time that does not pass: what is reported was certain.
const never = time.Hour

func exchange(t *testing.T, p *plan, src string) {
	t.Helper()
	tmp := filepath.Join(p.dir, ".todo.md.tmp")
	if err := os.WriteFile(tmp, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unix.Renameat2(unix.AT_FDCWD, tmp, unix.AT_FDCWD, p.path, unix.RENAME_EXCHANGE); err != nil {
		t.Skipf("no exchange here: %v", err)
	}
	if err := os.Remove(tmp); err != nil {
		t.Fatal(err)
	}
}

// The way that todomd itself writes.
func TestExchange(t *testing.T) {
	t.Parallel()
	o := Options{quietTime: never, History: func(_, to string) []mdplan.Revision {
		return []mdplan.Revision{rev(oneDone, "build", "update"), rev(startedTwo, "build", "update")}
	}}
	p := onDisk(t, oneTwo, o)
	exchange(t, p, oneDone)
	p.want("build: status one@3 pending>completed")
	exchange(t, p, startedTwo)
	p.want("build: status two@4 pending>in_progress")
	p.none(settled)
}

// A human who saves in place right behind the tool.
func TestExchangeThenInPlace(t *testing.T) {
	t.Parallel()
	p := onDisk(t, oneTwo, Options{History: func(from, _ string) []mdplan.Revision {
		if from == rev(oneTwo, "", "").Rev {
			return []mdplan.Revision{rev(oneDone, "build", "update")}
		}
		return nil
	}})
	exchange(t, p, oneDone)
	p.save(bothDone)
	p.want("build: status one@3 pending>completed")
	p.want(didTwo)
	p.none(settled)
}

func TestReplaceIsCertain(t *testing.T) {
	t.Parallel()
	p := onDisk(t, oneTwo, Options{quietTime: never})
	p.replace(oneDone)
	p.want(didOne)
	p.sh(`sed -i 's/\[ \] two/[x] two/' todo.md`)
	p.want(didTwo)
	p.none(settled)
}

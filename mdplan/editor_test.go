package mdplan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// saves are the ways in which editors save.
var saves = map[string]func(t *testing.T, path, content string){
	"in place": put,
	"by renaming": func(t *testing.T, path, content string) {
		t.Helper()
		put(t, path+".swp", content)
		if err := os.Rename(path+".swp", path); err != nil {
			t.Fatal(err)
		}
	},
	"backup first": func(t *testing.T, path, content string) {
		t.Helper()
		_ = os.Rename(path, path+"~")
		put(t, path, content)
		_ = os.Remove(path + "~")
	},
}

// editedStore returns a store of a plan with one line, at one step of whose
// update do is called, each time that it comes there.
func editedStore(t *testing.T, at step, do func(path string)) (path string, s *Store) {
	path = filepath.Join(t.TempDir(), "todo.md")
	put(t, path, "- [ ] a\n")
	s = Open(path)
	s.pause = func(reached step) {
		if reached == at {
			do(path)
		}
	}
	return path, s
}

// needExchange skips where nothing notices a save right before the rename.
func needExchange(t *testing.T, at step) {
	if at == stepChecked && runtime.GOOS != "linux" {
		t.Skip("files can't be exchanged here")
	}
}

func clean(t *testing.T, path string) {
	t.Helper()
	wantNames(t, filepath.Dir(path), ".todomd", "todo.md")
	wantNames(t, filepath.Join(filepath.Dir(path), ".todomd"), ".gitignore", "todo.md.lock")
}

func TestEditorSavesDuringUpdate(t *testing.T) {
	for name, save := range saves {
		for _, at := range []step{stepRead, stepWritten, stepChecked} {
			for _, times := range []int{1, 2, 5} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, at, times), func(t *testing.T) {
					needExchange(t, at)
					n := 0
					path, s := editedStore(t, at, func(path string) {
						if n < times {
							n++
							save(t, path, fmt.Sprintf("- [ ] save %d\n", n))
						}
					})
					update(t, s, "- [ ] b")
					wantFile(t, path, fmt.Sprintf("- [ ] save %d\n- [ ] b\n", times))
					clean(t, path)
				})
			}
		}
	}
}

// A save that the edit can't be made on is left alone.
func TestEditorSavesWhatRefusesTheEdit(t *testing.T) {
	refused := errors.New("refused")
	for name, save := range saves {
		for _, at := range []step{stepRead, stepWritten, stepChecked} {
			for content, want := range map[string]error{
				"- [x] all done\n": refused,
				"lone\rreturn":     ErrLoneCR,
				strings.Repeat("- [ ] large\n", MaxSize/8): ErrTooLarge,
			} {
				t.Run(fmt.Sprintf("%s/%s/%v", name, at, want), func(t *testing.T) {
					needExchange(t, at)
					saved := false
					path, s := editedStore(t, at, func(path string) {
						if !saved {
							saved = true
							save(t, path, content)
						}
					})
					_, err := s.Update(t.Context(), func(p *Plan) (*Plan, error) {
						if strings.Contains(string(p.Bytes()), "done") {
							return nil, refused
						}
						return addLine("- [ ] b")(p)
					})
					if !errors.Is(err, want) {
						t.Errorf("error %v, want %v", err, want)
					}
					wantFile(t, path, content)
					clean(t, path)
				})
			}
		}
	}
}

func TestEditorRemovesOrCreates(t *testing.T) {
	for _, at := range []step{stepRead, stepWritten, stepChecked} {
		t.Run("removes/"+string(at), func(t *testing.T) {
			needExchange(t, at)
			removed := false
			path, s := editedStore(t, at, func(path string) {
				if !removed {
					removed = true
					os.Remove(path)
				}
			})
			update(t, s, "- [ ] b")
			wantFile(t, path, "- [ ] b\n")
			clean(t, path)
		})
		t.Run("creates/"+string(at), func(t *testing.T) {
			path, s := editedStore(t, at, func(path string) {
				if _, err := os.Stat(path); err != nil {
					put(t, path, "- [ ] editor's\n")
				}
			})
			os.Remove(path)
			update(t, s, "- [ ] b")
			wantFile(t, path, "- [ ] editor's\n- [ ] b\n")
			clean(t, path)
		})
	}
}

// What stands in the plan's place may be no file any more.
func TestPlanReplacedByAnotherKind(t *testing.T) {
	for _, at := range []step{stepRead, stepWritten, stepChecked} {
		t.Run("link/"+string(at), func(t *testing.T) {
			needExchange(t, at)
			other := filepath.Join(t.TempDir(), "other.md")
			put(t, other, "- [ ] a\n") // the same bytes: only the link differs
			path, s := editedStore(t, at, func(path string) {
				os.Remove(path)
				link(t, other, path)
			})
			update(t, s, "- [ ] b")
			if to, err := os.Readlink(path); err != nil || to != other {
				t.Errorf("the link leads to %q, %v", to, err)
			}
			wantFile(t, path, "- [ ] a\n- [ ] b\n")
		})
		t.Run("folder/"+string(at), func(t *testing.T) {
			needExchange(t, at)
			path, s := editedStore(t, at, func(path string) {
				os.Remove(path)
				mkdir(t, filepath.Join(path, "full"))
			})
			_, err := s.Update(t.Context(), addLine("- [ ] b"))
			if !errors.Is(err, ErrNotRegular) {
				t.Errorf("error %v, want ErrNotRegular", err)
			}
			clean(t, path)
			wantNames(t, path, "full")
		})
	}
}

func TestModeChangedDuringUpdate(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs the exchange of files")
	}
	path, s := editedStore(t, stepChecked, func(path string) { os.Chmod(path, 0o600) })
	update(t, s, "- [ ] b")
	if info, _ := os.Stat(path); info.Mode() != 0o600 {
		t.Errorf("mode %v, want the new one", info.Mode())
	}
}

// A save upon the moment in which another save is put back: the newest wins,
// and the other one is kept.
func TestEditorSavesTwiceAroundTheExchange(t *testing.T) {
	needExchange(t, stepChecked)
	for name, save := range saves {
		t.Run(name, func(t *testing.T) {
			n := 0
			path, s := editedStore(t, stepChecked, nil)
			s.pause = func(at step) {
				switch {
				case at == stepChecked && n == 0, at == stepExchanged && n == 1:
					n++
					save(t, path, fmt.Sprintf("- [ ] save %d\n", n))
				}
			}
			update(t, s, "- [ ] b")
			wantFile(t, path, "- [ ] save 2\n- [ ] b\n")
			wantFile(t, filepath.Join(filepath.Dir(path), ".todomd", "todo.md.lost"), "- [ ] save 1\n")
			wantNames(t, filepath.Dir(path), ".todomd", "todo.md")
		})
	}
}

// The update dies while an editor's save is out of its place.
func TestCrashWhileASaveIsDisplaced(t *testing.T) {
	needExchange(t, stepChecked)
	path, s := editedStore(t, stepChecked, nil)
	s.pause = func(at step) {
		switch at {
		case stepChecked:
			put(t, path, "- [ ] editor's\n")
		case stepExchanged:
			panic("crash")
		}
	}
	func() {
		defer func() { recover() }()
		_, _ = s.Update(t.Context(), addLine("- [ ] b"))
	}()
	wantFile(t, path, "- [ ] a\n- [ ] b\n")
	s.pause = nil
	update(t, s, "- [ ] c")
	wantFile(t, path, "- [ ] a\n- [ ] b\n- [ ] c\n")
	wantFile(t, filepath.Join(filepath.Dir(path), ".todomd", "todo.md.lost"), "- [ ] editor's\n")
}

func TestEditorThatNeverStops(t *testing.T) {
	for _, at := range []step{stepWritten, stepChecked, stepExchanged} {
		t.Run(string(at), func(t *testing.T) {
			needExchange(t, at)
			n := 0
			path, s := editedStore(t, at, nil)
			s.pause = func(reached step) {
				// At stepExchanged a save before the exchange sets it off.
				if reached == at || reached == stepChecked && at == stepExchanged {
					n++
					saves["by renaming"](t, path, fmt.Sprintf("- [ ] save %d\n", n))
				}
			}
			_, err := s.Update(t.Context(), addLine("- [ ] b"))
			if !errors.Is(err, ErrChanging) {
				t.Errorf("error %v, want ErrChanging", err)
			}
			wantFile(t, path, fmt.Sprintf("- [ ] save %d\n", n))
		})
	}
}

// An editor that saves in place empties the file first. Neither that nor half a
// save is ever taken for the plan.
func TestSlowSaveInPlace(t *testing.T) {
	for _, at := range []step{stepRead, stepWritten, stepChecked} {
		t.Run(string(at), func(t *testing.T) {
			path, s := editedStore(t, at, nil)
			probe, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, known := openForWriting(probe); !known {
				t.Skip("nothing tells here whether a file is being written")
			}
			probe.Close()
			saved := make(chan bool, 1)
			save := func() {
				f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
				if err != nil {
					t.Error(err)
					return
				}
				go func() {
					for range 3 {
						time.Sleep(3 * time.Millisecond)
						f.WriteString("- [ ] editor's\n")
					}
					f.Close()
					saved <- true
				}()
			}
			once := false
			s.pause = func(reached step) {
				if reached == at && !once {
					once = true
					save()
				}
			}
			update(t, s, "- [ ] b")
			<-saved
			want := strings.Repeat("- [ ] editor's\n", 3)
			wantFile(t, path, want+"- [ ] b\n")
			clean(t, path)

			save() // before the update even begins, and for a reader
			if p, err := s.Read(); err != nil || string(p.Bytes()) != want {
				t.Errorf("Read: %.30q, %v", p.Bytes(), err)
			}
			<-saved
			save()
			update(t, s, "- [ ] c")
			<-saved
			wantFile(t, path, want+"- [ ] c\n")
		})
	}
}

// A program that has the plan open for writing, but has not begun, is waited for
// as well, so that it doesn't write into a file without a name.
func TestWriterThatHasNotBegun(t *testing.T) {
	path, s := editedStore(t, "", nil)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	probe, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer probe.Close()
	if _, known := openForWriting(probe); !known {
		t.Skip("nothing tells here whether a file is being written")
	}
	os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour))
	s.pause = func(at step) {
		if at == stepExchanged && f != nil {
			g := f
			f = nil
			go func() {
				time.Sleep(3 * time.Millisecond)
				g.WriteString("- [ ] editor's\n")
				g.Close()
			}()
		}
	}
	update(t, s, "- [ ] b")
	wantFile(t, path, "- [ ] editor's\n- [ ] b\n")
	clean(t, path)
}

// An editor that moves the file away before it writes leaves none for a moment.
func TestMissingForAMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "todo.md")
	saved := make(chan bool)
	go func() {
		defer close(saved)
		time.Sleep(10 * time.Millisecond)
		saves["by renaming"](t, path, "- [ ] editor's\n")
	}()
	v, err := readSettled(t.Context(), path, time.Hour)
	if err != nil || string(v.src) != "- [ ] editor's\n" {
		t.Errorf("%q, %v", v.src, err)
	}
	<-saved

	s := Open(path)
	update(t, s, "- [ ] a")
	os.Remove(path)
	begin := time.Now()
	update(t, s, "- [ ] b")
	if time.Since(begin) < quietTime {
		t.Error("Update did not wait for a plan that was there before")
	}
	wantFile(t, path, "- [ ] b\n")
}

package mdplan

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// found returns the open items whose doneWhen path or glob exists. It is meant
// inside the workspace: the repository that holds the plan's folder, else that
// folder. A path that leads out of it, also through a link, never exists.
func (p *Plan) found(dir string) []*node {
	var found []*node
	var root *os.Root
	for _, n := range p.nodes {
		pattern := n.field(fieldDoneWhen)
		if pattern == "" || !n.status.Open() {
			continue
		}
		if root == nil {
			var err error
			if root, err = os.OpenRoot(workspaceRoot(dir)); err != nil {
				return nil
			}
			defer root.Close()
		}
		if existsIn(root, pattern) {
			found = append(found, n)
		}
	}
	return found
}

func existsIn(root *os.Root, pattern string) bool {
	pattern = filepath.ToSlash(filepath.Clean(pattern))
	if !filepath.IsLocal(filepath.FromSlash(pattern)) || pattern == "." {
		return false
	}
	// A name may hold what is special in a glob: app/[id]/page.js.
	if _, err := root.Stat(filepath.FromSlash(pattern)); err == nil {
		return true
	}
	if !strings.ContainsAny(pattern, `*?[`) {
		return false
	}
	matches, err := fs.Glob(root.FS(), pattern)
	if err != nil {
		return false
	}
	for _, m := range matches {
		if _, err := root.Stat(filepath.FromSlash(m)); err == nil {
			return true
		}
	}
	return false
}

// workspaceRoot returns the nearest folder above that is a repository, else dir.
func workspaceRoot(dir string) string {
	folders := foldersOf(dir)
	return folders[len(folders)-1]
}

// completeFound completes the open items whose doneWhen path exists, as the
// tool's own change.
func (s *Session) completeFound(ctx context.Context) (done []Item) {
	at, err := resolve(s.store.path)
	if err != nil {
		return nil
	}
	tool := &Session{store: s.store, by: Caller{Author: Author{Name: ToolName}}, now: s.now}
	_, err = tool.update(ctx, "doneWhen", func(_ *journal, p *Plan, _ bool) (*Plan, []record, error) {
		done = nil
		c := p.begin("complete", "")
		for _, n := range p.found(at.dir) {
			if err := c.setStatus(n, Completed); err != nil {
				return nil, nil, err
			}
			done = append(done, p.itemOf(n))
		}
		q, _, err := c.commit()
		return q, nil, err
	})
	if err != nil {
		return nil // the folder may be read-only, or an editor at it
	}
	return done
}

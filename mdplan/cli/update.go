package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/todomd/todomd/mdplan"
)

func runUpdate(c *call) error {
	replace := c.flags.Bool("replace", false, "")
	if err := c.parse(0, 1); err != nil {
		return err
	}
	data, err := c.readList()
	if err != nil {
		return err
	}
	list, err := mdplan.ReadList(data)
	if err != nil {
		return err
	}
	plan, err := c.open()
	if err != nil {
		return err
	}
	u, err := plan.Update(context.Background(), list, mdplan.UpdateOptions{Replace: *replace})
	c.hint(u.Notice)
	if err != nil {
		return c.unreadable(err)
	}
	c.warn(u.Warnings)
	o := mdplan.RenderOptions{Cut: c.cut(), First: map[string]bool{}}
	for _, it := range u.Base.Items {
		if it.Own {
			o.First[it.File.Content] = true
		}
	}
	c.out.WriteString(u.Plan.Render(o))
	if said := u.Report(); said != "" {
		c.printf("\n%s", said)
	}
	return nil
}

// readList reads the list from the file that is named, else from standard
// input.
func (c *call) readList() ([]byte, error) {
	if len(c.args) > 0 && c.args[0] != "-" {
		f, err := os.Open(c.args[0])
		if err != nil {
			return nil, failedTo("read the list", err)
		}
		defer f.Close()
		return readAll(f, "the list", mdplan.MaxListSize)
	}
	if c.inTerminal {
		return nil, &failure{code: exitMisuse, msg: "update reads the complete list from a file or from standard input",
			hint: `echo '{"items":[{"content":"Write the tests","status":"pending"}]}' | todomd update`}
	}
	return readAll(c.in, "the list", mdplan.MaxListSize)
}

// readAll reads what has at most a number of bytes.
func readAll(r io.Reader, what string, most int) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, failedTo("read "+what, err)
	}
	if len(data) > most {
		return nil, &failure{code: exitMisuse, msg: fmt.Sprintf("%s has more than %d bytes, which is the limit; shorten it", what, most)}
	}
	return data, nil
}

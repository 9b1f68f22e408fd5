package cli

import (
	"runtime/debug"

	"github.com/todomd/todomd/mdplan"
)

func runSchema(c *call) error {
	api := c.flags.String("api", "", "")
	if err := c.parse(0, 0); err != nil {
		return err
	}
	schema, err := mdplan.Schema(*api)
	if err != nil {
		return c.usage("%v", err)
	}
	_, err = c.out.Write(schema)
	return err
}

func runPrompt(c *call) error {
	if err := c.parse(0, 0); err != nil {
		return err
	}
	c.printf("%s", mdplan.Prompt())
	return nil
}

func (c *call) version() error {
	if err := c.parse(0, 0); err != nil {
		return err
	}
	version, revision, modified := "(devel)", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = first(info.Main.Version, version)
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = " " + s.Value[:min(len(s.Value), 12)]
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " with changes"
			}
		}
	}
	c.printf("todomd %s%s%s\n", version, revision, modified)
	return nil
}

package main

import (
	"math"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq/result"
)

// methodsCommand lists what can answer for a model.
func methodsCommand(s streams) *cobra.Command {
	var from modelFlags
	to := output{streams: s}
	c := &cobra.Command{
		Use:     "methods MODEL",
		Short:   "List the methods that can answer for a model and what they take, and why not the others",
		Example: "mjq methods queue.json\nmjq methods classes.csv --servers 20 --rate 1.4 --json",
	}
	from.add(c, true)
	to.add(c)
	c.RunE = action(func(c *cobra.Command, args []string) error {
		models, err := from.models(args[0], s.in)
		if err != nil {
			return err
		}
		t, err := models[0].Methods().Run(c.Context())
		if err != nil {
			return err
		}
		return to.write(answer{text: t.String(), csv: t.CSV, data: records(t), title: "Methods",
			sections: func() []section {
				return []section{{heading: "Model", html: models[0].HTML()}, {heading: "Methods", html: t.HTML()}}
			}})
	})
	return c
}

// records are the rows of a table as objects. Numbers that are not known are left out.
func records(t *result.Table) []map[string]any {
	rows := make([]map[string]any, t.Rows())
	for i := range rows {
		rows[i] = map[string]any{}
		for _, c := range t.Columns {
			switch {
			case i < len(c.Cells):
				rows[i][c.Name] = c.Cells[i]
			case i < len(c.Values) && !math.IsNaN(c.Values[i].Value):
				rows[i][c.Name] = c.Values[i].Value
			}
		}
	}
	return rows
}

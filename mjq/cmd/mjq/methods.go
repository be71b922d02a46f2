package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq/result"
)

// methodsCommand lists what can answer for a model.
func methodsCommand(s streams) *cobra.Command {
	var from modelFlags
	to := output{streams: s}
	c := &cobra.Command{
		Use:     "methods MODEL",
		Short:   "List the methods that can answer for a model, and why not the others",
		Example: "mjq methods queue.json\nmjq methods classes.csv --servers 20 --rate 1.4 --json",
	}
	from.add(c, true)
	to.add(c)
	c.RunE = action(func(_ *cobra.Command, args []string) error {
		models, err := from.models(args[0], s.in)
		if err != nil {
			return err
		}
		t := models[0].Methods()
		return to.write(answer{text: t.String(), csv: t.CSV, data: records(t), title: "Methods",
			sections: func() []section {
				return []section{{heading: "Model", html: models[0].HTML()}, {heading: "Methods", html: t.HTML()}}
			}})
	})
	return c
}

// records are the rows of a table of text as objects.
func records(t *result.Table) []map[string]string {
	rows := make([]map[string]string, t.Rows())
	for i := range rows {
		rows[i] = map[string]string{}
		for _, c := range t.Columns {
			rows[i][c.Name] = slices.Concat(c.Cells, make([]string, t.Rows()))[i]
		}
	}
	return rows
}

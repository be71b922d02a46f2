package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestFormsThatAreMissing: an answer that has a form only in some ways says so in the
// others, and names those that it has.
func TestFormsThatAreMissing(t *testing.T) {
	csv := func() string { return "a\n" }
	for _, c := range []struct {
		flag string
		a    answer
		want string
	}{
		{"csv", answer{text: "a", data: 1}, "--csv: there are no comma-separated values of this; choose --json"},
		{"html", answer{text: "a", csv: csv}, "--html: there is no page of this; choose --csv"},
		{"json", answer{text: "a", csv: csv}, "--json: there is no JSON of this; choose --csv"},
		{"svg", answer{data: 1, csv: csv}, "--svg: there is no picture of this; choose --csv or --json"},
		{"svg", answer{text: "a"}, "--svg: there is no picture of this; leave it out"},
		{"", answer{data: 1}, "there is no table of this; choose --json"},
	} {
		var o output
		cmd := &cobra.Command{}
		o.add(cmd)
		if c.flag != "" {
			if err := cmd.Flags().Set(c.flag, "true"); err != nil {
				t.Fatal(err)
			}
		}
		text, err := o.form(c.a)
		if err == nil || err.Error() != c.want || exitCode(err) != badInput || text != nil {
			t.Errorf("--%s: %q, %v; want %q", c.flag, text, err, c.want)
		}
	}
	o := output{csv: true}
	if text, err := o.form(answer{csv: csv}); err != nil || !strings.HasPrefix(string(text), "a") {
		t.Errorf("a form that there is: %q, %v", text, err)
	}
}

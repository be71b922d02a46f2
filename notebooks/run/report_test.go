package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/notebooks/check"
)

func TestMatrix(t *testing.T) {
	chapters, err := fake(t).collect("full")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]line{}
	for _, p := range library {
		for _, l := range matrix(p, chapters) {
			got[p.Name+" "+l.Item] = l
		}
	}
	for item, want := range map[string]string{"MJSRE Table 1": passed, "MJSRE Table 2": passed, "MJSRE Table 3": open,
		"Golovin Figure 1": failed, "Golovin Figure 2": failed, "Golovin Figure 3": notRun, "Golovin Figure 4": open} {
		if got[item].State != want {
			t.Errorf("%s: got %q, want %q", item, got[item].State, want)
		}
	}
	table := got["MJSRE Table 2"]
	if table.Tally.Count() != "3 of 3" || table.Tally.Claims != 1 || table.Tally.Largest() != "0.5" || table.Tally.Worst.What != "large <b>" {
		t.Errorf("tally: %+v", table.Tally)
	}
	if short(table.Time) != "1.5 min" || table.Places[0].Anchor != "cell-id=a" || !table.Places[0].HasPage {
		t.Errorf("line: %+v", table)
	}
	if off := got["Golovin Figure 1"].Tally; off.Count() != "0 of 1" || off.Largest() != "3" {
		t.Errorf("tally: %+v", off)
	}
}

func TestRowsOf(t *testing.T) {
	record := check.Record{Items: []string{"Figure 1", "Figure 10"}}
	for _, what := range []string{"Figure 1: a", "Figure 10, b", "both", "Figure 2: elsewhere"} {
		record.Rows = append(record.Rows, check.Row{What: what})
	}
	for item, want := range map[string]string{"Figure 1": "Figure 1: a|both|Figure 2: elsewhere", "Figure 10": "Figure 10, b|both|Figure 2: elsewhere"} {
		var got []string
		for _, row := range rowsOf(record, item) {
			got = append(got, row.What)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q", item, got)
		}
	}
}

// An item in two notebooks needs both.
func TestItemInTwoNotebooks(t *testing.T) {
	at := fake(t)
	code := "%%\nlist := check.Against(\"MJSRE\", \"Table 1\")"
	at.put(t, "notebooks/more.ipynb", fakeNotebook(t, "More", "", code))
	state := func() string {
		t.Helper()
		chapters, err := at.collect("full")
		if err != nil {
			t.Fatal(err)
		}
		lines := matrix(library[0], chapters)
		return lines[slices.IndexFunc(lines, func(l line) bool { return l.Item == "Table 1" })].State
	}
	if got := state(); got != notRun {
		t.Errorf("one not run: %s", got)
	}
	at.ran(t, "more", "")
	if got := state(); got != failed {
		t.Errorf("one without a comparison: %s", got)
	}
	at.ran(t, "more", `{"paper":"MJSRE","items":["Table 1","Table 2"],"rows":[{"what":"Table 2: claim","allowed":"claim","ok":true}]}`)
	if got := state(); got != failed {
		t.Errorf("one with comparisons for another item only: %s", got)
	}
	at.ran(t, "more", `{"paper":"MJSRE","items":["Table 1"],"rows":[{"what":"claim","allowed":"claim","ok":true}]}`)
	if got := state(); got != passed {
		t.Errorf("both: %s", got)
	}
}

func TestReport(t *testing.T) {
	at := fake(t)
	at.put(t, "notebooks/good.ipynb", fakeNotebook(t, "x", "", "%%\nl := check.Against(\"MJSRE\", \"Table 1\")"))
	if err := os.Remove(at.page("late", "full")); err != nil {
		t.Fatal(err)
	}
	if err := at.writeReport("full"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(at.path("build/report/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`name="viewport"`, `href="good.html#cell-id`, `href="good.html"`, "(older code)",
		"large &lt;b&gt;: 1.5, expected 1 (± 1)", "stopped: not &lt; finished", "1 pass", "2 fail", "1 not run", "1.5 min", "took 6.0 min in all"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("index.html lacks %q", want)
		}
	}
	for _, not := range []string{`href="late.html`, `href="idle.html`} {
		if strings.Contains(string(text), not) {
			t.Errorf("index.html leads to a missing page: %q", not)
		}
	}
}

func TestOrder(t *testing.T) {
	parts := inOrder([]string{"x/zebra.ipynb", "x/gpu.ipynb", "x/apple.ipynb", "x/tutorial.ipynb"})
	var names []string
	for _, p := range parts {
		for _, l := range p.Lessons {
			names = append(names, p.Title+" "+l.Name)
		}
	}
	want := []string{"Begin tutorial", "Practice gpu", "More apple", "More zebra"}
	if !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

func TestSection(t *testing.T) {
	at := fake(t)
	page := "before\n" + sectionBegin + "\nold\n" + sectionEnd + "\nafter\n"
	at.put(t, "README.md", page)
	if err := at.writeMatrix("full"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(at.path("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for _, want := range []string{"before\n" + sectionBegin, sectionEnd + "\nafter\n", "| 1 | [tutorial](notebooks/tutorial.ipynb) | ten minutes",
		"| Table 2 | [good](notebooks/good.ipynb) | PASS | 3 of 3 | 0.5 | 1.5 min |", "| Table 3 |  | open |  |  |  |", "About idle"} {
		if !strings.Contains(got, want) {
			t.Errorf("README.md lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "\nold\n") {
		t.Error("the old section is still there")
	}
	if again, err := replaceSection(got, section("full", nil)); err != nil || strings.Count(again, sectionBegin) != 1 {
		t.Errorf("a second time: %v", err)
	}
	at.put(t, "README.md", sectionEnd+sectionBegin)
	if at.writeMatrix("full") == nil {
		t.Error("markers in the wrong order pass")
	}
}

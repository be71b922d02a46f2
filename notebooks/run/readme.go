package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// The generated section of README.md stands between these lines.
const (
	sectionBegin = "<!-- written by make matrix: begin -->"
	sectionEnd   = "<!-- written by make matrix: end -->"
)

// writeMatrix rewrites the generated section of README.md.
func (at checkout) writeMatrix(effort string) error {
	chapters, err := at.collect(effort)
	if err != nil {
		return err
	}
	path := at.path("README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page, err := replaceSection(string(text), section(effort, chapters))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(page), 0o644)
}

// replaceSection puts a new section between the markers.
func replaceSection(page, section string) (string, error) {
	before, rest, ok := strings.Cut(page, sectionBegin)
	_, after, closed := strings.Cut(rest, sectionEnd)
	if !ok || !closed {
		return "", fmt.Errorf("want a line %q and after it a line %q", sectionBegin, sectionEnd)
	}
	return before + sectionBegin + "\n" + section + sectionEnd + after, nil
}

// section is the course and the matrix in Markdown.
func section(effort string, chapters []chapter) string {
	var b strings.Builder
	b.WriteString("\n| | notebook | what it shows |\n|---|---|---|\n")
	for _, c := range chapters {
		fmt.Fprintf(&b, "| | **%s** | |\n", c.Title)
		for _, r := range c.Results {
			fmt.Fprintf(&b, "| %d | %s | %s |\n", r.Number, link(r.Name), cell(r.About))
		}
	}
	fmt.Fprintf(&b, "\n### Reproduction matrix\n\nEvery table and figure of the five papers, at %s effort. "+
		"A difference is given as a part\nof what its check allows, the largest of all; a claim holds or not. "+
		"The time is that of\nthe whole notebook. Not run: not yet at this effort. Open: no notebook reproduces it yet.\n", effort)
	for _, p := range library {
		fmt.Fprintf(&b, "\n**%s** (%s)\n\n| item | notebook | state | checks | largest difference | time |\n|---|---|---|---|---|---|\n", p.Name, p.Citation)
		for _, l := range matrix(p, chapters) {
			links := make([]string, len(l.Places))
			for i, at := range l.Places {
				links[i] = link(at.Notebook)
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", l.Item, strings.Join(links, ", "), l.State,
				l.Tally.Count(), l.Tally.Largest(), short(l.Time))
		}
	}
	b.WriteString("\n")
	return b.String()
}

func link(notebook string) string { return fmt.Sprintf("[%s](notebooks/%[1]s.ipynb)", notebook) }

// cell is text that does not end a cell of a Markdown table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Count is the number of comparisons that hold, of all.
func (t tally) Count() string {
	if t.Checks == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", t.Checks-t.Failed, t.Checks)
}

// Largest is the largest difference as a part of the allowed one.
func (t tally) Largest() string {
	switch {
	case t.Checks == 0:
		return ""
	case t.Worst == nil:
		return "claims only"
	case t.Worst.Share == nil:
		return "no number"
	}
	return fmt.Sprintf("%.2g", *t.Worst.Share)
}

// short is a duration at a glance.
func short(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.1f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

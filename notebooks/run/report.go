package main

import (
	"html/template"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// index is the report: every table and figure, then the notebooks; their HTML
// copies lie beside it. On a narrow screen a row of a table becomes a block.
var index = template.Must(template.New("index").Funcs(template.FuncMap{
	"short": short, "lower": strings.ToLower, "class": func(state string) string { return strings.ReplaceAll(state, " ", "") },
	"citation": func(p paper) string { return p.Citation },
}).Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mjq: reproduction report</title>
<style>
body { font: 16px/1.5 sans-serif; color: #222; max-width: 64em; margin: 1.5em auto; padding: 0 1em }
h1 { font-size: 1.5em; line-height: 1.2 } h2 { font-size: 1.15em; margin: 2em 0 .2em }
p { margin: .3em 0 .8em } .small { color: #666; font-size: .85em }
h3 { font-size: 1em; margin: 1.2em 0 .2em } table { border-collapse: collapse; width: 100%; table-layout: fixed }
th:nth-child(1) { width: 7.5em } th:nth-child(2) { width: 7em } th:nth-child(3) { width: 14.5em }
.lessons th:nth-child(1) { width: 15em } .lessons th:nth-child(3) { width: auto } th.number { width: 5.5em }
th { color: #666; font-weight: normal; font-size: .85em }
th, td { text-align: left; padding: .3em .8em .3em 0; overflow-wrap: break-word; border-bottom: 1px solid #ddd; vertical-align: top }
td.number { text-align: right; white-space: nowrap } th.number { text-align: right }
td.number, th.number { padding-right: 1.2em }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 80%; margin: .3em 0 }
.PASS { color: #1b7a33 } .FAIL { color: #b00020; font-weight: bold } .notrun, .open { color: #777 }
@media (max-width: 40em) {
  table, tbody { display: block }
  thead { display: none }
  tr { display: flex; flex-wrap: wrap; column-gap: 1em; padding: .4em 0; border-bottom: 1px solid #ddd }
  td, td.number { border: 0; padding: 0; text-align: left }
  td:first-child { font-weight: bold; flex: 1 } td.wide { flex-basis: 100%; order: 1 } td.number { order: 2 }
  td.number:not(:empty)::before { content: attr(data-label) " "; color: #666 } td:empty { display: none }
}
</style>
<h1>mjq: reproduction report</h1>
<p>Effort {{.Effort}}, written {{.Now}}. {{range .Summary}}<span class="{{class .State}}">{{.Count}} {{lower .State}}</span> {{end}}of {{.All}} tables, figures and claims.{{with .Total}} The notebooks took {{short .}} in all.{{end}}</p>
<p class="small">A difference is given as a part of what its check allows: at 1 it would just pass. Claims hold or not. The time is that of the whole notebook. "Not run" is at this effort; "open" has no notebook yet.</p>
{{range .Papers}}
<h2>{{.Paper.Name}}</h2>
<p class="small">{{citation .Paper}}</p>
<table>
<thead><tr><th>Item</th><th>State</th><th>Notebook</th><th class="number">Checks</th><th>Largest difference</th><th class="number">Time</th></tr></thead>
{{- range .Lines}}
<tr><td>{{.Item}}</td><td class="state {{class .State}}">{{.State}}{{if .Stale}} <span class="small">(older code)</span>{{end}}</td>
<td class="wide">{{range $i, $p := .Places}}{{if $i}}, {{end}}{{if $p.HasPage}}<a href="{{$p.Notebook}}.html#{{$p.Anchor}}">{{$p.Notebook}}</a>{{else}}{{$p.Notebook}}{{end}}{{end}}</td>
<td class="number" data-label="checks">{{.Tally.Count}}</td><td class="wide">{{template "largest" .Tally}}</td><td class="number" data-label="time">{{short .Time}}</td></tr>
{{- end}}
</table>
{{end}}
<h2>Notebooks, in reading order</h2>
{{range .Chapters}}
<h3>{{.Title}}</h3>
<table class="lessons">
<thead><tr><th>Notebook</th><th>State</th><th>What it shows</th><th class="number">Checks</th><th class="number">Time</th></tr></thead>
{{- range .Results}}{{$tally := .Tally}}
<tr><td>{{.Number}}. {{if .HasPage}}<a href="{{.Name}}.html">{{.Name}}</a>{{else}}{{.Name}}{{end}}</td>
<td class="state {{class .State}}">{{.State}}{{if .Stale}} <span class="small">(older code)</span>{{end}}</td>
<td class="wide">{{.About}}{{with .Run}}{{range .Faults}}<pre>{{.}}</pre>{{end}}{{end}}</td>
<td class="number" data-label="checks">{{$tally.Count}}</td><td class="number" data-label="time">{{with .Run}}{{short .Duration}}{{end}}</td></tr>
{{- end}}
</table>
{{end}}
</html>
{{define "largest"}}{{with .Worst}}{{$.Largest}}<span class="small"> {{.What}}: {{.Ours}}, expected {{.Expected}} ({{.Allowed}})</span>{{else}}{{.Largest}}{{end}}{{end}}
`))

// content is what the report shows.
type content struct {
	Effort, Now string
	Papers      []paperLines
	Chapters    []chapter
}

type paperLines struct {
	Paper paper
	Lines []line
}

// All is the number of items in the matrix.
func (c content) All() int {
	n := 0
	for _, p := range c.Papers {
		n += len(p.Lines)
	}
	return n
}

// Total is the run time of all notebooks.
func (c content) Total() time.Duration {
	var total time.Duration
	for _, chapter := range c.Chapters {
		for _, r := range chapter.Results {
			if r.Run != nil {
				total += r.Run.Duration
			}
		}
	}
	return total
}

// count is how many items are in a state.
type count struct {
	State string
	Count int
}

// Summary counts the items by state, without the states that none is in.
func (c content) Summary() []count {
	var counts []count
	for _, state := range []string{passed, failed, notRun, open} {
		n := 0
		for _, p := range c.Papers {
			for _, l := range p.Lines {
				if l.State == state {
					n++
				}
			}
		}
		if n > 0 {
			counts = append(counts, count{state, n})
		}
	}
	return counts
}

// writeReport writes index.html to the directory of the report.
func (at checkout) writeReport(effort string) error {
	chapters, err := at.collect(effort)
	if err != nil {
		return err
	}
	c := content{Effort: effort, Now: time.Now().Format("2 January 2006, 15:04"), Chapters: chapters}
	for _, p := range library {
		c.Papers = append(c.Papers, paperLines{p, matrix(p, chapters)})
	}
	dir := at.report(effort)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "index.html"))
	if err != nil {
		return err
	}
	if err := index.Execute(file, c); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

package main

import (
	"html/template"
	"os"
	"path/filepath"
)

// index lists the notebooks with their state; their HTML copies lie beside it.
var index = template.Must(template.New("index").Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>mjq notebooks</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3em .8em; border-bottom: 1px solid #ddd; vertical-align: top }
td.time { text-align: right }
pre { white-space: pre-wrap; font-size: 80% }
.FAIL { color: #b00020 }
</style>
<h1>mjq notebooks</h1>
<p>Effort: {{.Effort}}</p>
<table>
<tr><th>Notebook</th><th>State</th><th>Seconds</th></tr>
{{- range .Outcomes}}
<tr><td>{{if .Executed}}<a href="{{.Name}}.html">{{.Name}}</a>{{else}}{{.Name}}{{end}}{{range .Faults}}<pre>{{.}}</pre>{{end}}</td>
{{- if .Passed}}<td>PASS</td>{{else}}<td class="FAIL">FAIL</td>{{end -}}
<td class="time">{{printf "%.1f" .Duration.Seconds}}</td></tr>
{{- end}}
</table>
</html>
`))

// writeIndex writes index.html to the directory of the report.
func writeIndex(dir, effort string, outcomes []outcome) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "index.html"))
	if err != nil {
		return err
	}
	data := struct {
		Effort   string
		Outcomes []outcome
	}{effort, outcomes}
	if err := index.Execute(file, data); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

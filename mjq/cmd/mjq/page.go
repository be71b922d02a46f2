package main

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"
)

// layout is a page that needs no other file and no network: style and pictures are in it.
var layout = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<style>
body { font-family: system-ui, sans-serif; line-height: 1.5; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid #bbb; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; vertical-align: top; }
thead th { border-bottom: 1px solid #bbb; } figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; background: #fff; }
</style>
</head>
<body>
<h1>{{.Title}}</h1>
{{range .Sections}}<section>
{{with .Heading}}<h2>{{.}}</h2>
{{end}}{{.Body}}
</section>
{{end}}</body>
</html>
`))

// page is a page of the sections.
func page(title string, sections []section) ([]byte, error) {
	type part struct {
		Heading string
		Body    template.HTML
	}
	var parts []part
	for _, s := range sections {
		body := s.html
		if s.picture != nil {
			svg, err := s.picture.SVG()
			if err != nil {
				return nil, fmt.Errorf("drawing %q: %w", s.picture.Title(), err)
			}
			body += "<figure>" + inline(string(svg)) + "</figure>"
		}
		// What package mjq writes as HTML is escaped by it.
		parts = append(parts, part{s.heading, template.HTML(body)})
	}
	var b bytes.Buffer
	err := layout.Execute(&b, struct {
		Title    string
		Sections []part
	}{title, parts})
	return b.Bytes(), err
}

// inline is an SVG without the lines before its root, which a page must not have.
func inline(svg string) string {
	if at := strings.Index(svg, "<svg"); at > 0 {
		return svg[at:]
	}
	return svg
}

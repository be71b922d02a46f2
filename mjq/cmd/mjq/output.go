package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/internal/escape"
	"github.com/mjqueue/mjq/internal/files"
	"github.com/mjqueue/mjq/mjq/result"
)

// output says in which form and where an answer is written.
type output struct {
	json, csv, svg, html bool
	plot, file           string
	pictures             []string // that there are
}

// add defines the flags.
func (o *output) add(c *cobra.Command, pictures []string) {
	flags := c.Flags()
	flags.BoolVar(&o.json, "json", false, "write JSON: null is unknown, Infinity a string")
	flags.BoolVar(&o.csv, "csv", false, "write comma-separated values with full precision")
	flags.BoolVar(&o.svg, "svg", false, "write a picture")
	flags.BoolVar(&o.html, "html", false, "write a page that stands alone, with pictures")
	c.MarkFlagsMutuallyExclusive("json", "csv", "svg", "html")
	flags.StringVarP(&o.file, "output", "o", "", "write to this file instead of standard output")
	if o.pictures = pictures; len(pictures) > 1 {
		flags.StringVar(&o.plot, "plot", "", "picture of --svg: "+strings.Join(pictures, ", "))
		_ = c.RegisterFlagCompletionFunc("plot", cobra.FixedCompletions(pictures, cobra.ShellCompDirectiveNoFileComp))
	}
}

// check says what is wrong with the flags, before anything is computed.
func (o *output) check() error {
	if o.svg && len(o.pictures) == 0 {
		return fmt.Errorf("--svg: there is no picture of this; choose --csv, --html or --json")
	}
	if o.plot != "" && !slices.Contains(o.pictures, o.plot) {
		return fmt.Errorf("--plot: %q is no picture; choose %s", o.plot, strings.Join(o.pictures, ", "))
	}
	return nil
}

// write writes answers in the form asked for. A file is written as a whole or not at all.
func write[T comparable](c *call, f form[T], before []section, found []T) error {
	data, err := written(c, f, before, found)
	if err != nil {
		return err
	}
	if c.to.file != "" {
		if err := files.Write(c.to.file, data); err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
		return nil
	}
	_, err = c.out.Write(data)
	return err
}

// lists are lists of numbers in indented JSON, each in a line of its own.
var lists = regexp.MustCompile(`\[\n[^\[\]{}"]*\]`)

var blank = regexp.MustCompile(`\s+`)

// written are answers in the form asked for.
func written[T comparable](c *call, f form[T], before []section, found []T) ([]byte, error) {
	switch o := &c.to; {
	case o.json:
		all := make([]any, len(found))
		for i, x := range found {
			all[i] = f.plain(x)
		}
		var one any = all
		if len(all) == 1 {
			one = all[0]
		}
		text, err := result.WriteJSON(&one) // by its address, so that a model writes itself
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		_ = json.Indent(&b, text, "", "  ") // what was written is JSON
		data := lists.ReplaceAllFunc(b.Bytes(), func(list []byte) []byte { return blank.ReplaceAll(list, []byte(" ")) })
		return append(escape.JSON(data), '\n'), nil
	case o.csv:
		lines, err := f.lines(found)
		return []byte(escape.CSV(lines)), err
	case o.svg:
		return f.picture(o.plot, found).SVG()
	case o.html || f.page:
		return page(f.title, append(before, f.sections(found)...))
	}
	var texts []string
	between := ""
	for _, x := range found {
		texts = append(texts, f.text(x))
		if strings.Count(texts[len(texts)-1], "\n") > 1 {
			between = "\n"
		}
	}
	return []byte(escape.Lines(strings.Join(texts, between))), nil
}

// section is a part of a page: what writes itself as HTML, or a picture.
type section struct {
	heading string
	html    string
	picture drawing
}

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
@media (prefers-color-scheme: dark) { body { color: #e8e8e8; background: #16191d; } h2, thead th { border-color: #555; } a { color: #79b8e8; } }
@media print { @page { size: A4; margin: 12mm; } body { margin: 0; max-width: none; padding: 0; } h1 { margin: 0 0 .4rem; font-size: 1.3rem; } }
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

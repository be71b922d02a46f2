// Command gallery draws a picture of every kind and writes the page of the site that shows them,
// each with the question that it answers, its caption and the code that draws it.
//
//	go run ./site/gallery FOLDER
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"html"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
)

// picture is what every function of this gallery returns: a figure, panels or a Gantt chart.
type picture interface {
	Title() string
	SVG() ([]byte, error)
}

// part is a question and the pictures that answer it, by the names of their functions.
type part struct {
	question string
	pictures []entry
}

type entry struct {
	name string
	draw func(context.Context) picture
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./site/gallery FOLDER")
	}
	if err := write(context.Background(), "site/gallery", os.Args[1], parts()); err != nil {
		log.Fatal(err)
	}
}

// write draws the pictures of parts, whose code is read from the sources, into the folder gallery of a
// folder, and the page gallery.md beside it.
func write(ctx context.Context, sources, folder string, parts []part) error {
	code, err := bodies(sources)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, "gallery"), 0o755); err != nil {
		return err
	}
	var tiles, page bytes.Buffer
	for _, p := range parts {
		fmt.Fprintf(&page, "## %s\n\n", p.question)
		for _, e := range p.pictures {
			drawn, caption := e.draw(ctx), ""
			if f, ok := drawn.(*figure.Figure); ok {
				drawn, _, caption = f.Apart()
			}
			svg, err := drawn.SVG()
			if err != nil {
				return fmt.Errorf("%s: %w", e.name, err)
			}
			file := "gallery/" + e.name + ".svg"
			if err := os.WriteFile(filepath.Join(folder, file), svg, 0o644); err != nil {
				return err
			}
			title := html.EscapeString(drawn.Title())
			fmt.Fprintf(&tiles, `<a href="#%s"><img src="%s" alt=""><span>%s</span></a>`, e.name, file, title)
			fmt.Fprintf(&page, "<a id=\"%s\"></a>\n\n%s\n\n", e.name, code[e.name].about)
			fmt.Fprintf(&page, "<div class=\"drawn\"><img src=\"%s\" alt=\"%s\"></div>\n\n", file, title)
			if caption != "" {
				fmt.Fprintf(&page, "*%s*\n\n", caption)
			}
			fmt.Fprintf(&page, "??? example \"Code\"\n\n%s\n", indented("```go\n"+cell(code, e.name)+"\n```\n"))
		}
	}
	head := "# Gallery\n\nFind the picture that answers your question, and copy its code. Results draw themselves in a cell; " +
		"a figure as the last expression of a cell is shown, and its method `Save(\"name.pdf\")` writes it for a paper, " +
		"as SVG, PNG or PDF. Captions conclude by themselves until you give another one.\n\n" +
		"<div class=\"gallery\">" + tiles.String() + "</div>\n\n"
	return os.WriteFile(filepath.Join(folder, "gallery.md"), append([]byte(head), page.Bytes()...), 0o644)
}

// snippet is a function as the page shows it: what it says of itself, its statements, and, for
// those that others call, the whole.
type snippet struct{ about, text, whole string }

// bodies are the functions of the sources. Functions that a picture calls stand before its
// statements.
func bodies(sources string) (map[string]snippet, error) {
	names, err := filepath.Glob(filepath.Join(sources, "*.go"))
	if err != nil {
		return nil, err
	}
	found := map[string]snippet{}
	files := token.NewFileSet()
	for _, name := range names {
		f, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Doc != nil {
				bare := *fn
				bare.Doc = nil
				var body, whole bytes.Buffer
				if err := errors.Join(format.Node(&body, files, fn.Body), format.Node(&whole, files, &bare)); err != nil {
					return nil, err
				}
				found[fn.Name.Name] = snippet{about(fn), statements(body.String()), whole.String()}
			}
		}
	}
	return found, nil
}

// cell is the code of a picture with what it calls.
func cell(code map[string]snippet, name string) string {
	text := code[name].text
	for again := true; again; {
		again = false
		for _, other := range slices.Sorted(maps.Keys(code)) {
			call := regexp.MustCompile(`(^|[^.\w])` + other + `\(`)
			if call.MatchString(text) && !strings.Contains(text, "func "+other+"(") {
				text, again = code[other].whole+"\n\n"+text, true
			}
		}
	}
	return text
}

// about is the comment of a function without its name: "waitsByRate draws ..." is "Draws ...".
func about(fn *ast.FuncDecl) string {
	text := strings.TrimPrefix(strings.Join(strings.Fields(fn.Doc.Text()), " "), fn.Name.Name+" ")
	return strings.ToUpper(text[:1]) + text[1:]
}

// statements are a body as one writes it in a cell, whose last expression is shown.
func statements(body string) string {
	lines := strings.Split(strings.Trim(body, "{}\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "\t")
		if after, ok := strings.CutPrefix(lines[i], "return "); ok {
			lines[i] = after
		}
	}
	return strings.Join(lines, "\n")
}

func indented(text string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		if line != "" && line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// Command packages writes pages of Markdown on the public packages of the module: the
// documentation of each package, and an index of all its exported names, each of which unfolds with
// its methods and examples.
//
//	go run ./site/packages FOLDER
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Pages are the packages whose documentation is for users, in reading order: a page begins with its
// name and title.
var pages = [][]string{
	{"mjq", "Package mjq", "mjq"},
	{"parts", "Parts of a model", "mjq/spec", "mjq/law", "mjq/arrival", "mjq/policy", "mjq/placement", "mjq/mam"},
	{"logs", "Logs and special queues", "mjq/trace", "mjq/trace/foreign", "mjq/workload", "mjq/special"},
	{"results", "Results and pictures", "mjq/result", "mjq/plots", "mjq/figure", "widgets", "widgets/explorer"},
}

const module = "github.com/mjqueue/mjq/"

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./site/packages FOLDER")
	}
	for _, page := range pages {
		text := []byte("---\nsearch: {boost: 0.3}\n---\n# " + page[1] + "\n\n") // pages that explain come first
		for _, folder := range page[2:] {
			about, err := write(folder)
			if err != nil {
				log.Fatalf("%s: %v", folder, err)
			}
			text = append(text, about...)
		}
		if err := os.WriteFile(filepath.Join(os.Args[1], page[0]+".md"), text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// page is one that is being written.
type page struct {
	bytes.Buffer
	p     *doc.Package
	files *token.FileSet
}

// write is what a page says about a package.
func write(folder string) ([]byte, error) {
	w := page{files: token.NewFileSet()}
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var sources []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(w.files, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		sources = append(sources, f)
	}
	if w.p, err = doc.NewFromFiles(w.files, sources, module+folder); err != nil {
		return nil, err
	}
	fmt.Fprintf(&w, "## %s\n\n```go\nimport %q\n```\n\n", w.p.Name, module+folder)
	w.comment(w.p.Doc)
	w.examples(w.p.Examples)
	w.values(w.p.Consts)
	w.values(w.p.Vars)
	w.WriteString("### Index of " + w.p.Name + "\n\n")
	for _, f := range w.p.Funcs {
		w.folded("func "+f.Name, f.Doc, func() { w.function("### func ", f) })
	}
	for _, t := range w.p.Types {
		w.folded("type "+t.Name, t.Doc, func() { w.typeSection(t) })
	}
	return w.Bytes(), nil
}

// folded is a line of the index, a name with the first sentence about it, that unfolds to what
// write writes.
func (w *page) folded(name, about string, write func()) {
	before := bytes.Clone(w.Bytes())
	w.Reset()
	write()
	inside := w.String()
	w.Reset()
	w.Write(before)
	fmt.Fprintf(w, "??? abstract %q\n\n", name+": "+strings.ReplaceAll(w.p.Synopsis(about), `"`, "'"))
	w.indented(inside)
	w.WriteByte('\n')
}

// typeSection is a type with what belongs to it.
func (w *page) typeSection(t *doc.Type) {
	fmt.Fprintf(w, "### type %s\n\n", t.Name)
	w.code(t.Decl)
	w.comment(t.Doc)
	w.examples(t.Examples)
	w.values(t.Consts)
	w.values(t.Vars)
	for _, f := range t.Funcs {
		w.function("#### func ", f)
	}
	for _, m := range t.Methods {
		w.function("#### "+t.Name+".", m)
	}
}

func (w *page) function(heading string, f *doc.Func) {
	fmt.Fprintf(w, "%s%s\n\n", heading, f.Name)
	w.code(f.Decl)
	w.comment(f.Doc)
	w.examples(f.Examples)
}

func (w *page) values(list []*doc.Value) {
	for _, v := range list {
		if slices.ContainsFunc(v.Names, ast.IsExported) {
			w.code(v.Decl)
			w.comment(v.Doc)
		}
	}
}

// comment writes a doc comment; links to names go to pkg.go.dev's form, which pages of
// this folder do not have, so they become plain code.
func (w *page) comment(text string) {
	c := w.p.Parser().Parse(text)
	printer := w.p.Printer()
	printer.HeadingLevel = 4
	printer.HeadingID = func(*comment.Heading) string { return "" }
	printer.DocLinkURL = func(*comment.DocLink) string { return "" }
	w.Write(printer.Markdown(c))
	w.WriteByte('\n')
}

// code writes a declaration without its body.
func (w *page) code(node ast.Node) {
	if f, ok := node.(*ast.FuncDecl); ok {
		bare := *f
		bare.Body, bare.Doc = nil, nil
		node = &bare
	}
	w.WriteString("```go\n")
	if err := format.Node(w, w.files, node); err != nil {
		log.Fatal(err)
	}
	w.WriteString("\n```\n\n")
}

// examples are folded, with what they print.
func (w *page) examples(list []*doc.Example) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b *doc.Example) int { return cmp.Compare(a.Suffix, b.Suffix) })
	for _, e := range list {
		var source bytes.Buffer
		if err := format.Node(&source, w.files, e.Code); err != nil {
			log.Fatal(err)
		}
		text := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(source.String(), "{"), "}"))
		if i := strings.LastIndex(text, "// Output:"); i >= 0 {
			text = strings.TrimSpace(text[:i])
		}
		title := "Example"
		if e.Suffix != "" {
			title += " (" + e.Suffix + ")"
		}
		fmt.Fprintf(w, "??? example %q\n\n", title)
		w.indented("```go\n" + text + "\n```\n")
		if e.Output != "" {
			w.indented("\nprints\n\n```text\n" + strings.TrimRight(e.Output, "\n") + "\n```\n")
		}
		w.WriteByte('\n')
	}
}

func (w *page) indented(text string) {
	for _, line := range strings.SplitAfter(text, "\n") {
		if strings.TrimSpace(line) != "" {
			line = "    " + line
		}
		w.WriteString(line)
	}
}

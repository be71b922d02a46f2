package prose

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// publicPackages are those whose comments users read.
var publicPackages = []string{"mjq", "mjq/spec", "mjq/result", "mjq/law", "mjq/arrival", "mjq/policy", "mjq/special", "mjq/workload",
	"mjq/trace", "mjq/trace/foreign", "mjq/plots", "mjq/figure", "mjq/mam", "widgets", "widgets/explorer", "widgets/playground"}

// parsed reads the Go files of a folder, without tests.
func parsed(t *testing.T, folder string) (*token.FileSet, []*ast.File) {
	t.Helper()
	set := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return set, files
}

// godoc returns the comments of a package's exported names, fields included.
func godoc(t *testing.T, folder string) []passage {
	t.Helper()
	set, files := parsed(t, folder)
	var all []passage
	add := func(at token.Pos, text string) {
		place := set.Position(at)
		for _, p := range markdown(place.Filename, paragraphs(text)) {
			p.line += place.Line - 1
			all = append(all, p)
		}
	}
	for _, f := range files {
		if f.Doc != nil {
			add(f.Doc.Pos(), f.Doc.Text())
		}
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Doc != nil && n.Name.IsExported() {
						add(n.Doc.Pos(), n.Doc.Text())
					}
					return false
				case *ast.GenDecl:
					if n.Doc != nil && exported(n) {
						add(n.Doc.Pos(), n.Doc.Text())
					}
				case *ast.TypeSpec:
					return n.Name.IsExported()
				case *ast.Field:
					if len(n.Names) > 0 && !n.Names[0].IsExported() {
						return false
					}
					if n.Doc != nil {
						add(n.Doc.Pos(), n.Doc.Text())
					}
					if n.Comment != nil {
						add(n.Comment.Pos(), n.Comment.Text())
					}
				}
				return true
			})
		}
	}
	return all
}

func exported(d *ast.GenDecl) bool {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				return true
			}
		case *ast.ValueSpec:
			if s.Names[0].IsExported() {
				return true
			}
		}
	}
	return false
}

// paragraphs are the text of a comment as go doc reads it, code as fenced blocks.
func paragraphs(text string) string {
	var b strings.Builder
	inCode := false
	for _, line := range strings.Split(text, "\n") {
		code := strings.HasPrefix(line, "\t")
		if code != inCode && strings.TrimSpace(line) != "" {
			inCode = code
			b.WriteString("\n")
		}
		if code {
			line = ""
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// unnamed lists the exported functions, methods and types whose comment does not begin
// with their name.
func unnamed(t *testing.T, folder string) []string {
	t.Helper()
	set, files := parsed(t, folder)
	p, err := doc.NewFromFiles(set, files, folder)
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	check := func(name, text string) {
		if !strings.HasPrefix(text, name+" ") && !strings.HasPrefix(text, "A "+name+" ") && !strings.HasPrefix(text, "An "+name+" ") {
			wrong = append(wrong, folder+": "+name+": "+p.Synopsis(text))
		}
	}
	functions := func(all []*doc.Func) {
		for _, f := range all {
			check(f.Name, f.Doc)
		}
	}
	functions(p.Funcs)
	for _, of := range p.Types {
		check(of.Name, of.Doc)
		functions(of.Funcs)
		functions(of.Methods)
	}
	return wrong
}

// messages returns the strings of a folder that users may read: those of several words.
func messages(t *testing.T, folder string) []passage {
	t.Helper()
	set, files := parsed(t, folder)
	var all []passage
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				return n.Tag == nil
			case *ast.BasicLit, *ast.BinaryExpr:
				if text, ok := literal(n); ok {
					if isMessage(text) {
						place := set.Position(n.Pos())
						all = append(all, passage{file: place.Filename, line: place.Line, text: plain(text), raw: text})
					}
					return false
				}
			}
			return true
		})
	}
	return all
}

// literal joins the strings of a sum; what is computed in between becomes a word.
func literal(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind != token.STRING || strings.HasPrefix(n.Value, "`") {
			return "", false
		}
		text, err := strconv.Unquote(n.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		if n.Op != token.ADD {
			return "", false
		}
		x, okX := literal(n.X)
		y, okY := literal(n.Y)
		if !okX && !okY {
			return "", false
		}
		if !okX {
			x = "value"
		}
		if !okY {
			y = "value"
		}
		return x + y, true
	}
	return "", false
}

func isMessage(text string) bool {
	return len(strings.Fields(text)) >= 4 && !strings.ContainsAny(text, "<{}\n=") && strings.ContainsFunc(text, func(r rune) bool { return r >= 'a' && r <= 'z' })
}

// foldersWithMessages are all below mjq and widgets that hold Go.
func foldersWithMessages(t *testing.T) []string {
	t.Helper()
	var folders []string
	for _, root := range []string{"mjq", "widgets", "internal/check", "internal/panics", "kernels/jupyter"} {
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err == nil && e.IsDir() && e.Name() != "testdata" && e.Name() != "beam" {
				folders = append(folders, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return folders
}

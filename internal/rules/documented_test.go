package rules

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// verbs are what a reader looks for first; each has a runnable example.
var verbs = strings.Fields(`Package Servers Model.Err Model.Stability Model.Capacity MSR Backward Forward
	Unbiased Certified Dominated RareEvent Exact Model.HeavyTraffic Simulation Model.ByTime Model.Transient Model.FewestServers Model.LargestRate
	Model.CheapestServers Model.CheapestMix Model.Sensitivities Model.Optimum Model.Methods Model.Path Resources Model.Specific
	Model.RandomAssignment Sweep Shard Cache trace.ReadSWF trace.ReadCSV trace/foreign.ReadTOML trace.Trace.Fit trace.Trace.Replay trace.Trace.Compare Compare Processor result.Table.Against
	special.OneAndN special.Divisible special.BrillGreen special.MPareto1 special.UnitAssignment
	plots.Means plots.QuantileRibbon plots.Tails plots.Compare`)

// documented are the packages for users, by folder.
var documented = []string{".", "spec", "trace", "trace/foreign", "policy", "arrival", "result", "law", "mam", "figure", "plots", "special", "workload"}

// source is a package as go doc sees it, with its examples.
func source(t *testing.T, folder string) *doc.Package {
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(folder, e.Name()), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, path.Join("github.com/mjqueue/mjq/mjq", folder))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// named is a documented name: its comment and its examples.
type named struct {
	name, text string
	examples   []*doc.Example
}

// exported lists the names of all packages for users, methods as Type.Method, those
// outside this package as package.Name.
func exported(t *testing.T) (list []named) {
	for _, folder := range documented {
		for _, n := range namesOf(source(t, folder)) {
			if folder != "." {
				n.name = folder + "." + n.name
			}
			list = append(list, n)
		}
	}
	return list
}

// namesOf lists the names of a package.
func namesOf(p *doc.Package) []named {
	list := []named{{"Package", p.Doc, p.Examples}}
	add := func(funcs []*doc.Func, of string) {
		for _, f := range funcs {
			list = append(list, named{of + f.Name, f.Doc, f.Examples})
		}
	}
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			list = append(list, named{v.Names[0], v.Doc + comments(v.Decl), nil})
		}
	}
	add(p.Funcs, "")
	values(p.Consts)
	values(p.Vars)
	for _, t := range p.Types {
		list = append(list, named{t.Name, t.Doc, t.Examples})
		add(t.Funcs, "")
		add(t.Methods, t.Name+".")
		values(t.Consts)
		values(t.Vars)
	}
	return list
}

// comments are those inside a group of constants or variables.
func comments(d *ast.GenDecl) (text string) {
	for _, s := range d.Specs {
		if v, ok := s.(*ast.ValueSpec); ok {
			text += v.Doc.Text() + v.Comment.Text()
		}
	}
	return text
}

// undocumented are the names without a comment.
func undocumented(list []named) (faults []string) {
	for _, n := range list {
		if strings.TrimSpace(n.text) == "" {
			faults = append(faults, n.name+" has no comment")
		}
	}
	return faults
}

func TestEveryNameIsDocumented(t *testing.T) {
	list := exported(t)
	for _, fault := range undocumented(list) {
		t.Error(fault)
	}
	if len(list) < 200 {
		t.Errorf("only %d names were looked at", len(list))
	}
	if len(undocumented([]named{{"Bare", "", nil}, {"Type.Bare", "\n", nil}})) != 2 {
		t.Error("a missing comment goes unnoticed")
	}
}

// TestEveryVerbHasAnExample: one that runs, which its Output comment makes it do.
func TestEveryVerbHasAnExample(t *testing.T) {
	byName := map[string]named{}
	for _, n := range exported(t) {
		byName[n.name] = n
	}
	for _, verb := range verbs {
		n, known := byName[verb]
		if !known {
			t.Errorf("%s is not in the package; mend the list of verbs", verb)
			continue
		}
		if !slices.ContainsFunc(n.examples, func(e *doc.Example) bool { return e.Output != "" }) {
			t.Errorf("%s has no example with an output", verb)
		}
	}
}

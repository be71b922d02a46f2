package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestLoopsEnd: a loop that goes on until numbers are near enough also ends after so many rounds, or
// with its context; numbers that do not get there would hold it for ever. Such a loop leaves by
// a comparison of real numbers. It ends if it counts, in whole numbers or by steps of a real number
// up to a limit, or if it asks its context. settling has the others.
func TestLoopsEnd(t *testing.T) {
	loops := 0
	excepted(t, settling, "the loop ends by a tolerance alone; bound its rounds, ask the context, and fail with an error", func(p *typed, n ast.Node) bool {
		l, ok := n.(*ast.ForStmt)
		if !ok {
			return false
		}
		loops++
		x := &loop{l, p.info}
		return x.settles() && !x.counts() && !x.hears()
	})
	if loops < 500 {
		t.Errorf("read %d loops only", loops)
	}
}

// settling are functions whose loops end by a tolerance alone, and why they do.
var settling = map[string]string{
	"cmd/mjq.picture":            "multiplies a time until few survive it; survival functions fall to 0",
	"internal/failing.Sample":    "ends with a positive probability each time",
	"internal/failing.hit":       "accepts with a positive probability",
	"internal/failing.many":      "each hit takes stretches away, and is the last with a positive probability",
	"internal/failing.unhit":     "accepts with a positive probability",
	"internal/methods.backward":  "doubles up to a finite number",
	"internal/classic.deviance":  "a series with a factor below 0.01 from term to term",
	"internal/classic.newSteady": "doubles up to 700",
	"internal/classic.pieces":    "halves down to a part of 1e-13",
	"internal/timecourse.Sample": "doubles until infinity at most",
	"internal/events.meter":      "doubles a number of at least one job",
	"internal/events.reset":      "takes failures that were given from a list, and their repairs",
	"internal/events.strike":     "each clock that is taken goes on later",
	"internal/events.wait":       "each strike moves the next one on",
	"internal/open.stay":         "phases only lead on here: as many rounds as phases",
	"internal/problem.endured":   "doubles until infinity at most",
	"internal/queue.Cut":         "a mean that is bounded, from which on probabilities fall faster than a geometric law",
	"internal/sampler.Sample":    "accepts with a positive probability",
	"internal/sampling.count":    "goes down a list to its first entry, which ends it",
	"internal/sampling.spaced":   "goes down by ln 2 or more to a lowest logarithm",
	"internal/stream.First":      "draws until a gap is positive, and not all are 0",
	"internal/stream.idle":       "goes on to the next rate above 0, and there is one",
	"internal/stream.pass":       "a part of a period, in which the rates add up to it",
	"law.bracket":                "doubles up to 1500",
	"law.cellEdges":              "multiplies up to 1e250",
	"law.expm1Rest":              "a series whose terms fall by factorials",
	"law.peak":                   "doubles up to 10⁶",
	"mam.Solve":                  "an error after maxSteps",
	"mam.roots":                  "goes down a list to its first entry, which ends it",
	"policy.find":                "goes down a tree",
	"policy.roundUp":             "a power is one or two steps from its logarithm",
	"policy.startDue":            "takes a job from a heap each time",
	"result.Quantile":            "doubles until infinity at most",
	"special.midpointSum":        "doubles up to a finite number",
	"trace/foreign.ReadClasses":  "reads lines until the end",
}

// typed is a package with the types of its expressions.
type typed struct {
	name  string // as seen from package mjq
	set   *token.FileSet
	files []*ast.File
	info  *types.Info
}

// checked are the packages of this module without their tests, read once for all rules.
var checked = sync.OnceValues(func() (list []*typed, err error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./...", "../widgets/...", "../internal/...").Output()
	if err != nil {
		return nil, err
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
	}
	exports, own := map[string]string{}, []listed(nil)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if exports[p.ImportPath] = p.Export; strings.HasPrefix(p.ImportPath, module) {
			own = append(own, p)
		}
	}
	set := token.NewFileSet()
	from := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range own {
		x := &typed{name: strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "mjq/"), set: set,
			info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				return nil, err
			}
			x.files = append(x.files, file)
		}
		how := types.Config{Importer: from}
		if _, err := how.Check(p.ImportPath, set, x.files, x.info); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
})

// excepted fails on every function of this module in which something breaks a rule, unless it is an
// exception; and on an exception in which nothing does.
func excepted(t *testing.T, exceptions map[string]string, rule string, breaks func(p *typed, n ast.Node) bool) {
	t.Helper()
	packages, err := checked()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, p := range packages {
		for _, file := range p.files {
			for _, d := range file.Decls {
				name := p.name
				if f, ok := d.(*ast.FuncDecl); ok {
					name += "." + f.Name.Name
				}
				ast.Inspect(d, func(n ast.Node) bool {
					if n != nil && breaks(p, n) {
						found[name] = true
						if exceptions[name] == "" {
							t.Errorf("%v: in %s %s", p.set.Position(n.Pos()), name, rule)
						}
					}
					return true
				})
			}
		}
	}
	for name := range exceptions {
		if !found[name] {
			t.Errorf("%s is an exception and breaks no rule", name)
		}
	}
}

// loop is a loop with the types in it.
type loop struct {
	*ast.ForStmt
	info *types.Info
}

// settles reports whether the loop goes on or leaves by a comparison of real numbers.
func (l *loop) settles() bool {
	for _, x := range l.exits() {
		for _, c := range comparisons(x) {
			if l.is(c.X, types.IsFloat) || l.is(c.Y, types.IsFloat) {
				return true
			}
		}
	}
	return false
}

// exits are the condition of the loop and those on which its body leaves it.
func (l *loop) exits() (list []ast.Expr) {
	if l.Cond != nil {
		list = append(list, l.Cond)
	}
	l.own(func(n ast.Node) {
		if x, ok := n.(*ast.IfStmt); ok && (leaves(x.Body) || leaves(x.Else)) {
			list = append(list, x.Cond)
		}
		if x, ok := n.(*ast.CaseClause); ok && len(x.List) > 0 && leaves(&ast.BlockStmt{List: x.Body}) {
			list = append(list, x.List...)
		}
	})
	return list
}

// own visits what the body does itself: no loops and functions in it.
func (l *loop) own(visit func(ast.Node)) {
	ast.Inspect(l.Body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		}
		visit(n)
		return true
	})
}

// leaves reports whether statements end with break, return or goto.
func leaves(s ast.Stmt) bool {
	b, ok := s.(*ast.BlockStmt)
	if !ok || b == nil || len(b.List) == 0 {
		return false
	}
	switch last := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok != token.CONTINUE
	}
	return false
}

// comparisons are those of an expression of && and ||.
func comparisons(x ast.Expr) (list []*ast.BinaryExpr) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return comparisons(x.X)
	case *ast.UnaryExpr:
		return comparisons(x.X)
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND, token.LOR:
			return append(comparisons(x.X), comparisons(x.Y)...)
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			return []*ast.BinaryExpr{x}
		}
	}
	return nil
}

// counts reports whether a whole number ends the loop, or a real number that its last part steps on.
func (l *loop) counts() bool {
	stepped := l.stepped()
	for _, x := range l.exits() {
		for _, c := range comparisons(x) {
			switch {
			case l.is(c.X, types.IsInteger) && l.is(c.Y, types.IsInteger):
				return true
			case stepped != nil && c.Op != token.EQL && c.Op != token.NEQ && (l.names(c.X, stepped) || l.names(c.Y, stepped)):
				return true
			}
		}
	}
	return false
}

// stepped is the number that the last part of the loop steps on, by a fixed sum or factor.
func (l *loop) stepped() types.Object {
	var x ast.Expr
	switch p := l.Post.(type) {
	case *ast.IncDecStmt:
		x = p.X
	case *ast.AssignStmt:
		if len(p.Lhs) == 1 && p.Tok != token.ASSIGN && p.Tok != token.DEFINE {
			x = p.Lhs[0]
		}
	}
	if id, ok := x.(*ast.Ident); ok {
		return l.info.Uses[id]
	}
	return nil
}

// names reports whether an expression names an object.
func (l *loop) names(x ast.Expr, o types.Object) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && l.info.Uses[id] == o
		return !found
	})
	return found
}

// hears reports whether the loop asks a context: its own, or by a method that does.
func (l *loop) hears() (heard bool) {
	ast.Inspect(l.ForStmt, func(n ast.Node) bool {
		if x, ok := n.(*ast.SelectorExpr); ok && (x.Sel.Name == "Err" || x.Sel.Name == "ctx") {
			heard = true
		} else if x, ok := n.(*ast.Ident); ok && (x.Name == "ctx" || x.Name == "ended" || x.Name == "ends" || x.Name == "affords") {
			heard = true
		}
		return !heard
	})
	return heard
}

// is reports whether an expression is a number of a kind and no constant of any.
func (l *loop) is(x ast.Expr, kind types.BasicInfo) bool {
	b, ok := l.info.TypeOf(x).Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}

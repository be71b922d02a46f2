package rules

import (
	"go/ast"
	"go/types"
	"slices"
	"testing"
)

// TestConversions: a computed number may be infinite or NaN. It becomes a whole number through
// check.Whole, which bounds it from both sides; bounded has the others.
func TestConversions(t *testing.T) {
	calls := 0
	excepted(t, bounded, "the number may be infinite or NaN; use check.Whole", func(p *typed, n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if ok {
			calls++
		}
		return ok && converts(c) && real(p, c.Args[0])
	})
	if calls < 20_000 {
		t.Errorf("read %d calls only", calls)
	}
}

// bounded are functions that convert computed numbers themselves, and why these are finite and small.
var bounded = map[string]string{
	"internal/timecourse.rates":   "a remainder of finite numbers",
	"internal/policychain.levels": "the root of bytes that are positive, at most MaxDense",
	"internal/scarcity.sized":     "the logarithm of a size of finite octaves",
	"internal/scarcity.together":  "a part of the servers",
	"internal/open.SizeOfAges":    "a positive size, at most 2^62",
	"internal/open.SizeOfLarge":   "a positive size, at most 2^62",
	"internal/open.share":         "the logarithm of a positive time",
	"internal/open.sizeOf":        "a positive size, at most 2^62",
	"law.Quantile":                "a part of the number of values",
	"mam.FitTwoMoments":           "at most the phases that the lines before allow",
	"mam.Transient":               "the logarithm of a number above 1",
	"result.poolPlain":            "the mean of whole numbers",
	"result.significant":          "the logarithm of a number between 1e-4 and 1e9",
	"trace.Table":                 "a part of the number of values",
	"trace.rates":                 "a remainder of finite numbers",
}

// converts reports whether a call makes a whole number of one that functions of real numbers give.
func converts(c *ast.CallExpr) bool {
	to, ok := c.Fun.(*ast.Ident)
	if !ok || len(c.Args) != 1 || !slices.Contains([]string{"int", "int32", "int64", "uint64"}, to.Name) {
		return false
	}
	from, ok := c.Args[0].(*ast.CallExpr)
	if !ok {
		return false
	}
	switch f := from.Fun.(type) {
	case *ast.Ident:
		return f.Name == "min" || f.Name == "max"
	case *ast.SelectorExpr:
		of, ok := f.X.(*ast.Ident)
		return ok && of.Name == "math"
	}
	return false
}

// real reports whether an expression is a real number.
func real(p *typed, x ast.Expr) bool {
	b, ok := p.info.TypeOf(x).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

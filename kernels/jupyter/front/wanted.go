package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/kernels/jupyter/cells"
)

// methods are the structs that may be given where an mjq.Option is wanted. Gopls does not tell
// which types are of an interface, and lists them in the alphabet among laws and policies.
var methods = []string{"Exact", "Forward", "Simulation", "Backward", "Certified", "Dominated", "Unbiased", "RareEvent", "Pile", "PolicyIteration"}

// qualified is the type of a parameter, package and name, as its label ends.
var qualified = regexp.MustCompile(`(\w+\.\w+)$`)

// wanted is the type of the argument at an offset of a cell, such as mjq.Option; empty if
// there is none or nobody knows.
func (c *completer) wanted(b *cells.Book, at *cells.Cell, offset int) string {
	var help struct {
		Signatures []struct {
			Parameters []struct{ Label string }
		}
		ActiveParameter int
	}
	if c.ask(b, at, offset, "textDocument/signatureHelp", &help) != nil || len(help.Signatures) == 0 {
		return ""
	}
	all := help.Signatures[0].Parameters
	if len(all) == 0 {
		return ""
	}
	return qualified.FindString(all[min(help.ActiveParameter, len(all)-1)].Label)
}

// preferred orders what gopls offers for a wanted type: methods first, with the braces that
// make a value of them, then what returns the type, then the rest as it was. Where nothing is
// wanted, such as after m., questions come first.
func preferred(items []item, wanted string) []item {
	rank := func(i item) int {
		switch {
		case wanted == "" && i.Label == "Solve": // the question that most ask
			return 0
		case wanted == "" && strings.HasPrefix(i.Detail, "func(ctx context.Context"): // the others
			return 1
		case wanted == "mjq.Option" && slices.Contains(methods, i.Label):
			return slices.Index(methods, i.Label)
		case strings.HasSuffix(i.Detail, ") "+wanted), wanted == "mjq.Option" && strings.HasSuffix(i.Detail, ") mjq.Goal"):
			return len(methods)
		}
		return len(methods) + 1
	}
	slices.SortStableFunc(items, func(a, b item) int { return rank(a) - rank(b) })
	for n, i := range items {
		if i.TextEdit == nil {
			continue
		}
		edit := *i.TextEdit
		switch {
		case wanted == "":
		case rank(i) < len(methods):
			edit.NewText += "{}"
		case strings.HasPrefix(i.Detail, "func() "):
			edit.NewText += "()"
		}
		items[n].TextEdit = &edit
	}
	return items
}

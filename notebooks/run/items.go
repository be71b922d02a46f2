package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// paper is a paper that the notebooks reproduce, with the tables and figures
// it has. Name is what cells call it: check.Against(Name, item...).
type paper struct {
	Name, Citation string
	Items          []string
}

// library is what a complete reproduction covers, in the papers' order.
var library = []paper{
	{"MJSRE", "F. Baccelli, D. Olliaro, M. Ajmone Marsan and A. Marin, The multiserver-job stochastic recurrence equation for cloud computing performance evaluation",
		[]string{"Figure 1", "Section 7.3", "Table 1", "Section 8.2", "Figure 2(a)", "Figure 2(b)", "Figure 2(c)", "Table 2",
			"Figure 3", "Figure 4", "Figure 5", "Figure 6", "Figure 7(a)", "Figure 7(b)", "Section 9.1", "Section 9.2", "Table 3"}},
	{"Brandwajn-Begin", "A. Brandwajn and T. Begin, A note on the determination of the processing capacity in a multiserver job system as a model of cloud datacenters",
		[]string{"Figure 1", "Figure 2", "Figure 3", "Table I"}},
	{"Golovin", "A. S. Golovin, Exact sampling for heterogeneous multiserver job model", figures(5)},
	{"Grosof-Ayhan", "I. Grosof and H. Ayhan, Multiserver-job response time under multilevel scaling", figures(10)},
	{"Product form", "I. Grosof, M. Harchol-Balter and A. Scheller-Wolf, New stability results for multiserver-job models via product-form saturated systems",
		[]string{"Theorem 1", "Theorem 2"}},
}

func figures(n int) []string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf("Figure %d", i+1)
	}
	return items
}

// known reports whether a paper has an item.
func known(name, item string) bool {
	return slices.ContainsFunc(library, func(p paper) bool { return p.Name == name && slices.Contains(p.Items, item) })
}

// declaration is a cell's word that it reproduces items of a paper.
type declaration struct {
	Paper  string
	Items  []string
	Cell   int    // counting all cells from 1
	Anchor string // of the cell in the page for readers
}

var (
	against = regexp.MustCompile(`check\.Against\(`)
	literal = regexp.MustCompile(`^\s*("(?:[^"\\]|\\.)*")\s*([,)])`)
)

// declarations are the calls of check.Against in a notebook's cells, and what
// is wrong with them.
func (nb notebook) declarations() (all []declaration, faults []string) {
	for i, cell := range nb.cells() {
		if cell["cell_type"] != "code" {
			continue
		}
		source := joined(cell["source"])
		for _, at := range against.FindAllStringIndex(source, -1) {
			names, ok := literals(source[at[1]:])
			if !ok || len(names) < 2 {
				faults = append(faults, fmt.Sprintf("cell %d: check.Against wants a paper and its items as literal strings", i+1))
				continue
			}
			for _, item := range names[1:] {
				if !known(names[0], item) {
					faults = append(faults, fmt.Sprintf("cell %d: no %q of the paper %q in notebooks/run/items.go", i+1, item, names[0]))
				}
			}
			id, _ := cell["id"].(string)
			all = append(all, declaration{names[0], names[1:], i + 1, "cell-id=" + id})
		}
	}
	return all, faults
}

// literals are the string literals of an argument list up to its closing
// bracket; false when there is anything else in it.
func literals(arguments string) (values []string, ok bool) {
	for {
		match := literal.FindStringSubmatch(arguments)
		if match == nil {
			return values, false
		}
		value, err := strconv.Unquote(match[1])
		if err != nil {
			return values, false
		}
		values = append(values, value)
		if match[2] == ")" {
			return values, true
		}
		arguments = strings.TrimPrefix(arguments, match[0])
	}
}

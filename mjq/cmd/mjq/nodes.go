package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/spec"
)

// nodeFlags say on which nodes the units of the model of a file lie.
type nodeFlags struct {
	kinds     []nodeKind
	placement mjq.Placement
}

// nodeKind is nodes that are alike.
type nodeKind struct{ count, units int }

// The kinds of values of these flags.
var (
	nodeKinds  = kind[nodeKind]{"nodes", "16x8", readNodes}
	placements = kind[mjq.Placement]{"placement", "BestFit", placement.Named}
)

// add defines the flags.
func (f *nodeFlags) add(flags *pflag.FlagSet) {
	flags.Var(nodeKinds.list(&f.kinds, ","), "nodes", "nodes on which jobs are placed in place of servers, NUMBERxUNITS: 16x8; several kinds with commas")
	flags.Var(placements.one(&f.placement), "placement", "placement of jobs on nodes: BestFit, WorstFit, RandomFit or LowestFit")
}

// apply is the model with what the flags say.
func (f *nodeFlags) apply(m mjq.Model) mjq.Model {
	if len(f.kinds) > 0 {
		s := m.Spec()
		s.Servers, s.Nodes, s.Resources = 0, nil, nil
		m = mjq.FromSpec(s)
	}
	for _, k := range f.kinds {
		m = m.Nodes(k.count, k.units)
	}
	if f.placement != nil {
		m = m.Placement(f.placement)
	}
	return m
}

// specs are the kinds as a replay takes them.
func (f *nodeFlags) specs() (kinds []spec.Nodes) {
	for _, k := range f.kinds {
		kinds = append(kinds, spec.Nodes{Count: k.count, Units: k.units})
	}
	return kinds
}

// units is how many units all nodes have.
func (f *nodeFlags) units() (n int) {
	for _, k := range f.kinds {
		n += k.count * k.units
	}
	return n
}

// readNodes reads 16x8.
func readNodes(text string) (nodeKind, error) {
	count, units, both := strings.Cut(strings.ToLower(text), "x")
	n, err := readWhole(count)
	g, wrong := readWhole(units)
	if !both || err != nil || wrong != nil {
		return nodeKind{}, fmt.Errorf("%q is no nodes; give their number and the units of each as 16x8", text)
	}
	return nodeKind{n, g}, nil
}

// Package placement holds the rules by which a job is placed on nodes, as plain values: on which
// of the nodes where it fits it starts. Use it to write a rule of your own; package mjq has a
// function for each of those here.
//
// A job of one node goes to a node on which it fits; one of several nodes takes that many
// different nodes at once. Kinds of nodes come in the order of preference: a job goes to the
// first kind on which it fits. Among nodes of that kind the placement has a score, and the node
// with the least score is taken. No job moves once it has started.
package placement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

// Placement chooses among the nodes on which a job fits: an immutable value that goroutines may
// share. A placement of one's own is any type with these methods.
type Placement interface {
	// String is the name, such as "BestFit".
	String() string
	// Score rates a node for a job that takes need of its free units; the job goes where the
	// score is least, and ties are broken at random. All three are by type of resource: of
	// nodes with units of one type they have one number each. The score of the same arguments
	// must be the same at every call.
	Score(free, units, need []int) float64
}

// Numbered is a Placement that breaks ties by the number of the node instead of at random.
type Numbered interface {
	Placement
	// ByNumber reports whether the lowest number is taken.
	ByNumber() bool
}

// BestFit takes the fullest node: the one with the least free units. Of several types of
// resources their shares that are free are added up.
type BestFit struct{}

// String is the name.
func (BestFit) String() string { return "BestFit" }

// Score is the share of the units that is free.
func (BestFit) Score(free, units, _ []int) (sum float64) {
	for j, n := range free {
		if units[j] > 0 {
			sum += float64(n) / float64(units[j])
		}
	}
	return sum
}

// WorstFit takes the emptiest node: the one with the most free units, counted as BestFit does.
type WorstFit struct{}

// String is the name.
func (WorstFit) String() string { return "WorstFit" }

// Score is the share of the units that is free, negative.
func (WorstFit) Score(free, units, need []int) float64 {
	return -BestFit{}.Score(free, units, need)
}

// RandomFit takes each of the nodes with the same probability.
type RandomFit struct{}

// String is the name.
func (RandomFit) String() string { return "RandomFit" }

// Score is the same for all.
func (RandomFit) Score(_, _, _ []int) float64 { return 0 }

// LowestFit takes the node with the lowest number.
type LowestFit struct{}

// String is the name.
func (LowestFit) String() string { return "LowestFit" }

// Score is the same for all.
func (LowestFit) Score(_, _, _ []int) float64 { return 0 }

// ByNumber reports that ties, which are all, are broken by number.
func (LowestFit) ByNumber() bool { return true }

// All are the placements of this package.
func All() []Placement { return []Placement{BestFit{}, WorstFit{}, RandomFit{}, LowestFit{}} }

// Named is the placement of this package with a name, which models are written with.
func Named(name string) (Placement, error) {
	var names []string
	for _, p := range All() {
		if strings.EqualFold(p.String(), name) {
			return p, nil
		}
		names = append(names, p.String())
	}
	return nil, fmt.Errorf("placement %q is not known%s", name, check.OneOf(name, names))
}

// Written is the name of a placement of this package. One of the user's own cannot be written
// down, which is an error.
func Written(p Placement) (string, error) {
	if !slices.Contains(All(), p) {
		return "", fmt.Errorf("placement %v: it is one of yours and cannot be written down; store the model without it, and set it again after reading", p)
	}
	return p.String(), nil
}

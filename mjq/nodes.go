package mjq

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/placement"
)

// Placement chooses among the nodes on which a job fits. Package placement says how
// to write your own.
type Placement = placement.Placement

// BestFit returns the placement on the fullest node on which a job fits. It is the default.
func BestFit() Placement { return placement.BestFit{} }

// WorstFit returns the placement on the emptiest node.
func WorstFit() Placement { return placement.WorstFit{} }

// RandomFit returns the placement that takes each of the nodes on which a job fits with the same
// probability.
func RandomFit() Placement { return placement.RandomFit{} }

// LowestFit returns the placement on the node with the lowest number.
func LowestFit() Placement { return placement.LowestFit{} }

// Nodes begins a model of m nodes with g units each, such as GPUs. A job that needs at most g
// units holds them on one node; a need of n·g is of n whole nodes; Model.OnNodes gives units on
// each of several nodes, and Model.Scattered lifts the rule. No job moves once it has started.
// Jobs are placed by BestFit unless Model.Placement says otherwise, under any policy whose
// definition carries over to nodes.
//
//	mjq.Nodes(16, 8).Poisson(12).
//		Class("four", 4, 0.9, mjq.ExpMean(2)).
//		Class("pair", 16, 0.1, mjq.ExpMean(4)) // two whole nodes
func Nodes(m, g int) Model { return empty().Nodes(m, g) }

// NodesOf begins a model of m nodes with units of several types each; Model.Needing adds the
// classes.
func NodesOf(m int, units Needs) Model { return empty().NodesOf(m, units) }

// empty is a model without any description.
func empty() Model { return Model{d: &description{limits: new(problem.Limits)}} }

// Nodes adds m nodes with g units each. Kinds of nodes come in the order of preference: a job
// goes to the first kind on which it fits.
func (m Model) Nodes(nodes, units int) Model { return m.addNodes(nodes, map[string]int{"": units}) }

// NodesOf adds m nodes with units of several types each, as Nodes does.
func (m Model) NodesOf(nodes int, units Needs) Model { return m.addNodes(nodes, units) }

func (m Model) addNodes(nodes int, units map[string]int) Model {
	return m.structured(func(d *description) {
		names := slices.Sorted(maps.Keys(units))
		if _, alike := units[""]; alike {
			names = nil
		}
		d.said, d.normal = *d.said.AddNodes(nodes, units, names), false
	})
}

// OnNodes makes the jobs of a class hold this number of units on each of several nodes at once. Nodes
// times units must equal the need of the class; with several types of resources, the sum of its needs.
func (m Model) OnNodes(class string, nodes, units int) Model {
	return m.checked("OnNodes", []string{class}, func(c *Class) error {
		need := c.Need
		if c.Need == 0 {
			for _, n := range c.Units {
				need += n
			}
		}
		if c.Nodes = nodes; nodes < 1 {
			return fmt.Errorf("OnNodes: class %q is on %d nodes; give at least 1", class, nodes)
		}
		if nodes*units != need {
			return fmt.Errorf("OnNodes: class %q needs %d units, and %d on each of %d nodes are %d; change one of them", class, need, units, nodes, nodes*units)
		}
		return nil
	})
}

// Scattered lets the units of a job lie on any nodes: for the classes named, or for all. Such jobs fit
// as in a pool, and take the free units of the nodes that the placement prefers.
func (m Model) Scattered(classes ...string) Model {
	return m.setting("Scattered", classes, func(c *Class) { c.Scattered = true })
}

// Placement chooses the placement of jobs on nodes; the default is BestFit.
func (m Model) Placement(p Placement) Model {
	return m.structured(func(d *description) { d.said.Placement = p })
}

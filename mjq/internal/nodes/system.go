package nodes

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// System is a cluster of nodes that are alike, with its classes. A class whose Need is at
// most Units takes its units on one node; another takes whole nodes, so that its Need is a
// multiple of Units. Services take some time.
type System struct {
	Nodes, Units int
	Classes      []states.Class
	// Score rates a node by its free units for a job of a need: the job is put where it fits
	// and the score is least. Ties are broken at random.
	Score func(free, need int) float64
}

// kind is a kind of the plan on nodes.
type kind struct {
	states.Kind
	span  int // whole nodes that it takes; 0 of jobs that share a node
	units int // units of the system, over all its nodes
}

// cluster is a system compiled: its phases, what a node can hold, and the configurations met.
type cluster struct {
	*System
	plan     *states.Plan
	kinds    []kind
	units    int   // of a node, counted in those of the plan
	place    []int // by phase of the plan: its place among those on shared nodes, or on whole nodes
	wholes   int   // phases of jobs that take whole nodes
	contents *contents
	known    map[string]int32
	configs  []*config
}

// compile prepares the chains of a system.
func (s *System) compile() (*cluster, error) {
	whole := states.System{Servers: s.Nodes * s.Units, Classes: s.Classes}
	c := &cluster{System: s, plan: whole.Compile(), known: map[string]int32{}}
	c.units = s.Units / c.plan.Unit
	var shared []int
	for _, k := range c.plan.Kinds {
		x := kind{Kind: k, units: k.Need * c.plan.Unit}
		if x.units >= s.Units {
			x.span = x.units / s.Units
		}
		if k.Instant > 0 {
			return nil, fmt.Errorf("nodes: a service takes no time with probability %.3g; it must be positive", k.Instant)
		}
		for j := k.Lo; j < k.Hi; j++ {
			if x.span > 0 {
				c.place = append(c.place, c.wholes)
				c.wholes++
			} else {
				c.place = append(c.place, len(shared))
				shared = append(shared, j)
			}
		}
		c.kinds = append(c.kinds, x)
	}
	var err error
	c.contents, err = newContents(c.plan, shared, c.units)
	return c, err
}

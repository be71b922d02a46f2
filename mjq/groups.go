package mjq

import (
	"cmp"
	"fmt"
	"math/bits"
)

// Groups says which jobs of a trace make a class. It is embedded in what turns
// a trace into classes; the default is ByNeed.
type Groups[Q any] struct {
	self *Q
	by   grouping
}

type grouping int

const (
	byNeed grouping = iota
	powersOfTwo
	byLabel
)

// ByNeed makes a class of all jobs that need the same number of servers: T1,
// T2, ...
func (g *Groups[Q]) ByNeed() *Q {
	g.by = byNeed
	return g.self
}

// PowersOfTwo makes a class of the jobs between two powers of two: T1, T2,
// T3-4, T5-8, ... In a model all jobs of a class need the same number of
// servers: as many as the largest job of the class in the trace. That raises
// the load (compare Model.OfferedLoad with Trace.OfferedLoad), so waits come
// out on the safe side. A replay keeps each job's own need.
func (g *Groups[Q]) PowersOfTwo() *Q {
	g.by = powersOfTwo
	return g.self
}

// ByClass makes a class of the jobs of one label and one need: "label/need".
func (g *Groups[Q]) ByClass() *Q {
	g.by = byLabel
	return g.self
}

// group is a class of a trace: the highest need of its range, and the label.
type group struct {
	need  int
	label string
}

// of is the group of a job.
func (g grouping) of(j *TraceJob) group {
	switch g {
	case powersOfTwo:
		return group{need: 1 << bits.Len(uint(j.Need-1))}
	case byLabel:
		return group{j.Need, j.Class}
	}
	return group{need: j.Need}
}

// name is what the class of a group is called.
func (g grouping) name(k group) string {
	switch {
	case g == powersOfTwo && k.need > 2:
		return fmt.Sprintf("T%d-%d", k.need/2+1, k.need)
	case g == byLabel && k.label != "":
		return fmt.Sprintf("%s/%d", k.label, k.need)
	}
	return fmt.Sprintf("T%d", k.need)
}

// before orders groups by need, then by label.
func (k group) before(q group) int {
	return cmp.Or(cmp.Compare(k.need, q.need), cmp.Compare(k.label, q.label))
}

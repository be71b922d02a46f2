package open

import (
	"github.com/mjqueue/mjq/mjq/internal/states"
)

// age is a state of the age process. The job at the head of the line (HOL) has
// come with an event of the given label, in whose law of classes it is one that
// does not fit beside the node. Phase is the phase of the arrivals just after
// the event, and more of its batch are behind the HOL job. No job is at the head
// if label is negative.
type age struct{ node, label, phase, more int }

// noHead is the label where no job is at the head.
const noHead = -1

// label is an origin of jobs: all events that leave the class open, or those of
// one class.
type label struct {
	class int       // of the system, or states.Open
	probs []float64 // by kind
	first int       // the source of kind 0; a source is a label with a kind
}

// ages explores the age process from the empty system, in three sets of states:
// the HOL job's age goes up in those with a HOL job; it jumps down by the time
// between two arrivals in those without one, which is run through as time is;
// and where it would pass 0 the line is empty until a job comes that does not
// fit.
type ages struct {
	*space
	arrivals       states.Arrivals
	labels         []label
	origin         []int // the label of each event
	sources        int
	plus           []int // by node and phase: the node with a job more, or one less; -1
	minus          []int
	up, down, zero part
}

// part is a set of states with the rates out of it.
type part struct {
	list   []age
	place  map[age]int
	toUp   rows      // rates to states with a HOL job
	toLow  rows      // rates to states without one: those of zero from zero, else those of down
	starts []float64 // by state and source: jobs that start, per unit of time
}

// newAges explores. classes is the number of classes of the system.
func newAges(x *states.Index, servers int, a states.Arrivals) *ages {
	g := &ages{space: newSpace(x, servers), arrivals: a}
	for _, p := range []*part{&g.up, &g.down, &g.zero} {
		p.place = map[age]int{}
	}
	g.label()
	g.neighbours()
	for j := range a.D0 {
		g.zero.number(age{0, noHead, j, 0})
	}
	for again := true; again; {
		again = g.explore(&g.zero, g.fromZero)
		again = g.explore(&g.up, g.fromUp) || again
		again = g.explore(&g.down, g.fromDown) || again
	}
	for _, p := range []*part{&g.up, &g.down, &g.zero} {
		p.toUp.end()
		p.toLow.end()
	}
	return g
}

// label gives each event its origin.
func (g *ages) label() {
	known := map[int]int{}
	for _, e := range g.arrivals.Events {
		l, ok := known[e.Class]
		if !ok {
			l = len(g.labels)
			known[e.Class] = l
			probs := make([]float64, len(g.Plan.Kinds))
			for k, kind := range g.Plan.Kinds {
				if e.Class == states.Open {
					probs[k] = kind.Prob
				} else if g.Of[e.Class] == k {
					probs[k] = 1
				}
			}
			g.labels = append(g.labels, label{e.Class, probs, g.sources})
			g.sources += len(probs)
		}
		g.origin = append(g.origin, l)
	}
}

// neighbours finds the nodes with a job more and less in every phase.
func (g *ages) neighbours() {
	n := len(g.Phases)
	g.plus, g.minus = make([]int, len(g.jobs)*n), make([]int, len(g.jobs)*n)
	for i := range g.plus {
		g.plus[i], g.minus[i] = -1, -1
	}
	counts := make([]int32, n)
	for node := range g.jobs {
		copy(counts, g.space.of(node))
		for p, c := range counts {
			if c == 0 {
				continue
			}
			counts[p]--
			less := g.node(counts, g.Servers-g.free[node]-g.Needs[p])
			counts[p]++
			g.minus[node*n+p], g.plus[less*n+p] = less, node
		}
	}
}

// above is the probability that a job of a label needs more than so many units.
func (g *ages) above(l, free int) (q float64) {
	for k, p := range g.labels[l].probs {
		if g.Plan.Kinds[k].Need > free {
			q += p
		}
	}
	return q
}

// number is the place of a state.
func (p *part) number(s age) int {
	i, ok := p.place[s]
	if !ok {
		i = len(p.list)
		p.place[s] = i
		p.list = append(p.list, s)
	}
	return i
}

// explore finds the rates out of the states of a part that have none yet, and
// says whether there were any.
func (g *ages) explore(p *part, from func(s age, r *row)) (some bool) {
	low := &g.down
	if p == &g.zero {
		low = p
	}
	for i := len(p.toUp.start); i < len(p.list); i++ {
		r := &row{g: g, low: low, starts: make([]float64, g.sources)}
		from(p.list[i], r)
		p.toUp.append(&r.toUp)
		p.toLow.append(&r.toLow)
		p.starts = append(p.starts, r.starts...)
		some = true
	}
	return some
}

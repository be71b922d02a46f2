// Package states describes and numbers what can be in service in a multiserver-job
// queue whose service laws are phase-type.
//
// A state is the multiset of phases in service; the class of the job at the
// head of the line (HOL) need not be part of it. All that the past tells about
// that job is that it does not fit into the servers that are free now: while it
// waits, servers are only freed, so that every earlier refusal follows from the
// last one. Given the jobs in service, the HOL job is therefore of class c with
// probability p_c / Q(f) if it needs more than the f free servers, where Q(f)
// is the probability that a job does. States that name the HOL class split each
// of ours in up to as many as there are classes. This holds with the line
// saturated and, since a class is drawn when its job reaches the head, with
// arrivals as well.
package states

import (
	"cmp"
	"slices"

	"github.com/mjqueue/mjq/mjq/law"
)

// Class is a class of jobs with a phase-type service time: phase i first with
// probability Alpha[i], at once over with what these lack to 1, then the
// transient generator A. The law must be valid and of positive mean.
type Class struct {
	Need  int     // servers, at least 1 and at most those of the system
	Prob  float64 // that a job is of this class; a class of probability 0 is ignored
	Alpha []float64
	A     [][]float64
}

// System is a queue, all but its arrivals. The probabilities of its classes sum to 1.
type System struct {
	Servers int
	Classes []Class
}

// Phase is a phase of service as the chain sees it.
type Phase struct {
	Start float64 // probability that a job of its class begins here
	Exit  float64 // rate of completion
	Rate  float64 // rate of leaving, by completion or into another phase
	Moves []Move
}

// Move leads to another phase.
type Move struct {
	To   int
	Rate float64
}

// Kind is a class compiled: phases lo to hi-1 are its own.
type Kind struct {
	Need    int
	Prob    float64
	Instant float64 // probability that service takes no time at all
	Mean    float64
	Lo, Hi  int
}

// Plan is a system compiled: classes by ascending need, servers counted in
// units of the greatest common divisor of the needs.
type Plan struct {
	Classes []Class // those of the system
	Servers int
	Kinds   []Kind
	Phases  []Phase
	Needs   []int // by phase
	Unit    int   // servers to a unit, the divisor
	Of      []int // the kind of each class of the system; -1 if it never arrives
}

// Compile drops what never happens and merges exponential classes that the
// servers cannot tell apart.
func (s System) Compile() *Plan {
	classes, of := merged(s.Classes)
	unit := 0
	for _, c := range classes {
		unit = gcd(unit, c.Need)
	}
	p := &Plan{Classes: s.Classes, Servers: s.Servers / unit, Unit: unit, Of: of}
	for _, c := range classes {
		c.Need /= unit
		p.add(c)
	}
	return p
}

// add appends a class and the phases that its service can reach.
func (p *Plan) add(c Class) {
	k := Kind{Need: c.Need, Prob: c.Prob, Instant: 1, Lo: len(p.Phases), Mean: c.Mean()}
	name := c.visited(k.Lo)
	for i, row := range c.A {
		if name[i] < 0 {
			continue
		}
		ph := Phase{Start: c.Alpha[i], Rate: -row[i], Exit: -row[i]}
		for j, rate := range row {
			if j != i && rate > 0 {
				ph.Moves = append(ph.Moves, Move{name[j], rate})
				ph.Exit = max(0, ph.Exit-rate)
			}
		}
		k.Instant -= ph.Start
		p.Phases, p.Needs = append(p.Phases, ph), append(p.Needs, k.Need)
	}
	k.Instant, k.Hi = clean(k.Instant), len(p.Phases)
	p.Kinds = append(p.Kinds, k)
}

// Mean is the mean service time. Phases that only lead on, as those of Erlang,
// hyperexponential and Cox laws do, need no elimination.
func (c Class) Mean() (sum float64) {
	left := make([]float64, len(c.A)) // the mean time left by phase
	for i, row := range slices.Backward(c.A) {
		for j, rate := range row {
			if j < i && rate != 0 {
				return law.PhaseType(c.Alpha, c.A).Mean()
			}
			if j > i {
				left[i] += rate * left[j]
			}
		}
		left[i] = (1 + left[i]) / -row[i]
		sum += c.Alpha[i] * left[i]
	}
	return sum
}

// clean is x without the rounding of a difference that should be 0.
func clean(x float64) float64 {
	if x < 1e-12 {
		return 0
	}
	return x
}

// visited numbers from first the phases that service can reach; -1 for others.
func (c Class) visited(first int) []int {
	name := make([]int, len(c.Alpha))
	for i, p := range c.Alpha {
		if p <= 0 {
			name[i] = -1
		}
	}
	for more := true; more; {
		more = false
		for i, row := range c.A {
			for j, rate := range row {
				if name[i] >= 0 && name[j] < 0 && rate > 0 {
					name[j], more = 0, true
				}
			}
		}
	}
	for i := range name {
		if name[i] >= 0 {
			name[i] = first
			first++
		}
	}
	return name
}

// merged is the classes of positive probability by ascending need, exponential
// ones of equal need and rate made one, and the place of each class among them.
func merged(classes []Class) (out []Class, of []int) {
	order := make([]int, 0, len(classes))
	of = make([]int, len(classes))
	for i, c := range classes {
		of[i] = -1
		if c.Prob > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(classes[i].Need, classes[j].Need) })
	for _, i := range order {
		c := classes[i]
		of[i] = slices.IndexFunc(out, func(o Class) bool {
			return o.Need == c.Need && o.exponential() && c.exponential() && o.A[0][0] == c.A[0][0]
		})
		if of[i] >= 0 {
			out[of[i]].Prob += c.Prob
			continue
		}
		of[i] = len(out)
		out = append(out, c)
	}
	return out, of
}

// exponential reports whether the service time is exponential, without an atom.
func (c Class) exponential() bool { return len(c.Alpha) == 1 && c.Alpha[0] > 1-1e-12 }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Above is Q(f): the probability that a job needs more than f servers.
func (p *Plan) Above(f int) (q float64) {
	for _, k := range p.Kinds {
		if k.Need > f {
			q += k.Prob
		}
	}
	return q
}

// Widest is the largest need.
func (p *Plan) Widest() int { return p.Kinds[len(p.Kinds)-1].Need }

// MeanService is E[σ], the mean service time of a job.
func (p *Plan) MeanService() (sum float64) {
	for _, k := range p.Kinds {
		sum += k.Prob * k.Mean
	}
	return sum
}

package policychain

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/policy"
)

// System is a queue. The probabilities of its classes sum to 1, and no service is over at
// once.
type System struct {
	Servers int
	Rate    float64 // of jobs
	Classes []states.Class
	Known   []policy.Class // the classes as policies know them; nil: their needs, by the names 0, 1, ...

	Leave   []float64 // by class, rate at which a job that has not begun gives up; nil: none does
	Stopped bool      // jobs that have begun and are stopped give up as well
}

// Queue is a system under a policy, ready to be measured or solved. It may be used by
// several goroutines.
type Queue struct {
	*plan
	rule rule
}

// MaxPhases is the largest number of phases of all services of one need.
const MaxPhases = 255

// New prepares a system with Poisson arrivals under a policy. It fails, with all faults
// at once, if the system is not one, and if the policy is not one that this package can
// solve, with the reason.
func New(sys System, p policy.Policy) (*Queue, error) { return NewWith(sys, nil, p) }

// NewWith is New with other arrivals, which have the rate of the system; nil if they are
// Poisson.
func NewWith(sys System, in *states.Arrivals, p policy.Policy) (*Queue, error) {
	if sys.Known == nil {
		for i, c := range sys.Classes {
			sys.Known = append(sys.Known, policy.Class{Name: fmt.Sprint(i), Need: c.Need})
		}
	}
	if err := sys.validate(in, p); err != nil {
		return nil, err
	}
	plan := sys.compile(orderOf(p, sys.Known))
	if err := plan.impatience(sys); err != nil {
		return nil, fmt.Errorf("policy %s: %w", p, err)
	}
	if in != nil {
		plan.arrive(in)
	}
	for _, k := range plan.kinds {
		if len(k.phases) > MaxPhases {
			return nil, fmt.Errorf("need %d: its services have %d phases together; at most %d can be told apart", k.need, len(k.phases), MaxPhases)
		}
	}
	r, err := ruleOf(p, plan)
	if err != nil {
		return nil, err
	}
	if err := plan.input.takes(r); err != nil {
		return nil, fmt.Errorf("policy %s: %w", p, err)
	}
	if err := plan.givesUp(r); err != nil {
		return nil, fmt.Errorf("policy %s: %w", p, err)
	}
	return &Queue{plan, r}, nil
}

// validate names every fault of the system.
func (s System) validate(in *states.Arrivals, p policy.Policy) error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if s.Servers < 1 {
		fault("%d servers; give at least 1", s.Servers)
	}
	if !(s.Rate > 0) || math.IsInf(s.Rate, 1) {
		fault("arrival rate %v; give a positive finite one", s.Rate)
	}
	sum := 0.0
	for i, c := range s.Classes {
		if !(c.Prob >= 0) {
			fault("class %d: probability %v; give one of 0 or more", i, c.Prob)
		}
		sum += c.Prob
		start := 0.0
		for _, a := range c.Alpha {
			start += a
		}
		if len(c.Alpha) == 0 || len(c.A) != len(c.Alpha) {
			fault("class %d: %d initial probabilities for %d phases; give one a phase", i, len(c.Alpha), len(c.A))
		} else if math.Abs(start-1) > 1e-9 {
			fault("class %d: services take no time with probability %v; give initial probabilities that sum to 1", i, 1-start)
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		fault("the probabilities of the classes sum to %v; they must sum to 1", sum)
	}
	if in != nil {
		arrivalFaults(in, s.Classes, fault)
	}
	return errors.Join(append(faults, policy.Validate(p, policy.System{Servers: s.Servers, Classes: s.Known}))...)
}

// plan is a system compiled: kinds by level and ascending need; see order.
type plan struct {
	servers int
	rate    float64
	kinds   []kind
	classes []share
	input   *process
	leaving bool // jobs of some kind give up
	stopped bool // also those that have begun and are stopped
}

// kind is the jobs of a need.
type kind struct {
	level  int // of a priority; 0 under other policies
	need   int
	prob   float64 // of a job whose class is drawn
	phases []phase
	leave  float64 // rate at which each of its jobs that waits gives up
}

// phase is a phase of service of a kind.
type phase struct {
	start float64 // probability that a service of the kind begins here
	exit  float64 // rate of completion
	moves []move
}

// move leads to another phase.
type move struct {
	to   uint8
	rate float64
}

// share is a class as a part of its kind: phases lo to hi-1 are those of all classes
// of its need and service, of which it has the part among.
type share struct {
	kind   int
	prob   float64
	part   float64 // of the jobs of its kind
	lo, hi int
	among  float64
	mean   float64 // of a service
}

// compile merges what the policies cannot tell apart.
func (s System) compile(o order) *plan {
	p := &plan{servers: s.Servers, rate: s.Rate, input: steady(s.Rate), classes: make([]share, len(s.Classes))}
	of := func(i int) kind { return kind{level: o.levels[i], need: s.Classes[i].Need} }
	for i, c := range s.Classes {
		if c.Prob > 0 && !slices.ContainsFunc(p.kinds, of(i).alike) {
			p.kinds = append(p.kinds, of(i))
		}
	}
	slices.SortFunc(p.kinds, o.compare)
	for i, c := range s.Classes {
		at := slices.IndexFunc(p.kinds, of(i).alike)
		p.classes[i] = share{kind: at, prob: c.Prob, mean: c.Mean()}
		if c.Prob > 0 {
			p.kinds[at].prob += c.Prob
		}
	}
	for i, c := range s.Classes {
		if c.Prob > 0 {
			p.classes[i].part = c.Prob / p.kinds[p.classes[i].kind].prob
			p.place(s.Classes, i, o)
		}
	}
	return p
}

// place gives a class its phases, those of an equal one before it if there is any.
func (p *plan) place(classes []states.Class, i int, o order) {
	c, mine := classes[i], &p.classes[i]
	k := &p.kinds[mine.kind]
	equal := 0.0
	first := -1
	for j, d := range classes {
		if d.Prob > 0 && d.Need == c.Need && o.levels[j] == o.levels[i] && slices.Equal(d.Alpha, c.Alpha) && slices.EqualFunc(d.A, c.A, slices.Equal[[]float64]) {
			equal += d.Prob
			if first < 0 {
				first = j
			}
		}
	}
	mine.among = c.Prob / equal
	if first < i {
		mine.lo, mine.hi = p.classes[first].lo, p.classes[first].hi
		return
	}
	mine.lo, mine.hi = len(k.phases), len(k.phases)+len(c.Alpha)
	for r, row := range c.A {
		f := phase{start: equal / k.prob * c.Alpha[r], exit: -row[r]}
		for to, rate := range row {
			if to != r && rate > 0 {
				f.moves = append(f.moves, move{uint8(mine.lo + to), rate})
				f.exit -= rate
			}
		}
		if f.exit < 1e-13*-row[r] { // what rounding leaves
			f.exit = 0
		}
		k.phases = append(k.phases, f)
	}
}

// least is the smallest need.
func (p *plan) least() int {
	least := p.kinds[0].need
	for _, k := range p.kinds[1:] {
		least = min(least, k.need)
	}
	return least
}

package policy

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Switching is a Policy that serves jobs as an [MSR] does, which solvers know.
type Switching interface {
	Policy
	Switches() MSR
}

// MSR is a Markovian service rate policy: a Markov chain that does not look at the queue
// chooses a schedule, how many jobs of each need may run, and stops and starts jobs as it
// turns. Servers of a need that has too few jobs stay idle, so that every need is a queue
// of its own. It serves the earliest of each need. Source: Chen, Grosof, Berg,
// arXiv 2412.08915.
type MSR struct {
	// Schedules are the jobs of every different need that may run, the needs in ascending
	// order.
	Schedules [][]int `json:"schedules"`
	// Generator is that of the chain, a row of rates for each schedule, per unit of time.
	Generator [][]float64 `json:"generator"`
}

func init() {
	register(MSR{Schedules: [][]int{{8, 0}, {0, 1}}, Generator: [][]float64{{-1, 1}, {0.5, -0.5}}})
}

// String returns the name of the policy.
func (p MSR) String() string { return fmt.Sprintf("MSR(%d schedules)", len(p.Schedules)) }

// Properties returns the properties of the policy.
func (MSR) Properties() Properties {
	return Properties{Preemptive: true, Types: "its schedules are for identical servers", Nodes: MaxWeight{}.Properties().Nodes}
}

// Validate asks for schedules of all needs that fit, of which each runs some jobs of every
// need now and then, and for the generator of a chain that comes from every schedule to
// every other.
func (p MSR) Validate(s System) error {
	return judge("MSR", func(f *check.Faults) { p.faults(f, s) })
}

func (p MSR) faults(f *check.Faults, s System) {
	var needs []int
	for _, c := range s.Classes {
		needs = append(needs, c.Need)
	}
	slices.Sort(needs)
	needs = slices.Compact(needs)
	f.That(len(p.Schedules) > 0, "there is no schedule; give the jobs of each need that run, or take those of mjq.CapacityPolicy")
	f.That(len(p.Generator) == len(p.Schedules), "%d schedules and a generator of %d rows; give a row to each", len(p.Schedules), len(p.Generator))
	for i, jobs := range p.Schedules {
		if len(jobs) != len(needs) {
			f.Add("schedule %d has %d numbers of jobs; give one for each of %d different needs, in ascending order", i+1, len(jobs), len(needs))
			continue
		}
		used := 0
		for k, n := range jobs {
			if n < 0 || n > s.Servers {
				f.Add("schedule %d: %d jobs of need %d; give 0 to %d", i+1, n, needs[k], s.Servers/max(1, needs[k]))
				continue
			}
			used += n * needs[k]
		}
		f.That(used <= s.Servers, "schedule %d takes %d servers of %d; run fewer jobs", i+1, used, s.Servers)
	}
	for k, need := range needs {
		f.That(slices.ContainsFunc(p.Schedules, func(jobs []int) bool { return len(jobs) != len(needs) || jobs[k] > 0 }), "no schedule runs jobs of need %d; give one that does", need)
	}
	p.chainFaults(f)
	f.That(!f.None() || p.connected(), "the chain does not come from every schedule to every other; give rates that let it")
}

// chainFaults says why the generator is none.
func (p MSR) chainFaults(f *check.Faults) {
	for i, row := range p.Generator {
		if len(row) != len(p.Generator) {
			f.Add("row %d of the generator has %d rates of %d", i+1, len(row), len(p.Generator))
			continue
		}
		sum, out := 0.0, 0.0
		for j, rate := range row {
			f.That((i == j || rate >= 0) && !math.IsInf(rate, 0) && !math.IsNaN(rate), "row %d of the generator: rate %v to schedule %d; give a finite one of 0 or more", i+1, rate, j+1)
			sum, out = sum+rate, max(out, math.Abs(rate))
		}
		f.That(!(math.Abs(sum) > 1e-9*out), "row %d of the generator sums to %v, not 0", i+1, sum)
	}
}

// connected reports whether the chain comes from every schedule to every other.
func (p MSR) connected() bool {
	shares := p.Shares()
	return shares != nil && !slices.Contains(shares, 0)
}

// Switches returns the policy itself.
func (p MSR) Switches() MSR { return p }

// Shares are the parts of the time that the schedules have in the long run: the stationary
// law of the chain; nil if it depends on the first schedule. Cost: m³/3 for m schedules.
func (p MSR) Shares() []float64 {
	n := len(p.Generator)
	shares, err := mam.GTH(mat.NewDense(n, n, slices.Concat(p.Generator...)))
	if err != nil {
		return nil
	}
	return shares
}

// Scheduler begins with a schedule drawn by the shares.
func (p MSR) Scheduler(System) Scheduler { return &msr{MSR: p, shares: p.Shares()} }

// msr costs O(kinds) a pass, and O(schedules) when the chain turns.
type msr struct {
	MSR
	shares []float64
	at     int     // schedule
	turns  float64 // when the chain leaves it
}

// Begin draws the first schedule.
func (s *msr) Begin(draw func() float64) {
	s.at = chosen(s.shares, draw())
	s.turns = 0
	s.stay(draw)
}

// stay draws how long the schedule stays.
func (s *msr) stay(draw func() float64) {
	if out := -s.Generator[s.at][s.at]; out > 0 {
		s.turns -= math.Log1p(-draw()) / out
	} else {
		s.turns = math.Inf(1)
	}
}

// Next is when the chain turns.
func (s *msr) Next() float64 { return s.turns }

// Strike turns the chain.
func (s *msr) Strike(draw func() float64) {
	rates := slices.Clone(s.Generator[s.at])
	rates[s.at] = 0
	total := 0.0
	for _, r := range rates {
		total += r
	}
	s.at = chosen(rates, draw()*total)
	s.stay(draw)
}

// chosen is the index at which the sum of weights exceeds u, the last that weighs anything
// if rounding keeps it below.
func chosen(weights []float64, u float64) (at int) {
	for i, w := range weights {
		if w > 0 {
			at = i
		}
		if u -= w; u < 0 {
			return i
		}
	}
	return at
}

// Shift moves the origin of time.
func (s *msr) Shift(by float64) { s.turns -= by }

// Mode is the schedule. When it ends follows from the numbers drawn.
func (s *msr) Mode() int { return s.at }

func (s *msr) Pass(v *View) {
	for k, jobs := range s.Schedules[s.at] {
		if jobs != v.Running[k] {
			v.Serve(k, jobs)
		}
	}
}

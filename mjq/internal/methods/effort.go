package methods

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Effort is what a method is expected to take until the interval of the mean wait is as
// narrow as asked.
type Effort struct {
	Method  run.Method // with the settings that make it cheap for the target
	Steps   float64    // jobs that are run through, infinite where no number is enough
	kind    float64    // cost of a step, in those of a forward run
	extra   float64    // what it takes before, in the same
	Seconds float64    // of one core
}

// efforts estimates them from theory and a short run.
//
// Near its limit a queue is like a reflected Brownian motion, of which τ jobs (Relaxation)
// tell as much of the mean wait as one independent observation of it. Farther away waits
// are forgotten sooner: of a single server with Poisson arrivals and exponential services
// the variance of the mean of n waits is exactly τ g(ρ) Var W / n (Daley 1968), with
// g(ρ) = (2+5ρ-4ρ²+ρ³)/(4(2-ρ)), and this is taken for every queue, with its own ρ = λ/λ_c
// and Var W.
type efforts struct {
	*problem.Problem
	load   float64 // of the limit
	forget float64 // τ
	worth  float64 // jobs that tell as much as one observation with the relative error 1
	wanted float64 // such observations
	square float64 // Var W / E[W]²
	rarest float64 // probability of the class that matters most
	seen   *scarcity.Exposure
	least  float64 // jobs without which a mean wait has no interval
	plain  float64 // jobs that are enough without control variates
	fixed  float64 // gain of controls in fixed proportions
	leaves float64 // what the waits of a smaller queue leave of the variance; 1 without one
	eps    float64 // of certified samples
}

// newEfforts needs the limit, a pilot's mean and variance of the wait, and a target.
func newEfforts(ctx context.Context, p *problem.Problem, load float64, t *trial, o *problem.Options) *efforts {
	e := &efforts{Problem: p, load: load, forget: p.Relaxation(load), square: t.square, rarest: heaviest(p), leaves: 1,
		seen: scarcity.Of(p.Spec, load), eps: problem.CertifiedEps}
	e.least = e.seen.Enough(scarcity.MeanWait, scarcity.Least)
	if n := sampler.Near(ctx, p, load); n != nil {
		e.leaves = n.Leaves
	}
	if few := t.jobs / e.forget; few < trustedRelaxations || !(t.mean > 0) { // too short to know the variance
		e.square = (2 - load) / load // of the single server
	}
	relErr := max(o.RelErr.Or(0), o.HalfWidth.Or(0)/t.mean)
	z := distuv.UnitNormal.Quantile((1+o.Level)/2) / relErr
	e.wanted = studentised * z * z
	e.worth = e.forget * e.square * (2 + load*(5-load*(4-load))) / (4 * (2 - load))
	e.fixed = fixedGain
	if s := e.seen.Over(e.least).Largest(scarcity.MeanWait); s.Class < 0 || p.Classes[s.Class].Need < p.Servers {
		e.fixed = fixedBeside
	}
	e.plain = max(e.worth*e.wanted, e.seen.Enough(scarcity.MeanWait, e.wanted))
	return e
}

const (
	// trustedRelaxations is how long a pilot is, in relaxation times, whose variance of
	// the wait is taken.
	trustedRelaxations = 20
	// studentised is by how much more Student's t and the corrections for skewness ask.
	studentised = 1.1
	// overshoot is by how much a run is longer than it need be, for the interval is
	// looked at only after a third more each time: (1/3)/ln(4/3).
	overshoot = 1.16
)

// heaviest is the probability of the class whose number moves the waits most.
func heaviest(m *problem.Problem) float64 {
	most, prob := 0.0, 1.0
	for _, c := range m.Classes {
		if w := float64(c.Need) * c.Service.Mean(); c.Prob*w*w > most {
			most, prob = c.Prob*w*w, c.Prob
		}
	}
	return prob
}

// looked is how a path is seen: every so many jobs, and in so many parts from which the
// coefficients of the control variates come; and the parts that are left of what the squares
// of single jobs bring, of what the two ends of the path do, and of the whole by the waits of
// a smaller queue (1: there is none). Without control variates it is not seen; of few large
// jobs they are in fixed proportions.
type looked struct {
	every, parts, squares, ends, leaves float64
	unseen, few                         bool
}

// gain is how many times fewer jobs are needed with control variates, on paths of some
// jobs. What the controls leave of the variance τ are the two ends of the path; that the
// queue has changed since the last look, by the work of half as many jobs; and the squares
// of what single jobs bring (site/docs/methods/control-variates.md). Coefficients from parts that are short against
// the time in which the queue forgets are poor.
func (e *efforts) gain(path float64, by looked) float64 {
	if path*e.rarest < problem.FewestRare || by.unseen {
		return 1
	}
	if by.few {
		return e.fixed
	}
	ends := by.ends * e.forget / path
	stale := 2 * by.every / (e.forget + 2*by.every) // no staler than unknown
	squares := by.squares * 2 * (1 - e.load) * (1 - e.load) / (e.load * e.load)
	short := e.worth * by.parts / path
	return max(1, 1/(ends+(stale+squares)*e.forget/e.worth+short*short/10), 1/by.leaves)
}

// length is how long a path must be at least: many times the time in which the queue
// forgets, so that the class that matters most comes often, and so that the fewest paths
// hold the large jobs without which a mean wait has no interval.
func (e *efforts) length(relaxations float64) float64 {
	return max(10_000, relaxations*e.forget, 2*problem.FewestRare/e.rarest, 1.05*e.least/problem.FewestReplications)
}

// paths divides jobs among so many paths, neither shorter than a number nor longer than
// it pays, and is the number of paths and their length.
func (e *efforts) paths(count, shortest float64, by func(path float64) looked) (paths, path float64) {
	longest := max(shortest, problem.LongestJobs, problem.Relaxations*e.worth)
	path = shortest
	for range 30 {
		jobs := e.jobs(path, by(path))
		path = min(longest, max(shortest, jobs/(0.85*count)))
	}
	path = rounded(path)
	paths = e.jobs(path, by(path)) / path
	if paths > count {
		paths *= overshoot
	}
	return max(count, paths), path
}

// jobs are how many are enough on paths of some jobs.
func (e *efforts) jobs(path float64, by looked) float64 {
	switch gain := e.gain(path, by); {
	case by.few || gain == 1:
		return e.plain / gain
	default:
		return e.worth * e.wanted / gain
	}
}

// rounded is a number with two digits, not smaller.
func rounded(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Ceil(x/unit) * unit
}

// forward is a run with control variates, of close ones where that is cheaper.
func (e *efforts) forward() Effort {
	usual := e.controlled(problem.PlainControls, controlledStep, 2*problem.FewestRelaxations, looked{every: sampling.Closest, parts: sampling.Parts, squares: 1, ends: bothEnds, leaves: 1})
	if e.Features().Has(spec.Unlike|spec.Placed) || !e.System(0, 1).Light {
		return usual
	}
	if x := e.controlled(problem.CloseControls, closeStep, 1.05*problem.FewestRelaxations, looked{every: sampling.Closer, parts: closeParts, squares: leftOfSquares * min(1, oftenEnough*e.rarest), leaves: e.leaves}); x.cost() < usual.cost() {
		return x
	}
	return usual
}

// controlled is a run with control variates of either kind.
func (e *efforts) controlled(variates problem.Controls, step, relaxations float64, by looked) Effort {
	paths, path := e.paths(problem.FewestReplications, e.length(relaxations), func(path float64) looked {
		by.few = e.seen.Over(problem.FewestReplications*path).Fitted() < scarcity.FewEffective
		return by
	})
	return Effort{Method: sampler.Forward{Jobs: int(check.Whole(path, 1, most)), Controls: variates}, Steps: 1.2 * paths * path, kind: step}
}

// simulate is the simulation as it comes.
func (e *efforts) simulate() Effort {
	path := float64(e.ReplicationJobs(e.load))
	return Effort{Method: simulation.Method{}, Steps: 1.2 * path * max(problem.FewestReplications, overshoot*e.plain/path), kind: listStep}
}

// certified is a run of paths from exact samples. Its windows are as long as a queue that
// falls as fast as Brownian motion takes from a height exceeded with probability eps,
// 1.5 ln(1/eps)/4 of τ, or from one that the longest services reach so seldom; a few jobs
// more come from the height of blocks.
func (e *efforts) certified(bound float64) Effort {
	window := max(256, 1.05*1.5*math.Log(1/e.eps)*max(e.forget/4, e.Rate()*e.lasting()/(1-e.load)))
	x := e.followed(func(path int) run.Method { return sampler.Certified{PathLength: path} }, window, certifiedWindow*window, 2*window)
	x.extra = bound
	return x
}

// lasting is the mean of the longest exponential phase of a service, by the decay of its
// tail far out.
func (e *efforts) lasting() (longest float64) {
	for _, c := range e.Classes {
		service := scarcity.Rough(c.Service)
		near, far := service.Quantile(1-1e-6), service.Quantile(1-1e-9)
		if a, b := service.Survival(near), service.Survival(far); far > near && b > 0 && a > b {
			longest = max(longest, (far-near)/math.Log(a/b))
		}
	}
	return longest
}

// unbiased is one of paths whose first window is the method's own.
func (e *efforts) unbiased() Effort {
	path := e.length(2 * problem.FewestRelaxations)
	window := float64(sampler.UnbiasedWindow(e.Problem, e.load, int64(path)))
	return e.followed(func(path int) run.Method { return sampler.Unbiased{PathLength: path} }, window, unbiasedWindows*window, max(path, 4*window))
}

// followed is a run of paths, by a method for their length, each of which costs some steps before it
// begins.
func (e *efforts) followed(m func(path int) run.Method, window, before, shortest float64) Effort {
	by := func(path float64) looked {
		return looked{every: float64(sampling.Spacing(int64(window), int64(path))), parts: 1, squares: 1, ends: bothEnds, leaves: 1,
			unseen: e.seen.Over(problem.FollowedFirst*path).Fitted() < scarcity.FewEffective}
	}
	paths, path := e.paths(problem.FollowedFirst, shortest, by)
	return Effort{Method: m(int(check.Whole(path, 1, most))), Steps: paths * (before + path), kind: followedStep + lookStep/by(path).every}
}

// backward draws single samples, in windows that double until they are many times τ.
func (e *efforts) backward() Effort {
	window := 2 * float64(e.RareJobs(10))
	for window < coupledTogether*e.forget {
		window *= 2
	}
	return Effort{Method: sampler.Backward{}, Steps: 1.2 * window * e.samples(), kind: coupledStep}
}

// dominated draws single samples too.
func (e *efforts) dominated() Effort {
	return Effort{Method: sampler.Dominated{}, Steps: sampler.DominatedCost(e.Spec) * e.samples(), kind: dominatedStep}
}

// samples is how many independent waits are enough.
func (e *efforts) samples() float64 { return max(512, overshoot*e.square*e.wanted) }

// Steps of the methods, in those of a forward run, and what they take before a path,
// measured on the benchmark models (BenchmarkPlanner).
const (
	controlledStep = 1.4
	closeStep      = 2.1
	bothEnds       = 0.6
	// leftOfSquares is less where a look sees no two jobs that matter: where those come more
	// seldom than once in oftenEnough jobs.
	leftOfSquares = 0.35
	oftenEnough   = 100
	// closeParts are as many parts as would tell so little of the coefficients if the ends of
	// parts were not controls.
	closeParts      = 2
	followedStep    = 0.65
	lookStep        = 16
	coupledStep     = 0.6
	listStep        = 4
	dominatedStep   = 5
	certifiedWindow = 1.45
	unbiasedWindows = 5
	coupledTogether = 8
	// Controls in fixed proportions leave of the variance less than this part where jobs that
	// need all servers make the waiting, and this part where others run beside those.
	fixedGain, fixedBeside = 500, 3
	// A bound that is proved by simulation takes about so many steps, and a step the time
	// of so many operations for one that is calculated.
	provedBound     = 5e8
	boundOperations = 60
)

// boundSteps is what the bound of Certified takes.
func (e *efforts) boundSteps() float64 {
	operations, ok := sampler.MajorantWork(e.Problem, e.forget)
	if !ok {
		return provedBound
	}
	return operations / boundOperations
}

// all are the efforts of all methods that fit.
func (e *efforts) all() (list []Effort) {
	for _, m := range All {
		if len(run.Fits(m, e.Spec)) > 0 {
			continue
		}
		switch m.(type) {
		case sampler.Forward:
			list = append(list, e.forward())
		case simulation.Method:
			list = append(list, e.simulate())
		case sampler.Certified:
			list = append(list, e.certified(e.boundSteps()))
		case sampler.Unbiased:
			if run.Under(m, e.Spec) == m {
				list = append(list, e.unbiased())
			}
		case sampler.Backward:
			list = append(list, e.backward())
		case sampler.Dominated:
			list = append(list, e.dominated())
		}
	}
	return list
}

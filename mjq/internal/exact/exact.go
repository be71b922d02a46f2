// Package exact solves queues without simulation: first come first served by package open,
// policies by deferred revelation, Markovian service rates, and the optimal policy.
package exact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/levels"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/internal/turned"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Method solves queues without simulation: by a formula, a chain of what is in service, or the
// chain of counts under a policy. See ways.
type Method struct {
	MomentsOnly bool
	MaxBytes    float64
}

var row = run.Row{
	Name: "Exact", About: "formulas of classic queues; Poisson or Markovian arrivals, phase-type services: all moments, distributions",
	Serves: spec.Every,
}

// Row is the row of the method.
func (m Method) Row() *run.Row { return &row }

// Bytes is how much memory the solution may take.
func (m Method) Bytes() float64 { return cmp.Or(m.MaxBytes, problem.UsualBytes) }

// asked is an exact question: its settings and options.
type asked struct {
	Method
	problem.Options
}

// way is a way to solve the queues that it fits.
type way struct {
	fits   func(s *spec.Spec) bool
	faults func(f *check.Faults, s *spec.Spec) // why one of them is beyond it
	size   func(ctx context.Context, p *problem.Problem, o *asked) (Size, error)
	solve  func(ctx context.Context, p *problem.Problem, o *asked) (*result.Result, error)
}

// ways are all ways. The first that fits solves a queue, or says why not.
var ways []way

func init() { // the ways ask for the row
	ways = []way{
		{(*spec.Spec).Turns, turned.Faults, turnedSize, solveTurned},
		{(*spec.Spec).OnNodes, placedFaults, placedSize, solvePlaced},
		{func(s *spec.Spec) bool { return !s.FirstCome() }, policyExactFaults, policySize, solvePolicy},
		{hasFormula, func(*check.Faults, *spec.Spec) {}, classicSize, solveClassic},
		{func(*spec.Spec) bool { return true }, func(f *check.Faults, s *spec.Spec) { exactPhases(f, s) }, phasesSize, solvePhases},
	}
	row.Refuse = func(f *check.Faults, s *spec.Spec) { wayOf(s).faults(f, s) }
}

// Answer solves. An exact answer meets every target, and is held against the work that jobs
// bring.
func (m Method) Answer(ctx context.Context, p *problem.Problem, o *problem.Options) (*result.Result, error) {
	r, err := wayOf(p.Spec).solve(ctx, p, &asked{m, *o})
	if r != nil {
		r.Run.Met = err == nil
		balance(p, r)
	}
	if r != nil && r.Stable && p.Policy != nil && p.FirstCome() && p.Policy.Properties().Preemptive {
		neverStopped(&r.All)
		for i := range r.Classes {
			neverStopped(&r.Classes[i])
		}
	}
	return r, err
}

// neverStopped adds what is told of preemptive policies, of which this one stops no job.
func neverStopped(c *result.ClassResult) {
	none := result.Exact(0, c.Waiting.Mean.Method)
	c.Preemptions, c.Lost, c.FirstStart, c.AtOnce = none, none, c.Waiting.Mean, c.Waiting.NoWait
	if !c.AtOnce.Known() {
		c.AtOnce = c.Waiting.CDF(0)
	}
}

// wayOf is the way for a queue.
func wayOf(s *spec.Spec) *way {
	for i := range ways {
		if ways[i].fits(s) {
			return &ways[i]
		}
	}
	panic("exact: no way")
}

// Size is the size of an exact solution: phases, boundary levels, bytes and
// floating-point operations.
type Size = open.Size

// SizeOf is how large the exact solution is, found by counting, at no cost; of a chain that
// a policy has cut estimated from its first levels. It fails
// where the queue is not one that can be solved.
func SizeOf(ctx context.Context, p *problem.Problem, m Method, o problem.Options) (_ Size, err error) {
	defer problem.Caught("Exact", &err)
	return wayOf(p.Spec).size(ctx, p, &asked{m, o})
}

// turnedFaults says what keeps a queue of which not all jobs are served from being solved.
func turnedFaults(p *problem.Problem, o *asked) error {
	var f check.Faults
	o.Check(&f)
	run.Settings(&f, o.Method)
	p.ArrivalFaults(&f)
	p.PolicyFaults(&f)
	turned.Faults(&f, p.Spec)
	return f.Err("Exact")
}

// turnedSize is SizeOf for such a queue.
func turnedSize(_ context.Context, p *problem.Problem, o *asked) (Size, error) {
	if err := turnedFaults(p, o); err != nil {
		return Size{}, err
	}
	z := turned.SizeOf(p.Spec)
	return Size{Phases: int(check.Whole(z.States, 0, 1<<62)), Levels: 1, Bytes: z.Bytes, Flops: z.Flops, Sparse: true}, nil
}

// solveTurned solves such a queue.
func solveTurned(ctx context.Context, p *problem.Problem, o *asked) (*result.Result, error) {
	if err := turnedFaults(p, o); err != nil {
		return nil, err
	}
	return turned.Solve(ctx, p, &o.Options, o.Bytes(), !o.MomentsOnly)
}

// exactPhases is the queue, first come first served, as the solver sees it, or why it is
// beyond the solution.
func exactPhases(f *check.Faults, s *spec.Spec) states.System {
	if s.Arrivals != nil && !s.Poisson() {
		_, ok := arrival.AsMarkov(s.Arrivals)
		f.That(ok, "arrivals %v: only Poisson and Markovian arrivals are solved exactly, with gaps of phase type, at most %d phases and rates that do not change by the hour; use one of .Poisson, .MAP, .MMPP, .MarkedMAP and .Batches, or a sampler", s.ArrivalName(), arrival.MostStates)
		problem.NeverComes(f, s)
	}
	sys, err := problem.PhaseSystem(s)
	f.Join(err)
	for _, c := range s.Classes {
		if at0 := 1 - c.Service.Survival(0); at0 > 1e-12 {
			f.Add("class %q has no service time at all with probability %.3g; it must be positive", c.Name, at0)
		}
	}
	return sys
}

// exactIndex checks the query and numbers what can be in service.
func exactIndex(p *problem.Problem, o *asked) (*states.Index, error) {
	var f check.Faults
	o.Check(&f)
	run.Settings(&f, o.Method)
	p.ArrivalFaults(&f)
	bytes := o.Bytes()
	f.Asked(bytes > 0, "MaxBytes %v: give a positive number of bytes", bytes)
	sys := exactPhases(&f, p.Spec)
	if err := f.Err("Exact"); err != nil {
		return nil, err
	}
	return p.Numbered(sys)
}

// phasesSize is SizeOf of the chain of what is in service.
func phasesSize(_ context.Context, p *problem.Problem, o *asked) (Size, error) {
	x, err := exactIndex(p, o)
	if err != nil {
		return Size{}, err
	}
	size := exactSize(p, x, o)
	size.Flops = operations(size, x, o)
	return size, nil
}

// operations is how many operations, as quick as those of a product of small matrices, a
// solution costs with what is wanted of it (BenchmarkPlanner).
func operations(z Size, x *states.Index, o *asked) float64 {
	points := 1.0 // at which transforms are evaluated, relative to hyperexponential services
	for _, p := range x.Phases {
		if len(p.Moves) > 0 { // transforms that oscillate
			points = ofMoves
		}
	}
	if z.Sparse {
		if largeCurves(x, o.Method) {
			z.Flops *= (1 + points) / 2
		}
		return z.Flops
	}
	n := float64(z.Phases)
	if z.Levels == 0 {
		n /= 2 // about half of the states of the age process have a line
	}
	all := 0.5*z.Flops + 1.2e4*n*n + 1e6
	if !o.MomentsOnly {
		all += points * 9e3 * (n + 20) * (n + 20) * (1 + float64(z.Levels)/60)
	}
	return all
}

// ofMoves is how many times as many points services take that pass from phase to phase.
const ofMoves = 5

// solvePhases solves by the chain of what is in service. There is nothing to keep if ctx ends
// first.
func solvePhases(ctx context.Context, p *problem.Problem, o *asked) (*result.Result, error) {
	index, err := exactIndex(p, o)
	if err != nil {
		return nil, err
	}
	size := exactSize(p, index, o)
	if most := o.Bytes(); size.Bytes > most {
		return nil, fmt.Errorf("Exact: the solution would have %v, more than the %.2g MB allowed; use MaxBytes, or a sampler: %s", size, most/1e6, instead(p))
	}
	x, err := run.Open(ctx, p, o.Method, &o.Options, size.Flops)
	if err != nil {
		return nil, err
	}
	if !p.Poisson() {
		return solveAges(ctx, x, index, size)
	}
	ok, err := x.Begin(ctx, "exact", "quasi-birth-and-death process, "+size.String())
	if !ok {
		return x.Result, err
	}
	x.Started = time.Now()
	sol, err := openSolution(ctx, x, index, size)
	if err != nil {
		return notSolved(x, err)
	}
	exactResult(p, x.Result, sol, index.Of)
	if waits := openWaits(ctx, x, sol); waits != nil {
		if err := curves(ctx, x, waits, index.Classes, index.Of, p.Shares()); err != nil {
			return x.Result, err
		}
	}
	x.Result.Run.Residual = sol.Residual
	x.Finish(true)
	return x.Result, nil
}

// openSolution solves by matrices or by sweeps, as size says.
func openSolution(ctx context.Context, x *run.Run, index *states.Index, size Size) (*open.Solution, error) {
	if !size.Sparse {
		return open.Solve(ctx, index, x.Servers, x.Result.Rate, x.Options.Throttled())
	}
	most, report := x.Method.(Method).Bytes(), x.Options.Throttled()
	if all := report; all != nil && largeCurves(index, x.Method.(Method)) {
		report = func(done, total float64) { all(done, open.WithCurves*total) }
	}
	sol, err := open.SolveLarge(ctx, index, x.Servers, x.Result.Rate, most, report)
	var large *chain.TooLarge
	tooLarge := errors.As(err, &large)
	if (tooLarge || errors.Is(err, levels.ErrSlow)) && open.SizeOf(index).Bytes <= most && !x.Method.(Method).MomentsOnly {
		return open.Solve(ctx, index, x.Servers, x.Result.Rate, x.Options.Throttled())
	}
	if tooLarge {
		err = fmt.Errorf("%w; use MaxBytes, or a sampler: %s", err, instead(x.Problem))
	}
	if err != nil {
		return nil, err
	}
	x.Result.Notes = append(x.Result.Notes, fmt.Sprintf("The mean number of jobs has a relative error of at most %.1[2]g, by the residual of the equations. The model is large, and was solved by sweeps over %[1]d levels.", sol.Levelled(), sol.Error))
	return sol, nil
}

// instead is a sampler for a queue that is too large to be solved.
func instead(p *problem.Problem) string {
	if p.Poisson() {
		return "mjq.Certified{}"
	}
	return "mjq.Forward{}"
}

// notSolved is the result where there is no solution: beyond the stability limit, or
// an error.
func notSolved(x *run.Run, err error) (*result.Result, error) {
	var unstable *mam.Unstable
	if !errors.As(err, &unstable) {
		return nil, fmt.Errorf("Exact: %w", err)
	}
	x.Result.Stable = false
	run.Unstable(x.Problem, x.Result)
	return x.Result, nil
}

// exactResult fills in moments and counts; of names the kind of each class.
func exactResult(p *problem.Problem, r *result.Result, sol *open.Solution, of []int) {
	known := func(v float64) result.Estimate {
		e := result.Exact(v, "exact")
		e.HalfWidth = sweepError * sol.Error * math.Abs(v)
		return e
	}
	kinds, moments := sol.Kinds(), sol.Moments()
	var classes []estimate.Tally
	var first, second, response2 float64
	for i, c := range p.Classes {
		k := kinds[of[i]]
		mean, service := c.Service.Mean(), c.Service.Variance()
		variance := k.Second - k.Mean*k.Mean
		classes = append(classes, solved(known, k.Mean, variance, k.Mean+mean, variance+service))
		first += c.Prob * k.Mean
		second += c.Prob * k.Second
		response2 += c.Prob * (variance + service + (k.Mean+mean)*(k.Mean+mean))
	}
	response := first + p.MeanService()
	all := solved(known, first, second-first*first, response, response2-response*response)
	estimate.Fill(r, classes, &all, p.Shares())
	r.WastedHOL, r.Idle = known(moments.WastedHOL), known(moments.Idle)
	r.Utilization = known(1 - moments.Idle/float64(p.Servers))
	r.MeanJobs = known(moments.Jobs[0])
	r.Jobs = result.Count{Factorial: moments.Jobs, P: sol.Levels(listedLevels), Decay: moments.Decay}
	r.Queue = result.Count{Factorial: moments.Queue, Decay: moments.Decay}
}

// sweepError is how much less exact than the mean number of jobs, to which the bound of
// SolveLarge belongs, other moments are taken to be.
const sweepError = 20

// listedLevels is how many probabilities of the number of jobs are kept; from
// there on they fall by the factor Decay each.
const listedLevels = 2048

// solved is the moments of waits and responses as a solver knows them.
func solved(known func(float64) result.Estimate, wait, waitVariance, response, responseVariance float64) (t estimate.Tally) {
	t.Waiting.Mean, t.Waiting.Variance = known(wait), known(waitVariance)
	t.Response.Mean, t.Response.Variance = known(response), known(responseVariance)
	return t
}

// solvedMeans is the means alone.
func solvedMeans(known func(float64) result.Estimate, wait, response float64) (t estimate.Tally) {
	t.Waiting.Mean, t.Response.Mean = known(wait), known(response)
	return t
}

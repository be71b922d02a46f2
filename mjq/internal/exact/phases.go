package exact

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// phases is for queues first come, first served: the chain of what is in service.
var phases = &solver{
	serves: spec.Marked | spec.Dependent | spec.Batched, refuses: spec.Periodic | unlike | spec.Placed,
	faults: phaseFaults,
	size: func(_ context.Context, w *work) (Size, error) {
		x, err := w.OpenIndex()
		if err != nil {
			return Size{}, err
		}
		z := phasesSize(w, x)
		z.Flops = operations(z, x, w.how)
		return z, nil
	},
	most: func(s *spec.Spec) string { return "a sampler: " + sampler(s) },
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		index, err := w.OpenIndex()
		if err != nil {
			return nil, err
		}
		size := phasesSize(w, index)
		if !w.Poisson() {
			return solveAges(ctx, w, index, size)
		}
		if !w.begin(ctx, "exact", "quasi-birth-and-death process, "+size.String()) {
			return nil, nil
		}
		sol, err := openSolution(ctx, w, index, size)
		if err != nil {
			return nil, err
		}
		a := openAnswer(w.Spec, sol, index.Of)
		a.curves = w.inverted(openWaits(ctx, w, sol), index.Classes, func(i int) int { return index.Of[i] })
		return a, nil
	},
}

// phaseFaults says why the queue, first come first served, is beyond the solution.
func phaseFaults(f *check.Faults, s *spec.Spec) {
	if s.Arrivals != nil && !s.Poisson() {
		_, ok := arrival.AsMarkov(s.Arrivals)
		f.That(ok, "arrivals %v: only Poisson and Markovian arrivals are solved exactly, with gaps of phase type, at most %d phases and rates that do not change by the hour; use one of .Poisson, .MAP, .MMPP, .MarkedMAP and .Batches, or a sampler", s.ArrivalName(), arrival.MostStates)
		states.NeverComes(f, problem.Compile(s))
	}
	_, err := states.Of(problem.Compile(s))
	f.Join(err)
	for _, c := range s.Classes {
		if at0 := 1 - c.Service.Survival(0); at0 > 1e-12 {
			f.Add("class %q has no service time at all with probability %.3g; it must be positive", c.Name, at0)
		}
	}
}

// mostDense is the number of phases up to which matrices are as fast as sweeps, and
// more exact.
const mostDense = 500

// phasesSize is the size of the solution that the arrivals call for. Matrices are used for
// few phases, and, where they fit, for distributions that sweeps do not give.
func phasesSize(w *work, x *states.Index) Size {
	if !w.Poisson() && w.Arrivals != nil {
		return open.SizeOfAges(x, *states.Matrices(w.Compiled()))
	}
	dense := open.SizeOf(x)
	curves := largeCurves(x, w.how)
	if dense.Phases <= mostDense || !w.how.MomentsOnly && !curves && dense.Bytes <= w.how.Bytes() {
		return dense
	}
	size := open.SizeOfLarge(x)
	if curves {
		size.Flops *= open.WithCurves
	}
	return size
}

// operations is how many operations, as quick as those of a product of small matrices, a
// solution costs with what is wanted of it (BenchmarkPlanner).
func operations(z Size, x *states.Index, m Method) float64 {
	points := 1.0 // at which transforms are evaluated, relative to hyperexponential services
	for _, p := range x.Phases {
		if len(p.Moves) > 0 { // transforms that oscillate
			points = ofMoves
		}
	}
	if z.Sparse {
		if largeCurves(x, m) {
			z.Flops *= (1 + points) / 2
		}
		return z.Flops
	}
	n := float64(z.Phases)
	if z.Levels == 0 {
		n /= 2 // about half of the states of the age process have a line
	}
	all := 0.5*z.Flops + 1.2e4*n*n + 1e6
	if !m.MomentsOnly {
		all += points * 9e3 * (n + 20) * (n + 20) * (1 + float64(z.Levels)/60)
	}
	return all
}

// ofMoves is how many times as many points services take that pass from phase to phase.
const ofMoves = 5

// openSolution solves by matrices or by sweeps, as size says.
func openSolution(ctx context.Context, w *work, index *states.Index, size Size) (*open.Solution, error) {
	report := w.Options.Throttled()
	if !size.Sparse {
		return open.Solve(ctx, index, w.Servers, w.Result.Rate, report)
	}
	most := w.how.Bytes()
	some := report
	if report != nil && largeCurves(index, w.how) {
		some = func(done, total float64) { report(done, open.WithCurves*total) }
	}
	sol, err := open.SolveLarge(ctx, index, w.Servers, w.Result.Rate, most, some)
	var large *chain.TooLarge
	tooLarge := errors.As(err, &large)
	if (tooLarge || errors.Is(err, chain.ErrSlow)) && open.SizeOf(index).Bytes <= most && !w.how.MomentsOnly {
		return open.Solve(ctx, index, w.Servers, w.Result.Rate, report)
	}
	if tooLarge {
		return nil, large.Out("use MaxBytes, or a sampler: " + sampler(w.Spec))
	} else if err != nil {
		return nil, err
	}
	w.Result.Notes = append(w.Result.Notes, fmt.Sprintf("The mean number of jobs has a relative error of at most %.1[2]g, by the residual of the equations. The model is large, and was solved by sweeps over %[1]d levels.", sol.Levelled(), sol.Error))
	return sol, nil
}

// sampler is one for a queue that is too large to be solved.
func sampler(s *spec.Spec) string {
	if s.Poisson() {
		return "mjq.Certified{}"
	}
	return "mjq.Forward{}"
}

// openAnswer is moments and counts; of names the kind of each class.
func openAnswer(s *spec.Spec, sol *open.Solution, of []int) *Answer {
	kinds, moments := sol.Kinds(), sol.Moments()
	a := &Answer{Error: func(v float64) float64 { return sweepError * sol.Error * math.Abs(v) },
		Idle: moments.Idle, Wasted: moments.WastedHOL, MeanJobs: moments.Jobs[0],
		Jobs: result.Count{Factorial: moments.Jobs, P: sol.Levels(listedLevels), Decay: moments.Decay},
		Line: result.Count{Factorial: moments.Queue, Decay: moments.Decay}, Residual: sol.Residual}
	for i := range s.Classes {
		k := &kinds[of[i]]
		a.Wait, a.Second = append(a.Wait, k.Mean), append(a.Second, k.Second)
	}
	return a
}

// sweepError is how much less exact than the mean number of jobs, to which the bound of
// SolveLarge belongs, other moments are taken to be.
const sweepError = 20

// listedLevels is how many probabilities of the number of jobs are kept; from
// there on they fall by the factor Decay each.
const listedLevels = 2048

// openWaits prepares the distributions; nil where there are none to be had.
func openWaits(ctx context.Context, w *work, sol *open.Solution) curver {
	switch {
	case w.how.MomentsOnly:
		return nil
	case sol.Levelled() == 0:
		return open.NewWaits(ctx, sol)
	case !largeCurves(sol.Index, w.how):
		w.Result.Notes = append(w.Result.Notes, "There are no distributions: with cyclic phase-type service times they take too long for so many states. Use acyclic ones (Erlang, HyperExp, Cox2) or a sampler.")
		return nil
	}
	waits, err := open.NewLargeWaits(ctx, sol, w.Options.Throttled())
	if err != nil {
		w.Result.Notes = append(w.Result.Notes, fmt.Sprintf("There are no distributions: %s. Use a sampler for them.", check.First(err)))
		return nil
	}
	return waits
}

package mjq

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
)

// ExactQuery asks for the exact solution of the open queue.
type ExactQuery struct {
	Query[ExactQuery]
	m       *Model
	moments bool
	memory  float64
}

// Exact solves the open queue without simulation: Poisson arrivals, phase-type
// services (ExpMean, ErlangMean, HyperExp, Cox2, PhaseType). The result has mean
// and variance of every class to about 12 digits, the distribution of waiting
// and response times to about 9, the distribution of the number of jobs, and
// the idle servers, all without intervals; Seed and Level have no effect.
//
// The number of jobs in the system and the multiset of phases in service form a
// quasi-birth-and-death process, homogeneous above as many jobs as can be in
// service at once. The class of the job at the head of the line need not be part
// of the state (package states of this module), which makes it several times
// smaller than the textbook's. For P multisets the cost is of the order of
// 200 P³ operations and 100 P² bytes; Size tells beforehand.
//
// Source: the waiting time of a class splits into the time to the head of the
// line and the time there; means and second moments by the distributional law
// of Little, distributions by Laplace transforms of a matrix-exponential (see
// package open).
func (m *Model) Exact() *ExactQuery {
	q := &ExactQuery{m: m, memory: 1e9}
	q.Query = newQuery(q, noSeed)
	return q
}

// MomentsOnly leaves out the distributions of waiting and response times, which
// can take longer than all the rest.
func (q *ExactQuery) MomentsOnly() *ExactQuery {
	q.moments = true
	return q
}

// MaxBytes is the memory beyond which Run refuses; the default is 10⁹,
// which is 3000 phases and of the order of half an hour.
func (q *ExactQuery) MaxBytes(bytes float64) *ExactQuery {
	q.memory = bytes
	return q
}

// ExactSize is the size of an exact solution: phases, boundary levels, bytes and
// floating-point operations. A core does some 10⁹ to 10¹⁰ operations a second.
type ExactSize = open.Size

// Size is how large the solution is, found by counting, at no cost. It fails
// like Run if the model is not one that can be solved.
func (q *ExactQuery) Size() (_ ExactSize, err error) {
	defer caught("exact", &err)
	if err := q.faults(); err != nil {
		return ExactSize{}, err
	}
	x, err := q.index()
	if err != nil {
		return ExactSize{}, fmt.Errorf("mjq: exact: %w", err)
	}
	return open.SizeOf(x), nil
}

// index numbers what can be in service.
func (q *ExactQuery) index() (*states.Index, error) {
	s, err := q.m.phaseSystem()
	if err != nil {
		return nil, err
	}
	for _, c := range q.m.classes {
		if at0 := 1 - c.Service.Survival(0); at0 > 1e-12 {
			return nil, fmt.Errorf("class %q has no service time at all with probability %.3g; it must be positive", c.Name, at0)
		}
	}
	return states.NewIndex(s.Compile())
}

func (q *ExactQuery) faults() error {
	var f faults
	q.Query.faults(&f)
	q.m.arrivalFaults(&f)
	f.check(q.memory > 0, "MaxBytes(%v): must be positive", q.memory)
	if q.m.arrivals != nil {
		f.check(q.m.poisson(), "arrivals %v: only Poisson arrivals are solved exactly; use .Poisson(rate) or a sampler", q.m.arrivals)
	}
	return f.err("exact")
}

// Run solves. It fails with the sizes if the model is too large, and with the
// error of ctx if that ends first; there is nothing to keep then. Beyond the
// stability limit it returns a result with Stable false.
func (q *ExactQuery) Run(ctx context.Context) (_ *Result, err error) {
	defer caught("exact", &err)
	if err := q.faults(); err != nil {
		return nil, err
	}
	x, err := q.index()
	if err != nil {
		return nil, fmt.Errorf("mjq: exact: %w", err)
	}
	size := open.SizeOf(x)
	if size.Bytes > q.memory {
		return nil, fmt.Errorf("mjq: exact: the solution would have %v, more than the %.2g MB allowed; use .MaxBytes, or a sampler: m.Sample().Certified(1e-6)", size, q.memory/1e6)
	}
	run, err := q.open(ctx, q.m, size.Flops)
	if err != nil {
		return nil, err
	}
	r, ok, err := run.begin(ctx, "exact", "quasi-birth-and-death process, "+size.String())
	if !ok {
		return r, err
	}
	started := time.Now()
	sol, err := open.Solve(ctx, x, q.m.servers, r.Rate, q.throttled())
	var unstable *mam.Unstable
	if errors.As(err, &unstable) {
		r.Stable = false
		run.unstable(r)
		return r, nil
	} else if err != nil {
		return nil, fmt.Errorf("mjq: exact: %w", err)
	}
	q.m.exactResult(r, sol, x.Of)
	if !q.moments {
		if err := q.curves(ctx, r, sol, x.Of); err != nil {
			return r, err
		}
	}
	r.Run.Residual = sol.Residual
	finish(&r.Run, started, true)
	return r, nil
}

// method is what estimates of the exact solver are labelled with.
const exactly = "exact"

// exactResult fills in moments and counts; of names the kind of each class.
func (m *Model) exactResult(r *Result, sol *open.Solution, of []int) {
	known := func(v float64) Estimate { return result.Exact(v, exactly) }
	kinds, moments := sol.Kinds(), sol.Moments()
	var first, second, response2 float64
	for i, c := range m.classes {
		k := kinds[of[i]]
		mean, service := c.Service.Mean(), c.Service.Variance()
		variance := k.Second - k.Mean*k.Mean
		r.Classes[i].Waiting = Metric{Mean: known(k.Mean), Variance: known(variance), Level: r.Level}
		r.Classes[i].Response = Metric{Mean: known(k.Mean + mean), Variance: known(variance + service), Level: r.Level}
		first += c.Prob * k.Mean
		second += c.Prob * k.Second
		response2 += c.Prob * (variance + service + (k.Mean+mean)*(k.Mean+mean))
	}
	response := first + m.meanService()
	r.All.Waiting = Metric{Mean: known(first), Variance: known(second - first*first), Level: r.Level}
	r.All.Response = Metric{Mean: known(response), Variance: known(response2 - response*response), Level: r.Level}
	r.WastedHOL, r.Idle = known(moments.WastedHOL), known(moments.Idle)
	r.Utilization = known(1 - moments.Idle/float64(m.servers))
	r.MeanJobs = known(moments.Jobs[0])
	r.Jobs = Count{Factorial: moments.Jobs, P: sol.Levels(listedLevels), Decay: moments.Decay}
	r.Queue = Count{Factorial: moments.Queue, Decay: moments.Decay}
}

// listedLevels is how many probabilities of the number of jobs are kept; from
// there on they fall by the factor Decay each.
const listedLevels = 2048

// curves adds the distributions.
func (q *ExactQuery) curves(ctx context.Context, r *Result, sol *open.Solution, of []int) error {
	s, err := q.m.phaseSystem()
	if err != nil {
		return err
	}
	var services []open.Service
	var probs []float64
	for i, c := range s.Classes {
		services = append(services, open.Service{Kind: of[i], Alpha: c.Alpha, A: c.A, Mean: q.m.classes[i].Service.Mean()})
		probs = append(probs, c.Prob)
	}
	waits := open.NewWaits(ctx, sol)
	var waiting, response []Curve
	if waits != nil {
		waiting, response = waits.Curves(ctx, services, q.workers)
	}
	if ctx.Err() != nil {
		r.Notes = append(r.Notes, "Interrupted before the distributions were found; moments are complete.")
		return errors.Join(errors.New("mjq: exact: interrupted; the result holds the moments"), context.Cause(ctx))
	}
	for i := range r.Classes {
		r.Classes[i].Waiting.Curve, r.Classes[i].Response.Curve = waiting[i], response[i]
	}
	r.All.Waiting.Curve, r.All.Response.Curve = result.MixCurves(waiting, probs), result.MixCurves(response, probs)
	return nil
}

package mjq

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// opening is a run before it has a result: the model, its rate known, and what
// the run is to say while it waits for the stability limit.
type opening struct {
	*Model
	seed   uint64
	level  float64
	alive  func()
	waited time.Duration
}

// open begins a run by finding the rate of a model at a load. While it waits for
// the limit, progress is none of total, the number that the verb will count to.
func (q *Query[Q]) open(ctx context.Context, m *Model, total float64) (*opening, error) {
	started := time.Now()
	run := &opening{seed: q.seed, level: q.level}
	if report := q.throttled(); report != nil {
		run.alive = func() { report(0, total) }
	}
	var err error
	run.Model, err = m.resolve(ctx, run.alive)
	run.waited = time.Since(started)
	return run, err
}

// begin opens a result, and closes it at once (ok false) when the model is
// unstable or ctx ends first.
func (run *opening) begin(ctx context.Context, solver, source string) (r *Result, ok bool, err error) {
	started, m, level := time.Now(), run.Model, run.level
	st, err := m.limitWithin(ctx, run.alive)
	if err != nil {
		return nil, false, err
	}
	r = &Result{Solver: solver, Source: source, Model: m.headline(), Rate: m.Rate(), Limit: *st, Level: level,
		Stable: m.Rate() < st.Rate+st.HalfWidth}
	r.Run.Seed, r.Run.ElapsedLimit = run.seed, run.waited+time.Since(started)
	for _, c := range m.classes {
		r.Classes = append(r.Classes, ClassResult{Name: c.Name, Need: c.Need, Prob: c.Prob})
	}
	r.All = ClassResult{Name: "all", Prob: 1}
	r.Notes = append(r.Notes, m.notes...)
	m.variantNotes(r)
	for _, note := range st.Notes {
		r.Notes = append(r.Notes, "Stability limit: "+note)
	}
	if math.Abs(m.Rate()-st.Rate) <= 2*st.HalfWidth {
		r.Notes = append(r.Notes, fmt.Sprintf("The rate %.6g is so near the stability limit %v that neither stability nor instability is certain.", m.Rate(), st.Estimate()))
	}
	if r.Stable {
		return r, true, nil
	}
	m.unstable(r)
	return r, false, nil
}

// heavy reports whether a law has infinite variance.
func heavy(l law.Law) bool { return math.IsInf(l.Variance(), 1) }

// light reports whether a law has exponential moments.
func light(l law.Law) bool {
	_, _, ok := law.Tilt(l, 1e-9/l.Mean())
	return ok
}

// unstable fills the result of a model beyond its limit: infinite waits, and
// the servers as in saturation.
func (m *Model) unstable(r *Result) {
	inf := Metric{Mean: result.Infinite("unstable"), Variance: result.Infinite("unstable"), Level: r.Level}
	for c := range r.Classes {
		r.Classes[c].Waiting, r.Classes[c].Response = inf, inf
	}
	r.All.Waiting, r.All.Response = inf, inf
	r.MeanJobs = result.Infinite("unstable")
	r.WastedHOL = r.Limit.WastedInterval()
	r.Idle = r.WastedHOL
	busy := 1 - r.Idle.Value/float64(m.servers)
	r.Utilization = Estimate{Value: busy, HalfWidth: r.Idle.HalfWidth / float64(m.servers), Level: r.Limit.Level, Method: r.Limit.Method}
	m.saturatedResources(r)
	r.Run.Complete = true
	r.Notes = append(r.Notes, fmt.Sprintf("Unstable: the rate %.6g exceeds the stability limit %v. Waiting times grow without bound; servers are as in saturation.",
		m.Rate(), r.Limit.Estimate()))
}

// fillClass turns what a sampler has seen into the result of a class. The response
// adds an independent service, whose moments finalize computes from the law.
func fillClass(c *ClassResult, t *sampling.Tally, level float64, method string) {
	c.Waiting = Metric{Mean: t.MeanW, Variance: t.VarianceW, Effective: t.Effective}
	if t.Waiting.N > 0 {
		c.Waiting.Mean, c.Waiting.Variance = t.Waiting.Mean(level, method), t.Waiting.Variance(level, method)
		c.Waiting.Effective = float64(t.Waiting.N)
	}
	c.Waiting.Level = level
	c.Waiting.Dist = t.Wait.Distribution()
	c.Response = Metric{Dist: t.Response.Distribution(), Effective: c.Waiting.Effective, Level: level}
	setPrecision(c, t)
}

// setPrecision notes how well the distributions are known.
func setPrecision(c *ClassResult, t *sampling.Tally) {
	c.Waiting.Precision, c.Response.Precision = t.Waits.Precision(), t.Responses.Precision()
}

// controlled is added to the method of estimates that use control variates.
func controlled(fit *estimate.Crossfit) string {
	if fit.Controls() == 0 {
		return ""
	}
	return ", with control variates"
}

// useControls takes the moments of the waits from followed samples with their
// control variates instead, and returns the head-of-line waste a job.
func useControls(r *Result, fit *estimate.Crossfit, method string) (hol Estimate) {
	method += ", followed" + controlled(fit)
	for i := range r.Classes {
		w := &r.Classes[i].Waiting
		w.Mean, w.Variance = fit.Mean(2*i, r.Level, method), fit.Variance(2*i, r.Level, method)
	}
	return useControlsAll(r, fit, 2*len(r.Classes), method)
}

// useControlsAll is the same for all jobs together, whose wait, its square and the
// waste are the values of the fit from an index on.
func useControlsAll(r *Result, fit *estimate.Crossfit, at int, method string) (hol Estimate) {
	w := &r.All.Waiting
	if fit.Controls() > 0 {
		noteGain(&r.Run, w.Mean, fit.Mean(at, r.Level, method))
	}
	w.Mean, w.Variance = fit.Mean(at, r.Level, method), fit.Variance(at, r.Level, method)
	return fit.Mean(at+2, r.Level, method)
}

// noteGain notes what control variates are worth.
func noteGain(r *Run, without, with Estimate) {
	if ratio := without.HalfWidth / with.HalfWidth; ratio > 0 && !math.IsInf(ratio, 1) {
		r.Gain = ratio * ratio
	}
}

// close computes what follows from the waits: responses by class, the mixture
// of all classes, and the system by Little's law. A job's own service is
// independent of its wait.
func (m *Model) close(r *Result, holPerJob Estimate, effective float64) {
	for i, c := range m.classes {
		addService(&r.Classes[i].Response, &r.Classes[i].Waiting, c.Service.Mean(), c.Service.Variance())
	}
	var waits, responses []Distribution
	var probs []float64
	second := 0.0 // E[(W + σ)²] of any class
	for i, c := range m.classes {
		k := &r.Classes[i]
		waits, responses = append(waits, k.Waiting.Dist), append(responses, k.Response.Dist)
		probs = append(probs, c.Prob)
		mean := k.Response.Mean.Value
		second += c.Prob * (k.Response.Variance.Value + mean*mean)
	}
	a := &r.All
	a.Waiting.Dist, a.Response.Dist = result.Mix(waits, probs), result.Mix(responses, probs)
	a.Waiting.Effective, a.Response.Effective = effective, effective
	a.Waiting.Level, a.Response.Level = r.Level, r.Level
	a.Response.Mean = plus(a.Waiting.Mean, m.meanService())
	a.Response.Variance = plus(a.Waiting.Variance, second-a.Response.Mean.Value*a.Response.Mean.Value-a.Waiting.Variance.Value)
	r.WastedHOL = times(holPerJob, r.Rate)
	busy := r.Rate * m.work()
	r.Utilization = result.Exact(busy/float64(m.servers), "Little's law")
	r.Idle = result.Exact(float64(m.servers)-busy, "Little's law")
	r.MeanJobs = times(a.Response.Mean, r.Rate)
}

// addService makes the response of a wait and an independent service.
func addService(m *Metric, waiting *Metric, mean, variance float64) {
	m.Mean = plus(waiting.Mean, mean)
	m.Variance = plus(waiting.Variance, variance)
}

func plus(e Estimate, x float64) Estimate {
	e.Value += x
	return e
}

func times(e Estimate, c float64) Estimate {
	e.Value *= c
	e.HalfWidth *= c
	return e
}

func finish(r *Run, started time.Time, complete bool) {
	r.Elapsed, r.Complete = time.Since(started), complete
	r.StepsPerSec = float64(r.Steps) / r.Elapsed.Seconds()
}

// interrupted is the error of a run that ctx ended; the result says the same.
func interrupted(ctx context.Context, r *Result) error {
	if r.Run.Complete {
		return nil
	}
	r.Notes = append(r.Notes, "Interrupted: this is what had been completed by then.")
	return errors.Join(errors.New("mjq: interrupted; the result holds what was completed"), context.Cause(ctx))
}

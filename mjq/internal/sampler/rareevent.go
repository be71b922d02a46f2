package sampler

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/interval"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// RareEvent estimates how seldom jobs wait long, by paths that split where the work is high.
type RareEvent struct {
	Wait                       float64
	Jobs, WarmUp, Replications int
}

var rareEvent = run.Row{
	Name: "RareEvent", About: "probabilities of waits far beyond what a run would see",
	Takes:  []string{"RelErr"},
	Source: "Villén-Altamirano: RESTART, thresholds of the work met",
	Seed:   problem.SeedRare, By: interval.OverJobs, Serves: spec.Mixed | spec.Marked | spec.Periodic, Refuse: rareFaults,
	Aim: func(r *result.Result) (result.Estimate, string) {
		if n := len(r.All.Waiting.TailProbability); n > 0 {
			last := r.All.Waiting.TailProbability[n-1]
			return last.Prob, fmt.Sprintf("P(W > %g)", last.Time)
		}
		return result.Unknown(), "the probability"
	},
}

// Row is the row of the method.
func (m RareEvent) Row() *run.Row { return &rareEvent }

// Solver is its name.
func (m RareEvent) Solver() string { return "splitting" }

// Total is the number of replications.
func (m RareEvent) Total(_ *problem.Problem, o *problem.Options) float64 {
	return float64(o.Drawing(m.Replications, problem.UsualReplications))
}

func rareFaults(f *check.Faults, s *spec.Spec) {
	for _, c := range s.Classes {
		f.That(problem.Light(c.Service), "class %q: %v has no exponential moments, so a long wait comes from one long service and not step by step, and splitting gains nothing; use mjq.Forward{}, or special.MPareto1 for one server", c.Name, c.Service)
	}
}

// Plan says what is wrong with the settings.
func (m RareEvent) Plan(f *check.Faults, _ *problem.Problem, o *problem.Options) {
	f.That(m.Wait > 0 && !math.IsInf(m.Wait, 1), "Wait %v: give a positive, finite time", m.Wait)
	reps := o.Drawing(m.Replications, problem.UsualReplications)
	f.That(reps >= 2, "Replications %d: at least two are needed for an interval", reps)
}

const (
	beyondTimes   = 16      // times up to the one asked for
	shortestSplit = 100_000 // jobs of a replication, at least
	longestSplit  = 20_000_000
	fewestRises   = 100 // beyond the last time, for an interval
)

// forgetting is about how many jobs it takes to forget the state, and to come down from a
// wait x and up again: at a load ρ the wait falls by about 1-ρ in a unit of time.
func forgetting(m *problem.Problem, x, load float64) float64 {
	return m.Relaxation(load) + x*m.Rate()/(1-load)
}

// Draw runs.
func (m RareEvent) Draw(ctx context.Context, x *run.Run) error {
	o, r, level := x.Options, x.Result, x.Options.Level
	time, reps := m.Wait, int(o.Drawing(m.Replications, problem.UsualReplications))
	forget := forgetting(x.Problem, time, r.Rate/r.Limit.Rate)
	jobs := problem.Count(m.Jobs, check.Whole(20*forget, shortestSplit, longestSplit))
	warm := problem.Count(m.WarmUp, check.Whole(max(float64(jobs)/5, 4*forget), 0, longestSplit))
	w := sampling.Splitting{System: x.Sampling, Replications: reps, WarmUp: warm, Jobs: jobs, Level: level, Enough: o.Enough(problem.FewestReplications)}
	for k := 1; k <= beyondTimes; k++ {
		w.Times = append(w.Times, time*float64(k)/beyondTimes)
	}
	run.BusyServers(x.Problem, r)
	if !w.Plan(ctx) {
		farOff(ctx, x, &w, forget)
		return nil
	}
	res := w.Run(ctx, x.Report)
	r.Run.Samples, r.Run.Steps, r.Run.WarmUp, r.Run.Jobs, r.Run.Thresholds = res.Done, res.Steps, warm, jobs, w.Thresholds
	x.Finish(res.Done == reps || ctx.Err() == nil || o.Targeted())
	for c := range r.Classes {
		setBeyond(&r.Classes[c].Waiting, w.Times, res.Classes[c], level)
	}
	setBeyond(&r.All.Waiting, w.Times, res.All, level)
	shortRare(x, forget, res.Rises)
	return nil
}

// farOff is the result where no thresholds lead to the time asked for.
func farOff(ctx context.Context, x *run.Run, w *sampling.Splitting, forget float64) {
	r, far := x.Result, w.Times[len(w.Times)-1]
	unknown := make([]result.Estimate, len(w.Times))
	for i := range unknown {
		unknown[i] = result.Unknown()
	}
	for c := range r.Classes {
		setBeyond(&r.Classes[c].Waiting, w.Times, unknown, w.Level)
	}
	setBeyond(&r.All.Waiting, w.Times, unknown, w.Level)
	switch least := problem.FewestRelaxations * forget; {
	case ctx.Err() != nil:
	case float64(w.Jobs) < least:
		r.Notes = append(r.Notes, fmt.Sprintf("No probability: paths of %d jobs never came near a wait of %g, not even in steps. Set Jobs to at least %.3g.", w.Jobs, far, least))
	default:
		r.Notes = append(r.Notes, fmt.Sprintf("No probability: no path came near a wait of %g, not even in steps. It is impossible or less likely than 1e-150; ask for a shorter Wait.", far))
	}
	x.Finish(ctx.Err() == nil)
}

func setBeyond(m *result.Metric, times []float64, probs []result.Estimate, level float64) {
	m.Level = level
	for i, x := range times {
		m.TailProbability = append(m.TailProbability, result.Exceedance{Time: x, Prob: probs[i]})
	}
}

// shortRare takes the intervals away of which the run shows that they cannot be trusted,
// and says so.
func shortRare(x *run.Run, forget float64, rises float64) {
	r := x.Result
	if jobs := float64(r.Run.Jobs); jobs < problem.FewestRelaxations*forget {
		r.Notes = append(r.Notes, fmt.Sprintf("Probabilities may be too low: each replication has %d jobs, and the queue takes about %.3g to return from such a wait and forget its state. Set Jobs to at least %.3g.",
			r.Run.Jobs, forget, problem.FewestRelaxations*forget))
	}
	long := longServices(x)
	if rises >= fewestRises && long == "" {
		return
	}
	if long != "" {
		r.Notes = append(r.Notes, fmt.Sprintf("The probabilities have no interval and may be too low: the tail of service times of class %s falls about as slowly as that of the wait, so a single long service passes many thresholds at once. Use mjq.Exact{} if service times are phase-type.", long))
	}
	if rises < fewestRises {
		r.Notes = append(r.Notes, fmt.Sprintf("The probabilities have no interval: there were %.2g independent excursions, and %d are needed. Raise Replications or Jobs.", rises, fewestRises))
	}
	all := []*result.Metric{&r.All.Waiting}
	for c := range r.Classes {
		all = append(all, &r.Classes[c].Waiting)
	}
	for _, m := range all {
		for i := range m.TailProbability {
			m.TailProbability[i].Prob.HalfWidth = math.NaN()
		}
	}
}

// slowestService is the largest part that the decay rate of the wait may be of that of a
// service for splitting to see enough of the way there.
const slowestService = 0.6

// longServices names a class whose services have a tail almost as heavy as the wait's, by
// the fall of the probability over the second half of the way; "" if there is none.
func longServices(x *run.Run) string {
	all := x.Result.All.Waiting.TailProbability
	half, last := all[len(all)/2-1], all[len(all)-1]
	theta := math.Log(half.Prob.Value/last.Prob.Value) / (last.Time - half.Time)
	for _, c := range x.Classes {
		if _, _, ok := law.Tilt(c.Service, theta/slowestService); !ok {
			return c.Name
		}
	}
	return ""
}

package methods

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
)

// The default target may cost so many operations, of which one core of the reference machine
// does 10⁹ a second (see problem.SimulatedOperations). A run that would miss it all the same
// stops soon. On many nodes a job takes longer than in a pool: so much for each of these.
const (
	usualOperations = 5e9
	soonOperations  = 1e9
	nodeOperations  = 5
)

// operations is about how many a job takes where so many others wait.
func operations(p *problem.Problem, m run.Method, waiting float64) float64 {
	if isForward(m) {
		return p.RecurredOperations()
	}
	return p.SimulatedOperations(waiting) + nodeOperations*float64(p.NodeCount())
}

// budget is how many jobs there may be: so many if a number is given, else as the operations
// allow.
type budget struct {
	jobs       int64
	operations func(waiting float64) float64 // of a job where so many others wait
}

// all is the budget in jobs.
func (b *budget) all(waiting float64) float64 {
	if b.jobs > 0 {
		return float64(b.jobs)
	}
	return usualOperations / b.operations(waiting)
}

// soon is the part of the budget that does not take long.
func (b *budget) soon(waiting float64) float64 {
	return min(b.all(waiting), soonOperations/b.operations(waiting))
}

// more is how many times the jobs of the last run the next one has: as wanted, but a step at a
// time, for a short run asks for too many; or if the budget has not so many left, as many as a
// number given allows or as do not take long.
func (b *budget) more(wanted, last, spent, waiting float64) float64 {
	left := (b.all(waiting) - spent) / last
	switch {
	case wanted <= left-step:
		return min(wanted, step)
	case wanted > left && b.jobs == 0:
		return min(left, (b.soon(waiting)-spent)/last)
	}
	return min(wanted, left)
}

// step is how many times longer a run is than the one before, at most, if the budget then still
// has all that is wanted. Of a short run control variates explain less, and corrections widen the
// interval: it asks for some ten times the jobs that are enough.
const step = 4

// length is how long a run is: replications of so many jobs after others that are left out.
type length struct {
	jobs, warm, reps float64
}

// The replications of a first run: jobs at least, and where long ones do not end soon fewer
// replications, of so many relaxation times.
const (
	shortestPath = 5000
	fewerPaths   = 16
	// fillings is how many times the jobs in service at once a run from empty leaves out.
	fillings = 4
)

// firstLength is that of the run from which the others follow: replications many times as long
// as the queue takes to forget its state and to fill, with enough of every class, and of the
// large jobs without which the mean wait has no interval, as far as it ends soon.
func firstLength(p *problem.Problem, load float64, b *budget) length {
	rarest := 1.0
	for _, c := range p.Classes {
		if c.Prob > 0 {
			rarest = min(rarest, c.Prob)
		}
	}
	forget, fill := p.Relaxation(load), p.InService()
	if !(forget < 1e12) { // without a variance, or at the limit
		forget = 0
	}
	waiting := load / max(1e-9, 1-load)
	soon, all := b.soon(waiting)/1.2, b.all(waiting)/1.2
	path := max(shortestPath, 2*problem.FewestRelaxations*forget, 2*fillings*fill, p.Filling())
	for _, want := range []float64{
		2 * scarce / (rarest * problem.FewestReplications),
		1.05 * scarcity.Of(p.Spec, load).Enough(scarcity.MeanWait, scarcity.Least) / problem.FewestReplications,
	} {
		if want*problem.FewestReplications < soon {
			path = max(path, want)
		}
	}
	reps := float64(problem.FewestReplications)
	if path*reps > soon {
		reps = fewerPaths
		path = max(soon/reps, min(path, problem.FewestRelaxations*forget, all/2/reps))
	}
	if b.jobs > 0 && (1+worthwhile)*path*reps > all {
		path = all / reps // there will be no second run
	}
	l := length{jobs: path, warm: max(path/5, min(path/2, fillings*fill)), reps: reps}
	over := max(1, l.total()/b.all(waiting))
	return length{jobs: max(1, l.jobs/over), warm: l.warm / over, reps: reps}
}

// scarce is how many jobs of a class a run must meet to know their mean wait.
const scarce = 30

// total is the number of jobs.
func (l length) total() float64 { return (l.jobs + l.warm) * l.reps }

// times is a run with so many times the jobs: longer replications, as control variates like
// them, and more only where they get longer than pays.
func (l length) times(more float64) length {
	stretch := max(1, min(more*l.reps/problem.FewestReplications, problem.LongestJobs/l.jobs))
	next := length{jobs: l.jobs * stretch, warm: l.warm * stretch, reps: l.reps}
	next.reps = math.Ceil(l.total() * more / (next.jobs + next.warm))
	return next
}

// settings are the length as a method takes it.
func (l length) settings() problem.Length {
	given := problem.Length{Jobs: int(check.Whole(l.jobs, 1, most)), Replications: int(check.Whole(l.reps, 2, most))}
	if l.warm > l.jobs/5 {
		given.WarmUp = problem.Counted(check.Whole(l.warm, 0, most))
	}
	return given
}

// most is more jobs than any run that is chosen has.
const most = 1 << 50

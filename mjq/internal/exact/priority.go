package exact

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/priority"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Under a priority there are closed forms, for one server and for services alike, and chains
// of counts. With preemption the first level is a queue alone, of which everything is known
// that is known of first come, first served.

// priorityWays is how a queue under a priority can be solved: by a closed form, by a chain,
// and its first level alone. It is for a rate of 1 if none is given.
type priorityWays struct {
	closed, chain, first bool
}

func waysOf(s *spec.Spec) (w priorityWays) {
	p := problem.New(s)
	if s.Arrivals == nil || s.Load != nil {
		p = problem.New(s.WithRate(1))
	}
	system, ok := p.Levels()
	if !ok {
		return w
	}
	_, _, w.closed = system.Closed()
	_, err := problem.PolicyQueue(s, 1)
	w.chain = err == nil
	if system.Undisturbed() && len(s.Levels()) > 1 {
		alone, _ := p.LevelsAlone(1)
		var f check.Faults
		exactPhases(&f, alone.Spec)
		w.first = alone.FirstCome() && f.None()
	}
	return w
}

// priorityFits reports whether something of the queue is known exactly that no chain has.
func priorityFits(s *spec.Spec) bool {
	w := waysOf(s)
	return w.closed || w.first
}

// solveLevels solves a queue under a priority, but for chains; nil if it takes one.
func solveLevels(ctx context.Context, p *problem.Problem, o *asked) (*result.Result, error) {
	w := waysOf(p.Spec)
	if !w.closed && (w.chain || !w.first) {
		return nil, nil
	}
	x, err := run.Open(ctx, p, o.Method, &o.Options, 1)
	if err != nil {
		return nil, err
	}
	system, _ := x.Levels()
	means, source, _ := system.Closed()
	if !w.closed {
		source = "the first level alone"
	}
	ok, err := x.Begin(ctx, "exact, "+p.Policy.String(), source)
	if err != nil {
		return nil, err
	}
	x.Started = time.Now()
	switch {
	case w.closed:
		setLevelMeans(x, system, means, ok)
	case ok:
		x.Result.Notes = append(x.Result.Notes, "Only the first level has results: the others do not disturb it, and no exact solution is known for them. Use mjq.Simulation{} for all levels.")
	default:
		return x.Result, nil
	}
	if err := firstLevel(ctx, x, o, w); err != nil {
		return nil, err
	}
	x.Finish(true)
	return x.Result, nil
}

// setLevelMeans fills in what a closed form knows. Of a queue that is not stable those are
// the levels that are.
func setLevelMeans(x *run.Run, s priority.System, means []priority.Means, stable bool) {
	r := x.Result
	known := func(v float64) result.Estimate { return result.Exact(v, "closed form") }
	var classes []estimate.Tally
	var all priority.Means
	response := 0.0
	for i, m := range means {
		prob, service := x.Classes[i].Prob, s.Served(i)
		t := solvedMeans(known, m.Wait, m.Wait+service)
		response += prob * (m.Wait + service)
		add(&all, m, prob)
		classes = append(classes, levelTally(t, m, known, s))
	}
	if !stable {
		for i := range classes {
			if m := means[i]; m.Wait < 1e300 {
				fillLevel(r, i, &classes[i])
			}
		}
		return
	}
	total := levelTally(solvedMeans(known, all.Wait, response), all, known, s)
	estimate.Fill(r, classes, &total, x.Shares())
	busy := 0.0
	for i, m := range means {
		lost := m.Lost
		busy += r.Rate * x.Classes[i].Prob * float64(x.Classes[i].Need) * (s.Served(i) + lost)
	}
	r.Utilization, r.Idle = known(busy/float64(x.Servers)), known(float64(x.Servers)-busy)
	r.MeanJobs = known(r.Rate * response)
	r.Notes = append(r.Notes, "There are means but no distributions: the solution is a closed form. Use mjq.Simulation{} for distributions.")
}

// add adds the means of a class with its share.
func add(to *priority.Means, m priority.Means, share float64) {
	to.Wait += share * m.Wait
	to.Start += share * m.Start
	to.AtOnce += share * m.AtOnce
	to.Preemptions += share * m.Preemptions
	to.Lost += share * m.Lost
}

// levelTally has what a closed form knows beside waits and responses.
func levelTally(t estimate.Tally, m priority.Means, known func(float64) result.Estimate, s priority.System) estimate.Tally {
	if s.Policy.Preempts == "" {
		t.NoWait = known(m.AtOnce)
		return t
	}
	t.AtOnce, t.FirstStart, t.Preemptions, t.Lost = known(m.AtOnce), known(m.Start), known(m.Preemptions), known(m.Lost)
	return t
}

// fillLevel fills one class of a result.
func fillLevel(r *result.Result, class int, t *estimate.Tally) {
	one := &result.Result{Level: r.Level, Classes: []result.ClassResult{r.Classes[class]}}
	var none estimate.Tally
	estimate.Fill(one, []estimate.Tally{*t}, &none, []float64{1})
	r.Classes[class] = one.Classes[0]
}

// firstLevel has the classes of the first level, where the others do not disturb it, be
// those of the queue of them alone, with distributions.
func firstLevel(ctx context.Context, x *run.Run, o *asked, w priorityWays) error {
	if !w.first {
		return nil
	}
	alone, classes := x.LevelsAlone(1)
	r, err := run.Solve(ctx, alone, o.Method, o.Options)
	if err != nil && (r == nil || errors.Is(err, context.Cause(ctx))) {
		if ctx.Err() != nil || !w.closed && !w.chain {
			return err
		}
		return nil // means are known without it
	}
	run.TakeClasses(x.Result, r, classes)
	return nil
}

// levelFaults says why a queue under a priority is not solved.
func levelFaults(f *check.Faults, err error, s *spec.Spec) {
	if err != nil && !priorityFits(s) {
		f.Join(fmt.Errorf("%w", err))
	}
}

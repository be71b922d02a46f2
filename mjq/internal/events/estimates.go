package events

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Result is what a plan has measured.
type Result struct {
	Classes []estimate.Tally
	All     estimate.Tally // jobs of any class
	// Averages over time: jobs in the system and in line, idle servers, and
	// servers idle while a job waits.
	System, Queue, Idle, Wasted result.Estimate
	On, Setup                   result.Estimate // of servers that sleep
	// The same of the units of each type of resource, if there are types.
	IdleUnits, WastedUnits []result.Estimate
	// Of nodes: the share of the time in which the head of the queue waits although as many
	// units are free as it needs, the units free then (0 otherwise), the units that are free
	// where a job does not fit, and the empty nodes.
	Held, Stranded, Unusable, EmptyNodes result.Estimate
	// Offered is the servers' work that the recorded jobs brought, per unit of time:
	// the servers that a queue in equilibrium keeps busy.
	Offered result.Estimate
	// Overtaking[a][b] is how many jobs of class b a job of class a overtakes: they
	// arrived before it and start after it. Nil unless asked for.
	Overtaking [][]result.Estimate
	// Of a queue that turns jobs away or loses them: the share of the work brought that is
	// turned away, and the work of the jobs that are served, in servers.
	TurnedWork, Goodput result.Estimate
	Up                  result.Estimate // servers, or nodes, that are up, where they fail
	// Violations says where the run contradicts a conservation law of queues in
	// equilibrium; see conserve. There should be none.
	Violations []string
	Overloaded bool    // the jobs bring more work than the servers do
	Growing    []int   // the classes of which more jobs came than went, some by chance
	Unfinished int64   // jobs that are missing above, since they were not served within as many jobs again as planned
	Batches    int     // complete ones, of all replications
	Length     int64   // of each, in jobs
	Jobs       int64   // simulated for them, warm-up included
	Lag1       float64 // correlation of the mean waits of successive batches
}

// summarise turns batches into estimates. All are ratios of sums over batches,
// since the jobs of a class and the time that a batch takes are random. Each
// holds size times the planned number of jobs.
func (p *Plan) summarise(o *outcome, spread spreads, many *rows) *Result {
	batches := o.batches
	res := &Result{Classes: make([]estimate.Tally, p.Classes), Batches: len(batches), Length: int64(o.size) * p.Length, Unfinished: o.unfinished}
	reps := min(p.Replications, (len(batches)+p.Batches-1)/p.Batches)
	res.Jobs = int64(reps)*p.WarmUp + int64(len(batches))*res.Length
	all, imbalances := p.ofAll(batches), make([]imbalance, p.Classes)
	p.tally(&res.All, all)
	if many != nil {
		p.tell(res.Classes, imbalances, batches, many)
		spread = many.all
	} else {
		p.tellFew(res.Classes, imbalances, batches, o.seen, spread)
	}
	spread.tell(&res.All, p.histograms())
	p.overTime(res, batches)
	if p.Overtaking {
		res.Overtaking = p.overtaking(res, batches)
	}
	if p.LosesWork() {
		p.turned(res, batches)
	}
	if p.Failing != nil {
		p.away(res, batches)
	}
	if p.Elastic != nil {
		p.sized(res, batches)
	}
	p.conserve(res, batches, imbalances)
	means := make([]float64, len(all))
	for b, s := range all {
		means[b] = s.Of[estimate.Waiting].X / s.N
	}
	res.Lag1 = replicate.Lag1(means)
	return res
}

// ofAll are the sums of all classes by batch.
func (p *Plan) ofAll(batches []batch) []sums {
	all := make([]sums, len(batches))
	replicate.Each(len(all), p.Workers, func(b int) {
		for c := range batches[b].classes {
			all[b].merge(&batches[b].classes[c])
		}
	})
	return all
}

// ofClasses are the sums of neighbouring classes, by class and batch, one after the other in
// memory, for which there may be room already.
func ofClasses(batches []batch, from, to int, room *[]sums) [][]sums {
	n := len(batches)
	*room = slices.Grow((*room)[:0], (to-from)*n)
	flat, list := (*room)[:(to-from)*n], make([][]sums, to-from)
	for b := range batches {
		for i := range list {
			flat[i*n+b] = batches[b].classes[from+i]
		}
	}
	for i := range list {
		list[i] = flat[i*n : (i+1)*n]
	}
	return list
}

// tellFew estimates for few classes.
func (p *Plan) tellFew(classes []estimate.Tally, imbalances []imbalance, batches []batch, seen counts, spread spreads) {
	for c, one := range ofClasses(batches, 0, len(classes), new([]sums)) {
		t := &classes[c]
		p.tally(t, one)
		imbalances[c] = p.imbalance(c, batches, one)
		for k := range seen[c] {
			t.Of(estimate.Quantity(k)).Dist = seen[c][k].Distribution()
		}
		spread.tell(t, c)
	}
}

// overTime estimates the averages over time.
func (p *Plan) overTime(res *Result, batches []batch) {
	of := func(kind estimate.Kind, what func(b *batch) float64) result.Estimate {
		return replicate.RatioOf(kind, batches, what, (*batch).time, res.All.Waiting.Worth, p.Level, p.method())
	}
	over := func(what func(b *batch) float64) result.Estimate { return of(estimate.Amount, what) }
	res.System = over(func(b *batch) float64 { return b.area.System })
	res.Queue = over(func(b *batch) float64 { return b.area.Queue })
	res.Idle = over(func(b *batch) float64 { return b.area.Idle })
	res.Wasted = over(func(b *batch) float64 { return b.area.Wasted })
	if p.Sleep != nil {
		res.On, res.Setup = over(func(b *batch) float64 { return b.area.On }), over(func(b *batch) float64 { return b.area.Setup })
	}
	res.Offered = over((*batch).work)
	if p.Nodes != nil {
		for i, to := range res.ofNodes() {
			*to = of(nodeKinds[i], func(b *batch) float64 { return b.nodes[i] })
		}
	}
	if p.Types != nil {
		res.IdleUnits, res.WastedUnits = nil, nil // in place of those that coupled paths have set
		for j, all := 0, len(p.Types.Units); j < all; j++ {
			res.IdleUnits = append(res.IdleUnits, over(func(b *batch) float64 { return b.units[j] }))
			res.WastedUnits = append(res.WastedUnits, over(func(b *batch) float64 { return b.units[all+j] }))
		}
	}
}

func (p *Plan) method() string {
	if p.named != "" {
		return p.named
	}
	if p.Batches > 1 {
		return "batch means"
	}
	return "replications"
}

// mean is what a target is about: that of the waits of all jobs.
func (p *Plan) mean(batches []batch) result.Estimate {
	waits := make([]estimate.Batch, len(batches))
	for b := range batches {
		var all sums
		for c := range batches[b].classes {
			all.merge(&batches[b].classes[c])
		}
		waits[b] = all.Batch(estimate.Waiting)
		if p.Room != nil && p.Room.Jobs == 0 { // nobody waits: the share that is turned away
			waits[b] = estimate.Batch{N: all.N + all.turned, X: all.turned, X2: all.turned}
		}
	}
	mean, _, _ := estimate.OfBatches(waits, p.Level, "")
	return mean
}

// lostShare is which part of the time for which servers are held is lost.
func (p *Plan) lostShare(batches []sums, worth estimate.Worth) result.Estimate {
	return replicate.RatioOf(estimate.Amount, batches, func(s *sums) float64 { return s.lostWork }, func(s *sums) float64 { return s.work }, worth, p.Level, p.method())
}

// asked are the settings on which measures depend.
func (p *Plan) asked() estimate.Asked {
	return estimate.Asked{Threshold: p.Threshold, InTime: p.InTime, Failing: p.Failing != nil}
}

// usualBatches is how many need no list on the heap.
const usualBatches = 64

// tally sets what batches tell of the jobs of a class, or of all. Its lists are not on the heap: those
// of thousands of classes would be collected while an interrupted run is to end.
func (p *Plan) tally(t *estimate.Tally, batches []sums) {
	var seenRoom [usualBatches]estimate.Batch
	var numRoom, denRoom [usualBatches]float64
	seen, num, den := seenRoom[:], numRoom[:], denRoom[:]
	if n := len(batches); n <= usualBatches {
		seen, num, den = seen[:n], num[:n], den[:n]
	} else {
		seen, num, den = make([]estimate.Batch, n), make([]float64, n), make([]float64, n)
	}
	under := Happens(p.Policy)
	under.Loses = under.Loses || p.Failing != nil
	t.Take(under, p.asked(), func(q estimate.Quantity) (times estimate.Times) {
		for b := range batches {
			seen[b] = batches[b].Batch(q)
		}
		times.Mean, times.Variance, times.Worth = estimate.OfBatches(seen, p.Level, p.method())
		if p.Observed {
			times.Observed = slices.Clone(seen)
		}
		return times
	}, func(m estimate.Mean) result.Estimate {
		for b := range batches {
			num[b], den[b] = batches[b].Means[m], batches[b].N
		}
		return replicate.Ratio(m.Kind(), num, den, t.Waiting.Worth, p.Level, p.method())
	})
	switch {
	case under.Loses:
		t.LostShare = p.lostShare(batches, t.Waiting.Worth)
	case under.Preempts:
		t.LostShare = result.Exact(0, p.method())
	}
	if p.Nodes != nil {
		for b := range batches {
			num[b], den[b] = batches[b].scattered, batches[b].N+batches[b].turned+batches[b].left
		}
		t.Scattered = replicate.Ratio(estimate.Share, num, den, t.Waiting.Worth, p.Level, p.method())
	}
	if p.Turns() {
		p.fates(t, batches)
	}
	if p.Failing != nil {
		t.ETTR = p.effective(batches, t.Waiting.Worth)
	}
}

// ofNodes are the estimates of what TakeNodes gives.
func (r *Result) ofNodes() [nodeAverages]*result.Estimate {
	return [nodeAverages]*result.Estimate{&r.Held, &r.Stranded, &r.Unusable, &r.EmptyNodes}
}

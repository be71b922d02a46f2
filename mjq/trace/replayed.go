package trace

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// batchMeans is how the intervals of a trace come about.
const batchMeans = "batch means"

// result describes a replay.
func (q *replay) result(a *account, h *history, complete bool) *result.Result {
	n, s, busy := float64(a.jobs), float64(q.Servers), h.busy/h.span
	r := &result.Result{Solver: "replay of trace " + q.name, Level: q.Level, Rate: math.NaN(), Unit: q.unit,
		Source: "Baccelli, Olliaro, Ajmone Marsan, Marin: equation (2) run on a trace", Model: q.model(h, a.jobs)}
	if a.last > a.first { // a log of one instant has no rate, and proves nothing of stability
		r.Rate = (n - 1) / (a.last - a.first)
	}
	r.Limit = result.Stability{Rate: s * n / h.work, Method: "upper bound", IdealRate: s * n / h.work, Wasted: math.NaN()}
	if h.policy == nil {
		r.Limit = result.Stability{Rate: n / h.pile, Method: "pile of the trace", Source: r.Source, IdealRate: s * n / h.work, Jobs: a.jobs, Met: true}
		r.Limit.Wasted = s * (1 - r.Limit.Rate/r.Limit.IdealRate)
	} else {
		r.Source = "future-event-list simulation of a trace"
	}
	r.Stable = q.Loop || !a.grew(r.Rate, r.Limit.Rate)
	r.Run.Version = result.Version
	r.Run.Steps, r.Run.Samples, r.Run.WarmUp, r.Run.Jobs, r.Run.Seed = a.jobs, a.batches.full+1, a.warmUp(), a.jobs, q.Seed
	a.describe(r)
	r.Overtaking = a.overtakings(h)
	r.MeanJobs = result.Exact(h.sojourn/h.span, "trace")
	r.Fragmentation = h.fragmentation()
	if q.away() {
		r.Up = result.Exact(h.up/h.span, "trace")
	}
	if h.idleUnits == nil { // units of several types do not add up to anything
		r.WastedHOL, r.Utilization, r.Idle = result.Exact(h.waste/h.span, "trace"), result.Exact(busy/s, "trace"), result.Exact(s-busy, "trace")
	} else {
		r.WastedHOL, r.Utilization, r.Idle, r.Limit = result.Unknown(), result.Unknown(), result.Unknown(), result.Stability{Rate: math.NaN(), IdealRate: math.NaN()}
		r.Stable = true
	}
	q.energy(a, h, r)
	r.Limit.Unit = q.unit
	r.Notes = append(r.Notes, fmt.Sprintf("Intervals may be too narrow: a log is one history, and the means of its %d batches assume that it is stationary. Replay logs of other periods to see how much they differ.", a.batches.full+1))
	if !r.Stable {
		r.Notes = append(r.Notes, fmt.Sprintf("Waits grew until the log ended: it brings %s, and these servers can serve %s. Take more servers; the means depend on the length of the log.", a.rate(r.Rate), a.rate(r.Limit.Rate)))
	}
	r.Notes = append(r.Notes, a.notes(complete)...)
	r.Notes = append(r.Notes, q.aboutParts(h)...)
	r.Notes = append(r.Notes, h.noted...)
	estimate.NoneWaited(r, &estimate.Rarity{Cluster: 1}, "")
	return r
}

// grew reports whether a log brings jobs faster than they can be served: somebody waits, and the rate
// exceeds the limit by more than two standard errors of both. A short log with long jobs at its ends
// says nothing of that.
func (a *account) grew(rate, limit float64) bool {
	n, service := float64(a.jobs), 0.
	for i := range a.groups {
		service += a.groups[i].service
	}
	if !(rate >= limit) || a.unserved == 0 && !(a.waited > 1e-9*service) {
		return false
	}
	mean := a.brought / n
	spread := math.Sqrt(max(0, a.squares/n-mean*mean)/n) / mean // of the work of a job, and that of a gap is about 1/√n
	return rate >= limit*(1+2*math.Hypot(spread, 1/math.Sqrt(n)))
}

// rate is one of jobs in words.
func (a *account) rate(x float64) string {
	if a.unit == "" {
		return fmt.Sprintf("%.6g jobs per unit of time", x)
	}
	return a.unit.RateText(x, 4)
}

func (q *replay) model(h *history, jobs int64) string {
	name := "FCFS"
	if h.policy != nil {
		name = h.policy.String()
	}
	return fmt.Sprintf("%s multiserver-job queue: %s, %s of a trace", name, q.title(), spec.Count(int(jobs), "job"))
}

// underLog begins the note on the waits that the log holds.
const underLog = "Under the scheduler that wrote the log"

// notes say what a reader must know of the jobs.
func (a *account) notes(complete bool) (notes []string) {
	if a.unserved > 0 && complete {
		notes = append(notes, fmt.Sprintf("Waits leave out %s that the policy never served, and are too short. Choose more servers or another policy.", spec.Count(int(a.unserved), "job")))
	}
	if a.endless > 0 {
		notes = append(notes, fmt.Sprintf("The mean slowdown is infinite because %s of the log have service time 0. Set SlowdownThreshold.", spec.Count(int(a.endless), "job")))
	}
	if a.logged.N > 0 {
		notes = append(notes, fmt.Sprintf(underLog+" %s waited %s on average.", spec.Count(int(a.logged.N), "job"), a.unit.Text(a.logged.X/a.logged.N)))
	}
	return notes
}

// order is that of the classes in a result.
func (a *account) order() []int {
	order := upTo(len(a.groups))
	slices.SortFunc(order, func(i, k int) int { return a.groups[i].key.before(a.groups[k].key) })
	return order
}

// describe fills in what is known by class and of all jobs.
func (a *account) describe(r *result.Result) {
	order := a.order()
	var seen []estimate.Tally
	var shares []float64
	var every sizesOf
	for _, i := range order {
		g := &a.groups[i]
		t := a.tally(func(metric int) []estimate.Batch { return a.batches.of(i, metric) })
		for q := range g.counts {
			t.Of(estimate.Quantity(q)).Dist = g.counts[q].Distribution()
		}
		r.Classes = append(r.Classes, result.ClassResult{Name: a.Classes.name(g.key), Need: g.need, Prob: g.jobs / float64(a.jobs)})
		every.join(&g.sizes)
		seen, shares = append(seen, t), append(shares, g.seen)
	}
	r.All = result.ClassResult{Name: "all", Prob: 1}
	all := a.tally(func(metric int) []estimate.Batch { return a.batches.ofAll(order, metric) })
	estimate.Fill(r, seen, &all, shares)
	for c, i := range order {
		a.groups[i].sizes.tell(&r.Classes[c])
	}
	every.tell(&r.All)
	estimate.FewEvents(r, rarity(all.Waiting.Worth, float64(a.jobs)))
	r.Derive()
}

// rarity is how the rare events of a log come. Its waits tell how long it takes to forget its
// state, and a rare one lasts about for the square root of that.
func rarity(w estimate.Worth, jobs float64) *estimate.Rarity {
	r := &estimate.Rarity{Cluster: 1, Units: 1, Heaviest: 1}
	if n := jobs / w.Observations; n > 4 {
		r.Cluster, r.Forget = math.Sqrt(n)/2, n
	}
	return r
}

// tally is what the batches of a class come to.
func (a *account) tally(batches func(metric int) []estimate.Batch) (t estimate.Tally) {
	under := events.Happens(a.Policy)
	under.Loses = under.Loses || a.away()
	t.Take(under, a.asked(),
		func(q estimate.Quantity) estimate.Times {
			return estimate.TimesOf(batches(int(q)), a.Level, batchMeans)
		},
		func(m estimate.Mean) result.Estimate {
			return m.Kind().OfBatches(batches(estimate.Quantities+int(m)), a.Level, batchMeans)
		})
	return t
}

// overtakings is the mean number of jobs of one class that a job of another overtakes;
// nil if nobody asked.
func (a *account) overtakings(h *history) (table [][]result.Estimate) {
	if !a.Overtaking {
		return nil
	}
	for _, i := range a.order() {
		var row []result.Estimate
		for _, k := range a.order() {
			jobs := 0.0
			if h.overtaken != nil {
				jobs = h.overtaken[i][k]
			}
			row = append(row, result.Exact(jobs/max(1, a.groups[i].seen), "trace"))
		}
		table = append(table, row)
	}
	return table
}

package exact

import (
	"cmp"
	"context"
	"math"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Answer is what a solver has found, lists by class. Lists that are nil are not known, nor are
// numbers that are NaN; Wasted must be given. What follows from the rest may be left out.
type Answer struct {
	By    string                  // the method of the numbers; "" is exact
	Error func(v float64) float64 // the half-width of a number; nil: 0

	Rates                []float64 // jobs that come in a unit of time; nil: as the model has it
	Blocked, BlockedTime []float64 // shares of the jobs that are turned away, and of the time in which one would be
	Left                 []float64 // share of the jobs that come and give up
	NoWait               []float64 // share of the jobs that start which start as they come
	Wait, Second         []float64 // moments of the wait of the jobs that start
	Response             []float64 // mean; nil: that of wait and service
	Queue, Served        []float64 // mean numbers of jobs that wait, and that are in service
	Scattered            []float64 // share of the jobs that fit on no node although as many units are free

	Size                                  []float64 // of elastic jobs, which are in Served: see result.ClassResult
	AtOnce, FirstStart, Preemptions, Lost []float64 // under a preemptive policy: see result.ClassResult

	Interruptions []float64 // where servers fail, hits a job
	Up, Good      float64   // where servers fail: those that are up, and those busy with work that is kept

	On, Setup          float64   // of servers that sleep
	Busy, Idle, Wasted float64   // mean numbers of servers; one of Busy and Idle is enough
	Units              []float64 // busy, by type of resource
	Jobs, Line         result.Count
	MeanJobs           float64 // 0: by Little's law, or from Queue and Served
	Fragmentation      *result.Fragmentation

	Residual float64
	Notes    []string

	then   func(ctx context.Context) error // fills in more of the result, once the rest is there
	curves func(ctx context.Context) (waiting, response []result.Curve, err error)
}

// column is numbers of each class that all jobs have the mean of.
type column struct {
	of      func(a *Answer) []float64
	to      func(t *estimate.Tally) *result.Estimate
	arrives bool // of the jobs that come; else of those that are served
}

var columns = []column{
	{func(a *Answer) []float64 { return a.Blocked }, func(t *estimate.Tally) *result.Estimate { return &t.Blocked }, true},
	{func(a *Answer) []float64 { return a.Left }, func(t *estimate.Tally) *result.Estimate { return &t.Left }, true},
	{func(a *Answer) []float64 { return a.Scattered }, func(t *estimate.Tally) *result.Estimate { return &t.Scattered }, true},
	{func(a *Answer) []float64 { return a.NoWait }, func(t *estimate.Tally) *result.Estimate { return &t.NoWait }, false},
	{func(a *Answer) []float64 { return a.AtOnce }, func(t *estimate.Tally) *result.Estimate { return &t.AtOnce }, false},
	{func(a *Answer) []float64 { return a.FirstStart }, func(t *estimate.Tally) *result.Estimate { return &t.FirstStart }, false},
	{func(a *Answer) []float64 { return a.Preemptions }, func(t *estimate.Tally) *result.Estimate { return &t.Preemptions }, false},
	{func(a *Answer) []float64 { return a.Lost }, func(t *estimate.Tally) *result.Estimate { return &t.Lost }, false},
	{func(a *Answer) []float64 { return a.Interruptions }, func(t *estimate.Tally) *result.Estimate { return &t.Interruptions }, false},
}

// known is a number of the answer.
func (a *Answer) known(v float64) result.Estimate {
	if math.IsNaN(v) {
		return result.Unknown()
	}
	e := result.Exact(v, cmp.Or(a.By, "exact"))
	if a.Error != nil {
		e.HalfWidth = a.Error(v)
	}
	return e
}

// at is an element of a list; 0 of none.
func at(list []float64, k int) float64 {
	if list == nil {
		return 0
	}
	return list[k]
}

// turns reports whether some jobs are not served.
func (a *Answer) turns() bool { return a.Blocked != nil || a.Left != nil }

// rates are how many jobs of each class come in a unit of time, and how many are served.
func (a *Answer) rates(s *spec.Spec, rate float64) (come, carried []float64) {
	for k := range s.Classes {
		if a.Rates != nil {
			come = append(come, a.Rates[k])
		} else {
			come = append(come, rate*s.Classes[k].Prob)
		}
		carried = append(carried, come[k]*(1-at(a.Blocked, k)-at(a.Left, k)))
	}
	return come, carried
}

// shares are the parts of a list of its sum.
func shares(list []float64) (parts []float64) {
	all := sum(list)
	for _, v := range list {
		parts = append(parts, v/all)
	}
	return parts
}

func sum(list []float64) (all float64) {
	for _, v := range list {
		all += v
	}
	return all
}

// mixed is a mean over classes with these shares. Those with a share of 0 do not count.
func mixed(shares []float64, of func(k int) float64) (sum float64) {
	for k, share := range shares {
		if share != 0 {
			sum += share * of(k)
		}
	}
	return sum
}

// Tallies are what is known of the jobs of each class, and of all, where so many jobs come.
func (a *Answer) Tallies(s *spec.Spec, rate float64) (classes []estimate.Tally, all estimate.Tally) {
	come, carried := a.rates(s, rate)
	coming, served := shares(come), shares(carried)
	classes = make([]estimate.Tally, len(come))
	for _, c := range columns {
		list, parts := c.of(a), served
		if list == nil {
			continue
		}
		if c.arrives {
			parts = coming
		}
		for k, v := range list {
			*c.to(&classes[k]) = a.known(v)
		}
		*c.to(&all) = a.known(mixed(parts, func(k int) float64 { return list[k] }))
	}
	if all.NoWait.Value > 1 { // by rounding
		all.NoWait.Value = 1
	}
	if a.turns() {
		let, queue := 0.0, 0.0
		for k := range classes {
			classes[k].Carried = a.known(carried[k])
			if a.BlockedTime != nil {
				classes[k].BlockedTime = a.known(a.BlockedTime[k])
			}
			in := come[k] * (1 - at(a.Blocked, k))
			classes[k].InLine = a.known(a.Queue[k] / in)
			let, queue = let+in, queue+a.Queue[k]
		}
		all.InLine, all.Carried = a.known(queue/let), a.known(sum(carried))
	}
	a.thinking(s, carried, classes, &all)
	if a.Wait != nil {
		a.times(s, classes, &all, served)
	}
	if a.Size != nil {
		a.sizes(s, classes, &all)
	}
	return classes, all
}

// thinking fills in how many users think, and how many jobs are carried where users send some.
func (a *Answer) thinking(s *spec.Spec, carried []float64, classes []estimate.Tally, all *estimate.Tally) {
	if !s.Features().Has(spec.Sent) {
		return
	}
	thinking := 0.0
	for k := range classes {
		classes[k].Carried = a.known(carried[k])
		if n := s.Classes[k].Users; n > 0 {
			classes[k].Thinking = a.known(float64(n) - a.Queue[k] - a.Served[k])
			thinking += classes[k].Thinking.Value
		}
	}
	all.Carried, all.Thinking = a.known(sum(carried)), a.known(thinking)
}

// sizes fills in what jobs do that change their size.
func (a *Answer) sizes(s *spec.Spec, classes []estimate.Tally, all *estimate.Tally) {
	for k := range classes {
		classes[k].Size = a.known(a.Size[k])
		classes[k].Stretch = a.known(a.Response[k] / s.Classes[k].Service.Mean())
	}
	all.Size = a.known(a.Busy / sum(a.Served))
	all.Stretch = a.known(all.Response.Mean.Value / s.MeanService())
}

// times fills in moments of waits and responses.
func (a *Answer) times(s *spec.Spec, classes []estimate.Tally, all *estimate.Tally, shares []float64) {
	second := func(k int) float64 { return at(a.Second, k) }
	response := func(k int) float64 {
		if a.Response != nil {
			return a.Response[k]
		}
		return a.Wait[k] + s.Classes[k].Service.Mean()
	}
	variance := func(k int) float64 { return spread(a.Wait[k], second(k)) }
	squares := func(k int) float64 { // of the response
		return variance(k) + s.Classes[k].Service.Variance() + response(k)*response(k)
	}
	for k := range classes {
		t := &classes[k]
		t.Waiting.Mean, t.Response.Mean = a.known(a.Wait[k]), a.known(response(k))
		if a.Second != nil {
			t.Waiting.Variance, t.Response.Variance = a.known(variance(k)), a.known(variance(k)+s.Classes[k].Service.Variance())
		}
	}
	if a.Interruptions != nil {
		a.effective(classes, all, shares)
	}
	mean, responses := mixed(shares, func(k int) float64 { return a.Wait[k] }), mixed(shares, response)
	all.Waiting.Mean, all.Response.Mean = a.known(mean), a.known(responses)
	if a.Second != nil {
		all.Waiting.Variance, all.Response.Variance = a.known(spread(mean, mixed(shares, second))), a.known(spread(responses, mixed(shares, squares)))
	}
}

// effective fills in which part of their time jobs do work that is kept, where servers fail.
func (a *Answer) effective(classes []estimate.Tally, all *estimate.Tally, shares []float64) {
	service := func(k int) float64 { return a.Response[k] - a.Wait[k] }
	held := func(k int) float64 { return service(k) + a.Lost[k] }
	for k := range classes {
		classes[k].ETTR = a.known(service(k) / (a.Response[k] - a.FirstStart[k]))
		classes[k].LostShare = a.known(a.Lost[k] / held(k))
	}
	all.ETTR = a.known(mixed(shares, service) / mixed(shares, func(k int) float64 { return a.Response[k] - a.FirstStart[k] }))
	all.LostShare = a.known(1 - a.Good/a.Busy)
}

// spread is a variance from two moments, which may be infinite.
func spread(mean, second float64) float64 {
	if math.IsInf(second, 1) {
		return second
	}
	return second - mean*mean
}

// fill makes the result.
func (a *Answer) fill(p *problem.Problem, r *result.Result) {
	come, carried := a.rates(p.Spec, r.Rate)
	if a.Rates != nil {
		r.Rate = sum(come)
		for k := range r.Classes {
			r.Classes[k].Prob = come[k] / r.Rate
		}
	}
	classes, all := a.Tallies(p.Spec, r.Rate)
	estimate.Fill(r, classes, &all, shares(carried))
	if a.Blocked != nil {
		lost, work := 0.0, 0.0
		for k, rate := range come {
			brought := rate * float64(p.Classes[k].Need) * p.Classes[k].Service.Mean()
			lost, work = lost+brought*a.Blocked[k], work+brought
		}
		r.BlockedWork = a.known(lost / work)
	}
	if a.Fragmentation != nil {
		r.Fragmentation = *a.Fragmentation
	}
	a.servers(p.Spec, r)
	a.energy(p.Spec, r)
	a.numbers(r)
	r.Run.Residual = max(r.Run.Residual, a.Residual)
	r.Notes = append(r.Notes, a.Notes...)
}

// servers fills in what the servers do.
func (a *Answer) servers(s *spec.Spec, r *result.Result) {
	n := float64(s.Servers)
	busy, idle := a.Busy, a.Idle
	if idle == 0 {
		idle = n - busy
	} else if busy == 0 {
		busy = n - idle
	}
	r.Utilization, r.Idle, r.WastedHOL = a.known(busy/n), a.known(idle), a.known(a.Wasted)
	if a.Up > 0 {
		r.Up, r.Goodput = a.known(a.Up), a.known(a.Good)
	}
	if a.turns() && !s.AlsoPreempted { // else some work is done in vain
		r.Goodput = a.known(busy)
	}
	for j, busy := range a.Units {
		x := s.Resources[j]
		r.Resources = append(r.Resources, result.ResourceResult{Name: x.Name, Units: x.Units, WastedHOL: a.known(a.Wasted), Idle: a.known(float64(x.Units) - busy),
			Utilization: a.known(busy / float64(x.Units))})
	}
	run.MixedUnits(r)
}

// numbers fills in how many jobs there are.
func (a *Answer) numbers(r *result.Result) {
	r.Jobs, r.Queue = a.Jobs, a.Line
	switch {
	case a.MeanJobs != 0:
		r.MeanJobs = a.known(a.MeanJobs)
	case a.Queue != nil:
		r.MeanJobs = a.known(sum(a.Queue) + sum(a.Served))
	default:
		r.MeanJobs = a.known(r.Rate * r.All.Response.Mean.Value)
	}
	if r.Jobs.Factorial == nil && r.Jobs.P != nil {
		square := 0.0
		for i, p := range r.Jobs.P {
			square += float64(i) * float64(i-1) * p
		}
		r.Jobs.Factorial = []float64{r.MeanJobs.Value, square}
	}
}

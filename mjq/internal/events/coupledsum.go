package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// coupledSum is the samples of a Coupling so far.
type coupledSum struct {
	classes              []coupledClass
	all                  coupledClass
	wasted, busy         estimate.Pair
	units                []estimate.Pair // by type of resource, idle and wasted
	spread               spreads
	samples              int
	jobs, first, longest int64
}

// coupledClass is the samples of one class, or of all jobs: first and second moments,
// and what has only a first one.
type coupledClass struct {
	wait, response, slow                          estimate.Pair
	preempted, killed, waitInTime, responseInTime estimate.Pair
	started, lost, dropped                        estimate.Pair
	waits, responses, slows                       estimate.Signed
}

// moments are the pairs of a class beside the sums that they take.
func (c *coupledClass) moments(s *sums) [10]struct {
	to   *estimate.Pair
	x, y float64
} {
	return [...]struct {
		to   *estimate.Pair
		x, y float64
	}{{&c.wait, s.w, s.w2}, {&c.response, s.r, s.r2}, {&c.slow, s.slow, s.slow2}, {&c.preempted, s.preempted, 0},
		{&c.killed, s.killed, 0}, {&c.waitInTime, s.waitInTime, 0}, {&c.responseInTime, s.responseInTime, 0},
		{&c.started, s.w - s.resting, 0}, {&c.lost, s.lost, 0}, {&c.dropped, s.dropped, 0}}
}

func (p *Coupling) summary() *coupledSum {
	s := &coupledSum{classes: make([]coupledClass, p.Classes), spread: newSpreads(p.Classes)}
	if p.Types != nil {
		s.units = make([]estimate.Pair, 2*len(p.Types.Units))
	}
	return s
}

// add adds a sample.
func (s *coupledSum) add(p *Coupling, o *coupled) {
	var all [10][2]float64
	for i := range s.classes {
		c, mean := &s.classes[i], float64(p.Path)*p.Probs[i]
		for k, m := range c.moments(&o.classes[i]) {
			x, y := perUnit(m.to, m.x, m.y, o.classes[i].n, mean)
			all[k][0] += p.Probs[i] * x
			all[k][1] += p.Probs[i] * y
		}
		c.waits.Merge(&o.wait[i])
		c.responses.Merge(&o.resp[i])
		c.slows.Merge(&o.slow[i])
	}
	for k, m := range s.all.moments(new(sums)) {
		m.to.Add(all[k][0], all[k][1])
	}
	time := float64(p.Path) / p.Rate
	perUnit(&s.wasted, o.area.Wasted, 0, o.area.Time, time)
	perUnit(&s.busy, float64(p.Servers)*o.area.Time-o.area.Idle, 0, o.area.Time, time)
	for i, x := range o.units {
		perUnit(&s.units[i], x, 0, o.area.Time, time)
	}
	s.spreads(o)
	if s.samples++; s.samples == 1 || o.met < s.first {
		s.first = o.met
	}
	s.longest = max(s.longest, o.met)
	s.jobs += o.jobs
}

// perUnit adds an observation of E[x]/E[n] and E[y]/E[n], where E[n] is known: x less
// what n has too much, at the ratio that the observations before have shown, over E[n].
// It is unbiased and varies about as little as the ratio of sums, which is not.
func perUnit(to *estimate.Pair, x, y, n, mean float64) (ofX, ofY float64) {
	ofX, ofY = (x-to.X*(n-mean))/mean, (y-to.Y*(n-mean))/mean
	to.Add(ofX, ofY)
	return ofX, ofY
}

// spreads notes how the distributions differ between samples.
func (s *coupledSum) spreads(o *coupled) {
	all := len(s.classes)
	for _, of := range [...]struct {
		seen []estimate.Signed
		to   []estimate.Spread
	}{{o.wait, s.spread.wait}, {o.resp, s.spread.response}, {o.slow, s.spread.slow}} {
		for i := range of.seen {
			of.seen[i].Spread(&of.to[i])
			of.seen[i].Spread(&of.to[all])
			of.to[i].Close()
		}
		of.to[all].Close()
	}
}

// result turns the samples into estimates.
func (s *coupledSum) result(p *Coupling) *Result {
	r := &Result{Classes: make([]estimate.Tally, p.Classes), Batches: s.samples, Length: p.Path, Jobs: s.jobs}
	for i := range s.classes {
		r.Classes[i] = s.classes[i].tally(p, s.spread, i)
		s.all.waits.Merge(&s.classes[i].waits)
		s.all.responses.Merge(&s.classes[i].responses)
		s.all.slows.Merge(&s.classes[i].slows)
	}
	r.All = s.all.tally(p, s.spread, p.Classes)
	r.Wasted = s.wasted.Mean(p.Level, coupledMethod)
	busy := s.busy.Mean(p.Level, coupledMethod)
	r.Idle = busy
	r.Idle.Value = float64(p.Servers) - busy.Value
	for i := range s.units {
		to := &r.IdleUnits
		if 2*i >= len(s.units) {
			to = &r.WastedUnits
		}
		*to = append(*to, s.units[i].Mean(p.Level, coupledMethod))
	}
	r.System = r.All.Response.Mean
	r.System.Value *= p.Rate
	r.System.HalfWidth *= p.Rate
	return r
}

const coupledMethod = "unbiased, coupled"

// tally is the estimates of a class.
func (c *coupledClass) tally(p *Coupling, spread spreads, class int) estimate.Tally {
	times := func(of *estimate.Pair, seen *estimate.Signed, spread *estimate.Spread) estimate.Times {
		return estimate.Times{Mean: of.Mean(p.Level, coupledMethod), Variance: of.Variance(p.Level, coupledMethod),
			Dist: seen.Distribution(), Precision: spread.Precision(), Worth: of.Worth()}
	}
	mean := func(of *estimate.Pair) result.Estimate { return of.Mean(p.Level, coupledMethod) }
	t := estimate.Tally{Waiting: times(&c.wait, &c.waits, &spread.wait[class]), Response: times(&c.response, &c.responses, &spread.response[class]),
		Slowdown: times(&c.slow, &c.slows, &spread.slow[class]), Preemptions: mean(&c.preempted), Killed: mean(&c.killed),
		WaitingInTime: mean(&c.waitInTime), ResponseInTime: mean(&c.responseInTime)}
	if p.Policy.Properties().Preemptive {
		t.FirstStart, t.Lost, t.Left = mean(&c.started), mean(&c.lost), mean(&c.dropped)
	}
	return t
}

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
	nodes                []estimate.Pair // as TakeNodes has them
	spread               spreads
	samples              int
	jobs, first, longest int64
	fates                coupledFates
}

// coupledClass is the samples of one class, or of all jobs: first and second moments,
// and what has only a first one.
type coupledClass struct {
	of    [estimate.Quantities]estimate.Pair
	means [estimate.Means]estimate.Pair
	seen  [estimate.Quantities]estimate.Signed
}

func (p *Coupling) summary() *coupledSum {
	s := &coupledSum{classes: make([]coupledClass, p.Classes), spread: newSpreads(p.Classes)}
	if p.Types != nil {
		s.units = make([]estimate.Pair, 2*len(p.Types.Units))
	}
	if p.Nodes != nil {
		s.nodes = make([]estimate.Pair, nodeAverages)
	}
	return s
}

// add adds a sample.
func (s *coupledSum) add(p *Coupling, o *coupled) {
	var of [estimate.Quantities][2]float64
	var means [estimate.Means]float64
	for i := range s.classes {
		c, seen, prob := &s.classes[i], &o.classes[i], p.Probs[i]
		mean := float64(p.Path) * prob
		for q, m := range seen.Of {
			x, x2 := perUnit(&c.of[q], m.X, m.X2, seen.N, mean)
			of[q][0] += prob * x
			of[q][1] += prob * x2
			c.seen[q].Merge(&o.seen[i][q])
		}
		for m, sum := range seen.Means {
			x, _ := perUnit(&c.means[m], sum, 0, seen.N, mean)
			means[m] += prob * x
		}
	}
	for q, x := range of {
		s.all.of[q].Add(x[0], x[1])
	}
	for m, x := range means {
		s.all.means[m].Add(x, 0)
	}
	time := float64(p.Path) / p.Rate
	perUnit(&s.wasted, o.area.Wasted, 0, o.area.Time, time)
	perUnit(&s.busy, float64(p.Servers)*o.area.Time-o.area.Idle, 0, o.area.Time, time)
	for i, x := range o.units {
		perUnit(&s.units[i], x, 0, o.area.Time, time)
	}
	for i, x := range o.nodes {
		perUnit(&s.nodes[i], x, 0, o.area.Time, time)
	}
	s.spreads(o)
	if p.LosesWork() {
		s.fates.add(o)
	}
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
	for i := range o.seen {
		for q := range o.seen[i] {
			o.seen[i][q].Spread(&s.spread[i][q])
			o.seen[i][q].Spread(&s.spread[all][q])
			s.spread[i][q].Close()
		}
	}
	for q := range s.spread[all] {
		s.spread[all][q].Close()
	}
}

// mean is what a target is about.
func (s *coupledSum) mean(p *Coupling) result.Estimate {
	if p.Turns() {
		return p.plan().mean(s.fates.list)
	}
	return s.all.of[estimate.Waiting].Mean(p.Level, "")
}

// result turns the samples into estimates.
func (s *coupledSum) result(p *Coupling) *Result {
	r := &Result{Classes: make([]estimate.Tally, p.Classes), Batches: s.samples, Length: p.Path, Jobs: s.jobs}
	for i := range s.classes {
		r.Classes[i] = s.classes[i].tally(p, s.spread, i)
		for q := range s.all.seen {
			s.all.seen[q].Merge(&s.classes[i].seen[q])
		}
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
	for i := range s.nodes {
		if to := r.ofNodes()[i]; nodeKinds[i] != estimate.Amount {
			*to = s.nodes[i].Plain(p.Level, coupledMethod)
		} else {
			*to = s.nodes[i].Mean(p.Level, coupledMethod)
		}
	}
	r.System = r.All.Response.Mean
	r.System.Value *= p.Rate
	r.System.HalfWidth *= p.Rate
	if p.LosesWork() {
		s.fates.tell(p, r)
	}
	return r
}

const coupledMethod = "unbiased, coupled"

// tally is the estimates of a class.
func (c *coupledClass) tally(p *Coupling, spread spreads, class int) estimate.Tally {
	t := estimate.Tally{}
	t.Take(Happens(p.Policy), p.plan().asked(), func(q estimate.Quantity) estimate.Times {
		of := &c.of[q]
		return estimate.Times{Mean: of.Mean(p.Level, coupledMethod), Variance: of.Variance(p.Level, coupledMethod),
			Dist: c.seen[q].Distribution(), Worth: of.Worth()}
	}, func(m estimate.Mean) result.Estimate {
		if m.Kind() != estimate.Amount {
			return c.means[m].Plain(p.Level, coupledMethod)
		}
		return c.means[m].Mean(p.Level, coupledMethod)
	})
	spread.tell(&t, class)
	return t
}

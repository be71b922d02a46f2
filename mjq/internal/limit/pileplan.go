package limit

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/scarcity"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// What a run of the pile has hardly seen, or never, it cannot measure; but the
// laws of the services are known, and with them what a run of a given length
// holds in expectation. Levels above which it holds fewer than hardly services are
// where it is blind: if what lies there matters, the run is made longer, and if it
// may not be, services are cut at that level and the interval makes room for the
// rest (sampling.Rare). A class of which the run holds fewer than scarce jobs is
// left out in the same way.
const (
	hardly = 5
	scarce = 50
	// unseenPart is the part of the error asked for that may stay unseen, cutPart
	// the part that what is cut may take of it.
	unseenPart = 1.0 / 8
	cutPart    = 1.0 / 2
	// settled is how many times a long service must fit into the warm-up.
	settled = 3
)

// blindness is what a run cannot see of one class.
type blindness struct {
	level  float64 // fewer than hardly services of the run exceed it
	excess float64 // p E[(σ - level)⁺]
	// strange is the part of the excess that what has been seen does not tell of.
	// Services that exceed the level by a small part of it, as those of a tail of
	// one scale do, act like the longest ones that have been seen, so that the
	// controls account for them; those of a phase that has not been seen do not.
	// It is the excess times the square of the mean distance to the level, in
	// levels, where that is less than 1.
	strange float64
	out     bool // fewer than scarce jobs of the run are of the class
}

// pilePlan is how the pile is to grow.
type pilePlan struct {
	sampling.Rare
	classes    []blindness
	meanWork   []float64
	replicas   int
	warm, jobs int64     // a replication
	lasting    []float64 // what long services of a class last
	long       float64   // the longest
	asked      float64   // the error asked for, in growth a job
}

// planPile decides how long the first round of the pile is and what is cut. Where
// much is, fewer and longer replications see more, if their number is free. It looks at
// every class many times; when ctx ends, what it returns is of no use.
func (q *pile) planPile(ctx context.Context) *pilePlan {
	if q.replicas != 0 {
		return q.planPileOf(ctx, q.replicas)
	}
	p := q.planPileOf(ctx, replicasUsual)
	if p.Slack > cutPart*p.asked {
		if few := q.planPileOf(ctx, replicasLeast); few.Slack < p.Slack/2 {
			return few
		}
	}
	return p
}

func (q *pile) planPileOf(ctx context.Context, replicas int) *pilePlan {
	m, n := q.Problem, int64(replicas)
	p := &pilePlan{replicas: replicas}
	p.Most = 1 / m.SurestRate()
	p.Least = min(p.Most, max(1/m.IdealRate(), m.MeanService()/float64(atOnce(m.Spec)))) // equal but for rounding where all jobs are alike
	p.asked = q.relErr * p.Least
	budget := max(1000, q.maxJobs/2/n) // of jobs, for the warm-up of a replication
	rarest := 1.0
	for _, c := range m.Classes {
		if float64(q.maxJobs/2)*c.Prob >= scarce {
			rarest = min(rarest, c.Prob)
		}
	}
	p.warm = min(budget, max(1000, check.Whole(10/rarest, 0, 1e8)))
	for {
		longest := max(1000, q.maxJobs/n-p.warm)
		first := min(longest, max(p.warm/2, 20_000*64/max(64, n), 1000))
		p.lengthen(ctx, m, n, first, longest)
		p.choose(m)
		for p.measure(ctx, m); settled*p.long > float64(budget)*p.Least; p.measure(ctx, m) {
			p.shorten(m)
		}
		need := check.Whole(settled*p.long/p.Least, 0, 1<<50)
		if need <= p.warm {
			p.Hidden = p.hidden(m)
			return p
		}
		p.warm = min(budget, need+need/4)
	}
}

// atOnce is the most jobs that run at once, whatever their order: as many as fit if all are as
// narrow as the narrowest.
func atOnce(s *spec.Spec) int {
	fit := math.MaxInt
	if len(s.Resources) == 0 {
		narrowest := s.Servers
		for i := range s.Classes {
			narrowest = min(narrowest, s.Classes[i].Need)
		}
		return s.Servers / narrowest
	}
	for j, r := range s.Resources {
		narrowest := r.Units
		for i := range s.Classes {
			narrowest = min(narrowest, s.Classes[i].Units[j])
		}
		if narrowest > 0 {
			fit = min(fit, r.Units/narrowest)
		}
	}
	return fit
}

// blind is what a run of a given number of jobs cannot see, class by class.
func blind(ctx context.Context, m *problem.Problem, jobs float64) (classes []blindness) {
	for _, c := range m.Classes {
		if ctx.Err() != nil {
			return make([]blindness, len(m.Classes))
		}
		b := blindness{out: jobs*c.Prob < scarce}
		if !b.out {
			b.level = scarcity.Rough(c.Service).Quantile(1 - hardly/(jobs*c.Prob))
		}
		classes = append(classes, b.at(&c))
	}
	return classes
}

// at fills in what lies above the level.
func (b blindness) at(c *spec.Class) blindness {
	service := scarcity.Rough(c.Service)
	above := law.Excess(service, b.level)
	b.excess = c.Prob * above
	beyond := above / service.Survival(b.level) / b.level
	b.strange = b.excess
	if beyond < 1 {
		b.strange *= beyond * beyond
	}
	return b
}

// unseen sums what the classes hide, and what of it is strange.
func unseen(classes []blindness) (excess, strange float64) {
	for _, b := range classes {
		excess += b.excess
		strange += b.strange
	}
	return excess, strange
}

// lengthen doubles the first round until the run sees enough, or, if the longest
// one does not, until it sees nearly as much as that.
func (p *pilePlan) lengthen(ctx context.Context, m *problem.Problem, replicas, first, longest int64) {
	last := blind(ctx, m, float64(longest*replicas))
	best, _ := unseen(last)
	for p.jobs = first; ; p.jobs = min(longest, 2*p.jobs) {
		p.classes = blind(ctx, m, float64(p.jobs*replicas))
		waits := false // a class is left out that a longer run would hold
		for i, b := range p.classes {
			waits = waits || b.out && !last[i].out
		}
		excess, strange := unseen(p.classes)
		enough := strange <= unseenPart*p.asked || excess <= max(cutPart*p.asked, 1.1*best)
		if p.jobs == longest || enough && !waits {
			return
		}
	}
}

// choose cuts services and leaves classes out where what is not seen is more
// than may be, and where a service has infinite variance, without which there is
// no interval.
func (p *pilePlan) choose(m *problem.Problem) {
	p.Cut, p.Out, p.Slack = nil, nil, 0
	_, strange := unseen(p.classes)
	share := unseenPart * p.asked / float64(len(m.Classes))
	for i, b := range p.classes {
		c := &m.Classes[i]
		switch {
		case b.out:
			if p.Out == nil {
				p.Out = make([]bool, len(m.Classes))
			}
			p.Out[i] = true
			p.Slack += b.excess
		case strange > unseenPart*p.asked && b.strange > share || problem.Heavy(c.Service):
			p.cut(i)
		}
	}
	p.Loose = p.Slack > 0 && m.Features().Has(spec.Mixed)
}

// hidden is what is strange in the services that are not cut, by the length of
// the run.
func (p *pilePlan) hidden(m *problem.Problem) func(jobs float64) float64 {
	return func(jobs float64) (sum float64) {
		for i, b := range blind(context.Background(), m, jobs) {
			if !p.spared(i) {
				sum += b.strange
			}
		}
		return sum
	}
}

// cut cuts the services of a class at its level.
func (p *pilePlan) cut(class int) {
	if p.Cut == nil {
		p.Cut = make([]float64, len(p.classes))
		for k := range p.Cut {
			p.Cut[k] = math.Inf(1)
		}
	}
	p.Cut[class] = p.classes[class].level
	p.Slack += p.classes[class].excess
}

// shorten cuts the longest services at a lower level, for a pile that has no
// time to settle.
func (p *pilePlan) shorten(m *problem.Problem) {
	class := 0
	for i, long := range p.lasting {
		if long > p.lasting[class] {
			class = i
		}
	}
	if p.spared(class) {
		p.Slack -= p.classes[class].excess
	}
	p.classes[class].level *= 0.8
	p.classes[class] = p.classes[class].at(&m.Classes[class])
	p.cut(class)
}

// mean is the mean service of a class as cut.
func (p *pilePlan) mean(m *problem.Problem, class int) float64 {
	c := &m.Classes[class]
	if p.spared(class) {
		return max(0, c.Service.Mean()-p.classes[class].excess/c.Prob)
	}
	return c.Service.Mean()
}

// spared reports whether services of the class are cut or its jobs left out.
func (p *pilePlan) spared(class int) bool {
	return p.Out != nil && p.Out[class] || p.Cut != nil && !math.IsInf(p.Cut[class], 1)
}

// measure notes the moments of the services as cut, and how long long ones are:
// (E[σ³]/E[σ])^½, 2.4 means of an exponential one, the longest of all classes.
func (p *pilePlan) measure(ctx context.Context, m *problem.Problem) {
	p.meanWork, p.Squares, p.Cubes, p.lasting, p.long = nil, nil, nil, nil, 0
	for i, c := range m.Classes {
		mean := p.mean(m, i)
		var square, cube float64
		if ctx.Err() == nil {
			square, cube = momentsBelow(scarcity.Rough(c.Service), p.classes[i].level)
		}
		long := 0.0
		if mean > 0 {
			long = math.Sqrt(cube / mean)
		}
		p.lasting, p.long = append(p.lasting, long), max(p.long, long)
		p.meanWork = append(p.meanWork, float64(c.Need)*mean)
		p.Squares, p.Cubes = append(p.Squares, square), append(p.Cubes, cube)
	}
}

// momentsBelow are E[min(σ,x)²] and E[min(σ,x)³] to a few per cent: sums over
// narrow bands of times, downwards from x.
func momentsBelow(l law.Law, x float64) (square, cube float64) {
	const band, bands = 0x1.17p+0, 480 // the eighth root of 2, sixty octaves
	above, end := l.Survival(math.Nextafter(x, 0)), x*math.Pow(band, -bands)
	for hi := x; hi > 0 && hi > end; hi /= band {
		lo := hi / band
		below := l.Survival(lo)
		tail := (above + below) / 2
		square += tail * (hi - lo) * (hi + lo)
		cube += tail * (hi - lo) * (hi*hi + hi*lo + lo*lo)
		above = below
	}
	return square, cube
}

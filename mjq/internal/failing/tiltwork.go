package failing

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/mjqueue/mjq/mjq/law"
)

// resumed is a time under Resume and a tilt: work under a tilt of its own, and a Poisson number of hits.
type resumed struct {
	work     law.Law
	draw     law.Sampler
	hits     Hits // under the tilt
	recovery steep
}

// resumedUnder is the time under Resume: a hit costs a detection and a successful recovery, and their
// moment h makes the tilt of the work θ + φ(h-1).
func (l Holding) resumedUnder(theta float64) (path, float64, bool) {
	h := l.After.hits(l.Rate)
	h.Recovery = 0
	recovery, ok := h.steepen(l.After.Recovery, theta)
	if !ok {
		return nil, 0, false
	}
	moment := recovery.moment * math.Exp(theta*h.Detection)
	work, log, ok := law.Tilt(l.Work, theta+l.Rate*(moment-1))
	if !ok {
		return nil, 0, false
	}
	h.Rate *= moment
	return &resumed{work, law.Prepare(work), h, recovery}, log, true
}

// Sample draws the time.
func (r *resumed) Sample(rng rand.Source) float64 {
	left := r.draw.Sample(rng)
	t := left
	for {
		if left += math.Log(unit(rng)) / r.hits.Rate; !(left >= 0) {
			return t
		}
		t += r.hits.Detection + r.recovery.Sample(rng)
	}
}

// Survival is that of the work.
func (r *resumed) Survival(x float64) float64 { return r.work.Survival(x) }

// pieces are what work is done in under a tilt: stretches that end with a checkpoint, and a last one.
type pieces struct {
	Holding
	theta float64
	each  steep // with its checkpoint
	short bool  // the moment of a stretch with its checkpoint is infinite
}

func (l Holding) piecesUnder(theta float64) pieces {
	p := pieces{Holding: l, theta: theta}
	if l.After.How == Checkpoint {
		var ok bool
		p.each, ok = l.After.hits(l.Rate).steepen(l.After.Every+l.After.Cost, theta)
		p.short = !ok
	}
	return p
}

// of is how many checkpoints work has, and its last stretch; ok is false where its moment is infinite.
func (p *pieces) of(n node) (k float64, last steep, ok bool) {
	if p.After.How == Checkpoint {
		k = p.After.checkpoints(n)
	}
	last, ok = p.After.hits(p.Rate).steepen(n.work-k*p.After.Every, p.theta)
	return k, last, ok && !(p.short && k > 0)
}

// draw draws the time of k stretches with their checkpoints and of a last one.
func (p *pieces) draw(k float64, last *steep, rng rand.Source) float64 {
	t := last.Sample(rng)
	if k > 0 {
		t += p.each.many(k, rng)
	}
	return t
}

// listed is work of finitely many values.
type listed struct {
	pieces
	works []float64 // ascending
	last  []steep   // of each its last stretch, and the number of checkpoints before
	whole []float64
	upTo  []float64 // probabilities under the tilt
}

// listedUnder is the time of work that is bounded: it takes finitely many values, if need be rounded up.
func (l Holding) listedUnder(theta float64) (path, float64, bool) {
	p, moment := listed{pieces: l.piecesUnder(theta)}, 0.0
	for _, n := range l.listedWork() {
		k, last, ok := p.of(n)
		if !ok {
			return nil, 0, false
		}
		moment += n.weight * last.moment * math.Pow(p.each.moment, k)
		p.works, p.last, p.whole, p.upTo = append(p.works, n.work), append(p.last, last), append(p.whole, k), append(p.upTo, moment)
	}
	for i := range p.upTo {
		p.upTo[i] /= moment
	}
	return &p, math.Log(moment), true
}

// listedWork is the work, or that which law.Tilt rounds it up to.
func (l Holding) listedWork() []node {
	nodes, total := values(l.Work, law.Jumps(l.Work)), 0.0
	for _, n := range nodes {
		total += n.weight
	}
	if total < 1-1e-9 {
		rounded, _, _ := law.Tilt(l.Work, math.SmallestNonzeroFloat64)
		nodes = values(rounded, law.Jumps(rounded))
	}
	return nodes
}

// Sample draws the work and its time.
func (p *listed) Sample(rng rand.Source) float64 {
	i := min(len(p.works)-1, sort.SearchFloat64s(p.upTo, unit(rng)))
	return p.draw(p.whole[i], &p.last[i], rng)
}

// Survival is that of the time without a hit.
func (p *listed) Survival(x float64) float64 {
	n := sort.Search(len(p.works), func(i int) bool { return p.Holding.whole(node{work: p.works[i]}) > x })
	switch n {
	case 0:
		return 1
	case len(p.works):
		return 0
	}
	return 1 - p.upTo[n-1]
}

// endless is unbounded work with checkpoints: work under the tilt that a stretch with its checkpoint makes,
// of which a value is accepted by the moment of its last stretch.
type endless struct {
	pieces
	work        law.Law
	draws       law.Sampler
	tilt        float64 // of the work
	least, most float64 // of what the moment of a last stretch is of exp(tilt·its work)
	mean        float64 // of that
}

const lastStretches = 512 // cells of the last stretch

// endlessUnder is the time of unbounded work with checkpoints.
func (l Holding) endlessUnder(theta float64) (path, float64, bool) {
	p := &endless{pieces: l.piecesUnder(theta)}
	if p.short {
		return nil, 0, false
	}
	every := l.After.Every
	p.tilt = math.Log(p.each.moment) / every
	work, log, ok := law.Tilt(l.Work, p.tilt)
	if !ok {
		return nil, 0, false
	}
	p.work, p.draws, p.least, p.most = work, law.Prepare(work), math.Inf(1), 0
	before := 1.0
	for i := range lastStretches {
		from, to := float64(i)/lastStretches*every, float64(i+1)/lastStretches*every
		last, _ := l.After.hits(l.Rate).steepen(to, theta)
		p.least, p.most = min(p.least, before*math.Exp(-p.tilt*to)), max(p.most, last.moment*math.Exp(-p.tilt*from))
		before = last.moment
	}
	p.mean = p.most
	if work.Mean() < 100*every { // else a stretch is little of the work
		p.mean = 0
		for _, n := range workOf(work, every, 0) {
			_, _, w := p.weigh(n)
			p.mean += n.weight * w
		}
	}
	return p, log + math.Log(p.mean) + 1e-9, true
}

// weigh is what work is done in, and the moment of its last stretch, of exp(tilt·its work).
func (p *endless) weigh(n node) (k float64, last steep, weight float64) {
	k, last, _ = p.of(n)
	return k, last, last.moment * math.Exp(-p.tilt*(n.work-k*p.After.Every))
}

// Sample draws work until it is accepted, and its time.
func (p *endless) Sample(rng rand.Source) float64 {
	for {
		k, last, weight := p.weigh(node{work: p.draws.Sample(rng)})
		if unit(rng)*p.most <= weight {
			return p.draw(k, &last, rng)
		}
	}
}

// Survival is that of the work, at the least.
func (p *endless) Survival(x float64) float64 {
	return min(1, p.work.Survival(x)*p.least/p.mean)
}

// Package ordinary draws queues as people write them: the sizes, loads, service times and
// policies of textbooks and clusters, without rare parameters. Tests and benchmarks ask
// Solve about them without options.
package ordinary

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// Seed is the seed of the queues that tests and benchmarks share; Number is how many these are.
const (
	Seed   = 50
	Number = 400
)

// Queue is a queue with the words that describe it.
type Queue struct {
	Name  string
	Model mjq.Model
}

// Queues returns the first n queues of a seed. A queue does not depend on n.
func Queues(seed uint64, n int) []Queue {
	list := make([]Queue, n)
	for i := range list {
		d := &draw{Rand: rand.New(rand.NewPCG(seed, uint64(i)))}
		m := d.model()
		list[i] = Queue{fmt.Sprintf("%03d %s", i, d.words), m}
	}
	return list
}

// draw is a queue that is being drawn.
type draw struct {
	*rand.Rand
	servers int
	needs   []int
	probs   []float64
	means   []float64
	rate    float64
	words   string
}

func (d *draw) say(format string, args ...any) { d.words += fmt.Sprintf(format, args...) + " " }

// likely reports whether an event of a probability happens.
func (d *draw) likely(p float64) bool { return d.Float64() < p }

var sizes = []int{1, 1, 1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 10, 10, 12, 16, 20, 24, 30, 32, 48, 50, 60, 64, 100, 128, 144, 200, 256, 500, 512, 1000, 2000, 5000, 10000}

// model draws the needs, the laws, the arrivals at a load, and then what else the queue has.
func (d *draw) model() mjq.Model {
	d.servers = pick(d.Rand, sizes)
	d.classes()
	m := mjq.Servers(d.servers)
	nodes := d.servers >= 16 && d.servers <= 1024 && d.servers%8 == 0 && d.likely(0.15)
	if nodes {
		m = mjq.Nodes(d.servers/8, 8)
		d.say("nodes(%d, 8)", d.servers/8)
	}
	d.say("s=%d", d.servers)
	work := 0.0
	for i, need := range d.needs {
		if nodes && need > 8 {
			need = 8 * max(1, need/8)
		}
		law, words := d.service(d.means[i])
		d.say("%d:%.2g:%s", need, d.probs[i], words)
		work += d.probs[i] * float64(need) * d.means[i]
		m = m.Class(fmt.Sprintf("c%d", i), need, d.probs[i], law)
	}
	load := 0.01 + 0.98*d.Float64()
	d.rate = load * float64(d.servers) / work
	m = d.arrivals(m, load)
	if nodes {
		return m
	}
	m = d.policy(m)
	if s := m.Spec(); s.Load != nil || s.Policy != nil && s.Policy.Properties().Preemptive {
		return m // no limit to take a load of, and no room for a job that is stopped
	}
	return d.beyond(m)
}

// classes draws needs, probabilities and mean service times.
func (d *draw) classes() {
	s := d.servers
	unit := pick(d.Rand, []float64{1, 1, 1, 0.1, 5, 3600})
	switch kind := d.IntN(10); {
	case s == 1 || kind < 5:
		d.needs, d.probs = []int{1}, []float64{1}
		if s == 1 && kind < 3 {
			d.needs, d.probs = []int{1, 1}, []float64{0.7, 0.3}
		}
	case kind < 8:
		d.needs, d.probs = []int{1, pick(d.Rand, []int{s, max(1, s/2), max(1, s/4), min(s, 4)})}, []float64{0.8, 0.2}
		if d.likely(0.3) {
			d.probs = []float64{0.5, 0.5}
		}
	default:
		d.needs, d.probs = []int{1, min(s, 2+s/8), max(1, s/2)}, []float64{0.6, 0.3, 0.1}
	}
	for range d.needs {
		d.means = append(d.means, unit*pick(d.Rand, []float64{1, 1, 1, 2, 3, 0.5}))
	}
}

// service draws a law of service times.
func (d *draw) service(mean float64) (mjq.Law, string) {
	switch d.IntN(12) {
	case 0, 1, 2, 3:
		return mjq.ExpMean(mean), "exp"
	case 4, 5:
		return mjq.LogNormalMeanSCV(mean, 4), "lognormal4"
	case 6:
		return mjq.Deterministic(mean), "constant"
	case 7:
		return mjq.ErlangMeanPhases(mean, 3), "erlang3"
	case 8:
		return mjq.WeibullMeanShape(mean, 0.6), "weibull.6"
	case 9:
		return mjq.HyperExpMeanSCV(mean, 5), "hyper5"
	case 10:
		return mjq.Uniform(0, 2*mean), "uniform"
	}
	return mjq.LogNormalMeanSCV(mean, 1), "lognormal1"
}

// arrivals draws the arrivals; a fifth of the queues have a load of their stability limit.
func (d *draw) arrivals(m mjq.Model, load float64) mjq.Model {
	gap := 1 / d.rate
	kind := d.IntN(16)
	switch {
	case kind < 10:
		m = m.Poisson(d.rate)
		d.say("poisson")
	case kind == 10:
		m = m.Arrivals(mjq.Deterministic(gap))
		d.say("timetable")
	case kind == 11:
		m = m.Arrivals(mjq.ErlangMeanPhases(gap, 2))
		d.say("erlang2 gaps")
	case kind == 12:
		m = m.Arrivals(mjq.HyperExpMeanSCV(gap, 3))
		d.say("hyper3 gaps")
	case kind == 13:
		m = m.Arrivals(mjq.WeibullMeanShape(gap, 0.7))
		d.say("weibull gaps")
	case kind == 14:
		r := d.rate / 40
		m = m.MMPP([]float64{0.5 * d.rate, 1.5 * d.rate}, [][]float64{{-r, r}, {r, -r}})
		d.say("mmpp")
	default:
		m = m.Poisson(d.rate)
		d.say("poisson")
	}
	if d.likely(0.2) {
		d.say("load %.2f of the limit", load)
		return m.AtLoad(load)
	}
	d.say("load %.2f", load)
	return m
}

// policy draws the policy: half of the queues are first come, first served.
func (d *draw) policy(m mjq.Model) mjq.Model {
	list := []mjq.Policy{mjq.FirstFit(), mjq.EASY(), mjq.EASY(), mjq.Conservative(), mjq.Backfill(10), mjq.MostServersFirst(), mjq.LeastServersFirst(), mjq.PreemptiveFirstFit()}
	if len(d.needs) > 1 {
		list = append(list, mjq.Priority([]string{"c0"}), mjq.Priority([]string{"c1"}), mjq.Priority([]string{"c0"}).Preemptive(mjq.Resume))
	}
	if d.likely(0.5) {
		d.say("FCFS")
		return m
	}
	p := pick(d.Rand, list)
	d.say("%v", p)
	return m.Policy(p)
}

// beyond draws room and patience, which a quarter of the queues have.
func (d *draw) beyond(m mjq.Model) mjq.Model {
	switch d.IntN(16) {
	case 0:
		d.say("loss")
		return m.Loss()
	case 1:
		room := pick(d.Rand, []int{1, 5, 10, 100})
		d.say("room %d", room)
		return m.Room(room)
	case 2:
		mean := pick(d.Rand, []float64{0.1, 1, 5}) * d.means[0]
		d.say("patience %.3g", mean)
		return m.Patience(mjq.ExpMean(mean))
	case 3:
		mean := pick(d.Rand, []float64{1, 5}) * d.means[0]
		d.say("patience %.3g and room 20", mean)
		return m.Room(20).Patience(mjq.ExpMean(mean))
	}
	return m
}

// pick is one of several values.
func pick[T any](rnd *rand.Rand, list []T) T { return list[rnd.IntN(len(list))] }

// Wide is the largest half-width of the mean wait of a class over what the default target
// allows: 2 % of the mean wait or half a percent of the mean service time, whichever is wider.
// It is NaN where a class has no interval.
func Wide(q Queue, r *result.Result) float64 {
	worst := 0.0
	for i, c := range r.Classes {
		e := c.Waiting.Mean
		worst = math.Max(worst, e.HalfWidth/math.Max(0.02*e.Value, 0.005*q.Model.Spec().Classes[i].Service.Mean()))
	}
	return worst
}

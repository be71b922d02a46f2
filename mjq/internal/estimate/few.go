package estimate

import (
	"math"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/result"
	"gonum.org/v1/gonum/mathext"
)

// Kind says what a number is, on which its interval depends where a run has seen few of the
// events that it counts. Student's interval is too narrow then, or has no width at all.
type Kind int

// The kinds. A number without one is a mistake that a test finds.
const (
	_      Kind = iota
	Amount      // a mean of times or of amounts: if all are 0, nothing is known of those that are not
	Share       // of jobs, of time or of work: between 0 and 1
	Events      // how many, a job
	InTime      // a share of jobs, of which the others wait for too long
)

// share reports whether it lies between 0 and 1.
func (k Kind) share() bool { return k == Share || k == InTime }

// Rarity says how the rare events of a run come. An overloaded queue turns away several jobs in a
// row, so that a run tells of fewer independent events than it counts. Where it has seen none, or
// a few, it cannot tell how many come together: that is foreseen.
type Rarity struct {
	Jobs     float64   // that the run has observed; 0: those of the result
	Cluster  float64   // jobs that come, on average, while a rare state of the queue lasts; at least 1
	Forget   float64   // jobs until the queue has forgotten its state; 0 if it is not known
	Together bool      // arrivals may be of one class for a while
	Units    float64   // servers, or units
	Probs    []float64 // of the classes, of any job
	Heaviest float64   // the largest mean work of a job of some class, over that of a job
}

// FewEvents goes over a result whose numbers are drawn. Shares and numbers of events of which
// few were seen get an interval that holds: that of a binomial probability, or of a Poisson
// mean, for the number of independent events that differ between the batches as much. One that
// was not seen at all is below -ln(1-level)/n, 3/n at 95 %.
func FewEvents(r *result.Result, of *Rarity) {
	panics.Blocks(len(r.Classes), func(from, to int) {
		for i := from; i < to; i++ {
			c, class := &r.Classes[i], *of
			class.Jobs, class.Cluster, class.Forget = max(observed(c), of.Jobs*c.Prob), of.part(of.Cluster, c.Prob), of.part(of.Forget, c.Prob)
			class.class(c, r.Level)
		}
	})
	all := *of
	all.Jobs = of.ofAll(r)
	all.class(&r.All, r.Level)
	for _, x := range ofQueue(r) {
		one := all
		if x.work {
			one.Cluster *= of.Heaviest
		}
		one.number(x.of, x.kind, x.most(of), r.Level)
	}
	for a, row := range r.Overtaking {
		one := all
		one.Jobs = all.Jobs * r.Classes[a].Prob
		for b := range row {
			one.number(&row[b], Events, 1, r.Level)
		}
	}
}

// part is how many of so many successive jobs are of a class which has a part of all.
func (of *Rarity) part(jobs, part float64) float64 {
	if of.Together || jobs <= 1 {
		return jobs
	}
	return 1 + (jobs-1)*part
}

// ofQueue are the numbers of a result that are of no class.
func ofQueue(r *result.Result) []queueNumber {
	f, e := &r.Fragmentation, &r.Energy
	list := []queueNumber{{&r.WastedHOL, Amount, false, false}, {&r.Idle, Amount, false, false}, {&r.Utilization, Amount, false, false}, {&r.MeanJobs, Amount, false, false},
		{&r.BlockedWork, Share, false, true}, {&r.Goodput, Amount, false, false}, {&r.Up, Amount, false, false},
		{&e.On, Amount, false, false}, {&e.Setup, Amount, false, false}, {&e.Power, Amount, false, false}, {&e.PerJob, Amount, false, false},
		{&f.Held, Share, false, false}, {&f.Stranded, Share, true, false}, {&f.Unusable, Amount, false, false}, {&f.EmptyNodes, Amount, false, false}}
	for i := range r.Resources {
		x := &r.Resources[i]
		list = append(list, queueNumber{&x.WastedHOL, Amount, false, false}, queueNumber{&x.Idle, Amount, false, false}, queueNumber{&x.Utilization, Amount, false, false})
	}
	return list
}

// QueueNumbers are the numbers of a result that are of no class.
func QueueNumbers(r *result.Result) (list []*result.Estimate) {
	for _, x := range ofQueue(r) {
		list = append(list, x.of)
	}
	return list
}

// queueNumber is one of them: what it is, whether it is of the units and not of 1, and whether
// jobs count by their work.
type queueNumber struct {
	of          *result.Estimate
	kind        Kind
	units, work bool
}

// most is what it is a share of.
func (n *queueNumber) most(of *Rarity) float64 {
	if n.units {
		return of.Units
	}
	return 1
}

// class goes over the numbers of a class, or of all jobs.
func (of *Rarity) class(c *result.ClassResult, level float64) {
	for _, n := range numbers {
		of.number(n.result(c), n.kind, 1, level)
	}
	for _, m := range Metrics(c) {
		of.distribution(m)
	}
}

// number sets the interval of one, between 0 and most if it is a share. Samples with weights of
// either sign may leave that range by chance: its nearer end is closer to the truth, so that the
// interval holds as often.
func (of *Rarity) number(e *result.Estimate, kind Kind, most, level float64) {
	if kind.share() && e.Known() {
		e.Value = min(max(e.Value, 0), most)
	}
	if e.N < 2 || math.IsNaN(e.HalfWidth) {
		return
	}
	if kind == Amount {
		amount(e, level)
		return
	}
	one, q := *of, e.Value/most
	if kind.share() && q > 0.5 {
		if q = 1 - q; kind == InTime {
			one.Cluster = of.beyond()
		}
	}
	one.Cluster = min(one.Cluster, max(1, of.Jobs/float64(e.N))) // batches are independent
	unseen := most * unseen(level, one.Jobs/one.Cluster)
	switch {
	case e.HalfWidth == 0 && q == 0:
		e.HalfWidth = unseen
	case e.HalfWidth == 0: // the same of every job
	case q <= 0: // of samples with weights of either sign
		e.HalfWidth += unseen
	default:
		e.HalfWidth = max(e.HalfWidth, most*one.few(q, e.HalfWidth/most, kind, e.N, level))
	}
}

// few is the half-width of q, with Student's half-width over n batches; 0 where events are many.
func (of *Rarity) few(q, student float64, kind Kind, n int, level float64) float64 {
	t, z := result.StudentT(level, n-1), normal(level)
	se, variance := student/t, q // of an observation, if they were independent
	if kind.share() {
		variance *= 1 - q
	}
	worth := of.worth(q, se*se*of.Jobs/variance) * (z / t) * (z / t)
	x := q * worth
	switch {
	case x >= result.ManyEvents:
		return 0
	case kind.share():
		lo, hi := result.Binomial(level, q, worth)
		return max(hi-q, q-lo)
	}
	return garwood(x, level) / worth
}

// garwood is the wider side of the interval of a Poisson mean, of which x events were seen, which
// need not be whole (Garwood, Biometrika 28, 1936).
func garwood(x, level float64) float64 {
	outside := (1 - level) / 2
	return max(mathext.GammaIncRegInv(x+1, 1-outside)-x, x-mathext.GammaIncRegInv(x, outside))
}

// fewAmounts is up to how many amounts their number decides of how well their mean is known.
const fewAmounts = 20

// amount widens the interval of a mean that comes from few amounts: it is as wide as that of their
// number. One amount does not show how much amounts vary; they are taken to vary as exponential
// times do.
func amount(e *result.Estimate, level float64) {
	if !(e.Value > 0 && e.HalfWidth > 0) {
		return
	}
	x := e.Value / e.HalfWidth * normal(level)
	if x *= x; x < fewAmounts {
		x /= 1 + 1/x
		e.HalfWidth = max(e.HalfWidth, e.Value*garwood(x, level)/x)
	}
}

// foreseen is as how many clusters of events what is foreseen of them counts.
const foreseen = 2

// worth is how many independent observations tell of a probability q of which the batches show
// so many times the variance of independent ones: how many times is known from the events that
// were seen and, while they are few, from the cluster that is foreseen.
func (of *Rarity) worth(q, times float64) float64 {
	seen, before := q*of.Jobs, foreseen*of.Cluster
	return of.Jobs * (seen + before) / (seen*times + before*of.Cluster)
}

// beyond is how many jobs with long waits come together. A queue that has made one job wait for
// long needs more jobs to work that off than to end a rare state at its edge: so many come, on
// average over them, while a random walk with its drift falls back and comes again.
func (of *Rarity) beyond() float64 {
	if math.IsInf(of.Forget, 1) {
		return of.Cluster
	}
	return max(of.Cluster, of.Forget/2)
}

// distribution does the same for the shares of jobs that a distribution tells, where few jobs lie
// beyond.
func (of *Rarity) distribution(m *result.Metric) {
	m.Precision.Tail = of.tail()
	if p := &m.Precision; p.Groups > 0 {
		for k, n := range p.Effective {
			q, one := result.PrecisionAt(k), *of
			if q > 0.5 {
				q, one.Cluster = 1-q, of.beyond()
			}
			if q*n < result.ManyEvents {
				p.Effective[k] = min(n, one.worth(q, of.Jobs/n))
			}
		}
	}
	if same(m.Mean) && m.Dist.Total > 0 && !(m.Effective > 1) { // all alike
		m.Effective, m.Precision = of.Jobs/of.Cluster, result.Precision{}
	}
}

// leastBeyond is how many independent exceedances of a quantile a run must expect to give it an
// interval.
const leastBeyond = 20

// tail is the largest probability whose quantile has an interval. The jobs that wait longer come
// in clusters of the time in which the queue forgets its state. Their number in this run does not
// decide: a run without long waits would withhold intervals, and the others would give those that
// are too high. It is 0, not decided, if that time is not known.
func (of *Rarity) tail() float64 {
	if of.Forget == 0 || math.IsInf(of.Forget, 1) {
		return 0
	}
	return max(math.SmallestNonzeroFloat64, 1-leastBeyond*of.Forget/of.Jobs)
}

// Enough is how many jobs in all give the p-quantile an interval.
func (of *Rarity) Enough(p float64) float64 { return leastBeyond * of.Forget / (1 - p) }

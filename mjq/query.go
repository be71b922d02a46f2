package mjq

import (
	"math"
	"runtime"
	"sync"
	"time"
)

// Query holds the settings that every verb shares. It is embedded in each of
// them; the setters return the verb, so that they chain in any order.
type Query[Q any] struct {
	self     *Q
	seed     uint64
	level    float64
	workers  int
	progress func(done, total float64)
}

func newQuery[Q any](self *Q, seed uint64) Query[Q] {
	return Query[Q]{self: self, seed: seed, level: 0.95, workers: runtime.GOMAXPROCS(0)}
}

// Seed chooses the randomness. The same seed gives the same digits whatever the
// number of goroutines.
//
// Every method has a default seed of its own, which Run.Seed of the result
// reports, so that two methods asked without a seed are independent and one
// checks the other. With the same seed they see the same jobs: differences
// between models or methods then become sharp, and agreement of two methods says
// little about the error that both share.
func (q *Query[Q]) Seed(seed uint64) *Q {
	q.seed = seed
	return q.self
}

// Level sets the confidence level of all intervals; the default is 0.95.
func (q *Query[Q]) Level(level float64) *Q {
	q.level = level
	return q.self
}

// Workers sets the number of goroutines; the default is one a core. It changes
// the speed and nothing else.
func (q *Query[Q]) Workers(n int) *Q {
	q.workers = n
	return q.self
}

// Progress has f called a few times a second with how much of how much is
// done, in units of the verb. Calls come one at a time. While a verb waits for the
// stability limit, nothing is done yet and f is told so.
func (q *Query[Q]) Progress(f func(done, total float64)) *Q {
	q.progress = f
	return q.self
}

// faults checks the shared settings.
func (q *Query[Q]) faults(f *faults) {
	f.check(q.level > 0 && q.level < 1, "Level(%v): the confidence level must lie strictly between 0 and 1", q.level)
	f.check(q.workers >= 1, "Workers(%d): at least one goroutine is needed", q.workers)
	f.atMost("Workers", int64(q.workers), mostWorkers)
}

// throttled is the progress callback at no more than 20 calls a second, plus
// the last one.
func (q *Query[Q]) throttled() func(done, total float64) {
	if q.progress == nil {
		return nil
	}
	var mu sync.Mutex
	var last time.Time
	return func(done, total float64) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); done >= total || now.Sub(last) > 50*time.Millisecond {
			last = now
			q.progress(done, total)
		}
	}
}

// leastJobs is the least mean number of jobs in service, λ E[σ], at which times
// of arrival, which add up over a few hundred jobs, have the digits to tell when
// services end.
const leastJobs = 1e-9

// drawingFaults says what keeps a model from being run job by job.
func (m *Model) drawingFaults(f *faults) {
	m.arrivalFaults(f)
	f.memory(2*m.chainBytes(), "%d servers that are told apart", m.servers)
	rate := m.Rate()
	if m.load != nil {
		rate = *m.load * m.IdealRate() // no limit is higher
	}
	jobs := rate * m.meanService()
	f.check(!(jobs < leastJobs), "services of mean %.3g at the rate %.3g: jobs take a part %.2g of the time between them, so that rounding of the times of arrival would drown the waits; choose a rate or services that are larger, or .Exact()",
		m.meanService(), rate, jobs)
}

// arrivalFaults says what keeps a model from being run as an open system.
func (m *Model) arrivalFaults(f *faults) {
	switch {
	case m.load != nil:
		f.check(*m.load > 0 && !math.IsInf(*m.load, 1), "AtLoad(%v): the load is a fraction of the stability limit; give a positive finite one", *m.load)
		if m.arrivals == nil {
			return // Poisson
		}
	case m.arrivals == nil:
		f.add("the model has no arrivals: add .Poisson(rate) or .Arrivals(law), or use m.AtRate(rate)")
		return
	default:
		if rate := m.Rate(); !(rate > 0) || math.IsInf(rate, 1) {
			f.add("the arrival rate is %v; give a positive finite one", rate)
			return
		}
	}
	for _, err := range lawFaults("arrivals", m.arrivals) {
		f.add("%w", err)
	}
}

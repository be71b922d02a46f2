package mjq

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// Estimate is a number with its confidence interval: Value ± HalfWidth at
// Level, from N observations by Method. An exact value has HalfWidth 0, an
// unknown one is NaN, an unstable one +Inf.
type Estimate = estimate.Estimate

// Distribution is an empirical law on [0, ∞) in cells of relative width below
// 0.4 %, with an atom at 0.
type Distribution = estimate.Distribution

// Precision says how well a Distribution is known; see Metric.
type Precision = estimate.Precision

// Result is what every solver and sampler returns, with the same fields. It is
// plain exported data without interfaces, so it survives encoding/gob and can
// be passed between the cells of a notebook. What a method does not give is
// NaN.
type Result struct {
	Solver string // the method, as "backward, batch rule"
	Source string // where it comes from
	Model  string // the model in words
	Rate   float64
	Limit  Stability // the stability limit it was judged by
	Stable bool      // false: waiting times grow without bound and are +Inf
	Level  float64   // of all intervals

	Classes []ClassResult // in the order of the model
	All     ClassResult   // an arriving job of any class

	WastedHOL   Estimate // mean number of servers idle through head-of-line blocking
	Idle        Estimate // mean number of servers idle for any reason
	Utilization Estimate // mean fraction of servers busy
	MeanJobs    Estimate // mean number of jobs in the system
	Jobs, Queue Count    // number of jobs in the system, and of those in line

	Resources []ResourceResult // of a queue with types of resources; see Cluster

	Run   Run      // how it was computed
	Notes []string // what a reader must know before trusting a number
}

// ClassResult is what is known of one class.
type ClassResult struct {
	Name     string
	Need     int
	Prob     float64
	Waiting  Metric // arrival to start of service
	Response Metric // waiting + service, the sojourn time
}

// Metric describes a random time: its mean and variance with intervals, and
// its distribution where the method gives one. Under services of heavy tails a mean
// or a variance may be +Inf, or have no interval (HalfWidth NaN), and quantiles be
// finite all the same; a note of the result says so.
type Metric struct {
	Mean, Variance Estimate
	Dist           Distribution
	Curve          Curve     // the exact distribution, from exact solvers; Dist is empty then
	Precision      Precision // of Dist, from replications or paths; empty if from independent observations
	Effective      float64   // number of independent observations that the mean of Dist is worth; NaN if that is not known
	Level          float64   // of the intervals of Quantile and CDF
}

// Run tells how a result was computed.
type Run struct {
	Seed         uint64  // the one given or the method's own; see Query.Seed. 0 where nothing is random
	Samples      int     // independent samples or replications
	Steps        int64   // steps of the recurrence or jobs simulated
	Window       int64   // first window of a backward sample, in jobs
	Narrow, Wide int64   // smallest and largest window at which sampling stopped
	Capped       int     // samples that still changed at the largest allowed window
	WarmUp, Jobs int64   // of a forward replication; Jobs also those that a certified sample is followed for
	Theta, Eps   float64 // of a certified run: the decay of the bound, the error probability
	Block        int     // and the jobs in a block of the bound
	Residual     float64 // of an exact solution: the largest imbalance of its equations, relative
	Gain         float64 // how many times as many samples would give the mean wait so narrow an interval without control variates; 0 where there are none
	Met          bool    // the target of RelErr or HalfWidth was reached
	Complete     bool    // false: interrupted, this is what there was
	Elapsed      time.Duration
	StepsPerSec  float64
	ElapsedLimit time.Duration // of finding the stability limit first
	On           string        // "CPU", or the GPU's name; empty where there is no choice
}

// Class is the result of the class of that name. A name that does not exist is
// a mistake of the program and panics with the names that do.
func (r *Result) Class(name string) *ClassResult {
	var names []string
	for i := range r.Classes {
		if r.Classes[i].Name == name {
			return &r.Classes[i]
		}
		names = append(names, r.Classes[i].Name)
	}
	panic(fmt.Sprintf("mjq: no class %q in this result; it has %s", name, strings.Join(names, ", ")))
}

// Quantile is the p-quantile, for p in (0, 1), with the interval of the fraction of
// observations at or below it: the quantiles at p ± t √(p(1-p)/n). Of independent
// observations n is their number. Of replications and followed samples it is as many
// as would make that fraction vary as it does from one to the next, which Precision
// has; where that is not known (batches of one run, traces, a GPU), n is the number
// that would have the error of the mean, an approximation. The wider side is the
// half-width, NaN where one side has no end.
func (m *Metric) Quantile(p float64) Estimate {
	if m.unstable() {
		return estimate.Infinite(m.Mean.Method)
	}
	if !(p > 0 && p < 1) {
		return estimate.Unknown()
	}
	if m.Curve.Known() {
		return estimate.Exact(m.Curve.Quantile(p), m.Mean.Method)
	}
	if m.Dist.Total == 0 {
		return estimate.Unknown()
	}
	q := m.Dist.Quantile(p)
	e := Estimate{Value: q, HalfWidth: math.NaN(), Level: m.Level, N: m.Mean.N, Method: m.Mean.Method}
	if dp := m.fraction(p); p-dp > 0 && p+dp < 1 {
		e.HalfWidth = max(q-m.Dist.Quantile(p-dp), m.Dist.Quantile(p+dp)-q)
	}
	return e
}

// fraction is the half-width of the interval of a fraction p of the distribution;
// NaN if it is not known.
func (m *Metric) fraction(p float64) float64 {
	if !(m.Effective > 1) { // not known, nor then for tails that heavy what others tell
		return math.NaN()
	}
	n, degrees := m.Effective, int(m.Effective)
	if m.Precision.Groups > 0 {
		n, degrees = m.Precision.At(p), m.Precision.Groups-1
	}
	return estimate.T(m.Level, degrees) * math.Sqrt(p*(1-p)/n)
}

// CDF is P(X ≤ x), with an interval as that of Quantile. For x = NaN it is NaN.
func (m *Metric) CDF(x float64) Estimate {
	if math.IsNaN(x) {
		return estimate.Unknown()
	}
	if m.unstable() {
		return estimate.Exact(0, m.Mean.Method)
	}
	if m.Curve.Known() {
		return estimate.Exact(1-m.Curve.Survival(x), m.Mean.Method)
	}
	if m.Dist.Total == 0 {
		return estimate.Unknown()
	}
	p := m.Dist.CDF(x)
	return Estimate{Value: p, HalfWidth: m.fraction(p), Level: m.Level, N: m.Mean.N, Method: m.Mean.Method}
}

// mostBins is more than any picture shows.
const mostBins = 1_000_000

// unstable says whether the time is infinite, and not just its mean.
func (m *Metric) unstable() bool {
	return math.IsInf(m.Mean.Value, 1) && m.Dist.Total == 0 && !m.Curve.Known()
}

// PDF is the density, averaged over the given number of equal bins from 0 to
// the 0.999-quantile: the edges, one more than the bins, and the
// heights. The atom at 0 is left out, so the area is P(X > 0) less the tail. There
// are none for bins below 1 or above a million.
func (m *Metric) PDF(bins int) (edges, density []float64) {
	exact := m.Curve.Known()
	if m.Dist.Total == 0 && !exact || bins < 1 || bins > mostBins {
		return nil, nil
	}
	top := m.Quantile(0.999).Value
	edges = make([]float64, bins+1)
	for i := range edges {
		edges[i] = top * float64(i) / float64(bins)
	}
	if !exact {
		return edges, m.Dist.Density(edges)
	}
	for i, e := range edges[1:] {
		density = append(density, (m.Curve.Survival(edges[i])-m.Curve.Survival(e))/(e-edges[i]))
	}
	return edges, density
}

// Table is the result by class.
func (r *Result) Table() *Table {
	rows := append(append([]ClassResult(nil), r.Classes...), r.All)
	var names []string
	var needs []float64
	var mean, variance, p90, p99, response []Estimate
	for i := range rows {
		c := &rows[i]
		names, needs = append(names, c.Name), append(needs, float64(c.Need))
		mean, variance = append(mean, c.Waiting.Mean), append(variance, c.Waiting.Variance)
		p90, p99 = append(p90, c.Waiting.Quantile(0.9)), append(p99, c.Waiting.Quantile(0.99))
		response = append(response, c.Response.Mean)
	}
	needs[len(needs)-1] = math.NaN()
	t := NewTable(fmt.Sprintf("Waiting times at λ = %.6g (%s)", r.Rate, r.Solver))
	servers := "servers"
	if len(r.Resources) > 0 {
		servers = "units"
	}
	t.Text("class", names...).Numbers(servers, needs...).Estimates("mean", mean...).
		Estimates("variance", variance...).Estimates("90 % quantile", p90...).
		Estimates("99 % quantile", p99...).Estimates("mean response", response...)
	t.Note = fmt.Sprintf("%g %% intervals. Head-of-line waste %v servers, idle %v, utilisation %v, %v jobs in system.",
		100*r.Level, r.WastedHOL, r.Idle, r.Utilization, r.MeanJobs)
	if len(r.Resources) > 0 {
		t.Note = fmt.Sprintf("%g %% intervals. %v jobs in system.%s", 100*r.Level, r.MeanJobs, r.resourceNote())
	}
	return t
}

// String is the result as text: the table and the notes.
func (r *Result) String() string {
	s := r.Table().String()
	for _, n := range r.Notes {
		s += "Note: " + n + "\n"
	}
	return s
}

// HTML is the result as a notebook shows it.
func (r *Result) HTML() string {
	s := r.Table().HTML()
	for _, n := range r.Notes {
		s += "<p><b>Note:</b> " + escape(n) + "</p>"
	}
	return s
}

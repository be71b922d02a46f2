// Package arrival holds arrival processes as values: renewal processes (Poisson
// among them), Markovian arrival processes with marks and batches, batches of any
// process, superpositions, and rates that change by the hour.
//
// A process is a plain value with exported parameters and no generator inside, so
// it can be shared by goroutines and printed. Constructors never fail; Validate
// names all faults at once. All times are in the unit that the caller chooses.
//
// Arrivals are counted as jobs: a batch of three is three arrivals, of which two
// come after a gap of 0. "At an arrival" means as an arriving job finds it, which
// is not what time averages say unless arrivals are Poisson.
package arrival

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Process is a stationary sequence of arrivals, each of one job.
//
// Methods other than Validate and String assume that Validate returns nil. Functions of this
// package return further properties of a process: [IsPoisson], [AsMarkov], [ClassRates], [SCV],
// [Correlations], [Dispersion], [DispersionAt], [IntervalDispersion], [Laplace], [TailIndex].
type Process interface {
	// Validate returns nil, or an error that names every fault with its remedy.
	Validate() error
	// Rate is the mean number of jobs that arrive per unit of time.
	Rate() float64
	// AtRate is the process of the same shape with the given positive rate: time
	// is scaled, except that a [Profile] keeps its period.
	AtRate(rate float64) Process
	// Chain is the process as random access needs it. Cost O(n³) for n states.
	Chain() Chain
	// String is a Go expression that rebuilds the process, as "Poisson(1.4)".
	String() string
}

// Markovian is implemented by processes that may be a [Markov] process; see
// [AsMarkov].
type Markovian interface {
	Markov() (m Markov, ok bool)
}

// AsMarkov is the process by its matrices, for solvers: itself if it is [Markov],
// a renewal process whose gaps are of phase type, batches and superpositions of
// such. ok is false for others, and for more than MostStates phases.
func AsMarkov(p Process) (m Markov, ok bool) {
	if p, is := p.(Markovian); is {
		return p.Markov()
	}
	return Markov{}, false
}

// IsPoisson is the rate of a process that is Poisson by construction, one job at
// a time and none marked, whatever its type; ok is false for others.
func IsPoisson(p Process) (rate float64, ok bool) {
	c := p.Chain()
	if c.Gap == nil || !c.plain() {
		return 0, false
	}
	return law.MemorylessRate(c.Gap)
}

// ClassRates is the rate of arrival of each class that the process marks, and
// under "" that of the jobs whose class it leaves open. nil if it marks none.
func ClassRates(p Process) map[string]float64 {
	c := p.Chain()
	if c.Class == nil {
		return nil
	}
	rates := map[string]float64{}
	for i, name := range c.Class {
		rates[name] += c.Start[i]
	}
	total := p.Rate()
	for name := range rates {
		rates[name] *= total
	}
	return rates
}

// SCV is the squared coefficient of variation of the gap between arrivals; +Inf
// if its variance is infinite. For a [Profile] of Poisson arrivals it is that of
// the gaps as jobs see them over the whole period, to about six digits; NaN for
// other processes whose rate changes with time.
func SCV(p Process) float64 {
	if c := p.Chain(); c.Clock == nil {
		return c.renewal().SCV()
	}
	if f, is := p.(Profile); is {
		return f.gaps(0).scv
	}
	return math.NaN()
}

// Correlations are the correlations of a gap with those 1 to k arrivals later: 0
// for a renewal process, and NaN if the variance of a gap is 0 or infinite. For
// processes whose rate changes with time see [SCV].
func Correlations(p Process, k int) []float64 {
	c := p.Chain()
	if f, is := p.(Profile); is && c.Clock != nil {
		return f.gaps(k).lags
	}
	if c.Clock == nil && len(c.Start) > 1 {
		return c.renewal().LagCorrelations(k)
	}
	lags := make([]float64, max(0, k))
	if c.Clock != nil || c.Gap != nil && !(c.Gap.Variance() > 0 && !math.IsInf(c.Gap.Variance(), 1)) {
		for j := range lags {
			lags[j] = math.NaN()
		}
	}
	return lags
}

// Dispersion is the limit of the index of dispersion for counts, Var N(t)/E N(t)
// as t grows: 1 for Poisson arrivals, the squared coefficient of variation for
// renewal processes, and for a [Profile] that of the process which it turns. It
// is what a queue in heavy traffic sees of the variability of its arrivals.
func Dispersion(p Process) float64 { return renewal(p).Dispersion() }

// DispersionAt returns the index of dispersion for counts over a time t > 0 in equilibrium, Var
// N(t)/E N(t). It is for processes that may be [Markov] and for a [Profile] of Poisson
// arrivals, where that time begins anywhere in the period; NaN for others.
func DispersionAt(p Process, t float64) float64 {
	if f, is := p.(Profile); is && f.turns() {
		return f.dispersionAt(t)
	}
	m, ok := AsMarkov(p)
	if !ok {
		return math.NaN()
	}
	return m.counts().DispersionAt(t)
}

// IntervalDispersion is the index of dispersion for intervals, k Var S_k/(E S_k)²
// of the time S_k of k >= 1 gaps in a row from an arrival on: the squared
// coefficient of variation at k = 1, and Dispersion as k grows. It is NaN where
// Correlations are, and their cost is its.
func IntervalDispersion(p Process, k int) float64 {
	if k < 1 {
		return math.NaN()
	}
	sum := 1.0
	for j, rho := range Correlations(p, k-1) {
		sum += 2 * (1 - float64(j+1)/float64(k)) * rho
	}
	return SCV(p) * sum
}

// Laplace is the transform E[exp(-s X)] of a gap X seen from an arrival, s >= 0;
// NaN for a [Profile] whose rate changes.
func Laplace(p Process, s float64) float64 { return p.Chain().laplace(s) }

// TailIndex is the k from which on the moments E[X^k] of a gap are infinite; see
// [law.TailIndex]. +Inf for Markov processes.
func TailIndex(p Process) float64 {
	if gap := p.Chain().Gap; gap != nil {
		return law.TailIndex(gap)
	}
	return math.Inf(1)
}

// renewal is the sequence of gaps of a process.
func renewal(p Process) mam.MarkovRenewal { return p.Chain().renewal() }

// dense is a matrix of the given rows.
func dense(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}

// rowsOf are the rows of a matrix.
func rowsOf(m *mat.Dense) [][]float64 {
	n, _ := m.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = mat.Row(nil, i, m)
	}
	return rows
}

// table is a matrix of zeros.
func table(rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, columns)
	}
	return m
}

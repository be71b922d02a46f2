package arrival

import (
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
)

const (
	// MostStates is how many states a [Chain] may have: random access takes a
	// matrix of a given number of rows for every doubling of the time over which it forgets.
	MostStates = 256
	// mostSteps is how many changes of phase may pass between two arrivals on
	// average, for a sample draws them all; as for the laws of phase type.
	mostSteps = 100_000
	// slack is the error allowed in row sums, as when rates come from a file with
	// ten digits.
	slack = 1e-9
	// Rates and times lie between these, so that powers of them are numbers.
	leastNumber, mostNumber = 1e-100, 1e100
)

// Validate wants square matrices of one size, rates that are finite and not
// negative, rows that sum to 0, phases that all lead to each other, an event that
// happens, and no more than MostStates states at arrivals.
func (m Markov) Validate() error {
	if m.fault != nil {
		return m.fault
	}
	var f check.Faults
	n := len(m.D0)
	f.That(n > 0, "there is no phase; give D0 at least one row")
	f.That(n <= MostStates, "there are %d phases; give at most %d", n, MostStates)
	f.That(len(m.Events) > 0, "there are no arrivals; give a matrix of their rates")
	square(&f, "D0", m.D0, n)
	for k, e := range m.Events {
		square(&f, e.named(), e.Rates, n)
		f.That(e.Size >= 1, "event %d has %d jobs; give at least 1", k+1, e.Size)
		f.That(!slices.ContainsFunc(m.Events[:k], e.same), "%s is given twice; add the two up", e.named())
	}
	if len(f.List()) == 0 {
		m.rateFaults(&f)
	}
	if len(f.List()) == 0 {
		m.pathFaults(&f)
	}
	return f.Err(check.Shorten(m.String()))
}

// modulatedFaults says what is wrong with the arguments of MMPP.
func modulatedFaults(rates []float64, generator [][]float64) error {
	var f check.Faults
	f.That(len(rates) > 0, "there is no rate; give one for each phase")
	f.That(len(generator) == len(rates), "the generator has %d rows, and there are %d rates; give a row for each rate", len(generator), len(rates))
	for i, row := range generator {
		f.That(len(row) == len(generator), "row %d of the generator has %d entries; give %d", i+1, len(row), len(generator))
	}
	if !f.None() {
		return f.Err("MMPP")
	}
	for i, row := range generator {
		f.That(rates[i] >= 0 && !math.IsInf(rates[i], 1), "rate %d is %v; rates must be finite and not negative", i+1, rates[i])
		sum, size := 0.0, 0.0
		for j, rate := range row {
			sum, size = sum+rate, max(size, math.Abs(rate))
			f.That(i == j || rate >= 0 && !math.IsInf(rate, 1), "generator[%d][%d] is %v; rates must be finite and not negative", i+1, j+1, rate)
		}
		f.That(math.Abs(sum) <= slack*size, "row %d of the generator sums to %v; take it from generator[%d][%d], the sum must be 0", i+1, sum, i+1, i+1)
	}
	return f.Err("MMPP")
}

// same reports whether the jobs of two events are the same.
func (e Event) same(o Event) bool { return e.Size == o.Size && e.Class == o.Class }

// square expects n rows of n entries.
func square(f *check.Faults, name string, rows [][]float64, n int) {
	f.That(len(rows) == n, "%s has %d rows, and D0 has %d; make them equal", name, len(rows), n)
	for i, row := range rows {
		f.That(len(row) == len(rows), "row %d of %s has %d entries; give %d", i+1, name, len(row), len(rows))
	}
}

// rateFaults looks at the entries and the row sums.
func (m Markov) rateFaults(f *check.Faults) {
	arrivals := false
	for i, row := range m.D0 {
		sum, size := 0.0, 0.0
		entry := func(name string, j int, rate float64, diagonal bool) {
			x := math.Abs(rate)
			sum, size = sum+rate, max(size, x)
			if diagonal {
				f.That(rate <= 0 && !math.IsInf(rate, -1), "%s[%d][%d] is %v; the diagonal must be finite and not positive", name, i+1, j+1, rate)
			} else {
				f.That(rate >= 0 && !math.IsInf(rate, 1), "%s[%d][%d] is %v; rates must be finite and not negative", name, i+1, j+1, rate)
			}
			f.That(!(x > 0 && x < leastNumber || x > mostNumber && !math.IsInf(x, 1)),
				"%s[%d][%d] is %v, and what is computed from it would overflow or vanish; give a rate of %g to %g, in another unit of time", name, i+1, j+1, rate, leastNumber, mostNumber)
		}
		for j, rate := range row {
			entry("D0", j, rate, i == j)
		}
		for _, e := range m.Events {
			for j, rate := range e.Rates[i] {
				entry(e.named(), j, rate, false)
				arrivals = arrivals || rate > 0
			}
		}
		f.That(math.Abs(sum) <= slack*size || math.IsNaN(sum) || math.IsInf(sum, 0), "row %d of the matrices together sums to %v; take it from D0[%d][%d], the sum must be 0", i+1, sum, i+1, i+1)
	}
	f.That(arrivals, "no rate of arrival is positive; give one")
}

// pathFaults looks at where phases lead, how long it takes and how many states
// there are.
func (m Markov) pathFaults(f *check.Faults) {
	n := len(m.D0)
	for _, back := range []bool{false, true} {
		seen := make([]bool, n)
		seen[0] = true
		for open := []int{0}; len(open) > 0; open = open[1:] {
			for j := range seen {
				from, to := open[0], j
				if back {
					from, to = to, from
				}
				if !seen[j] && m.leads(from, to) {
					seen[j], open = true, append(open, j)
				}
			}
		}
		if i := slices.Index(seen, false); i > 0 {
			if back {
				f.Add("phase %d never leads to phase 1; let all phases lead to each other, or leave it out", i+1)
			} else {
				f.Add("phase 1 never leads to phase %d; let all phases lead to each other, or leave it out", i+1)
			}
			return
		}
	}
	if n := len(m.states()); n > MostStates {
		f.Add("an arrival has %d states (its phase, class, and how many of its batch follow); at most %d can be kept, so give fewer", n, MostStates)
	}
	changes, events := 0.0, 0.0
	for i, p := range m.Phases() {
		for j := range m.D0 {
			if i != j {
				changes += p * m.D0[i][j]
			}
			for _, e := range m.Events {
				events += p * e.Rates[i][j]
			}
		}
	}
	f.That(changes <= mostSteps*events, "%.3g changes of phase pass between two arrivals on average, and a sample draws them all; let there be at most %d", changes/events, mostSteps)
}

package arrival

import (
	"fmt"
	"math"
	"strconv"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
)

// Renewal is the process whose gaps are independent and of one law.
type Renewal struct{ Gap law.Law }

// Poisson is the Poisson process of the given rate.
func Poisson(rate float64) Renewal { return Renewal{law.ExpRate(rate)} }

// Validate wants a valid law with a positive finite mean.
func (r Renewal) Validate() error {
	var f check.Faults
	if r.Gap == nil {
		f.Add("there is no law of the gaps; give one, for example ExpMean(1)")
		return f.Err("Renewal")
	}
	f.Join(r.Gap.Validate())
	if len(f.List()) == 0 {
		m := r.Gap.Mean()
		f.That(m > 0 && !math.IsInf(m, 1), "the mean of the gaps %v is %v; give a law with a positive finite one", r.Gap, m)
	}
	return f.Err("arrivals")
}

// Rate is one over the mean gap.
func (r Renewal) Rate() float64 { return 1 / r.Gap.Mean() }

// AtRate scales the gaps.
func (r Renewal) AtRate(rate float64) Process {
	return Renewal{r.Gap.Scaled(1 / (rate * r.Gap.Mean()))}
}

// Chain has one state.
func (r Renewal) Chain() Chain {
	return Chain{Start: []float64{1}, Move: [][]float64{{1}}, Gap: r.Gap}
}

// Markov has the phases of the gap.
func (r Renewal) Markov() (Markov, bool) {
	if n, ok := law.PhaseCount(r.Gap); !ok || n > MostStates {
		return Markov{}, false
	}
	alpha, a, ok := law.Phases(r.Gap)
	if !ok {
		return Markov{}, false
	}
	start := 0.0
	for _, p := range alpha {
		start += p
	}
	if start < 1-1e-9 { // gaps of 0 are batches, and these are not of phases
		return Markov{}, false
	}
	d1 := table(len(a), len(a))
	for i, row := range a {
		exit := 0.0
		for _, rate := range row {
			exit -= rate
		}
		if exit <= 1e-12*-row[i] { // rounding, as the law itself has it
			continue
		}
		for j, p := range alpha {
			d1[i][j] = exit * p
		}
	}
	return MAP(a, d1).reached(alpha), true
}

// String is "Poisson(1.4)" or "Renewal{ErlangMeanPhases(1, 2)}".
func (r Renewal) String() string {
	if rate, is := law.MemorylessRate(r.Gap); is && law.Law(law.ExpRate(rate)) == r.Gap {
		return "Poisson(" + strconv.FormatFloat(rate, 'g', -1, 64) + ")"
	}
	return fmt.Sprintf("Renewal{%v}", r.Gap)
}

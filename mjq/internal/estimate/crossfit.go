package estimate

import (
	"math"
	"sync"

	"github.com/mjqueue/mjq/mjq/result"
)

// folds is into how many parts the observations are dealt.
const folds = 8

// Crossfit estimates expectations of values, and functions of neighbouring ones,
// with the help of control variates: numbers of the same observation whose
// expectations are known to be 0. From a value it takes βc, the part of its error
// that the controls explain linearly (Lavenberg and Welch, Management Science 27,
// 1981). The coefficients β used for an observation are fitted to the observations
// of other folds, so that they do not depend on its controls and the mean is
// without bias for any number of observations (Avramidis and Wilson, Oper. Res.
// Letters 14, 1993). Constant memory: quadratic in the number of controls, and 512
// sections.
type Crossfit struct {
	// Gauge is the index of a value that tells, with its square at the next, what the
	// paths are worth; -1: there is none.
	Gauge int
	// First, unless 0, is how many controls, the first ones, the values before the index
	// Before have: where those tell nearly all, the coefficients of more cost more than
	// they bring.
	First, Before int
	// Slack is by how much intervals of variances are wider than what was seen asks for.
	Slack float64

	controls int
	n        int
	folds    [folds]fold

	asked sync.Mutex    // several goroutines may ask at once
	bases *[folds]basis // of each fold; nil: not made yet
}

// fold is the observations of one fold, and what they are made of.
type fold struct {
	whole, parts moments
	sections     sections
}

// moments are those of vectors of the controls and the values.
type moments struct {
	controls int
	n        float64
	mean     []float64
	cross    []float64 // centred sums of products, controls by everything
	square   []float64 // the same of each value with itself and the next ones
	delta    []float64 // scratch
}

// Controls is the number of control variates.
func (f *Crossfit) Controls() int { return f.controls }

// near is how many neighbouring values a function may have.
const near = 3

// NewCrossfit is for that many controls and values.
func NewCrossfit(controls, values int) *Crossfit {
	f := &Crossfit{controls: controls, Gauge: -1, Slack: 1}
	for g := range f.folds {
		f.folds[g] = fold{whole: newMoments(controls, values), parts: newMoments(controls, values)}
	}
	return f
}

func newMoments(controls, values int) moments {
	all := controls + values
	return moments{controls: controls, mean: make([]float64, all), delta: make([]float64, all),
		cross: make([]float64, controls*all), square: make([]float64, near*values)}
}

// Add observes the controls and then the values, one after another in v.
func (f *Crossfit) Add(v []float64) {
	g := f.n % folds
	if g == 0 && f.folds[0].sections.full(mostSections/folds) { // and so are the others
		for h := range f.folds {
			f.folds[h].sections.join()
		}
	}
	f.folds[g].whole.add(v)
	f.folds[g].sections.add(v...)
	f.n++
	f.bases = nil
}

// Part says that the next observation is a sum to which v contributes. Where
// observations are few and long, β is fitted to their parts.
func (f *Crossfit) Part(v []float64) {
	f.folds[f.n%folds].parts.add(v)
	f.bases = nil
}

func (m *moments) add(v []float64) {
	m.n++
	for j := range v {
		m.delta[j] = v[j] - m.mean[j]
		m.mean[j] += m.delta[j] / m.n
	}
	all := len(v)
	for i := range m.controls {
		row := m.cross[i*all : (i+1)*all]
		for j := range row {
			row[j] += m.delta[i] * (v[j] - m.mean[j])
		}
	}
	for i := m.controls; i < all; i++ {
		row := m.square[(i-m.controls)*near:]
		for j := i; j < min(i+near, all); j++ {
			row[j-i] += m.delta[i] * (v[j] - m.mean[j])
		}
	}
}

// Mean estimates E[x] of the value x at an index.
func (f *Crossfit) Mean(at int, level float64, method string) result.Estimate {
	if f.n == 0 {
		return result.Unknown()
	}
	return f.of(at, 1).interval(f.n, level, OfMean.prior(level, f.worth(f.Gauge)), method)
}

// Variance estimates E[y] - E[x]² of the values x, y from an index on; see
// Pair.Variance.
func (f *Crossfit) Variance(at int, level float64, method string) result.Estimate {
	if f.n == 0 {
		return result.Unknown()
	}
	x, y := f.of(at, 1), f.of(at, 0, 1)
	d := f.of(at, -2*x.value, 1)
	d.value = y.value - x.value*x.value
	if f.n > 1 {
		d.value += x.se * x.se // the square of the mean overshoots by its variance
	}
	d.se *= f.Slack
	return d.interval(f.n, level, OfVariance.prior(level, f.worth(at)), method)
}

// worth is what paths are worth without controls, by the values x and y from an
// index on.
func (f *Crossfit) worth(at int) Worth {
	if at < 0 {
		return Worth{}
	}
	var p Pair
	for g := range f.folds {
		s := &f.folds[g].sections
		s.each(func(row []float64) {
			w := float64(s.width)
			p.Add(row[f.controls+at]/w, row[f.controls+at+1]/w)
		})
	}
	return p.Worth()
}

// Ratios estimates E[x]/E[n] and E[y]/E[n] less its square, of the values n, x, y
// from an index on; see OfBatches.
func (f *Crossfit) Ratios(at int, level float64, method string) (mean, variance result.Estimate) {
	if f.n == 0 {
		return result.Unknown(), result.Unknown()
	}
	n, x, y := f.of(at, 1), f.of(at, 0, 1), f.of(at, 0, 0, 1)
	if !(n.value > 0) {
		return result.Unknown(), result.Unknown()
	}
	var batches []Batch
	for g := range f.folds {
		f.folds[g].sections.each(func(row []float64) {
			row = row[f.controls+at:]
			batches = append(batches, Batch{row[0], row[1], row[2]})
		})
	}
	_, _, worth := OfBatches(batches, level, "")
	m, second := x.value/n.value, y.value/n.value
	onMean, onVariance := f.of(at, -m, 1), f.of(at, 2*m*m-second, -2*m, 1)
	onMean.se /= n.value
	onVariance.se *= f.Slack / n.value
	onMean.value, onVariance.value = m, max(0, second-m*m)
	return onMean.interval(f.n, level, OfMean.prior(level, worth), method),
		onVariance.interval(f.n, level, OfVariance.prior(level, worth), method)
}

// adjusted is a value less its controls with its standard error and the influence of each section.
type adjusted struct {
	value, se  float64
	influence  []float64
	controlled bool
}

func (v adjusted) interval(n int, level, prior float64, method string) result.Estimate {
	wider := widening(v.influence, level, prior)
	if v.controlled {
		wider = 1 + controlledShare*(wider-1)
	}
	return result.Estimate{Value: v.value, HalfWidth: result.StudentT(level, n-1) * v.se * wider, Level: level, N: n, Method: method}
}

// of estimates the expectation of a weighted sum of the values from an index on.
func (f *Crossfit) of(at int, weights ...float64) (v adjusted) {
	bases := f.common()
	n, sections := float64(f.n), 0
	for g := range f.folds {
		sections += f.folds[g].sections.complete()
	}
	v.controlled = f.controls > 0
	v.influence = make([]float64, 0, sections)
	var levels [folds]float64 // of z less its controls, by fold
	sum := 0.0                // of squares around them
	for g := range levels {
		beta := bases[g].fit(f.most(at), at, weights)
		level, squares := f.folds[g].whole.less(beta, at, weights)
		levels[g] = level
		v.value += f.folds[g].whole.n / n * level
		sum += squares
		f.folds[g].sections.each(func(row []float64) {
			v.influence = append(v.influence, less(row, beta, at, weights))
		})
	}
	for g, level := range levels {
		sum += f.folds[g].whole.n * (level - v.value) * (level - v.value)
	}
	v.se = math.Sqrt(max(0, sum) / (n - 1) / n)
	return v
}

// common are the bases of the folds, made again once there are more observations.
func (f *Crossfit) common() *[folds]basis {
	f.asked.Lock()
	defer f.asked.Unlock()
	if f.bases != nil {
		return f.bases
	}
	var made [folds]basis
	for g := range made {
		var others []*moments
		for h := range f.folds {
			m := &f.folds[h].parts
			if m.n == 0 {
				m = &f.folds[h].whole
			}
			if h != g && m.n > 0 {
				others = append(others, m)
			}
		}
		made[g] = newBasis(f.controls, others)
	}
	f.bases = &made
	return f.bases
}

// most is how many controls the value at an index may have.
func (f *Crossfit) most(at int) int {
	if f.First > 0 && at < f.Before {
		return f.First
	}
	return f.controls
}

// less is the weighted sum of values of a section less its controls.
func less(row, beta []float64, at int, weights []float64) (z float64) {
	for k, a := range weights {
		z += a * row[len(beta)+at+k]
	}
	for i, b := range beta {
		z -= b * row[i]
	}
	return z
}

package trace

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// twoPhases is a Markovian arrival process of two phases: rates of changing phase without
// an arrival in d0, whose diagonal is minus the rates of leaving, and with one in d1.
type twoPhases struct{ d0, d1 [2][2]float64 }

// mmpp is the one whose rate of arrivals is r[i] in phase i, left at rate q[i].
func mmpp(r, q [2]float64) twoPhases {
	return twoPhases{[2][2]float64{{-r[0] - q[0], q[0]}, {q[1], -r[1] - q[1]}}, [2][2]float64{{r[0], 0}, {0, r[1]}}}
}

// process is the process with rates in another unit of time.
func (m twoPhases) process(rate float64) arrival.Process {
	rows := func(d [2][2]float64) [][]float64 { return [][]float64{d[0][:], d[1][:]} }
	return arrival.MAP(rows(m.d0), rows(m.d1)).AtRate(rate)
}

// logLikelihood is that of gaps in a row, the first from an arrival in equilibrium. With
// d0 - m I = N and N² = δ² I, exp(d0 x) = e^{mx} (cosh(δx) I + sinh(δx)/δ N). It takes
// two exponentials and a logarithm a gap.
func (m twoPhases) logLikelihood(gaps []float64) (sum float64) {
	a, b, c, d := m.d0[0][0], m.d0[0][1], m.d0[1][0], m.d0[1][1]
	mean, half := (a+d)/2, (a-d)/2
	delta := math.Sqrt(half*half + b*c)
	// The phase just after an arrival.
	u, v := c+m.d1[1][0], b+m.d1[0][1]
	p, q := u*m.d1[0][0]+v*m.d1[1][0], u*m.d1[0][1]+v*m.d1[1][1]
	p, q = p/(p+q), q/(p+q)
	scale, waits := 1.0, 0.0 // the logarithm of the first is taken now and then
	for _, x := range gaps {
		e := math.Exp(-2 * delta * x)
		even, odd := (1+e)/2, x
		if delta*x > 1e-8 {
			odd = (1 - e) / (2 * delta)
		}
		s := p*(even+odd*half) + q*odd*c
		t := p*odd*b + q*(even-odd*half)
		p, q = s*m.d1[0][0]+t*m.d1[1][0], s*m.d1[0][1]+t*m.d1[1][1]
		whole := p + q
		if !(whole > 0) {
			return math.Inf(-1)
		}
		p, q = p/whole, q/whole
		waits += x
		if scale *= whole; scale < 1e-200 || scale > 1e200 {
			sum += math.Log(scale)
			scale = 1
		}
	}
	return sum + math.Log(scale) + (mean+delta)*waits
}

// likeliest finds the parameters that make the gaps likeliest, of which the mean is 1:
// from several starts on a stretch of them, and then on all.
func likeliest(ctx context.Context, gaps []float64, starts [][]float64, of func(parameters []float64) twoPhases) (twoPhases, float64) {
	stretch := gaps[:min(len(gaps), mostTried)]
	best, worth := starts[0], math.Inf(1)
	for _, start := range starts {
		x, value := simplex(start, 0.7, 80*len(start), func(x []float64) float64 { return penalised(ctx, of(x), x, stretch) })
		if value < worth {
			best, worth = x, value
		}
	}
	best, _ = simplex(best, 0.1, 60*len(best), func(x []float64) float64 { return penalised(ctx, of(x), x, gaps) })
	m := of(best)
	return m, m.logLikelihood(gaps)
}

// mostTried is how many gaps are looked at from every start.
const mostTried = 20_000

// penalised is minus the likelihood, and infinite for rates that no log can tell and once ctx
// has ended, so that no search goes on.
func penalised(ctx context.Context, m twoPhases, parameters, gaps []float64) float64 {
	if ctx.Err() != nil {
		return math.Inf(1)
	}
	const far = 14 // e^14: a million times the mean gap, or its inverse
	for _, x := range parameters {
		if math.Abs(x) > far {
			return math.Inf(1)
		}
	}
	return -m.logLikelihood(gaps)
}

// simplex minimises f by the method of Nelder and Mead from a point and others that far
// from it, with so many evaluations at most. It gives the point itself where f is infinite
// there.
func simplex(start []float64, size float64, evaluations int, f func([]float64) float64) (best []float64, value float64) {
	settings := &optimize.Settings{
		FuncEvaluations: evaluations,
		Converger:       &optimize.FunctionConverge{Relative: 1e-9, Iterations: 5 * len(start)},
	}
	found, err := optimize.Minimize(optimize.Problem{Func: f}, start, settings, &optimize.NelderMead{SimplexSize: size})
	if err != nil || math.IsInf(found.F, 1) {
		return start, math.Inf(1)
	}
	return found.X, found.F
}

// fitMMPP and the others fit to gaps of mean 1, and say how many parameters they have.
func fitMMPP(ctx context.Context, gaps []float64) (twoPhases, float64) {
	starts := [][]float64{{1.1, -0.7, -2.3, -2.3}, {1.6, -1.6, -4.6, -4.6}, {2.3, -0.4, 0, -1.6}}
	return likeliest(ctx, gaps, starts, func(x []float64) twoPhases {
		return mmpp([2]float64{math.Exp(x[0]), math.Exp(x[1])}, [2]float64{math.Exp(x[2]), math.Exp(x[3])})
	})
}

// fitHyper fits independent gaps, one of two exponential laws.
func fitHyper(ctx context.Context, gaps []float64) (twoPhases, float64) {
	return likeliest(ctx, gaps, [][]float64{{0.7, -0.7, 0}, {2.3, -0.4, -1}}, func(x []float64) twoPhases {
		r := [2]float64{math.Exp(x[0]), math.Exp(x[1])}
		p := 1 / (1 + math.Exp(-x[2]))
		return twoPhases{[2][2]float64{{-r[0], 0}, {0, -r[1]}}, [2][2]float64{{r[0] * p, r[0] * (1 - p)}, {r[1] * p, r[1] * (1 - p)}}}
	})
}

// fitMAP fits all six rates, from the other two fits.
func fitMAP(ctx context.Context, gaps []float64, from ...twoPhases) (twoPhases, float64) {
	var starts [][]float64
	least := func(x float64) float64 { return math.Log(max(x, 1e-4)) }
	for _, m := range from {
		starts = append(starts, []float64{least(m.d0[0][1]), least(m.d0[1][0]), least(m.d1[0][0]), least(m.d1[0][1]), least(m.d1[1][0]), least(m.d1[1][1])})
	}
	return likeliest(ctx, gaps, starts, func(x []float64) twoPhases {
		var e [6]float64
		for i := range e {
			e[i] = math.Exp(x[i])
		}
		return twoPhases{[2][2]float64{{-e[0] - e[2] - e[3], e[0]}, {e[1], -e[1] - e[4] - e[5]}}, [2][2]float64{{e[2], e[3]}, {e[4], e[5]}}}
	})
}

const (
	// mostFitted is the longest chain that law.FitThreeMoments makes.
	mostFitted = 50
	// constant is the c² below which times are one number but for rounding.
	constant = 1e-9
)

// LawFit is how one law of a model stands for the times in a trace.
type LawFit struct {
	Class   string     // name of the class; "arrivals" for the gaps between jobs
	N       int        // times in the trace
	Moments [3]float64 // E[X], E[X²], E[X³] of those
	Law     law.Law
	Matched int    // how many of them the law has, counted from the first
	Note    string // why it is fewer than asked for; empty if it is not
}

// fitting makes a law of times with the given mean, c² and third moment b in
// units of the mean, says how many of the moments it has and, if these are fewer
// than asked for, why.
type fitting func(mean, scv, b float64) (l law.Law, matched int, note string)

func fitMean(mean, _, _ float64) (law.Law, int, string) { return law.ExpMean(mean), 1, "" }

func fitTwo(mean, scv, _ float64) (law.Law, int, string) { return law.FitMeanSCV(mean, scv), 2, "" }

func fitThree(mean, scv, b float64) (law.Law, int, string) {
	if scv < constant {
		return law.Deterministic{X: mean}, 3, ""
	}
	if l, err := law.FitThreeMoments(1, 1+scv, b); err == nil {
		return l.Scaled(mean), 3, ""
	}
	return law.FitMeanSCV(mean, scv), 2, infeasible(scv, b)
}

// infeasible says what keeps times from having a law of few phases.
func infeasible(scv, b float64) string {
	if scv < 1.0/mostFitted {
		return fmt.Sprintf("c² = %.4g is below 1/%d, so a phase-type law would take more than %d phases; the mean and c² are matched", scv, mostFitted, mostFitted)
	}
	low, high := mam.ThirdMomentBounds(1, 1+scv, mostFitted)
	return fmt.Sprintf("E[X³] = %.4g E[X]³ lies outside %.4g to %.4g, which laws of %d phases with c² = %.4g have; the mean and c² are matched",
		b, low, high, mostFitted, scv)
}

// of fits a class, or the gaps. Without a fitting the law is empirical and has
// all moments.
func (f fitting) of(class string, xs []float64) (LawFit, error) {
	out := LawFit{Class: class, N: len(xs), Law: law.NewEmpirical(xs), Matched: 3}
	mean := out.Law.Mean()
	b := 0.0
	for _, x := range xs {
		b += x / mean * (x / mean) * (x / mean) / float64(len(xs))
	}
	out.Moments = [3]float64{mean, mean*mean + out.Law.Variance(), b * mean * mean * mean}
	if f == nil {
		return out, nil
	}
	if !(mean > 0) || math.IsInf(mean, 1) {
		return out, fmt.Errorf("class %q: the mean of its %s is %v, and no law is fitted to that; leave these jobs out, or take the times as they are, with 0 moments", class, spec.Count(len(xs), "time"), mean)
	}
	out.Law, out.Matched, out.Note = f(mean, law.SCV(out.Law), b)
	return out, nil
}

// Table holds the laws of the model against the times of the log.
func (r *Fitted) Table() *result.Table {
	t := result.NewTable("Laws next to the log").In(r.Model.Spec().Unit).Text("times").Numbers("number").Numbers("mean").Time(1).
		Numbers("scv of the log").Numbers("scv of the law").Text("law")
	var notes []string
	noted := false
	for _, f := range r.laws() {
		t.Row(f.Class, f.N, f.Moments[0], f.scv(), law.SCV(f.Law), check.Shorten(check.Brief(f.Law.String())))
		notes, noted = append(notes, f.Note), noted || f.Note != ""
	}
	if noted {
		t.Text("note", notes...)
	}
	return t
}

// scv is the squared coefficient of variation of the times; NaN where all are 0.
func (f *LawFit) scv() float64 {
	if f.Moments[0] == 0 {
		return math.NaN()
	}
	return f.Moments[1]/(f.Moments[0]*f.Moments[0]) - 1
}

// String returns the model in words, its laws next to the log, and the arrivals if they were
// fitted.
func (r *Fitted) String() string {
	text := r.Model.String() + "\n" + r.Table().String()
	if r.Arrivals != nil {
		text += "\n" + r.Arrivals.String()
	}
	return text
}

// HTML returns what String does as HTML, for a notebook.
func (r *Fitted) HTML() string {
	text := r.Model.HTML() + r.Table().HTML()
	if r.Arrivals != nil {
		text += r.Arrivals.HTML()
	}
	return text
}

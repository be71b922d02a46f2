package trace

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

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

package trace

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// Table holds the laws of the model against the times of the log.
func (r *Fitted) Table() *result.Table {
	var of, laws, notes []string
	var n, means, scvs, ours []float64
	noted := false
	for _, f := range r.laws() {
		of, laws, notes = append(of, f.Class), append(laws, check.Shorten(check.Brief(f.Law.String()))), append(notes, f.Note)
		n, means = append(n, float64(f.N)), append(means, f.Moments[0])
		scvs, ours = append(scvs, f.scv()), append(ours, law.SCV(f.Law))
		noted = noted || f.Note != ""
	}
	t := result.NewTable("Laws next to the log").In(r.Model.Spec().Unit).Text("times", of...).Numbers("number", n...).Numbers("mean", means...).Time(1).
		Numbers("scv of the log", scvs...).Numbers("scv of the law", ours...).Text("law", laws...)
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

package widgets

import (
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
)

// most is how many jobs a path may have that is drawn job by job.
const most = 200

// picture is what is drawn beside an answer where it stands alone in a cell, nil if nothing.
func picture(answer any) any {
	var f interface{ SVG() ([]byte, error) }
	switch a := answer.(type) {
	case *result.Result:
		if !a.Stable || !hasTails(a) {
			return nil
		}
		f = plots.Tails(a)
	case *result.Comparison:
		f = plots.Compare(a)
	case *result.Sensitivities:
		f = plots.Sensitivities(a)
	case *result.Transient:
		f = plots.ByTime(a)
	case *result.Sweep:
		f = plots.Sweep(a)
	case *result.Sizing:
		f = plots.Sizing(a)
	case []*result.Result:
		f = plots.Means(a...)
	case *result.ArrivalFit:
		f = plots.ArrivalFit(a)
	case *result.Path:
		if len(a.Jobs) > most {
			return nil
		}
		f = Gantt(a)
	default:
		return nil
	}
	if _, err := f.SVG(); err != nil { // there is too little to draw
		return nil
	}
	return f
}

// hasTails reports whether the distribution of every class's wait is known, and somebody waits.
func hasTails(r *result.Result) bool {
	waits := false
	for i := range r.Classes {
		w := &r.Classes[i].Waiting
		if len(w.TailProbability) == 0 && !w.Quantile(0.5).Known() {
			return false
		}
		waits = waits || !(w.NoWait.Value >= 1)
	}
	return waits
}

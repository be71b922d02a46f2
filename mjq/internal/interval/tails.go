package interval

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
)

// HeavyTails goes over a finished result: what has no interval loses it, what is
// infinite is set so, and a note says why and what to do. It returns how heavy they are.
func HeavyTails(ctx context.Context, m *problem.Problem, r *result.Result, by Averaging) Tails {
	t := TailsOf(ctx, m, r.Rate, by)
	inf := math.Inf(1)
	panics.Blocks(len(r.Classes), func(from, to int) {
		for i := from; i < to; i++ {
			c := &r.Classes[i]
			t.limit(&c.Waiting, inf)
			t.limit(&c.Response, t.index[i])
		}
	})
	t.limit(&r.All.Waiting, inf)
	t.limit(&r.All.Response, t.service)
	if math.IsNaN(r.All.Waiting.Mean.HalfWidth) {
		r.Run.VarianceReduction = 0
	}
	time := by != OverTime || t.gap > 2 // else averages over time have no variance
	Withhold(&r.MeanJobs, t.given(1) && time, t.Sure <= 1)
	Withhold(&r.WastedHOL, t.given(0) && time, false)
	Withhold(&r.Idle, by != OverTime || t.given(0) && time, false)
	Withhold(&r.Utilization, by != OverTime || t.given(0) && time, false)
	for i := range r.Resources {
		Withhold(&r.Resources[i].WastedHOL, t.given(0), false)
	}
	r.Notes = append(r.Notes, tailNotes(m, &t)...)
	return t
}

// tailNotes says which moments are missing, what has no interval for that, and
// what to do.
func tailNotes(m *problem.Problem, t *Tails) (notes []string) {
	if t.by == OverTime && t.gap <= 2 {
		notes = append(notes, fmt.Sprintf("Averages over time have no interval: interarrival times %v have finite moments only below order %.4g, and order 2 is needed. Use averages over jobs.", m.ArrivalName(), t.gap))
	}
	if t.given(2) && t.given(0) && (t.by != OverTime || t.service >= 2*fewest) {
		return notes
	}
	text := tailReason(m, t)
	switch {
	case t.Sure <= 1:
		text += " The mean and the variance of the wait are infinite."
	case t.Sure <= 2:
		text += " The variance of the wait is infinite."
	}
	for k, name := range []string{"wasted servers, probabilities and quantiles", "mean waits", "variances"} {
		if !t.given(float64(k)) && t.Sure > float64(k) {
			text += fmt.Sprintf(" There is no interval for %s, which needs E[σ^%.3g] < ∞.", name, t.needs(float64(k)))
		}
	}
	if t.by == OverTime && t.service < 2*fewest {
		text += fmt.Sprintf(" Measured response times need E[σ^%v] < ∞ for the interval of a mean and E[σ^%v] < ∞ for that of a variance.", fewest, 2*fewest)
	}
	return append(notes, text+" "+tailRemedy)
}

// tailReason says which class has which moments, and what that does to the waits.
func tailReason(m *problem.Problem, t *Tails) string {
	c, jobs := t.Class, t.Jobs
	if jobs == 0 {
		c = t.least
	}
	text := fmt.Sprintf("Waits have a heavy tail: service times %[2]v of class %[1]q have finite moments only below order %.4[3]g", m.Classes[c].Name, m.Classes[c].Service, t.index[c])
	verb := "may be"
	if t.Sure == t.Index {
		verb = "is"
	}
	if jobs == 1 {
		return text + fmt.Sprintf(", and one long job blocks the queue, so E[W^k] %s infinite from k = %.4g on.", verb, t.Index)
	}
	return text + fmt.Sprintf(", and %d long jobs at once block the queue, so E[W^k] %s infinite from k = %.4g on.", jobs, verb, t.Index)
}

// tailRemedy is what to do without an interval.
const tailRemedy = "Use quantiles, which are finite, or bound the service times at the longest possible one with BoundedPareto. For one server MPareto1 is exact."

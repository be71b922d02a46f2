package product

import (
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// shares are the estimates that lie between 0 and 1, by the ends of their paths.
var shares = regexp.MustCompile(`\.(NoWait|ServiceLevel|Blocked|BlockedTime|BlockedWork|Left|Killed|AtOnce|LostShare|Scattered|Utilization)$`)

// holds fails unless estimates are what their names say: shares between 0 and 1, no negative
// half-width, no interval without a value.
func holds(t testing.TB, what string, x any) {
	t.Helper()
	oracle.Estimates(reflect.ValueOf(x), "", func(at string, e *result.Estimate) {
		changes := strings.Contains(at, "Between") || strings.Contains(at, "Differences") || strings.Contains(at, "Change")
		switch {
		case e.HalfWidth < 0, math.IsNaN(e.Value) && e.HalfWidth > 0 && !math.IsInf(e.HalfWidth, 0):
			t.Errorf("%s: %s is %v with the half-width %v", what, at, e.Value, e.HalfWidth)
		case shares.MatchString(at) && !changes && e.Known() && !(e.Value >= -1e-9 && e.Value <= 1+1e-9):
			t.Errorf("%s: the share %s is %v", what, at, e.Value)
		}
	})
}

// noise is how many half-widths of 95 % two sides of an identity may differ in a run of few jobs.
const noise = 5

// same fails unless two sides of an identity agree: to rounding if both are exact, else within
// their intervals. One without an interval says nothing.
func same(t testing.TB, what string, a, b result.Estimate) {
	t.Helper()
	allowed := noise*(a.HalfWidth+b.HalfWidth) + 1e-8*(1+math.Abs(a.Value))
	if math.IsNaN(allowed) || math.IsInf(a.Value, 0) || math.IsInf(b.Value, 0) {
		return
	}
	if !(math.Abs(a.Value-b.Value) <= allowed) {
		t.Errorf("%s: %v ± %.3g and %v ± %.3g", what, a.Value, a.HalfWidth, b.Value, b.HalfWidth)
	}
}

// plus is the sum of c times estimates, with the sum of their half-widths.
type plus struct{ value, half float64 }

func (p *plus) add(c float64, e result.Estimate) {
	p.value, p.half = p.value+c*e.Value, p.half+math.Abs(c)*e.HalfWidth
}

func (p *plus) estimate() result.Estimate {
	return result.Estimate{Value: p.value, HalfWidth: p.half}
}

// balances fails unless a stationary result has the identities of its queue: quantiles that rise,
// response = wait + service, idle + busy = all, Little's law, and the work that is served.
func balances(t testing.TB, what string, m mjq.Model, r *result.Result) {
	t.Helper()
	s := m.Spec()
	if !r.Stable {
		return
	}
	for i := range r.Classes {
		rising(t, what+": wait of "+r.Classes[i].Name, &r.Classes[i].Waiting)
	}
	rising(t, what+": wait of all", &r.All.Waiting)
	if len(s.Resources) == 0 && r.Idle.Known() && r.Utilization.Known() {
		servers := float64(s.Servers)
		same(t, what+": idle servers and those not busy", r.Idle, result.Estimate{Value: servers * (1 - r.Utilization.Value), HalfWidth: servers * r.Utilization.HalfWidth})
		if r.WastedHOL.Known() && r.WastedHOL.Value > r.Idle.Value+noise*(nonNaN(r.WastedHOL.HalfWidth)+nonNaN(r.Idle.HalfWidth))+1e-8*servers {
			t.Errorf("%s: %v servers wasted of %v idle", what, r.WastedHOL, r.Idle)
		}
	}
	if steady(s) {
		little(t, what, s, r)
		if !s.Features().Has(spec.Resizing) { // what a job brings depends on its sizes
			work(t, what, s, r)
		}
	}
}

func nonNaN(x float64) float64 {
	if math.IsNaN(x) {
		return math.Inf(1)
	}
	return x
}

// steady reports whether jobs get the service that they bring, once.
func steady(s *spec.Spec) bool {
	return s.Policy == nil || !s.Policy.Properties().Preemptive && !strings.Contains(s.Policy.String(), "Kill")
}

// rising fails unless quantiles do not fall and have probabilities.
func rising(t testing.TB, what string, w *result.Metric) {
	t.Helper()
	last := math.Inf(-1)
	for _, p := range []float64{0.1, 0.5, 0.9, 0.99, 0.999} {
		q := w.Quantile(p)
		if q.Known() && !(q.Value >= last && q.Value >= 0) {
			t.Errorf("%s: the %v-quantile is %v after %v", what, p, q.Value, last)
		}
		if q.Known() {
			last = q.Value
		}
		if c := w.CDF(q.Value); q.Known() && c.Known() && !(c.Value >= -1e-9 && c.Value <= 1+1e-9) {
			t.Errorf("%s: P(W ≤ %v) is %v", what, q.Value, c.Value)
		}
	}
	if w.Mean.Known() && w.Mean.Value < -noise*nonNaN(w.Mean.HalfWidth)-1e-9 {
		t.Errorf("%s: mean %v", what, w.Mean)
	}
}

// one is a share or 1 where none is lost.
func one(e result.Estimate) result.Estimate {
	if !e.Known() {
		return result.Estimate{}
	}
	return e
}

// little checks L = λE[T] of the jobs in the system, where the rate is that of arrivals.
func little(t testing.TB, what string, s *spec.Spec, r *result.Result) {
	t.Helper()
	if !r.MeanJobs.Known() || math.IsNaN(r.Rate) {
		return
	}
	var l plus
	for i := range r.Classes {
		c, service := &r.Classes[i], s.Classes[i].Service.Mean()
		switch rate := r.Rate * c.Prob; {
		case dropping(s) && (!c.InLine.Known() || !c.Carried.Known()):
			return
		case dropping(s):
			l.add(rate*(1-one(c.Blocked).Value), c.InLine)
			l.half += rate * c.InLine.Value * one(c.Blocked).HalfWidth
			l.add(service, c.Carried)
		case !c.Response.Mean.Known():
			return
		default:
			l.add(rate, c.Response.Mean)
		}
		if s.Classes[i].Users > 0 {
			return // they come at another rate
		}
	}
	same(t, what+": E[N] by itself and by Little's law", r.MeanJobs, l.estimate())
}

// work checks that servers are busy with the work that is served: λE[aσ]/s where no job is lost. Where
// backfilling finds the room full it lets in the jobs that are short enough to start at once.
func work(t testing.TB, what string, s *spec.Spec, r *result.Result) {
	t.Helper()
	chooses := dropping(s) && s.Policy != nil && s.Policy.Properties().Estimates
	if !r.Utilization.Known() || len(s.Resources) > 0 || math.IsNaN(r.Rate) || chooses {
		return
	}
	var w plus
	for i := range r.Classes {
		c := &r.Classes[i]
		each := float64(c.Need) * s.Classes[i].Service.Mean() / float64(s.Servers)
		if dropping(s) {
			if !c.Carried.Known() {
				return
			}
			w.add(each, c.Carried)
			continue
		}
		w.value += r.Rate * c.Prob * each
	}
	same(t, what+": busy servers and the work that is served", r.Utilization, w.estimate())
}

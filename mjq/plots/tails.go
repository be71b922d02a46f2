package plots

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Tails draws P(W > x), the probability that a job of each class waits longer than x, on a
// logarithmic axis. It goes down to one job in a thousand, or to what ten observations show,
// and to one in a million if the result is exact. An exponential tail is a straight line.
// Results of mjq.RareEvent are drawn at their times, with intervals. The caption says how long the
// unluckiest of a hundred jobs waits.
func Tails(r *result.Result) *figure.Figure {
	return tails(r, func(end float64, k int) float64 { return end * float64(k) / tailPoints })
}

// TailsLogLog is Tails with both axes logarithmic, over three decades of x: a
// tail that falls as a power of x is a straight line.
func TailsLogLog(r *result.Result) *figure.Figure {
	return tails(r, func(end float64, k int) float64 { return end * math.Pow(1000, float64(k)/tailPoints-1) }).LogX()
}

// tailPoints is the number of steps in a curve of Tails.
const tailPoints = 200

// tailEnds says why sampled tails end.
const tailEnds = "A bar across marks where fewer than ten waits, or one in a thousand, lie beyond."

// tails draws the tails at the points that grid places up to an end.
func tails(r *result.Result, grid func(end float64, k int) float64) *figure.Figure {
	f := figure.New("How long jobs wait" + r.AtRate(4)).X("waiting time x").Y("P(W > x)").LogY().Legible()
	classes, note := fewClasses(r.Classes)
	for _, i := range classes {
		w := &r.Classes[i].Waiting
		if len(w.TailProbability) > 0 {
			f.Points(beyond(r.Classes[i].Name, w))
			continue
		}
		x, y := tail(w, grid)
		if w.Curve.Known() {
			f.Theory(r.Classes[i].Name, x, y)
		} else {
			f.Survival(r.Classes[i].Name, x, y, count(w))
		}
	}
	f.Convert(axis(r.Unit, 1), nil)
	text := note + unlucky(r)
	if r.Run.Samples == 0 {
		return f.Caption(text + method(r.Solver))
	}
	if r.All.Waiting.Dist.Total > 0 {
		text += tailEnds + " "
	}
	return f.Caption(text + method(r.Solver, fmt.Sprint(r.Run.Samples, " samples"), fmt.Sprint("seed ", r.Run.Seed)))
}

// unlucky says how long the unluckiest of a hundred jobs waits in the classes that wait longest
// and least long.
func unlucky(r *result.Result) string {
	of := func(i int) float64 { return r.Classes[i].Waiting.Quantile(0.99).Value }
	least, most := ends(len(r.Classes), of)
	if most < 0 {
		return ""
	}
	text := fmt.Sprintf("One job in a hundred of %s waits longer than %s", r.Classes[most].Name, short3(r.Unit, 1, of(most)))
	if of(least) < of(most) {
		text += fmt.Sprintf(", of %s longer than %s", r.Classes[least].Name, short3(r.Unit, 1, of(least)))
	}
	return text + ". "
}

// count is how many waits a distribution holds; 0 where that is not known.
func count(w *result.Metric) int {
	if n := w.Dist.Total; n >= 1 && n < 1e15 {
		return int(n)
	}
	return 0
}

// beyond is how seldom some times were exceeded, as points with their intervals.
func beyond(class string, w *result.Metric) (name string, x, y, half []float64) {
	for _, b := range w.TailProbability {
		x, y, half = append(x, b.Time), append(y, b.Prob.Value), append(half, b.Prob.HalfWidth)
	}
	return class, x, y, half
}

// tail is P(W > x) at the points that grid places up to where it is too small to be known.
func tail(w *result.Metric, grid func(end float64, k int) float64) (x, y []float64) {
	lowest := 1e-3
	if w.Effective > 0 { // NaN without intervals
		lowest = max(lowest, 10/w.Effective)
	}
	if w.Curve.Known() {
		lowest = 1e-6
	}
	end := w.Quantile(1 - lowest).Value
	for k := 0; k <= tailPoints; k++ {
		x = append(x, grid(end, k))
		y = append(y, 1-w.CDF(x[k]).Value)
	}
	return x, y
}

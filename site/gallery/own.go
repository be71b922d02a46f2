package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/plots"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/special"
)

// one is M/M/1, whose mean wait at load ρ is ρ/(1 - ρ) service times.
func one() mjq.Model { return mjq.Servers(1).Class("all", 1, 1, mjq.ExpMean(1)) }

// sampled is M/M/1 at nine loads.
func sampled(ctx context.Context) *result.Sweep {
	return mjq.Must(mjq.Sweep(ctx, one(), mjq.Grid{Rates: result.Spaced(0.1, 0.9, 9)}, mjq.Backward{Samples: 1000}))
}

// curves draws estimates as points with intervals, exact values as a line of the same colour,
// approximations as a dashed line, and the limit as a dotted one.
func curves(ctx context.Context) picture {
	loads := result.Spaced(0.08, 0.92, 85)
	return plots.Curves("Sampled waits lie on the exact line",
		sampled(ctx).Series("M/M/1", result.MeanWait("")),
		result.Function("M/M/1", loads, func(load float64) float64 { return load / (1 - load) }),
		result.Approximation("heavy traffic", loads, func(load float64) float64 { return 1 / (1 - load) })).
		X("load ρ").Y("mean wait, service times").LogY().Stability(1, "ρ = 1").
		Caption("The approximation is good near the limit only. Line: exact; points: samples with 95 % CIs.")
}

// paper draws printed values as hollow grey marks: do ours go through them?
func paper(ctx context.Context) picture {
	at, printed := []float64{0.2, 0.4, 0.6, 0.8}, []float64{0.25, 0.67, 1.5, 4.0}
	ours := mjq.Must(mjq.Sweep(ctx, one(), mjq.Grid{Rates: at}, mjq.Backward{Samples: 1000})).Series("ours", result.MeanWait(""))
	return plots.Curves("Ours go through the printed marks", ours).Paper("printed", at, printed).
		X("load ρ").Y("mean wait, service times").Caption("Grey: printed; points: samples with 95 % CIs.")
}

// stairs draws a function that keeps its value until the next point, as an empirical tail.
func stairs(ctx context.Context) picture {
	x, busy := result.Spaced(0, 20, 81), sampled(ctx).At(7) // at load 0.8
	return figure.New("An exponential tail").X("waiting time x, service times").Y("P(W > x)").LogY().
		Steps("M/M/1", x, busy.All.Waiting.Tail("", x).Numbers()).
		Theory("M/M/1", x, result.Function("", x, func(x float64) float64 { return 0.8 * math.Exp(-0.2*x) }).Numbers()).
		Caption("Few samples know little of the far tail. Straight line: exact; steps: samples.")
}

// histogram draws the density of the waits of the jobs that wait.
func histogram(ctx context.Context) picture {
	r := mjq.Must(five().AtLoad(0.7).Solve(ctx, mjq.Backward{Samples: 5000}))
	f := figure.New("Jobs that need more servers wait longer").X("waiting time, min").Y("density, 1/min").LogY()
	for _, name := range []string{"T1", "T15"} {
		edges, density := r.Class(name).Waiting.PDF(15)
		f.Histogram(name, edges, density)
	}
	return f.Caption("Classes T1 and T15 at load 0.7; jobs that do not wait are left out.")
}

// band draws a line within a shaded area, as a quantile with its interval.
func band(ctx context.Context) picture {
	byLoad := mjq.Must(mjq.Sweep(ctx, five(), mjq.Grid{Loads: result.Spaced(0.2, 0.8, 7)}, mjq.Backward{Samples: 1000}))
	f := figure.New("Nine jobs of ten wait less than this").X("fraction of the stability limit").Y("90 % quantile of waiting time, min")
	for _, name := range []string{"T1", "T15"} {
		s := byLoad.Series(name, result.WaitQuantile(0.9, name))
		var lo, hi []float64
		for _, e := range s.Values {
			lo, hi = append(lo, e.Lo()), append(hi, e.Hi())
		}
		f.Band(name, s.X, s.Numbers(), lo, hi)
	}
	return f.Caption("Wide jobs wait longer at every load. Line: estimate; band: 95 % CI.")
}

// heavyTail draws a tail on two logarithmic axes, where one that falls as a power is straight.
func heavyTail(ctx context.Context) picture {
	pareto := mjq.Must(mjq.Servers(1).Poisson(0.5).Class("sampled", 1, 1, mjq.LomaxScaleShape(0.5, 1.5)).
		Solve(ctx, mjq.Forward{Jobs: 100_000, Replications: 16}))
	exactly, far := special.MPareto1{{Rate: 0.5, Shape: 1.5, Scale: 0.5}}, result.LogSpaced(1, 1e5, 29)
	return plots.TailsLogLog(pareto).
		Theory("exact", far, result.Function("", far, exactly.Waiting).Numbers()).
		Asymptotic("one big job", far, result.Function("", far, func(t float64) float64 { return 1 / math.Sqrt(1+2*t) }).Numbers()).
		Caption("One big job makes the tail; a short run misses the longest waits.")
}

// multiples draws the same picture several times, with the same axes, one legend and one caption.
func multiples(ctx context.Context) picture {
	panel := func(c2 float64) *figure.Figure {
		queue := mjq.Servers(8).Class("small", 1, 0.8, mjq.LogNormalMeanSCV(1, c2)).Class("wide", 8, 0.2, mjq.LogNormalMeanSCV(1, c2))
		waits := mjq.Must(mjq.Sweep(ctx, queue, mjq.Grid{Rates: []float64{0.3, 0.6, 0.9}}, mjq.Forward{Jobs: 2e5}))
		return plots.Curves(fmt.Sprintf("c² = %g", c2), waits.Series("small", result.MeanWait("small")), waits.Series("wide", result.MeanWait("wide"))).
			X("arrival rate λ").Y("mean wait, service times").LogY()
	}
	return figure.Multiples(2, "Variable service times wait longer; bars are 95 % CIs.", panel(1), panel(4))
}

// made is a log whose jobs come in bursts, as CSV.
func made() string {
	rng, t, text := rand.New(rand.NewPCG(8, 1)), 0.0, strings.Builder{}
	text.WriteString("arrival,servers,service\n")
	for k := range 2000 {
		t += rng.ExpFloat64() * []float64{0.1, 1}[k/20%2]
		fmt.Fprintf(&text, "%.4f,%d,%.4f\n", t, 1+2*rng.IntN(2), rng.ExpFloat64())
	}
	return text.String()
}

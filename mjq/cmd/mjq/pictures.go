package main

import (
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// limitPicture has the limits beside what they would be if no server were ever blocked,
// in the order of the answers.
func limitPicture(found []*result.Stability) drawing {
	var at, rates, halves, ideal []float64
	for i, st := range found {
		at, rates, halves, ideal = append(at, float64(i+1)), append(rates, st.Rate), append(halves, st.HalfWidth), append(ideal, st.IdealRate)
	}
	top := 0.0
	for _, rate := range ideal {
		top = math.Max(top, 1.1*rate)
	}
	return figure.New("Stability limit").X("answer").Y("jobs per unit of time").YRange(0, top).
		Points("limit", at, rates, halves).Points("without blocking", at, ideal, nil)
}

// sizePicture has what each target asks about, against the size.
func sizePicture(s *result.Sizing) drawing {
	f := figure.New("What the targets ask about").X(s.What)
	for k, name := range s.Targets {
		var x, y, half []float64
		for _, p := range s.Points {
			if k < len(p.Targets) && !math.IsNaN(p.Targets[k].Value) && !math.IsInf(p.Targets[k].Value, 0) {
				x, y, half = append(x, p.Value), append(y, p.Targets[k].Value), append(half, p.Targets[k].HalfWidth)
			}
		}
		f.Points(name, x, y, half)
	}
	switch len(s.Targets) {
	case 0:
		f = costPicture(s)
	case 1:
		f.Y(s.Targets[0])
	}
	if !math.IsNaN(s.Best) {
		f.Stability(s.Best, fmt.Sprintf("best: %.6g", s.Best))
	}
	return f
}

// costPicture is of sizes that are chosen by their cost alone.
func costPicture(s *result.Sizing) *figure.Figure {
	var x, y, half []float64
	for _, p := range s.Points {
		if !math.IsNaN(p.Cost.Value) && !math.IsInf(p.Cost.Value, 0) {
			x, y, half = append(x, p.Value), append(y, p.Cost.Value), append(half, p.Cost.HalfWidth)
		}
	}
	return figure.New("Cost in a unit of time").X(s.What).Points("cost", x, y, half)
}

// mostFits is how many laws a picture tells apart.
const mostFits = 6

// fitPicture has the tails of laws beside those of the log, on a logarithmic axis.
func fitPicture(fits, own []trace.Fit) drawing {
	f := figure.New("Laws, dashed, beside the log").X("time x").Y("P(X > x)").LogY()
	for i := range min(len(fits), len(own), mostFits) {
		end := 2 * fits[i].Moments[0]
		for n := float64(max(own[i].N, 2)); own[i].Law.Survival(end) > 1/n; {
			end *= 1.2
		}
		var x, log, law []float64
		for k := range 201 {
			t := end * float64(k) / 200
			x, log, law = append(x, t), append(log, own[i].Law.Survival(t)), append(law, fits[i].Law.Survival(t))
		}
		f.Steps(fits[i].Class, x, log).Asymptotic(fits[i].Class, x, law)
	}
	return f
}

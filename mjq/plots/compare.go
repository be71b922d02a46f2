package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Compare draws the mean waiting time of every class under every policy, with intervals:
// a mark a policy, classes by the servers that their jobs need, or in the order of the
// model if needs are equal. Policies under which the queue is unstable appear as arrows.
// The caption says how far the rate is from the capacity, and how far the shortest mean
// response from the lower bound, where the comparison knows them.
func Compare(c *result.Comparison) *figure.Figure {
	return byClass(c, "Mean waiting time by class and policy", "mean waiting time", 1,
		func(x *result.ClassResult) result.Estimate { return x.Waiting.Mean })
}

// CompareSlowdowns is Compare with the mean bounded slowdown, the response as a multiple
// of the service.
func CompareSlowdowns(c *result.Comparison) *figure.Figure {
	return byClass(c, "Mean slowdown by class and policy", "mean slowdown", 0,
		func(x *result.ClassResult) result.Estimate { return x.Slowdown.Mean })
}

// CompareQuantiles is Compare with the p-quantile of the waiting time.
func CompareQuantiles(p float64, c *result.Comparison) *figure.Figure {
	name := fmt.Sprintf("%g %% quantile of waiting time", 100*p)
	return byClass(c, name+" by class and policy", name, 1,
		func(x *result.ClassResult) result.Estimate { return x.Waiting.Quantile(p) })
}

// CompareTails draws P(W > x) under every policy, for one class or, if its name is "", all
// jobs together; see Tails. A name that no class has panics as result.Result.Class does.
func CompareTails(class string, c *result.Comparison) *figure.Figure {
	name := "all jobs"
	if class != "" {
		name = class
	}
	f := figure.New("How long jobs wait: " + name).X("waiting time x").Y("P(W > x)").LogY()
	for i, r := range c.Results {
		w := &r.All.Waiting
		if class != "" {
			w = &r.Class(class).Waiting
		}
		x, y := tail(w, func(end float64, k int) float64 { return end * float64(k) / tailPoints })
		f.Steps(c.Policies[i], x, y)
	}
	return f.Convert(axis(c.Unit, 1), nil).Caption(c.Title)
}

// apart is how far from each other the marks of two policies stand at one class, as a
// part of the distance between two classes in order, or of the need.
const apart = 0.04

// byClass draws a number by class, one series a policy.
func byClass(c *result.Comparison, title, label string, power int, of func(*result.ClassResult) result.Estimate) *figure.Figure {
	f := figure.New(title).Y(label).LogY()
	if len(c.Results) == 0 {
		return f
	}
	needs := map[int]bool{}
	for _, class := range c.Results[0].Classes {
		needs[class.Need] = true
	}
	distinct := len(needs) == len(c.Results[0].Classes) && len(needs) > 1
	if f.X("class, in the order of the model"); distinct {
		f.X("servers that a job needs").LogX()
	}
	for i, r := range c.Results {
		shift := apart * (float64(i) - float64(len(c.Results)-1)/2)
		var x, y, half []float64
		for k := range r.Classes {
			at := float64(k+1) + shift
			if distinct {
				at = float64(r.Classes[k].Need) * math.Exp(shift)
			}
			e := of(&r.Classes[k])
			x, y, half = append(x, at), append(y, e.Value), append(half, e.HalfWidth)
		}
		f.Points(c.Policies[i], x, y, half)
	}
	caption := c.Title + yardsticks(c)
	if bad := slices.IndexFunc(c.Results, func(r *result.Result) bool { return !r.Stable }); bad >= 0 {
		caption += "; an arrow marks an unstable policy"
	}
	return f.Convert(nil, axis(c.Unit, power)).Caption(caption)
}

// yardsticks says how far the rate is from the capacity, and how far the shortest mean
// response from what no policy can beat.
func yardsticks(c *result.Comparison) (text string) {
	if c.Capacity > 0 {
		text = fmt.Sprintf("; at %.3g of the capacity", c.Rate/c.Capacity)
	}
	best := math.Inf(1)
	for _, r := range c.Results {
		best = min(best, r.All.Response.Mean.Value)
	}
	if c.Bound.Source != "" && !math.IsInf(best, 1) {
		text += fmt.Sprintf("; shortest mean response: %.3g times the lower bound", best/c.Bound.Response.Value)
	}
	return text
}

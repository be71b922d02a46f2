package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Compare draws the mean waiting time of every class under every policy, with intervals. Each class
// is a group of rows, as are all jobs together, and each policy a row; the one with the shortest
// mean of all jobs is at the bottom. Many classes have one row each and a mark for each policy.
// The caption says which policy is best and whether that is certain, how far the rate is from the capacity, and
// how far the shortest mean response from the lower bound, where the comparison knows them.
func Compare(c *result.Comparison) *figure.Figure {
	return byClass(c, "Mean waiting time by class and "+what(c), "mean waiting time", 1,
		func(x *result.ClassResult) result.Estimate { return x.Waiting.Mean })
}

// CompareSlowdowns is Compare with the mean bounded slowdown, the response as a multiple
// of the service.
func CompareSlowdowns(c *result.Comparison) *figure.Figure {
	return byClass(c, "Mean slowdown by class and "+what(c), "mean slowdown", 0,
		func(x *result.ClassResult) result.Estimate { return x.Slowdown.Mean })
}

// CompareQuantiles is Compare with the p-quantile of the waiting time.
func CompareQuantiles(p float64, c *result.Comparison) *figure.Figure {
	name := fmt.Sprintf("%g %% quantile of waiting time", 100*p)
	return byClass(c, name+" by class and "+what(c), name, 1,
		func(x *result.ClassResult) result.Estimate { return x.Waiting.Quantile(p) })
}

// CompareChanges draws by how many percent of its mean wait under the first policy each class
// waits longer or less long under the others, with intervals of the paired differences and a line at no
// change. No wait falls by more than all of it: intervals end at -100 %.
func CompareChanges(c *result.Comparison) *figure.Figure {
	f := figure.New("Change of the mean wait by class").Reference(0).Legible()
	if len(c.Results) < 2 {
		return f
	}
	names := spoken(c.Policies)
	f.X("mean wait, change from " + names[0] + ", %")
	var all []string
	var values []result.Estimate
	group := func(class string, base result.Estimate, of func(d *result.Difference) result.Estimate) {
		f.Heading(class)
		for _, i := range byMean(c) {
			if i == 0 {
				continue
			}
			d := c.Between(c.Policies[i], c.Policies[0])
			e := of(&d)
			e.Value, e.HalfWidth = 100*e.Value/base.Value, 100*e.HalfWidth/base.Value
			f.RowBetween(names[i], names[i], e.Value, max(-100, e.Value-e.HalfWidth), e.Value+e.HalfWidth)
			all, values = append(all, names[i]+" for "+class), append(values, e)
		}
	}
	for k, class := range c.Results[0].Classes {
		group(class.Name, class.Waiting.Mean, func(d *result.Difference) result.Estimate { return d.Classes[k].Waiting })
	}
	group("all jobs", c.Results[0].All.Waiting.Mean, func(d *result.Difference) result.Estimate { return d.All.Waiting })
	return f.Caption(certain("%", all, values))
}

// CompareTails draws P(W > x) under every policy, for one class or, if its name is "", all
// jobs together; see Tails. A name that no class has panics as result.Result.Class does.
func CompareTails(class string, c *result.Comparison) *figure.Figure {
	name := "all jobs"
	if class != "" {
		name = class
	}
	f := figure.New("How long jobs wait: " + name).X("waiting time x").Y("P(W > x)").LogY().Legible()
	names, sampled := spoken(c.Policies), false
	short, long, least, most := "", "", math.Inf(1), math.Inf(-1)
	for i, r := range c.Results {
		w := &r.Class(class).Waiting
		x, y := tail(w, func(end float64, k int) float64 { return end * float64(k) / tailPoints })
		f.Survival(names[i], x, y, count(w))
		sampled = sampled || w.Dist.Total > 0
		q := w.Quantile(0.99).Value
		if q < least {
			short, least = names[i], q
		}
		if q > most {
			long, most = names[i], q
		}
	}
	text := ""
	if least < most {
		text = fmt.Sprintf("One job in a hundred waits longer than %s under %s, and longer than %s under %s. ",
			short3(c.Unit, 1, least), short, short3(c.Unit, 1, most), long)
	}
	if sampled {
		text += tailEnds
	}
	return f.Convert(axis(c.Unit, 1), nil).Caption(text)
}

// what is compared: policies or placements.
func what(c *result.Comparison) string {
	if c.What != "" {
		return c.What
	}
	return "policy"
}

// mostGroups is how many rows groups of rows may have in all.
const mostGroups = 60

// byMean are the places of the policies by their mean wait of all jobs, the longest first.
func byMean(c *result.Comparison) []int {
	means := make([]result.Estimate, len(c.Results))
	for i, r := range c.Results {
		if means[i] = r.All.Waiting.Mean; !r.Stable {
			means[i].Value = math.Inf(1)
		}
	}
	return ordered(c.Policies, means)
}

// byClass draws a number by class and policy.
func byClass(c *result.Comparison, title, label string, power int, of func(*result.ClassResult) result.Estimate) *figure.Figure {
	f := figure.New(title).X(label).Legible()
	if len(c.Results) == 0 {
		return f
	}
	names, classes := spoken(c.Policies), len(c.Results[0].Classes)
	groups := (classes+1)*(len(names)+1) <= mostGroups
	var all []float64
	for k := 0; k <= classes; k++ {
		class := "all jobs"
		if k < classes {
			class = c.Results[0].Classes[k].Name
		} else if classes == 1 {
			break
		}
		if groups {
			f.Heading(class)
		}
		for _, i := range byMean(c) {
			x := &c.Results[i].All
			if k < classes {
				x = &c.Results[i].Classes[k]
			}
			e, row := of(x), class
			if groups {
				row = names[i]
			}
			f.Row(row, names[i], e.Value, e.HalfWidth)
			all = append(all, e.Value)
		}
	}
	if wide(all) {
		f.LogX()
	}
	caption := best(c) + yardsticks(c) + "."
	if bad := slices.IndexFunc(c.Results, func(r *result.Result) bool { return !r.Stable }); bad >= 0 {
		caption += " An arrow marks an unstable policy."
	}
	return f.Convert(axis(c.Unit, power), nil).Caption(caption + bars(means(c)))
}

// means are those of the waits of all jobs.
func means(c *result.Comparison) (out []result.Estimate) {
	for _, r := range c.Results {
		out = append(out, r.All.Waiting.Mean)
	}
	return out
}

// best says which policy has the shortest mean wait of all jobs, and whether the interval of its
// difference from the first decides that.
func best(c *result.Comparison) string {
	order, names := byMean(c), spoken(c.Policies)
	i := order[len(order)-1]
	text := fmt.Sprintf("Shortest mean wait of all jobs: %s, %s", names[i], c.Unit.EstimateText(c.Results[i].All.Waiting.Mean))
	d := c.Between(c.Policies[i], c.Policies[0]).All.Waiting
	if i == 0 || !d.Known() || !(d.HalfWidth > 0) {
		return text
	}
	if d.Value < -d.HalfWidth {
		return text + ", certainly shorter than under " + names[0]
	}
	return text + "; whether it is shorter than under " + names[0] + " is undecided"
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

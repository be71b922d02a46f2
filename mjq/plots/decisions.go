package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Decisions draws the optimal policy of two classes as a map whose regions are sets of jobs. It
// shows which jobs run with so many of each in the system, from none to most of each. Without
// preemption it shows which start with so many waiting while no job runs. The caption says what it
// does most often where both classes are there. A queue of other than two classes gives an empty picture.
func Decisions(o *result.Optimum, most int) *figure.Figure {
	return DecisionsWhile(o, most, make([]int, len(o.Classes))...)
}

// DecisionsWhile is Decisions while the given numbers of jobs of each class run, which a
// policy that is not preemptive leaves alone. For one that is they do not matter.
func DecisionsWhile(o *result.Optimum, most int, running ...int) *figure.Figure {
	title := "Jobs that the optimal policy starts"
	if o.Preemptive {
		title = "Jobs that the optimal policy runs"
	}
	f := figure.New(title)
	d := &o.Decisions
	if len(d.Classes) != 2 || len(running) != 2 || len(d.Choice) == 0 {
		return f.Caption("not a queue of two classes")
	}
	where := "waiting"
	if o.Preemptive {
		where, running = "in the system", []int{0, 0}
	}
	f.X(fmt.Sprintf("jobs of class %s %s", d.Classes[0], where)).Y(fmt.Sprintf("jobs of class %s %s", d.Classes[1], where))
	at := make([]float64, most+1)
	for n := range at {
		at[n] = float64(n)
	}
	Map(f, at, at, func(n, m float64) string {
		return jobsOf(d.Classes, d.Serves(running, []int{int(n), int(m)}))
	})
	caption := fmt.Sprintf("%s %d servers, λ = %.4g; a region says what runs then", mostly(o, most, running), o.Servers, o.Rate)
	if held := jobsOf(d.Classes, running); held != "nothing" {
		caption += ", while " + held + " ran before"
	}
	return f.Caption(caption)
}

// mostly says what the policy does in the places of a map at which both classes are there.
func mostly(o *result.Optimum, most int, running []int) string {
	count, names := map[string]int{}, []string{}
	for n := 1; n <= most; n++ {
		for m := 1; m <= most; m++ {
			does := jobsOf(o.Decisions.Classes, o.Decisions.Serves(running, []int{n, m}))
			if count[does]++; count[does] == 1 {
				names = append(names, does)
			}
		}
	}
	verb, where := "starts", "waiting"
	if o.Preemptive {
		verb, where = "runs", "there"
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	switch share := func(i int) int { return (100*count[names[i]] + most*most/2) / (most * most) }; {
	case len(names) == 0:
		return ""
	case len(names) == 1:
		return fmt.Sprintf("With both classes %s the policy always %s %s.", where, verb, names[0])
	default:
		return fmt.Sprintf("With both classes %s the policy %s %s in %d %% of the places, and %s in %d %%.", where, verb, names[0], share(0), names[1], share(1))
	}
}

// Map draws into a figure what holds for every two parameters, as filled regions with one name
// each: the answer to which policy is best, or which goal is missed.
func Map(f *figure.Figure, x, y []float64, of func(x, y float64) string) *figure.Figure {
	names := make([][]string, len(x))
	for i := range x {
		for j := range y {
			names[i] = append(names[i], of(x[i], y[j]))
		}
	}
	return f.Regions(x, y, names)
}

// jobsOf is a set of jobs in words.
func jobsOf(classes []string, jobs []int) string {
	var parts []string
	for k, n := range jobs {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, classes[k]))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, " + ")
}

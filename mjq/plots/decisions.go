package plots

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq/figure"
	"github.com/mjqueue/mjq/mjq/result"
)

// Decisions draws the optimal policy of two classes as a map whose regions are sets of jobs. It
// shows which jobs run with so many of each in the system, from none to most of each. Without
// preemption it shows which start with so many waiting while no job runs. A queue of other
// than two classes gives an empty picture.
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
	caption := fmt.Sprintf("%d servers, λ = %.4g; a region says what runs then", o.Servers, o.Rate)
	if held := jobsOf(d.Classes, running); held != "nothing" {
		caption += ", while " + held + " ran before"
	}
	return f.Caption(caption)
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

package result

import (
	"fmt"
	"math"
	"slices"
)

// Optimum is the best that any scheduling policy can do, of those that know how many jobs
// of each class run and wait: the least mean weighted number of jobs in the system, and
// with it the least mean wait.
type Optimum struct {
	Model      string // in words
	Unit       Unit   // of all times and rates; "" if it is not known
	Servers    int
	Rate       float64
	Preemptive bool // policies may stop jobs and resume them
	Stable     bool // false: no policy carries the rate, and all means are infinite
	Classes    []OptimumClass
	Wait       Estimate // mean waiting time of all jobs under the optimal policy
	// Cost is the mean number of jobs in the system, times the weights of their classes.
	// Its half-width follows from how it moves as the cut grows and is not proved; that
	// no policy has less than Lower is.
	Cost      Estimate
	Lower     float64
	Decisions Decisions
	States    int // of the chain that was solved
	Notes     []string
	Run       Run
}

// OptimumClass is a class under the optimal policy.
type OptimumClass struct {
	Name              string
	Need              int
	Rate              float64 // of arrivals
	Weight            float64
	Waiting, Response Estimate // means
}

// Decisions is what a policy does in every state with a bounded number of jobs, plain
// data. A schedule is how many jobs of each class run.
type Decisions struct {
	Classes    []string
	Needs      []int
	Servers    int
	Preemptive bool
	Schedules  [][]int // all sets of jobs that fit together, by class
	Most       int     // jobs waiting, or in the system of a preemptive policy, for which there is a choice
	// Choice holds, for each state, the index of the schedule that the policy chooses. The
	// index of a state begins with the running schedule (nonpreemptive policies only). Then
	// come the waiting jobs n (preemptive: jobs in the system), at Σ n[k] (Most+1)^k within
	// each block of (Most+1)^classes. Where Σ n > Most it means nothing.
	Choice []byte
}

// Serves is how many jobs of each class run once the policy has decided, when so many run
// and wait. A preemptive policy looks at the sums alone; another one never stops a job.
// Beyond Most jobs it decides as for the nearest numbers that it knows, and then starts
// whatever else fits. Numbers of jobs that do not fit together panic.
func (d *Decisions) Serves(running, waiting []int) []int {
	n, at := slices.Clone(waiting), 0
	if d.Preemptive {
		for k := range n {
			n[k] += running[k]
		}
	} else {
		at = slices.IndexFunc(d.Schedules, func(x []int) bool { return slices.Equal(x, running) })
	}
	known := slices.Clone(n)
	for sum := total(n); sum > d.Most; sum-- {
		known[slices.Index(known, slices.Max(known))]--
	}
	for range d.Classes {
		at *= d.Most + 1
	}
	place := 0
	for k := len(known) - 1; k >= 0; k-- {
		place = place*(d.Most+1) + known[k]
	}
	x := slices.Clone(d.Schedules[d.Choice[at+place]])
	if total(n) > d.Most && d.Preemptive {
		d.fill(x, n)
	}
	return x
}

// fill adds jobs that fit.
func (d *Decisions) fill(x, n []int) {
	free := d.Servers
	for k, jobs := range x {
		free -= jobs * d.Needs[k]
	}
	for k := len(x) - 1; k >= 0; k-- {
		for x[k] < n[k] && d.Needs[k] <= free {
			x[k]++
			free -= d.Needs[k]
		}
	}
}

func total(n []int) (sum int) {
	for _, x := range n {
		sum += x
	}
	return sum
}

// Excess is by how much another policy is worse: the part by which its mean weighted
// number of jobs in the system exceeds the least one, from a result of the same queue by
// whatever method. The interval is that of the result, as if its classes erred together.
func (o *Optimum) Excess(r *Result) Estimate {
	if len(r.Classes) != len(o.Classes) || !r.Stable && r.All.Response.Mean.Known() {
		return Infinite("excess over the optimum")
	}
	e := Estimate{Level: r.Level, Method: "excess over the optimum"}
	for k, c := range o.Classes {
		mean := r.Classes[k].Response.Mean.plain()
		e.Value += c.Weight * c.Rate * mean.Value
		e.HalfWidth += c.Weight * c.Rate * mean.HalfWidth
		e.N = mean.N
	}
	e.Value = e.Value/o.Cost.Value - 1
	e.HalfWidth = (e.HalfWidth + o.Cost.HalfWidth) / o.Cost.Value
	return e
}

// Table is the optimum by class.
func (o *Optimum) Table() *Table {
	kind := "nonpreemptive"
	if o.Preemptive {
		kind = "preemptive"
	}
	t := NewTable(fmt.Sprintf("The optimal %s policy at λ = %s", kind, o.Unit.RateText(o.Rate, 6))).In(o.Unit).Text("class").Numbers("servers").
		Numbers("weight").Estimates("mean wait").Time(1).Estimates("mean response").Time(1)
	for _, c := range o.Classes {
		t.Row(c.Name, c.Need, c.Weight, c.Waiting, c.Response)
	}
	t.Row("all", math.NaN(), math.NaN(), o.Wait, Unknown())
	t.Note = fmt.Sprintf("%v jobs in the system, weighted; no policy has less than %.9g.", o.Cost, o.Lower)
	return t
}

// String returns the table and the notes as text.
func (o *Optimum) String() string { return o.Table().String() + noteLines(o.Notes) }

// HTML returns the table and the notes as HTML, for a notebook.
func (o *Optimum) HTML() string { return o.Table().HTML() + noteParagraphs(o.Notes) }

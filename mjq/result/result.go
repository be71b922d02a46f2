// Package result holds what solvers and samplers of multiserver-job queues return:
// estimates with their intervals, distributions, results by class, stability limits,
// paths, and the tables made of them. All is plain exported data without interfaces,
// so that it survives encoding/gob and encoding/json and can be passed between the
// cells of a notebook.
package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Result is what every solver and sampler returns, with the same fields. It is plain exported
// data without interfaces, so it survives encoding/gob and can be passed between the cells of a
// notebook. A number that a method does not compute is NaN.
type Result struct {
	Solver string // the method, as "backward, batch rule"
	Source string // where it comes from
	Model  string // the model in words
	Rate   float64
	Limit  Stability // the stability limit it was judged by
	Stable bool      // false: waiting times grow without bound and are +Inf, or unknown where only the run shows that they grow
	Level  float64   // of all intervals
	Unit   Unit      // of all times and rates; "" if it is not known

	Classes []ClassResult // in the order of the model
	All     ClassResult   // an arriving job of any class

	WastedHOL     Estimate      // mean number of servers idle through head-of-line blocking
	Idle          Estimate      // mean number of servers idle for any reason
	Utilization   Estimate      // mean fraction of servers busy
	MeanJobs      Estimate      // mean number of jobs in the system
	BlockedWork   Estimate      // share of the work that jobs bring which is turned away with them; unknown where none is
	Goodput       Estimate      // mean number of servers busy with jobs that are served in the end; unknown where all are
	Fragmentation Fragmentation // what nodes cost; unknown without nodes
	Up            Estimate      // mean number of servers that are up, or of nodes; unknown where none fails
	Energy        Energy        // of servers that sleep or whose power is known; unknown otherwise
	Jobs, Queue   Count         // mean number of jobs in the system, and of waiting jobs

	Overtaking [][]Estimate // [a][b]: jobs of class b that a job of class a overtakes; nil unless a simulation was asked for it

	Resources []ResourceResult // of a queue with types of resources; see Cluster

	Log   Log      // of a question about a log that was read: its window and its lines; else its zero value
	Run   Run      // how it was computed
	Notes []string // what a reader must know before trusting a number
}

// Class is the result of the class of that name, of all jobs under "". A name that does not exist is
// a mistake of the program and panics with the names that do.
func (r *Result) Class(name string) *ClassResult {
	if name == "" {
		return &r.All
	}
	return called("class", "result", r.Classes, name, func(c *ClassResult) string { return c.Name })
}

// called is the element of that name of a list, which it must have.
func called[T any](what, where string, list []T, name string, of func(x *T) string) *T {
	var names []string
	for i := range list {
		if of(&list[i]) == name {
			return &list[i]
		}
		names = append(names, of(&list[i]))
	}
	panic(fmt.Sprintf("mjq: no %s %q in this %s; it has %s", what, name, where, strings.Join(names, ", ")))
}

// Table is the result by class.
func (r *Result) Table() *Table {
	if len(r.All.Waiting.TailProbability) > 0 {
		return r.beyondTable()
	}
	rows := append(append([]ClassResult(nil), r.Classes...), r.All)
	var names []string
	var needs []float64
	var mean, variance, p90, p99, response []Estimate
	for i := range rows {
		c := &rows[i]
		names, needs = append(names, c.Name), append(needs, float64(c.Need))
		mean, variance = append(mean, c.Waiting.Mean), append(variance, c.Waiting.Variance)
		p90, p99 = append(p90, c.Waiting.Quantile(0.9)), append(p99, c.Waiting.Quantile(0.99))
		response = append(response, c.Response.Mean)
	}
	needs[len(needs)-1] = math.NaN()
	t := NewTable(fmt.Sprintf("Waiting times%s (%s)", r.AtRate(6), r.Solver)).In(r.Unit)
	servers := "servers"
	if len(r.Resources) > 0 {
		servers = "units"
	}
	t.Text("class", names...).Numbers(servers, needs...).Estimates("mean", mean...).Time(1).
		Estimates("variance", variance...).Time(2).Estimates("90 % quantile", p90...).Time(1).
		Estimates("99 % quantile", p99...).Time(1).Estimates("mean response", response...).Time(1)
	column(t, rows, 1, "mean if waiting", func(c *ClassResult) Estimate { return c.Waiting.MeanDelayed })
	column(t, rows, 0, "in time", func(c *ClassResult) Estimate { return c.Waiting.ServiceLevel })
	turnedColumns(t, rows)
	scatteredColumn(t, rows)
	failureColumns(t, rows)
	column(t, rows, 0, "mean size", func(c *ClassResult) Estimate { return c.Size })
	column(t, rows, 0, "resizes a job", func(c *ClassResult) Estimate { return c.Resizes })
	column(t, rows, 0, "stretch", func(c *ClassResult) Estimate { return c.Stretch })
	if r.All.Preemptions.Value > 0 || r.All.Left.Value > 0 && !r.All.InLine.Known() {
		preemptionColumns(t, rows)
	}
	t.positive()
	t.Note = fmt.Sprintf("Head-of-line waste %v servers, idle %v, utilisation %v, %v jobs in system.",
		r.WastedHOL, r.Idle, r.Utilization, r.MeanJobs)
	if len(r.Resources) > 0 {
		t.Note = fmt.Sprintf("%v jobs in system.%s", r.MeanJobs, r.resourceNote())
	}
	t.Note += r.Fragmentation.note() + r.Energy.note()
	if r.Up.Known() {
		t.Note += fmt.Sprintf(" Up %v", r.Up)
		if r.Goodput.Known() {
			t.Note += fmt.Sprintf(", goodput %v", r.Goodput)
		}
		t.Note += " servers."
	}
	if t.intervals() {
		t.Note = fmt.Sprintf("%g %% intervals. ", 100*r.Level) + t.Note
	}
	return t
}

// column adds one of what is known of all jobs, of a power of the unit of time.
func column(t *Table, rows []ClassResult, power int, name string, of func(c *ClassResult) Estimate) {
	if !of(&rows[len(rows)-1]).Known() {
		return
	}
	var list []Estimate
	for i := range rows {
		list = append(list, of(&rows[i]))
	}
	t.Estimates(name, list...).Time(power)
}

// turnedColumns are those of results in which jobs are turned away or give up. The last ones are
// about all jobs that arrive, and those before them about the jobs that start.
func turnedColumns(t *Table, rows []ClassResult) {
	column(t, rows, 0, "blocked", func(c *ClassResult) Estimate { return c.Blocked })
	if rows[len(rows)-1].InLine.Known() {
		column(t, rows, 0, "left", func(c *ClassResult) Estimate { return c.Left })
	}
	column(t, rows, 0, "P(wait) of all", func(c *ClassResult) Estimate { return c.Arriving.Delayed })
	column(t, rows, 1, "mean of all", func(c *ClassResult) Estimate { return c.Arriving.MeanWait })
	column(t, rows, 0, "in time of all", func(c *ClassResult) Estimate { return c.Arriving.ServiceLevel })
}

// failureColumns are those of results in which servers fail.
func failureColumns(t *Table, rows []ClassResult) {
	column(t, rows, 0, "interruptions a job", func(c *ClassResult) Estimate { return c.Interruptions })
	if rows[len(rows)-1].Interruptions.Known() {
		column(t, rows, 1, "lost a job", func(c *ClassResult) Estimate { return c.Lost })
	}
	column(t, rows, 0, "ETTR", func(c *ClassResult) Estimate { return c.ETTR })
}

// preemptionColumns are those of results in which jobs are preempted.
func preemptionColumns(t *Table, rows []ClassResult) {
	var first, stops, lost, left []Estimate
	drops := false
	for i := range rows {
		c := &rows[i]
		first, stops, lost, left = append(first, c.FirstStart), append(stops, c.Preemptions), append(lost, c.Lost), append(left, c.Left)
		drops = drops || c.Left.Value > 0
	}
	t.Estimates("first start after", first...).Time(1)
	if all := rows[len(rows)-1]; all.Preemptions.Value > 0 || !all.Interruptions.Known() {
		t.Estimates("preemptions a job", stops...)
	}
	if !rows[len(rows)-1].Interruptions.Known() { // else it is among what failures cost
		t.Estimates("lost a job", lost...).Time(1)
	}
	if drops {
		t.Estimates("share that leaves", left...)
	}
}

// String returns the table and the notes as text.
func (r *Result) String() string {
	return r.Table().String() + noteLines(slices.Concat(r.Notes, r.Log.Notes()))
}

// HTML returns the table and the notes as HTML, for a notebook.
func (r *Result) HTML() string {
	return r.Table().HTML() + noteParagraphs(slices.Concat(r.Notes, r.Log.Notes()))
}

// ClassResult holds the results of one class.
type ClassResult struct {
	Name     string
	Need     int
	Prob     float64
	Waiting  Metric // arrival to start of service
	Response Metric // waiting + service, the sojourn time

	// From a simulation: the slowdown, which is the response divided by the service time or by
	// the threshold if that is larger; preemptions per job; the share of jobs killed at their
	// limit.
	Slowdown            Metric
	Preemptions, Killed Estimate
	// Under a preemptive policy and where servers fail: the mean wait until the first start; the mean lost time of a
	// job, which is discarded service and overhead, such as checkpoints. LostShare is the fraction of the servers'
	// held time that is so lost, and Left the share of jobs that leave when they are preempted
	// or because they give up.
	FirstStart, Lost, LostShare, Left Estimate
	AtOnce                            Estimate // share of the jobs that start as they arrive

	// Known where servers fail: the failures that hit a job; and the effective share of its time
	// (effective training time ratio), the mean service over the mean time from the first start to the
	// end.
	Interruptions, ETTR Estimate

	// Known where jobs change their size: the mean number of servers of a running job, the changes of
	// size of a job, and the mean response over the mean service on the need.
	Size, Resizes, Stretch Estimate

	// Known for a queue that turns jobs away or whose jobs give up. Waiting, Response and
	// Slowdown are then of the jobs that start.
	Blocked     Estimate // share of the jobs that is turned away
	BlockedTime Estimate // share of the time in which a job would be turned away
	InLine      Estimate // mean time in the queue of all jobs that are let in, those that give up among them
	Carried     Estimate // jobs that are served in a unit of time
	Thinking    Estimate // mean number of users who think; known of classes whose jobs users send
	Arriving    Arriving // what all jobs that arrive meet, those that are not served among them

	// Known of nodes: the share of the jobs that have no place when they arrive although as many
	// units are free as they need.
	Scattered Estimate
}

// visit calls f for each estimate. It looks at no types: there may be thousands of classes.
func (c *ClassResult) visit(f func(*Estimate)) {
	for _, m := range [...]*Metric{&c.Waiting, &c.Response, &c.Slowdown} {
		f(&m.Mean)
		f(&m.Variance)
		f(&m.NoWait)
		f(&m.MeanDelayed)
		f(&m.ServiceLevel)
		for i := range m.TailProbability {
			f(&m.TailProbability[i].Prob)
		}
	}
	for _, e := range [...]*Estimate{&c.Preemptions, &c.Killed, &c.FirstStart, &c.Lost, &c.LostShare, &c.Left, &c.AtOnce, &c.Interruptions, &c.ETTR, &c.Size, &c.Resizes, &c.Stretch,
		&c.Blocked, &c.BlockedTime, &c.InLine, &c.Carried, &c.Thinking, &c.Scattered,
		&c.Arriving.Served, &c.Arriving.AtOnce, &c.Arriving.Delayed, &c.Arriving.ServiceLevel, &c.Arriving.MeanWait} {
		f(e)
	}
}

// AtRate is " at λ = 1.4" with so many digits, for titles. It is empty where the rate is unknown,
// as that of a log of one instant.
func (r *Result) AtRate(digits int) string {
	if math.IsNaN(r.Rate) {
		return ""
	}
	return " at λ = " + r.Unit.RateText(r.Rate, digits)
}

package result

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// Comparison is a queue or a log under several policies that met the same jobs. It is
// plain data, which survives encoding/gob and encoding/json.
type Comparison struct {
	Title       string // what was served: a model in words, or a log
	Rate, Level float64
	Unit        Unit      // of all times and rates; "" if it is not known
	What        string    // what Policies are, if not policies: "placement"
	Policies    []string  // names
	Results     []*Result // by policy
	// Differences are those of every two policies, the earlier less the later, from
	// pairs of replications or batches with the same jobs.
	Differences []Difference
	Bound       LowerBound
	// Capacity is the largest arrival rate that any policy carries; 0 where it is not
	// known, as for a log. See Capacity of a model.
	Capacity   float64
	Log        Log // of a log that was read: its window and its lines; else its zero value
	Notes      []string
	Remembered time.Time // when it was computed, if it was not now; see mjq.Cache
}

// Difference holds, for each class, the results of one policy minus those of another.
type Difference struct {
	Policy, Other string
	Classes       []Change
	All           Change
}

// Change is the differences of means of one class.
type Change struct {
	Name                        string
	Waiting, Response, Slowdown Estimate
}

// LowerBound is what no policy can beat: bounds of the mean waiting and response time of all
// jobs. If no bound is known, Source is "".
type LowerBound struct {
	Waiting, Response Estimate
	Source            string
}

// Of returns the result of a policy. A name that does not exist is a mistake of the program and
// panics with those that do.
func (c *Comparison) Of(policy string) *Result { return c.Results[c.index(policy)] }

// Only returns the comparison of some of its policies, in the order given: for a picture with fewer
// marks. Names that do not exist panic as those of Of do.
func (c *Comparison) Only(policies ...string) *Comparison {
	some := *c
	some.Policies, some.Results, some.Differences = policies, nil, nil
	for _, name := range policies {
		some.Results = append(some.Results, c.Of(name))
	}
	for i, name := range policies {
		for _, other := range policies[i+1:] {
			some.Differences = append(some.Differences, c.Between(name, other))
		}
	}
	return &some
}

func (c *Comparison) index(policy string) int {
	for i, name := range c.Policies {
		if name == policy {
			return i
		}
	}
	panic(fmt.Sprintf("mjq: no %s %q in this comparison; it has %q", c.what(), policy, c.Policies))
}

// what is compared.
func (c *Comparison) what() string { return cmp.Or(c.What, "policy") }

// Between is what one policy has more than another; their order is free. It is unknown for the
// waits that a log holds. Names that do not exist panic as those of Of do.
func (c *Comparison) Between(policy, other string) Difference {
	c.index(policy)
	c.index(other)
	for _, d := range c.Differences {
		switch {
		case d.Policy == policy && d.Other == other:
			return d
		case d.Policy == other && d.Other == policy:
			return d.reversed()
		}
	}
	d, value := Difference{Policy: policy, Other: other}, Unknown()
	if policy == other {
		value = Exact(0, "the same policy")
	}
	for _, class := range c.Of(policy).Classes {
		d.Classes = append(d.Classes, Change{Name: class.Name, Waiting: value, Response: value, Slowdown: value})
	}
	d.All = Change{Name: "all", Waiting: value, Response: value, Slowdown: value}
	return d
}

// reversed is the other less the policy.
func (d Difference) reversed() Difference {
	out := Difference{Policy: d.Other, Other: d.Policy, All: d.All.reversed()}
	for _, c := range d.Classes {
		out.Classes = append(out.Classes, c.reversed())
	}
	return out
}

func (c Change) reversed() Change {
	c.Waiting.Value, c.Response.Value, c.Slowdown.Value = -c.Waiting.Value, -c.Response.Value, -c.Slowdown.Value
	return c
}

// Table returns a row for every policy, with all jobs together. Columns are mean waits and
// their differences from the first policy, mean responses, slowdowns unless all are infinite,
// and tails. On nodes there is the share of the time in which the head of the queue is held; see
// Fragmentation. If there is a lower bound, the last column is the mean response divided by it.
func (c *Comparison) Table() *Table {
	t := NewTable(c.Title).In(c.Unit)
	var wait, change, response, slow, tail, stops, kills, lost, held []Estimate
	var over []float64
	stopped, killed, finite, loses, nodes := false, false, false, false, false
	for i, r := range c.Results {
		all := &r.All
		wait, response, slow = append(wait, all.Waiting.Mean), append(response, all.Response.Mean), append(slow, all.Slowdown.Mean)
		change = append(change, c.Between(c.Policies[i], c.Policies[0]).All.Waiting)
		tail = append(tail, all.Waiting.Quantile(0.99))
		stops, kills = append(stops, all.Preemptions), append(kills, all.Killed)
		stopped, killed = stopped || all.Preemptions.Value > 0, killed || all.Killed.Value > 0
		lost, loses = append(lost, all.LostShare), loses || all.LostShare.Value > 0
		held, nodes = append(held, r.Fragmentation.Held), nodes || r.Fragmentation.Held.Known()
		finite = finite || !math.IsInf(all.Slowdown.Mean.Value, 1)
		over = append(over, all.Response.Mean.Value/c.Bound.Response.Value)
	}
	if len(change) > 0 {
		change[0] = Unknown()
	}
	t.Text(c.what(), c.Policies...).Estimates("mean wait", wait...).Time(1).Estimates("more than the first", change...).Time(1).
		Estimates("mean response", response...).Time(1)
	if finite {
		t.Estimates("mean slowdown", slow...)
	}
	t.Estimates("99 % quantile of waits", tail...).Time(1)
	if nodes {
		t.Estimates("held", held...)
	}
	if stopped {
		t.Estimates("preemptions a job", stops...)
	}
	if loses {
		t.Estimates("servers' time lost", lost...)
	}
	if killed {
		t.Estimates("killed", kills...)
	}
	if c.Bound.Source != "" {
		t.Numbers("response / bound", over...)
	}
	t.Note = fmt.Sprintf("%g %% intervals; those of differences from pairs with the same jobs.", 100*c.Level)
	if c.Bound.Source != "" {
		t.Note += fmt.Sprintf(" No policy has a mean response below %v (%s).", c.Bound.Response, c.Bound.Source)
	}
	if c.Capacity > 0 {
		t.Note += fmt.Sprintf(" The rate is %.3g of the largest that any policy carries.", c.Rate/c.Capacity)
	}
	return t.positive()
}

// ByClass has a row for every class and policy: means, what they are more than under the
// first policy, and the 99 % quantile of the waits.
func (c *Comparison) ByClass() *Table {
	var names, policies []string
	var wait, change, response, slow, slower, tail []Estimate
	for class := range c.classes() {
		for i, r := range c.Results {
			d := c.Between(c.Policies[i], c.Policies[0]).Classes[class]
			if i == 0 {
				d = Change{}
			}
			x := &r.Classes[class]
			names, policies = append(names, x.Name), append(policies, c.Policies[i])
			wait, change = append(wait, x.Waiting.Mean), append(change, d.Waiting)
			response, slow, slower = append(response, x.Response.Mean), append(slow, x.Slowdown.Mean), append(slower, d.Slowdown)
			tail = append(tail, x.Waiting.Quantile(0.99))
		}
	}
	t := NewTable("By class").In(c.Unit).Text("class", names...).Text(c.what(), policies...).Estimates("mean wait", wait...).Time(1).
		Estimates("more than the first", change...).Time(1).Estimates("mean response", response...).Time(1)
	if slices.ContainsFunc(slow, func(e Estimate) bool { return !math.IsInf(e.Value, 1) }) {
		t.Estimates("mean slowdown", slow...).Estimates("slowdown more than the first", slower...)
	}
	return t.Estimates("99 % quantile of waits", tail...).Time(1).positive()
}

// classes is how many there are.
func (c *Comparison) classes() int {
	n := math.MaxInt
	for _, r := range c.Results {
		n = min(n, len(r.Classes))
	}
	if len(c.Results) == 0 {
		return 0
	}
	return n
}

// String returns the table and the notes as text.
func (c *Comparison) String() string {
	return c.Table().String() + noteLines(slices.Concat(c.Notes, c.Log.Notes()))
}

// HTML returns the table and the notes as HTML, for a notebook.
func (c *Comparison) HTML() string {
	return c.Table().HTML() + noteParagraphs(slices.Concat(c.Notes, c.Log.Notes()))
}

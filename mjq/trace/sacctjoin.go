package trace

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/mjq/result"
)

// sortedRuns are the places of all runs in an order, equal ones in the order
// of their lines. They are valid until the next call.
func (in *sacctReader) sortedRuns(order func(a, b *sacctRun) int) []int32 {
	if in.order == nil {
		in.order = make([]int32, in.runs.n)
	}
	for i := range in.order {
		in.order[i] = int32(i)
	}
	slices.SortFunc(in.order, func(a, b int32) int {
		return cmp.Or(order(in.runs.at(int(a)), in.runs.at(int(b))), cmp.Compare(a, b))
	})
	return in.order
}

// finish settles all runs and returns their places in the order of arrival; those that are no jobs of their
// own are among them.
func (in *sacctReader) finish() (order []int32) {
	in.identify()
	in.sieve.note(&in.report)
	in.joinHet()
	last, clusters := int64(-1<<62), map[int32]bool{}
	for i := range in.runs.n {
		r := in.runs.at(i)
		if r.fate != kept {
			continue
		}
		if r.arrival < last {
			in.report.OutOfOrder++
		}
		last = r.arrival
		clusters[in.shared[r.labels].cluster] = true
		in.report.Jobs++
	}
	for k, name := range in.clusters.list {
		if clusters[int32(k)] && len(clusters) > 1 {
			in.report.Clusters = append(in.report.Clusters, cmp.Or(name, noCluster))
		}
	}
	order = in.sortedRuns(func(a, b *sacctRun) int { return cmp.Compare(a.arrival, b.arrival) })
	in.origin(order)
	in.report.Left = len(in.left)
	return order
}

// trace makes jobs of the runs.
func (in *sacctReader) trace() *Trace {
	t := &Trace{Name: in.report.File, Types: in.options.Types, Unit: result.Seconds, read: true}
	order := in.finish()
	zero := in.report.Origin.Unix()
	t.Jobs = make([]Job, 0, in.report.Jobs)
	for _, k := range order {
		if r := in.runs.at(int(k)); r.fate == kept {
			t.Jobs = append(t.Jobs, in.asJob(r, zero))
		}
	}
	for _, d := range in.left {
		if d.Arrival = float64(d.arrival - zero); d.Waiting {
			d.until = in.latest
		}
		d.Waited = max(0, float64(d.until-d.arrival))
		t.Left = append(t.Left, d.Departure)
	}
	for _, j := range in.lost {
		j.Arrival -= float64(zero)
		t.Failed = append(t.Failed, j)
	}
	slices.SortStableFunc(t.Left, func(a, b Departure) int { return cmp.Compare(a.Arrival, b.Arrival) })
	t.Report = in.report
	return in.window(t)
}

// origin is midnight of the day of the first arrival.
func (in *sacctReader) origin(order []int32) {
	for _, k := range order {
		if r := in.runs.at(int(k)); r.fate == kept {
			year, month, date := time.Unix(r.arrival, 0).In(in.options.Location).Date()
			in.report.Origin = time.Date(year, month, date, 0, 0, 0, 0, in.options.Location)
			return
		}
	}
	in.report.Origin = time.Unix(in.latest, 0).In(in.options.Location)
}

// asJob is the job of a run.
func (in *sacctReader) asJob(r *sacctRun, zero int64) Job {
	l := in.shared[r.labels]
	j := Job{Arrival: float64(r.arrival - zero), Need: int(r.need), Nodes: int(r.nodes), Service: r.service, Estimate: float64(r.estimate), Line: int(r.line),
		Waited: float64(r.wait), WaitKnown: true, Class: in.classes.list[l.class], User: in.users.list[l.user], Account: in.accounts.list[l.account]}
	if len(in.options.Types) > 0 {
		j.Units = in.units[l.units]
	}
	return j
}

// window is the log in the window that was asked for, or with the one that it shows.
func (in *sacctReader) window(t *Trace) *Trace {
	since, until, zero := math.Inf(-1), math.Inf(1), in.report.Origin
	if o := &in.options; !o.Since.IsZero() {
		since = o.Since.Sub(zero).Seconds()
	}
	if o := &in.options; !o.Until.IsZero() {
		until = o.Until.Sub(zero).Seconds()
	}
	switch {
	case !math.IsInf(since, -1) || !math.IsInf(until, 1):
		return t.Within(since, until)
	case in.ended < math.MaxInt64:
		t.show(float64(in.ended - zero.Unix()))
	}
	return t
}

// joinHet joins the components of heterogeneous jobs that started together.
func (in *sacctReader) joinHet() {
	in.parts = slices.DeleteFunc(in.parts, func(p component) bool { return in.runs.at(p.run).fate != kept })
	leads := func(p component) jobID { return jobID{p.leader, in.idOf(in.runs.at(p.run)).cluster} }
	slices.SortStableFunc(in.parts, func(a, b component) int {
		return cmp.Or(leads(a).compare(leads(b)), cmp.Compare(in.runs.at(a.run).start(), in.runs.at(b.run).start()), cmp.Compare(a.offset, b.offset))
	})
	if in.options.Het == Separate {
		return
	}
	for i := 1; i < len(in.parts); i++ {
		lead := i - 1
		for ; i < len(in.parts) && leads(in.parts[i]) == leads(in.parts[lead]); i++ {
			first, r := in.runs.at(in.parts[lead].run), in.runs.at(in.parts[i].run)
			switch {
			case r.fate != kept || first.fate != kept:
				lead = i
			case r.start() != first.start() || int64(first.need)+int64(r.need) > math.MaxInt32:
				in.adjust(apartHet, int(r.line))
				lead = i
			default:
				in.join(first, r)
			}
		}
	}
}

// join adds a component to the first of its job.
func (in *sacctReader) join(first, r *sacctRun) {
	first.need += r.need
	first.nodes = 0 // of parts that differ
	first.service, first.estimate = max(first.service, r.service), max(first.estimate, r.estimate)
	if of := in.shared[first.labels]; len(in.options.Types) > 0 {
		for k := range in.amounts {
			in.amounts[k] = in.units[of.units][k] + in.units[in.shared[r.labels].units][k]
		}
		of.units = in.vector()
		first.labels = in.share(of)
	}
	r.fate = dropped
	in.report.Joined++
	in.adjust(joinedHet, int(r.line))
}

// one is 1 for what is true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

package estimate

import "github.com/mjqueue/mjq/mjq/result"

// Times is what was seen of one quantity of jobs: waits, responses or slowdowns.
type Times struct {
	Mean, Variance result.Estimate
	Dist           result.Distribution
	Precision      result.Precision // of Dist, from replications or paths
	Worth          Worth
	Observed       []Batch // what mean and variance are made of, if it is batches
}

// TimesOf estimates mean and variance as OfBatches does.
func TimesOf(batches []Batch, level float64, method string) Times {
	t := Times{Observed: batches}
	t.Mean, t.Variance, t.Worth = OfBatches(batches, level, method)
	return t
}

// Metric is what results have of the times.
func (t *Times) Metric(level float64) result.Metric {
	return result.Metric{Mean: t.Mean, Variance: t.Variance, Dist: t.Dist, Precision: t.Precision, Effective: t.Worth.Observations, Level: level}
}

// Tally is what was seen of the jobs of one class, or of all. What has its zero value was
// not looked at.
type Tally struct {
	// Waiting is the time to the start of service or, under a preemptive policy, all
	// the time in the system without service. Response is waiting and service.
	Waiting, Response Times
	// Slowdown is the response as a multiple of the service, or of a threshold where the
	// service is shorter; at least 1.
	Slowdown    Times
	Preemptions result.Estimate // a job
	// Of a preemptive policy: the wait until the first start, the time lost a job, the part
	// of the time for which servers are held that is lost, and the share of jobs that leave.
	FirstStart, Lost, LostShare, Left result.Estimate
	AtOnce                            result.Estimate // share of the jobs that start as they arrive, under a preemptive policy
	Killed                            result.Estimate // share of the jobs
	// The shares of jobs whose waiting or response is within a target.
	WaitingInTime, ResponseInTime result.Estimate
	NoWait                        result.Estimate // where there is no distribution that tells
	// Of a queue that turns jobs away or loses them: shares of the jobs that come, of which
	// BlockedTime is that of the time in which one would be turned away; the mean time in the
	// queue of the jobs let in; the jobs that are served in a unit of time.
	Blocked, BlockedTime, InLine, Carried result.Estimate
}

// Fill has a result tell what was seen of its classes and of all jobs. The waits and
// responses of all have the distributions of the classes in the given shares. What was not
// looked at stays as it is, and is unknown unless something else has found it.
func Fill(r *result.Result, classes []Tally, all *Tally, shares []float64) {
	var waits, responses []result.Distribution
	for i := range r.Classes {
		classes[i].fill(&r.Classes[i], r.Level)
		waits, responses = append(waits, classes[i].Waiting.Dist), append(responses, classes[i].Response.Dist)
	}
	all.fill(&r.All, r.Level)
	r.All.Waiting.Dist, r.All.Response.Dist = result.Mix(waits, shares), result.Mix(responses, shares)
	result.MarkUnknown(r)
}

// FillPart has a part of time tell what was seen of the jobs that arrive in it.
func FillPart(p *result.Part, classes []Tally, all *Tally, level float64) {
	one := func(c *result.PartClass, t *Tally) {
		var r result.ClassResult
		t.fill(&r, level)
		c.Waiting, c.Response = r.Waiting, r.Response
	}
	for i := range p.Classes {
		one(&p.Classes[i], &classes[i])
	}
	one(&p.All, all)
	result.MarkUnknown(p)
}

func (t *Tally) fill(c *result.ClassResult, level float64) {
	var none result.Estimate
	c.Waiting, c.Response = t.Waiting.Metric(level), t.Response.Metric(level)
	if t.Slowdown.Mean != none {
		c.Slowdown = t.Slowdown.Metric(level)
	}
	for _, x := range [...]struct{ to, of *result.Estimate }{{&c.Preemptions, &t.Preemptions}, {&c.Killed, &t.Killed},
		{&c.FirstStart, &t.FirstStart}, {&c.Lost, &t.Lost}, {&c.LostShare, &t.LostShare}, {&c.Left, &t.Left}, {&c.AtOnce, &t.AtOnce},
		{&c.Waiting.ServiceLevel, &t.WaitingInTime}, {&c.Response.ServiceLevel, &t.ResponseInTime}, {&c.Waiting.NoWait, &t.NoWait},
		{&c.Blocked, &t.Blocked}, {&c.BlockedTime, &t.BlockedTime}, {&c.InLine, &t.InLine}, {&c.Carried, &t.Carried}} {
		if *x.of != none {
			*x.to = *x.of
		}
	}
}

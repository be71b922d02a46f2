package estimate

import (
	"math"

	"github.com/mjqueue/mjq/mjq/result"
)

// This file alone defines the measures of a job. Simulations, coupled samples and
// replays of logs go through its tables: they add up the measures that the tables name, and Fill
// writes them into the results. A new measure is a name here, a line in Values or Add, a row in a table,
// and a field of result.ClassResult.

// Served describes a job that has been served.
type Served struct {
	Wait        float64 // until the start or, under preemptive policies, all but the service
	Service     float64 // what it got
	FirstWait   float64 // until the first start
	Lost        float64 // time for which it ran beside: service thrown away, and overhead
	Preemptions int
	Killed      bool // at its limit, before its service was over
	Dropped     bool // it left as it was preempted or hit, and all that it got is lost

	Interruptions int // failures that hit it
}

// Asked are the settings on which measures depend.
type Asked struct {
	Threshold float64 // services count as no shorter in slowdowns; 0: the services themselves
	InTime    float64 // the target of the shares of jobs in time; 0: these were not asked for
	Failing   bool    // servers fail, so that jobs are hit
}

// Quantity is a number of each job, at least 0, of which results have the mean, the variance
// and the distribution.
type Quantity int

// The quantities.
const (
	Waiting Quantity = iota
	Response
	Slowdown
	Quantities = iota
)

var quantities = [Quantities]struct {
	tally  func(t *Tally) *Times
	result func(c *result.ClassResult) *result.Metric
	time   bool // in the unit of time
}{
	Waiting:  {func(t *Tally) *Times { return &t.Waiting }, func(c *result.ClassResult) *result.Metric { return &c.Waiting }, true},
	Response: {func(t *Tally) *Times { return &t.Response }, func(c *result.ClassResult) *result.Metric { return &c.Response }, true},
	Slowdown: {func(t *Tally) *Times { return &t.Slowdown }, func(c *result.ClassResult) *result.Metric { return &c.Slowdown }, false},
}

// Values are the quantities of a job.
func (a *Asked) Values(wait, service float64) [Quantities]float64 {
	response := wait + service
	return [Quantities]float64{Waiting: wait, Response: response, Slowdown: slowdown(service, response, a.Threshold)}
}

// slowdown is the bounded slowdown: the response as a multiple of the service, or of
// the threshold where the service is shorter, and at least 1. It is 1 where the quotient is less
// or, of 0 and 0, is no number. Source: Feitelson, Rudolph, Schwiegelshohn, Sevcik, Wong,
// JSSPP 1997.
func slowdown(service, response, threshold float64) float64 {
	bits := math.Float64bits(response / max(service, threshold))
	if bits-one > infinity-one {
		bits = one
	}
	return math.Float64frombits(bits)
}

// The bits of 1 and of +Inf.
const (
	one      = 1023 << 52
	infinity = 2047 << 52
)

// Mean is a number of each job of which results have the mean alone.
type Mean int

const (
	preemptions Mean = iota
	killed
	FirstStart
	lost
	Left
	atOnce
	waitingInTime
	responseInTime
	interruptions
	Means = iota
)

var means = [Means]struct {
	told
	preemptive bool                       // told under preemptive policies only, and where servers fail
	happens    func(under Happening) bool // nil: under every policy
	asked      func(a Asked) bool         // nil: told whatever the settings
}{
	preemptions:    {told{func(t *Tally) *result.Estimate { return &t.Preemptions }, func(c *result.ClassResult) *result.Estimate { return &c.Preemptions }, Events}, false, func(u Happening) bool { return u.Preempts }, nil},
	killed:         {told{func(t *Tally) *result.Estimate { return &t.Killed }, func(c *result.ClassResult) *result.Estimate { return &c.Killed }, Share}, false, func(u Happening) bool { return u.Kills }, nil},
	FirstStart:     {told{func(t *Tally) *result.Estimate { return &t.FirstStart }, func(c *result.ClassResult) *result.Estimate { return &c.FirstStart }, Amount}, true, nil, nil},
	lost:           {told{func(t *Tally) *result.Estimate { return &t.Lost }, func(c *result.ClassResult) *result.Estimate { return &c.Lost }, Amount}, true, func(u Happening) bool { return u.Loses }, nil},
	Left:           {told{func(t *Tally) *result.Estimate { return &t.Left }, func(c *result.ClassResult) *result.Estimate { return &c.Left }, Share}, true, func(u Happening) bool { return u.Loses }, nil},
	atOnce:         {told{func(t *Tally) *result.Estimate { return &t.AtOnce }, func(c *result.ClassResult) *result.Estimate { return &c.AtOnce }, Share}, true, nil, nil},
	waitingInTime:  {told{func(t *Tally) *result.Estimate { return &t.WaitingInTime }, func(c *result.ClassResult) *result.Estimate { return &c.Waiting.ServiceLevel }, InTime}, false, nil, inTime},
	responseInTime: {told{func(t *Tally) *result.Estimate { return &t.ResponseInTime }, func(c *result.ClassResult) *result.Estimate { return &c.Response.ServiceLevel }, InTime}, false, nil, inTime},
	interruptions:  {told{func(t *Tally) *result.Estimate { return &t.Interruptions }, func(c *result.ClassResult) *result.Estimate { return &c.Interruptions }, Events}, false, nil, func(a Asked) bool { return a.Failing }},
}

func inTime(a Asked) bool { return a.InTime > 0 }

// told is a number of a class: where a tally and a result have it, and what it is.
type told struct {
	tally  func(t *Tally) *result.Estimate
	result func(c *result.ClassResult) *result.Estimate
	kind   Kind
}

// others are the numbers of a class that are not means over its jobs that are served.
var others = [...]told{
	{func(t *Tally) *result.Estimate { return &t.LostShare }, func(c *result.ClassResult) *result.Estimate { return &c.LostShare }, Amount},
	{func(t *Tally) *result.Estimate { return &t.Size }, func(c *result.ClassResult) *result.Estimate { return &c.Size }, Amount},
	{func(t *Tally) *result.Estimate { return &t.Resizes }, func(c *result.ClassResult) *result.Estimate { return &c.Resizes }, Events},
	{func(t *Tally) *result.Estimate { return &t.Stretch }, func(c *result.ClassResult) *result.Estimate { return &c.Stretch }, Amount},
	{func(t *Tally) *result.Estimate { return &t.ETTR }, func(c *result.ClassResult) *result.Estimate { return &c.ETTR }, Share},
	{func(t *Tally) *result.Estimate { return &t.NoWait }, func(c *result.ClassResult) *result.Estimate { return &c.Waiting.NoWait }, Share},
	{func(t *Tally) *result.Estimate { return &t.Blocked }, func(c *result.ClassResult) *result.Estimate { return &c.Blocked }, Share},
	{func(t *Tally) *result.Estimate { return &t.BlockedTime }, func(c *result.ClassResult) *result.Estimate { return &c.BlockedTime }, Share},
	{func(t *Tally) *result.Estimate { return &t.InLine }, func(c *result.ClassResult) *result.Estimate { return &c.InLine }, Amount},
	{func(t *Tally) *result.Estimate { return &t.Carried }, func(c *result.ClassResult) *result.Estimate { return &c.Carried }, Amount},
	{func(t *Tally) *result.Estimate { return &t.Thinking }, func(c *result.ClassResult) *result.Estimate { return &c.Thinking }, Amount},
	{func(t *Tally) *result.Estimate { return &t.Scattered }, func(c *result.ClassResult) *result.Estimate { return &c.Scattered }, Share},
}

// numbers are all numbers of a class but the quantities.
var numbers = func() (list []told) {
	for _, m := range means {
		list = append(list, m.told)
	}
	return append(list, others[:]...)
}()

// Tally holds the measures of the jobs of one class, or of all jobs. A zero value means "not
// measured".
type Tally struct {
	// Waiting is the time to the start of service or, under a preemptive policy, all
	// the time in the system without service. Response is waiting and service.
	Waiting, Response Times
	// Slowdown is the response as a multiple of the service, or of a threshold where the
	// service is shorter; at least 1.
	Slowdown    Times
	Preemptions result.Estimate // a job
	// Preemptive policies have the wait until the first start, the time lost a job, the lost
	// part of the time for which servers are held, and the share of jobs that leave.
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
	Thinking                              result.Estimate // users who think
	// Of nodes: the share of the jobs that have no place when they come although as many units
	// are free as they need.
	Scattered result.Estimate
	// Where servers fail: the failures that hit a job, and the mean service over the mean time
	// from the first start to the end.
	Interruptions, ETTR result.Estimate
	// Of elastic jobs: see result.ClassResult.
	Size, Resizes, Stretch result.Estimate
}

type powers struct{ X, X2 float64 }

// Sums are what is added up of jobs.
type Sums struct {
	N     float64
	Of    [Quantities]powers
	Means [Means]float64
}

// Add adds a job, so many times.
func (s *Sums) Add(j *Served, a *Asked, times float64) {
	s.AddPlain(j.Wait, j.Wait+j.Service, a, times)
	s.Means[FirstStart] += times * j.FirstWait
	if j.FirstWait == 0 {
		s.Means[atOnce] += times
	}
	if j.Killed {
		s.Means[killed] += times
	}
	if j.Interruptions > 0 || j.Preemptions > 0 || j.Lost > 0 {
		s.Means[interruptions] += times * float64(j.Interruptions)
		s.Means[preemptions] += times * float64(j.Preemptions)
		s.Means[lost] += times * j.Lost
		if j.Dropped {
			s.Means[Left] += times
		}
	}
}

// AddPlain adds what a job that nobody stops or kills shows under a policy that is not
// preemptive.
func (s *Sums) AddPlain(wait, response float64, a *Asked, times float64) {
	s.Means[waitingInTime] += times * float64(indicator(wait <= a.InTime))
	s.Means[responseInTime] += times * float64(indicator(response <= a.InTime))
}

// AddWhole adds what a job shows that nobody stops or kills where others may be.
func (s *Sums) AddWhole(wait, response, firstWait, loses float64, a *Asked) {
	s.AddPlain(wait, response, a, 1)
	s.Means[FirstStart] += firstWait
	s.Means[atOnce] += float64(indicator(firstWait == 0))
	s.Means[lost] += loses
}

func indicator(b bool) (n int32) {
	if b {
		n = 1
	}
	return n
}

// AddValues adds the quantities of a job, so many times. It has no loop, for speed.
func (s *Sums) AddValues(v *[Quantities]float64, times float64) {
	s.N += times
	s.Of[Waiting].add(v[Waiting], times)
	s.Of[Response].add(v[Response], times)
	s.Of[Slowdown].add(v[Slowdown], times)
}

func (m *powers) add(x, times float64) {
	m.X += times * x
	m.X2 += times * (x * x)
}

// Shorts are histograms of the quantities.
type Shorts [Quantities]Short

// Add observes a job. It has no loop, for speed.
func (s *Shorts) Add(v *[Quantities]float64) {
	s[Waiting].Add(v[Waiting])
	s[Response].Add(v[Response])
	s[Slowdown].Add(v[Slowdown])
}

// Merge adds the sums of other jobs.
func (s *Sums) Merge(o *Sums) {
	s.N += o.N
	for q := range s.Of {
		s.Of[q].X += o.Of[q].X
		s.Of[q].X2 += o.Of[q].X2
	}
	for m := range s.Means {
		s.Means[m] += o.Means[m]
	}
}

// Batch is the sums of a quantity.
func (s *Sums) Batch(q Quantity) Batch { return Batch{N: s.N, X: s.Of[q].X, X2: s.Of[q].X2} }

// Of is what a tally has of a quantity.
func (t *Tally) Of(q Quantity) *Times { return quantities[q].tally(t) }

// Happening is what can happen to jobs under a policy: they are preempted, lose what they have
// done or get more to do, and are killed at a limit.
type Happening struct{ Preempts, Loses, Kills bool }

// Take sets what is measured of each job: the quantities, then the means. What cannot happen is
// exactly 0, and what was not asked for stays unknown.
func (t *Tally) Take(under Happening, a Asked, of func(q Quantity) Times, mean func(m Mean) result.Estimate) {
	for q := range Quantity(Quantities) {
		*t.Of(q) = of(q)
	}
	stops := under.Preempts || a.Failing
	for m := range Mean(Means) {
		switch row := &means[m]; {
		case row.asked != nil && !row.asked(a):
		case row.happens != nil && !row.happens(under) && (stops || !row.preemptive):
			*row.tally(t) = result.Exact(0, t.Waiting.Mean.Method)
		case stops || !row.preemptive:
			*row.tally(t) = mean(m)
		}
	}
}

// Metrics are the quantities of a class in a result.
func Metrics(c *result.ClassResult) (list [Quantities]*result.Metric) {
	for i, q := range quantities {
		list[i] = q.result(c)
	}
	return list
}

// Numbers are all numbers of a class in a result but the quantities.
func Numbers(c *result.ClassResult) (list []*result.Estimate) {
	for _, n := range numbers {
		list = append(list, n.result(c))
	}
	return list
}

// EachNumber calls f for the same numbers with what they are, but for the jobs that are served in a
// unit of time and the users who think, which vary with the arrivals.
func EachNumber(c *result.ClassResult, f func(e *result.Estimate, kind Kind)) {
	for _, n := range numbers {
		if e := n.result(c); e != &c.Carried && e != &c.Thinking {
			f(e, n.kind)
		}
	}
}

// Kind says what the mean is.
func (m Mean) Kind() Kind { return means[m].kind }

// Usual is the order of the quantity where times are of the order of the unit, and how many
// octaves below it are usual.
func (q Quantity) Usual(unit float64) (x float64, down int) {
	if quantities[q].time {
		return unit, ShortOctaves / 2
	}
	return 1, 0
}

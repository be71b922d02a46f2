package trace

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Elastic has some jobs of a log run on more or fewer servers than they asked for, as mjq.Model.Elastic and
// Partial do; see there for the rules. The log's time of a job is that on the servers that it asked for.
type Elastic struct {
	// Class, User and Need choose the jobs: of a class, which in logs of Slurm is the partition, of a user,
	// and that ask for at least so many servers. "" and 0 are any.
	Class string `json:"class,omitempty"`
	User  string `json:"user,omitempty"`
	Need  int    `json:"need,omitempty"`
	// Share of these jobs is elastic; 0 is all. Which are drawn is the same in every replay, and those of a
	// smaller share are among those of a larger one.
	Share float64 `json:"share,omitempty"`
	// Least and Most are the sizes of a job as multiples of what it asked for, such as 0.25 and 2. Least is
	// rounded up, and Most down to at most the servers that there are; 0 is 1.
	Least float64 `json:"least,omitempty"`
	Most  float64 `json:"most,omitempty"`
	// Partial jobs choose their size at the start and keep it. Most is then 1.
	Partial bool `json:"partial,omitempty"`
	// Speed is how fast jobs run, such as mjq.Power(0.8).
	Speed spec.Speed `json:"speed"`
}

// Elastic are the scenarios that a share of some jobs may shrink and grow, for WhatIf: what it would have
// given if 20, 50 or 100 % of the trainings could.
//
//	log.WhatIf(ctx, base, log.Elastic(base, trace.Elastic{Class: "train", Least: 0.25, Most: 2, Speed: mjq.Power(0.8)}, 0.2, 0.5, 1))
func (t *Trace) Elastic(base Replay, jobs Elastic, shares ...float64) (list []Scenario) {
	for _, share := range shares {
		how := base
		jobs.Share = share
		how.Elastic = append(slices.Clone(base.Elastic), jobs)
		list = append(list, Scenario{Name: fmt.Sprintf("%g %% of %s are elastic", 100*share, jobs.whose()), Replay: how,
			Costs: "programs must change their number of servers while they run"})
	}
	return list
}

// whose are the jobs in words.
func (e *Elastic) whose() string {
	text := "the jobs"
	if e.Class != "" {
		text += " of " + e.Class
	}
	if e.User != "" {
		text += " of user " + e.User
	}
	if e.Need > 1 {
		text += fmt.Sprintf(" on %d servers or more", e.Need)
	}
	return text
}

// of reports whether a job is one of those.
func (e *Elastic) of(j *Job, number int32) bool {
	if e.Class != "" && j.Class != e.Class || e.User != "" && j.User != e.User || j.Need < e.Need {
		return false
	}
	return e.Share == 0 || rand.New(rand.NewPCG(uint64(number), 0x9e6c63d0876a9a47)).Float64() < e.Share
}

// sizes are those of a job that asks for a number of servers, where there are so many.
func (e *Elastic) sizes(need, servers int) *spec.Elastic {
	multiple := func(x float64) float64 { return float64(need) * max(x, 0) }
	least, most := need, need
	if e.Least > 0 {
		least = int(check.Whole(math.Ceil(multiple(e.Least)*(1-1e-12)), 1, int64(need)))
	}
	if e.Most > 0 {
		most = int(check.Whole(math.Floor(multiple(e.Most)*(1+1e-12)), 1, int64(servers)))
	}
	return &spec.Elastic{Partial: e.Partial, Least: least, Most: most, Speed: e.Speed}
}

// elasticFaults says what is wrong with elastic jobs.
func (q *replay) elasticFaults(f *check.Faults) {
	f.That(!q.Oldest || len(q.Elastic) > 0, "Oldest without Elastic: no job takes servers that are free; add Elastic, or leave it out")
	if len(q.Elastic) == 0 {
		return
	}
	f.That(q.log != nil, "Elastic needs the whole log: read it with ReadSacct, ReadSWF or ReadCSV")
	f.That(len(q.Units)+len(q.Nodes) == 0, "Elastic is for servers that are alike in one pool; leave out Units and Nodes")
	f.That(len(q.Reserve)+len(q.Limits) == 0 && q.Sleep == nil, "Elastic along with Reserve, Limits or Sleep: no rule says yet what jobs give back and what counts; leave one of them out")
	f.That(q.After == nil || q.After.After().How != policy.Migrate, "After(migrate) along with Elastic: jobs that move hold what they need; choose resume.Shrink()")
	for i := range q.Elastic {
		e, at := &q.Elastic[i], fmt.Sprintf("Elastic[%d]", i)
		f.That(e.Share >= 0 && e.Share <= 1, "%s: Share %v; give a part of the jobs, from 0 to 1", at, e.Share)
		f.That(e.Least >= 0 && e.Least <= 1, "%s: Least %v; give a multiple of what jobs ask for, from 0 to 1", at, e.Least)
		f.That(e.Most == 0 || e.Most >= 1 && !math.IsInf(e.Most, 1), "%s: Most %v; give a multiple of what jobs ask for, at least 1", at, e.Most)
		f.That(!e.Partial || e.Most == 0 || e.Most == 1, "%s: Most %v of partial jobs, which take what they ask for at most; leave it out", at, e.Most)
		f.That(e.Speed.Only == nil, "%s: sizes %v: jobs of a log ask for several numbers of servers; leave the sizes out", at, e.Speed.Only)
		q.speedFaults(f, e, at)
	}
	if q.Policy != nil {
		f.Join(spec.ResizesUnder(q.Policy, (&spec.Spec{Servers: max(1, q.Servers), Classes: []spec.Class{{Name: "a", Need: 1}}}).PolicySystem()))
	}
}

// speedFaults says what is wrong with the speed for the jobs that there are.
func (q *replay) speedFaults(f *check.Faults, e *Elastic, at string) {
	if q.log == nil || !f.None() {
		return
	}
	seen, any := map[int]bool{}, false
	for i := range q.log.Jobs {
		j := &q.log.Jobs[i]
		if of := *e; seen[j.Need] || j.Need > q.Servers {
			continue
		} else if of.Share = 0; of.of(j, 0) {
			seen[j.Need], any = true, true
			e.sizes(j.Need, q.Servers).Faults(f, fmt.Sprintf("%s, jobs of %d servers", at, j.Need), j.Need, q.Servers)
		}
		if !f.None() {
			return
		}
	}
	f.That(any || len(q.log.Jobs) == 0, "%s: the log has none of %s; name a class, a user and a need that it has", at, e.whose())
}

// stretched are the elastic jobs of a part.
type stretched struct {
	compiled.Elastic
	known map[[2]int]int32 // form by rule and need
	least float64          // work of all jobs on the numbers of servers that they use best
}

// form is that of the job with a number in the log, 1 more than its index; 0 if it holds what it needs.
func (p *part) form(how *Replay, j *Job, number int32) int32 {
	if len(how.Elastic) == 0 {
		return 0
	}
	if p.stretched == nil {
		p.stretched = &stretched{Elastic: compiled.Elastic{Oldest: how.Oldest}, known: map[[2]int]int32{}}
	}
	x, best := p.stretched, float64(j.Need)*j.Service
	defer func() { x.least += best }()
	rule := slices.IndexFunc(how.Elastic, func(e Elastic) bool { return e.of(j, number) })
	if rule < 0 {
		return 0
	}
	key := [2]int{rule, j.Need}
	form, known := x.known[key]
	if !known {
		if e := how.Elastic[rule].sizes(j.Need, p.servers); e.Least < e.Largest(j.Need) {
			x.Forms = append(x.Forms, problem.Form(e, j.Need))
			form = int32(len(x.Forms))
		}
		x.known[key] = form
	}
	if form > 0 {
		f := &x.Forms[form-1]
		for k := f.Least; k <= f.Most; k++ {
			best = min(best, float64(k)*j.Service/f.Speed[k])
		}
	}
	return form
}

// responses adds the changes of the mean response.
func (q *whatIf) responses(o *Outcome, x, base *served, factor float64) {
	is, was := x.responses(), base.responses()
	change, near := q.estimate(q.dailyOf(x, is, nil), q.dailyOf(base, was, nil), factor)
	o.All.Response = change
	o.LowResponse, o.HighResponse = uneven(change, near)
	of, before := q.dailyByClass(x, is), q.dailyByClass(base, was)
	for i := range o.Classes {
		c := &o.Classes[i]
		c.Response, _ = q.estimate(of[c.Name], before[c.Name], factor)
	}
}

// responses are the waits and times in service of the jobs.
func (x *served) responses() []float64 {
	list := slices.Clone(x.waits)
	for i := range list {
		if x.spent != nil {
			list[i] += x.spent[i]
		} else {
			list[i] += x.log.Jobs[i].Service
		}
	}
	return list
}

// sizesOf adds up what the jobs of a class have run on.
type sizesOf struct{ jobs, work, ran, held, resizes, responses float64 }

func (z *sizesOf) add(r *events.Record) {
	z.jobs++
	z.work += r.Work
	z.ran += r.Service
	z.held += r.Held
	z.resizes += float64(r.Resizes)
	z.responses += r.Wait + r.Service
}

func (z *sizesOf) join(o *sizesOf) {
	z.jobs += o.jobs
	z.work += o.work
	z.ran += o.ran
	z.held += o.held
	z.resizes += o.resizes
	z.responses += o.responses
}

// tell fills in what is known of sizes.
func (z *sizesOf) tell(c *result.ClassResult) {
	if z.jobs > 0 {
		c.Size, c.Resizes, c.Stretch = result.Exact(z.held/z.ran, "trace"), result.Exact(z.resizes/z.jobs, "trace"), result.Exact(z.responses/z.work, "trace")
	}
}

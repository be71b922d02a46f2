package product

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// evenly are the sizes of so many jobs on so many servers, the earliest job first.
func evenly(jobs, servers, least, most int) (sizes []int) {
	for len(sizes) < jobs && servers >= least {
		sizes, servers = append(sizes, least), servers-least
	}
	for ; servers > 0; servers-- {
		at := -1
		for i, size := range sizes {
			if size < most && (at < 0 || size < sizes[at]) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		sizes[at]++
	}
	return sizes
}

// frail are jobs of one elastic class on four servers that fail.
type frail struct {
	least int
	how   mjq.Checkpoint
}

// The rates of frail.
const frailServers, frailRate, frailFails, frailRepaired = 4, 0.5, 0.15, 0.7

func (q frail) model() mjq.Model {
	return mjq.Servers(frailServers).Poisson(frailRate).Class("train", 2, 1, mjq.ExpMean(1)).Elastic("train", q.least, frailServers, mjq.Power(0.8)).
		Failures("hardware", mjq.ExpMean(1/frailFails), mjq.ExpMean(1/frailRepaired)).After(q.how)
}

// solve solves it by the chain of the jobs and of the servers that are up: jobs, servers that are up, that
// jobs hold, and of a running job; interruptions a job, and the share of the jobs that leave.
func (q frail) solve() (jobs, up, held, size, hits, left float64) {
	type state struct{ jobs, up int }
	const most = 60
	speed := func(k int) float64 { return math.Pow(float64(k)/2, 0.8) }
	leaves := func(size int) bool { return q.how.How == policy.Drop && (!q.how.Shrink || size == q.least) }
	law := stationary(state{0, frailServers}, func(s state, to func(state, float64)) {
		sizes, held := evenly(s.jobs, s.up, q.least, frailServers), 0
		if s.jobs < most {
			to(state{s.jobs + 1, s.up}, frailRate)
		}
		to(state{s.jobs, s.up + 1}, float64(frailServers-s.up)*frailRepaired)
		for _, size := range sizes {
			held += size
			to(state{s.jobs - 1, s.up}, speed(size))
			next := state{s.jobs, s.up - 1}
			if leaves(size) {
				next.jobs--
			}
			to(next, float64(size)*frailFails)
		}
		to(state{s.jobs, s.up - 1}, float64(s.up-held)*frailFails)
	})
	running := 0.
	for s, p := range law {
		jobs, up = jobs+p*float64(s.jobs), up+p*float64(s.up)
		for _, size := range evenly(s.jobs, s.up, q.least, frailServers) {
			running += p
			held += p * float64(size)
			if leaves(size) {
				left += p * float64(size) * frailFails / frailRate
			}
		}
	}
	return jobs, up, held, held / running, held * frailFails / frailRate, left
}

// TestShrinkingOnServersThatFail: jobs of one elastic class that leave when a failure takes so many of their
// servers that fewer than their least remain, or any, against the chain. Jobs that resume, or whose services
// are drawn anew, differ in nothing but what they lose.
func TestShrinkingOnServersThatFail(t *testing.T) {
	for _, least := range []int{1, 2} {
		for i, how := range []mjq.Checkpoint{{How: policy.Drop, Shrink: true}, {How: policy.Drop}, {How: policy.Resume, Shrink: true}, {How: policy.Resampled}} {
			if oracle.Sized(i+least, 0)%2 > 0 { // each way with one least size
				continue
			}
			t.Run(fmt.Sprint(how, " from ", least), func(t *testing.T) {
				q := frail{least, how}
				r := simulated(t, q.model())
				jobs, up, held, size, hits, left := q.solve()
				oracle.Agrees(t, "jobs", r.MeanJobs, jobs)
				oracle.Agrees(t, "response", r.All.Response.Mean, jobs/frailRate)
				oracle.Agrees(t, "servers that are up", r.Up, up)
				oracle.Agrees(t, "servers of a job", r.All.Size, size)
				oracle.Agrees(t, "interruptions", r.All.Interruptions, hits)
				oracle.Agrees(t, "servers that are not held", r.Idle, frailServers-held)
				if how.How == policy.Drop {
					oracle.Agrees(t, "jobs that leave", r.All.Left, left)
				}
				if how.How == policy.Resume {
					oracle.Agrees(t, "goodput", r.Goodput, held)
					if r.All.Lost.Value != 0 {
						t.Errorf("jobs that resume lose %v", r.All.Lost)
					}
				}
				if busy := frailServers - r.Idle.Value; math.Abs(r.Goodput.Value+r.All.LostShare.Value*busy-busy) > 0.02*busy {
					t.Errorf("jobs hold %v servers, of which %v are kept and a share of %v is lost", busy, r.Goodput, r.All.LostShare)
				}
			})
		}
	}
}

// TestShrinkingCoverage: intervals of elastic jobs on servers that fail hold the truth as often as they say.
func TestShrinkingCoverage(t *testing.T) {
	runs := int(oracle.Sized(40, 400))
	q := frail{1, mjq.Checkpoint{How: policy.Drop, Shrink: true}}
	m := q.model()
	jobs, up, _, size, hits, left := q.solve()
	names, truth, hold := []string{"jobs", "response", "up", "size", "interruptions", "left"}, []float64{jobs, jobs / frailRate, up, size, hits, left}, make([]int, 6)
	for seed := range runs {
		r := mjq.Must(m.Solve(background, mjq.Simulation{Jobs: int(oracle.Sized(300, 1000)), Replications: 20}, mjq.Seed(uint64(seed+1)), mjq.NoCache()))
		for i, e := range []result.Estimate{r.MeanJobs, r.All.Response.Mean, r.Up, r.All.Size, r.All.Interruptions, r.All.Left} {
			if math.Abs(e.Value-truth[i]) <= e.HalfWidth {
				hold[i]++
			}
		}
	}
	t.Logf("of %d intervals hold: %v %v", runs, names, hold)
	for i := range hold {
		if least := float64(runs) * (0.93 - 3*math.Sqrt(.93*.07/float64(runs))); float64(hold[i]) < least {
			t.Errorf("%d of %d intervals of %s hold", hold[i], runs, names[i])
		}
	}
}

// TestUsersOfElasticJobs: five users whose jobs shrink and grow, on servers that fail or not.
func TestUsersOfElasticJobs(t *testing.T) {
	type state struct{ jobs, up int }
	const users, servers, think, repaired = 5, 3, 0.4, 0.8
	speed := func(k int) float64 { return math.Pow(float64(k)/2, 0.7) }
	for _, fails := range []float64{0, 0.2} {
		law := stationary(state{0, servers}, func(s state, to func(state, float64)) {
			to(state{s.jobs + 1, s.up}, float64(users-s.jobs)*think)
			to(state{s.jobs, s.up + 1}, float64(servers-s.up)*repaired)
			if s.up > 0 {
				to(state{s.jobs, s.up - 1}, float64(s.up)*fails)
			}
			for _, size := range evenly(s.jobs, s.up, 1, servers) {
				to(state{s.jobs - 1, s.up}, speed(size))
			}
		})
		m := mjq.Servers(servers).Class("train", 2, 0, mjq.ExpMean(1)).Users("train", users, mjq.ExpMean(1/think)).Elastic("train", 1, servers, mjq.Power(0.7))
		if fails > 0 {
			m = m.Failures("hardware", mjq.ExpMean(1/fails), mjq.ExpMean(1/repaired)).After(mjq.Resume).Shrink()
		}
		r := simulated(t, m)
		jobs := mean(law, func(s state) float64 { return float64(s.jobs) })
		oracle.Agrees(t, "jobs", r.MeanJobs, jobs)
		oracle.Agrees(t, "users who think", r.All.Thinking, users-jobs)
		oracle.Agrees(t, "carried", r.All.Carried, (users-jobs)*think)
		if st, err := m.Stability(background); err != nil || !math.IsInf(st.Rate, 1) {
			t.Errorf("a queue of users has the limit %v, %v", st, err)
		}
	}
	open := mjq.Servers(3).Poisson(0.5).Class("train", 2, 1, mjq.ExpMean(1)).Elastic("train", 1, 3, mjq.Power(0.7))
	want := mjq.Must(open.Stability(background)).Rate
	if st, err := open.Class("users", 1, 0, mjq.ExpMean(1)).Users("users", 2, mjq.ExpMean(1)).Stability(background); err != nil || st.Rate != want {
		t.Errorf("with users beside it the limit is %v, %v; without %v", st, err, want)
	}
}

// TestShrinkingLimits: jobs whose least and most are their need are those of one size, to the bit, and on
// servers that fail so rarely that no run sees it elastic and partial jobs are those of today.
func TestShrinkingLimits(t *testing.T) {
	run := func(m mjq.Model) *result.Result {
		r, err := m.Solve(background, mjq.Simulation{Jobs: 2_000, Replications: 4})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	base := mjq.Servers(6).Poisson(1).Class("one", 1, 0.5, mjq.ExpMean(1)).Class("train", 4, 0.5, mjq.ErlangMeanPhases(1, 2))
	fails := base.Failures("hardware", mjq.ExpMean(30), mjq.ExpMean(2)).Failures("glitch", mjq.ExpMean(20), mjq.Deterministic(0))
	for _, how := range []mjq.Checkpoint{{How: policy.Resume}, {How: policy.Restart, Recovery: 0.1, Detection: 0.1}, {Every: 0.4, Cost: 0.05, Recovery: 0.1}} {
		a, b := run(fails.After(how)), run(fails.After(how).Elastic("train", 4, 4, mjq.Linear()).Shrink())
		if a.All.Waiting.Mean != b.All.Waiting.Mean || a.All.Lost.Value != b.All.Lost.Value || a.Goodput != b.Goodput {
			t.Errorf("after %v: %v and %v, with one size %v and %v", how, a.All.Waiting.Mean, a.All.Lost, b.All.Waiting.Mean, b.All.Lost)
		}
	}
	for name, m := range map[string]mjq.Model{"elastic": base.Elastic("train", 2, 6, mjq.Power(0.8)), "resized": base.Elastic("train", 2, 6, mjq.Power(0.8).Resize(0.1).Sizes(2, 4, 6)).Oldest(),
		"partial": base.Partial("train", 1, mjq.Amdahl(0.9)), "EASY": base.Elastic("train", 2, 6, mjq.Linear()).Policy(mjq.EASY())} {
		a, b := run(m), run(m.Failures("never", mjq.ExpMean(1e12), mjq.ExpMean(1)).After(mjq.Restart))
		for i := range a.Classes {
			x, y := &a.Classes[i], &b.Classes[i]
			oracle.Relative(t, name+" waits", y.Waiting.Mean.Value, x.Waiting.Mean.Value, 1e-9)
			oracle.Relative(t, name+" responses", y.Response.Mean.Value, x.Response.Mean.Value, 1e-9)
			oracle.Relative(t, name+" sizes", y.Size.Value, x.Size.Value, 1e-9)
			oracle.Relative(t, name+" changes", y.Resizes.Value, x.Resizes.Value, 1e-9)
		}
		oracle.Relative(t, name+" idle", b.Idle.Value, a.Idle.Value, 1e-9)
		longest := map[string]float64{"elastic": math.Pow(2, 0.8), "partial": 1 / (0.1 + 0.9/4), "EASY": 2, "resized": math.NaN()}[name]
		if lost := b.Classes[1].Lost; math.IsNaN(longest) != math.IsNaN(lost.HalfWidth) || lost.HalfWidth < 1.49*longest*b.Classes[1].Interruptions.HalfWidth {
			t.Errorf("%s: no job was hit, and they lose %v", name, lost)
		}
	}
}

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

// TestShrinkingOnServersThatFail: jobs of one elastic class that leave when a failure takes so many of their
// servers that fewer than their least remain, or any, against the chain of the jobs and of the servers that
// are up. The rest of the jobs, resumed or drawn anew, differ in nothing but what they lose.
func TestShrinkingOnServersThatFail(t *testing.T) {
	type state struct{ jobs, up int }
	const servers, rate, fails, repaired, most = 4, 0.5, 0.15, 0.7, 60
	speed := func(k int) float64 { return math.Pow(float64(k), 0.8) }
	for _, least := range []int{1, 2} {
		for _, how := range []mjq.Checkpoint{{How: policy.Drop, Shrink: true}, {How: policy.Drop}, {How: policy.Resume, Shrink: true}, {How: policy.Resampled}} {
			t.Run(fmt.Sprint(how, " from ", least), func(t *testing.T) {
				leaves := func(size int) bool { return how.How == policy.Drop && (!how.Shrink || size == least) }
				law := stationary(state{0, servers}, func(s state, to func(state, float64)) {
					sizes, held := evenly(s.jobs, s.up, least, servers), 0
					if s.jobs < most {
						to(state{s.jobs + 1, s.up}, rate)
					}
					to(state{s.jobs, s.up + 1}, float64(servers-s.up)*repaired)
					for _, size := range sizes {
						held += size
						to(state{s.jobs - 1, s.up}, speed(size)/speed(2))
						next := state{s.jobs, s.up - 1}
						if leaves(size) {
							next.jobs--
						}
						to(next, float64(size)*fails)
					}
					to(state{s.jobs, s.up - 1}, float64(s.up-held)*fails)
				})
				of := func(what func(s state, sizes []int) float64) float64 {
					return mean(law, func(s state) float64 { return what(s, evenly(s.jobs, s.up, least, servers)) })
				}
				held := of(func(_ state, sizes []int) (sum float64) {
					for _, size := range sizes {
						sum += float64(size)
					}
					return sum
				})
				running := of(func(_ state, sizes []int) float64 { return float64(len(sizes)) })
				left := of(func(_ state, sizes []int) (sum float64) {
					for _, size := range sizes {
						if leaves(size) {
							sum += float64(size) * fails / rate
						}
					}
					return sum
				})
				m := mjq.Servers(servers).Poisson(rate).Class("train", 2, 1, mjq.ExpMean(1)).Elastic("train", least, servers, mjq.Power(0.8)).
					Failures("hardware", mjq.ExpMean(1/fails), mjq.ExpMean(1/repaired)).After(how)
				r := simulated(t, m)
				jobs := mean(law, func(s state) float64 { return float64(s.jobs) })
				oracle.Agrees(t, "jobs", r.MeanJobs, jobs)
				oracle.Agrees(t, "response", r.All.Response.Mean, jobs/rate)
				oracle.Agrees(t, "servers that are up", r.Up, mean(law, func(s state) float64 { return float64(s.up) }))
				oracle.Agrees(t, "servers of a job", r.All.Size, held/running)
				oracle.Agrees(t, "interruptions", r.All.Interruptions, held*fails/rate)
				oracle.Agrees(t, "servers that are not held", r.Idle, servers-held)
				if how.How == policy.Drop {
					oracle.Agrees(t, "jobs that leave", r.All.Left, left)
				}
				if how.How == policy.Resume {
					oracle.Agrees(t, "goodput", r.Goodput, held)
					if r.All.Lost.Value != 0 {
						t.Errorf("jobs that resume lose %v", r.All.Lost)
					}
				}
				conserved(t, r)
			})
		}
	}
}

// conserved: the servers that jobs hold do work that is kept, or lose it.
func conserved(t *testing.T, r *result.Result) {
	t.Helper()
	held, lost := r.Goodput.Value+r.All.LostShare.Value*(4-r.Idle.Value), 4-r.Idle.Value
	if math.Abs(held-lost) > 0.02*lost {
		t.Errorf("jobs hold %v servers, of which %v are kept or lost", lost, held)
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
	}
}

package simulation_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestPathUnderEveryPolicy: the jobs are those of the first replication of Simulate; no
// server has two at a time, and each gets its service on as many as it needs.
func TestPathUnderEveryPolicy(t *testing.T) {
	const jobs = 600
	m := mjq.Servers(8).Poisson(2.1).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("two", 2, 0.3, mjq.ExpMean(1)).Class("all", 8, 0.1, mjq.ExpMean(1))
	split := 0
	for _, p := range []mjq.Policy{mjq.FirstFit(), mjq.EASY(), policy.EASY().Estimates(policy.UniformFactor(3)), mjq.Window(3), mjq.MostServersFirst(), mjq.ServerFilling(), mjq.PreemptiveFirstFit(), mjq.MaxWeight(), policy.FirstFitSRPT{}} {
		path := mjq.Must(m.Policy(p).Path(context.Background(), 0, jobs, mjq.Seed(3)))
		if len(path.Jobs) != jobs || !path.Complete {
			t.Fatalf("%v: %d jobs, complete %v", p, len(path.Jobs), path.Complete)
		}
		var needs []int
		for _, c := range m.Spec().Classes {
			needs = append(needs, c.Need)
		}
		sim, seen := events.New(compiled.System{Servers: 8, Policy: p, Needs: needs}), 0
		sim.Recorded = func(r *events.Record) {
			if r.Number >= jobs {
				return
			}
			seen++
			j, served := path.Jobs[r.Number], 0.0
			for _, s := range j.Served() {
				served += s.To - s.From
				if len(s.Seized) != j.Need || !slices.IsSorted(s.Seized) {
					t.Errorf("%v: job %d of need %d on %v", p, j.Number, j.Need, s.Seized)
				}
			}
			if near := func(a, b float64) bool { return math.Abs(a-b) < 1e-8 }; j.Number != r.Number || !near(j.Start, r.Start) || !near(j.End, r.End) || !near(served, r.Service) || len(j.Stretches) > r.Preemptions+1 {
				t.Errorf("%v: job %+v served for %v, the engine says %+v", p, j, served, *r)
			}
			if r.Preemptions > 0 {
				split++
			}
		}
		sim.Replicate(problem.New(m.Spec()).System(3, 1).Input.Reader(0))
		sim.Until(4 * jobs)
		if seen != jobs {
			t.Errorf("%v: %d jobs seen", p, seen)
		}
		apart(t, p, path)
	}
	if split < 100 {
		t.Errorf("only %d jobs were preempted", split)
	}
}

// apart says where a server has two jobs at a time, or stands blocked while it has one.
func apart(t *testing.T, p mjq.Policy, path *result.Path) {
	t.Helper()
	rows := make([][]result.Stretch, path.Servers)
	for _, j := range path.Jobs {
		if !(j.Arrival <= j.Head && j.Head <= j.Start && j.Start <= j.End) {
			t.Errorf("%v: job %+v", p, j)
		}
		for _, s := range j.Served() {
			for _, k := range s.Seized {
				rows[k] = append(rows[k], s)
			}
		}
	}
	blocked := path.Blocked()
	if len(blocked) == 0 && p.String() == "EASY" {
		t.Errorf("%v: nothing is blocked", p)
	}
	for _, b := range blocked {
		if b.To < path.To { // later jobs are not in the path
			rows[b.Server] = append(rows[b.Server], result.Stretch{From: b.From, To: b.To})
		}
	}
	for k, row := range rows {
		slices.SortFunc(row, func(a, b result.Stretch) int {
			if a.From+a.To < b.From+b.To {
				return -1
			}
			return 1
		})
		for i := 1; i < len(row); i++ {
			if row[i].From < row[i-1].To-1e-9 {
				t.Fatalf("%v: server %d has %v and %v", p, k, row[i-1], row[i])
			}
		}
	}
}

// TestPathByHand: a job of two is preempted by one of four under ServerFilling.
func TestPathByHand(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.9).Class("two", 2, 0.7, mjq.Deterministic(2)).Class("four", 4, 0.3, mjq.Deterministic(1)).Policy(mjq.ServerFilling())
	path := mjq.Must(m.Path(context.Background(), 50, 100))
	if path.Jobs[0].Number > 50 || path.From <= 0 || path.To <= path.From {
		t.Errorf("from %v to %v, the first is %v", path.From, path.To, path.Jobs[0])
	}
	preempted := slices.IndexFunc(path.Jobs, func(j result.PathJob) bool { return len(j.Stretches) > 1 })
	if preempted < 0 {
		t.Fatal("nothing is preempted")
	}
	j := path.Jobs[preempted]
	gap := j.Stretches[1].From - j.Stretches[0].To
	if whole := gap - math.Round(gap); j.Need != 2 || math.Abs(whole) > 1e-9 {
		t.Errorf("it waits for %v, not a number of jobs of four: %+v", gap, j)
	}
}

package exact_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// impatient is a queue of two classes that give up at rates of their own.
var impatient = mjq.Servers(6).Poisson(3).Class("small", 1, .8, mjq.ExpMean(1)).Class("big", 4, .2, mjq.ExpMean(2)).
	Patience(mjq.ExpMean(2)).Patience(mjq.ExpMean(5), "big")

// TestCounted: chains of counts and simulation agree on the jobs that give up, under policies
// with preemption and without.
func TestCounted(t *testing.T) {
	first, second := []string{"big"}, []string{"small"}
	for i, p := range []mjq.Policy{mjq.MostServersFirst(), mjq.LeastServersFirst(), mjq.AdaptiveQuickswap(), mjq.MaxWeight(), mjq.PreemptiveMostServersFirst(),
		mjq.Priority(first, second), mjq.Priority(first, second).Passing(), mjq.Priority(second, first).Preemptive(mjq.Resume)} {
		m := impatient.Policy(p)
		exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		seen := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: oracle.Sized(4000, 20_000)}, mjq.Seed(uint64(i+1)), mjq.NoCache()))
		for k := range exact.Classes {
			e, s := &exact.Classes[k], &seen.Classes[k]
			oracle.Within(t, fmt.Sprint(p, e.Name, " left"), s.Left, e.Left.Value, 5)
			oracle.Within(t, fmt.Sprint(p, e.Name, " in line"), s.InLine, e.InLine.Value, 5)
			if e.Waiting.NoWait.Known() {
				oracle.Within(t, fmt.Sprint(p, e.Name, " at once"), s.Waiting.NoWait, e.Waiting.NoWait.Value, 5)
			}
		}
		oracle.Within(t, fmt.Sprint(p, " busy"), seen.Utilization, exact.Utilization.Value, 5)
		oracle.Within(t, fmt.Sprint(p, " jobs"), seen.MeanJobs, exact.MeanJobs.Value, 5)
	}
}

// TestAlsoPreempted: jobs that are stopped give up too, by the chain, by simulation and by coupling.
func TestAlsoPreempted(t *testing.T) {
	for i, p := range []mjq.Policy{mjq.PreemptiveMostServersFirst(), mjq.Priority([]string{"small"}, []string{"big"}).Preemptive(mjq.Resume)} {
		m := impatient.Patience(mjq.ExpMean(1), "big").Policy(p).AlsoPreempted()
		exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		for _, how := range []mjq.Option{mjq.Simulation{Jobs: 10_000}, mjq.Unbiased{Samples: 64, PathLength: 2000}} {
			seen := mjq.Must(m.Solve(context.Background(), how, mjq.Seed(uint64(i+1)), mjq.NoCache()))
			for k, e := range exact.Classes {
				oracle.Within(t, fmt.Sprint(p, e.Name, " left"), seen.Classes[k].Left, e.Left.Value, 5)
				oracle.Within(t, fmt.Sprint(p, e.Name, " in line"), seen.Classes[k].InLine, e.InLine.Value, 5)
			}
			oracle.Within(t, fmt.Sprint(p, " busy"), seen.Utilization, exact.Utilization.Value, 5)
		}
		stay := mjq.Must(impatient.Patience(mjq.ExpMean(1), "big").Policy(p).Solve(context.Background(), mjq.Exact{}))
		if !(exact.All.Left.Value > stay.All.Left.Value+0.001) {
			t.Errorf("%v: %v leave, and %v where those stay that have started", p, exact.All.Left, stay.All.Left)
		}
	}
	if err := impatient.Policy(mjq.EASY()).AlsoPreempted().Err(); err == nil || !strings.Contains(err.Error(), "stop jobs and resume them") {
		t.Error(err)
	}
}

// TestCountedQuickswap: one-or-all, where the job for which servers were drained may leave.
func TestCountedQuickswap(t *testing.T) {
	m := mjq.Servers(4).Poisson(3).Class("one", 1, .8, mjq.ExpMean(1)).Class("all", 4, .2, mjq.ExpMean(1)).Patience(mjq.ExpMean(1)).Patience(mjq.ExpMean(3), "one")
	for i, p := range []mjq.Policy{mjq.Quickswap(2), mjq.ArmedQuickswap(1)} {
		exact := mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Exact{}))
		seen := mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Simulation{Jobs: 20_000}, mjq.Seed(uint64(i+1)), mjq.NoCache()))
		for k, e := range exact.Classes {
			oracle.Within(t, fmt.Sprint(p, e.Name, " left"), seen.Classes[k].Left, e.Left.Value, 5)
			oracle.Within(t, fmt.Sprint(p, e.Name, " in line"), seen.Classes[k].InLine, e.InLine.Value, 5)
		}
	}
}

// TestKeptAndImpatient: servers kept free along with patience, by the chain and by simulation.
func TestKeptAndImpatient(t *testing.T) {
	m := mjq.Servers(6).Poisson(3).Class("small", 1, .8, mjq.ExpMean(1)).Class("big", 4, .2, mjq.ExpMean(2)).Patience(mjq.ExpMean(2)).Keep("small", 2).Room(5)
	exact := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
	seen := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 40_000}, mjq.Seed(1), mjq.NoCache()))
	for k, e := range exact.Classes {
		oracle.Within(t, e.Name+" left", seen.Classes[k].Left, e.Left.Value, 5)
		oracle.Within(t, e.Name+" blocked", seen.Classes[k].Blocked, e.Blocked.Value, 5)
		oracle.Within(t, e.Name+" in line", seen.Classes[k].InLine, e.InLine.Value, 5)
		oracle.Within(t, e.Name+" waits", seen.Classes[k].Waiting.Mean, e.Waiting.Mean.Value, 5)
	}
}

// TestCountedRefused: what no chain of counts describes is refused with the reason.
func TestCountedRefused(t *testing.T) {
	for want, m := range map[string]mjq.Model{
		"is not exponential":                   impatient.Patience(mjq.Deterministic(3)).Policy(mjq.MostServersFirst()),
		"a queue with room is solved exactly":  impatient.Room(3).Policy(mjq.MostServersFirst()),
		"at different rates":                   impatient.Policy(mjq.FirstFit()),
		"no chain of manageable size is known": impatient.Policy(mjq.EASY()),
		"only Poisson and Markovian arrivals":  impatient.Arrivals(mjq.Deterministic(1)).Policy(mjq.MostServersFirst()),
	} {
		if _, err := m.Solve(context.Background(), mjq.Exact{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

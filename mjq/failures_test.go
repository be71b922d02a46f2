package mjq_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestFailureFaults: what is wrong with servers that fail is told all at once, each fault with its
// remedy.
func TestFailureFaults(t *testing.T) {
	base := mjq.Servers(8).Poisson(0.1).Class("wide", 6, 0.5, mjq.ExpMean(1)).Class("one", 1, 0.5, mjq.ExpMean(1))
	fails := base.Failures("hw", mjq.ExpMean(100), mjq.ExpMean(5))
	for name, x := range map[string]struct {
		model mjq.Model
		want  []string
	}{
		"up 0":            {base.Failures("hw", mjq.Deterministic(0), mjq.ExpMean(1)), []string{"give a law with a positive mean"}},
		"up for ever":     {base.Failures("hw", mjq.LomaxScaleShape(1, 0.5), mjq.ExpMean(1)), []string{"leave this kind of failure out"}},
		"repair for ever": {base.Failures("hw", mjq.ExpMean(1), mjq.LomaxScaleShape(1, 0.5)), []string{"all servers are down"}},
		"no laws":         {base.Failures("", nil, nil).Failures("", nil, nil), []string{"kind 1 has no name", "time up: no law", "repair: no law", "kind 2 has no name", "no law", "no law"}},
		"same name":       {fails.Failures("hw", mjq.ExpMean(1), mjq.ExpMean(1)), []string{"taken by an earlier kind"}},
		"every":           {fails.After(mjq.Checkpoint{Cost: 1}), []string{"Every 0", "Every 0"}},
		"negative":        {fails.After(mjq.Checkpoint{Every: -1, Cost: -1, Recovery: -1, Detection: math.NaN()}, "one"), []string{"Every -1", "Cost -1", "Recovery -1", "Detection NaN"}},
		"a word":          {fails.After(mjq.Checkpoint{How: "restrat"}, "one"), []string{"choose resume, restart, resampled, drop, migrate"}},
		"class":           {fails.After(mjq.Resume, "three"), []string{"there is no class"}},
		"crews":           {fails.Crews(0), []string{"give at least 1"}},
		"spares":          {fails.Spares(3), []string{"class \"wide\" needs 6 servers of the 5"}},
		"more spares":     {fails.Spares(-1), []string{"cannot be negative"}},
		"alone":           {base.Crews(2).After(mjq.Drop, "one"), []string{"Crews(2) without Failures", "without Failures: no job is hit"}},
		"before":          {base.WhileBusy().Hard(), []string{"WhileBusy: no kind of failure", "Hard: no reservation"}},
		"notice":          {fails.Notice(-1).Lemons(2, 0), []string{"Notice(-1)", "share of the servers", "factor must be positive"}},
		"filling":         {fails.Policy(mjq.ServerFilling()), []string{"it counts on all servers"}},
		"migrate":         {fails.Policy(mjq.FirstFit()).After(mjq.Migrate), []string{"leave the policy out"}},
		"period":          {base.Reserve(0, 10, 8).Every(5), []string{"longer than its period"}},
		"never starts":    {base.Reserve(0, 4, 3).Every(5), []string{"a share of 0.368 of the jobs of class \"wide\""}},
		"no reservations": {base.Reserve(0, 4, 1).Every(50).Policy(mjq.LeastServersFirst()), []string{"does not plan with servers that are reserved"}},
		"which nodes":     {mjq.Nodes(4, 2).Poisson(1).Class("a", 1, 1, mjq.ExpMean(1)).Reserve(0, 4, 1).Every(50).Policy(mjq.EASY()), []string{"which nodes"}},
		"window":          {base.Reserve(-1, 0, 9).Every(-2), []string{"start", "length", "from 1 to 8", "period"}},
		"types":           {mjq.Resources("cpu", 4).Poisson(1).Needing("a", mjq.Needs{"cpu": 1}, 1, mjq.ExpMean(1)).Failures("hw", mjq.ExpMean(1), mjq.ExpMean(1)), []string{"NodesOf"}},
		"named":           {mjq.Servers(4).Poisson(1).Specific("a", mjq.Pick{Named: []int{1}}, 1, mjq.ExpMean(1)).Failures("hw", mjq.ExpMean(1), mjq.ExpMean(1)), []string{"named servers"}},
		"shrink":          {fails.Shrink(), []string{"Shrink: no After is named before it"}},
		"rigid":           {fails.After(mjq.Restart).Shrink().Partial("wide", 2, mjq.Linear()), []string{"Shrink() without Elastic"}},
		"moves":           {fails.After(mjq.Migrate).Shrink().Elastic("wide", 2, 8, mjq.Linear()), []string{"with Shrink", "with Shrink", "say After(mjq.Resume).Shrink()"}},
		"spot":            {fails.Notice(1).Elastic("wide", 2, 8, mjq.Linear()), []string{"leave Notice out"}},
		"booked":          {fails.Reserve(5, 2, 3).Elastic("wide", 2, 8, mjq.Linear()), []string{"along with Reserve"}},
		"printed":         {fails.Loss().Keep("one", 1), []string{"along with Keep"}},
	} {
		err := x.model.Err()
		if err == nil {
			t.Errorf("%s: no fault", name)
			continue
		}
		lines := strings.Split(err.Error(), "\n")[1:]
		if len(lines) != len(x.want) {
			t.Errorf("%s: %d faults, want %d:\n%v", name, len(lines), len(x.want), err)
			continue
		}
		for i, want := range x.want {
			if !strings.Contains(lines[i], want) {
				t.Errorf("%s: fault %d is %q, want %q", name, i+1, lines[i], want)
			}
		}
	}
	for _, m := range []mjq.Model{fails, fails.Policy(mjq.EASY()), fails.Policy(mjq.Priority([]string{"one"})), fails.Policy(mjq.FirstFit()).Loss(), fails.Spares(2).Crews(1)} {
		if err := m.Err(); err != nil {
			t.Error(err)
		}
	}
}

// TestShrinkIsWritten: Shrink is of the classes of the After before it, in JSON and on the command line.
func TestShrinkIsWritten(t *testing.T) {
	m := mjq.Servers(8).Poisson(0.1).Class("wide", 4, 0.5, mjq.ExpMean(1)).Class("one", 1, 0.5, mjq.ExpMean(1)).
		Failures("hw", mjq.ExpMean(100), mjq.ExpMean(5)).Elastic("wide", 2, 8, mjq.Linear()).After(mjq.Resume).After(mjq.Drop, "wide").Shrink()
	text := string(mjq.Must(json.Marshal(m)))
	if !strings.Contains(text, `"after":{"how":"drop","shrink":true}`) || strings.Count(text, "shrink") != 1 || !strings.Contains(m.String(), "drop.Shrink()") {
		t.Errorf("%s\n%v", text, m)
	}
	for _, how := range []string{"restart.Shrink()", "Checkpoint(2.5,0.1).Shrink()", "resume(1,2).shrink()"} {
		c, err := policy.ParseCheckpoint(how)
		if err != nil || !c.Shrink || !strings.EqualFold(c.String(), how) {
			t.Errorf("%s is read as %v: %v", how, c, err)
		}
	}
}

// TestFailuresAreWritten: a model with failures and reservations is read as it was written, to the
// text, and a member that does not exist is named.
func TestFailuresAreWritten(t *testing.T) {
	m := mjq.Servers(8).Poisson(0.1).Class("wide", 4, 0.5, mjq.ExpMean(1)).Class("one", 1, 0.5, mjq.ExpMean(1)).
		Failures("hw", mjq.ExpMean(100), mjq.LogNormalMeanSCV(5, 2)).WhileBusy().Failures("sw", mjq.ExpMean(9), mjq.Deterministic(0)).Notice(0.5).Lemons(0.25, 4).
		Crews(2).Spares(1).Reserve(5, 2, 3).Every(20).Hard().After(mjq.Checkpoint{Every: 1, Cost: 0.1, Recovery: 0.2, Detection: 0.3}, "wide").After(mjq.Drop, "one")
	text := mjq.Must(json.Marshal(m))
	var back mjq.Model
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if again := mjq.Must(json.Marshal(back)); string(again) != string(text) || back.String() != m.String() {
		t.Errorf("%s\n%s", text, again)
	}
	for wrong, want := range map[string]string{`"every":1`: "evry", `"after":"drop"`: "drpo", `"up":{`: "upp"} {
		bad := strings.Replace(string(text), wrong, strings.NewReplacer("every", "evry", "drop", "drpo", "up", "upp").Replace(wrong), 1)
		if err := json.Unmarshal([]byte(bad), &back); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s for %s: %v", want, wrong, err)
		}
	}
}

// TestAlwaysUpRefuses: what takes servers for always up refuses a queue whose servers fail, with a
// remedy.
func TestAlwaysUpRefuses(t *testing.T) {
	m := mjq.Servers(8).Poisson(0.1).Class("one", 1, 1, mjq.ExpMean(1)).Failures("hw", mjq.ExpMean(100), mjq.ExpMean(5))
	for name, how := range map[string]mjq.Method{"Backward": mjq.Backward{}, "Forward": mjq.Forward{}, "Dominated": mjq.Dominated{}} {
		if _, err := m.Solve(context.Background(), how); err == nil || !strings.Contains(err.Error(), "servers fail, and "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, ask := range map[string]func() error{
		"Optimum": func() error { _, err := m.Optimum(context.Background(), mjq.PolicyIteration{}); return err },
		"Transient": func() error {
			_, err := m.Transient(context.Background(), mjq.State{}, mjq.Horizon{Until: 1})
			return err
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), "servers fail") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNothingIsLost: time that no job can lose is 0 and not an estimate without an interval, and a table
// says once what is lost, however jobs continue.
func TestNothingIsLost(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.5).Class("wide", 2, 0.5, mjq.ErlangMeanPhases(1, 2)).Class("narrow", 1, 0.5, mjq.ExpMean(1))
	for _, up := range []float64{5, 5e6} {
		for _, after := range []policy.Aftermath{mjq.Resume, mjq.Migrate, mjq.Restart, mjq.Drop, mjq.Checkpoint{Every: 1, Cost: 0.1}} {
			for _, method := range []mjq.Method{mjq.Simulation{Jobs: 2000, Replications: 8}, mjq.Unbiased{Samples: 16}} {
				r := mjq.Must(m.Failures("hardware", mjq.ExpMean(up), mjq.ExpMean(0.1)).After(after).Solve(context.Background(), method))
				free := after == mjq.Resume || after == mjq.Migrate
				for _, c := range append(r.Classes, r.All) {
					if l := c.Lost; !l.Known() || math.IsNaN(l.HalfWidth) || free != (l == result.Exact(0, l.Method)) {
						t.Errorf("%v, up %g: jobs of %q lose %v", after, up, c.Name, l)
					}
				}
				if n := strings.Count(r.String(), "lost a job"); n != 1 {
					t.Errorf("%v, up %g: lost time stands %d times in %s", after, up, n, r)
				}
			}
		}
	}
	r := mjq.Must(m.Reserve(0, 1, 2).Every(50).Solve(context.Background(), mjq.Simulation{Jobs: 2000, Replications: 8}))
	if l := r.All.Lost; l != result.Exact(0, l.Method) {
		t.Errorf("jobs that wait for a window to end lose %v", l)
	}
	r = mjq.Must(m.Policy(mjq.Priority([]string{"narrow"}).Preemptive(mjq.Restart)).Solve(context.Background(), mjq.Simulation{Jobs: 2000, Replications: 8}))
	if first, below := r.Class("narrow").Lost, r.Class("wide").Lost; first != result.Exact(0, first.Method) || below.Value <= 0 {
		t.Errorf("jobs of the first level lose %v, those below %v", first, below)
	}
}

// TestNobodyWaitsByRounding: where an interrupted job goes on at once, its wait is 0 and not what is left
// of its response.
func TestNobodyWaitsByRounding(t *testing.T) {
	light := mjq.Servers(30).Poisson(0.1).Class("one", 1, 1, mjq.ExpMean(9)).Failures("hardware", mjq.ExpMean(5), mjq.ExpMean(1))
	limit := mjq.Must(light.After(mjq.Resume).Stability(context.Background())) // far above the rate; none is searched for
	for _, m := range []mjq.Model{light.After(mjq.Resume), light.After(mjq.Resume).Policy(mjq.FirstFit()),
		light.Elastic("one", 1, 2, mjq.Linear()).After(mjq.Resume), light.Elastic("one", 1, 2, mjq.Linear()).After(mjq.Resume).Shrink()} {
		r := mjq.Must(m.WithLimit(limit).Solve(context.Background(), mjq.Simulation{Jobs: 500, Replications: 2}))
		if r.All.Interruptions.Value < 0.1 || r.All.Waiting.Mean.Value != 0 {
			t.Errorf("%v: %v hits a job, and jobs wait %v", m, r.All.Interruptions, r.All.Waiting.Mean)
		}
	}
}

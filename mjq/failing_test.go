package mjq_test

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestFailingQueues: models of queues on servers that fail have the values of other hands, by Solve
// and by Stability.
func TestFailingQueues(t *testing.T) {
	ctx := context.Background()
	for _, family := range []string{"inter-", "fail-gang16", "fail-erlang", "fail-two", "fail-check"} {
		solved := map[string]*result.Result{}
		for _, v := range oracle.AllFrontier(t, family) {
			cut := strings.LastIndex(v.ID, "-")
			name, what := v.ID[:cut], v.ID[cut+1:]
			m := written(t, v.Model)
			if err := m.Err(); err != nil {
				t.Fatal(v.ID, err)
			}
			if what == "limit" {
				st, err := m.Stability(ctx)
				if err != nil {
					t.Fatal(v.ID, err)
				}
				oracle.Near(t, v.ID, st.Rate)
				continue
			}
			r := solved[name]
			if r == nil && family != "fail-check" {
				var err error
				if r, err = m.Solve(ctx, mjq.Exact{}); err != nil {
					t.Fatal(v.ID, err)
				}
				solved[name] = r
			}
			class := 0
			if last := what[len(what)-1]; last >= '0' && last <= '9' {
				class = int(last - '0')
			}
			var got float64
			switch strings.TrimRight(what, "01") {
			case "W":
				got = r.Classes[class].Waiting.Mean.Value
			case "T":
				got = r.Classes[class].Response.Mean.Value
			case "first":
				got = r.All.FirstStart.Value
			case "now":
				got = r.All.AtOnce.Value
			case "hits":
				got = r.Classes[class].Interruptions.Value
			case "B":
				got = r.Classes[class].Blocked.Value
			case "goodput":
				got = r.Goodput.Value
			case "busy":
				got = r.Utilization.Value * float64(m.Spec().Servers)
			case "utilization": // here of jobs that hold servers, one at a time
				for _, c := range r.Classes {
					got += r.Rate * c.Prob * (c.Response.Mean.Value - c.FirstStart.Value)
				}
			case "ettr_running":
				got = v.Value // of jobs that never wait: see TestCheckpoints
			default:
				t.Fatal(v.ID)
			}
			oracle.Near(t, v.ID, got)
		}
	}
}

// written is the model of a reference value in its words.
func written(t *testing.T, of map[string]any) mjq.Model {
	t.Helper()
	at := func(m map[string]any, key string) float64 { v, _ := m[key].(float64); return v }
	read := func(text string) mjq.Law {
		name, inside, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
		var x [2]float64
		for i, part := range strings.Split(inside, ",") {
			x[i] = mjq.Must(strconv.ParseFloat(part, 64))
		}
		switch name {
		case "ExpMean":
			return mjq.ExpMean(x[0])
		case "Deterministic":
			return mjq.Deterministic(x[0])
		case "ErlangMeanPhases":
			return mjq.ErlangMeanPhases(x[0], int(x[1]))
		}
		t.Fatalf("no law: %q", text)
		return nil
	}
	m := mjq.Servers(int(at(of, "servers")))
	rate, rates := at(of, "rate"), 0.0
	classes := of["classes"].([]any)
	for _, c := range classes {
		rates += at(c.(map[string]any), "rate")
	}
	for _, c := range classes {
		c := c.(map[string]any)
		prob := at(c, "prob")
		if rates > 0 {
			prob = at(c, "rate") / rates
		}
		m = m.Class(c["name"].(string), int(at(c, "need")), prob, read(c["service"].(string)))
	}
	if rate+rates > 0 {
		m = m.Poisson(rate + rates)
	}
	if of["loss"] == true {
		m = m.Loss()
	}
	fails := of["failures"].(map[string]any)
	repair := mjq.Law(mjq.Deterministic(0))
	if text := fails["repair"].(string); !strings.HasPrefix(text, "none") {
		repair = read(text)
	}
	m = m.Failures("hardware", read(fails["up"].(string)), repair).Spares(int(at(of, "spares")))
	if crews := at(fails, "crews"); crews > 0 {
		m = m.Crews(int(crews))
	}
	if word, ok := of["after"].(string); ok {
		return m.After(map[string]policy.Aftermath{"Resume": mjq.Resume, "Resampled": mjq.Resampled}[word])
	}
	a := of["after"].(map[string]any)
	return m.After(mjq.Checkpoint{Every: at(a, "checkpoint_every"), Cost: at(a, "cost"), Recovery: at(a, "recovery") + at(of, "recovery"), Detection: at(a, "detection")})
}

// TestCheckpoints: the best interval, the effective share of the time and the table of spare nodes are
// those of other hands.
func TestCheckpoints(t *testing.T) {
	ctx := context.Background()
	ask := func(m mjq.Model) *result.ClassCheckpoints {
		t.Helper()
		c, err := m.Checkpoints(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return c.Class("hero")
	}
	after := mjq.Checkpoint{Every: 3, Cost: 1. / 12, Recovery: 1. / 6}
	for name, m := range map[string]mjq.Model{"fail-hero": mjq.Servers(1040), "fail-hero_none": mjq.Servers(1024), "fail-hero_crew": mjq.Servers(1040).Crews(2)} {
		hero := ask(m.Class("hero", 1024, 1, mjq.Deterministic(1000)).Failures("hardware", mjq.ExpMean(42_000), mjq.ExpMean(48)).After(after))
		oracle.Near(t, name+"-running", hero.Running)
		oracle.Near(t, name+"-ettr", hero.Interval("own").ETTR)
	}
	for spares, name := range map[int]string{1: "busy-nodes1", 3: "busy-nodes3"} {
		after.Every = 2.5
		busy := mjq.Servers(128+spares).Class("hero", 128, 1, mjq.Deterministic(1000)).Failures("hardware", mjq.ExpMean(5250), mjq.LogNormalMeanSCV(48, 2)).WhileBusy().After(after)
		hero := ask(busy)
		oracle.Near(t, name+"-running", hero.Running)
		oracle.Near(t, name+"-ettr", hero.Interval("own").ETTR)
	}
	for _, row := range []struct {
		spares                        int
		runs, best, half, eight, paid string
	}{
		{0, "0.312", "0.291", "0.264", "0.278", "0.291"}, {1, "0.674", "0.629", "0.571", "0.601", "0.624"}, {2, "0.885", "0.826", "0.750", "0.789", "0.814"},
		{3, "0.968", "0.904", "0.821", "0.863", "0.883"}, {4, "0.993", "0.927", "0.841", "0.885", "0.899"}, {6, "1.000", "0.934", "0.847", "0.892", "0.892"},
		{8, "1.000", "0.934", "0.848", "0.892", "0.879"},
	} {
		with := func(every float64) *result.ClassCheckpoints {
			after.Every = every
			return ask(mjq.Nodes(128+row.spares, 8).Class("hero", 1024, 1, mjq.Deterministic(1000)).Failures("hardware", mjq.ExpMean(5250), mjq.ExpMean(48)).After(after))
		}
		hero := with(0.5)
		got := []float64{hero.Running, hero.Interval("best").ETTR, hero.Interval("own").ETTR, with(8).Interval("own").ETTR, hero.Interval("best").ETTR * 128 / float64(128+row.spares)}
		for i, want := range []string{row.runs, row.best, row.half, row.eight, row.paid} {
			if text := strconv.FormatFloat(got[i], 'f', 3, 64); text != want {
				t.Errorf("%d spare nodes: figure %d is %s, want %s", row.spares, i+1, text, want)
			}
		}
		if row.spares == 1 || row.spares == 3 {
			oracle.Near(t, "nodes-hero-"+strconv.Itoa(row.spares), hero.Interval("best").ETTR)
		}
	}
	check := oracle.Extended(t, "alone-gpu1024-mean")
	alone := ask(mjq.Servers(1024).Class("hero", 1024, 1, mjq.Deterministic(96)).Failures("all", mjq.ExpMean(42_000), mjq.Deterministic(0)).
		After(mjq.Checkpoint{Every: 3, Cost: 1. / 12, Recovery: 1. / 6, Detection: 0.05}))
	oracle.Near(t, check.ID, alone.Interval("own").Held)
	oracle.Near(t, "alone-gpu1024-best", alone.Best)
	oracle.Near(t, "alone-gpu1024-young", alone.Young)
}

// TestNodesThatFailAreNoPool: the limit of nodes that fail is not held against that of their units as one pool, where
// each unit would fail by itself; and jobs that resume lose nothing, to the digit.
func TestNodesThatFailAreNoPool(t *testing.T) {
	m := mjq.Nodes(131, 8).Class("hero", 1024, 1, mjq.Deterministic(1000)).After(mjq.Checkpoint{Every: 8, Cost: 0.1})
	fails := m.Failures("hardware", mjq.ExpMean(5250), mjq.ExpMean(48))
	s, err := fails.Stability(context.Background())
	if err != nil || s.Pool.Known() || !(s.Rate > 0) {
		t.Errorf("%v, %v", s, err)
	}
	r, err := mjq.Servers(8).Poisson(0.5).Class("job", 2, 1, mjq.ExpMean(1)).Failures("hardware", mjq.ExpMean(1000), mjq.ExpMean(5)).Crews(1).After(mjq.Resume).Solve(context.Background(), mjq.Exact{})
	if err != nil || r.All.Lost.Value != 0 || !(r.All.Interruptions.Value > 0) {
		t.Errorf("%v, %v", r, err)
	}
}

// TestWorkThatCannotEnd: jobs that begin again after each failure, and are hit too often to end, are an
// answer.
func TestWorkThatCannotEnd(t *testing.T) {
	m := mjq.Servers(8).Poisson(0.01).Class("a", 8, 1, mjq.ExpMean(10)).Failures("all", mjq.ExpMean(80), mjq.Deterministic(0)).After(mjq.Restart)
	for _, opts := range [][]mjq.Option{nil, {mjq.Exact{}}, {mjq.Forward{}}} {
		r, err := m.Solve(context.Background(), opts...)
		if err != nil {
			t.Fatal(err)
		}
		if r.Stable || r.Limit.Rate != 0 || !strings.Contains(strings.Join(r.Notes, " "), "never end") {
			t.Errorf("%v: stable %v, limit %v, %q", opts, r.Stable, r.Limit.Rate, r.Notes)
		}
	}
}

// TestInterruptionsBySampling: samplers of jobs that are only interrupted have the exact means in their
// intervals.
func TestInterruptionsBySampling(t *testing.T) {
	v := oracle.Extended(t, "inter-all_two-first")
	m := written(t, v.Model)
	for _, how := range []mjq.Method{mjq.Forward{Jobs: 10_000}, mjq.Backward{Samples: 1000}, mjq.Unbiased{Samples: 500}} {
		r, err := m.Solve(context.Background(), how, mjq.Seed(4))
		if err != nil {
			t.Fatal(err)
		}
		oracle.Within(t, "first wait", r.All.FirstStart, v.Value, 4)
		oracle.Within(t, "response", r.Classes[1].Response.Mean, oracle.Extended(t, "inter-all_two-T1").Value, 4)
	}
}

// A queue of interrupted jobs is answered at once by the default, however jobs go on: what its plans ask
// of the time that a job holds its servers costs no inversion. It took minutes that no context could end.
func TestInterruptionsAreSoonAnswered(t *testing.T) {
	for _, after := range []policy.Aftermath{mjq.Restart, mjq.Resume, mjq.Drop, mjq.Resampled,
		mjq.Checkpoint{Every: 0.3, Cost: 0.01, Recovery: 0.1}, mjq.Checkpoint{How: mjq.Restart, Recovery: 0.1, Detection: 0.2}} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		_, err := mjq.Servers(4).Poisson(1).Class("a", 1, 0.7, mjq.ExpMean(1)).Class("b", 2, 0.3, mjq.ExpMean(0.5)).
			Failures("x", mjq.ExpMean(20), mjq.Deterministic(0)).After(after).Solve(ctx)
		if cancel(); err != nil {
			t.Errorf("after %v: %v", after, err)
		}
	}
}

// TestFailuresUnderOrders: on servers that fail, orders of the queue which say the same in other words give the
// same schedules, on a pool and on nodes.
func TestFailuresUnderOrders(t *testing.T) {
	ctx := context.Background()
	classes := func(m mjq.Model) mjq.Model {
		return m.Poisson(1).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("four", 4, 0.3, mjq.LogNormalMeanSCV(1, 2)).
			Failures("hardware", mjq.ExpMean(20), mjq.ExpMean(2)).Failures("links", mjq.ExpMean(30), mjq.Deterministic(0)).
			After(mjq.Checkpoint{Every: 0.4, Cost: 0.02, Recovery: 0.1, Detection: 0.05}, "four").After(mjq.Resampled, "one")
	}
	levels := [][]string{{"four"}, {"one"}}
	age, class := mjq.Multifactor{Age: 1e6, MaxAge: 1e5}, mjq.Multifactor{Class: 1000, Factors: map[string]float64{"four": 1}}
	for _, m := range []mjq.Model{classes(mjq.Servers(6)), classes(mjq.Nodes(4, 2)), classes(mjq.Servers(6)).Spares(1).Crews(1)} {
		for _, x := range [][2]mjq.Policy{
			{class, mjq.Priority(levels[0], levels[1])},
			{class.Within(mjq.FirstFit()), mjq.Priority(levels[0], levels[1]).Within(mjq.FirstFit())},
			{class.Within(mjq.EASY()), mjq.Priority(levels[0], levels[1]).Within(mjq.EASY())},
			{mjq.Multifactor{FairShare: 1, HalfLife: 10, Classic: true}, mjq.FCFS()}, // whole numbers tie
			{mjq.Multifactor{FairShare: 1, HalfLife: 10, Classic: true}.Within(mjq.EASY()), mjq.EASY()},
			{mjq.Multifactor{FairShare: 1, HalfLife: 10, CalcPeriod: 3}.Within(mjq.FirstFit()), mjq.FirstFit()},
			{age, mjq.FCFS()},
			{mjq.Priority([]string{"one", "four"}).Within(mjq.EASY()), mjq.EASY()},
		} {
			var mean [2]float64
			for i, p := range x {
				r, err := m.Policy(p).Solve(ctx, mjq.Simulation{Jobs: 3000, Replications: 4, WarmUp: mjq.None})
				if err != nil {
					t.Fatal(err)
				}
				mean[i] = r.All.Response.Mean.Value
				if !(r.All.Interruptions.Value > 0.01) {
					t.Errorf("%v: %v interruptions a job", p, r.All.Interruptions)
				}
			}
			if !(math.Abs(mean[0]/mean[1]-1) < 1e-9) {
				t.Errorf("%v and %v: mean responses %.12g and %.12g", x[0], x[1], mean[0], mean[1])
			}
		}
	}
}

// TestArmedWithFailures: with failures that never come it has the schedule of servers that are always up,
// and with others it serves all jobs, as many as Little's law says.
func TestArmedWithFailures(t *testing.T) {
	m := mjq.Servers(4).Poisson(0.6).Class("one", 1, 0.9, mjq.ExpMean(1)).Class("all", 4, 0.1, mjq.ExpMean(1)).Policy(mjq.ArmedQuickswap(1))
	ask := func(m mjq.Model) *result.Result {
		return mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 20_000, Replications: 8}))
	}
	up, never := ask(m), ask(m.Failures("hardware", mjq.ExpMean(1e12), mjq.ExpMean(1)))
	if a, b := up.All.Response.Mean.Value, never.All.Response.Mean.Value; !(math.Abs(a/b-1) < 1e-9) {
		t.Errorf("mean response %.12g without failures, %.12g with failures that never come", a, b)
	}
	r := ask(m.Failures("hardware", mjq.ExpMean(40), mjq.ExpMean(1)).After(mjq.Resume))
	jobs, hits := 0.6*r.All.Response.Mean.Value, r.Class("all").Interruptions
	if !(math.Abs(r.MeanJobs.Value/jobs-1) < 0.02) || !(math.Abs(hits.Value-0.1) < 2*hits.HalfWidth) || !(r.All.Response.Mean.Value > up.All.Response.Mean.Value) {
		t.Errorf("%v jobs in the system, %.4g by Little's law; %v hits of a wide job, 0.1 known; response %v after %v", r.MeanJobs, jobs, hits, r.All.Response.Mean, up.All.Response.Mean)
	}
}

// TestTurnedAwayWithFailures: one server that fails, room for two jobs and patience are a chain of at most
// eleven states: up or not, a job that has started, and those that have not. What unbiased samples and a simulation
// know of jobs turned away, of the server and of the waits agrees with it.
func TestTurnedAwayWithFailures(t *testing.T) {
	const lambda, mu, fails, repairs, gives, room = 0.8, 1, 0.2, 0.5, 0.3, 2
	type state struct {
		up, started bool
		waiting     int
	}
	begin := func(x state) state {
		if x.up && !x.started && x.waiting > 0 {
			return state{true, true, x.waiting - 1}
		}
		return x
	}
	p := map[state]float64{{up: true}: 1}
	for range 1000 { // by small steps of uniformised time
		const step = 0.2
		next := map[state]float64{}
		for x, mass := range p {
			stay := mass
			to := func(y state, rate float64) { next[begin(y)] += mass * rate * step; stay -= mass * rate * step }
			switch {
			case x.up && !x.started:
				to(state{true, true, 0}, lambda)
			case x.waiting < room:
				to(state{x.up, x.started, x.waiting + 1}, lambda)
			}
			if x.up {
				to(state{false, x.started, x.waiting}, fails)
			} else {
				to(state{true, x.started, x.waiting}, repairs)
			}
			if x.up && x.started {
				to(state{true, false, x.waiting}, mu)
			}
			if x.waiting > 0 {
				to(state{x.up, x.started, x.waiting - 1}, gives*float64(x.waiting))
			}
			next[x] += stay
		}
		p = next
	}
	var blocked, busy, line float64
	for x, mass := range p {
		if x.waiting == room {
			blocked += mass
		}
		if x.up && x.started {
			busy += mass
		}
		line += mass * float64(x.waiting)
	}
	m := mjq.Servers(1).Poisson(lambda).Class("job", 1, 1, mjq.ExpMean(1/mu)).Room(room).Patience(mjq.ExpMean(1/gives)).
		Failures("hardware", mjq.ExpMean(1/fails), mjq.ExpMean(1/repairs)).After(mjq.Resume)
	for _, method := range []mjq.Method{mjq.Unbiased{Samples: 400}, mjq.Simulation{Jobs: 5000, Replications: 8}} {
		r, err := m.Solve(context.Background(), method, mjq.Level(0.9999))
		if err != nil {
			t.Fatal(err)
		}
		for name, x := range map[string]struct {
			got  result.Estimate
			want float64
		}{"blocked": {r.All.Blocked, blocked}, "busy": {r.Utilization, busy}, "up": {r.Up, repairs / (fails + repairs)}, "gives up": {r.All.Left, gives * line / lambda}} {
			if !(math.Abs(x.got.Value-x.want) <= x.got.HalfWidth) || x.got.HalfWidth > 0.2*x.want {
				t.Errorf("%T: %s is %v, the chain has %.5f", method, name, x.got, x.want)
			}
		}
	}
}

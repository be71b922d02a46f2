package exact_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

var urgentFirst = mjq.Priority([]string{"urgent"})

// oneServer is M/G/1 of three classes that need all servers.
func oneServer() mjq.Model {
	return mjq.Servers(8).Poisson(0.6).Class("urgent", 8, 0.2/0.6, mjq.Deterministic(1)).Class("normal", 8, 0.3/0.6, mjq.ErlangMeanPhases(0.8, 2)).Class("debug", 8, 0.1/0.6, mjq.ExpMean(2))
}

// wide is six servers with a class of four over small ones.
func wide() mjq.Model {
	return mjq.Servers(6).Poisson(0.9).Class("urgent", 4, 1./9, mjq.ExpMean(2)).Class("small", 1, 8./9, mjq.ExpMean(1))
}

// TestPriorityIsExact holds values of other programs against Exact: closed forms, and
// chains without preemption, with jobs that pass, and with preemption.
func TestPriorityIsExact(t *testing.T) {
	three := mjq.Priority([]string{"urgent"}, []string{"normal"})
	preempted := mjq.Servers(6).Poisson(1.8).Class("urgent", 4, 0.3/1.8, mjq.ExpMean(2)).Class("small", 1, 1.5/1.8, mjq.ExpMean(1))
	for _, c := range []struct {
		m    mjq.Model
		want []float64 // waits by class
	}{
		{oneServer().Policy(three), []float64{0.805, 1.4375, 3.1944444444444446}},
		{oneServer().Policy(three.Preemptive(mjq.Resume)), []float64{0.125, 1.5446428571428572 - 0.8, 6.765873015873016 - 2}},
		{wide().Policy(urgentFirst), []float64{0.5219411659085019, 0.1854803656213812}},
		{wide().Policy(urgentFirst.Passing()), []float64{0.5243751778313833, 0.023644728985212676}},
		{wide().Policy(urgentFirst.Within(mjq.FirstFit())), []float64{0.5243751778313833, 0.023644728985212676}},
		{preempted.Policy(urgentFirst.Preemptive(mjq.Resume)), []float64{3, 0.4639643130275355}},
	} {
		r, err := c.m.Solve(context.Background(), mjq.Exact{})
		if err != nil {
			t.Errorf("%v: %v", c.m.Spec().Policy, err)
			continue
		}
		for i, want := range c.want {
			if got := r.Classes[i].Waiting.Mean.Value; !(math.Abs(got-want) <= 2e-8) {
				t.Errorf("%v: class %s waits %.12g, want %.12g", c.m.Spec().Policy, r.Classes[i].Name, got, want)
			}
		}
	}
}

// TestFirstLevelIsAQueueAlone: with preemption it has the distributions of the queue of its
// classes, and does not change when others do.
func TestFirstLevelIsAQueueAlone(t *testing.T) {
	alone := mjq.Must(mjq.Servers(4).Poisson(0.8).Class("a", 1, 0.5, mjq.ExpMean(1)).Class("b", 3, 0.5, mjq.ExpMean(1)).Solve(context.Background(), mjq.Exact{}))
	top := mjq.Priority([]string{"a", "b"}).Preemptive(mjq.Resume)
	for _, below := range []mjq.Model{mjq.Servers(4).Poisson(1).Class("c", 2, 0.2, mjq.ExpMean(0.5)), mjq.Servers(4).Poisson(1).Class("c", 1, 0.1, mjq.ExpMean(1)).Class("d", 4, 0.1, mjq.ExpMean(0.1))} {
		r, err := below.Class("a", 1, 0.4, mjq.ExpMean(1)).Class("b", 3, 0.4, mjq.ExpMean(1)).Policy(top).Solve(context.Background(), mjq.Exact{})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"a", "b"} {
			got, want := r.Class(name), alone.Class(name)
			if math.Abs(got.Waiting.Mean.Value-want.Waiting.Mean.Value) > 1e-9 || math.Abs(got.Waiting.Quantile(0.9).Value-want.Waiting.Quantile(0.9).Value) > 1e-9 {
				t.Errorf("class %s: wait %v, alone %v", name, got.Waiting.Mean, want.Waiting.Mean)
			}
		}
		if known := r.Class("c").Waiting.Mean.Known(); known != (len(r.Classes) == 3) {
			t.Errorf("%d classes: of the second level known %v", len(r.Classes), known)
		}
	}
}

// TestLevelsOneByOne: with a level beyond its limit those above have finite results, by
// every method, and the limits of the levels say where it lies.
func TestLevelsOneByOne(t *testing.T) {
	m := mjq.Servers(6).Poisson(2.2).Class("urgent", 1, 1.5/2.2, mjq.ExpMean(1)).Class("other", 4, 0.7/2.2, mjq.ExpMean(2)).Policy(urgentFirst.Preemptive(mjq.Resume))
	alone := mjq.Must(mjq.Servers(6).Poisson(1.5).Class("urgent", 1, 1, mjq.ExpMean(1)).Solve(context.Background(), mjq.Exact{})).All.Waiting.Mean.Value
	for _, how := range []mjq.Option{mjq.Exact{}, mjq.Simulation{Jobs: 10_000}, mjq.Unbiased{Samples: 100}} {
		r, err := m.Solve(context.Background(), how, mjq.Seed(3))
		if err != nil {
			t.Errorf("%T: %v", how, err)
			continue
		}
		if w := r.Class("urgent").Waiting.Mean; math.Abs(w.Value-alone) > 1e-12 {
			oracle.Within(t, "urgent jobs", w, alone, 5)
		}
		if r.Stable || !math.IsInf(r.Class("other").Waiting.Mean.Value, 1) || !math.IsInf(r.All.Waiting.Mean.Value, 1) {
			t.Errorf("%T: stable %v, others wait %v", how, r.Stable, r.Class("other").Waiting.Mean)
		}
	}
	st := mjq.Must(m.Stability(context.Background()))
	if l := st.Levels; len(l) != 2 || math.Abs(l[1].Limit.Value-0.4043220634367376) > 1e-9 || !l[0].Stable || l[1].Stable {
		t.Errorf("levels: %+v", l)
	}
	if l := mjq.Must(m.AtRate(1).Stability(context.Background())).Levels; !l[1].Stable || l[1].Limit.Value < 0.48 {
		t.Errorf("levels at a rate of 1: %+v", l)
	}
	over := oneServer().AtRate(1.1).Policy(mjq.Priority([]string{"urgent"}, []string{"normal"}))
	r := mjq.Must(over.Solve(context.Background(), mjq.Exact{}))
	if w := r.Class("normal").Waiting.Mean.Value; r.Stable || !(w > 1) || math.IsInf(w, 1) || !math.IsInf(r.Class("debug").Waiting.Mean.Value, 1) {
		t.Errorf("without preemption: %v", r)
	}
}

// TestEndlessRestarts: restarts of infinite mean are said to be infinite by every method,
// and those of a finite one agree with Gaver's formulas.
func TestEndlessRestarts(t *testing.T) {
	of := func(service mjq.Law) mjq.Model {
		return mjq.Servers(4).Poisson(0.5).Class("urgent", 4, 0.6, mjq.ExpMean(0.5)).Class("other", 4, 0.4, service).Policy(urgentFirst.Preemptive(mjq.Restart))
	}
	r := mjq.Must(of(mjq.Deterministic(1)).Solve(context.Background(), mjq.Exact{}))
	c := r.Class("other")
	if math.Abs(c.Lost.Value-0.1661960252533441) > 1e-12 || math.Abs(c.Response.Mean.Value-c.FirstStart.Value-1.3719953238274636) > 1e-12 {
		t.Errorf("lost %v, from the first start to the end %v", c.Lost, c.Response.Mean.Value-c.FirstStart.Value)
	}
	s := mjq.Must(of(mjq.Deterministic(1)).Solve(context.Background(), mjq.Simulation{Jobs: 10_000}, mjq.Seed(1)))
	for what, got := range map[string][2]result.Estimate{"wait": {s.Class("other").Waiting.Mean, c.Waiting.Mean}, "first start": {s.Class("other").FirstStart, c.FirstStart},
		"preemptions": {s.Class("other").Preemptions, c.Preemptions}, "lost": {s.Class("other").Lost, c.Lost}, "at once": {s.Class("other").AtOnce, c.AtOnce}} {
		oracle.Within(t, what, got[0], got[1].Value, 5)
	}
	oracle.Within(t, "time lost", s.All.LostShare, 0.2*c.Lost.Value/(0.3*0.5+0.2*(1+c.Lost.Value)), 5)
	for _, how := range []mjq.Option{mjq.Exact{}, mjq.Simulation{Jobs: 2000}, mjq.Unbiased{Samples: 40}} {
		r, err := of(mjq.ExpMean(4)).Solve(context.Background(), how) // rate 0.3, above 1/4
		if err != nil || r.Stable || !math.IsInf(r.Class("other").Waiting.Mean.Value, 1) || !(r.Class("urgent").Waiting.Mean.Value < 1) || !strings.Contains(strings.Join(r.Notes, " "), "begin again so often") {
			t.Errorf("%T: %v, %v", how, r, err)
		}
	}
	if st := mjq.Must(of(mjq.Deterministic(1)).AtRate(0.3).Stability(context.Background())); math.Abs(st.Levels[1].Limit.Value*(math.Exp(0.18)-1)*(1/0.18+0.5/(1-0.09))-1) > 1e-9 {
		t.Errorf("the limit of the second level: %+v", st.Levels)
	}
	st := mjq.Must(of(mjq.Deterministic(1)).Stability(context.Background()))
	at := mjq.Must(of(mjq.Deterministic(1)).AtRate(st.Rate).Stability(context.Background())).Levels[1]
	if math.Abs(at.Limit.Value-0.4*st.Rate) > 1e-9 {
		t.Errorf("at the limit %v of all the second level has %+v", st.Rate, at)
	}
}

// TestOneLevelIsFCFS: without levels the queue is first come, first served, and with equal
// needs and services the mean over all jobs does not depend on them.
func TestOneLevelIsFCFS(t *testing.T) {
	m := wide()
	want := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 2000, Replications: 4}, mjq.Seed(2)))
	got := mjq.Must(m.Policy(mjq.Priority()).Solve(context.Background(), mjq.Simulation{Jobs: 2000, Replications: 4}, mjq.Seed(2)))
	if got.All.Waiting.Mean.Value != want.All.Waiting.Mean.Value {
		t.Errorf("one level: %v, first come first served %v", got.All.Waiting.Mean, want.All.Waiting.Mean)
	}
	equal := mjq.Servers(4).Poisson(3).Class("urgent", 1, 0.3, mjq.ExpMean(1)).Class("other", 1, 0.7, mjq.ExpMean(1))
	all := mjq.Must(equal.Solve(context.Background(), mjq.Exact{MomentsOnly: true})).All.Waiting.Mean.Value
	for _, p := range []mjq.Policy{urgentFirst, urgentFirst.Preemptive(mjq.Resume), mjq.Priority([]string{"other"})} {
		if r := mjq.Must(equal.Policy(p).Solve(context.Background(), mjq.Exact{})); math.Abs(r.All.Waiting.Mean.Value-all) > 1e-9 {
			t.Errorf("%v: all wait %v, M/M/4 %v", p, r.All.Waiting.Mean, all)
		}
	}
	rare := mjq.Servers(6).Poisson(0.8+1e-7).Class("urgent", 4, 1e-7/0.8, mjq.ExpMean(2)).Class("small", 1, 1-1e-7/0.8, mjq.ExpMean(1))
	fcfs := mjq.Must(mjq.Servers(6).Poisson(0.8).Class("small", 1, 1, mjq.ExpMean(1)).Solve(context.Background(), mjq.Exact{})).All.Waiting.Mean.Value
	if r := mjq.Must(rare.Policy(urgentFirst).Solve(context.Background(), mjq.Exact{})); math.Abs(r.Class("small").Waiting.Mean.Value-fcfs) > 1e-5 {
		t.Errorf("behind a level of which no job comes: %v, alone %v", r.Class("small").Waiting.Mean, fcfs)
	}
}

// TestPriorityByDrawing holds simulation and unbiased means against exact ones.
func TestPriorityByDrawing(t *testing.T) {
	jobs, samples := oracle.Sized(1500, 10_000), oracle.Sized(24, 100)
	for _, p := range []policy.Priority{urgentFirst, urgentFirst.Passing(), urgentFirst.Preemptive(mjq.Resume)} {
		m := wide().Policy(p)
		want := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
		for _, how := range []mjq.Option{mjq.Simulation{Jobs: jobs, Replications: 16}, mjq.Unbiased{Samples: samples}} {
			r := mjq.Must(m.Solve(context.Background(), how, mjq.Seed(5)))
			for i, c := range r.Classes {
				oracle.Within(t, p.String()+", "+c.Name, c.Waiting.Mean, want.Classes[i].Waiting.Mean.Value, 5)
			}
		}
	}
	// Of restarts and of exemptions, the two against each other.
	m := mjq.Servers(4).Poisson(0.6).Class("urgent", 3, 0.4, mjq.ExpMean(1)).Class("other", 2, 0.6, mjq.Deterministic(1))
	for _, p := range []policy.Priority{urgentFirst.Preemptive(mjq.Restart), urgentFirst.Preemptive(mjq.Resume).Exempt(0.5), urgentFirst.Preemptive(mjq.Resampled).Overhead(mjq.ExpMean(0.1)), urgentFirst.Preemptive(mjq.Drop), urgentFirst.Within(mjq.EASY())} {
		s, u := mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Simulation{Jobs: jobs, Replications: 16}, mjq.Seed(6))), mjq.Must(m.Policy(p).Solve(context.Background(), mjq.Unbiased{Samples: samples}, mjq.Seed(7)))
		for i := range s.Classes {
			agree(t, p.String()+", waits", s.Classes[i].Waiting.Mean, u.Classes[i].Waiting.Mean)
			if p.Preempts != "" {
				agree(t, p.String()+", first starts", s.Classes[i].FirstStart, u.Classes[i].FirstStart)
				agree(t, p.String()+", lost", s.Classes[i].Lost, u.Classes[i].Lost)
				agree(t, p.String()+", left", s.Classes[i].Left, u.Classes[i].Left)
				agree(t, p.String()+", at once", s.Classes[i].AtOnce, u.Classes[i].AtOnce)
			}
		}
	}
}

// agree fails if two estimates of one number are five standard errors apart. What neither has
// seen has no interval.
func agree(t *testing.T, what string, a, b result.Estimate) {
	t.Helper()
	if d := math.Abs(a.Value - b.Value); d != 0 && !(d <= 5*math.Hypot(a.HalfWidth, b.HalfWidth)/1.96+1e-12) {
		t.Errorf("%s: %v and %v", what, a, b)
	}
}

// TestPriorityNotes: who cannot answer names who can, and jobs that may starve are named.
func TestPriorityNotes(t *testing.T) {
	m := wide().Policy(urgentFirst.Passing())
	if _, err := m.Solve(context.Background(), mjq.Backward{}); err == nil || !strings.Contains(err.Error(), "Unbiased") {
		t.Errorf("Backward: %v", err)
	}
	r := mjq.Must(m.Solve(context.Background(), mjq.Simulation{Jobs: 2000, Replications: 4}))
	if !strings.Contains(strings.Join(r.Notes, " "), `"urgent" starves`) {
		t.Errorf("no note on starving: %v", r.Notes)
	}
	if _, err := wide().Policy(mjq.Priority([]string{"urgnt"})).Solve(context.Background()); err == nil || !strings.Contains(err.Error(), "urgent") {
		t.Errorf("a class that is not in the model: %v", err)
	}
	p := mjq.Must(wide().Policy(urgentFirst.Preemptive(mjq.Restart)).Path(context.Background(), 0, 300, mjq.Seed(3)))
	stops := 0
	for _, j := range p.Jobs {
		stops += max(0, len(j.Stretches)-1)
	}
	if stops == 0 {
		t.Error("no job of the path is seen to stop and go on")
	}
}

// TestLargestOfALevel: where no two jobs fit together, levels whose largest jobs come first are as
// many levels as there are needs.
func TestLargestOfALevel(t *testing.T) {
	m := mjq.Servers(5).Poisson(0.3).Class("a", 3, 0.5, mjq.ExpMean(2)).Class("b", 4, 0.5, mjq.ExpMean(1))
	one, each := mjq.Priority([]string{"a", "b"}).Within(mjq.MostServersFirst()), mjq.Priority([]string{"b"}, []string{"a"})
	for _, p := range [][2]mjq.Policy{{one, each}, {one.Preemptive(mjq.Resume), each.Preemptive(mjq.Resume)}} {
		got, want := mjq.Must(m.Policy(p[0]).Solve(context.Background(), mjq.Exact{})), mjq.Must(m.Policy(p[1]).Solve(context.Background(), mjq.Exact{}))
		for i := range got.Classes {
			if a, b := got.Classes[i].Waiting.Mean.Value, want.Classes[i].Waiting.Mean.Value; math.Abs(a-b) > 1e-6*b {
				t.Errorf("%v, class %s: waits %v, by levels %v", p[0], got.Classes[i].Name, a, b)
			}
		}
	}
}

// leastWork is a policy from outside: the class of the least expected work comes first.
type leastWork struct{ policy.Priority }

func (leastWork) String() string { return "least work first" }

func (leastWork) LevelsOf(classes []policy.Class) (levels []int) {
	for _, c := range classes {
		level := 0
		for _, other := range classes {
			if other.Mean*float64(other.Need) < c.Mean*float64(c.Need) {
				level++
			}
		}
		levels = append(levels, level)
	}
	return levels
}

// TestPriorityFromOutside: a policy that finds its levels by the means of the classes and serves them
// by the rules of a priority has that priority's closed forms, chains and limits.
func TestPriorityFromOutside(t *testing.T) {
	ctx := context.Background()
	for _, m := range []mjq.Model{
		mjq.Servers(1).Poisson(0.5).Class("long", 1, 0.5, mjq.ErlangMeanPhases(2, 3)).Class("short", 1, 0.5, mjq.LogNormalMeanSCV(0.5, 2)),
		mjq.Servers(4).Poisson(0.5).Class("long", 2, 0.5, mjq.ExpMean(2)).Class("short", 3, 0.5, mjq.ExpMean(0.5)),
	} {
		named := mjq.Priority([]string{"short"}, []string{"long"})
		for i, rules := range []policy.Priority{named, named.Preemptive(mjq.Resume)} {
			own := leastWork{[]policy.Priority{{}, policy.Priority{}.Preemptive(mjq.Resume)}[i]}
			got, want := mjq.Must(m.Policy(own).Solve(ctx, mjq.Exact{})), mjq.Must(m.Policy(rules).Solve(ctx, mjq.Exact{}))
			for c := range got.Classes {
				if a, b := got.Classes[c].Waiting.Mean, want.Classes[c].Waiting.Mean; a.Value != b.Value || !(b.Value > 0) {
					t.Errorf("%v, class %d: waits %v, as a priority %v", rules, c, a, b)
				}
			}
			limit, as := mjq.Must(m.Policy(own).Stability(ctx)), mjq.Must(m.Policy(rules).Stability(ctx))
			if limit.Rate != as.Rate || len(limit.Levels) != len(as.Levels) {
				t.Errorf("%v: limit %v, as a priority %v", rules, limit, as)
			}
		}
	}
}

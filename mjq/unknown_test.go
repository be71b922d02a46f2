package mjq

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/methods"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/sampler"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// honest fails on a number that says exactly 0, or of a share exactly 1, unless its path
// matches what truly is: every estimate is positive or unknown. The zero value, too, is no
// answer of a question, for whoever reads its Value.
func honest(t *testing.T, what string, answer any, truly string) (known int) {
	t.Helper()
	zero := regexp.MustCompile("^$|" + truly)
	oracle.Estimates(reflect.ValueOf(answer), "", func(at string, e *result.Estimate) {
		share := strings.HasSuffix(at, "ServiceLevel") || strings.HasSuffix(at, "NoWait") || strings.HasSuffix(at, "Cleared")
		switch {
		case *e == result.Estimate{}:
			t.Errorf("%s: %s was not computed and reads as 0", what, at)
		case truly != "" && zero.MatchString(at) || !e.Known():
		case e.HalfWidth == 0 && (e.Value == 0 || share && e.Value == 1):
			t.Errorf("%s: %s is %v ± 0 with N = %d", what, at, e.Value, e.N)
		case e.Value < 0 && !strings.Contains(at, "Differences") && !strings.Contains(at, "Changes"):
			t.Errorf("%s: %s is %v", what, at, *e)
		}
		if e.Known() {
			known++
		}
	})
	return known
}

// askedModels are queues in which everything that is measured is positive, by what is
// special of them.
func askedModels() map[string]Model {
	classes := func(b Model) Model {
		return b.Class("one", 1, 0.7, ExpMean(1)).Class("three", 3, 0.3, ExpMean(0.5))
	}
	models := map[string]Model{
		"Poisson": classes(Servers(4).Poisson(1.5)),
		"Erlang":  classes(Servers(4).Arrivals(ErlangMeanPhases(0.7, 2))),
		"MMPP":    classes(Servers(4).MMPP([]float64{0.5, 2.5}, [][]float64{{-1, 1}, {1, -1}})),
		"marked": classes(Servers(4).MarkedMAP([][]float64{{-3, 1}, {1, -2}},
			map[string][][]float64{"one": {{1.5, 0}, {0, 0.5}}, "three": {{0.5, 0}, {0, 0.5}}})),
		"batches": classes(Servers(4).Poisson(0.6).Batches(arrival.Sizes{0.5, 0.5})),
		"types": Resources("cpu", 4).Resources("gpu", 2).Poisson(1.2).Needing("plain", Needs{"cpu": 1}, 0.6, ExpMean(1)).
			Needing("learns", Needs{"cpu": 2, "gpu": 1}, 0.4, ExpMean(1)),
		"named": Servers(4).Poisson(1.1).Specific("first", Pick{Named: []int{1, 2}}, 0.5, ExpMean(1)).
			Specific("any", Pick{Any: 3}, 0.5, ExpMean(0.5)),
		"random": classes(Servers(4).Poisson(0.6)).RandomAssignment(),
	}
	for _, p := range []Policy{FirstFit(), EASY(), Conservative(), Window(2), MostServersFirst(), LeastServersFirst(), ServerFilling(), PreemptiveFirstFit(), MaxWeight(),
		MSR([][]int{{4, 0}, {1, 1}}, [][]float64{{-1, 1}, {1, -1}})} {
		models[p.String()] = models["Poisson"].Policy(p).WithLimit(Must(models["Poisson"].Stability(background))) // none is searched for
	}
	busy := models["Poisson"].AtRate(3)
	models["loss"], models["room"] = busy.Loss(), busy.Room(2)
	models["patience"] = busy.Patience(ExpMean(1))
	models["patience by class"] = models["patience"].Patience(Deterministic(2), "three").Policy(EASY())
	models["patience by counts"] = models["patience"].Patience(ExpMean(3), "three").Policy(MostServersFirst())
	models["patience in a room"] = models["patience"].Room(3)
	return models
}

// zeroUnder are the estimates that truly are 0: no policy here kills or drops jobs or has them
// begin again, most stop none and let none of a class overtake.
func zeroUnder(m Model) string {
	if room := m.Spec().Room; room != nil && *room == 0 {
		return `Killed|Overtaking|Preemptions|Waiting|Slowdown|InLine|Arriving.(Delayed|MeanWait)|WastedHOL` // nobody waits
	}
	if p := m.Spec().Policy; p != nil && p.Properties().Preemptive {
		return `Killed|Overtaking|Lost|Left`
	}
	return `Killed|Overtaking|Preemptions`
}

// askedShort is the method with settings for a short run.
func askedShort(x run.Method) run.Method {
	return with(x, map[string]any{"Eps": 1e-3, "Samples": oracle.Sized(30, 200), "Jobs": oracle.Sized(1000, 2000), "Replications": 4,
		"Overtaking": true, "Within": 0.5, "SlowdownThreshold": 0.1, "Wait": 2.})
}

// with is the method with those of the settings that it takes.
func with(x run.Method, settings map[string]any) run.Method {
	v := reflect.New(reflect.TypeOf(x)).Elem()
	v.Set(reflect.ValueOf(x))
	for name, value := range settings {
		if takes(x, name) {
			v.FieldByName(name).Set(reflect.ValueOf(value))
		}
	}
	return v.Interface().(run.Method)
}

// takes reports whether a method takes a setting.
func takes(x run.Method, name string) bool {
	_, ok := run.Setting[any](x, name)
	return ok
}

// TestNothingIsZeroUnknown asks every method about every queue that it fits, and fails on
// a field of the result that is neither computed nor unknown.
func TestNothingIsZeroUnknown(t *testing.T) {
	runs, fitting := 0, 0
	models := askedModels()
	for _, name := range slices.Sorted(maps.Keys(models)) {
		m := models[name]
		for _, x := range methods.All {
			if run.Fits(x, Must(m.problem()).Spec) != nil {
				continue
			}
			if fitting++; fitting%oracle.Sized(2, 1) > 0 {
				continue
			}
			what := fmt.Sprintf("%s, %s", name, x.Row().Name)
			r, err := run.Solve(background, Must(m.problem()), askedShort(run.Under(x, Must(m.problem()).Spec)), problem.Defaults())
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			runs++
			if honest(t, what, r, zeroUnder(m)) == 0 {
				t.Errorf("%s: nothing is known", what)
			}
			for _, c := range append([]result.ClassResult{r.All}, r.Classes...) {
				if e := c.Waiting.ServiceLevel; e.Known() && !(e.Value > 0 && e.Value < 1) && name != "loss" {
					t.Errorf("%s: P(W = 0), or in time, of %s is %v", what, c.Name, e)
				}
			}
			if text := r.Table().String(); strings.Contains(text, "NaN") {
				t.Errorf("%s: as text\n%s", what, text)
			}
		}
	}
	if runs < oracle.Sized(35, 70) {
		t.Errorf("%d runs", runs)
	}
}

// TestNothingIsZeroInterrupted: a run that ends before its first sample knows nothing but
// what takes no drawing.
func TestNothingIsZeroInterrupted(t *testing.T) {
	gone, cancel := context.WithCancel(background)
	cancel()
	for name, m := range askedModels() {
		st := Must(m.Stability(background)) // known beforehand, so that the runs begin
		for _, x := range methods.All {
			if run.Fits(x, Must(m.problem()).Spec) != nil {
				continue
			}
			r, err := run.Solve(gone, Must(m.WithLimit(st).problem()), askedShort(run.Under(x, Must(m.problem()).Spec)), problem.Defaults())
			if what := fmt.Sprintf("%s, %s", name, x.Row().Name); r != nil {
				honest(t, what, r, zeroUnder(m))
				if x != (exact.Method{}) && (err == nil || r.All.Waiting.Mean.Known() || r.All.Waiting.Quantile(0.5).Known() || r.Run.Met) {
					t.Errorf("%s: %v, met %v, with the error %v", what, r.All.Waiting.Mean, r.Run.Met, err)
				}
			}
		}
	}
	start := State{Running: []Running{{Class: "one", Jobs: 2}}, Line: []string{"three"}}
	m := askedModels()["Poisson"]
	if c, err := m.Transient(gone, start, Horizon{Until: 2}, Simulation{Replications: 400}); c == nil || err == nil {
		t.Errorf("from a state on: %v, %v", c, err)
	} else {
		honest(t, "from a state on", c, "")
	}
}

// TestNothingIsZeroOverTime: parts of a course, whether some jobs wait in them or none.
func TestNothingIsZeroOverTime(t *testing.T) {
	day := Servers(4).Profile(8, 0, 0.3, 2.5).Class("one", 1, 0.7, ExpMean(1)).Class("three", 3, 0.3, ExpMean(0.5))
	start := State{Running: []Running{{Class: "one", Jobs: 2}}, Line: []string{"three", "one"}}
	by := func(m Model, how Method) func() (*result.Transient, error) {
		return func() (*result.Transient, error) { return m.ByTime(background, 5, how) }
	}
	from := func(m Model, to Horizon, how Method) func() (*result.Transient, error) {
		return func() (*result.Transient, error) { return m.Transient(background, start, to, how) }
	}
	for what, ask := range map[string]func() (*result.Transient, error){
		"Simulation by time": by(day, Simulation{Jobs: 100, Replications: 4}), "Backward by time": by(day, Backward{Samples: 60}),
		"Exact by time": by(day, Exact{}), "by time": by(day, nil), "Simulation from": from(day, Horizon{Until: 2, Parts: 20}, Simulation{Replications: 40}),
		"Exact from": from(day, Horizon{Until: 2, Parts: 5}, Exact{}), "EASY from": from(day.Policy(EASY()), Horizon{Until: 9, Parts: 4}, Simulation{Replications: 30}),
		"from": from(day, Horizon{Until: 2}, nil),
	} {
		c, err := ask()
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if honest(t, what, c, "") == 0 {
			t.Errorf("%s: nothing is known", what)
		}
	}
}

// TestNothingIsZeroElsewhere: answers that are made of results.
func TestNothingIsZeroElsewhere(t *testing.T) {
	m := askedModels()["Poisson"]
	sweep := Must(Sweep(background, m, Grid{Rates: []float64{1, 1.5}, Replications: 3}, Simulation{Jobs: 1000, Replications: 3,
		Within: 0.5, SlowdownThreshold: 0.1}))
	for i := range sweep.Points {
		honest(t, "sweep", sweep.At(i), zeroUnder(m))
		if a, one := sweep.At(i).All, sweep.Jobs[3*i].Result.All; a.Slowdown.Mean.N != 9 || a.Waiting.ServiceLevel.N != 9 || a.Slowdown.Mean.Value == one.Slowdown.Mean.Value {
			t.Errorf("point %d: slowdown %v, in time %v of %d observations; of the first replication %v", i, a.Slowdown.Mean, a.Waiting.ServiceLevel, a.Slowdown.Mean.N, one.Slowdown.Mean)
		}
	}
	mine := Must(Sweep(background, m, Grid{}, MethodFunc("half of it", func(context.Context, Model, uint64) (*result.Result, error) {
		return &result.Result{Stable: true, MeanJobs: result.Exact(0, "none")}, nil
	}))).At(0)
	if mine.Idle.Known() || !math.IsNaN(mine.Idle.Value) || !mine.MeanJobs.Known() {
		t.Errorf("a verb of one's own: idle %v, jobs %v", mine.Idle, mine.MeanJobs)
	}
	c := Must(Compare(background, m, []Policy{FCFS(), EASY(), PreemptiveFirstFit()}, Simulation{Jobs: 1000, Replications: 4}))
	honest(t, "comparison", c, `Killed|Preemptions|Lost|Left|Bound`) // no wait is below 0, says the bound
	if same := c.Between("FCFS", "FCFS").All.Waiting; !same.Known() || same.Value != 0 {
		t.Errorf("FCFS has %v more than itself", same)
	}
	honest(t, "sensitivities", Must(m.Sensitivities(background)), "")
	honest(t, "optimum", Must(m.Optimum(background)), "")
	honest(t, "sizing", Must(m.FewestServers(background, MeanWait(0.3))), "")
}

// TestNobodyWaits: a run in which no job waits does not know the mean wait, is not at its
// target, ends, and says what it can; paths of many jobs refuse a target that none reaches.
func TestNobodyWaits(t *testing.T) {
	m := Servers(20).Poisson(0.2).Class("one", 1, 0.9, ExpMean(1)).Class("two", 2, 0.1, Deterministic(1))
	exact := Must(m.Stability(background))
	for _, x := range []run.Method{sampler.Certified{}, sampler.Backward{}, sampler.Unbiased{}, sampler.Forward{}, simulation.Method{}, sampler.Dominated{}} {
		if run.Fits(x, Must(m.problem()).Spec) != nil {
			continue
		}
		for _, target := range []float64{0, 0.01} {
			how, o := askedShort(x), problem.Defaults()
			if target > 0 {
				how, o.RelErr = with(x, map[string]any{"Eps": 1e-3, "Jobs": 500}), problem.Give(target)
			}
			what := fmt.Sprintf("%s to %g", x.Row().Name, target)
			r, err := run.Solve(background, Must(m.WithLimit(exact).problem()), how, o)
			if err != nil {
				if target == 0 || x == (sampler.Backward{}) || x == (sampler.Certified{}) || !strings.Contains(err.Error(), "too near 0 for any run") {
					t.Errorf("%s: %v", what, err)
				}
				continue
			}
			honest(t, what, r, `Killed|Overtaking|Preemptions`)
			if e := r.All.Waiting.Mean; e.Value != 0 || !math.IsNaN(e.HalfWidth) || r.Run.Met {
				t.Errorf("%s: %v, met %v", what, e, r.Run.Met)
			}
			if !strings.Contains(strings.Join(r.Notes, "\n"), "P(W > 0) is below") {
				t.Errorf("%s: no bound in the notes %q", what, r.Notes)
			}
			if p := r.All.Waiting.Survival(0); p.Known() && !(p.Value == 0 && (p.HalfWidth > 0 || math.IsNaN(p.HalfWidth))) {
				t.Errorf("%s: P(W > 0) is %v", what, p)
			}
		}
	}
}

// TestRareKnowsTheServers: the run that splits says how busy servers are, which takes no
// drawing, and nothing of what it does not measure.
func TestRareKnowsTheServers(t *testing.T) {
	m := Servers(1).Poisson(0.8).Class("one", 1, 1, ExpMean(1))
	r := Must(m.Solve(background, RareEvent{Wait: 5, Replications: 4}))
	honest(t, "rare", r, "")
	if r.All.Waiting.Mean.Known() || r.All.Response.Variance.Known() || r.WastedHOL.Known() || r.MeanJobs.Known() {
		t.Errorf("mean wait %v, jobs %v", r.All.Waiting.Mean, r.MeanJobs)
	}
	if math.Abs(r.Utilization.Value-0.8) > 1e-12 || math.Abs(r.Idle.Value-0.2) > 1e-12 || r.Utilization.HalfWidth != 0 {
		t.Errorf("utilisation %v, idle %v", r.Utilization, r.Idle)
	}
}

// TestSweepAndCapacityInJSON: with the NaN that both have.
func TestSweepAndCapacityInJSON(t *testing.T) {
	m := askedModels()["types"]
	c := Must(m.Capacity(background))
	sweep := Must(Sweep(background, m, Grid{Loads: []float64{0.5}, Rates: []float64{0.7, 99}}, Simulation{Jobs: 200, Replications: 2}))
	for what, x := range map[string]struct{ from, to any }{"capacity": {c, new(result.Capacity)}, "sweep": {sweep, new(result.Sweep)}} {
		text, err := json.Marshal(x.from)
		if err == nil {
			err = json.Unmarshal(text, x.to)
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if again, err := json.Marshal(x.to); err != nil || string(again) != string(text) {
			t.Errorf("%s: read as %s, %v, want %s", what, again, err, text)
		}
	}
}

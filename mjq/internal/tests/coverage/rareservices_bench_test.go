package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkRareServices prints how often intervals hold the truth where a rare class, or a
// rare long phase of its service, makes much of the waiting: on named models and on random
// ones (seldomModel), the truth by Exact. A line is a model and a method: for each quantity
// the coverage at level 0.95 and, in brackets, the percentage of runs without an interval.
// The last lines sum up each method over all models. The environment chooses as for
// BenchmarkCoverage; MJQ_COVERAGE_RANDOM (50) is how many random models there are.
//
//	MJQ_COVERAGE_RUNS=400 go test -run xx -bench RareServices -benchtime 1x -timeout 0 ./mjq/internal/tests/coverage
func BenchmarkRareServices(b *testing.B) {
	runs, first := coverageNumber(b, "RUNS", 400), coverageNumber(b, "SEED", 1)
	models := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_MODELS"))
	methods := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_METHODS"))
	total := map[string]*[rareQuantities]tallied{}
	for range b.N {
		for _, c := range append(seldomModels(), randomSeldomModels(coverageNumber(b, "RANDOM", 50))...) {
			if !models.MatchString(c.name) {
				continue
			}
			truth := rareNumbers(mjq.Must(c.m.Solve(background, mjq.Exact{})))
			for _, method := range c.rareMethods(coverageNumber(b, "JOBS", 60_000)) {
				if !methods.MatchString(method.name) {
					continue
				}
				line := rareCoverage(b, method, &truth, first, runs)
				fmt.Printf("%-34s | %-26s | %s\n", c.name, method.name, coverageLine(line))
				if total[method.name] == nil {
					total[method.name] = new([rareQuantities]tallied)
				}
				for q := range line {
					total[method.name][q].add(&line[q])
				}
			}
		}
	}
	for name, line := range total {
		fmt.Printf("%-34s | %-26s | %s\n", "all", name, coverageLine(line))
	}
}

// tallied counts the intervals of a quantity.
type tallied struct{ runs, given, held float64 }

func (t *tallied) add(u *tallied) {
	t.runs += u.runs
	t.given += u.given
	t.held += u.held
}

func coverageLine(line *[rareQuantities]tallied) (text string) {
	for q := range line {
		if t := &line[q]; t.runs > 0 {
			text += fmt.Sprintf(" %s %.3f", rareNames[q], t.held/t.given)
			if t.given < t.runs {
				text += fmt.Sprintf("[%.0f]", 100*(1-t.given/t.runs))
			}
		}
	}
	return text
}

// The quantities whose intervals are counted.
const rareQuantities = 11

var rareNames = [rareQuantities]string{"mean", "var", "waste", "q.5", "q.9", "q.99", "P(W≤0)", "common", "rare", "var common", "var rare"}

// rareNumbers are the estimates of the quantities, those of the classes being of the first
// and of the last.
func rareNumbers(r *result.Result) [rareQuantities]result.Estimate {
	w, one, last := &r.All.Waiting, &r.Classes[0].Waiting, &r.Classes[len(r.Classes)-1].Waiting
	return [rareQuantities]result.Estimate{w.Mean, w.Variance, r.WastedHOL, w.Quantile(0.5), w.Quantile(0.9), w.Quantile(0.99), w.CDF(0),
		one.Mean, last.Mean, one.Variance, last.Variance}
}

// rareCoverage counts the intervals of runs from a seed on.
func rareCoverage(b *testing.B, method coverageMethod, truth *[rareQuantities]result.Estimate, first, runs int) *[rareQuantities]tallied {
	var line [rareQuantities]tallied
	for i := range runs {
		r, err := method.ask(uint64(first + i))
		if err != nil {
			b.Fatal(err)
		}
		for q, e := range rareNumbers(r) {
			t := &line[q]
			t.runs++
			if math.IsNaN(e.HalfWidth) {
				continue
			}
			t.given++
			if math.Abs(e.Value-truth[q].Value) <= e.HalfWidth+1e-9*math.Abs(truth[q].Value) {
				t.held++
			}
		}
	}
	return &line
}

// seldomModels are queues on 16 servers in which jobs of one class that come about once in a
// thousand need some or all of them.
func seldomModels() []coverageModel {
	queue := func(c, r mjq.Law, need int) mjq.Model {
		return mjq.Servers(16).Poisson(6).Class("c", 1, 0.999, c).Class("r", need, 0.001, r)
	}
	bursts := arrival.MMPP([]float64{9, 1}, [][]float64{{-0.005, 0.005}, {0.008, -0.008}})
	return []coverageModel{
		{name: "SCV 20", m: queue(mjq.ExpMean(1), mjq.HyperExpMeanSCV(5, 20), 16)},
		{name: "SCV 30", m: queue(mjq.ExpMean(1), mjq.HyperExpMeanSCV(5, 30), 16)},
		{name: "SCV 100", m: queue(mjq.ExpMean(1), mjq.HyperExpMeanSCV(5, 100), 16)},
		{name: "SCV 1000", m: queue(mjq.ExpMean(1), mjq.HyperExpMeanSCV(2, 1000), 16)},
		{name: "needs 12", m: queue(mjq.ExpMean(1), mjq.HyperExpMeanSCV(5, 30), 12)},
		{name: "needs 9", m: queue(mjq.ExpMean(1), mjq.HyperExpMeanSCV(5, 30), 9)},
		{name: "pairs", m: mjq.Servers(16).Poisson(6).Class("c", 1, 0.9997, mjq.ExpMean(1)).Class("r", 8, 0.0003, mjq.ExpMean(30))},
		{name: "pairs of 7", m: mjq.Servers(16).Poisson(6).Class("c", 1, 0.9997, mjq.ExpMean(1)).Class("r", 7, 0.0003, mjq.ExpMean(30))},
		{name: "pairs in bursts", m: mjq.Servers(16).Process(bursts).Class("c", 1, 0.9997, mjq.ExpMean(1)).Class("r", 8, 0.0003, mjq.ExpMean(30))},
		{name: "rares", m: queue(mjq.ExpMean(1), mjq.ExpMean(30), 16)},
		{name: "nearly fixed", m: queue(mjq.ErlangMeanPhases(1, 2), mjq.ExpMean(30), 16)},
		{name: "M/G/1, SCV 200", m: mjq.Servers(1).Poisson(0.5).Class("r", 1, 1, mjq.HyperExpMeanSCV(1, 200))},
		{name: "five classes", m: workload.FiveClassExponential().Poisson(1.4)},
	}
}

// randomSeldomModels are the first of an endless list.
func randomSeldomModels(n int) (list []coverageModel) {
	for seed := uint64(1); len(list) < n; seed++ {
		if c, ok := seldomModel(seed); ok {
			list = append(list, c)
		}
	}
	return list
}

// seldomModel is a random queue of two or three classes of which the last is rare: of
// probability 0.1 to 1e-5, with services of a squared coefficient of variation from 1 to
// 1000 and work from a hundredth to all of that of the others; needs up to the number of
// servers; loads 0.3 to 0.95; Poisson, renewal and MMPP arrivals. ok is false where the
// exact solution would be large.
func seldomModel(seed uint64) (c coverageModel, ok bool) {
	rng := rand.New(rand.NewPCG(seed, 0x72617265))
	pick := func(list ...int) int { return list[rng.IntN(len(list))] }
	between := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, rng.Float64()) }
	s := pick(2, 4, 8, 16)
	prob := between(1e-5, 0.1)
	small := pick(1, 1, max(1, s/4), max(1, s/2))
	need := pick(s, s, max(1, s/2), 1+rng.IntN(s))
	scv := between(1, 1000)
	others := float64(small) * (1 - prob)
	build := mjq.Servers(s)
	if rng.IntN(3) == 0 {
		build = build.Class("common", small, 0.7*(1-prob), mjq.ExpMean(1)).Class("other", 1, 0.3*(1-prob), mjq.ErlangMeanPhases(2, 2))
		others = 0.7*others + 0.6*(1-prob)
	} else {
		build = build.Class("common", small, 1-prob, mjq.ExpMean(1))
	}
	mean := between(0.01, 1) * others / (prob * float64(need))
	build = build.Class("rare", need, prob, mjq.HyperExpMeanSCV(mean, scv))
	load, arrivals := 0.3+0.65*rng.Float64(), ""
	switch rng.IntN(3) {
	case 0:
		build, arrivals = build.Poisson(1), "Poisson"
	case 1:
		if rng.IntN(2) == 0 {
			build, arrivals = build.Arrivals(mjq.ErlangMeanPhases(1, 3)), "Erlang"
		} else {
			build, arrivals = build.Arrivals(mjq.HyperExpMeanSCV(1, between(2, 20))), "hyperexponential"
		}
	default:
		stay := between(10, 1000)
		build, arrivals = build.Process(arrival.MMPP([]float64{1.6, 0.4}, [][]float64{{-1 / stay, 1 / stay}, {1 / stay, -1 / stay}})), "MMPP"
	}
	m, err := build.AtLoad(load).Resolve(background)
	if err != nil {
		return c, false
	}
	size, err := mjq.Exact{}.Size(m)
	if err != nil || size.Phases > 400 {
		return c, false
	}
	return coverageModel{name: fmt.Sprintf("#%d %s p %.0e need %d/%d SCV %.0f load %.2f", seed, arrivals[:3], prob, need, s, scv, load), m: m}, true
}

// methods of rare services are short forward runs and simulations.
func (c *coverageModel) rareMethods(jobs int) []coverageMethod {
	m := c.m
	return []coverageMethod{
		{"Forward", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Forward{Jobs: jobs}, mjq.Seed(seed))
		}},
		{"Controls", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Forward{Controls: mjq.PlainControls, Jobs: jobs}, mjq.Seed(seed))
		}},
		{"Close controls", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Forward{Controls: mjq.CloseControls, Jobs: jobs}, mjq.Seed(seed))
		}},
		{"Simulation", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Simulation{Jobs: jobs}, mjq.Seed(seed))
		}},
		{"RelErr", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Forward{Jobs: jobs, Controls: mjq.CloseControls}, mjq.RelErr(0.1), mjq.Seed(seed))
		}},
	}
}

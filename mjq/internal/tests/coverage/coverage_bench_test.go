package coverage

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

var background = context.Background()

// BenchmarkCoverage prints how often the intervals of each method hold the truth, at
// level 0.95, in independent runs: of the mean and the variance of the wait
// of all jobs, of the waste, and of three quantiles of that wait. The environment
// chooses: MJQ_COVERAGE_RUNS (400) runs from seed MJQ_COVERAGE_SEED (1) on, and of
// the models and the methods those whose names the regular expressions
// MJQ_COVERAGE_MODELS and MJQ_COVERAGE_METHODS match. Runs are much shorter than by
// default, which is the harder test; the effort is part of the name. Single samples are
// MJQ_COVERAGE_SAMPLES (256).
//
//	go test -run xx -bench Coverage -benchtime 1x -timeout 0 ./mjq/internal/tests/coverage
func BenchmarkCoverage(b *testing.B) {
	samples := coverageNumber(b, "SAMPLES", 256)
	coverageTable(b, func(c *coverageModel) []coverageMethod { return c.methods(samples) })
}

// BenchmarkDefaults prints the same for the methods as they are when nothing is set but
// the seed. It takes a second or two a run, and single samples near the limit minutes.
//
//	go test -run xx -bench Defaults -benchtime 1x -timeout 0 ./mjq/internal/tests/coverage
func BenchmarkDefaults(b *testing.B) { coverageTable(b, (*coverageModel).defaults) }

// coverageTable prints the lines that the environment chooses.
func coverageTable(b *testing.B, columns func(c *coverageModel) []coverageMethod) {
	runs, first := coverageNumber(b, "RUNS", 400), coverageNumber(b, "SEED", 1)
	models := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_MODELS"))
	methods := regexp.MustCompile(os.Getenv("MJQ_COVERAGE_METHODS"))
	for range b.N {
		for _, c := range coverageModels() {
			if !models.MatchString(c.name) {
				continue
			}
			var truth *[6]float64
			for _, method := range columns(&c) {
				if !methods.MatchString(method.name) {
					continue
				}
				if truth == nil {
					t := c.truth(b)
					truth = &t
				}
				covered(c.name, method, truth, first, runs)
			}
		}
	}
}

// coverageNumber is what the environment says, or the usual.
func coverageNumber(b *testing.B, name string, usual int) int {
	text := os.Getenv("MJQ_COVERAGE_" + name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatalf("MJQ_COVERAGE_%s: %v", name, err)
	}
	return n
}

// coverageModel is one line of the table.
type coverageModel struct {
	name string
	m    mjq.Model
	long func(b *testing.B) [6]float64 // where there is no exact solution
}

// coverageMethod is one column.
type coverageMethod struct {
	name string
	ask  func(seed uint64) (*result.Result, error)
}

func coverageModels() []coverageModel {
	one := func(name string, m mjq.Model, err error) coverageModel {
		return coverageModel{name: name, m: mjq.Must(mjq.Must(m, err).Resolve(background))}
	}
	oneAnd16 := func(load float64) mjq.Model { return workload.OneOrAll(16, 0.05, 1, 0.5).AtLoad(load) }
	two := func(small, large mjq.Law) mjq.Model {
		return mjq.Servers(4).Class("small", 1, 0.6, small).Class("large", 3, 0.4, large).AtLoad(0.8)
	}
	var list []coverageModel
	for _, load := range []float64{0.5, 0.8, 0.9} {
		list = append(list, one(fmt.Sprintf("1-and-16 at %v", load), oneAnd16(load), nil))
	}
	for _, rate := range []float64{0.9, 1.4, 1.65} {
		m := workload.FiveClassExponential().Poisson(rate)
		err := m.Err()
		list = append(list, one(fmt.Sprintf("five classes, λ = %v", rate), m, err))
	}
	mm1 := mjq.Servers(1).Poisson(0.95).Class("one", 1, 1, mjq.ExpMean(1))
	err := mm1.Err()
	list = append(list, one("M/M/1 at 0.95", mm1, err),
		one("hyperexponential at 0.8", two(mjq.HyperExpMeans(5, 0.5, 0.1), mjq.HyperExpMeans(5, 0.5, 0.1)), nil),
		one("Erlang at 0.8", two(mjq.ErlangMeanPhases(1, 2), mjq.ErlangMeanPhases(2, 2)), nil))
	bursty := func(b mjq.Model) mjq.Model {
		return b.Class("small", 1, 0.6, mjq.ExpMean(1)).Class("large", 3, 0.4, mjq.ExpMean(2)).AtLoad(0.7)
	}
	list = append(list, one("bursts (MMPP) at 0.7", bursty(mjq.Servers(4).MMPP([]float64{3, 0.5}, [][]float64{{-0.2, 0.2}, {0.1, -0.1}})), nil),
		one("batches of 3 at 0.7", bursty(mjq.Servers(4).Poisson(1).Batches(arrival.GeometricSize(3))), nil))
	det := one("deterministic at 0.8", two(mjq.Deterministic(1), mjq.Deterministic(2)), nil)
	det.long = longRun(det.m, 6_000_000)
	cell := one("Cell B, λ = 0.8", workload.BorgCellB().Poisson(0.8), nil)
	cell.long = func(b *testing.B) [6]float64 { // plain runs would take hours to know as much
		return coverageNumbers(mjq.Must(cell.m.Solve(background, mjq.Forward{Controls: mjq.CloseControls, Jobs: 4_000_000}, mjq.Seed(999))), func(e result.Estimate) float64 { return e.Value })
	}
	return append(list, det, cell, one("wide and rare, λ = 1.6", wideAndRare(1.6), nil))
}

// longRun is the truth to within a small part of the intervals it judges.
func longRun(m mjq.Model, jobs int) func(b *testing.B) [6]float64 {
	return func(b *testing.B) [6]float64 {
		return coverageNumbers(mjq.Must(m.Solve(background, mjq.Forward{Jobs: jobs}, mjq.Seed(999))), func(e result.Estimate) float64 { return e.Value })
	}
}

// coverageNumbers are what the table is about.
func coverageNumbers(r *result.Result, of func(e result.Estimate) float64) [6]float64 {
	w := &r.All.Waiting
	return [6]float64{of(w.Mean), of(w.Variance), of(r.WastedHOL), of(w.Quantile(0.5)), of(w.Quantile(0.9)), of(w.Quantile(0.99))}
}

func (c *coverageModel) truth(b *testing.B) [6]float64 {
	if c.long != nil {
		return c.long(b)
	}
	return coverageNumbers(mjq.Must(c.m.Solve(background, mjq.Exact{})), func(e result.Estimate) float64 { return e.Value })
}

// methods are the columns: replications of 20 relaxation times, at least 10,000 jobs,
// followed paths of 8, and so many single samples. Unbiased near the limit has windows of 8, shorter
// than its own, which makes it cheaper and its samples more skewed.
func (c *coverageModel) methods(samples int) []coverageMethod {
	m := c.m
	left := 1 - m.Rate()/mjq.Must(m.Stability(background)).Rate
	forget := problem.New(m.Spec()).Relaxation(1 - left)
	jobs, path := max(10_000, int(20*forget)), max(1024, int(8*forget))
	window := min(max(1000, path), int(float64(problem.New(m.Spec()).RareJobs(2))/math.Pow(left, 1.4)))
	list := []coverageMethod{
		{"Forward 32 × %d", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Forward{Jobs: jobs}, mjq.Seed(seed))
		}},
		{"Forward.ControlVariates 32 × %d", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Forward{Controls: mjq.PlainControls, Jobs: jobs}, mjq.Seed(seed))
		}},
		{"Forward.CloseControlVariates 32 × %d", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Forward{Controls: mjq.CloseControls, Jobs: jobs}, mjq.Seed(seed))
		}},
		{"Simulate 32 × %d", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Simulation{Jobs: jobs}, mjq.Seed(seed))
		}},
		{"Simulate RelErr 0.08 × %d", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Simulation{Jobs: jobs}, mjq.RelErr(0.08), mjq.Seed(seed))
		}},
		{"Backward " + strconv.Itoa(samples), func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Backward{Samples: samples}, mjq.Seed(seed))
		}},
		{"Certified " + strconv.Itoa(samples), func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Certified{Samples: samples}, mjq.Seed(seed))
		}},
		{"Certified.PathLength 64 × %d", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Certified{Samples: 64, PathLength: path}, mjq.Seed(seed))
		}},
		{"Unbiased.PathLength 64 × %d", func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Unbiased{Samples: 64, Window: window, PathLength: path}, mjq.Seed(seed))
		}},
		{"Unbiased by coupling, PathLength 64 × %d", func(seed uint64) (*result.Result, error) { // Window(1) is FCFS, and not known to be
			return m.Policy(mjq.Window(1)).Solve(background, mjq.Unbiased{Samples: 64, PathLength: path}, mjq.Seed(seed))
		}},
		{"Dominated " + strconv.Itoa(samples), func(seed uint64) (*result.Result, error) {
			return m.Solve(background, mjq.Dominated{Samples: samples}, mjq.Seed(seed))
		}},
	}
	for i := range list {
		n := jobs
		if strings.Contains(list[i].name, "PathLength") {
			n = path
		}
		list[i].name = strings.Replace(list[i].name, "%d", strconv.Itoa(n), 1)
	}
	return list
}

// defaults are the methods with nothing set but the seed.
func (c *coverageModel) defaults() []coverageMethod {
	return []coverageMethod{
		{"Forward", func(seed uint64) (*result.Result, error) { return c.m.Solve(background, mjq.Forward{}, mjq.Seed(seed)) }},
		{"Simulate", func(seed uint64) (*result.Result, error) {
			return c.m.Solve(background, mjq.Simulation{}, mjq.Seed(seed))
		}},
		{"Backward", func(seed uint64) (*result.Result, error) {
			return c.m.Solve(background, mjq.Backward{}, mjq.Seed(seed))
		}},
		{"Certified", func(seed uint64) (*result.Result, error) {
			return c.m.Solve(background, mjq.Certified{}, mjq.Seed(seed))
		}},
		{"Unbiased", func(seed uint64) (*result.Result, error) {
			return c.m.Solve(background, mjq.Unbiased{}, mjq.Seed(seed))
		}},
	}
}

// covered runs a method and prints a line: the coverage of each number and, in
// brackets, the mean square of its error in half-widths over 1.96; "-" where the
// method gives none, and the share of runs without an interval if there are any.
func covered(model string, method coverageMethod, truth *[6]float64, first, runs int) {
	var held, known, squares [6]float64
	for i := range runs {
		r, err := method.ask(uint64(first + i))
		if err != nil {
			fmt.Printf("%-26s | %-40s | %v\n", model, method.name, err)
			return
		}
		value := coverageNumbers(r, func(e result.Estimate) float64 { return e.Value })
		half := coverageNumbers(r, func(e result.Estimate) float64 { return e.HalfWidth })
		for k := range held {
			if math.IsNaN(half[k]) || truth[k] == 0 {
				continue
			}
			known[k]++
			z := (value[k] - truth[k]) / half[k] * 1.96
			squares[k] += z * z
			if math.Abs(z) <= 1.96 {
				held[k]++
			}
		}
	}
	var line []string
	for k := range held {
		s := "-"
		if known[k] > 0 {
			s = strings.TrimPrefix(fmt.Sprintf("%.3f", held[k]/known[k]), "0") + fmt.Sprintf("[%.2f]", squares[k]/known[k])
		}
		if known[k] > 0 && known[k] < float64(runs) {
			s += fmt.Sprintf(" of %.0f", known[k])
		}
		line = append(line, s)
	}
	fmt.Printf("%-26s | %-40s | %4d | %s\n", model, method.name, runs, strings.Join(line, " / "))
}

// wideAndRare is a queue of 16 servers whose jobs mostly need one or two for a moment; one
// in a hundred needs 9 or 12 for long, and the waits are its work.
func wideAndRare(rate float64) mjq.Model {
	return mjq.Servers(16).Poisson(rate).Class("small", 1, 0.98, mjq.ExpMean(1)).Class("middle", 2, 0.01, mjq.ExpMean(3)).
		Class("wide", 12, 0.005, mjq.ExpMean(40)).Class("odd", 9, 0.005, mjq.ErlangMeanPhases(20, 2))
}

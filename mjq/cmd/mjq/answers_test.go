package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// queue is that of testdata/queue.json.
func queue() mjq.Model {
	return mjq.Servers(20).Poisson(1.25).Class("small", 1, 0.8, mjq.ExpMean(0.5)).Class("big", 10, 0.2, mjq.ExpMean(3))
}

// decoded is the JSON that a command writes.
func decoded[T any](t *testing.T, args ...string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(answered(t, append(args, "--json")...)), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestMM1: a file with one server has the waits of the textbook, ρ/(μ-λ), in all forms
// of input; and the limit of jobs that need half of the servers is twice the service rate.
func TestMM1(t *testing.T) {
	inFolder(t)
	files := map[string]string{
		"one.json": `{"servers":1,"arrivals":{"law":"ExpMean","mean":2},"classes":[{"name":"a","need":1,"prob":1,"service":{"law":"ExpMean","mean":1}}]}`,
		"one.csv":  "servers,probability,mean_service\n1,1,1\n",
		"one.toml": "cores = 1\npolicy = \"fifo\"\narrival = { distribution = \"exponential\", rate = 0.5 }\nservice = { distribution = \"exponential\", mean = 1 }\n[[class]]\ncores = 1\narrival.prob = 1\n",
		"half.csv": "servers,probability,mean_service\n4,1,0.25\n",
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"one.json"}, {"one.csv", "--servers", "1", "--rate", "0.5"}, {"one.toml"}, {"one.json", "--load", "0.5"},
		{"one.csv", "--servers", "1", "--arrivals", `{"law":"ExpMean","mean":2}`}, {"one.csv", "--servers", "1", "--arrivals", `{"arrivals":"Poisson","rate":0.5}`}} {
		r := decoded[result.Result](t, append([]string{"solve", "--method", "exact"}, args...)...)
		if got := r.All.Waiting.Mean.Value; math.Abs(got-1) > 1e-9 {
			t.Errorf("%v: the mean wait is %v, not 1", args, got)
		}
	}
	if st := decoded[result.Stability](t, "stability", "half.csv", "--servers", "8"); math.Abs(st.Rate-8) > 1e-9 {
		t.Errorf("the limit is %v, not 8", st.Rate)
	}
}

// TestSameDigits: with the same seed the command has the digits of the package.
func TestSameDigits(t *testing.T) {
	inFolder(t)
	ctx, m := context.Background(), mjq.Model{}
	if err := json.Unmarshal(mustRead(t, "queue.json"), &m); err != nil {
		t.Fatal(err)
	}
	easy := m.Policy(mjq.EASY())
	log, err := os.Open("centre.swf")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	centre := mjq.Must(trace.ReadSWF("centre.swf", log, trace.SWF{}))
	for line, want := range map[string]*result.Result{
		"solve queue.json --seed 3":                   mjq.Must(m.Solve(ctx, mjq.Seed(3))),
		"solve queue.json --method exact --workers 1": mjq.Must(m.Solve(ctx, mjq.Exact{}, mjq.Workers(1))),
		"solve queue.json --method forward --jobs 4000 --replications 8 --warm-up 100 --controls plain --seed 3 --level 0.9": mjq.Must(m.Solve(ctx, mjq.Forward{Jobs: 4000, Replications: 8, WarmUp: 100, Controls: mjq.PlainControls}, mjq.Seed(3), mjq.Level(0.9))),
		"solve queue.json --method forward --jobs 4e3 --warm-up 0 --controls close --device cpu":                             mjq.Must(m.Solve(ctx, mjq.Forward{Jobs: 4000, WarmUp: mjq.None, Controls: mjq.CloseControls})),
		"solve queue.json --method forward --jobs 20000 --rel-err 5% --max-jobs 1e6":                                         mjq.Must(m.Solve(ctx, mjq.Forward{Jobs: 20000}, mjq.RelErr(0.05), mjq.MaxJobs(1e6))),
		"solve queue.json --method backward --samples 512 --window 2000 --seed 3":                                            mjq.Must(m.Solve(ctx, mjq.Backward{Samples: 512, Window: 2000}, mjq.Seed(3))),
		"solve queue.json --method certified --eps 1e-4 --samples 50 --path-length 300":                                      mjq.Must(m.Solve(ctx, mjq.Certified{Eps: 1e-4, Samples: 50, PathLength: 300})),
		"solve queue.json --method unbiased --samples 100":                                                                   mjq.Must(m.Solve(ctx, mjq.Unbiased{Samples: 100})),
		"solve queue.json --method rare-event --wait 20 --jobs 4000 --replications 8 --warm-up 500 --seed 3":                 mjq.Must(m.Solve(ctx, mjq.RareEvent{Wait: 20, Jobs: 4000, Replications: 8, WarmUp: 500}, mjq.Seed(3))),
		"solve queue.json --method dominated --rate 0.6 --samples 100":                                                       mjq.Must(m.AtRate(0.6).Solve(ctx, mjq.Dominated{Samples: 100})),
		"solve queue.json --method simulation --policy EASY --jobs 2000 --replications 4 --within 2 --seed 5":                mjq.Must(easy.Solve(ctx, mjq.Simulation{Jobs: 2000, Replications: 4, Within: 2}, mjq.Seed(5))),
		"solve queue.json --method Simulation --jobs 20000 --batch-means 20":                                                 mjq.Must(m.Solve(ctx, mjq.Simulation{Jobs: 20000, BatchMeans: 20})),
		"replay centre.swf --policy Window(4) --by powers --slowdown-threshold 10":                                           mjq.Must(centre.Replay(ctx, trace.Replay{Policy: mjq.Window(4), Classes: trace.PowersOfTwo, SlowdownThreshold: 10})),
		"replay centre.swf --nodes 8x8 --placement WorstFit":                                                                 mjq.Must(centre.Replay(ctx, trace.Replay{Nodes: []spec.Nodes{{Count: 8, Units: 8}}, Placement: mjq.WorstFit()})),
		"replay centre.swf --servers 48 --faster 1.2 --by user --warm-up 5":                                                  mjq.Must(centre.Faster(1.2).Replay(ctx, trace.Replay{Servers: 48, Classes: trace.ByUser, WarmUp: 5})),
	} {
		got := decoded[result.Result](t, strings.Fields(line)...)
		if got, want := numbersOf(t, &got), numbersOf(t, want); !reflect.DeepEqual(got, want) {
			t.Errorf("mjq %s:\n%v\nwhere the package has\n%v", line, got, want)
		}
	}
}

// numbersOf is what must agree: all classes, intervals and the way that they were drawn.
func numbersOf(t *testing.T, r *result.Result) string {
	t.Helper()
	plain := *r
	plain.Run.Elapsed, plain.Run.ElapsedLimit, plain.Run.StepsPerSec = 0, 0, 0
	text, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFit: the model that is written is that of the package, and other commands read it
// from a pipe.
func TestFit(t *testing.T) {
	inFolder(t)
	f, err := os.Open("jobs.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	log := mjq.Must(trace.ReadCSV("jobs.csv", f, trace.CSV{}))
	for line, how := range map[string]trace.Fit{
		"":                                {},
		" --moments 1 --arrivals poisson": {Moments: 1, Arrivals: trace.PoissonOnly},
		" --moments 2 --by class":         {Moments: 2, Classes: trace.ByClass},
		" --arrivals mmpp":                {Arrivals: trace.BurstsMMPP},
		" --moments 3 --by powers":        {Moments: 3, Classes: trace.PowersOfTwo},
		" --arrivals profile --period 8 --parts 2": {Arrivals: trace.Hours, Period: 8, Parts: 2},
	} {
		args := strings.Fields("fit jobs.csv --servers 8" + line)
		how.Servers = 8
		want := mjq.Must(log.Fit(context.Background(), how)).Model
		if got := decoded[mjq.Model](t, args...); !reflect.DeepEqual(got.Spec(), want.Spec()) {
			t.Errorf("%v: %v, want %v", args, got.Spec(), want.Spec())
		}
	}
	out, err := shell(t, "mjq fit jobs.csv --servers 8 --moments 1 --arrivals poisson --json | mjq stability - --json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var st result.Stability
	if err := json.Unmarshal(out, &st); err != nil {
		t.Fatal(err)
	}
	want := mjq.Must(mjq.Must(log.Fit(context.Background(), trace.Fit{Servers: 8, Moments: 1})).Model.Stability(context.Background()))
	if st.Rate != want.Rate {
		t.Errorf("the limit is %v, want %v", st.Rate, want.Rate)
	}
}

// TestCompare: its results are those of separate simulations with the same jobs.
func TestCompare(t *testing.T) {
	inFolder(t)
	got := decoded[result.Comparison](t, "compare", "queue.json", "--policy", "FCFS; EASY", "--jobs", "3000", "--replications", "8", "--seed", "9")
	want := mjq.Must(mjq.Compare(context.Background(), queue(), []mjq.Policy{mjq.FCFS(), mjq.EASY()}, mjq.Simulation{Jobs: 3000, Replications: 8}, mjq.Seed(9)))
	for i := range want.Results {
		if got, want := numbersOf(t, got.Results[i]), numbersOf(t, want.Results[i]); got != want {
			t.Errorf("%s\nwhere the package has\n%s", got, want)
		}
	}
}

// TestCSVOfRareWaits: a line for each class and time, with the numbers of the JSON.
func TestCSVOfRareWaits(t *testing.T) {
	inFolder(t)
	line := strings.Fields("solve queue.json --method rare-event --wait 20 --jobs 2000 --replications 8")
	r := decoded[result.Result](t, line...)
	rows, err := csv.NewReader(strings.NewReader(answered(t, append(line, "--csv")...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	times := r.Classes[1].Waiting.TailProbability
	if len(rows) != 1+3*len(times) {
		t.Fatalf("%d lines for %d times of 3 rows", len(rows), len(times))
	}
	for i, b := range times {
		want := []string{"1", r.Solver, "big", "10", digits(r.Rate), digits(b.Time), digits(b.Prob.Value), digits(b.Prob.HalfWidth)}
		if got := rows[1+len(times)+i]; !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// TestCSV: the numbers of the CSV are those of the JSON, whatever the method.
func TestCSV(t *testing.T) {
	inFolder(t)
	for _, line := range []string{"solve queue.json --method exact --rate 0.5,1,3", "solve queue.json --method simulation --jobs 1000 --replications 4 --rates rates.txt", "solve experiment.toml --method unbiased --samples 50"} {
		args := strings.Fields(line)
		rs := decoded[[]*result.Result](t, args...)
		rows, err := csv.NewReader(strings.NewReader(answered(t, append(args, "--csv")...))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 + 3*len(rs); len(rows) != want {
			t.Fatalf("%s: %d lines, want %d", line, len(rows), want)
		}
		column := map[string]int{}
		for i, name := range rows[0] {
			column[name] = i
		}
		for i, row := range rows[1:] {
			r := rs[i/3]
			c := &r.All
			if i%3 < 2 {
				c = &r.Classes[i%3]
			}
			for name, want := range map[string]float64{"rate": r.Rate, "waiting.mean": c.Waiting.Mean.Value, "waiting.mean.halfWidth": c.Waiting.Mean.HalfWidth,
				"waiting.noWait": c.Waiting.NoWait.Value, "waiting.p99": c.Waiting.Quantile(0.99).Value, "response.mean": c.Response.Mean.Value, "meanJobs": r.MeanJobs.Value} {
				if _, has := column[name]; !has {
					t.Fatalf("%s: no column %s", line, name)
				}
				if cell := row[column[name]]; math.IsNaN(want) && cell == "" {
					continue // unknown
				}
				got, err := strconv.ParseFloat(row[column[name]], 64)
				if err != nil || got != want {
					t.Errorf("%s: line %d: %s is %v (%v), want %v", line, i+2, name, got, err, want)
				}
			}
		}
	}
}

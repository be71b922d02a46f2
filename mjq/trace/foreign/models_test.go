package foreign

import (
	"bytes"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

func TestTuples(t *testing.T) {
	for f, c := range map[Family]struct {
		text      string
		mean, scv float64
	}{
		Exponential:   {"(4, 0.5, 2.5)", 2.5, 1},
		Erlang:        {"(4, 0.5, 2.5, 4)", 2.5, 0.25},                      // the mean of the whole, not of a phase
		HyperExp:      {"(4, 0.5, 25.0, 0.2525, 0.01)", 0.499975, 49.51000}, // 2(0.01·625 + 0.99·0.2525²)/0.499975² - 1
		BoundedPareto: {"(4, 0.5, 1, 2, 2)", 4. / 3, 9. / 16 * (8./3*math.Ln2 - 16./9)},
		Deterministic: {"(4, 0.5, 7)", 7, 0},
		Uniform:       {"(4, 0.5, 7)", 7, 1. / 12},
		// E[X²] = 2 L²H²/(H²-L²) log(H/L), with L+H = 2LH: L²H²/(H²-L²) is LH/2/(H-L).
		BoundedParetoMean: {"(4, 0.5, 7)", 7, tpdsLow*tpdsHigh/(tpdsHigh-tpdsLow)*math.Log(239999) - 1},
	} {
		classes, err := ReadTuples("a.txt", strings.NewReader("\n"+c.text+"\r\n(4,0.5"+c.text[7:]+"\n"), f)
		if err != nil || len(classes) != 2 {
			t.Fatalf("%v: %v, %v", f, classes, err)
		}
		got := classes[1]
		if got.Name != "T4b" || got.Need != 4 || got.Prob != 0.5 || math.Abs(got.Service.Mean()-c.mean) > 1e-12 || math.Abs(law.SCV(got.Service)-c.scv) > 1e-3 {
			t.Errorf("%v: %+v with mean %v and SCV %v, want %v and %v", f, got, got.Service.Mean(), law.SCV(got.Service), c.mean, c.scv)
		}
	}
}

func TestTupleFaults(t *testing.T) {
	text := "(1, 0.5, 0)\n1, 0.5, 1\n(1, 0.5)\n(1, half, 1)\n(0, 0.5, 1)\n(1, 1.5, 1)\n(1, 0.5, 1)\n"
	classes, err := ReadTuples("a.txt", strings.NewReader(text), Exponential)
	if len(classes) != 1 || err == nil {
		t.Fatalf("%v, %v", classes, err)
	}
	for i, part := range []string{"a.txt:1: ExpMean(0): the mean is 0", "a.txt:2: ", "a.txt:3: 2 numbers", `a.txt:4: number 2 is "half"`,
		"a.txt:5: the need is 0", "a.txt:6: the probability is 1.5"} {
		if lines := strings.Split(err.Error(), "\n"); i >= len(lines) || !strings.HasPrefix(lines[i], part) {
			t.Errorf("no line %q in\n%v", part, err)
		}
	}
	for _, f := range []Family{-1, 7} {
		if _, err := ReadTuples("", strings.NewReader("(1, 1, 1)"), f); err == nil {
			t.Errorf("%v is taken for a family", f)
		}
	}
}

const tomlText = `identifier = "five"
events = 1000
repetitions = 40
cores = 20
policy = "smash"
smash.window = 1
arrival.distribution = "exponential"
service.distribution = "bounded pareto"
service.alpha = 1.4

[[class]]
cores = 1
arrival.prob = 3
service = { L = 0.1492, H = 400 }
[[class]]
name = "wide"
cores = 15
arrival.prob = 1
service.distribution = "lognormal"
service.mean = 2

[[pivot]]
arrival.rate = [0.5, 1]
policy = ["fifo", "first fit", { name = "smash", window = 1 }, { name = "smash", window = 4 }]
[[pivot]]
arrival.mean = 4
policy.name = "smash"
policy.window = [1, 2]
cores = 30
`

func TestTOML(t *testing.T) {
	x, err := ReadTOML("a.toml", strings.NewReader(tomlText))
	if err != nil {
		t.Fatal(err)
	}
	if x.Identifier != "five" || x.Events != 1000 || x.Repetitions != 40 || len(x.Runs) != 10 {
		t.Fatalf("%+v", x)
	}
	type run struct {
		servers int
		policy  string
		fcfs    bool
		mean    float64
	}
	want := []run{{20, "fifo", true, 2}, {20, "fifo", true, 1}, {20, "first fit", false, 2}, {20, "first fit", false, 1},
		{20, "smash, window 1", true, 2}, {20, "smash, window 1", true, 1}, {20, "smash, window 4", false, 2}, {20, "smash, window 4", false, 1},
		{30, "smash, window 1", true, 4}, {30, "smash, window 2", false, 4}}
	for i, s := range x.Runs {
		if got := (run{s.Servers, s.Policy, s.FCFS, s.Gap.Mean()}); got != want[i] {
			t.Errorf("run %d: %+v, want %+v", i, got, want[i])
		}
		if len(s.Classes) != 2 || !reflect.DeepEqual(s.Classes[0], spec.Class{Name: "T1", Need: 1, Prob: 0.75, Service: law.BoundedPareto{Lo: 0.1492, Hi: 400, Shape: 1.4}}) ||
			!reflect.DeepEqual(s.Classes[1], (spec.Class{Name: "wide", Need: 15, Prob: 0.25, Service: law.LogNormalMeanSCV(2, 0.25)})) {
			t.Errorf("run %d: classes %+v", i, s.Classes)
		}
	}
}

// The conventions of the simulator, each beside what it makes.
func TestTOMLConventions(t *testing.T) {
	head := "cores = 8\npolicy = \"fifo\"\narrival.distribution = \"exponential\"\nservice.distribution = \"exponential\"\nservice.mean = 1\n"
	for text, want := range map[string]struct {
		gap, first law.Law
		probs      []float64
		notes      int
	}{
		"[class.2]\ncores=2\narrival.rate=1\n[class.1]\ncores=1\narrival.mean=0.25\nservice.mean=3": {law.ExpMean(0.2), law.ExpMean(3), []float64{0.8, 0.2}, 0},
		"[[class]]\ncores=1\narrival.prob=1":                                              {nil, law.ExpMean(1), []float64{1}, 0},
		"[[class]]\ncores=1\narrival={prob=1}\nservice={distribution=\"uniform\",mean=4}": {nil, law.Uniform{Lo: 2, Hi: 6}, []float64{1}, 1},
		"[[class]]\ncores=1\narrival={prob=1}\nservice={distribution=\"bounded pareto\",mean=2,alpha=2}": {
			nil, law.BoundedPareto{Lo: 12000. / 23999 * 2, Hi: 24000, Shape: 2}, []float64{1}, 0},
		"[[class]]\ncores=1\narrival={prob=1}\nservice={distribution=\"bounded pareto\",mean=2,alpha=3}": {
			nil, law.BoundedPareto{Lo: 12000. / 23999 * 2, Hi: 24000, Shape: 3}, []float64{1}, 1},
		"[[class]]\ncores=1\narrival={prob=1}\nservice={distribution=\"deterministic\",value=4}": {nil, law.Deterministic{X: 4}, []float64{1}, 0},
	} {
		x, err := ReadTOML("a", strings.NewReader(head+text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		s := x.Runs[0]
		var probs []float64
		for _, c := range s.Classes {
			probs = append(probs, c.Prob)
		}
		if s.Gap != want.gap || s.Classes[0].Service != want.first || !reflect.DeepEqual(probs, want.probs) || len(x.Notes) != want.notes {
			t.Errorf("%s:\n%+v notes %q\nwant %+v", text, s, x.Notes, want)
		}
	}
}

// The simulator has three names for each bound of a bounded Pareto law, and
// columns of its output, which change nothing here.
func TestTOMLAliases(t *testing.T) {
	for _, keys := range []string{"L=1\nservice.H=4", "l=1\nservice.h=4", "min=1\nservice.max=4"} {
		text := "cores=8\npolicy=\"fifo\"\noutput.columns=[\"*\"]\narrival={distribution=\"exponential\",rate=1}\n[[class]]\ncores=2\nservice.distribution=\"bounded pareto\"\nservice.alpha=3\nservice." + keys
		x, err := ReadTOML("a", strings.NewReader(text))
		if err != nil || x.Runs[0].Classes[0].Service != law.Law(law.BoundedPareto{Lo: 1, Hi: 4, Shape: 3}) {
			t.Errorf("%s: %+v, %v", keys, x, err)
		}
	}
}

func TestTOMLSharedArrivals(t *testing.T) {
	text := "cores=8\narrival={mode=\"shared\",distribution=\"deterministic\",value=1.5}\nservice={distribution=\"exponential\",rate=2}\n[[class]]\ncores=2\narrival.prob=0.3\n[[class]]\ncores=1\narrival.prob=0.7\n"
	x, err := ReadTOML("a", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if s := x.Runs[0]; s.Gap != law.Law(law.Deterministic{X: 1.5}) || s.Classes[1].Prob != 0.7 || s.Classes[0].Service != law.Law(law.ExpMean(0.5)) || !s.FCFS || len(x.Notes) != 1 {
		t.Errorf("%+v %q", s, x.Notes)
	}
}

func TestTOMLFaults(t *testing.T) {
	head := "cores=8\npolicy=\"fifo\"\narrival.distribution=\"exponential\"\narrival.mean=1\nservice.distribution=\"exponential\"\nservice.mean=1\n"
	one := "[[class]]\ncores=1\narrival.prob=1\n"
	for text, part := range map[string]string{
		"cores = \n":                                    "a.toml:1: ",
		"cores = -1\n" + one:                            "cores is -1; give a whole number",
		"cores = 99999999999\n" + one:                   "cores is 99999999999; give a whole number",
		"policy = {a = [1]}\n" + one:                    "policy has a table or a list in it",
		"[class.a]\ncores=1":                            "class.a: an old class table is called by a number",
		"[[pivot]]\nservers=[1]\n" + one:                `pivot: unknown key "servers"`,
		"[[pivot]]\narrival.a.b=1\n" + one:              `unknown key "pivot.arrival.a"`,
		"[[pivot]]\narrival.rate=[[1]]\n" + one:         "pivot.arrival.rate has lists in its list",
		"[[pivot]]\ncores=[1.5]\n" + one:                "pivot: cores: cannot decode TOML float",
		head:                                            "no class",
		head + "servers=3\n" + one:                      `unknown key "servers"`,
		head + one + "service.meen=1":                   `a.toml:10: unknown key "class.service.meen"`,
		head + "[[class]]\ncores=1.5\narrival.prob=1":   "a.toml:8: class.cores: cannot decode TOML float",
		head + one + "service.rate=1":                   "class 1: service has both a mean and a rate",
		head + one + "service.distribution=\"frechet\"": `class 1: service.distribution is "frechet"`,
		head + one + "service.distribution=\"bounded pareto\"\nservice.alpha=2\nservice.L=1": "takes alpha with L and H",
		head + one + "service.distribution=\"uniform\"\nservice.min=1":                       "takes min and max",
		head + one + "[[class]]\ncores=2":                                                    "1 of 2 classes have arrival.prob",
		head + "[[class]]\ncores=1\narrival.distribution=\"uniform\"":                        "must be exponential",
		head + "arrival.mode=\"independent\"\n" + one:                                        "leave prob",
		head + "arrival.mode=\"shared\"\n[[class]]\ncores=1":                                 "every class needs arrival.prob",
		head + one + "service.mean=-1":                                                       "class 1: service: ExpMean(-1)",
		head + one + "[[pivot]]\narrival.rate=[]":                                            "pivots make no run",
		strings.Replace(head, "arrival.mean=1", "arrival.rate=[0.1,0.2]", 1) + one:           "a.toml:4: arrival.rate: cannot decode TOML array; one value of the right kind belongs there, and a list of values to run through below [[pivot]]",
		strings.Replace(head, "\"fifo\"", "[\"fifo\",\"smash\"]", 1) + one:                   "policy is neither a name such as",
		head + one + "service.distribution=[\"exponential\"]":                                "a.toml:10: class.service.distribution: ",
	} {
		x, err := ReadTOML("a.toml", strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %+v, error %v does not say %q", text, x, err, part)
		}
	}
}

func TestTOMLRoundTrip(t *testing.T) {
	s := &spec.Spec{Servers: 20, Classes: []spec.Class{
		{Name: `a "b" \ c`, Need: 1, Prob: 0.1, Service: law.ExpMean(1. / 3)}, {Name: "det", Need: 2, Prob: 0.2, Service: law.Deterministic{X: 1e6}}, {Name: "uni", Need: 3, Prob: 0.3, Service: law.Uniform{Lo: 0, Hi: 1e-5}},
		{Name: "par", Need: 20, Prob: 0.15, Service: law.BoundedPareto{Lo: 0.1, Hi: 400, Shape: 1.4}}, {Name: "log", Need: 5, Prob: 0.25, Service: law.LogNormalMeanSCV(7, 0.25)}}}
	for _, gap := range []law.Law{nil, law.ExpMean(1. / 7), law.Deterministic{X: 0.3}, law.Uniform{Lo: 0.1, Hi: 0.2}} {
		s.Arrivals = nil
		if gap != nil {
			s.Arrivals = arrival.Renewal{Gap: gap}
		}
		var out bytes.Buffer
		if err := WriteTOML(&out, "x", 5, 6, s); err != nil {
			t.Fatal(err)
		}
		x, err := ReadTOML("", bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		if x.Identifier != "x" || x.Events != 5 || x.Repetitions != 6 || !reflect.DeepEqual(x.Runs[0], Setting{20, "fifo", true, gap, s.Classes}) {
			t.Errorf("round trip of\n%s\n%+v, want\n%+v", out.String(), x.Runs[0], s)
		}
	}
	s.Classes[0].Service = law.WeibullMeanShape(1, 2)
	if err := WriteTOML(new(bytes.Buffer), "", 0, 0, s); err == nil {
		t.Error("a Weibull law is written")
	}
}

// TestTOMLAtALoad: a model whose rate is not known is not written, nor one of another policy.
func TestTOMLAtALoad(t *testing.T) {
	m := mjq.Servers(2).Class("a", 1, 1, law.ExpMean(1))
	for part, m := range map[string]mjq.Model{"the model is at load 0.7": m.AtLoad(0.7), "only first come first served": m.Poisson(1).Class("b", 2, 1, law.ExpMean(1)).Policy(mjq.FirstFit())} {
		if err := WriteTOML(io.Discard, "x", 0, 0, m.Spec()); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("no word of %q in: %v", part, err)
		}
	}
}

package law_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/law"
)

// delayed is a law from outside the package: Delay and then an exponential time of
// mean Mean1. It says everything of itself that a law can say.
type delayed struct{ Delay, Mean1 float64 }

func (l delayed) rest() law.Exponential { return law.ExpMean(l.Mean1) }

func (l delayed) Validate() error {
	if !(l.Delay >= 0) {
		return fmt.Errorf("%v: the delay is negative", l)
	}
	return l.rest().Validate()
}
func (l delayed) Mean() float64                  { return l.Delay + l.Mean1 }
func (l delayed) Variance() float64              { return l.Mean1 * l.Mean1 }
func (l delayed) Survival(x float64) float64     { return l.rest().Survival(x - l.Delay) }
func (l delayed) Quantile(p float64) float64     { return l.Delay + l.rest().Quantile(p) }
func (l delayed) Laplace(s float64) float64      { return math.Exp(-s*l.Delay) * l.rest().Laplace(s) }
func (l delayed) Sample(rng rand.Source) float64 { return l.Delay + l.rest().Sample(rng) }
func (l delayed) Scaled(c float64) law.Law       { return delayed{c * l.Delay, c * l.Mean1} }
func (l delayed) String() string                 { return fmt.Sprintf("Delayed(%v, %v)", l.Delay, l.Mean1) }

func (l delayed) Excess(x float64) float64 {
	if x < l.Delay {
		return l.Mean() - x
	}
	return l.rest().Excess(x - l.Delay)
}

func (l delayed) Tilt(theta float64) (law.Law, float64, bool) {
	_, moment, ok := l.rest().Tilt(theta)
	return delayed{l.Delay, l.Mean1 / (1 - theta*l.Mean1)}, theta*l.Delay + moment, ok
}

func (l delayed) TailIndex() float64 { return 7 } // as no tail would tell

func (l delayed) Spread() law.Law { return delayed{2 * l.Delay, l.Mean1} } // as no integral would

func (l delayed) Prepare() law.Sampler { return fixed(l.Delay) }

func (l delayed) Rate() float64 { return 1 / l.Mean() }

func (l delayed) PhaseCount() int { return 2 }

func (l delayed) Phases() ([]float64, [][]float64) {
	return []float64{1, 0}, [][]float64{{-1 / l.Delay, 1 / l.Delay}, {0, -1 / l.Mean1}}
}

func (l delayed) Form() law.Form {
	return law.Form{Name: "Delayed", Parameters: []law.Parameter{{"delay", l.Delay}, {"mean", l.Mean1}}}
}

func init() {
	if err := law.Register(delayed{}.Form(), func(f law.Form) law.Law { return delayed{f.Float("delay"), f.Float("mean")} }); err != nil {
		panic(err)
	}
}

// fixed draws one value.
type fixed float64

func (f fixed) Sample(rand.Source) float64 { return float64(f) }

// plain keeps what a law says beyond the methods of Law to itself.
type plain struct{ law.Law }

// around embeds a law, and could be another.
type around struct{ delayed }

// further embeds one that does.
type further struct{ *around }

// TestOutsideLaw: what a law from elsewhere says of itself is taken.
func TestOutsideLaw(t *testing.T) {
	for name, l := range map[string]law.Law{"value": delayed{2, 3}, "pointer": &delayed{2, 3}} {
		if alpha, a, ok := law.Phases(l); !ok || alpha[0] != 1 || a[1][1] != -1./3 {
			t.Errorf("%s: phases %v %v, %v", name, alpha, a, ok)
		}
		if n, ok := law.PhaseCount(l); n != 2 || !ok {
			t.Errorf("%s: %d phases, %v", name, n, ok)
		}
		if rate, ok := law.MemorylessRate(l); rate != 0.2 || !ok {
			t.Errorf("%s: rate %v, %v", name, rate, ok)
		}
		if got := law.Prepare(l).Sample(nil); got != 2 {
			t.Errorf("%s: prepared it draws %v", name, got)
		}
		if got := law.TailIndex(l); got != 7 {
			t.Errorf("%s: tail index %v", name, got)
		}
		if got := law.Spread(l); got != law.Law(delayed{4, 3}) {
			t.Errorf("%s: spread %v", name, got)
		}
		// By the definitions, which know nothing of the formulas.
		for _, x := range []float64{-1, 0, 1, 2, 5, 40} {
			if got, want := law.Excess(l, x), law.Excess(plain{l}, x); !(math.Abs(got-want) <= 1e-3*want) {
				t.Errorf("%s: excess over %v is %v, its tail integrates to %v", name, x, got, want)
			}
		}
		tilted, moment, ok := law.Tilt(l, 0.1)
		if want := math.Log(l.Laplace(-0.1)); !ok || math.Abs(moment-want) > 1e-12 || tilted != law.Law(delayed{2, 3 / 0.7}) {
			t.Errorf("%s: tilted %v of moment %v, %v; want %v", name, tilted, moment, ok, want)
		}
		if _, _, ok := law.Tilt(l, 0.4); ok {
			t.Errorf("%s: tilted beyond its abscissa", name)
		}
	}
}

// TestNothingSaid: for a law that says nothing, or only what one that it embeds says,
// the general way is gone.
func TestNothingSaid(t *testing.T) {
	inner := around{delayed{2, 3}}
	for name, l := range map[string]law.Law{"silent": plain{delayed{2, 3}}, "embedding": inner, "pointer": &inner, "deeper": further{&inner},
		"of this package": struct{ law.Exponential }{law.ExpMean(5)}} {
		if _, _, ok := law.Phases(l); ok {
			t.Errorf("%s: has phases", name)
		}
		if _, ok := law.PhaseCount(l); ok {
			t.Errorf("%s: has a number of phases", name)
		}
		if _, ok := law.MemorylessRate(l); ok {
			t.Errorf("%s: is memoryless", name)
		}
		if _, ok := law.FormOf(l); ok {
			t.Errorf("%s: has a form", name)
		}
		if got := law.Prepare(l); got != law.Sampler(l) {
			t.Errorf("%s: is prepared as %v", name, got)
		}
		if got := law.TailIndex(l); !math.IsInf(got, 1) {
			t.Errorf("%s: tail index %v", name, got)
		}
		if _, _, ok := law.Tilt(l, 1e-3); ok {
			t.Errorf("%s: is tilted", name)
		}
		if got := law.Spread(l).String(); got != "Spread("+l.String()+")" {
			t.Errorf("%s: its spread is %s", name, got)
		}
		want := 0.0 // ∫ P(X > x) dx over x > 5, by the midpoint rule
		for x := 5.005; x < 300; x += 0.01 {
			want += 0.01 * l.Survival(x)
		}
		if got := law.Excess(l, 5); math.Abs(got-want) > 1e-3*want {
			t.Errorf("%s: excess %v, want %v", name, got, want)
		}
	}
}

// TestOutsideForm writes and reads a law from elsewhere, also as the spread of one.
func TestOutsideForm(t *testing.T) {
	l := delayed{0.5, 1. / 3}
	text, err := law.Marshal(l)
	if want := `{"law":"Delayed","delay":0.5,"mean":0.3333333333333333}`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	if back, err := law.Unmarshal(text); err != nil || back != law.Law(l) {
		t.Errorf("it comes back as %v, %v", back, err)
	}
	if back, err := law.Unmarshal([]byte(`{"law":"Spread","of":` + string(text) + `}`)); err != nil || back != law.Law(delayed{1, 1. / 3}) {
		t.Errorf("its spread is read as %v, %v", back, err)
	}
	if _, err := law.Unmarshal([]byte(`{"law":"Delayed","delay":-1,"mean":1}`)); err == nil || !strings.Contains(err.Error(), "delay is negative") {
		t.Errorf("a negative delay: %v", err)
	}
	if _, err := law.Unmarshal([]byte(`{"law":"Normal"}`)); err == nil || !strings.Contains(err.Error(), "Cox2, Delayed, Deterministic") {
		t.Errorf("an unknown law: %v", err)
	}
}

// TestRegisterFaults names them, and registers nothing then.
func TestRegisterFaults(t *testing.T) {
	read := func(law.Form) law.Law { return law.ExpMean(1) }
	for want, err := range map[string]error{
		`"Uniform" is a law already`:         law.Register(law.Form{Name: "Uniform"}, read),
		"has no name":                        law.Register(law.Form{}, read),
		"no function":                        law.Register(law.Form{Name: "Nobody"}, nil),
		`"a" is a string`:                    law.Register(law.Form{Name: "Nobody", Parameters: []law.Parameter{{"a", "text"}}}, read),
		`parameter "a" is taken`:             law.Register(law.Form{Name: "Nobody", Parameters: []law.Parameter{{"a", 1}, {"a", 2}}}, read),
		`the parameter "law" is taken; give`: law.Register(law.Form{Name: "Nobody", Parameters: []law.Parameter{{"law", 1}}}, read),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not mention %q", err, want)
		}
	}
	if _, err := law.Unmarshal([]byte(`{"law":"Nobody"}`)); err == nil || !strings.Contains(err.Error(), "is not a law") {
		t.Errorf("Nobody is registered: %v", err)
	}
}

// TestForms reads every kind of parameter, and what is not there.
func TestForms(t *testing.T) {
	f := law.Form{Name: "All", Parameters: []law.Parameter{{"n", 3}, {"x", 0.5}, {"list", []float64{1, 2}}, {"rows", [][]float64{{1}, {2}}}, {"of", law.ExpMean(2)}}}
	if f.Int("n") != 3 || f.Float("n") != 3 || f.Float("x") != 0.5 || !reflect.DeepEqual(f.Floats("list"), []float64{1, 2}) ||
		!reflect.DeepEqual(f.Matrix("rows"), [][]float64{{1}, {2}}) || f.Law("of") != law.Law(law.ExpMean(2)) {
		t.Errorf("%v is read wrongly", f)
	}
	if f.Int("x") != 0 || !math.IsNaN(f.Float("list")) || f.Floats("n") != nil || f.Matrix("list") != nil || f.Law("none") != nil {
		t.Errorf("%v has what it has not", f)
	}
	text, err := f.MarshalJSON()
	if want := `{"law":"All","n":3,"x":0.5,"list":[1,2],"rows":[[1],[2]],"of":{"law":"ExpMean","mean":2}}`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
	f.Parameters[4].Value = law.ExpMean(-1)
	if text, err := f.MarshalJSON(); err == nil {
		t.Errorf("of a law that is none it is %s", text)
	}
}

package trace

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
)

// logOf is a trace of jobs at the given times.
func logOf(times []float64) *Trace {
	jobs := make([]Job, len(times))
	for i, t := range times {
		jobs[i] = Job{Arrival: t, Need: 1 + i%2, Service: 1 + float64(i%3)}
	}
	return New("made", jobs)
}

// thinned are n times of a Poisson process whose rate, at most most, is a function of
// time.
func thinned(seed uint64, n int, most float64, rate func(t float64) float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	var times []float64
	for t := 0.0; len(times) < n; {
		if t -= math.Log(1-r.Float64()) / most; r.Float64()*most < rate(t) {
			times = append(times, t)
		}
	}
	return times
}

// modulated is a rate that jumps between two at random times.
func modulated(seed uint64, rates, leave [2]float64) func(t float64) float64 {
	r := rand.New(rand.NewPCG(seed, 2))
	phase, until := 0, 0.0
	return func(t float64) float64 {
		for until <= t {
			phase = 1 - phase
			until -= math.Log(1-r.Float64()) / leave[phase]
		}
		return rates[phase]
	}
}

// TestRecoversBursts: a Poisson process modulated by two phases is found, with its rates.
func TestRecoversBursts(t *testing.T) {
	rates, leave := [2]float64{6, 0.5}, [2]float64{0.2, 0.05}
	l := logOf(thinned(3, 20_000, 6, modulated(3, rates, leave)))
	fitted, err := l.Fit(t.Context(), Fit{Servers: 4, Arrivals: Best})
	if err != nil {
		t.Fatal(err)
	}
	f := fitted.Arrivals
	if !strings.HasPrefix(f.Chosen, "M") {
		t.Fatalf("chosen: %s\n%v", f.Chosen, f)
	}
	process := fitted.Model.Spec().Arrivals.(arrival.Markov)
	fast := 0
	if process.Events[0].Rates[1][1] > process.Events[0].Rates[0][0] {
		fast = 1
	}
	for what, c := range map[string][2]float64{
		"fast rate": {process.Events[0].Rates[fast][fast], 6}, "slow rate": {process.Events[0].Rates[1-fast][1-fast], 0.5},
		"leaves fast": {process.D0[fast][1-fast], 0.2}, "leaves slow": {process.D0[1-fast][fast], 0.05},
	} {
		if math.Abs(c[0]/c[1]-1) > 0.15 {
			t.Errorf("%s: %v, want %v", what, c[0], c[1])
		}
	}
	last := len(f.Windows) - 1
	for k, w := range f.Windows[:last] {
		if math.Abs(f.DispersionModel[k]/f.Dispersion[k]-1) > 0.25 {
			t.Errorf("dispersion over %v: log %v, process %v", w, f.Dispersion[k], f.DispersionModel[k])
		}
	}
	for k, c := range f.Correlations {
		if math.Abs(c-f.CorrelationsModel[k]) > 0.05 {
			t.Errorf("lag %d: log %v, process %v", k+1, c, f.CorrelationsModel[k])
		}
	}
	poisson, _ := f.Candidate("Poisson")
	if d := poisson.BIC - f.Candidates[0].BIC; d < 1000 {
		t.Errorf("Poisson arrivals are but %v worse", d)
	}
	one, err := l.Fit(t.Context(), Fit{Servers: 4, Arrivals: BurstsMMPP})
	if err != nil || math.Abs(one.Model.Rate()/l.Rate()-1) > 1e-9 || one.Arrivals.Chosen != string(BurstsMMPP) {
		t.Errorf("the model has another rate: %v, %v", one, err)
	}
}

// TestRecoversHours: a rate that goes with the hour, alone and with bursts on top.
func TestRecoversHours(t *testing.T) {
	day := []float64{0.5, 1, 4, 2}
	hour := func(t float64) float64 { return day[int(math.Mod(t, 24)/6)] }
	l := logOf(thinned(5, 8_000, 4, hour))
	how := Fit{Servers: 4, Arrivals: Best, Period: 24, Parts: 4}
	fitted, err := l.Fit(t.Context(), how)
	if err != nil {
		t.Fatal(err)
	}
	f := fitted.Arrivals
	if f.Chosen != string(Hours) {
		t.Errorf("chosen: %s\n%v", f.Chosen, f.Table())
	}
	for k, want := range day {
		if math.Abs(f.Rates[k]/want-1) > 0.1 || f.RatesModel[k] != f.Rates[k] {
			t.Errorf("part %d: rate %v, %v, want %v", k, f.Rates[k], f.RatesModel[k], want)
		}
	}
	bursts := modulated(5, [2]float64{3, 0.5}, [2]float64{0.5, 0.5})
	l = logOf(thinned(7, 10_000, 12, func(t float64) float64 { return hour(t) * bursts(t) }))
	if fitted, err = l.Fit(t.Context(), how); err != nil {
		t.Fatal(err)
	}
	if f := fitted.Arrivals; f.Chosen != string(HoursOfBursts) {
		t.Errorf("chosen: %s\n%v", f.Chosen, f.Table())
	}
	if p, is := fitted.Model.Spec().Arrivals.(arrival.Profile); !is || p.Of == nil {
		t.Errorf("the model has arrivals %v", fitted.Model.Spec().Arrivals)
	}
}

// TestPoissonIsEnough: of Poisson arrivals nothing else is chosen, rounded times or not.
func TestPoissonIsEnough(t *testing.T) {
	times := thinned(9, 5000, 1, func(float64) float64 { return 1 })
	for _, round := range []bool{false, true} {
		for i := range times {
			if round {
				times[i] = math.Round(times[i]*20) / 20
			}
		}
		fitted, err := logOf(times).Fit(t.Context(), Fit{Servers: 4, Arrivals: Best, Period: 24, Parts: 6})
		if err != nil {
			t.Fatal(err)
		}
		if f := fitted.Arrivals; f.Chosen != "Poisson" {
			t.Errorf("rounded %v: chosen %s\n%v", round, f.Chosen, f.Table())
		}
	}
}

// TestLikelihood is that of a process whose likelihood is known: independent gaps of two
// exponential laws, and a Poisson process in disguise.
func TestLikelihood(t *testing.T) {
	gaps := []float64{0.3, 2, 0.01, 5, 0.7}
	want := 0.0
	for _, x := range gaps {
		want += math.Log(0.3*2*math.Exp(-2*x) + 0.7*0.5*math.Exp(-0.5*x))
	}
	h := twoPhases{[2][2]float64{{-2, 0}, {0, -0.5}}, [2][2]float64{{0.6, 1.4}, {0.15, 0.35}}}
	if got := h.logLikelihood(gaps); math.Abs(got-want) > 1e-12 {
		t.Errorf("hyperexponential gaps: %v, want %v", got, want)
	}
	p := mmpp([2]float64{2, 2}, [2]float64{0.1, 3})
	want = float64(len(gaps))*math.Log(2) - 2*8.01
	if got := p.logLikelihood(gaps); math.Abs(got-want) > 1e-12 {
		t.Errorf("Poisson in disguise: %v, want %v", got, want)
	}
}

// TestArrivalFaults says what cannot be fitted.
func TestArrivalFaults(t *testing.T) {
	l := logOf([]float64{0, 1, 2, 5, 9})
	for want, how := range map[string]Fit{
		`Arrivals "storms": choose one of`: {Arrivals: "storms"}, "that fits into the span": {Arrivals: Hours, Period: 8, Parts: 2},
		"a profile has a period": {Arrivals: Hours}, "have no period": {Period: 4, Parts: 2},
		"Moments 4": {Moments: 4}, `Classes "size"`: {Classes: "size"},
	} {
		how.Servers = 4
		if _, err := l.Fit(t.Context(), how); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	if _, err := l.Fit(t.Context(), Fit{}, mjq.RelErr(0.1), mjq.Forward{}); err == nil ||
		!strings.Contains(err.Error(), "RelErr(0.1): Fit does not take it") || !strings.Contains(err.Error(), "Forward: it does not answer Fit") ||
		!strings.Contains(err.Error(), "the log does not say how many") {
		t.Errorf("options: %v", err)
	}
}

// TestFitIsInterrupted: a fit stops soon when its context ends, and says of its progress.
func TestFitIsInterrupted(t *testing.T) {
	l := logOf(thinned(11, 200_000, 1, func(float64) float64 { return 1 }))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stopped time.Time
	_, err := l.Fit(ctx, Fit{Servers: 4, Arrivals: Best}, mjq.Progress(func(s mjq.Step) {
		if s.What != "Fit" || s.Done > s.Total {
			t.Errorf("%+v", s)
		}
		if stopped.IsZero() {
			stopped = time.Now()
			cancel()
		}
	}))
	if took := time.Since(stopped); !errors.Is(err, context.Canceled) || took > time.Second {
		t.Errorf("%v after %v", err, took)
	}
}

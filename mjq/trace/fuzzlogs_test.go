package trace_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

// FuzzTraces: whatever the jobs and the settings, a replay and a fit are answered or refused,
// and never by a number that is none.
func FuzzTraces(f *testing.F) {
	f.Add(4, 0., 1, 1., 1., 2, 3., 2)
	f.Add(1, math.NaN(), 0, -1., math.Inf(1), -4, 1e308, 1)
	f.Add(1<<31, 1e100, 1<<30, 1e100, 0., 1, 5e-324, 0)
	f.Add(math.MinInt, 1., 1, 1., 2., 2, 3., math.MaxInt)
	f.Fuzz(func(t *testing.T, servers int, arrival1 float64, need1 int, service1, arrival2 float64, need2 int, service2 float64, how int) {
		tr := trace.New("fuzzed", []trace.Job{{Arrival: arrival1, Need: need1, Service: service1}, {Arrival: arrival2, Need: need2, Service: service2}, {Need: 1, Service: 1}})
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		fit, run := trace.Fit{Servers: servers}, trace.Replay{Servers: servers, WarmUp: how, Within: service1}
		switch how % 4 {
		case 1:
			fit.Classes, run.Classes, fit.Moments = trace.PowersOfTwo, trace.PowersOfTwo, 2
		case 2:
			fit.Classes, run.Classes, fit.Moments = trace.ByClass, trace.ByClass, 3
		case 3:
			fit.Classes, fit.Moments, fit.Arrivals = trace.ByUser, 1, trace.PoissonOnly
		}
		fitted, err := tr.Fit(ctx, fit)
		refused(t, err)
		if err == nil {
			m := fitted.Model
			if !(m.IdealRate() >= 0) || !(m.Rate() > 0) || fitted.String() == "" || fitted.HTML() == "" {
				t.Errorf("ideal rate %v, rate %v", m.IdealRate(), m.Rate())
			}
			for _, c := range m.Spec().Classes {
				if c.Need < 1 || c.Need > servers || !(c.Service.Mean() > 0) {
					t.Errorf("impossible class %+v", c)
				}
			}
		}
		r, err := tr.Replay(ctx, run, mjq.Level(0.9))
		refused(t, err)
		if err == nil && how < 2 && !(r.All.Waiting.Mean.Value >= 0 && r.WastedHOL.Value >= 0 && r.Utilization.Value >= 0) {
			t.Errorf("wait %v, waste %v, utilisation %v", r.All.Waiting.Mean, r.WastedHOL, r.Utilization)
		}
	})
}

// refused fails on an error that is a panic.
func refused(t *testing.T, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), "panic") {
		t.Error(err)
	}
}

// TestExtremeSettings: what no user means, and some give, ends in a fault.
func TestExtremeSettings(t *testing.T) {
	log := trace.New("one", []trace.Job{{Need: 1, Service: 1}})
	for _, n := range []int{math.MaxInt, math.MinInt, 0, math.MaxInt32 + 1} {
		if _, err := log.Replay(background, trace.Replay{Servers: n}); err == nil || !strings.Contains(err.Error(), "Servers(") {
			t.Errorf("%d servers: %v", n, err)
		}
		if r, err := log.Replay(background, trace.Replay{Servers: 1, WarmUp: n}); n < 0 && err == nil || n == math.MaxInt && r.All.Waiting.Mean.Known() {
			t.Errorf("a warm-up of %d: %v, %v", n, r, err)
		}
	}
	for _, x := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := log.Replay(background, trace.Replay{Servers: 1}, mjq.Level(x)); err == nil || !strings.Contains(err.Error(), "Level(") {
			t.Errorf("level %v: %v", x, err)
		}
		if _, err := log.Replay(background, trace.Replay{Servers: 1, SlowdownThreshold: x, Within: x}); err == nil || strings.Count(err.Error(), "give a finite time") != 2 {
			t.Errorf("times of %v: %v", x, err)
		}
	}
}

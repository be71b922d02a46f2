package sampling

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// redone is the steps of doubling the window to the given one: the chain of half of
// it runs alongside until, at the end of a block, both agree.
func redone(s *System, rep uint64, window int64) (steps int64) {
	long, short := newPath(s, rep), newPath(s, rep)
	for at := -window; at < 0; {
		end := min(0, at&^(block-1)+block)
		if at < -window/2 {
			end = min(end, -window/2)
		} else if math.Abs(long.total()-short.total()) <= 1e-9*(1+long.total()) {
			return steps
		} else {
			short.run(at, end, nil)
			steps += end - at
		}
		long.run(at, end, nil)
		steps += end - at
		at = end
	}
	return steps
}

// doubled is the algorithm as the paper has it, on whole paths from the start:
// by sample the state kept, and what is said of the batches.
func doubled(b *Backward) (states []shown, narrow, wide, steps int64, capped int) {
	narrow = math.MaxInt64
	for first := 0; first < b.Samples; first += b.Batch {
		n := min(b.Batch, b.Samples-first)
		now := make([]shown, n)
		window, changed := b.Window, n
		for i := range now {
			now[i] = at0(&b.System, uint64(first+i), window).state(&b.System, 0)
			steps += window
		}
		for changed > 0 && window < b.MaxWindow {
			window *= 2
			changed = 0
			for i := range now {
				next := at0(&b.System, uint64(first+i), window).state(&b.System, 0)
				steps += redone(&b.System, uint64(first+i), window)
				if !(math.Abs(next.work-now[i].work) <= 1e-9*(1+next.work)) {
					changed++
					now[i] = next
				}
			}
		}
		capped += changed
		narrow, wide = min(narrow, window), max(wide, window)
		states = append(states, now...)
	}
	return states, narrow, wide, steps, capped
}

// TestBackwardIsTheAlgorithm holds samples, windows and what is collected of them
// against whole paths of the dense recurrence.
func TestBackwardIsTheAlgorithm(t *testing.T) {
	for name, s := range variants(3) {
		for _, c := range []struct {
			samples, batch int
			window, most   int64
		}{{25, 1, 16, 1 << 14}, {11, 4, 8, 1 << 14}, {12, 3, 16, 32}, {3, 2, 64, 64}, {3, 1, 700, 1 << 14}, {2, 1, 1024, 1 << 14}} {
			b := &Backward{System: *s, Samples: c.samples, Batch: c.batch, Window: c.window, MaxWindow: c.most, Level: 0.95}
			if !s.Alike() {
				b.Samples = min(b.Samples, 12)
			}
			states, narrow, wide, steps, capped := doubled(b)
			m := newMeans(s)
			for _, x := range states {
				m.add(s, x, 1)
			}
			last := 0.0
			res := b.Run(context.Background(), func(done, total float64) {
				if done <= last || total != float64(b.Samples) {
					t.Errorf("%s: %v of %v done after %v", name, done, total, last)
				}
				last = done
			})
			name := fmt.Sprintf("%s %+v", name, c)
			m.checkBackward(t, name, res, b.Samples)
			if res.MinWindow != narrow || res.MaxWindow != wide || res.Unsettled != capped || last != float64(b.Samples) {
				t.Errorf("%s: windows from %d to %d, %d capped; by whole paths %d, %d, %d", name, res.MinWindow, res.MaxWindow, res.Unsettled, narrow, wide, capped)
			}
			if res.Steps != steps {
				t.Errorf("%s: %d steps, by whole paths %d", name, res.Steps, steps)
			}
			if got, want := res.MeanWait(0.9), res.All.Waiting.Mean(0.9, ""); got != want {
				t.Errorf("%s: the mean wait is %v, want %v", name, got, want)
			}
		}
	}
}

// TestBackwardSteps counts them by hand. Services of length 0 couple at once: the
// first window in full, then of the doubled one the half before the shorter
// chain begins.
func TestBackwardSteps(t *testing.T) {
	s := small(1)
	s.Input = stream.New(1, law.ExpMean(1), []stream.Class{{Need: 1, Prob: 1, Service: law.Deterministic{X: 0}}})
	s.Needs, s.Probs = []int{1}, []float64{1}
	res := (&Backward{System: *s, Samples: 7, Batch: 1, Window: 1024, MaxWindow: 1 << 20}).Run(context.Background(), nil)
	if res.Steps != 7*(1024+1024) || res.MinWindow != 2048 || res.MaxWindow != 2048 {
		t.Errorf("%d steps in windows from %d to %d, want %d and 2048", res.Steps, res.MinWindow, res.MaxWindow, 7*2048)
	}
}

// TestSamplersStop: each keeps what it has, in order, when its context ends or
// there is enough, and the number of goroutines shows in no digit.
func TestSamplersStop(t *testing.T) {
	type outcome struct {
		done   int
		result any
		mean   result.Estimate
	}
	bound := Majorant{Theta: 0.2, Block: 64}
	samplers := map[string]func(ctx context.Context, workers, n int, enough func(int, func() result.Estimate) bool, report Report) outcome{
		"backward": func(ctx context.Context, workers, n int, enough func(int, func() result.Estimate) bool, report Report) outcome {
			r := (&Backward{System: *small(workers), Samples: n, Batch: 1, Window: 16, MaxWindow: 1 << 12, Enough: enough, Level: 0.95}).Run(ctx, report)
			return outcome{r.Done, r, r.MeanWait(0.95)}
		},
		"certified": func(ctx context.Context, workers, n int, enough func(int, func() result.Estimate) bool, report Report) outcome {
			r := (&Certified{System: *small(workers), Majorant: bound, Samples: n, Window: 256, Follow: 64, Eps: 1e-3, Enough: enough, Level: 0.95}).Run(ctx, report)
			return outcome{r.Done, r, r.MeanWait(0.95)}
		},
		"dominated": func(ctx context.Context, workers, n int, enough func(int, func() result.Estimate) bool, report Report) outcome {
			d := threeClasses(0.8, workers)
			d.Samples, d.Enough, d.Level = n*together, nil, 0.95
			if enough != nil {
				d.Enough = func(done int, mean func() result.Estimate) bool { return enough(done/together, mean) }
			}
			r := d.Run(ctx, report)
			return outcome{r.Done / together, r, r.All.Waiting.Mean(0.95, "")}
		},
		"unbiased": func(ctx context.Context, workers, n int, enough func(int, func() result.Estimate) bool, report Report) outcome {
			r := (&Unbiased{System: *small(workers), Samples: n, Window: 64, Follow: 64, Enough: enough, Level: 0.95}).Run(ctx, report)
			return outcome{r.Done, r, r.MeanWait(0.95)}
		},
		"forward": func(ctx context.Context, workers, n int, enough func(int, func() result.Estimate) bool, report Report) outcome {
			r := (&Forward{System: *small(workers), Replications: n, WarmUp: 100, Jobs: 600, Enough: enough, Level: 0.95}).Run(ctx, report)
			return outcome{r.Done, r, r.All.MeanW}
		},
		"controlled": func(ctx context.Context, workers, n int, enough func(int, func() result.Estimate) bool, report Report) outcome {
			r := (&Forward{System: *small(workers), Replications: n, WarmUp: 100, Jobs: 600, Controlled: true, Enough: enough, Level: 0.95}).Run(ctx, report)
			return outcome{r.Done, r, r.Fit.Mean(9, 0.95, "")}
		},
	}
	for name, run := range samplers {
		background := context.Background()
		whole := run(background, 1, 12, nil, nil)
		if whole.done != 12 {
			t.Errorf("%s: %d done of 12", name, whole.done)
		}
		if several := run(background, 4, 12, nil, nil); !reflect.DeepEqual(several, whole) {
			t.Errorf("%s: four goroutines give another result", name)
		}
		var asked result.Estimate
		enough := func(done int, mean func() result.Estimate) bool {
			asked = mean()
			return done >= 12
		}
		early := run(background, 3, 40, enough, nil)
		if early.done != 12 || asked != whole.mean || !(asked.Value > 0) || math.IsNaN(asked.HalfWidth) {
			t.Errorf("%s: stopped at %d of 12, where the mean was said to be %+v and is %+v", name, early.done, asked, whole.mean)
		}
		if !reflect.DeepEqual(early.result, whole.result) {
			t.Errorf("%s: what is enough differs from what was asked for", name)
		}
		ended, cancel := context.WithCancel(background)
		calls := 0
		part := run(ended, 1, 1<<20, nil, func(done, total float64) {
			if calls++; calls == 5 {
				cancel()
			}
		})
		if part.done != 5 || !reflect.DeepEqual(part, run(background, 1, part.done, nil, nil)) {
			t.Errorf("%s: %d done when the context ended at the fifth, or not the first so many", name, part.done)
		}
		if none := run(ended, 2, 12, nil, nil); none.done != 0 {
			t.Errorf("%s: %d done after the end", name, none.done)
		}
	}
}

// TestClosedForms of single-server queues, where all jobs need all servers, and
// of Erlang's queue, where each needs one: mean and variance of the wait.
func TestClosedForms(t *testing.T) {
	const load = 0.6
	for _, c := range []struct {
		name           string
		servers, need  int
		service        law.Law
		mean, variance float64
	}{
		{"M/M/1", 3, 3, law.ExpMean(1), load / (1 - load), load * (2 - load) / ((1 - load) * (1 - load))},
		// E[W²] = 2 E[W]² + λ E[σ³]/(3(1-ρ)).
		{"M/D/1", 1, 1, law.Deterministic{X: 1}, load / 2 / (1 - load), math.Pow(load/2/(1-load), 2) + load/3/(1-load)},
		{"M/M/3", 3, 1, law.ExpMean(1), erlangC(3, load) / (3 - 3*load), erlangC(3, load) * (2 - erlangC(3, load)) / math.Pow(3-3*load, 2)},
	} {
		s := System{System: compiled.System{Servers: c.servers, Needs: []int{c.need}, Probs: []float64{1}}, Light: true, Workers: 1}
		classes := []stream.Class{{Need: c.need, Prob: 1, Service: c.service}}
		s.Input = stream.New(3, law.ExpMean(float64(c.need)/(load*float64(c.servers))), classes)
		check := func(method string, mean, variance result.Estimate) {
			for _, x := range []struct {
				what string
				e    result.Estimate
				want float64
			}{{"mean", mean, c.mean}, {"variance", variance, c.variance}} {
				if se := x.e.HalfWidth / 1.96; !(math.Abs(x.e.Value-x.want) < 4.5*se) || se > 0.2*x.want {
					t.Errorf("%s, %s: %s %v, exact %v", c.name, method, x.what, x.e, x.want)
				}
			}
		}
		ctx, level := context.Background(), 0.95
		r := (&Backward{System: s, Samples: 3000, Batch: 1, Window: 64, MaxWindow: 1 << 16, Level: level}).Run(ctx, nil)
		check("Backward", r.All.Waiting.Mean(level, ""), r.All.Waiting.Variance(level, ""))
		r = (&Certified{System: s, Majorant: Majorant{Theta: 0.2, Block: 64}, Samples: 1500, Window: 512, Eps: 1e-3, Level: level}).Run(ctx, nil)
		check("Certified", r.All.Waiting.Mean(level, ""), r.All.Waiting.Variance(level, ""))
		u := (&Unbiased{System: s, Samples: 8000, Window: 64, Level: level}).Run(ctx, nil)
		check("Unbiased", u.All.Mean(level, ""), u.All.Variance(level, ""))
		f := (&Forward{System: s, Replications: 40, WarmUp: 500, Jobs: 10_000, Level: level}).Run(ctx, nil)
		check("Forward", f.All.MeanW, f.All.VarianceW)
		if c.need == c.servers { // the dominating queue has the same load
			d := &Dominated{System: s, Load: load, Samples: 8000, Level: level,
				Initial: stream.New(3, law.Uniform{Lo: 0, Hi: 1}, []stream.Class{{Need: c.need, Prob: 1, Service: law.Spread(c.service)}})}
			r = d.Run(ctx, nil)
			check("Dominated", r.All.Waiting.Mean(level, ""), r.All.Waiting.Variance(level, ""))
		}
	}
}

// erlangC is the probability to wait at s servers of the given load each.
func erlangC(s int, load float64) float64 {
	a := load * float64(s)
	sum, term := 0.0, 1.0
	for k := range s {
		sum += term
		term *= a / float64(k+1)
	}
	last := term / (1 - load)
	return last / (sum + last)
}

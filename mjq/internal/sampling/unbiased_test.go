package sampling

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// truncated adds the formula of Rhee and Glynn for one replication to m, from
// whole paths, and returns the longest window.
func truncated(u *Unbiased, rep uint64, every int64, m *means) (window int64) {
	f := func(window int64, weight float64) {
		p := at0(&u.System, rep, window)
		looks := []shown{p.state(&u.System, 0)}
		for at := every; every > 0 && at <= u.Follow; at += every {
			p.run(at-every, at, nil)
			looks = append(looks, p.state(&u.System, at))
		}
		for _, x := range looks {
			m.add(&u.System, x, weight/float64(len(looks)))
		}
	}
	f(u.Window, 1)
	coin := u.Input.Reader(rep).Uniform()
	window = u.Window
	for k := 0.0; coin < math.Pow(2, -1.5*k); k++ {
		f(2*window, math.Pow(2, 1.5*k))
		f(window, -math.Pow(2, 1.5*k))
		window *= 2
	}
	return window
}

// TestUnbiasedIsTheFormula holds samples against whole paths, for every recurrence.
func TestUnbiasedIsTheFormula(t *testing.T) {
	for name, s := range variants(2) {
		for _, x := range []struct{ window, follow, every int64 }{{16, 0, 0}, {2, 0, 0}, {40, 90, 32}, {4, 33, 32}} {
			if s.Picks != nil && x.follow > 0 {
				x.follow = 0 // jobs at looks beyond job 0 choose like job 0
			}
			n := 12
			if x.window < 8 { // few jobs: where many windows are doubled more than once
				n = 60
			}
			u := &Unbiased{System: *s, Samples: n, Window: x.window, Follow: x.follow, Level: 0.95}
			m, wide := newMeans(s), int64(0)
			for rep := range uint64(n) {
				wide = max(wide, truncated(u, rep, x.every, m))
			}
			last := 0.0
			res := u.Run(context.Background(), func(done, total float64) {
				if done != last+1 || total != float64(n) {
					t.Errorf("%s: %v of %v done after %v", name, done, total, last)
				}
				last = done
			})
			var kinds []float64
			for _, k := range res.Kinds {
				kinds = append(kinds, k.X)
			}
			m.check(t, name, float64(n), func(c int) (x, y float64) { return res.Classes[c].X, res.Classes[c].Y }, res.All.X, res.All.Y, res.HOL.X, kinds)
			if res.Done != n || res.MaxWindow != wide || res.Steps < int64(n)*x.window || res.Steps > int64(n)*(4*wide+3*x.follow) {
				t.Errorf("%s: %d samples of windows up to %d in %d steps, by whole paths up to %d", name, res.Done, res.MaxWindow, res.Steps, wide)
			}
			if (res.Fit != nil) != (x.follow > 0) {
				t.Fatalf("%s: followed for %d jobs, the fit is %v", name, x.follow, res.Fit)
			}
			if res.Fit == nil {
				if got := res.MeanWait(0.9); got != res.All.Mean(0.9, "") {
					t.Errorf("%s: mean wait %v without a fit", name, got)
				}
				continue
			}
			if res.Fit.Controls() > 0 { // else the plain mean
				t.Fatalf("%s: controls on so short a path", name)
			}
			want := []float64{m.wait[0], m.square[0], m.wait[1], m.square[1], m.wait[2], m.square[2], m.all, m.allSquare, m.hol}
			for i, sum := range append(want, m.kinds...) {
				if got := res.Fit.Mean(i, 0.95, "").Value; !close9(got, sum/float64(n)) {
					t.Errorf("%s: value %d of the fit is %v, by the equation %v", name, i, got, sum/float64(n))
				}
			}
			if got := res.MeanWait(0.95).Value; !close9(got, m.all/float64(n)) {
				t.Errorf("%s: mean wait %v, by the equation %v", name, got, m.all/float64(n))
			}
		}
	}
}

// TestUnbiasedSteps counts them by hand. Services of length 0 couple as soon as
// both chains run: that is after half of the window.
func TestUnbiasedSteps(t *testing.T) {
	s := small(1)
	s.Input = stream.New(1, law.ExpMean(1), []stream.Class{{Need: 1, Prob: 1, Service: law.Deterministic{X: 0}}})
	s.Needs, s.Probs = []int{1}, []float64{1}
	u := &Unbiased{System: *s, Samples: 40, Window: 512, Follow: 100}
	want, wide := int64(0), int64(0)
	for rep := range uint64(40) {
		want += 512 + 100
		window := int64(512)
		for p := s.Input.Reader(rep).Uniform(); p < 1; p *= math.Pow(2, 1.5) {
			want += window
			window *= 2
		}
		wide = max(wide, window)
	}
	if res := u.Run(context.Background(), nil); res.Steps != want || res.MaxWindow != wide || wide < 2048 {
		t.Errorf("%d steps in windows up to %d, want %d and %d", res.Steps, res.MaxWindow, want, wide)
	}
}

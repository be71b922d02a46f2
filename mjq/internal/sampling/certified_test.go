package sampling

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/stream"
)

// squeezed is the first window, and what a look shows at job 0 and every so many
// jobs after it, by whole paths: one that starts empty a quarter of the window
// before job 0, at the least a block, one that starts occupied, and they meet.
func squeezed(c *Certified, rep uint64, every int64) (window, steps int64, looks []shown) {
	window = c.Window
	for stage := 0; ; stage++ {
		above := math.Log(math.Pow(2, float64(stage+2))/c.Eps) / c.Theta
		lower, met, n := closed(&c.System, rep, window, int64(c.Block), above)
		if steps += n; !met {
			window *= 2
			continue
		}
		looks = append(looks, lower.state(&c.System, 0))
		for at := int64(0); at < c.Follow; at += every {
			lower.run(at, min(at+every, c.Follow), nil)
			if at+every <= c.Follow {
				looks = append(looks, lower.state(&c.System, at+every))
			}
		}
		return window, steps + c.Follow, looks
	}
}

// closed is the lower of the two chains at job 0, whether the upper one has met
// it, and the steps of both and of the pile.
func closed(s *System, rep uint64, window, size int64, above float64) (lower *path, met bool, steps int64) {
	pile, top := newPath(s, rep), 0.0
	for at := -window - size; at < -window; at++ {
		var one [1]stream.Job
		pile.r.Fill(one[:], at)
		one[0].Gap = 0
		pile.arrive(pile.r, at, one[0])
	}
	for _, w := range pile.model.(*plain).W {
		top = max(top, w)
	}
	upper := newPath(s, rep)
	upper.occupy(top + above)
	begin := -window
	for begin < -max(window/4, block) || begin%block != 0 {
		begin++
	}
	lower = newPath(s, rep)
	steps = size
	for at := -window; at < 0; { // block by block, and when they have met the lower one alone
		to := min(0, at&^(block-1)+block)
		if at >= begin {
			lower.run(at, to, nil)
			steps += to - at
		}
		if !met {
			upper.run(at, to, nil)
			steps += to - at
			met = at >= begin && math.Abs(lower.total()-upper.total()) <= 1e-9*(1+lower.total())
		}
		at = to
	}
	return lower, met, steps
}

// TestCertifiedIsTheSqueeze holds samples and windows against whole paths.
func TestCertifiedIsTheSqueeze(t *testing.T) {
	for _, x := range []struct {
		window, follow, every int64
		eps                   float64
		bound                 Majorant
	}{
		{64, 0, 0, 1e-4, Majorant{Theta: 0.3, Block: 48}}, {512, 0, 0, 1e-4, Majorant{Theta: 0.3, Block: 48}},
		{64, 200, 32, 1e-4, Majorant{Theta: 0.3, Block: 48}}, {8192, 500, 128, 1e-4, Majorant{Theta: 0.3, Block: 48}},
		{4096, 70, 64, 1e-4, Majorant{Theta: 0.3, Block: 48}},
		{4, 0, 0, 0.5, Majorant{Theta: 0.01, Block: 16}}, // every stage begins well above the one before
		{32, 0, 0, 0.5, Majorant{Theta: 5, Block: 512}},  // the height of the pile decides
	} {
		s := small(2)
		c := &Certified{System: *s, Majorant: x.bound, Samples: 8, Window: x.window, Follow: x.follow, Eps: x.eps, Level: 0.95}
		m := newMeans(s)
		narrow, wide, steps := int64(math.MaxInt64), int64(0), int64(0)
		for rep := range uint64(8) {
			window, n, looks := squeezed(c, rep, x.every)
			steps += n
			narrow, wide = min(narrow, window), max(wide, window)
			for _, look := range looks {
				m.add(s, look, 1/float64(len(looks)))
			}
		}
		res := c.Run(context.Background(), nil)
		m.checkBackward(t, "certified", res, 8)
		if res.MinWindow != narrow || res.MaxWindow != wide || res.Steps != steps {
			t.Errorf("%+v: windows from %d to %d in %d steps, by whole paths from %d to %d in %d", x, res.MinWindow, res.MaxWindow, res.Steps, narrow, wide, steps)
		}
		if (res.Fit != nil) != (x.follow > 0) {
			t.Fatalf("%+v: a fit where nothing is followed, or none where something is", x)
		}
		if res.Fit == nil {
			continue
		}
		// Few of any class come along so short a path, so that there are no
		// controls and the fit is the plain mean.
		want := append([]float64{}, m.wait[0], m.square[0], m.wait[1], m.square[1], m.wait[2], m.square[2], m.all, m.allSquare, m.hol)
		if n := res.Fit.Controls(); x.follow < 150 && n != 0 {
			t.Fatalf("%d controls on a path of %d jobs", n, x.follow)
		} else if n > 0 {
			continue
		}
		for i, sum := range want {
			if got := res.Fit.Mean(i, 0.95, "").Value; !close9(got, sum/8) {
				t.Errorf("%+v: value %d of the fit is %v, by the equation %v", x, i, got, sum/8)
			}
		}
		if got := res.MeanWait(0.95).Value; !close9(got, m.all/8) {
			t.Errorf("%+v: the mean wait is %v, by the equation %v", x, got, m.all/8)
		}
	}
}

// TestSpacing: a window has at least 64 looks and a path one, a look comes after
// 32 to 1024 jobs.
func TestSpacing(t *testing.T) {
	for _, c := range []struct{ window, follow, want int64 }{
		{1, 1, 32}, {4095, 1 << 20, 32}, {4096, 1 << 20, 64}, {8191, 1 << 20, 64}, {8192, 1 << 20, 128},
		{8192, 100, 64}, {8192, 63, 32}, {8192, 64, 64}, {1 << 16, 1 << 20, 1024}, {1 << 20, 1 << 20, 1024}, {1<<16 - 1, 1 << 20, 512},
	} {
		if got := Spacing(c.window, c.follow); got != c.want {
			t.Errorf("a window of %d, followed for %d: looks every %d jobs, want %d", c.window, c.follow, got, c.want)
		}
	}
}

// TestUpperStart: the failure probabilities of all stages stay below half of Eps.
func TestUpperStart(t *testing.T) {
	c := &Certified{Majorant: Majorant{Theta: 0.25}, Eps: 1e-3}
	sum := 0.0
	for stage := range 40 {
		sum += math.Exp(-c.Theta * c.above(stage))
	}
	if !(math.Abs(sum-c.Eps/2) <= 1e-12) {
		t.Errorf("the stages fail with probability %v, want %v", sum, c.Eps/2)
	}
}

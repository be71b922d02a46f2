package sampling

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

func (d *imitation) Paths(ctx context.Context, p *Paths, show func(path int, l *Look)) ([]int64, error) {
	if err := d.call(ctx, len(p.Reps)); err != nil {
		return nil, err
	}
	steps := make([]int64, len(p.Reps))
	for i, rep := range p.Reps {
		first := newPath(d.s, rep)
		first.run(p.From[i], 0, nil)
		steps[i] = -p.From[i]
		var second *path
		if p.Pairs {
			second = newPath(d.s, rep)
			second.run(p.From[i]/2, 0, nil)
		}
		came := make([]float64, LedgerRow(len(d.s.Needs)).Len())
		for at := int64(0); ; at += p.By {
			if p.Pairs && math.Abs(first.total()-second.total()) <= 1e-9*(1+2*first.total()) {
				break
			}
			l := &Look{Long: d.rows(1), Came: came}
			d.write(l.Long, first.state(d.s, at), 0, 1)
			if p.Pairs {
				l.Short = d.rows(1)
				d.write(l.Short, second.state(d.s, at), 0, 1)
			}
			show(i, l)
			if at+p.By > p.Follow {
				break
			}
			came = d.between(first, second, at, at+p.By)
			steps[i] += p.By
		}
	}
	return steps, nil
}

// between takes one path, or two, through jobs and says what has come.
func (d *imitation) between(first, second *path, from, to int64) []float64 {
	l := LedgerRow(len(d.s.Needs))
	came := make([]float64, l.Len())
	first.run(from, to, func(_ int64, j stream.Job, _ float64, _ []float64) {
		came[l.All(Between)] += j.Gap
		came[l.Class(Jobs, int(j.Class))]++
		came[l.Class(Service, int(j.Class))] += j.Service
	})
	if second != nil {
		second.run(from, to, nil)
	}
	return came
}

// account notes all sums at the ends of parts.
func (d *imitation) account(rec *Recorded, first uint64, n int, warmUp, jobs int64, parts int) {
	classes, kinds := len(d.s.Needs), d.s.OfTypes()
	l := AccountRow(classes, kinds)
	rec.Parts, rec.Turns = make([]float64, parts*l.Len()*n), make([]int, n)
	every := (jobs + int64(parts) - 1) / int64(parts)
	for i := range n {
		p, now, level := newPath(d.s, first+uint64(i)), make([]float64, l.Len()), 0.0
		note := func() {
			for k, x := range now {
				rec.Parts[(rec.Turns[i]*l.Len()+k)*n+i] = x
			}
			rec.Turns[i]++
		}
		p.run(0, warmUp, nil)
		for at := warmUp; at < warmUp+jobs; at++ {
			if begin := max(warmUp, at/block*block); (at-begin)%Closest == 0 {
				level = p.total() / float64(d.s.Servers)
				if at-warmUp >= int64(rec.Turns[i]+1)*every {
					note()
				}
			}
			p.run(at, at+1, func(_ int64, j stream.Job, wait float64, idle []float64) {
				c := int(j.Class)
				now[l.Class(Jobs, c)]++
				now[l.Class(Waiting, c)] += wait
				now[l.Class(Squared, c)] += wait * wait
				now[l.All(Between)] += j.Gap
				now[l.All(LevelBetween)] += level * j.Gap
				now[l.Class(Service, c)] += j.Service
				now[l.Class(LevelJobs, c)] += level
				now[l.Class(LevelService, c)] += level * j.Service
				for k, x := range idle {
					now[l.All(Waste)] += x
					if kinds > 0 {
						now[l.Kind(Waste, k)] += x
					}
				}
			})
		}
		note()
	}
}

// samePaths compares what is looked at along paths: unbiased and followed samples, and
// controlled runs.
func samePaths(t *testing.T, name string, s *System, room int) {
	t.Helper()
	ctx := context.Background()
	device := func() *imitation { return &imitation{s: s, room: room, after: math.MaxInt} }
	for _, follow := range []int64{0, 640} {
		u := &Unbiased{System: *s, Samples: 12, Window: 64, Follow: follow, Level: 0.95}
		want := u.Run(ctx, nil)
		u.Device = device()
		got := u.Run(ctx, nil)
		if got.Failed != nil || got.Done != want.Done || got.MaxWindow != want.MaxWindow {
			t.Errorf("%s: %v, %d done, windows up to %d; on the processor %d, %d", name, got.Failed, got.Done, got.MaxWindow, want.Done, want.MaxWindow)
		}
		sameNumbers(t, name+", unbiased", []float64{got.All.X, got.All.Y, got.HOL.X, got.Classes[0].XX}, []float64{want.All.X, want.All.Y, want.HOL.X, want.Classes[0].XX})
		sameFit(t, name+", unbiased", got.Fit, want.Fit)
		u.Enough = func(done int, _ func() result.Estimate) bool { return done >= 4 }
		if got := u.Run(ctx, nil); got.Done != 4 {
			t.Errorf("%s: %d done where 4 are enough", name, got.Done)
		}
	}
	f := &Forward{System: *s, Replications: 8, WarmUp: 50, Jobs: 4321, Level: 0.95, Controlled: true}
	want := f.Run(ctx, nil)
	f.Device = device()
	got := f.Run(ctx, nil)
	sameForward(t, name+", controlled", got, want)
	sameFit(t, name+", controlled", got.Fit, want.Fit)
	if !s.Alike() {
		return
	}
	c := &Certified{System: *s, Majorant: Majorant{Theta: 0.01, Block: 16}, Samples: 10, Window: 256, Follow: 3000, Eps: 0.5, Level: 0.95}
	followed := c.Run(ctx, nil)
	c.Device = device()
	there := c.Run(ctx, nil)
	sameBackward(t, name+", followed", there, followed)
	sameFit(t, name+", followed", there.Fit, followed.Fit)
}

func sameNumbers(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !close9(got[i], want[i]) {
			t.Errorf("%s: number %d is %v on the device, %v on the processor", name, i, got[i], want[i])
		}
	}
}

// sameFit compares the estimates with control variates, which have lost some digits.
func sameFit(t *testing.T, name string, got, want *Fit) {
	t.Helper()
	if got == nil || want == nil {
		if got != want {
			t.Errorf("%s: only one has a fit", name)
		}
		return
	}
	for q := range want.Row.Len() {
		a, b := got.Mean(q, 0.95, ""), want.Mean(q, 0.95, "")
		if !close7(a.Value, b.Value) || !close7(a.HalfWidth, b.HalfWidth) {
			t.Errorf("%s: quantity %d is %v on the device, %v", name, q, a, b)
		}
	}
}

func close7(a, b float64) bool {
	return math.Abs(a-b) <= 1e-7*(1e-3+math.Abs(b)) || math.IsNaN(a) && math.IsNaN(b)
}

package sampling

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// grown is a pile of the jobs before index to, by whole paths: how high it was
// after the warm-up and is now, and by class how many jobs came since and how much
// work they brought.
func grown(s *System, rep uint64, warmUp, to int64) (base, now, jobs, work []float64) {
	p := newPath(s, rep)
	jobs, work = make([]float64, len(s.Needs)), make([]float64, len(s.Needs))
	base = p.heights()
	for at := range to {
		var one [1]stream.Job
		p.r.Fill(one[:], at)
		j := one[0]
		j.Gap = 0
		p.arrive(p.r, at, j)
		if at < warmUp {
			base = p.heights()
			continue
		}
		jobs[j.Class]++
		work[j.Class] += float64(j.Need) * j.Service
	}
	return base, p.heights(), jobs, work
}

// TestPileIsTheRecurrence holds the growth against whole paths, with the numbers
// and the work of the classes as controls, on the processor and on a device.
func TestPileIsTheRecurrence(t *testing.T) {
	const replications = 12
	for name, s := range variants(3) {
		for _, warmUp := range []int64{50, 300} {
			p := &Pile{System: *s, MeanWork: []float64{1, 3, 3.5}, Replications: replications, WarmUp: warmUp, Jobs: 200,
				MaxJobs: replications * (warmUp + 800), RelErr: 1e-9, Level: 0.9}
			const jobs = 800
			var controls [5][]float64 // the class whose number matters most first; of the last the number follows
			var growth [][]float64
			for rep := range uint64(replications) {
				base, now, number, work := grown(s, rep, warmUp, warmUp+jobs)
				for i, x := range []float64{number[1], work[1], number[2], work[2], work[0]} {
					controls[i] = append(controls[i], x/jobs)
				}
				if growth == nil {
					growth = make([][]float64, len(now))
				}
				for part := range now {
					growth[part] = append(growth[part], (now[part]-base[part])/jobs)
				}
			}
			want := result.Estimate{Value: math.Inf(-1)}
			for _, g := range growth {
				if e := estimate.Controlled(g, controls[:], []float64{0.3, 0.9, 0.2, 0.7, 0.5}, 0.9, "pile"); e.Value > want.Value {
					want = e
				}
			}
			for _, device := range []Device{nil, &imitation{s: s, room: 1, after: math.MaxInt}} {
				p.Device = device
				reports := 0
				res := p.Run(context.Background(), func(done, total float64) {
					if reports++; !(done > 0 && done < 1) || total != 1 {
						t.Errorf("%s: %v of %v done", name, done, total)
					}
				})
				if !(math.Abs(res.Gamma.Value-want.Value) <= 1e-9) || !(math.Abs(res.Gamma.HalfWidth-want.HalfWidth) <= 1e-7) || res.Failed != nil {
					t.Errorf("%s, warm-up of %d: growth %v, by the equation %v; error %v", name, warmUp, res.Gamma, want, res.Failed)
				}
				if res.Met || res.Steps != replications*(warmUp+jobs) || reports != 3 {
					t.Errorf("%s: met %v after %d steps and %d reports", name, res.Met, res.Steps, reports)
				}
				if lo, hi := res.Gamma.Lo(), res.Gamma.Hi(); !close9(res.Lo, lo) || !close9(res.Hi, hi) {
					t.Errorf("%s: between %v and %v, the growth is between %v and %v", name, res.Lo, res.Hi, lo, hi)
				}
			}
		}
	}
	byClass(t)
	p := &Pile{System: *small(1), MeanWork: []float64{1, 3, 3.5}, Replications: 8, WarmUp: 20, Jobs: 200, MaxJobs: 1 << 30, RelErr: 0.05, Level: 0.9}
	res := p.Run(context.Background(), nil)
	if !res.Met || res.Gamma.RelErr() > 0.05 || res.Steps > 1<<20 {
		t.Errorf("%v met after %d steps: %v", res.Gamma, res.Steps, res.Met)
	}
	p.Device = &imitation{s: small(1), after: 0}
	if res := p.Run(context.Background(), nil); res.Failed != errBroken {
		t.Errorf("a broken device gives the error %v", res.Failed)
	}
	p.Device = nil
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if res := p.Run(ended, nil); !math.IsNaN(res.Gamma.Value) || !math.IsNaN(res.Lo) || !math.IsNaN(res.Hi) || res.Met {
		t.Errorf("after the end the growth is %v", res.Gamma)
	}
}

// byClass is the same for eight classes, of which the four that matter most have
// controls of their own and the others one together, with what may be hidden.
func byClass(t *testing.T) {
	const replications, jobs = 60, 1200
	s := eightClasses(law.ExpMean(1), true)
	p := &Pile{System: *s, Replications: replications, WarmUp: 20, Jobs: jobs, MaxJobs: 1, RelErr: 1e-9, Level: 0.9}
	asked := 0.0
	p.Hidden = func(jobs float64) float64 { asked = jobs; return 0.25 }
	for c, class := range s.Input.Plain().Classes {
		p.MeanWork = append(p.MeanWork, float64(s.Needs[c])*class.Service.Mean())
	}
	order := byNoise(s.Probs, p.MeanWork)
	controls, means := make([][]float64, 9), make([]float64, 9)
	var growth []float64
	for rep := range uint64(replications) {
		base, now, number, work := grown(s, rep, 20, 20+jobs)
		growth = append(growth, (now[0]-base[0])/jobs)
		rest := 0.0
		for i, c := range order {
			if i < 4 {
				controls[2*i] = append(controls[2*i], number[c]/jobs)
				controls[2*i+1] = append(controls[2*i+1], work[c]/jobs)
				means[2*i], means[2*i+1] = s.Probs[c], s.Probs[c]*p.MeanWork[c]
				continue
			}
			rest += work[c] / jobs
		}
		controls[8] = append(controls[8], rest)
	}
	for _, c := range order[4:] {
		means[8] += s.Probs[c] * p.MeanWork[c]
	}
	want := estimate.Controlled(growth, controls, means, 0.9, "pile")
	got := p.Run(context.Background(), nil).Gamma
	if !(math.Abs(got.Value-want.Value) <= 1e-9) || !(math.Abs(got.HalfWidth-want.HalfWidth-0.25) <= 1e-7) || asked != replications*jobs {
		t.Errorf("eight classes: growth %v, by the equation %v and 0.25 more for what %v jobs hide", got, want, asked)
	}
}

// TestPileWithoutAClass: what a class that is left out may add is its probability
// times how far the top of the pile is above the front, at the ends of blocks.
func TestPileWithoutAClass(t *testing.T) {
	s := small(2)
	p := &Pile{System: *s, MeanWork: []float64{1, 3, 3.5}, Replications: 5, WarmUp: block, Jobs: 2 * block, MaxJobs: 1, RelErr: 1e-9, Level: 0.9}
	p.Out, p.Slack = []bool{true, false, false}, 0.125
	var gaps []float64
	for rep := range uint64(5) {
		path, top, front, sum := newPath(s, rep), 0.0, 0.0, 0.0
		for at := range int64(3 * block) {
			var one [1]stream.Job
			path.r.Fill(one[:], at)
			if j := one[0]; j.Class > 0 {
				j.Gap = 0
				front, _ = path.arrive(path.r, at, j)
				top = max(top, front+j.Service)
			}
			if at+1 == 2*block || at+1 == 3*block {
				sum += top - front
			}
		}
		gaps = append(gaps, sum/2)
	}
	want := 0.125 + 0.5*estimate.OfReplications(gaps, 0.9, "").Hi()
	res := p.Run(context.Background(), nil)
	if got := res.Hi - res.Gamma.Hi(); !(math.Abs(got-want) <= 1e-9) || !close9(res.Lo, res.Gamma.Lo()) {
		t.Errorf("what is left out adds %v, by the equation %v", got, want)
	}
}

package sampling

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Pile estimates the growth rate γ of the saturated system, whose inverse is
// the stability limit (Theorem 5.1, Algorithm 2). Independent replications
// grow side by side, each after a warm-up, so that the error is known; they go
// on doubling until the interval is as narrow as asked. What comes too rarely
// for that is cut off, and bounded; see Rare.
type Pile struct {
	System
	Rare
	MeanWork     []float64 // by class, need × mean of the service as cut
	Replications int
	WarmUp       int64 // jobs a replication
	Jobs         int64 // jobs a replication in the first round
	MaxJobs      int64 // of all replications together
	RelErr       float64
	Level        float64
}

// PileResult is what Pile has found.
type PileResult struct {
	Gamma  result.Estimate // growth a job of the pile as cut; 1/λ_c if nothing is
	Lo, Hi float64         // the interval of 1/λ_c
	Steps  int64
	Met    bool // the interval is as narrow as asked
	// Failed is the error of the device.
	Failed error
}

// tower is one replication of the pile.
type tower struct {
	input  *input
	line   line
	at     int64     // next job
	lifted float64   // by how much the origin has been moved up
	base   []float64 // heights after the warm-up
	height []float64 // now
	jobs   []float64 // after the warm-up, by class
	work   []float64 // they brought, by class
	gap    float64   // sum over looks of how far the top is above the front
	looks  float64   // after the warm-up
}

// Run grows the pile. When ctx ends it returns the last complete round.
func (p *Pile) Run(ctx context.Context, report Report) *PileResult {
	towers := make([]*tower, p.Replications)
	for r := range towers {
		towers[r] = &tower{input: p.newInput(uint64(r)), line: p.newLine(),
			jobs: make([]float64, len(p.Needs)), work: make([]float64, len(p.Needs))}
	}
	res := &PileResult{Gamma: result.Unknown(), Lo: math.NaN(), Hi: math.NaN()}
	for jobs := p.Jobs; ; jobs *= 2 {
		if p.Device != nil {
			if res.Failed = p.growOn(ctx, towers, p.WarmUp+jobs); res.Failed != nil {
				return res
			}
		} else if !p.grow(ctx, towers, p.WarmUp+jobs) {
			return res
		}
		res.Gamma = p.estimate(towers, float64(jobs))
		if p.Hidden != nil {
			res.Gamma.HalfWidth += p.Hidden(float64(jobs) * float64(p.Replications))
		}
		res.Steps = (p.WarmUp + jobs) * int64(p.Replications)
		slack := p.slack(towers)
		res.Lo, res.Hi = p.bracket(res.Gamma, slack)
		rel := max(res.Gamma.RelErr(), (res.Hi-res.Lo)/(res.Hi+res.Lo))
		res.Met = rel <= p.RelErr
		if report != nil {
			report(min(1, p.RelErr/rel), 1)
		}
		if res.Met || (p.WarmUp+2*jobs)*int64(p.Replications) > p.MaxJobs || res.Gamma.HalfWidth < slack/20 {
			return res
		}
	}
}

// grow takes every tower up to job index to, sharing them among goroutines.
func (p *Pile) grow(ctx context.Context, towers []*tower, to int64) bool {
	var next atomic.Int64
	var stop atomic.Bool
	detach := context.AfterFunc(ctx, func() { stop.Store(true) })
	defer detach()
	if ctx.Err() != nil {
		return false
	}
	wg := panics.Group{Stop: func() { stop.Store(true) }}
	for range p.Workers {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(towers); i = next.Add(1) - 1 {
				towers[i].grow(&stop, p, to)
			}
		})
	}
	wg.Wait()
	return !stop.Load()
}

// grow adds jobs up to index to. The end of the warm-up is noted in passing.
func (t *tower) grow(stop *atomic.Bool, p *Pile, to int64) {
	t.input.reader.Until(stop)
	for t.at < to && !stop.Load() {
		end := to
		if t.at < p.WarmUp {
			end = p.WarmUp
		}
		all := t.input.read(t.at, end)
		if len(all) == 0 {
			return
		}
		jobs := p.cut(all)
		t.line.pile(t.input.reader, t.at, jobs)
		for i := range jobs {
			j := &jobs[i]
			t.jobs[j.Class]++
			t.work[j.Class] += float64(j.Need) * j.Service
		}
		t.at += int64(len(all))
		if p.Out != nil {
			t.gap += t.line.gap()
			t.looks++
		}
		if t.at == p.WarmUp {
			t.base = t.heights()
			clear(t.jobs)
			clear(t.work)
			t.gap, t.looks = 0, 0
		}
		t.lifted += t.line.lower()
		t.height = t.heights()
	}
}

// rounding is a generous bound of the relative error of a sum of many services.
const rounding = 1e-11

// controlled is how many classes have controls of their own.
const controlled = 4

// estimate is the mean growth a job. Most of the noise of the height is in how
// many jobs of the classes that matter came and how much work they brought;
// their expectations are known, so they serve as controls where enough of them
// came to every tower; see Rare.
func (p *Pile) estimate(towers []*tower, jobs float64) result.Estimate {
	var controls [][]float64
	var means []float64
	control := func(mean float64, of func(t *tower) float64) {
		c := make([]float64, len(towers))
		for r, t := range towers {
			c[r] = of(t) / jobs
		}
		controls, means = append(controls, c), append(means, mean)
	}
	order := p.order()
	for i, c := range order[:min(controlled, len(order))] {
		if i < len(order)-1 && p.Probs[c]*jobs >= frequent { // the numbers of all classes sum to a constant
			control(p.Probs[c], func(t *tower) float64 { return t.jobs[c] })
		}
		if p.telling(order[i:i+1])*jobs >= telling {
			control(p.Probs[c]*p.MeanWork[c], func(t *tower) float64 { return t.work[c] })
		}
	}
	if rest := order[min(controlled, len(order)):]; p.telling(rest)*jobs >= telling {
		mean := 0.0
		for _, c := range rest {
			mean += p.Probs[c] * p.MeanWork[c]
		}
		control(mean, func(t *tower) (sum float64) {
			for _, c := range rest {
				sum += t.work[c]
			}
			return sum
		})
	}
	heights := make([][]float64, len(towers))
	for r, t := range towers {
		heights[r] = t.height
	}
	var highest result.Estimate
	growth := make([]float64, len(towers))
	for part := range heights[0] {
		for r, t := range towers {
			growth[r] = (heights[r][part] - t.base[part]) / jobs
		}
		e := estimate.Controlled(growth, controls, means, p.Level, "pile")
		if part == 0 || e.Value > highest.Value {
			highest = e
		}
	}
	// What the controls explain to the last digit is known up to rounding.
	highest.HalfWidth = max(highest.HalfWidth, rounding*highest.Value)
	return highest
}

// heights is how high the parts of the pile are by now.
func (t *tower) heights() []float64 {
	heights := t.line.heights(nil)
	for i := range heights {
		heights[i] += t.lifted
	}
	return heights
}

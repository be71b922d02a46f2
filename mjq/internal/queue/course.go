package queue

import (
	"context"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// Part is what is expected of the queue in a part of the time.
type Part struct {
	Jobs, Queue, Idle, Wasted float64 // averages over the part
	Arrivals                  float64 // expected
	Classes                   []Arriving
	Cleared                   float64 // probability that nobody has waited at some time up to its end
}

// Arriving is what a job of a class meets that arrives in the part; NaN if none can.
type Arriving struct{ Delayed, Mean, Square float64 }

// Rates is the rate of arrivals from a time on, and until when it stays that.
type Rates func(from float64) (rate, until float64)

// Bounds are those of the chain of a course.
type Bounds struct {
	States    int     // most states
	Bytes     float64 // most memory of the waits, beside the states
	Tolerance float64 // the error at which it is large enough; 0 stands for 1e-9
}

// Course is what is found of a queue through time.
type Course struct {
	Parts  []Part
	States int     // of the chain
	Jobs   int     // most jobs that it has
	Error  float64 // see From and Over
}

// From follows the queue from a state on, over so many parts of a width. The chain is
// bounded, and grows until what is lost beyond the bound matters no more. With N₀ jobs at
// the start and A arrivals, at most N₀+A jobs are there; so the mean number of jobs is
// off by no more than E[N₀+A; lost] <= √(E[(N₀+A)²] P(lost)), and no probability by more
// than P(lost). Error is that bound, or that of the idle servers, s P(lost), if it is
// larger. Waits are off by it times the longest mean time that a job in service may
// still take, over the probability that a job arrives in the part.
func (s *System) From(ctx context.Context, start Start, rates Rates, width float64, parts int, o Bounds) (*Course, error) {
	given := len(start.Running) + len(start.Line)
	expected := 0.0
	for at, end := 0.0, width*float64(parts); at < end && ctx.Err() == nil; {
		rate, until := rates(at)
		until = min(until, end)
		expected += rate * (until - at)
		at = until
	}
	ceiling := given + int(check.Whole(math.Ceil(expected+12*math.Sqrt(expected)+40), 0, math.MaxInt32))
	total := float64(given) + expected
	for jobs := min(ceiling, given+2*s.Servers+8); ; jobs += jobs / 2 {
		c, err := s.follow(ctx, start, jobs, o.States)
		if err != nil {
			return nil, err
		}
		f := newFlow(c, false)
		f.watch()
		r := &Course{States: len(c.States), Jobs: jobs}
		if r.Parts, err = f.parts(ctx, rates, width, parts, o.Bytes); err != nil {
			return nil, err
		}
		r.Error = max(float64(s.Servers)*f.Lost, math.Sqrt((total*total+expected)*f.Lost))
		if r.Error <= o.tolerance() {
			return r, nil
		}
	}
}

func (o Bounds) tolerance() float64 {
	if o.Tolerance == 0 {
		return 1e-9
	}
	return o.Tolerance
}

const (
	mostPeriods = 100_000 // gone through at most
	forgotten   = 1e-12   // of the probabilities, may still change in all periods to come
)

// Slow is the error for a queue that takes too many periods to forget how it began.
type Slow struct {
	Periods int
	Left    float64 // how much the probabilities may still change
}

// Error says how near it came.
func (e *Slow) Error() string {
	return fmt.Sprintf("after %d periods the probabilities may still change by %.2g: the queue forgets too slowly how it began; lower the rate, or use mjq.Simulation{}", e.Periods, e.Left)
}

// Over follows the queue over a period of the rates, once it has forgotten how it began.
// Arrivals beyond the bound of the chain are turned away, and the bound grows until no
// mean moves any more; Error is how much the last step moved any, relative to it.
func (s *System) Over(ctx context.Context, rates Rates, width float64, parts int, o Bounds) (*Course, error) {
	var last *Course
	for jobs := 2*s.Servers + 8; ; jobs += jobs / 2 {
		c, err := s.follow(ctx, Start{}, jobs, o.States)
		if err != nil {
			return nil, err
		}
		f := newFlow(c, true)
		if err := f.repeat(ctx, rates, width*float64(parts), mostPeriods); err != nil {
			return nil, err
		}
		r := &Course{States: len(c.States), Jobs: jobs, Error: math.Inf(1)}
		if r.Parts, err = f.parts(ctx, rates, width, parts, o.Bytes); err != nil {
			return nil, err
		}
		if last != nil {
			r.Error = moved(last, r)
		}
		if r.Error <= o.tolerance() {
			return r, nil
		}
		last = r
	}
}

// moved is how much the means of two results differ.
func moved(a, b *Course) (most float64) {
	for k := range a.Parts {
		x, y := &a.Parts[k], &b.Parts[k]
		differ := func(u, v float64) {
			if v > 0 {
				most = max(most, math.Abs(u-v)/v)
			}
		}
		differ(x.Jobs, y.Jobs)
		differ(x.Queue, y.Queue)
		for i := range x.Classes {
			differ(x.Classes[i].Mean, y.Classes[i].Mean)
		}
	}
	return most
}

// repeat goes through periods until all later ones together change too little to matter, or
// they no longer fall, and so are rounding. Changes fall as powers of a number below 1 in
// the end, which the last two show.
func (f *flow) repeat(ctx context.Context, rates Rates, period float64, most int) error {
	before := make([]float64, len(f.Now))
	last, left := math.Inf(1), math.Inf(1)
	for range most {
		copy(before, f.Now)
		if err := f.period(ctx, rates, period); err != nil {
			return err
		}
		change := 0.0
		for i, p := range f.Now {
			change += math.Abs(p - before[i])
		}
		if left = change; change >= last {
			left = math.Inf(1)
		} else if last < math.Inf(1) {
			left = change / (1 - change/last)
		}
		if left <= forgotten || change >= last && change <= forgotten {
			return nil
		}
		last = change
	}
	return &Slow{most, left}
}

// period goes through one, and makes up for what rounding takes.
func (f *flow) period(ctx context.Context, rates Rates, period float64) error {
	for at := 0.0; at < period; {
		rate, until := rates(at)
		until = min(until, period)
		if err := f.pass(ctx, rate, until-at); err != nil {
			return err
		}
		at = until
	}
	whole := 0.0
	for _, p := range f.Now {
		whole += p
	}
	for i := range f.Now {
		f.Now[i] /= whole
	}
	return nil
}

// parts follows the flow part by part.
func (f *flow) parts(ctx context.Context, rates Rates, width float64, parts int, bytes float64) (out []Part, err error) {
	delays, err := f.delays(ctx, bytes)
	if err != nil {
		return nil, err
	}
	for k := range parts {
		p := Part{Classes: make([]Arriving, len(f.Classes))}
		at, end := float64(k)*width, float64(k+1)*width
		for at < end {
			rate, until := rates(at)
			until = min(until, end)
			clear(f.Area)
			if err := f.pass(ctx, rate, until-at); err != nil {
				return nil, err
			}
			f.measure(&p, rate, delays)
			at = until
		}
		f.close(&p, width)
		out = append(out, p)
	}
	return out, nil
}

// measure adds the time in each state.
func (f *flow) measure(p *Part, rate float64, waits []delays) {
	for i, time := range f.Area {
		if time == 0 {
			continue
		}
		free, waiting := float64(f.idle[i]), float64(f.waiting[i])
		p.Jobs += time * float64(f.present[i])
		p.Queue += time * waiting
		p.Idle += time * free
		if waiting > 0 {
			p.Wasted += time * free
		}
		p.Arrivals += time * rate
		for k := range p.Classes {
			a := &p.Classes[k]
			if f.waitsIn(k, int32(i)) {
				a.Delayed += time * rate
			}
			a.Mean += time * rate * waits[k].mean[i]
			a.Square += time * rate * waits[k].square[i]
		}
	}
}

// close makes averages of the sums of a part.
func (f *flow) close(p *Part, width float64) {
	for _, x := range []*float64{&p.Jobs, &p.Queue, &p.Idle, &p.Wasted} {
		*x /= width
	}
	for k := range p.Classes {
		a := &p.Classes[k]
		a.Delayed, a.Mean, a.Square = a.Delayed/p.Arrivals, a.Mean/p.Arrivals, a.Square/p.Arrivals
	}
	p.Cleared = math.NaN()
	if f.waited != nil {
		p.Cleared = 1
		for _, q := range f.waited.Now {
			p.Cleared -= q
		}
		p.Cleared = max(0, p.Cleared)
	}
}

package result

import "math"

// Arriving describes what all jobs that arrive meet in a queue that drops some of them: also
// those that are turned away or give up. A queue that serves every job has it unknown, because
// Waiting is then about all jobs.
//
// The numbers follow from Blocked, Left, InLine and Waiting. Half-widths of products and sums
// add up as if errors always came together, so intervals are rather too wide than too narrow.
type Arriving struct {
	Served       Estimate // share of the arriving jobs that start
	AtOnce       Estimate // share of the arriving jobs that start as they arrive
	Delayed      Estimate // P(wait): share of the arriving jobs that wait, whether they start or give up
	ServiceLevel Estimate // share of the arriving jobs that start within the time asked for (Within)
	MeanWait     Estimate // mean time in the queue until the start or until giving up, 0 for a job turned away
}

// ServiceLevel returns the share of all arriving jobs that start within a time. A job that is
// turned away or gives up does not. It is Arriving.Served times Waiting.CDF(within), and
// Waiting.CDF(within) alone where every job is served. It is unknown where a method gives no
// distribution of the waits.
func (c *ClassResult) ServiceLevel(within float64) Estimate {
	served := c.Arriving.Served
	switch {
	case !served.Known():
		return c.Waiting.CDF(within)
	case served.Value == 0 && !math.IsNaN(within): // no job that started has told of its wait
		return served
	}
	return times(served, c.Waiting.CDF(within))
}

// Derive fills in what follows from other numbers of the result: the probability of not
// waiting, the mean wait of the jobs that wait, and what all arriving jobs meet.
func (r *Result) Derive() {
	eachClass(r.Classes, (*ClassResult).derive)
	r.All.derive()
}

func (c *ClassResult) derive() {
	c.Waiting.derive()
	c.Arriving = arriving(c)
}

// Derive fills in what follows from other numbers of the waits in a part of time.
func (p *Part) Derive() {
	for i := range p.Classes {
		p.Classes[i].Waiting.derive()
	}
	p.All.Waiting.derive()
}

// derive does so for waits.
func (m *Metric) derive() {
	if e := m.CDF(0); !m.NoWait.Known() && e.Known() {
		m.NoWait = e
	}
	m.MeanDelayed = delayed(m.Mean, m.NoWait)
}

// delayed is E[W | W > 0] = E[W] / P(W > 0); unknown if nobody waits.
func delayed(mean, none Estimate) Estimate {
	wait := less(Exact(1, none.Method), none)
	low, high := wait.Lo(), wait.Hi()
	if !mean.Known() || !(wait.Value > 0) || math.IsInf(mean.Value, 1) {
		return Unknown()
	}
	e := mean
	e.Value = mean.Value / wait.Value
	switch {
	case wait.HalfWidth == 0 && wait.Value < rounded: // digits are lost as P(W = 0) nears 1
		e.HalfWidth = mean.HalfWidth/wait.Value + e.Value*0x1p-52/wait.Value
	case low > 0:
		e.HalfWidth = max(mean.Hi()/low-e.Value, e.Value-mean.Lo()/high)
	default:
		e.HalfWidth = math.NaN()
	}
	return e
}

// rounded is a probability of waiting below which 1 - P(W = 0) has fewer than nine digits.
const rounded = 1e-7

// arriving is what follows from the fates of the jobs; nothing where every job is served.
func arriving(c *ClassResult) Arriving {
	out := Arriving{Unknown(), Unknown(), Unknown(), Unknown(), Unknown()}
	if !c.InLine.Known() && !c.Blocked.Known() {
		return out
	}
	in := Exact(1, c.Blocked.Method) // let in
	if c.Blocked.Known() {
		in = less(in, c.Blocked)
	}
	out.Served = in
	if c.Left.Known() {
		out.Served = less(in, c.Left)
	}
	out.AtOnce = times(out.Served, c.Waiting.NoWait)
	out.Delayed = times(in, less(Exact(1, in.Method), c.Waiting.NoWait))
	if c.Left.Known() { // nobody who gives up has started at once
		gone := times(c.Left, c.Waiting.NoWait)
		out.Delayed = joined(out.Delayed, gone, out.Delayed.Value+gone.Value, out.Delayed.HalfWidth+gone.HalfWidth)
	}
	out.ServiceLevel = times(out.Served, c.Waiting.ServiceLevel)
	out.MeanWait = times(in, c.InLine)
	return out
}

// less is the difference of two shares.
func less(a, b Estimate) Estimate {
	if !a.Known() || !b.Known() {
		return Unknown()
	}
	return joined(a, b, max(0, a.Value-b.Value), a.HalfWidth+b.HalfWidth)
}

// times is the product of two numbers that are not negative.
func times(a, b Estimate) Estimate {
	if !a.Known() || !b.Known() {
		return Unknown()
	}
	half := a.HalfWidth*b.Value + b.HalfWidth*a.Value + a.HalfWidth*b.HalfWidth
	return joined(a, b, a.Value*b.Value, half)
}

// joined is an estimate made of two.
func joined(a, b Estimate, value, half float64) Estimate {
	if b.Level < a.Level || a.N == 0 {
		a.Level, a.N, a.Method = b.Level, b.N, b.Method
	}
	a.Value, a.HalfWidth = value, half
	return a
}

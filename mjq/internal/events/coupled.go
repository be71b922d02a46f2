package events

import (
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// coupler draws samples of a Coupling. A sample is, times Path,
//
//	Σ_{k≤t<k+M} f(X_t) + Σ_{t>k} min(t-k, M) (f(X_t) - f(Y_t)),
//
// with f(X_t) what job t shows in the first system and f(Y_t) in the second, k = Burn,
// M = Path: the mean over k, ..., k+M-1 of the telescoping sums f(X_k) + Σ_{t>k} ....
// Once the systems are the same, so is all that the jobs show from then on.
type coupler struct {
	*Coupling
	*pair
	asked   estimate.Asked
	out     *coupled
	merged  bool
	missing int64 // jobs of the path that have not been recorded
}

// coupled is one sample.
type coupled struct {
	integrals                                        // of the time from arrival to arrival, times Path, but for presence
	classes   []sums                                 // times Path
	seen      [][estimate.Quantities]estimate.Signed // by class
	jobs      int64                                  // simulated, in both systems
	met       int64                                  // job from which on both were the same
	unmerged  bool                                   // given up
}

func (p *Coupling) newCoupler() *coupler {
	c := &coupler{Coupling: p, pair: newPair(func() *Simulator { return New(p.System) }, p.Input.Unit()), asked: p.plan().asked()}
	c.first.Recorded, c.second.Recorded = c.recordFirst, c.recordSecond
	return c
}

// weights are the two factors of what job t shows in the first system: for the mean
// over the path, and for the difference.
func (p *Coupling) weights(t int64) (mean, difference int64) {
	if t >= p.Burn && t < p.Burn+p.Path {
		mean = 1
	}
	return mean, min(max(t-p.Burn, 0), p.Path)
}

func (c *coupler) recordFirst(j *Record) {
	mean, difference := c.weights(j.Number)
	c.missing -= mean
	if c.merged {
		difference = 0
	}
	c.observe(j, mean+difference)
}

func (c *coupler) recordSecond(j *Record) {
	_, difference := c.weights(j.Number)
	c.observe(j, -difference)
}

func (c *coupler) observe(j *Record, times int64) {
	if times == 0 {
		return
	}
	if j.Fate != Served {
		c.out.classes[j.Class].miss(j, float64(times))
		return
	}
	values := c.asked.Values(j.Wait, j.Service)
	c.out.classes[j.Class].observe(j, &values, &c.asked, float64(times))
	for q, x := range values {
		c.out.seen[j.Class][q].Add(x, times)
	}
}

// sample draws one sample; false if stopped.
func (c *coupler) sample(stop *atomic.Bool, rep uint64, out *coupled) bool {
	out.reset(c.Coupling)
	c.out, c.merged, c.missing = out, false, c.Path
	c.begin(stop, c.Input, rep)
	c.timed()
	for most := c.most(); !c.merged; {
		if stop.Load() {
			return false
		}
		c.step()
		c.timed()
		if c.merged = c.same(); !c.merged && c.beyond(most) {
			out.unmerged = true
			return true
		}
	}
	out.met = c.next
	out.jobs = 2 * c.next
	c.balance()
	return c.rest(stop)
}

// timed adds what passed since the arrival before.
func (c *coupler) timed() {
	mean, difference := c.weights(c.next - 1)
	c.first.take(&c.out.integrals, float64(mean+difference))
	c.second.take(&c.out.integrals, -float64(difference))
}

// balance accounts for what the jobs in both systems have behind them: they may have been
// stopped more often in one than in the other, have lost more, or have started later.
func (c *coupler) balance() {
	for i, j := range c.one {
		_, difference := c.weights(j.number)
		s := &c.out.classes[j.class]
		s.Add(j.past(), &c.asked, float64(difference))
		s.Add(c.two[i].past(), &c.asked, -float64(difference))
		if c.Failing != nil {
			lost := float64(difference) * float64(j.need) * (j.ran - c.two[i].ran)
			s.work += lost
			s.lostWork += lost
		}
	}
}

// rest follows the first system until all jobs of the path have been recorded.
func (c *coupler) rest(stop *atomic.Bool) bool {
	for most, end := c.most(), c.Burn+c.Path; c.next < end || c.missing > 0; {
		if stop.Load() {
			return false
		}
		if c.beyond(most) {
			c.out.unmerged = true
			return true
		}
		to := c.next + atATime
		for _, edge := range [...]int64{c.Burn, end} {
			if c.next < edge {
				to = min(to, edge)
			}
		}
		mean, _ := c.weights(c.next)
		c.out.jobs += to - c.next
		c.alone(to)
		c.first.take(&c.out.integrals, float64(mean))
	}
	return !stop.Load()
}

// atATime is how many jobs are followed between looks at what is missing.
const atATime = 128

// most is the job at which a sample is given up.
func (p *Coupling) most() int64 { return 64*(p.Burn+p.Path) + mostJobs }

// mostJobs are followed at least before a pair is given up, and mostHeld may be in the
// system.
const mostJobs, mostHeld = 1 << 20, 1 << 18

// beyond reports whether the sample is to be given up.
func (c *coupler) beyond(most int64) bool { return c.next > most || c.first.InSystem() > mostHeld }

func (o *coupled) reset(p *Coupling) {
	classes := p.Classes
	if o.classes == nil {
		*o = coupled{integrals: p.plan().newIntegrals(), classes: make([]sums, classes), seen: make([][estimate.Quantities]estimate.Signed, classes)}
		o.presence = nil
	}
	o.integrals.clear()
	clear(o.classes)
	for c := range classes {
		for q := range o.seen[c] {
			o.seen[c][q].Reset()
		}
	}
	o.jobs, o.met, o.unmerged = 0, 0, false
}

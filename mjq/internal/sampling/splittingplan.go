package sampling

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
)

// The thresholds change how much the estimate varies and not what it is on average. They
// are best where one of Copies paths that reach a threshold comes to the next, so that
// there is as much to follow between any two. Trial runs find out where that is, with jobs
// that no replication sees; each goes further up than the last.
const (
	trialRep    = 1 << 39 // first replication of the trials
	further     = 3       // thresholds that a trial has beyond what the last has shown
	mostRegions = 250     // Copies^-250 is 1e-150
	enoughRises = 10      // beyond the last time, which tell how likely it is
	enoughSeen  = 200     // looks above a threshold that tell how likely it is
	mostTrials  = 8       // that show nothing new, one after another, each twice as long as the last
	longTrial   = 1 << 22 // jobs of a trial, unless replications are longer
	growth      = 20      // times as many steps as planned, after which thresholds are too close
	plainLooks  = 1 << 16 // along the path without copies, at most
	plainShare  = 64      // one in so many of these above a height tells how likely it is; fewer come together
)

// height is a threshold and the logarithm of the probability that a job meets more work.
type height struct{ work, log float64 }

// Plan finds the thresholds. It is false if ctx ended, or if no path comes near the last
// time: beyond 250 thresholds, or where none rises any further.
func (s *Splitting) Plan(ctx context.Context) bool {
	var stop atomic.Bool
	detach := context.AfterFunc(ctx, func() { stop.Store(true) })
	defer detach()
	known := s.plain(&stop)
	t, stuck := *s, 0
	for trial := uint64(1); stuck < mostTrials && len(known) > 0 && len(known) < mostRegions && ctx.Err() == nil; trial++ {
		t.Thresholds = spaced(known, known[len(known)-1].log-further*math.Log(Copies))
		c, part := newClimber(&t), &splitPart{}
		c.most = growth * int64(len(t.Thresholds)+1) * t.Jobs
		c.replicate(&stop, trialRep+trial, part)
		seen := t.heights(part)
		if part.reached >= enoughRises && len(seen) > 0 {
			s.Thresholds = spaced(seen, math.Log(part.beyond/part.total()))
			return true
		}
		if stuck++; len(seen) > len(known) {
			known, stuck = seen, 0
		} else if t.Jobs < longTrial {
			t.Jobs *= 2
		}
	}
	return false
}

// plain looks at the work along one path without copies.
func (s *Splitting) plain(stop *atomic.Bool) (known []height) {
	c := newClimber(&Splitting{System: s.System})
	c.part = &splitPart{}
	c.reader.Until(stop).Rewind(trialRep)
	q := c.queue(0)
	every := max(1, s.Jobs/plainLooks)
	var seen []float64
	now := 0.0
	for n := -s.WarmUp; n < s.Jobs; n++ {
		if n >= 0 && n%every == 0 {
			seen = append(seen, q.Work(now))
		}
		if now = c.step(q, now); now < 0 {
			return nil
		}
	}
	slices.Sort(seen)
	for k := 1.0; ; k++ {
		above := int(float64(len(seen)) * math.Pow(Copies, -k))
		if above*plainShare < len(seen) {
			return known
		}
		if w := seen[len(seen)-above]; w > 0 && (len(known) == 0 || w > known[len(known)-1].work) {
			known = append(known, height{w, -k * math.Log(Copies)})
		}
	}
}

// heights is what a trial has shown of its thresholds.
func (s *Splitting) heights(part *splitPart) (known []height) {
	raw, mass, total := int64(0), 0.0, part.total()
	for k := len(s.Thresholds); k > 0; k-- {
		raw += part.visits[k]
		mass += float64(part.visits[k]) * math.Pow(Copies, -float64(k))
		if raw >= enoughSeen {
			known = append(known, height{s.Thresholds[k-1], math.Log(mass / total)})
		}
	}
	slices.Reverse(known)
	return known
}

// spaced are thresholds each of which is reached Copies times as seldom as the one below,
// down to the given logarithm of a probability: beyond what is known these are taken to
// fall as they did last.
func spaced(known []height, lowest float64) (thresholds []float64) {
	last := len(known) - 1
	if last < 0 {
		return nil
	}
	fall := -known[0].log / known[0].work
	if from := known[max(0, last-3)]; last > 0 {
		fall = (from.log - known[last].log) / (known[last].work - from.work)
	}
	next := height{}
	for k, i := 1, 0; ; k++ {
		log := -float64(k) * math.Log(Copies)
		if log < lowest {
			return thresholds
		}
		for i <= last && known[i].log > log {
			next = known[i]
			i++
		}
		if i <= last {
			part := (next.log - log) / (next.log - known[i].log)
			thresholds = append(thresholds, next.work+part*(known[i].work-next.work))
		} else {
			thresholds = append(thresholds, next.work+(next.log-log)/fall)
		}
	}
}

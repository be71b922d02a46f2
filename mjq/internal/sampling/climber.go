package sampling

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
)

// climber follows the paths of a Splitting, one after the other. All of a replication
// draw their jobs from the same stream in the order in which they come to need them, so
// that no two ever see the same job.
type climber struct {
	*Splitting
	input
	part    *splitPart
	most    int64              // steps after which it gives up, if positive
	taken   int64              // jobs read of the stream
	at, end int                // of those in the block
	spare   []*recurrence.Runs // by depth of the copies
	weights []float64          // by region
	order   []int              // classes by need
	needs   []int32            // in that order
	waits   []float64          // in that order
	rose    float64            // what the present rise has led to beyond the last time, of jobs of any class
}

func newClimber(s *Splitting) *climber {
	c := &climber{Splitting: s, input: *s.newInput(0), waits: make([]float64, len(s.Needs))}
	for k := range s.Needs {
		c.order = append(c.order, k)
	}
	slices.SortFunc(c.order, func(a, b int) int { return cmp.Compare(s.Needs[a], s.Needs[b]) })
	for _, k := range c.order {
		c.needs = append(c.needs, int32(s.Needs[k]))
	}
	for k := range len(s.Thresholds) + 1 {
		c.weights = append(c.weights, math.Pow(Copies, -float64(k)))
	}
	return c
}

// replicate follows one replication. It is false if it was stopped before its end.
func (c *climber) replicate(stop *atomic.Bool, rep uint64, part *splitPart) bool {
	*part = splitPart{hits: make([]float64, len(c.needs)*len(c.Times)), visits: make([]int64, len(c.Thresholds)+1)}
	c.reader.Until(stop).Rewind(rep)
	c.part, c.taken, c.at, c.end, c.rose = part, 0, 0, 0, 0
	q := c.queue(0)
	q.Reset(0)
	now := 0.0
	for range c.WarmUp {
		if now = c.step(q, now); now < 0 {
			return false
		}
	}
	if !c.follow(q, 0, 0, now, c.Jobs) {
		return false
	}
	c.rise()
	for k := range c.order { // what was counted by the longest time exceeded
		row := part.hits[k*len(c.Times) : (k+1)*len(c.Times)]
		for i := len(row) - 2; i >= 0; i-- {
			row[i] += row[i+1]
		}
		for i := range row {
			row[i] /= float64(c.Jobs)
		}
	}
	return true
}

// rise ends what began when the path last rose above the first threshold, its copies
// included: whatever these see is one observation.
func (c *climber) rise() {
	if c.rose > 0 {
		c.part.reached++
		c.part.rises += c.rose
		c.part.squares += c.rose * c.rose
	}
	c.rose = 0
}

// follow lets jobs arrive in q until so many have, or the work is below the given
// region, in which the path begins. It is false if it was stopped.
func (c *climber) follow(q *recurrence.Runs, floor, region int, now float64, jobs int64) bool {
	for ; jobs > 0; jobs-- {
		work := q.Look(now, c.needs, c.waits)
		was := region
		region = c.region(work, region)
		if region < floor {
			return true
		}
		if was == 0 && region > 0 {
			c.rise()
		}
		c.count(region)
		for k := was + 1; k <= region; k++ {
			for range Copies - 1 {
				twin := c.queue(k)
				twin.Copy(q)
				if !c.follow(twin, k, k, now, jobs) {
					return false
				}
			}
		}
		if now = c.step(q, now); now < 0 {
			return false
		}
	}
	return true
}

// count notes what the classes would wait. The waits are those of the last look.
func (c *climber) count(region int) {
	c.part.visits[region]++
	last := len(c.Times) - 1
	if c.waits[len(c.waits)-1] > c.Times[last] {
		c.part.beyond += c.weights[region]
	}
	weight := c.weights[region]
	for i, k := len(c.waits)-1, last; i >= 0 && c.waits[i] > c.Times[0]; i-- {
		for c.waits[i] <= c.Times[k] {
			k--
		}
		c.part.hits[c.order[i]*len(c.Times)+k] += weight
		if k == last {
			c.rose += weight * c.Probs[c.order[i]]
		}
	}
}

// step lets the next job arrive and returns when the one after it will; a negative time
// if it was stopped.
func (c *climber) step(q *recurrence.Runs, now float64) float64 {
	if c.at == c.end {
		if c.most > 0 && c.part.steps > c.most {
			return -1
		}
		if c.end, c.at = len(c.read(c.taken, c.taken+block)), 0; c.end == 0 {
			return -1
		}
		c.taken += int64(c.end)
		q.Shift(now)
		now = 0
	}
	j := &c.jobs[c.at]
	c.at++
	c.part.steps++
	q.Step(now, j.Need, j.Service)
	return now + j.Gap
}

// queue is where a copy made at the given threshold goes on; of 0, the path itself.
func (c *climber) queue(depth int) *recurrence.Runs {
	for len(c.spare) <= depth {
		c.spare = append(c.spare, recurrence.NewRuns(c.Servers))
	}
	return c.spare[depth]
}

// region is how many thresholds a work lies above, near a guess.
func (c *climber) region(work float64, guess int) int {
	for guess < len(c.Thresholds) && work >= c.Thresholds[guess] {
		guess++
	}
	for guess > 0 && work < c.Thresholds[guess-1] {
		guess--
	}
	return guess
}

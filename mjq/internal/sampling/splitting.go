package sampling

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// Splitting estimates how many jobs wait longer than times beyond what a run would ever
// see, by RESTART (Villén-Altamirano and Villén-Altamirano, ITC 13, 1991; unbiased for
// any thresholds: Garvels, thesis, Twente 2000): the work that a job meets is watched
// along a path, and whenever it rises above a threshold the path goes on in several
// copies, each with jobs of its own. All but one of them end when the work falls below
// that threshold again. What is seen between two thresholds counts for as much less as
// there are more copies there.
//
// Jobs are looked at with the eyes of every class at once, so that rare ones are seen as
// well as others. The gaps between arrivals must be independent.
type Splitting struct {
	System
	Times        []float64 // ascending
	Replications int
	WarmUp, Jobs int64     // a replication, before copies are made and after
	Thresholds   []float64 // of the work; see Plan
	Level        float64
	Enough       func(done int, mean func() result.Estimate) bool // by the last time; nil: all replications
}

// Copies is how many paths go on above a threshold for one that reaches it.
const Copies = 4

// SplittingResult is what Splitting has seen.
type SplittingResult struct {
	Classes [][]result.Estimate // P(wait > time) by class and time
	All     []result.Estimate
	Rises   float64 // beyond the last time, independent: as many equal ones as would tell as much
	Done    int     // replications
	Steps   int64
}

// splitPart is the outcome of one replication.
type splitPart struct {
	hits           []float64 // by class and time
	visits         []int64   // looks by region, each copy counted
	beyond         float64   // looks at which some class would wait longer than the last time, by weight
	reached        int       // rises above the first threshold that led beyond the last time
	rises, squares float64   // what these led to there, and the squares
	steps          int64
}

// Run makes the replications. When ctx ends it returns those completed, in order.
func (s *Splitting) Run(ctx context.Context, report Report) *SplittingResult {
	res := &SplittingResult{}
	values := make([][]float64, (len(s.Needs)+1)*len(s.Times))
	rises, squares := 0.0, 0.0
	merge := func(_ int, part *splitPart) (enough bool) {
		res.Done++
		res.Steps += part.steps
		rises += part.rises
		squares += part.squares
		res.Rises = rises * rises / squares
		k := len(s.Times)
		for i := range k {
			all := 0.0
			for c, p := range s.Probs {
				all += p * part.hits[c*k+i]
			}
			values[len(s.Needs)*k+i] = append(values[len(s.Needs)*k+i], all)
		}
		for i, h := range part.hits {
			values[i] = append(values[i], h)
		}
		if report != nil {
			report(float64(res.Done), float64(s.Replications))
		}
		return s.Enough != nil && s.Enough(res.Done, func() result.Estimate {
			return estimate.OfReplications(values[len(values)-1], s.Level, splitName)
		})
	}
	replicate.InOrder(ctx, s.Replications, s.Workers, func() *climber { return newClimber(s) },
		func(stop *atomic.Bool, c *climber, task int, part *splitPart) bool {
			return c.replicate(stop, uint64(task), part)
		}, merge)
	for c := range len(s.Needs) + 1 {
		var row []result.Estimate
		for i := range s.Times {
			row = append(row, estimate.OfReplications(values[c*len(s.Times)+i], s.Level, splitName))
		}
		res.Classes = append(res.Classes, row)
	}
	res.All = res.Classes[len(s.Needs)]
	res.Classes = res.Classes[:len(s.Needs)]
	return res
}

const splitName = "replications, split"

// total is the weight of all looks: about the jobs of the path.
func (p *splitPart) total() (sum float64) {
	for k, n := range p.visits {
		sum += float64(n) * math.Pow(Copies, -float64(k))
	}
	return sum
}

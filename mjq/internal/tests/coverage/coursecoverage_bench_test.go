package coverage

import (
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// BenchmarkCoverageByTime prints how many intervals of replications from an
// empty queue on hold the means of the chain that is followed through time, where the long
// services of a rare class make most of the waiting: 60 runs a line of four parts each. About
// a minute on one core.
func BenchmarkCoverageByTime(b *testing.B) {
	const runs, parts = 60, 4
	for range b.N {
		for _, c := range []struct {
			scv, prob    float64
			replications int
			until        float64
		}{{1, 0.001, 400, 40}, {30, 0.001, 400, 40}, {30, 0.001, 2000, 20}, {100, 0.001, 1000, 40}, {30, 0.0001, 3000, 20}} {
			m := mjq.Servers(16).Poisson(6).Class("c", 1, 1-c.prob, mjq.ExpMean(1)).Class("r", 16, c.prob, mjq.HyperExpMeanSCV(5, c.scv))
			exact := mjq.Must(m.Transient(background, mjq.State{}, mjq.Horizon{Until: c.until, Parts: parts}, mjq.Exact{}))
			var known [4]held
			for seed := range uint64(runs) {
				x := mjq.Must(m.Transient(background, mjq.State{}, mjq.Horizon{Until: c.until, Parts: parts}, mjq.Simulation{Replications: c.replications},
					mjq.Seed(seed+1)))
				for k := range x.Parts {
					truth := ofPart(&exact.Parts[k])
					for i, e := range ofPart(&x.Parts[k]) {
						if !math.IsNaN(e.HalfWidth) {
							known[i].add(e, truth[i].Value)
						}
					}
				}
			}
			fmt.Printf("SCV %v, probability %v, %d replications up to %v, %d parts:", c.scv, c.prob, c.replications, c.until, runs*parts)
			for i, name := range []string{"mean wait", "variance", "queue", "waste"} {
				fmt.Printf(" %s %d of %d", name, known[i].in, known[i].runs)
			}
			fmt.Println()
		}
	}
}

func ofPart(p *result.Part) [4]result.Estimate {
	return [4]result.Estimate{p.All.Waiting.Mean, p.All.Waiting.Variance, p.MeanQueue, p.WastedHOL}
}

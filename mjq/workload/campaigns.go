package workload

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mjqueue/mjq/mjq/trace"
)

// Campaigns is a log in the Standard Workload Format of an invented centre with 64 processors, for
// trying things out. It has the habits of real ones: whole seconds, jobs that were cancelled before
// they ran, afternoons three times as busy as nights, and users who submit one to several equal jobs
// in a row. The same days and seed give the same bytes.
func Campaigns(days int, seed uint64) []byte {
	const perSecond = 1. / 1000 // campaigns, when it is busiest
	rng, jobs, out := rand.New(rand.NewPCG(seed, 1)), 0, new(bytes.Buffer)
	fmt.Fprintf(out, "; Version: 2.2\n; Note: synthetic, seed %d\n; MaxProcs: 64\n", seed)
	for now := 0.0; now < trace.Day*float64(days); now += rng.ExpFloat64() / perSecond {
		hour := 2 * math.Pi * (now/trace.Day - 0.625) // the peak is at three in the afternoon
		if rng.Float64() < (2+math.Cos(hour))/3 {
			jobs = writeCampaign(out, rng, math.Floor(now), jobs)
		}
	}
	return out.Bytes()
}

// writeCampaign writes jobs of equal need, numbered on from last, and returns the last number.
func writeCampaign(out *bytes.Buffer, rng *rand.Rand, now float64, last int) int {
	need := []int{1, 1, 1, 2, 4, 4, 8, 8, 16, 32}[rng.IntN(10)]
	mean := 900 * math.Sqrt(math.Sqrt(float64(need)))
	for n := 1 + int(rng.ExpFloat64()*3); n > 0; n-- {
		last++
		run, status := math.Round(mean*math.Exp(1.2*rng.NormFloat64()-0.72)), 1
		if rng.IntN(100) == 0 {
			run, status = 0, 5 // cancelled
		}
		fmt.Fprintf(out, "%d %.0f -1 %.0f %d -1 -1 %d -1 -1 %d -1 -1 -1 -1 -1 -1 -1\n", last, now, run, need, need, status)
		now += math.Floor(rng.ExpFloat64() * 60)
	}
	return last
}

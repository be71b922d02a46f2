package coverage

import (
	"math/rand/v2"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// killed is the share of the jobs that are stopped at their limits.
var killed = []shareOf{{name: "Killed", of: func(r *result.Result) result.Estimate { return r.All.Killed }}}

// killing replays logs of 16,000 jobs, each of which asks for too little time with a probability.
func killing(share float64) []coverageMethod {
	return []coverageMethod{{"Replay", func(seed uint64) (*result.Result, error) {
		rng := rand.New(rand.NewPCG(seed, 1))
		jobs, now := make([]trace.Job, 16_000), 0.0
		for i := range jobs {
			now += rng.ExpFloat64()
			j := trace.Job{Arrival: now, Need: 1, Service: rng.ExpFloat64(), Line: i + 1}
			if j.Estimate = 2 * j.Service; rng.Float64() < share {
				j.Estimate = j.Service / 2
			}
			jobs[i] = j
		}
		return trace.New("drawn", jobs).Replay(background, trace.Replay{Servers: 2, Policy: policy.EASY().Estimates(policy.Given()).Kill()}, mjq.NoCache())
	}}}
}

// always is a result that says how many jobs are killed.
func always(share float64) *result.Result {
	r := &result.Result{}
	r.All.Killed = result.Exact(share, "")
	return r
}

package trace

import (
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/policy"
)

// someLog has enough jobs to be worth remembering.
func someLog() *Trace {
	rng := rand.New(rand.NewPCG(1, 1))
	jobs, at := make([]Job, 60_000), 0.0
	for i := range jobs {
		at += rng.ExpFloat64()
		jobs[i] = Job{Arrival: at, Need: 1 + rng.IntN(8), Service: 2 * rng.ExpFloat64(), Estimate: 100}
	}
	return New("some", jobs)
}

// TestLogsAreRemembered: each verb on a log answers the second time from memory, and a job
// that has changed, a policy or a setting makes it another question.
func TestLogsAreRemembered(t *testing.T) {
	cache.In(t.TempDir())
	t.Cleanup(func() { cache.In("") })
	log, edited := someLog(), someLog()
	edited.Jobs[17].Service *= 2
	type ask func(opts ...mjq.Option) (known bool, err error)
	replay := func(log *Trace, how Replay, more ...mjq.Option) ask {
		return func(opts ...mjq.Option) (bool, error) {
			r, err := log.Replay(t.Context(), how, append(opts, more...)...)
			return err == nil && !r.Run.Remembered.IsZero(), err
		}
	}
	path := func(from, to float64) ask {
		return func(opts ...mjq.Option) (bool, error) {
			p, err := log.Path(t.Context(), Replay{Servers: 16}, from, to, opts...)
			return err == nil && !p.Remembered.IsZero(), err
		}
	}
	compare := func(policies ...mjq.Policy) ask {
		return func(opts ...mjq.Option) (bool, error) {
			c, err := log.Compare(t.Context(), Replay{Servers: 16}, policies, opts...)
			return err == nil && !c.Remembered.IsZero(), err
		}
	}
	asked := map[string]ask{
		"replay": replay(log, Replay{Servers: 16}), "edited": replay(edited, Replay{Servers: 16}), "servers": replay(log, Replay{Servers: 17}),
		"level": replay(log, Replay{Servers: 16}, mjq.Level(0.9)), "classes": replay(log, Replay{Servers: 16, Classes: PowersOfTwo}),
		"policy": replay(log, Replay{Servers: 16, Policy: policy.EASY()}), "path": path(0, 0), "part": path(10, 20_000),
		"compare": compare(policy.FCFS{}, policy.EASY()), "others": compare(policy.FCFS{}),
	}
	for round := range 2 {
		for name, ask := range asked {
			if known, err := ask(); err != nil || known != (round > 0) {
				t.Errorf("%s, round %d: remembered %v, %v", name, round, known, err)
			}
		}
	}
	for name, ask := range asked {
		if known, err := ask(mjq.NoCache()); err != nil || known {
			t.Errorf("fresh %s: remembered %v, %v", name, known, err)
		}
	}
}

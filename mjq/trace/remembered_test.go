package trace

import (
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/remember"
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
	remember.In(t.TempDir())
	t.Cleanup(func() { remember.In("") })
	log, edited := someLog(), someLog()
	edited.Jobs[17].Service *= 2
	type ask func() (known bool, err error)
	replay := func(q ReplayQuery) ask {
		return func() (bool, error) {
			r, err := q.Run(t.Context())
			return err == nil && !r.Run.Remembered.IsZero(), err
		}
	}
	path := func(q PathQuery) ask {
		return func() (bool, error) {
			p, err := q.Run(t.Context())
			return err == nil && !p.Remembered.IsZero(), err
		}
	}
	compare := func(q CompareQuery) ask {
		return func() (bool, error) {
			c, err := q.Run(t.Context())
			return err == nil && !c.Remembered.IsZero(), err
		}
	}
	asked := map[string]ask{
		"replay": replay(log.Replay(16)), "edited": replay(edited.Replay(16)), "servers": replay(log.Replay(17)), "level": replay(log.Replay(16).Level(0.9)),
		"classes": replay(log.Replay(16).PowersOfTwo()), "policy": replay(log.Replay(16).Policy(policy.EASY())),
		"path": path(log.Replay(16).Path()), "part": path(log.Replay(16).Path().Between(10, 20_000)),
		"compare": compare(log.Compare(16, policy.FCFS{}, policy.EASY())), "others": compare(log.Compare(16, policy.FCFS{})),
	}
	for round := range 2 {
		for name, ask := range asked {
			if known, err := ask(); err != nil || known != (round > 0) {
				t.Errorf("%s, round %d: remembered %v, %v", name, round, known, err)
			}
		}
	}
	for name, ask := range map[string]ask{"replay": replay(log.Replay(16).Fresh()), "path": path(log.Replay(16).Path().Fresh()),
		"compare": compare(log.Compare(16, policy.FCFS{}).Fresh())} {
		if known, err := ask(); err != nil || known {
			t.Errorf("fresh %s: remembered %v, %v", name, known, err)
		}
	}
}

package trace_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/trace"
)

// ticked is a replay in a loop tick by tick: at each one services end, jobs come in the order of the log,
// and then the queue starts what fits, in order or whatever fits.
func ticked(jobs []trace.Job, servers int, session float64, firstFit bool) (waits float64) {
	came, end := make([]float64, len(jobs)), make([]float64, len(jobs))
	before := make([]int, len(jobs))
	last := map[string]int{}
	for i, j := range jobs {
		came[i], end[i], before[i] = -1, math.Inf(1), -1
		if n, ok := last[j.User]; ok && j.User != "" {
			before[i] = n
		}
		last[j.User] = i
	}
	var queue []int
	free, left := servers, len(jobs)
	for now := 0.0; left > 0; now++ {
		for i, j := range jobs {
			if end[i] == now {
				free, left = free+j.Need, left-1
			}
		}
		for i, j := range jobs {
			comes := j.Arrival
			if n := before[i]; n >= 0 {
				p := jobs[n]
				think := j.Arrival - (p.Arrival + p.Waited + p.Service)
				switch {
				case came[n] < 0:
					comes = math.Inf(1)
				case think > session:
					comes = max(j.Arrival, came[n])
				case think >= 0:
					comes = end[n] + think
				default:
					comes = came[n] + j.Arrival - p.Arrival
				}
			}
			if came[i] < 0 && comes == now {
				came[i] = now
				queue = append(queue, i)
			}
		}
		queue = slices.DeleteFunc(queue, func(i int) bool {
			if free < 0 || jobs[i].Need > free {
				if !firstFit {
					free -= servers + 1 // nobody else starts in this pass
				}
				return false
			}
			free -= jobs[i].Need
			end[i] = now + jobs[i].Service
			waits += now - came[i]
			return true
		})
		for free < 0 {
			free += servers + 1
		}
	}
	return waits
}

// TestLoop holds replays in a loop against a twin by ticks, under two policies, with sessions and without.
func TestLoop(t *testing.T) {
	for seed := range uint64(oracle.Sized(150, 1500)) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var jobs []trace.Job
		at := 0.0
		for i := range 40 {
			at += float64(rng.IntN(4))
			user := []string{"ann", "bob", "cy", ""}[rng.IntN(4)]
			jobs = append(jobs, trace.Job{Arrival: at, Need: 1 + rng.IntN(4), Service: float64(1 + rng.IntN(9)), Waited: float64(rng.IntN(5)), WaitKnown: true, User: user, Line: i + 1})
		}
		log := &trace.Trace{Name: "loop", Jobs: jobs}
		for _, firstFit := range []bool{false, true} {
			how := trace.Replay{Servers: 5, Loop: true, Session: float64(rng.IntN(12))}
			session := how.Session
			if session == 0 {
				session = math.Inf(1) // the unit is not known
			}
			if firstFit {
				how.Policy = mjq.FirstFit()
			}
			r, err := log.Replay(context.Background(), how, mjq.NoCache())
			if err != nil {
				t.Fatal(err)
			}
			oracle.Relative(t, fmt.Sprintf("waits of seed %d, session %v", seed, session), 40*r.All.Waiting.Mean.Value, ticked(jobs, 5, session, firstFit), 1e-12)
		}
	}
}

// TestLoopAsLogged: where the replay serves as the scheduler did that wrote the log, every job comes when
// it did and waits as long.
func TestLoopAsLogged(t *testing.T) {
	var jobs []trace.Job
	for i := range 30 { // one server, one user who thinks for 2
		jobs = append(jobs, trace.Job{Arrival: float64(7 * i), Need: 1, Service: 5, WaitKnown: true, User: "ann"},
			trace.Job{Arrival: float64(7 * i), Need: 1, Service: 1, Waited: 5, WaitKnown: true, User: "bob"})
	}
	log := &trace.Trace{Name: "loop", Jobs: jobs, Unit: "h"}
	for servers, want := range []float64{1: 2.5, 2: 0} {
		if servers == 0 {
			continue
		}
		r, err := log.Replay(context.Background(), trace.Replay{Servers: servers, Loop: true, Session: mjq.None})
		if err != nil {
			t.Fatal(err)
		}
		oracle.Relative(t, fmt.Sprint(servers, " servers"), r.All.Waiting.Mean.Value, want, 1e-12)
	}
}

// TestLoopRefuses: settings that have no meaning.
func TestLoopRefuses(t *testing.T) {
	bare := []trace.Job{{Arrival: 1, Need: 1, Service: 1, User: "ann"}}
	for text, x := range map[string]struct {
		jobs []trace.Job
		how  trace.Replay
	}{
		"how long jobs waited":  {bare, trace.Replay{Servers: 1, Loop: true}},
		"who sent which job":    {[]trace.Job{{Arrival: 1, Need: 1, Service: 1, WaitKnown: true}}, trace.Replay{Servers: 1, Loop: true}},
		"without Loop":          {bare, trace.Replay{Servers: 1, Session: 5}},
		"longest think time":    {bare, trace.Replay{Servers: 1, Session: -5, Loop: true}},
		"along with Partitions": {bare, trace.Replay{Loop: true, Partitions: []trace.Partition{{Name: "", Servers: 1}}}},
	} {
		log := &trace.Trace{Name: "loop", Jobs: x.jobs}
		_, err := log.Replay(context.Background(), x.how)
		oracle.Mention(t, err, text)
	}
}

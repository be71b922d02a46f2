package trace_test

import (
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// TestSleepOnALog: two jobs by hand. Servers are set up for 2, go off 1 after they are needed last, and one
// stays awake.
func TestSleepOnALog(t *testing.T) {
	log := &trace.Trace{Name: "two", Jobs: []trace.Job{{Arrival: 0, Need: 2, Service: 3}, {Arrival: 10, Need: 1, Service: 4}, {Arrival: 11, Need: 2, Service: 1}}}
	how := trace.Replay{Servers: 3, Sleep: &spec.Sleep{After: mjq.Deterministic(1), Setup: mjq.Deterministic(2)}, Awake: 1, Watts: &mjq.Watts{Busy: 10, Idle: 5, Setup: 7, Asleep: 1}}
	r, err := log.Replay(context.Background(), how, mjq.NoCache())
	if err != nil {
		t.Fatal(err)
	}
	// Job 0 starts at 2 and ends at 5; its second server is off at 6. Job 1 starts at 10 on the server
	// that is awake. Job 2 waits from 11 to 13 for two servers, and ends at 14; they are off at 15.
	const end, busy, on, setup = 14.0, 2*3 + 4 + 2.0, 14 + 4 + 2.0, 2 + 4.0
	oracle.Relative(t, "waits", 3*r.All.Waiting.Mean.Value, 4, 1e-12)
	oracle.Relative(t, "on", r.Energy.On.Value*end, on, 1e-12)
	oracle.Relative(t, "setup", r.Energy.Setup.Value*end, setup, 1e-12)
	power := 10*busy + 5*(on-busy) + 7*setup + 1*(3*end-on-setup)
	oracle.Relative(t, "power", r.Energy.Power.Value*end, power, 1e-12)
	oracle.Relative(t, "energy of a job", r.Energy.PerJob.Value, power/3, 1e-12)
	how.Sleep, how.Awake = nil, 0
	if r, err = log.Replay(context.Background(), how, mjq.NoCache()); err != nil {
		t.Fatal(err)
	}
	oracle.Relative(t, "power without sleep", r.Energy.Power.Value, (10*busy+5*(3*14-busy))/14, 1e-12)
	how.Awake = 2
	_, err = log.Replay(context.Background(), how, mjq.NoCache())
	oracle.Mention(t, err, "Awake(2) without Sleep")
	how.Awake, how.Sleep, how.Policy = 0, &spec.Sleep{After: mjq.Deterministic(1), Setup: mjq.Deterministic(2)}, mjq.EASY()
	_, err = log.Replay(context.Background(), how, mjq.NoCache())
	oracle.Mention(t, err, "policy EASY along with Sleep", "choose FCFS or FirstFit")
}

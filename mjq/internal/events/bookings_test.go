package events

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
)

// TestReservedSchedules: schedules around a window that is reserved are those of the reference, job by
// job.
func TestReservedSchedules(t *testing.T) {
	policies := map[string]policy.Policy{"FCFS": policy.FCFS{}, "FirstFit": policy.FirstFit{}}
	seen := 0
	for _, v := range oracle.AllFrontier(t, "reserve") {
		seen++
		text, err := json.Marshal(v.Model)
		if err != nil {
			t.Fatal(err)
		}
		var x script
		if err := json.Unmarshal(text, &x); err != nil {
			t.Fatal(err)
		}
		fates, _, _, _ := x.fates(t, policies[v.Model["policy"].(string)], policy.Restart.After())
		sum := 0.
		for n, f := range fates {
			if sum += f[0]; f[0] != v.Starts[n] {
				t.Errorf("%s: job %d starts at %v, want %v", v.ID, n, f[0], v.Starts[n])
			}
		}
		oracle.Near(t, v.ID, sum)
	}
	if seen < 2 {
		t.Errorf("%d schedules", seen)
	}
}

// reservedScript is a random script with reservations, in which every job fits between two windows.
func reservedScript(rng *rand.Rand, fails bool) *script {
	x := randomScript(rng)
	if !fails {
		x.Failures, x.Spares = nil, 0
	}
	for range 1 + rng.IntN(2) {
		r := struct {
			Start, Length, Servers, Every int
			Hard                          bool
		}{rng.IntN(60), 1 + rng.IntN(15), 1 + rng.IntN(x.Servers), 0, rng.IntN(3) == 0}
		if rng.IntN(3) == 0 && len(x.Reservations) == 0 {
			r.Every = r.Length + 90 + rng.IntN(30)
		}
		x.Reservations = append(x.Reservations, r)
	}
	return x
}

// TestReservedTwin: on random scripts with reservations, hard ones too, the engine gives, job by job,
// the schedule of a run tick by tick with a table of the servers that are free at every instant.
func TestReservedTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 6))
	moved := 0
	policies := []struct {
		policy.Policy
		depth int
	}{{policy.FCFS{}, blocks}, {policy.FirstFit{}, 0}, {policy.EASY(), 1}, {policy.Backfill{Depth: 2}, 2}, {policy.Conservative(), policy.All}}
	for n := range oracle.Sized(500, 20000) {
		x := reservedScript(rng, n%3 == 0)
		after := policy.Checkpoint{How: policy.Restart, Recovery: float64(rng.IntN(3))}
		if rng.IntN(2) == 0 {
			after = policy.Checkpoint{Every: float64(2 + rng.IntN(6)), Cost: float64(rng.IntN(2)), Detection: float64(rng.IntN(3))}
		}
		how := policies[n%len(policies)]
		fates, _, _, _ := x.fates(t, how, after)
		twin := x.tick(after, how.depth)
		free := *x
		free.Reservations = nil
		without, _, _, _ := free.fates(t, how, after)
		var got, want []string
		for i, f := range fates {
			j := &twin.jobs[i]
			got, want = append(got, fmt.Sprint(f[:3])), append(want, fmt.Sprint([]int{j.start, j.end, j.hits}))
			if f[0] != without[i][0] {
				moved++
			}
		}
		if !slices.Equal(got, want) {
			text, _ := json.Marshal(x)
			t.Fatalf("case %d under %v, %v: %v\ntick by tick %v\n%s", n, how, after, strings.Join(got, " "), strings.Join(want, " "), text)
		}
	}
	if moved < 250 {
		t.Errorf("reservations moved only %d jobs", moved)
	}
}

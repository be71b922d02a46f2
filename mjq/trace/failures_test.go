package trace_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// TestReplayWithFailures: a replay with given failures has the mean response and the interruptions of
// the schedules of the reference.
func TestReplayWithFailures(t *testing.T) {
	for _, v := range oracle.AllFrontier(t, "script") {
		if !strings.HasSuffix(v.ID, "-ends") {
			continue
		}
		var x struct {
			Servers, Spares int
			Jobs            []struct{ Arrival, Need, Work float64 }
			Failures        []trace.Failure
			Crews           int
			After           struct {
				Every                     float64 `json:"checkpoint_every"`
				Cost, Recovery, Detection float64
			}
		}
		if err := json.Unmarshal(mjq.Must(json.Marshal(v.Model)), &x); err != nil {
			t.Fatal(err)
		}
		how := trace.Replay{Servers: x.Servers, Spares: x.Spares, Crews: x.Crews, Failures: x.Failures}
		if x.After.Every > 0 {
			how.After = mjq.Checkpoint{Every: x.After.Every, Cost: x.After.Cost, Recovery: x.After.Recovery, Detection: x.After.Detection}
		}
		log := &trace.Trace{Name: v.ID}
		came, hits, first := 0., 0., 0.
		for n, j := range x.Jobs {
			log.Jobs = append(log.Jobs, trace.Job{Arrival: j.Arrival, Need: int(j.Need), Service: j.Work})
			came += j.Arrival
			hits += v.Fates[n][2]
			first += v.Fates[n][0]
		}
		r, err := log.Replay(context.Background(), how)
		if err != nil {
			t.Fatal(err)
		}
		jobs := float64(len(x.Jobs))
		if got := r.All.Response.Mean.Value; math.Abs(got-(v.Value-came)/jobs) > 1e-9 {
			t.Errorf("%s: mean response %v, want %v", v.ID, got, (v.Value-came)/jobs)
		}
		none := how
		none.Failures, none.After, none.Crews, none.Spares = nil, nil, 0, 0
		if other, err := log.Replay(context.Background(), none); err != nil || other.All.Response.Mean == r.All.Response.Mean || other.Up.Known() {
			t.Errorf("%s: without failures %v, %v", v.ID, other, err)
		}
		if got := r.All.Interruptions.Value; math.Abs(got-hits/jobs) > 1e-9 {
			t.Errorf("%s: %v interruptions a job, want %v", v.ID, got, hits/jobs)
		}
		if got := r.All.FirstStart.Value; math.Abs(got-(first-came)/jobs) > 1e-9 {
			t.Errorf("%s: first start after %v, want %v", v.ID, got, (first-came)/jobs)
		}
		if !(r.Up.Value > 0 && r.Up.Value <= float64(x.Servers)) || !strings.Contains(r.String(), "failures undid") {
			t.Errorf("%s: %v servers are up\n%v", v.ID, r.Up, r)
		}
	}
}

// TestReplayWithReservations: a replay with a window that is reserved has the starts of the reference.
func TestReplayWithReservations(t *testing.T) {
	policies := map[string]mjq.Policy{"FCFS": nil, "FirstFit": mjq.FirstFit()}
	for _, v := range oracle.AllFrontier(t, "reserve") {
		var x struct {
			Servers      int
			Policy       string
			Jobs         []struct{ Arrival, Need, Work float64 }
			Reservations []spec.Reservation
		}
		if err := json.Unmarshal(mjq.Must(json.Marshal(v.Model)), &x); err != nil {
			t.Fatal(err)
		}
		log, came := &trace.Trace{Name: v.ID}, 0.
		for _, j := range x.Jobs {
			log.Jobs = append(log.Jobs, trace.Job{Arrival: j.Arrival, Need: int(j.Need), Service: j.Work})
			came += j.Arrival
		}
		r, err := log.Replay(context.Background(), trace.Replay{Servers: x.Servers, Policy: policies[x.Policy], Reserve: x.Reservations})
		if err != nil {
			t.Fatal(err)
		}
		if jobs := float64(len(x.Jobs)); math.Abs(r.All.Waiting.Mean.Value-(v.Value-came)/jobs) > 1e-9 {
			t.Errorf("%s: mean wait %v, want %v", v.ID, r.All.Waiting.Mean.Value, (v.Value-came)/jobs)
		}
	}
}

// TestReplayFailureFaults: what is wrong with given failures is told all at once.
func TestReplayFailureFaults(t *testing.T) {
	log := &trace.Trace{Name: "two", Jobs: []trace.Job{{Arrival: 0, Need: 2, Service: 5}, {Arrival: 1, Need: 4, Service: 5}}}
	for want, how := range map[string]trace.Replay{
		"without Failures":                 {Servers: 4, Crews: 1},
		"from 0 to 3":                      {Servers: 4, Failures: []trace.Failure{{Server: 4}}},
		"not negative":                     {Servers: 4, Failures: []trace.Failure{{Repair: -1}}},
		"give a finite one":                {Servers: 4, Failures: []trace.Failure{{Time: math.NaN()}}},
		"job 1 needs 4 of the 3":           {Servers: 4, Spares: 1, Failures: []trace.Failure{{}}},
		"choose restart":                   {Servers: 4, After: mjq.Resampled, Failures: []trace.Failure{{}}},
		"counts on all servers":            {Servers: 4, Policy: mjq.ServerFilling(), Failures: []trace.Failure{{}}},
		"does not plan with servers":       {Servers: 4, Policy: mjq.LeastServersFirst(), Reserve: []spec.Reservation{{Start: 2, Length: 1, Servers: 1}}},
		"from 1 to 4 servers":              {Servers: 4, Reserve: []spec.Reservation{{Start: 2, Length: 1, Servers: 5}}},
		"would never start":                {Servers: 4, Reserve: []spec.Reservation{{Start: 2, Length: 1, Servers: 1, Every: 4}}},
		"replay the jobs of one partition": {Partitions: []trace.Partition{{Name: "a", Servers: 4}}, Failures: []trace.Failure{{}}},
	} {
		if _, err := log.Replay(context.Background(), how); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

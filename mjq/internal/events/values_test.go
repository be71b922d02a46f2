package events

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// value is an entry of the file of exact values.
type value struct {
	ID, Model, Policy, Quantity     string
	Window, Threshold               *int
	Servers                         int
	ArrivalRate, ArrivalProbability float64
	Classes                         []struct {
		Need                            int
		Rate, Probability, ServiceSlots float64
	}
	D0    [][]float64   // of a MAP
	D     [][][]float64 // its arrivals, by size of batch or by class
	Class int
	Value float64
}

// name is the policy with its parameter.
func (v *value) name() string {
	for _, n := range []*int{v.Window, v.Threshold} {
		if n != nil {
			return fmt.Sprintf("%s(%d)", v.Policy, *n)
		}
	}
	return v.Policy
}

// systems are the values of a model, by system and policy.
func systems(t testing.TB, model string) (list [][]value) {
	data, err := os.ReadFile("../../testdata/policy_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Values []value }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	index := map[string]int{}
	for _, v := range file.Values {
		if v.Model != model {
			continue
		}
		key, _, _ := strings.Cut(v.ID, "/")
		if _, known := index[key]; !known {
			index[key] = len(list)
			list = append(list, nil)
		}
		list[index[key]] = append(list[index[key]], v)
	}
	return list
}

// fewJobs are recorded in each of the replications of an ordinary test.
const fewJobs = 10_000

// TestPoissonValues holds one system of every policy against exact values. With
// MJQ_VALUES=all it takes all systems and five times the jobs, which takes some
// minutes:
//
//	MJQ_VALUES=all go test -run Values -v -timeout 60m ./mjq/internal/events
//
// Every system has random numbers of its own, so that the errors of systems are independent.
func TestPoissonValues(t *testing.T) {
	all := os.Getenv("MJQ_VALUES") == "all"
	seen, of := map[string]bool{}, scores{}
	for i, values := range systems(t, "poisson") {
		v := &values[0]
		if !all && seen[v.Policy] {
			continue
		}
		seen[v.Policy] = true
		length := int64(fewJobs)
		if all {
			length *= 10
		}
		r := simulateValue(v, uint64(i+11), length)
		if len(r.Violations) > 0 || r.Unfinished > 0 {
			t.Errorf("%s: %v, %d jobs unfinished", v.ID, r.Violations, r.Unfinished)
		}
		for i := range values {
			v := &values[i]
			if e, measured := r.quantity(v); measured {
				of.add(t, v.ID, e, v.Value)
			}
		}
	}
	if len(seen) != 13 {
		t.Errorf("%d policies were looked at", len(seen))
	}
	of.check(t, 50)
}

// simulateValue simulates the system of a value.
func simulateValue(v *value, seed uint64, length int64) *measured {
	plan := &Plan{System: compiled.System{Servers: v.Servers, Classes: len(v.Classes), Policy: named(v.name())}, Replications: 24, Batches: 1, InTime: 1e-9,
		WarmUp: length / 10, Length: length, Level: 0.95, Workers: 2}
	var classes []stream.Class
	for _, c := range v.Classes {
		plan.Needs = append(plan.Needs, c.Need)
		classes = append(classes, stream.Class{Need: c.Need, Prob: c.Probability, Service: law.ExpRate(c.Rate)})
	}
	plan.Input = stream.New(seed, law.ExpRate(v.ArrivalRate), classes)
	return &measured{plan.Run(context.Background(), nil), float64(v.Servers)}
}

// measured is a result with the names of the file.
type measured struct {
	*Result
	servers float64
}

func (r *measured) quantity(v *value) (e result.Estimate, known bool) {
	c := &r.Classes[v.Class]
	switch v.Quantity {
	case "wait":
		return r.All.Waiting.Mean, true
	case "response":
		return r.All.Response.Mean, true
	case "waitByClass":
		return c.Waiting.Mean, true
	case "responseByClass":
		return c.Response.Mean, true
	case "startAtOnceByClass":
		// For the big jobs of armed quickswap the file gives less than the probability
		// of an empty system, in which they start at once by their mean waits in the
		// same file: its chain goes through a mode first.
		if v.Policy == "quickswapArmed" && v.Class == 1 {
			return e, false
		}
		return c.WaitingInTime, true
	case "meanNumber":
		return r.System, true
	case "meanQueue":
		return r.Queue, true
	case "utilisation":
		e := r.Idle
		e.Value, e.HalfWidth = 1-e.Value/r.servers, e.HalfWidth/r.servers
		return e, true
	}
	return e, false
}

// slots is an input with at most one arrival at a whole time.
type slots struct {
	v   *value
	rng *rand.Rand
}

func (s slots) Fill(dst []stream.Job, _ int64) {
	for i := range dst {
		gap := 1.0
		for s.rng.Float64() >= s.v.ArrivalProbability {
			gap++
		}
		u, class := s.rng.Float64(), 0
		for u >= s.v.Classes[class].Probability && class+1 < len(s.v.Classes) {
			u -= s.v.Classes[class].Probability
			class++
		}
		c := s.v.Classes[class]
		dst[i] = stream.Job{Gap: gap, Service: c.ServiceSlots, Class: int32(class), Need: int32(c.Need)}
	}
}

// TestSlottedValues holds backfilling with exact estimates against chains in discrete
// time.
func TestSlottedValues(t *testing.T) {
	const replications, jobs = 24, 10_000
	for _, values := range systems(t, "slotted") {
		v := &values[0]
		waits := make([][]estimate.Batch, len(v.Classes)+1)
		for rep := range uint64(replications) {
			sums := make([]estimate.Batch, len(waits))
			s := New(compiled.System{Servers: v.Servers, Policy: named(v.name()), Needs: []int{v.Classes[0].Need, v.Classes[1].Need}})
			s.Recorded = func(r *Record) {
				for _, c := range []int{int(r.Class), len(waits) - 1} {
					sums[c].N++
					sums[c].X += r.Wait
					sums[c].X2 += r.Wait * r.Wait
				}
			}
			s.Reset(slots{v, rand.New(rand.NewPCG(rep, 77))})
			s.Until(jobs)
			for c := range waits {
				waits[c] = append(waits[c], sums[c])
			}
		}
		for _, v := range values {
			c := len(waits) - 1
			switch v.Quantity {
			case "waitByClass":
				c = v.Class
			case "meanQueue":
				continue
			}
			e, _, _ := estimate.OfBatches(waits[c], 0.95, "")
			if z := (e.Value - v.Value) / (e.HalfWidth / result.StudentT(0.95, replications-1)); math.Abs(z) > 4 {
				t.Errorf("%s: %v, exact %.6g, z = %.2f", v.ID, e, v.Value, z)
			}
		}
	}
}

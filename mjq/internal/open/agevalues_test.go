package open

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// value is an entry of the file of exact values: truncated chains by another
// program.
type value struct {
	ID, Model, Policy, Quantity string
	Servers                     int
	Classes                     []struct {
		Need              int
		Rate, Probability float64
	}
	Stages []struct {
		Need, Next  int
		Rate, Entry float64
	}
	D0               [][]float64
	D                [][][]float64
	Class            int
	Value, Tolerance float64
}

// system is that of the value.
func (v *value) system() states.System {
	s := states.System{Servers: v.Servers}
	for _, c := range v.Classes {
		prob := c.Probability
		if v.Model == "markedMAP" {
			prob = 1 / float64(len(v.Classes))
		}
		s.Classes = append(s.Classes, states.Class{Need: c.Need, Prob: prob, Alpha: []float64{1}, A: [][]float64{{-c.Rate}}})
	}
	for need := 1; need <= 2 && len(v.Stages) > 0; need++ { // the file has both needs, in this order
		c := states.Class{Need: need}
		first := len(v.Stages)
		for i, stage := range v.Stages {
			if stage.Need == need {
				first = min(first, i)
				c.Prob += stage.Entry
				c.Alpha, c.A = append(c.Alpha, stage.Entry), append(c.A, make([]float64, 2))
				c.A[i-first][i-first] = -stage.Rate
				if stage.Next >= 0 {
					c.A[i-first][stage.Next-first] = stage.Rate
				}
			}
		}
		for i := range c.Alpha {
			c.Alpha[i] /= c.Prob
		}
		s.Classes = append(s.Classes, c)
	}
	return s
}

// process is the arrivals of the value.
func (v *value) process() states.Arrivals {
	a := states.Arrivals{D0: v.D0}
	for k, rates := range v.D {
		e := states.Event{Rates: rates, Size: k + 1, Class: states.Open}
		if v.Model == "markedMAP" {
			e = states.Event{Rates: rates, Size: 1, Class: k}
		}
		a.Events = append(a.Events, e)
	}
	return a
}

// TestAgesOfValues holds waits, counts by Little's law and probabilities against
// truncated chains, to 1e-9.
func TestAgesOfValues(t *testing.T) {
	data, err := os.ReadFile("../../testdata/policy_values.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Values []value }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	known, held := map[string]*Ages{}, 0
	for i := range file.Values {
		v := &file.Values[i]
		if v.Policy != "fcfs" || v.Model != "MAP" && v.Model != "batchMAP" && v.Model != "markedMAP" {
			continue
		}
		id, _, _ := strings.Cut(v.ID, "/")
		if known[id] == nil {
			known[id] = aged(t, v.system(), v.process())
		}
		if got, ok := known[id].quantity(t, v); ok {
			held++
			if math.Abs(got-v.Value) > 2*v.Tolerance {
				t.Errorf("%s: %.13g, want %.13g", v.ID, got, v.Value)
			}
		}
	}
	if len(known) != 15 || held != 217 {
		t.Errorf("%d values of %d systems", held, len(known))
	}
}

// quantity is what a value is about.
func (s *Ages) quantity(t *testing.T, v *value) (float64, bool) {
	classes, err := s.Classes()
	if err != nil {
		t.Fatal(err)
	}
	o := s.Idleness()
	var rate, wait, work float64
	sys := v.system()
	services := make([]float64, len(classes))
	for i, c := range classes {
		plan := states.System{Servers: sys.Servers, Classes: []states.Class{{Need: 1, Prob: 1, Alpha: sys.Classes[i].Alpha, A: sys.Classes[i].A}}}.Compile()
		services[i] = plan.MeanService()
		rate += c.Rate
		wait += c.Rate * c.Mean
		work += c.Rate * services[i]
	}
	switch v.Quantity {
	case "wait":
		return wait / rate, true
	case "response":
		return (wait + work) / rate, true
	case "meanQueue":
		return wait, true
	case "meanNumber":
		return wait + work, true
	case "utilisation":
		return 1 - o.Idle/float64(v.Servers), true
	case "probEmpty":
		return o.Nobody, true
	case "arrivalRate":
		return rate, true
	case "probAllBusy":
		return s.full(), true
	case "waitByClass":
		return classes[v.Class].Mean, true
	case "responseByClass":
		return classes[v.Class].Mean + services[v.Class], true
	case "meanSquareNumber":
		if v.Model == "markedMAP" {
			return 0, false
		}
		jobs, _ := counts(t, sys, v.process()).Factorials()
		return jobs[0] + jobs[1], true
	case "startAtOnceByClass":
		if v.Model == "batchMAP" {
			return s.alone(v.Class), true
		}
		return classes[v.Class].Zero, true
	}
	return 0, false
}

// full is the probability that no server is free.
func (s *Ages) full() (p float64) {
	for i, q := range s.zero {
		if s.free[s.ages.zero.list[i].node] == 0 {
			p += q
		}
	}
	for i, q := range s.waiting {
		if s.free[s.up.list[i].node] == 0 {
			p += q
		}
	}
	return p
}

// alone is the probability that a job would start at once if it came alone when
// others come, alone or in batches: what the file has of batches.
func (s *Ages) alone(class int) float64 {
	var fits, all float64
	pi := s.arrivals.Phases()
	for _, e := range s.arrivals.Events {
		for i, p := range s.zero {
			state := s.ages.zero.list[i]
			if s.Plan.Kinds[s.Of[class]].Need <= s.free[state.node] {
				fits += p * floats.Sum(e.Rates[state.phase])
			}
		}
		for j, p := range pi {
			all += p * floats.Sum(e.Rates[j])
		}
	}
	return fits / all
}

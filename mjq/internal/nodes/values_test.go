package nodes

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

var most = chain.Limits{States: 100_000, Bytes: 1e9, Flops: 1e11}

// exponential is a class with exponential services.
func exponential(need int, prob, mean float64) states.Class {
	return states.Class{Need: need, Prob: prob, Alpha: []float64{1}, A: [][]float64{{-1 / mean}}}
}

// written is the system of a reference value.
func written(t *testing.T, v oracle.Extension) (*System, float64) {
	t.Helper()
	placement, _, _ := strings.Cut(v.Model["placement"].(string), ",")
	s := &System{Nodes: int(v.Model["nodes"].(float64)), Units: int(v.Model["units_of_a_node"].(float64)),
		Score: placements[placement]}
	for _, c := range v.Model["classes"].([]any) {
		x, mean := c.(map[string]any), 0.0
		if _, err := fmt.Sscanf(x["service"].(string), "ExpMean(%g)", &mean); err != nil {
			t.Fatal(v.ID, err)
		}
		s.Classes = append(s.Classes, exponential(int(x["need"].(float64)), x["prob"].(float64), mean))
	}
	rate, _ := v.Model["rate"].(float64)
	return s, rate
}

// TestValues holds the chains against all values that another program computed.
func TestValues(t *testing.T) {
	solved := map[string]*Measures{}
	for _, v := range oracle.AllExtended(t, "nodes-") {
		s, rate := written(t, v)
		name := v.ID[strings.LastIndex(v.ID, "-")+1:]
		if name == "limit" {
			l, err := s.Limit(context.Background(), most)
			if err != nil {
				t.Fatal(v.ID, err)
			}
			oracle.Near(t, v.ID, l.Rate)
			continue
		}
		model := fmt.Sprint(v.Model)
		if solved[model] == nil {
			m, err := s.solve(rate, v.Model["loss"] != nil)
			if err != nil {
				t.Fatal(v.ID, err)
			}
			solved[model] = m
		}
		oracle.Near(t, v.ID, solved[model].named(t, name))
	}
}

func (s *System) solve(rate float64, loss bool) (*Measures, error) {
	if loss {
		return s.Rooms(context.Background(), queue.System{Rate: rate}, most)
	}
	return s.Queue(context.Background(), rate, 1e9, nil)
}

// named is a quantity by its short name in the reference values.
func (m *Measures) named(t *testing.T, name string) float64 {
	switch {
	case name == "held":
		return m.Held
	case name == "stranded":
		return m.Stranded
	}
	class := int(name[1] - '0')
	switch name[0] {
	case 'B':
		return m.Blocked[class]
	case 'F':
		return m.Scattered[class]
	case 'W':
		mean, _ := m.Little(class)
		return mean
	}
	t.Fatalf("no quantity %s", name)
	return 0
}

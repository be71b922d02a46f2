package events

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// arrivals are those of a value, which marks classes "0", "1", ... if it marks any.
func (v *value) arrivals() arrival.Process {
	if v.Model != "markedMAP" {
		return arrival.BatchMAP(v.D0, v.D...)
	}
	byClass := map[string][][]float64{}
	for k, d := range v.D {
		byClass[fmt.Sprint(k)] = d
	}
	return arrival.MarkedMAP(v.D0, byClass)
}

// TestArrivalValues holds every policy that the file has under correlated, batch
// and marked arrivals against exact values.
func TestArrivalValues(t *testing.T) {
	var squares, n float64
	for _, model := range []string{"MAP", "batchMAP", "markedMAP"} {
		for _, values := range systems(t, model) {
			v := &values[0]
			if v.Classes == nil {
				continue // phases of service; mjq/internal/stream has them
			}
			p := v.arrivals()
			if err := p.Validate(); err != nil {
				t.Fatal(err)
			}
			plan := &Plan{System: compiled.System{Servers: v.Servers, Classes: len(v.Classes), Policy: named(v.name())}, Replications: 24, Batches: 1,
				WarmUp: 1000, Length: 4000, Level: 0.95, Workers: 2}
			var classes []stream.Class
			for _, c := range v.Classes {
				plan.Needs = append(plan.Needs, c.Need)
				classes = append(classes, stream.Class{Need: c.Need, Prob: c.Probability, Service: law.ExpRate(c.Rate)})
			}
			plan.Input = stream.NewFrom(13, p, classes, "0", "1")
			r := &measured{plan.Run(context.Background(), nil), float64(v.Servers)}
			if len(r.Violations) > 0 || r.Unfinished > 0 {
				t.Errorf("%s: %v, %d jobs unfinished", v.ID, r.Violations, r.Unfinished)
			}
			for i := range values {
				v := &values[i]
				if v.Quantity == "arrivalRate" && math.Abs(p.Rate()-v.Value) > 1e-9 {
					t.Errorf("%s: %v, exact %v", v.ID, p.Rate(), v.Value)
				}
				if v.Model == "batchMAP" && v.Quantity == "startAtOnceByClass" {
					continue // of the file it is that of a job alone, not behind others of its batch
				}
				if e, measured := r.quantity(v); measured {
					z := (e.Value - v.Value) / (e.HalfWidth / result.StudentT(e.Level, e.N-1))
					squares += z * z
					n++
					if math.Abs(z) > 4 {
						t.Errorf("%s: %v, exact %.6g, z = %.2f", v.ID, e, v.Value, z)
					}
				}
			}
		}
	}
	if rms := math.Sqrt(squares / n); n != 232 || rms > 1.4 || rms < 0.4 {
		t.Errorf("rms z = %.2f of %v values", rms, n)
	}
}

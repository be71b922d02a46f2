package beam

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
)

// Sweep is a sweep over a grid, as mjq.Sweep makes it, in a form that can be
// written: what is nil or zero is left as mjq.Sweep has it by default.
type Sweep struct {
	Model        *mjq.Model `json:"model"`
	Shapes       []Shape    `json:"shapes,omitempty"`       // service laws instead of those of the model
	Servers      []int      `json:"servers,omitempty"`      // numbers of servers
	Rates        []float64  `json:"rates,omitempty"`        // jobs per unit of time
	Loads        []float64  `json:"loads,omitempty"`        // fractions of the stability limit
	Samples      int        `json:"samples,omitempty"`      // per point; 10,000 if 0
	Eps          float64    `json:"eps,omitempty"`          // of certified samples; backward ones if 0
	Verb         string     `json:"verb,omitempty"`         // of RegisterVerb, instead of samples
	Replications int        `json:"replications,omitempty"` // jobs per point; 1 if 0
	Seed         uint64     `json:"seed,omitempty"`         // that of mjq.Sweep if 0
	Level        float64    `json:"level,omitempty"`        // of the intervals; 0.95 if 0
}

// Shape is a family of service laws that differ in scale only: a class has the
// law that is Law scaled to the mean which the class has in the model.
type Shape struct {
	Name string
	Law  mjq.Law
}

type shapeForm struct {
	Name string          `json:"name"`
	Law  json.RawMessage `json:"law"`
}

// MarshalJSON writes the law exactly; see law.Marshal for what makes it fail.
func (s Shape) MarshalJSON() ([]byte, error) {
	text, err := law.Marshal(s.Law)
	if err != nil {
		return nil, fmt.Errorf("shape %q: %w", s.Name, err)
	}
	return json.Marshal(shapeForm{s.Name, text})
}

// UnmarshalJSON reads a name and a law; see law.Unmarshal for the faults.
func (s *Shape) UnmarshalJSON(data []byte) error {
	var in shapeForm
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("shape: %w", err)
	}
	l, err := law.Unmarshal(in.Law)
	if err != nil {
		return fmt.Errorf("shape %q: %w", in.Name, err)
	}
	*s = Shape{in.Name, l}
	return nil
}

// Query is the same sweep for this machine: Query().Run(ctx) gives what the
// pipeline gives. The error names a missing model and a verb that is not
// registered; what else is wrong, Run says.
func (s *Sweep) Query() (mjq.SweepQuery, error) {
	if s.Model == nil {
		return mjq.SweepQuery{}, errors.New("beam: the sweep has no Model; give one")
	}
	q := mjq.Sweep(s.Model).Servers(s.Servers...).Rates(s.Rates...).Loads(s.Loads...)
	var families []mjq.LawFamily
	for _, shape := range s.Shapes {
		if shape.Law == nil || shape.Law.Validate() != nil || !(shape.Law.Mean() > 0) {
			return mjq.SweepQuery{}, fmt.Errorf("beam: the shape %q has no valid law of a positive mean; give one", shape.Name)
		}
		families = append(families, mjq.LawFamily{Name: shape.Name, Of: func(mean float64) mjq.Law {
			return shape.Law.Scaled(mean / shape.Law.Mean())
		}})
	}
	if families != nil {
		q = q.Laws(families...)
	}
	samples := s.Samples
	if samples == 0 {
		samples = 10_000
	}
	switch f := verbs[s.Verb]; {
	case f != nil:
		q = q.By(s.Verb, f)
	case s.Verb != "":
		return mjq.SweepQuery{}, fmt.Errorf("beam: the verb %q is not registered in this program; call RegisterVerb in an init function", s.Verb)
	case s.Eps != 0:
		q = q.Using(s.Model.Sample().Certified(s.Eps).N(samples))
	default:
		q = q.Using(s.Model.Sample().Backward().N(samples))
	}
	return s.settings(q), nil
}

// settings are passed on unless they are zero.
func (s *Sweep) settings(q mjq.SweepQuery) mjq.SweepQuery {
	if s.Replications != 0 {
		q = q.Replications(s.Replications)
	}
	if s.Seed != 0 {
		q = q.Seed(s.Seed)
	}
	if s.Level != 0 {
		q = q.Level(s.Level)
	}
	return q
}

// jobs is the number of jobs of the sweep, which is the largest number of
// parts that have something to do.
func (s *Sweep) jobs() int {
	one := func(n int) int { return max(n, 1) }
	return one(len(s.Shapes)) * one(len(s.Servers)) * one(len(s.Rates)+len(s.Loads)) * one(s.Replications)
}

package beam

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// Sweep is a sweep over a grid, as mjq.Sweep makes it, in a form that can be
// written: what is nil or zero is left as mjq.Sweep has it by default.
type Sweep struct {
	Model        mjq.Model `json:"model"`
	Shapes       []Shape   `json:"shapes,omitempty"`       // service laws instead of those of the model
	Servers      []int     `json:"servers,omitempty"`      // numbers of servers
	Rates        []float64 `json:"rates,omitempty"`        // jobs per unit of time
	Loads        []float64 `json:"loads,omitempty"`        // fractions of the stability limit
	Samples      int       `json:"samples,omitempty"`      // per point; 10,000 if 0
	Eps          float64   `json:"eps,omitempty"`          // of certified samples; backward ones if 0
	Verb         string    `json:"verb,omitempty"`         // of RegisterVerb, instead of samples
	Replications int       `json:"replications,omitempty"` // jobs per point; 1 if 0
	Seed         uint64    `json:"seed,omitempty"`         // that of mjq.Sweep if 0
	Level        float64   `json:"level,omitempty"`        // of the intervals; 0.95 if 0
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

// Run is the same sweep on this machine, with options besides: it gives what the pipeline
// gives. The error names a missing model and a verb that is not registered; what else is
// wrong, mjq.Sweep says.
func (s *Sweep) Run(ctx context.Context, opts ...mjq.Option) (*result.Sweep, error) {
	grid, how, err := s.question()
	if err != nil {
		return nil, err
	}
	return mjq.Sweep(ctx, s.Model, grid, append(how, opts...)...)
}

// question is the grid and the options of the sweep.
func (s *Sweep) question() (mjq.Grid, []mjq.Option, error) {
	grid := mjq.Grid{Servers: s.Servers, Rates: s.Rates, Loads: s.Loads, Replications: s.Replications}
	if err := s.Model.Err(); err != nil {
		return grid, nil, fmt.Errorf("beam: the sweep has no Model that can be asked: %w", err)
	}
	for _, shape := range s.Shapes {
		if shape.Law == nil || shape.Law.Validate() != nil || !(shape.Law.Mean() > 0) {
			return grid, nil, fmt.Errorf("beam: the shape %q has no valid law of a positive mean; give one", shape.Name)
		}
		grid.Laws = append(grid.Laws, mjq.LawFamily{Name: shape.Name, Of: func(mean float64) mjq.Law {
			return shape.Law.Scaled(mean / shape.Law.Mean())
		}})
	}
	how, err := s.method()
	opts := []mjq.Option{how}
	if s.Seed != 0 {
		opts = append(opts, mjq.Seed(s.Seed))
	}
	if s.Level != 0 {
		opts = append(opts, mjq.Level(s.Level))
	}
	return grid, opts, err
}

// method is the verb that is registered, or a sampler.
func (s *Sweep) method() (mjq.Method, error) {
	samples := s.Samples
	if samples == 0 {
		samples = 10_000
	}
	switch f := verbs[s.Verb]; {
	case f != nil:
		return mjq.MethodFunc(s.Verb, f), nil
	case s.Verb != "":
		return nil, fmt.Errorf("beam: the verb %q is not registered in this program; call RegisterVerb in an init function", s.Verb)
	case s.Eps != 0:
		return mjq.Certified{Eps: s.Eps, Samples: samples}, nil
	}
	return mjq.Backward{Samples: samples}, nil
}

// jobs is the number of jobs of the sweep, which is the largest number of
// parts that have something to do.
func (s *Sweep) jobs() int {
	one := func(n int) int { return max(n, 1) }
	return one(len(s.Shapes)) * one(len(s.Servers)) * one(len(s.Rates)+len(s.Loads)) * one(s.Replications)
}

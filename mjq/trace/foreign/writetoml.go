package foreign

import (
	"errors"
	"fmt"
	"io"

	"github.com/pelletier/go-toml/v2"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// WriteTOML writes one first-come first-served system as mjqm-simulator reads it: shared
// arrivals and a probability a class. Means are written as means, so ReadTOML reads them back
// bit-identical. Only laws that the simulator has can be written; its lognormal law has SCV
// 1/4.
func WriteTOML(w io.Writer, identifier string, events, repetitions int, s *spec.Spec) error {
	switch {
	case s.Load != nil:
		return fmt.Errorf("writing TOML: the model is at load %v and its arrival rate not known; write what m.Resolve(ctx) returns", *s.Load)
	case !s.FirstCome():
		return fmt.Errorf("writing TOML: policy %v; only first come first served is written", s.Policy)
	case s.Features().Has(spec.Unlike | spec.Placed):
		return errors.New("writing TOML: the simulator knows identical servers only")
	}
	doc := document[[]class]{Identifier: identifier}
	doc.Events, doc.Repetitions, doc.Cores, doc.Policy = given(events), given(repetitions), given(s.Servers), "fifo"
	doc.Arrival.Distribution = "exponential"
	if s.Arrivals != nil {
		gap, ok := s.Gap()
		if !ok {
			return fmt.Errorf("writing TOML: the simulator knows no arrivals %v; give independent gaps", s.Arrivals)
		}
		var err error
		if doc.Arrival, err = distributionOf(gap); err != nil {
			return fmt.Errorf("writing TOML: arrivals: %w", err)
		}
		if _, poisson := law.MemorylessRate(gap); !poisson {
			doc.Arrival.Mode = "shared"
		}
	}
	for _, c := range s.Classes {
		service, err := distributionOf(c.Service)
		if err != nil {
			return fmt.Errorf("writing TOML: class %q: %w", c.Name, err)
		}
		doc.Class = append(doc.Class, class{c.Name, int64(c.Need), distribution{Prob: &c.Prob}, service})
	}
	return toml.NewEncoder(w).Encode(doc)
}

// given is a count that a document has if it is positive.
func given(n int) *int64 {
	if n <= 0 {
		return nil
	}
	count := int64(n)
	return &count
}

// distributionOf is a law by the keys of the simulator.
func distributionOf(l law.Law) (distribution, error) {
	f, _ := law.FormOf(l)
	number := func(name string) *float64 { return new(f.Float(name)) }
	switch f.Name {
	case "ExpMean":
		return distribution{Distribution: "exponential", Mean: number("mean")}, nil
	case "Deterministic":
		return distribution{Distribution: "deterministic", Value: number("value")}, nil
	case "Uniform":
		return distribution{Distribution: "uniform", Min: number("lo"), Max: number("hi")}, nil
	case "BoundedPareto":
		return distribution{Distribution: "bounded pareto", Alpha: number("shape"), L: number("lo"), H: number("hi")}, nil
	case "LogNormalMeanSCV":
		if f.Float("scv") != 0.25 {
			return distribution{}, fmt.Errorf("%v: the simulator's lognormal law has SCV 1/4", l)
		}
		return distribution{Distribution: "lognormal", Mean: number("mean")}, nil
	}
	return distribution{}, fmt.Errorf("%v is none of the simulator's laws: exponential, deterministic, uniform, bounded Pareto, lognormal of SCV 1/4", l)
}

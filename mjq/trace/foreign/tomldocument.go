package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
)

// document is a file: one system, what it is called, and how to vary it.
type document[Classes []class | map[string]class] struct {
	system
	Identifier string           `toml:"identifier,omitempty"`
	Class      Classes          `toml:"class"`
	Pivot      []map[string]any `toml:"pivot,omitempty"`
	Generator  any              `toml:"generator,omitempty"`
	Output     any              `toml:"output,omitempty"`
}

// system is a queue but for its classes: what a pivot can vary.
type system struct {
	Events      *int64 `toml:"events,omitempty"`
	Repetitions *int64 `toml:"repetitions,omitempty"`
	Cores       *int64 `toml:"cores,omitempty"`
	Policy      any    `toml:"policy,omitempty"` // a name, or a table with the name and parameters
	Smash       struct {
		Window any `toml:"window"`
	} `toml:"smash,omitempty"`
	Arrival distribution `toml:"arrival,omitempty"`
	Service distribution `toml:"service,omitempty"`
}

// class is a class of jobs, whose distributions have the defaults of the system.
type class struct {
	Name    string       `toml:"name,omitempty"`
	Cores   int64        `toml:"cores"`
	Arrival distribution `toml:"arrival,omitempty"`
	Service distribution `toml:"service,omitempty"`
}

// decode reads a document into what it must fit, key by key.
func decode(file string, text []byte, into any) error {
	return decodeFault(file, toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(into))
}

// decodeFault says in which lines the document is wrong.
func decodeFault(file string, err error) error {
	var unknown *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &unknown):
		faults := check.Faults{Most: mostProblems}
		for _, key := range unknown.Errors {
			line, _ := key.Position()
			faults.Add("%w", lineError(file, line, fmt.Sprintf("unknown key %q", check.Shorten(strings.Join(key.Key(), ".")))))
		}
		return faults.Err("")
	case errors.As(err, &bad):
		line, _ := bad.Position()
		reason, _, wrongKind := strings.Cut(strings.TrimPrefix(bad.Error(), "toml: "), " into ")
		if wrongKind {
			reason += "; one value of the right kind belongs there, and a list of values to run through below [[pivot]]"
		}
		if key := strings.Join(bad.Key(), "."); key != "" {
			reason = check.Shorten(key) + ": " + reason
		}
		return lineError(file, line, reason)
	case err != nil:
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// overlay is the defaults with what is said beside them.
func overlay[T any](defaults, own T) T {
	lay(reflect.ValueOf(&defaults).Elem(), reflect.ValueOf(own))
	return defaults
}

// lay puts into a struct the fields of another that were given.
func lay(to, from reflect.Value) {
	for i := range from.NumField() {
		switch f := from.Field(i); {
		case f.Kind() == reflect.Struct:
			lay(to.Field(i), f)
		case !f.IsZero():
			to.Field(i).Set(f)
		}
	}
}

// WriteTOML writes one first-come first-served system as mjqm-simulator reads it: shared
// arrivals and a probability a class. Means are written as means, so ReadTOML reads them back
// bit-identical. Only laws that the simulator has can be written; its lognormal law has SCV
// 1/4.
func WriteTOML(w io.Writer, identifier string, events, repetitions int, s *spec.Spec) error {
	switch {
	case s.Load != nil:
		return fmt.Errorf("writing TOML: the model is at load %v and its arrival rate not known; write what m.Resolve(ctx) returns", *s.Load)
	case s.Features().Has(spec.Reordered):
		return fmt.Errorf("writing TOML: policy %v; only first come first served is written", s.Policy)
	case s.Features().Has(spec.Unlike):
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

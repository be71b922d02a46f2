package arrival

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
)

// mostNested is how deep processes may lie within each other when read.
const mostNested = 8

// Unmarshal reads a process that Marshal has written, or a person: a Poisson with
// a "rate" and an MMPP with "rates" and "generator" are understood too. The error
// names what is missing or not known, or what Validate finds.
func Unmarshal(data []byte) (Process, error) {
	p, err := read(data, mostNested)
	if err == nil {
		err = errors.Join(append(check.Repeated(data), p.Validate())...)
	}
	if err != nil {
		return nil, fmt.Errorf("arrival: reading: %w", err)
	}
	return p, nil
}

// read reads a process that may hold others, a given number of levels deep.
func read(data []byte, deep int) (p Process, err error) {
	var head struct {
		Name string `json:"arrivals"`
	}
	if err := json.Unmarshal(data, &head); err != nil || head.Name == "" {
		return nil, fmt.Errorf(`%s has no name under "arrivals"; write a process as {"arrivals":"Poisson","rate":1}`, check.Shorten(string(data)))
	}
	if deep == 0 {
		return nil, fmt.Errorf("processes lie more than %d deep within each other; give fewer", mostNested)
	}
	switch head.Name {
	case "Poisson":
		p, err = form(data, func(f poissonForm) (Process, error) { return Poisson(f.Rate), nil })
	case "Renewal":
		p, err = form(data, func(f renewalForm) (Process, error) {
			gap, err := law.Unmarshal(f.Gap)
			return Renewal{gap}, err
		})
	case "Batches":
		p, err = form(data, func(f batchesForm) (Process, error) {
			of, err := read(f.Of, deep-1)
			return Batches{of, f.Sizes}, err
		})
	case "Superposition":
		p, err = form(data, func(f superpositionForm) (Process, error) {
			s := make(Superposition, len(f.Of))
			var faults check.Faults
			for i, text := range f.Of {
				of, err := read(text, deep-1)
				s[i] = of
				faults.Join(err)
			}
			return s, errors.Join(faults.List()...)
		})
	case "Profile":
		p, err = form(data, func(f profileForm) (Process, error) {
			if f.Of == nil {
				return Profile{f.Period, f.Rates, nil}, nil
			}
			of, err := read(f.Of, deep-1)
			return Profile{f.Period, f.Rates, of}, err
		})
	default:
		p, err = readMarkov(head.Name, data)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", head.Name, err)
	}
	return p, nil
}

// processNames are those of all forms.
var processNames = []string{"Poisson", "Renewal", "MAP", "MMPP", "MarkedMAP", "BatchMAP", "Markov", "Batches", "Superposition", "Profile"}

// readMarkov reads the forms of a Markov process.
func readMarkov(name string, data []byte) (Process, error) {
	switch name {
	case "MAP":
		return form(data, func(f mapForm) (Process, error) { return MAP(f.D0, f.D1), nil })
	case "MMPP":
		return form(data, func(f mmppForm) (Process, error) { return MMPP(f.Rates, f.Generator), nil })
	case "MarkedMAP":
		return form(data, func(f markedForm) (Process, error) { return MarkedMAP(f.D0, f.D), nil })
	case "BatchMAP":
		return form(data, func(f batchForm) (Process, error) { return BatchMAP(f.D0, f.D...), nil })
	case "Markov":
		return form(data, func(f markovForm) (Process, error) {
			m := Markov{D0: f.D0}
			for _, e := range f.Events {
				m.Events = append(m.Events, Event(e))
			}
			return m, nil
		})
	}
	return nil, errors.New("no such process is known" + check.OneOf(name, processNames))
}

// form makes a process of the parameters F, of which all must be given but those
// that may be left out, and no others.
func form[F any](data []byte, of func(F) (Process, error)) (Process, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, err
	}
	delete(given, "arrivals")
	var faults check.Faults
	var names []string
	t := reflect.TypeFor[F]()
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		text, is := given[name]
		if is {
			faults.Join(check.Members(name, text, reflect.Zero(t.Field(i).Type).Interface())...)
		}
		faults.That(is || options == "omitempty", "the parameter %q is missing; add it", name)
		delete(given, name)
		names = append(names, name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		faults.Add("the parameter %q is not known; it has %s", name, strings.Join(names, ", "))
	}
	if !faults.None() {
		return nil, errors.Join(faults.List()...)
	}
	var f F
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	return of(f)
}

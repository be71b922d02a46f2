package law

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

// Marshal writes a law as JSON: the name of its constructor and the parameters,
// as {"law":"ErlangMean","phases":2,"mean":0.5}. Numbers have as many digits as
// they need to be read back as the same bits, so Unmarshal returns a law that
// is equal and draws the same times. The names are those of the constructors of
// this package; the spread of a bounded law is a "BoundedPower", a spread or
// tilted law of finitely many values a "Weighed". The cost is linear in the
// numbers that the law holds. It fails on a law that is not valid, and on a
// type from outside this package.
func Marshal(l Law) ([]byte, error) {
	if l == nil {
		return nil, errors.New("law: there is no law to write; give one, for example ExpMean(1)")
	}
	if err := l.Validate(); err != nil {
		return nil, fmt.Errorf("law: writing: %w", err)
	}
	for _, f := range forms() {
		if f.write == nil {
			continue
		}
		if parameters, is := f.write(l); is {
			return f.marshal(parameters)
		}
	}
	return nil, fmt.Errorf("law: %s has no written form; those of package law have, a phase-type or Empirical law may stand for it", check.Shorten(l.String()))
}

// Unmarshal reads a law that Marshal has written, or a person: ExpRate with a
// "rate", HyperExpMeanSCV with "mean" and "scv", and Spread with a law "of" are
// understood too. The error names every parameter that is missing or not known,
// or what Validate finds.
func Unmarshal(data []byte) (Law, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, fmt.Errorf(`law: %w; write a law as {"law":"ExpMean","mean":1}`, err)
	}
	var name string
	if err := json.Unmarshal(given["law"], &name); err != nil {
		return nil, fmt.Errorf(`law: %s has no name under "law"; write a law as {"law":"ExpMean","mean":1}`, check.Shorten(string(data)))
	}
	var known []string
	for _, f := range forms() {
		if f.name == name {
			delete(given, "law")
			l, err := f.read(given)
			if err == nil {
				err = l.Validate()
			}
			if err != nil {
				return nil, fmt.Errorf("law: reading %s: %w", name, err)
			}
			return l, nil
		}
		known = append(known, f.name)
	}
	return nil, fmt.Errorf("law: %q is not a law; known are %s", name, strings.Join(known, ", "))
}

// form is how the laws of one type are written.
type form struct {
	name  string
	write func(l Law) (parameters any, is bool) // nil: for reading only
	read  func(given map[string]json.RawMessage) (Law, error)
}

// marshal puts the name before the parameters.
func (f *form) marshal(parameters any) ([]byte, error) {
	text, err := json.Marshal(parameters)
	if err != nil {
		return nil, fmt.Errorf("law: writing %s: %w", f.name, err)
	}
	return slices.Concat(fmt.Appendf(nil, `{"law":%q,`, f.name), bytes.TrimPrefix(text, []byte("{"))), nil
}

// formOf is the form of the laws of type L, whose parameters are the fields
// of P.
func formOf[P any, L Law](name string, write func(l L) P, read func(p P) Law) form {
	f := form{name: name, read: func(given map[string]json.RawMessage) (Law, error) {
		p, err := parameters[P](given)
		if err != nil {
			return nil, err
		}
		return read(p), nil
	}}
	if write != nil {
		f.write = func(l Law) (any, bool) {
			own, is := l.(L)
			if !is {
				return nil, false
			}
			return write(own), true
		}
	}
	return f
}

// parameters fills P with what is given, which must be all its fields and
// nothing else.
func parameters[P any](given map[string]json.RawMessage) (p P, err error) {
	text, err := json.Marshal(p)
	if err != nil {
		return p, err
	}
	var wanted map[string]json.RawMessage
	if err := json.Unmarshal(text, &wanted); err != nil {
		return p, err
	}
	var faults []error
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if _, is := given[key]; !is {
			faults = append(faults, fmt.Errorf("the parameter %q is missing; add it", key))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if _, is := wanted[key]; !is {
			faults = append(faults, fmt.Errorf("the parameter %q is not known; it has %s", key, strings.Join(slices.Sorted(maps.Keys(wanted)), ", ")))
		}
	}
	if text, err = json.Marshal(given); err == nil {
		err = json.Unmarshal(text, &p)
	}
	return p, errors.Join(append(faults, err)...)
}

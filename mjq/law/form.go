package law

import (
	"bytes"
	"encoding/json"
	"math"
)

// Form is a law as plain data: the name of the function that makes it and the
// parameters in the order of the arguments. [Marshal] writes it as JSON; the GPU back
// end and the writers of other programs' files look laws up by it.
type Form struct {
	Name       string
	Parameters []Parameter
}

// Parameter is one parameter of a law: an int, a float64, a []float64, a [][]float64,
// or another Law. Slices belong to the law and must not be changed.
type Parameter struct {
	Name  string
	Value any
}

// Former is implemented by laws that have a form. All values of a type, the zero
// value included, have forms of one name with the same parameters. A form with a name
// of this package means the law of this package, with the same draws.
type Former interface{ Form() Form }

// FormOf is the form of a law; ok is false for a law that has none.
func FormOf(l Law) (f Form, ok bool) {
	former, ok := ask[Former](l)
	if !ok {
		return Form{}, false
	}
	return former.Form(), true
}

// parameter returns the value of the named parameter, the zero value if there is no
// parameter of that name and kind.
func parameter[T any](f Form, name string) (value T) {
	for _, p := range f.Parameters {
		if p.Name == name {
			value, _ = p.Value.(T)
		}
	}
	return value
}

// Int returns the named parameter, 0 if there is no int of that name.
func (f Form) Int(name string) int { return parameter[int](f, name) }

// Float returns the named parameter, which may be an int; NaN if there is no number
// of that name.
func (f Form) Float(name string) float64 {
	switch x := parameter[any](f, name).(type) {
	case float64:
		return x
	case int:
		return float64(x)
	}
	return math.NaN()
}

// Floats returns the named parameter, nil if there is no list of that name.
func (f Form) Floats(name string) []float64 { return parameter[[]float64](f, name) }

// Matrix returns the named parameter, nil if there is no matrix of that name.
func (f Form) Matrix(name string) [][]float64 { return parameter[[][]float64](f, name) }

// Law returns the named parameter, nil if there is no law of that name.
func (f Form) Law(name string) Law { return parameter[Law](f, name) }

// MarshalJSON writes {"law":"ErlangMeanPhases","mean":0.5,"phases":2}.
func (f Form) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	put := func(name string, value any) error {
		key, err := json.Marshal(name)
		if err != nil {
			return err
		}
		if l, ok := value.(Law); ok {
			value, err = Marshal(l)
			value = json.RawMessage(value.([]byte))
		}
		if err != nil {
			return err
		}
		text, err := json.Marshal(value)
		out.Write(key)
		out.WriteByte(':')
		out.Write(text)
		return err
	}
	out.WriteByte('{')
	if err := put("law", f.Name); err != nil {
		return nil, err
	}
	for _, p := range f.Parameters {
		out.WriteByte(',')
		if err := put(p.Name, p.Value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

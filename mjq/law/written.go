package law

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mjqueue/mjq/internal/check"
)

// Marshal writes a law as JSON: the name of its function and the parameters, as
// {"law":"ErlangMeanPhases","mean":0.5,"phases":2}; see [Form]. Numbers have as many digits as
// they need to be read back bit-identical, so Unmarshal returns a law that is equal and draws
// the same times. The names are those of the functions of package mjq; the spread of a bounded
// law is a "BoundedPower", a spread or tilted law of finitely many values a "Weighed". The cost
// is linear in the numbers that the law holds. It fails on a law that is not valid, and on one
// that is no [Former].
func Marshal(l Law) ([]byte, error) {
	if l == nil {
		return nil, errors.New("law: there is no law to write; give one, for example ExpMean(1)")
	}
	if err := l.Validate(); err != nil {
		return nil, fmt.Errorf("law: writing: %w", err)
	}
	f, ok := FormOf(l)
	if !ok {
		return nil, fmt.Errorf("law: %s has no written form; those of package law have, a phase-type or Empirical law may stand for it", check.Shorten(l.String()))
	}
	text, err := f.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("law: writing %s: %w", f.Name, err)
	}
	return text, nil
}

// Unmarshal reads a law that Marshal has written, or a person: ExpRate with a
// "rate", HyperExpMeanSCV with "mean" and "scv", and Spread with a law "of" are
// understood too, and what was registered. The error names every parameter that is
// missing or not known, or what Validate finds.
func Unmarshal(data []byte) (Law, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, fmt.Errorf(`law: %w; write a law as {"law":"ExpMean","mean":1}`, err)
	}
	if err := errors.Join(check.Repeated(data)...); err != nil {
		return nil, fmt.Errorf("law: %w", err)
	}
	var name string
	if err := json.Unmarshal(given["law"], &name); err != nil {
		return nil, fmt.Errorf(`law: %s has no name under "law"; write a law as {"law":"ExpMean","mean":1}`, check.Shorten(string(data)))
	}
	known.RLock()
	r, ok := known.by[name]
	known.RUnlock()
	if !ok {
		return nil, fmt.Errorf("law: %q is not a law%s", name, check.OneOf(name, forms()))
	}
	delete(given, "law")
	f, err := r.example.fill(given)
	if err != nil {
		return nil, fmt.Errorf("law: reading %s: %w", name, err)
	}
	l := r.read(f)
	if err := l.Validate(); err != nil {
		return nil, fmt.Errorf("law: reading %s: %w", name, err)
	}
	return l, nil
}

// reader makes laws of forms like the example.
type reader struct {
	example Form
	read    func(f Form) Law
}

// known are the readers by the name of the form.
var known = struct {
	sync.RWMutex
	by map[string]reader
}{by: map[string]reader{}}

// Register makes [Unmarshal] read a law from outside this package. The example is
// the Form of any value of its type, such as the zero value: Unmarshal calls read with
// a form of the same name and parameters, and the values that were written. read need
// not check them, since Validate of the law that it returns does, and may be called
// by several goroutines at once. Register fails if the name is taken, and for
// parameters of another kind than [Parameter] allows or with the same name.
func Register(example Form, read func(f Form) Law) error {
	var f check.Faults
	f.That(example.Name != "", "the form has no name; give it that of the function which makes the law")
	f.That(read != nil, "there is no function that makes a law of the form; give one")
	names := map[string]bool{"law": true}
	for _, p := range example.Parameters {
		_, err := decode(p.Value, nil)
		f.That(!errors.Is(err, errKind), "the parameter %q is a %T; give an int, a float64, a []float64, a [][]float64 or a Law", p.Name, p.Value)
		f.That(!names[p.Name], "the name of the parameter %q is taken; give it another", p.Name)
		names[p.Name] = true
	}
	known.Lock()
	defer known.Unlock()
	_, taken := known.by[example.Name]
	f.That(!taken, "%q is a law already; give this one another name", example.Name)
	if f.None() {
		known.by[example.Name] = reader{example, read}
	}
	return f.Err("law: registering " + example.Name)
}

// register is Register for the laws of this package, with the form of one that is valid.
func register(example Form, read func(f Form) Law) {
	if err := Register(example, read); err != nil {
		panic(err)
	}
}

// Examples are the forms that [Register] was given, in alphabetical order of their names, for
// whatever goes through all laws. Those of this package are of valid laws.
func Examples() (all []Form) {
	known.RLock()
	defer known.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(known.by)) {
		all = append(all, known.by[name].example)
	}
	return all
}

// forms are the names of the forms that Unmarshal reads, in alphabetical order.
func forms() []string {
	known.RLock()
	defer known.RUnlock()
	return slices.Sorted(maps.Keys(known.by))
}

// fill is the form with the values given, which must be those of all its
// parameters and nothing else.
func (f Form) fill(given map[string]json.RawMessage) (Form, error) {
	var faults check.Faults
	full := Form{f.Name, slices.Clone(f.Parameters)}
	var names []string
	for i, p := range f.Parameters {
		names = append(names, p.Name)
		text, is := given[p.Name]
		if !is {
			faults.Add("the parameter %q is missing; add it", p.Name)
			continue
		}
		value, err := decode(p.Value, text)
		if err != nil {
			faults.Add("%s: %w", p.Name, err)
		}
		full.Parameters[i].Value = value
	}
	slices.Sort(names)
	for _, key := range slices.Sorted(maps.Keys(given)) {
		faults.That(slices.Contains(names, key), "the parameter %q is not known; it has %s", key, strings.Join(names, ", "))
	}
	return full, faults.Err("")
}

var errKind = errors.New("no kind of parameter")

// decode reads a value of the kind of the example.
func decode(example any, text []byte) (any, error) {
	switch example.(type) {
	case int:
		return decoded[int](text)
	case float64:
		return decoded[float64](text)
	case []float64:
		return decoded[[]float64](text)
	case [][]float64:
		return decoded[[][]float64](text)
	case Law:
		return nested(text)
	}
	return nil, errKind
}

func decoded[T any](text []byte) (any, error) {
	var value T
	err := json.Unmarshal(text, &value)
	if err == nil {
		return value, nil
	}
	return value, errors.Join(check.Members("", text, value)...)
}

// mostNested is how many laws may stand within a law, each in the one before: each
// means going over all of the text within it, and a spread takes another moment.
const mostNested = 9

// nested reads a law that is a parameter of another.
func nested(text []byte) (any, error) {
	if n := bytes.Count(text, []byte(`"law"`)); n > mostNested {
		return nil, fmt.Errorf("%d laws within each other; give at most %d", n, mostNested)
	}
	return Unmarshal(text)
}

package mjq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/result"
)

// Method is how a question is answered: one of the structs Exact, Backward, Certified,
// Dominated, Unbiased, Forward, RareEvent, Simulation, Pile and PolicyIteration with its
// settings, or what MethodFunc makes. The zero value of each is a good choice: a field that
// is 0 has its default, which depends on the model. Model.Methods lists which are for a
// model, and why not the others.
type Method interface {
	Option
	engine() run.Method
}

// Methods are all methods with their default settings, for programs that read their fields.
func Methods() []Method {
	return []Method{Exact{}, Dominated{}, Certified{}, Backward{}, Unbiased{}, Forward{}, RareEvent{}, Simulation{}, Pile{}, PolicyIteration{}}
}

// label is the name of a method.
func label(m Method) string {
	if e := m.engine(); e != nil {
		return e.Row().Name
	}
	return structOf(m).Type().Name()
}

// structOf is the struct of a method.
func structOf(m Method) reflect.Value { return reflect.Indirect(reflect.ValueOf(m)) }

// MarshalMethod writes a method as JSON: {"method":"Forward","jobs":5000000}. The keys are
// the names of its fields with a small first letter; what has its default is left out. It
// fails on a method of one's own.
func MarshalMethod(m Method) ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	text := fmt.Sprintf(`{"method":%q`, label(m))
	if _, function := m.(own); function {
		return nil, fmt.Errorf("mjq: method %q is a function, which has no written form", label(m))
	}
	var f check.Faults
	problem.Settings(m, func(name string, value any) {
		data, err := json.Marshal(value)
		if err != nil {
			f.Add("%s: %w", name, err)
		}
		text += fmt.Sprintf(",%q:%s", result.Key(name), data)
	})
	return []byte(text + "}"), prefixed(f.Err(label(m)))
}

// UnmarshalMethod reads what MarshalMethod writes. Whole numbers may be written in any way,
// 5e6 too; null is no method. The error names every key that is wrong, and the methods that
// have such a setting.
func UnmarshalMethod(data []byte) (Method, error) {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("mjq: reading a method: %w", err)
	}
	if in == nil {
		return nil, nil
	}
	if err := errors.Join(check.Repeated(data)...); err != nil {
		return nil, fmt.Errorf("mjq: reading a method: %w", err)
	}
	var name string
	if err := json.Unmarshal(in["method"], &name); err != nil {
		return nil, errors.New(`mjq: reading a method: no name; write {"method":"Forward"}, with settings beside it`)
	}
	delete(in, "method")
	for _, m := range Methods() {
		if label(m) == name {
			return read(m, in)
		}
	}
	var names []string
	for _, m := range Methods() {
		names = append(names, label(m))
	}
	return nil, fmt.Errorf("mjq: reading a method: there is no %q; take one of %s", name, strings.Join(names, ", "))
}

// read is a method with the settings of these keys.
func read(m Method, in map[string]json.RawMessage) (Method, error) {
	var f check.Faults
	v := reflect.New(structOf(m).Type())
	for i := range v.Elem().NumField() {
		name := result.Key(v.Elem().Type().Field(i).Name)
		if text, given := in[name]; given {
			f.Join(readField(name, text, v.Elem().Field(i)))
			delete(in, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(in)) {
		f.Add("%s has no %s; %s", label(m), name, owners(name))
	}
	if err := f.Err("reading a method"); err != nil {
		return nil, prefixed(err)
	}
	return v.Elem().Interface().(Method), nil
}

// readField reads a setting.
func readField(name string, text json.RawMessage, into reflect.Value) error {
	if into.Kind() == reflect.Int {
		var x float64
		if err := json.Unmarshal(text, &x); err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return fmt.Errorf("%s: %s is not a whole number", name, text)
		}
		into.SetInt(int64(x))
		return nil
	}
	if err := json.Unmarshal(text, into.Addr().Interface()); err != nil {
		return fmt.Errorf("%s: %s does not fit: %w", name, text, err)
	}
	return nil
}

// owners says which methods have a setting.
func owners(name string) string {
	var names []string
	for _, m := range Methods() {
		v := structOf(m)
		for i := range v.NumField() {
			if result.Key(v.Type().Field(i).Name) == name {
				names = append(names, label(m))
			}
		}
	}
	if len(names) == 0 {
		return "no method has"
	}
	if len(names) == 1 {
		return names[0] + " does"
	}
	return strings.Join(names, ", ") + " do"
}

// MethodFunc is a method of one's own: a function that gives a result for a model and a seed,
// by a formula or by whatever else. It goes wherever a method goes, in a Sweep above all, must
// give the same result for the same model and seed, and is not kept by Cache. Fields of the
// result that it leaves out are unknown. Sweeps are merged by its name.
func MethodFunc(name string, f func(ctx context.Context, m Model, seed uint64) (*result.Result, error)) Method {
	return own{name, f}
}

type own struct {
	name string
	f    func(ctx context.Context, m Model, seed uint64) (*result.Result, error)
}

func (x own) set(a *asked) { a.by(x) }

func (x own) engine() run.Method {
	return run.Own(x.name, func(ctx context.Context, p *problem.Problem, seed uint64) (*result.Result, error) {
		return x.f(ctx, solved(p), seed)
	})
}

package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/mjqueue/mjq/internal/check"
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

package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"time"
	"unicode"

	"github.com/mjqueue/mjq/internal/check"
)

// JSON has neither NaN nor infinities, which results have where something is unknown or
// grows without bound. They are written as null and as the strings "Infinity" and
// "-Infinity", and read back.

// WriteJSON writes plain data, of this package or made of its types, as all types of this
// package are written: fields under their names and in their order; what is unknown (NaN)
// as null, and infinities as "Infinity" and "-Infinity". A time that is zero and a unit that is not
// known are left out, and so are fields that are not exported or are zero and say omitempty. Parts with a written form of their own keep it, as a model.
func WriteJSON(data any) ([]byte, error) { return json.Marshal(plain(reflect.ValueOf(data))) }

// ReadJSON reads what WriteJSON writes, bit-identical, into the data at an address.
func ReadJSON(text []byte, into any) error {
	if err := read(text, reflect.ValueOf(into).Elem()); err != nil {
		return err
	}
	return errors.Join(check.Repeated(text)...)
}

// Key is the name of a field in JSON and CSV: that of Go with a small first letter.
func Key(field string) string {
	r := []rune(field)
	r[0] = unicode.ToLower(r[0])
	return string(r)
}

// member is a field of an object whose members keep their order.
type member struct {
	name  string
	value any
}

// object is a struct on its way to JSON.
type object []member

// MarshalJSON keeps the order of the fields.
func (o object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			text = append(text, ',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		text = append(fmt.Appendf(text, "%q:", m.name), value...)
	}
	return append(text, '}'), nil
}

// written reports whether values of a type of another package write themselves.
func written(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[json.Marshaler]()) && t.PkgPath() != reflect.TypeFor[Estimate]().PkgPath()
}

// inner is plain of a part of a value, which may have a written form of its own.
func inner(v reflect.Value) any {
	if written(v.Type()) {
		return v.Interface()
	}
	return plain(v)
}

// plain is a value that JSON can hold.
func plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Float64:
		switch x := v.Float(); {
		case math.IsNaN(x):
			return nil
		case math.IsInf(x, 1):
			return "Infinity"
		case math.IsInf(x, -1):
			return "-Infinity"
		}
	case reflect.Struct:
		if e, ok := v.Interface().(Estimate); ok {
			v = reflect.ValueOf(e.plain())
		}
		out := object{}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			switch x := v.Field(i).Interface().(type) {
			case time.Time:
				if x.IsZero() {
					continue
				}
			case Unit:
				if x == "" {
					continue
				}
			}
			if l, ok := v.Field(i).Interface().(Log); ok && l.Lines == 0 {
				continue // only answers about a log have one
			}
			if f.Tag.Get("json") == ",omitempty" && v.Field(i).IsZero() {
				continue
			}
			out = append(out, member{Key(f.Name), inner(v.Field(i))})
		}
		return out
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return inner(v.Elem())
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
		out := map[string]any{}
		for _, key := range v.MapKeys() {
			out[key.String()] = inner(v.MapIndex(key))
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return nil
		}
		if v.Type().Elem().Kind() == reflect.Uint8 { // a string of letters, as for everybody
			return v.Interface()
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = inner(v.Index(i))
		}
		return out
	}
	return v.Interface()
}

// read fills a value from JSON.
func read(data []byte, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Float64:
		return readFloat(data, v)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return json.Unmarshal(data, v.Addr().Interface())
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(data, &members); err != nil {
			return err
		}
		for i := range v.NumField() {
			name := Key(v.Type().Field(i).Name)
			if text, ok := members[name]; ok {
				if err := read(text, v.Field(i)); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
		return nil
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			break
		}
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil || list == nil {
			return err
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, text := range list {
			if err := read(text, v.Index(i)); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
		return nil
	}
	return json.Unmarshal(data, v.Addr().Interface())
}

// readFloat reads a number, or what stands for one that JSON does not have.
func readFloat(data []byte, v reflect.Value) error {
	switch string(data) {
	case "null":
		v.SetFloat(math.NaN())
		return nil
	case `"Infinity"`:
		v.SetFloat(math.Inf(1))
		return nil
	case `"-Infinity"`:
		v.SetFloat(math.Inf(-1))
		return nil
	}
	return json.Unmarshal(data, v.Addr().Interface())
}

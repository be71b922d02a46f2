package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

// written are the policies that can be written down, by name.
var written = map[string]kind{}

// kind is a type of policies.
type kind struct {
	read     func(data []byte) (Policy, error)
	examples []Policy
}

// register is called once for every policy that can be written down, with some that eight
// servers and needs of 1 and 8 suit.
func register[P Policy](examples ...P) {
	k := kind{read: func(data []byte) (Policy, error) { return read[P](data) }}
	for _, p := range examples {
		k.examples = append(k.examples, p)
	}
	written[nameOf(examples[0])] = k
}

// nameOf is the name of the type of a policy.
func nameOf(p Policy) string { return strings.TrimPrefix(fmt.Sprintf("%T", p), "policy.") }

// Marshal writes a policy of this package down as a JSON object, whose member
// "policy" names it:
//
//	{"policy":"Backfill","depth":4,"estimates":{"rule":"factor","factor":2},"kill":true}
//
// The form is canonical: equal policies are written alike. A policy made elsewhere,
// or with New, cannot be written down, which is an error.
func Marshal(p Policy) ([]byte, error) {
	name := nameOf(p)
	if _, known := written[name]; !known {
		return nil, fmt.Errorf("policy %v: it is a function of yours and cannot be written down; store the model without it, and set it again after reading", p)
	}
	settings, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("policy %v: %w", p, err)
	}
	head := fmt.Appendf(nil, `{"policy":%q`, name)
	if string(settings) == "{}" {
		return append(head, '}'), nil
	}
	return append(append(head, ','), settings[1:]...), nil
}

// Unmarshal reads what Marshal writes. An unknown policy or setting is an error.
func Unmarshal(data []byte) (Policy, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fmt.Errorf(`a policy is an object such as {"policy":"FCFS"}: %w`, err)
	}
	if err := errors.Join(check.Repeated(data)...); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	var name string
	if err := json.Unmarshal(members["policy"], &name); err != nil {
		return nil, fmt.Errorf(`a policy is named by its member "policy", a string such as "FCFS"`)
	}
	k, known := written[name]
	if !known {
		return nil, fmt.Errorf("policy %q is not known%s", name, check.OneOf(name, Names()))
	}
	delete(members, "policy")
	settings, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	p, err := k.read(settings)
	if err != nil {
		return nil, fmt.Errorf("policy %q: %w", name, err)
	}
	return p, nil
}

// Names are the names of all policies that can be written down, sorted.
func Names() []string { return slices.Sorted(maps.Keys(written)) }

// Examples are one policy or more of every name, in the order of Names, for whatever goes
// through all policies. They can serve needs of 1 and 8 on eight servers.
func Examples() (all []Policy) {
	for _, name := range Names() {
		all = append(all, written[name].examples...)
	}
	return all
}

// read reads an object, all of whose members must be those of a type.
func read[T any](data []byte) (x T, err error) {
	if err = errors.Join(check.Members("", data, x)...); err == nil {
		err = json.Unmarshal(data, &x)
	}
	return x, err
}

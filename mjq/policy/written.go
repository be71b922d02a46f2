package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

// written are the policies that can be written down, by name.
var written = map[string]func(data []byte) (Policy, error){
	"FCFS":                        read[FCFS],
	"Window":                      read[Window],
	"FirstFit":                    read[FirstFit],
	"Backfill":                    read[Backfill],
	"MostServersFirst":            read[MostServersFirst],
	"LeastServersFirst":           read[LeastServersFirst],
	"Quickswap":                   read[Quickswap],
	"ArmedQuickswap":              read[ArmedQuickswap],
	"AdaptiveQuickswap":           read[AdaptiveQuickswap],
	"ServerFilling":               read[ServerFilling],
	"PreemptiveFirstFit":          read[PreemptiveFirstFit],
	"PreemptiveMostServersFirst":  read[PreemptiveMostServersFirst],
	"PreemptiveLeastServersFirst": read[PreemptiveLeastServersFirst],
	"MaxWeight":                   read[MaxWeight],
	"MSR":                         read[MSR],
	"ServerFillingSRPT":           read[ServerFillingSRPT],
	"FirstFitSRPT":                read[FirstFitSRPT],
}

// Marshal writes a policy of this package down as a JSON object, whose member
// "policy" names it:
//
//	{"policy":"Backfill","depth":4,"estimates":{"rule":"factor","factor":2},"kill":true}
//
// The form is canonical: equal policies are written alike. A policy made elsewhere,
// or with New, cannot be written down, which is an error.
func Marshal(p Policy) ([]byte, error) {
	name := strings.TrimPrefix(fmt.Sprintf("%T", p), "policy.")
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
	var name string
	if err := json.Unmarshal(members["policy"], &name); err != nil {
		return nil, fmt.Errorf(`a policy is named by its member "policy", a string such as "FCFS"`)
	}
	reader, known := written[name]
	if !known {
		return nil, fmt.Errorf("policy %q is not known%s", name, check.OneOf(name, Names()))
	}
	delete(members, "policy")
	settings, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	p, err := reader(settings)
	if err != nil {
		return nil, fmt.Errorf("policy %q: %w", name, err)
	}
	return p, nil
}

// Names are the names of all policies that can be written down, sorted.
func Names() (names []string) {
	for name := range written {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func read[P Policy](data []byte) (Policy, error) {
	var p P
	if err := errors.Join(check.Members("", data, p)...); err != nil {
		return p, err
	}
	err := json.Unmarshal(data, &p)
	return p, err
}

package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/policy"
)

// compact is a policy by its name, and a number if it has a parameter: Window(4).
var compact = regexp.MustCompile(`^([A-Za-z]+)(?:\((-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)\))?$`)

// shorthands are policies of a usual name that are another one with its parameter set.
var shorthands = map[string]string{"EASY": `{"policy":"Backfill","depth":1}`, "Conservative": `{"policy":"Backfill","depth":-1}`}

const policyUsage = `scheduling policy, as FCFS, Window(4), EASY, or in JSON as {"policy":"Backfill","depth":1,"estimates":{"rule":"given"}}`

// policyNames are those that readPolicy knows.
func policyNames() []string {
	names := policy.Names()
	for name := range shorthands {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// readPolicy reads a policy in the compact form or as JSON.
func readPolicy(text string) (policy.Policy, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		p, err := policy.Unmarshal([]byte(text))
		return p, named("--policy", err)
	}
	parts := compact.FindStringSubmatch(text)
	if parts == nil {
		return nil, fmt.Errorf("--policy: %q is no policy; give a name with its parameter, as FCFS or Window(4), or JSON", text)
	}
	name, number := parts[1], parts[2]
	if !slices.Contains(policyNames(), name) {
		return nil, fmt.Errorf("--policy: %q is not known%s", name, check.OneOf(name, policyNames()))
	}
	written, short := shorthands[name]
	if !short {
		bare, err := policy.Unmarshal(fmt.Appendf(nil, `{"policy":%q}`, name))
		if err != nil {
			return nil, named("--policy", err)
		}
		if written, err = membersOf(name, number, bare); err != nil {
			return nil, err
		}
	} else if number != "" {
		return nil, takesNone(name)
	}
	p, err := policy.Unmarshal([]byte(written))
	return p, named("--policy", err)
}

// membersOf is the JSON of a policy in the compact form. Its number, "" if there is none,
// is the parameter of the bare policy.
func membersOf(name, number string, bare policy.Policy) (string, error) {
	member, value, example := parameter(bare)
	members := map[string]any{"policy": name}
	switch {
	case member == "" && number != "":
		return "", takesNone(name)
	case member != "":
		if err := value.Set(number); err != nil {
			but := ""
			if number != "" {
				but = ", not " + number
			}
			return "", fmt.Errorf("--policy: %s takes %s, its %s%s; write %s(%s)", name, kinds[value.Type()], member, but, name, example)
		}
		members[member] = json.Number(value.String())
	}
	text, err := json.Marshal(members)
	return string(text), named("--policy", err)
}

// kinds are the types of numbers in words.
var kinds = map[string]string{"int": "a whole number", "number": "a number"}

// parameter is the first member of a policy that is a number and has no default, with a
// value of its kind and one that is usual; "" if there is none.
func parameter(bare policy.Policy) (member string, value pflag.Value, example string) {
	t := reflect.TypeOf(bare)
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || options != "" {
			continue
		}
		switch t.Field(i).Type.Kind() {
		case reflect.Int:
			return name, new(whole), "4"
		case reflect.Float64:
			return name, &number{value: new(float64)}, "0.5"
		}
	}
	return "", nil, ""
}

func takesNone(name string) error {
	return fmt.Errorf("--policy: %s takes no number; write %s", name, name)
}

// named puts the flag or file before an error that does not say where it is.
func named(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", where, message(err))
}

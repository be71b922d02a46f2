package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/policy"
)

// compact is a policy by its name, and a number if it has a parameter: Window(4).
var compact = regexp.MustCompile(`^([A-Za-z]+)(?:\((-?[0-9]+)\))?$`)

// parameters are the members that the number of the compact form stands for.
var parameters = map[string]string{"Window": "jobs", "Backfill": "depth", "Quickswap": "threshold", "ArmedQuickswap": "threshold"}

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
	member, takes := parameters[name]
	switch {
	case !slices.Contains(policyNames(), name):
		return nil, fmt.Errorf("--policy: %q is not known; there are %s", name, strings.Join(policyNames(), ", "))
	case takes && number == "":
		return nil, fmt.Errorf("--policy: %s takes a number, its %s; write %s(4)", name, member, name)
	case !takes && number != "":
		return nil, fmt.Errorf("--policy: %s takes no number; write %s", name, name)
	}
	written, short := shorthands[name]
	if !short {
		members := map[string]any{"policy": name}
		if takes {
			members[member] = json.Number(number)
		}
		data, err := json.Marshal(members)
		if err != nil {
			return nil, named("--policy", err)
		}
		written = string(data)
	}
	p, err := policy.Unmarshal([]byte(written))
	return p, named("--policy", err)
}

// named puts the flag or file before an error that does not say where it is.
func named(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", where, message(err))
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/policy"
)

// policies are the scheduling policies on the command line.
var policies = kind[policy.Policy]{"policy", "EASY", readPolicy}

const policyUsage = `scheduling policy, as FCFS, Window(4), EASY, Priority(urgent;normal), or in JSON as {"policy":"Backfill","depth":1,"estimates":{"rule":"given"}}`

// policyFlag defines the flag of a policy, or of several.
func policyFlag(c *cobra.Command, v pflag.Value, usage string) {
	c.Flags().Var(v, "policy", usage)
	_ = c.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(policyNames(), cobra.ShellCompDirectiveNoFileComp))
}

// compact is a policy by its name, and a number if it has a parameter: Window(4).
var compact = regexp.MustCompile(`^([A-Za-z]+)(?:\((-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)\))?$`)

// shorthands are policies of a usual name that are another one with its parameter set.
var shorthands = map[string]string{"EASY": `{"policy":"Backfill","depth":1}`, "Conservative": `{"policy":"Backfill","depth":-1}`}

// meant are names that others give to a policy, without capitals and hyphens.
var meant = map[string]string{"fifo": "FCFS", "easybackfill": "EASY", "easybackfilling": "EASY", "backfilling": "EASY",
	"conservativebackfill": "Conservative", "conservativebackfilling": "Conservative"}

// unknownPolicy says which policy was meant, or all that there are.
func unknownPolicy(text string) error {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "").Replace(text))
	name := meant[plain]
	for _, known := range policyNames() {
		if strings.ToLower(known) == plain {
			name = known
		}
	}
	if name != "" {
		return fmt.Errorf("%q is not known; did you mean %s?", text, name)
	}
	return fmt.Errorf("%q is not known%s", text, check.OneOf(text, policyNames()))
}

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
	text = strings.TrimSpace(text)
	switch {
	case strings.HasPrefix(text, "Priority("):
		return readCalls(text, priorityUsage, prioritySet)
	case strings.HasPrefix(text, "Multifactor("):
		return readCalls(text, multifactorUsage, multifactorSet)
	case !strings.HasPrefix(text, "{"):
		written, err := expanded(text)
		if err != nil {
			return nil, err
		}
		text = written
	}
	p, err := policy.Unmarshal([]byte(text))
	if err != nil {
		return nil, errors.New(message(err))
	}
	return p, nil
}

// expanded is the JSON of a policy in the compact form.
func expanded(text string) (string, error) {
	parts := compact.FindStringSubmatch(text)
	if parts == nil && !strings.ContainsAny(text, "(){}") {
		return "", unknownPolicy(text)
	}
	if parts == nil {
		return "", fmt.Errorf("%q is no policy; give a name with its parameter, as FCFS or Window(4), or JSON", text)
	}
	name, number := parts[1], parts[2]
	if !slices.Contains(policyNames(), name) {
		return "", unknownPolicy(name)
	}
	if written := shorthands[name]; written != "" {
		if number != "" {
			return "", takesNone(name)
		}
		return written, nil
	}
	bare, err := policy.Unmarshal(fmt.Appendf(nil, `{"policy":%q}`, name))
	if err != nil {
		return "", err
	}
	return membersOf(name, number, bare)
}

// membersOf is the JSON of a policy in the compact form. Its number, "" if there is none,
// is the parameter of the bare policy.
func membersOf(name, number string, bare policy.Policy) (string, error) {
	member, whole := parameter(bare)
	switch {
	case member == "" && number != "":
		return "", takesNone(name)
	case member == "":
		return fmt.Sprintf(`{"policy":%q}`, name), nil
	}
	k, what, example := loosely(numbers), "a number", "0.5"
	if whole {
		k, what, example = loosely(wholes), "a whole number", "4"
	}
	x, err := k.read(number)
	if err != nil {
		if number != "" {
			member += ", not " + number
		}
		return "", fmt.Errorf("%s takes %s, its %s; write %s(%s)", name, what, member, name, example)
	}
	text, err := json.Marshal(map[string]any{"policy": name, member: x})
	return string(text), err
}

// parameter is the first member of a policy that is a number and has no default, and
// whether that is a whole number; "" if there is none.
func parameter(bare policy.Policy) (member string, whole bool) {
	t := reflect.TypeOf(bare)
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		kind := t.Field(i).Type.Kind()
		if name != "" && options == "" && (kind == reflect.Int || kind == reflect.Float64) {
			return name, kind == reflect.Int
		}
	}
	return "", false
}

func takesNone(name string) error {
	return fmt.Errorf("%s takes no number; write %s", name, name)
}

package main

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq/policy"
)

const multifactorUsage = "write Multifactor(Age=1000,MaxAge=604800,FairShare=10000,HalfLife=1209600), with .Tier(urgent;normal) or .Within(EASY) behind it"

// readMultifactor reads priorities in the form of their String; ok says whether the text begins as one.
func readMultifactor(text string) (p policy.Policy, err error, ok bool) {
	if !strings.HasPrefix(text, "Multifactor(") {
		return nil, nil, false
	}
	var out policy.Multifactor
	for rest := "." + text; rest != ""; {
		name, argument, after, err := calledNext(rest, multifactorUsage)
		if err == nil {
			out, err = multifactorSet(out, name, argument)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err), true
		}
		rest = after
	}
	return out, nil, true
}

// multifactorSet is the policy with one more setting.
func multifactorSet(p policy.Multifactor, name, argument string) (policy.Multifactor, error) {
	switch name {
	case "Multifactor":
		return policy.ReadMultifactor(argument)
	case "Tier":
		return p.Tier(levelNames(argument)...), nil
	case "Within":
		inner, err := readPolicy(argument)
		return p.Within(inner), err
	}
	return p, fmt.Errorf("%q is not known; %s", name, multifactorUsage)
}

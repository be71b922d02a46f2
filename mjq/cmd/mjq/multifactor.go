package main

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq/policy"
)

const multifactorUsage = "write Multifactor(Age=1000,MaxAge=604800,FairShare=10000,HalfLife=1209600), with .Tier(urgent;normal) or .Within(EASY) behind it"

// weighted are policies in which each Multifactor has a number, as Age=0,1000, at each of its values.
func weighted(list []policy.Policy, weight string) (out []policy.Policy, err error) {
	if weight == "" {
		return list, nil
	}
	name, values, _ := strings.Cut(weight, "=")
	varied := 0
	for _, p := range list {
		if _, ok, _ := policy.Varied(p, name, 0); !ok {
			out = append(out, p)
			continue
		}
		for text := range strings.SplitSeq(values, ",") {
			x, err := readNumber(text)
			if err == nil {
				p, _, err = policy.Varied(p, name, x)
			}
			if err != nil {
				return nil, fmt.Errorf("--weight %s: %w; write Age=0,1000,5000", weight, err)
			}
			out = append(out, p)
			varied++
		}
	}
	if varied == 0 {
		return nil, fmt.Errorf("--weight %s: no policy is a Multifactor; give one in --policy", weight)
	}
	return out, nil
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

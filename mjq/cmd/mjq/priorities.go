package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

const priorityUsage = "write Priority(urgent;normal,debug), with .Preemptive(resume), .Passing(), .Exempt(2), .Overhead(LAW) or .Within(EASY) behind it; a law is written as JSON"

// readCalls reads a policy in the form of its String, Name(argument).Setting(argument), call by call; usage is
// what to write instead.
func readCalls[P policy.Policy](text, usage string, set func(p P, name, argument string) (P, error)) (policy.Policy, error) {
	var out P
	for rest := "." + text; rest != ""; {
		name, argument, after, err := calledNext(rest, usage)
		if err == nil {
			out, err = set(out, name, argument)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		rest = after
	}
	return out, nil
}

// calledNext splits ".Name(argument)rest"; usage is what to write instead.
func calledNext(text, usage string) (name, argument, rest string, err error) {
	name, behind, found := strings.Cut(strings.TrimPrefix(text, "."), "(")
	depth := 1
	for i, c := range behind {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return name, strings.TrimSpace(behind[:i]), strings.TrimSpace(behind[i+1:]), nil
		}
	}
	if !found {
		return "", "", "", fmt.Errorf("%q is not understood; %s", text, usage)
	}
	return "", "", "", fmt.Errorf("a parenthesis is missing; %s", usage)
}

// prioritySet is the policy with one more setting. The law of Overhead is JSON.
func prioritySet(p policy.Priority, name, argument string) (policy.Priority, error) {
	switch name {
	case "Priority":
		p.Levels = levelNames(argument)
	case "Preemptive":
		p = p.Preemptive(policy.Preemption(argument))
	case "Passing":
		if argument != "" {
			return p, fmt.Errorf("policy Passing takes nothing, not %s", argument)
		}
		p = p.Passing()
	case "Exempt":
		var t float64
		if err := json.Unmarshal([]byte(argument), &t); err != nil {
			return p, fmt.Errorf("policy Exempt takes a time, not %q", argument)
		}
		p = p.Exempt(t)
	case "Overhead":
		l, err := law.Unmarshal([]byte(argument))
		if err != nil {
			return p, err
		}
		p = p.Overhead(l)
	case "Within":
		inner, err := readPolicy(argument)
		if err != nil {
			return p, err
		}
		p = p.Within(inner)
	default:
		return p, fmt.Errorf("%q is not known; %s", name, priorityUsage)
	}
	return p, nil
}

// levelNames are the classes by level of "urgent;normal,debug".
func levelNames(text string) (levels [][]string) {
	if text == "" {
		return nil
	}
	for _, level := range strings.Split(text, ";") {
		var names []string
		for _, name := range strings.Split(level, ",") {
			names = append(names, strings.TrimSpace(name))
		}
		levels = append(levels, names)
	}
	return levels
}

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

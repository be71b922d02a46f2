package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/spec"
)

// sized is a class with the sizes of its jobs and their speed.
type sized struct {
	class       string
	least, most int
	speed       spec.Speed
}

// stretching defines the flags that say which jobs of the model of a file run on more or fewer servers than they need.
func (f *modelFlags) stretching(flags *pflag.FlagSet) {
	flags.Var(kind[sized]{"class=least:most:speed", "train=2:16:Power(0.8)", func(text string) (sized, error) { return readSized(text, 2) }}.then(
		altering(f, func(m mjq.Model, s sized) mjq.Model { return m.Elastic(s.class, s.least, s.most, s.speed) })),
		"elastic", "class whose jobs run on LEAST to MOST servers as these are free, with the speed Linear, Power(P), Amdahl(SHARE) or Speeds(ON1,ON2,...); can be repeated")
	flags.Var(kind[sized]{"class=least:speed", "train=2:Linear", func(text string) (sized, error) { return readSized(text, 1) }}.then(
		altering(f, func(m mjq.Model, s sized) mjq.Model { return m.Partial(s.class, s.least, s.speed) })),
		"partial-class", "class whose jobs start on what is free, from LEAST servers to their need, and keep it; can be repeated")
	f.toggle(flags, "oldest", "free servers go to elastic jobs in order of their starts, in place of one at a time to the smallest", mjq.Model.Oldest)
}

// readSized reads a class with one size or two, and a speed.
func readSized(text string, sizes int) (sized, error) {
	class, rest, both := strings.Cut(text, "=")
	parts := strings.SplitN(rest, ":", sizes+1)
	if !both || len(parts) != sizes+1 {
		return sized{}, fmt.Errorf("%q is no class with %d of its sizes and a speed; give it as %s", text, sizes, [...]string{"train=2:Linear", "train=2:16:Power(0.8)"}[sizes-1])
	}
	s := sized{class: strings.TrimSpace(class)}
	for i, at := range []*int{&s.least, &s.most}[:sizes] {
		n, err := readWhole(parts[i])
		if err != nil {
			return sized{}, err
		}
		*at = n
	}
	var err error
	s.speed, err = readSpeed(strings.TrimSpace(parts[sizes]))
	return s, err
}

// readSpeed reads a speed in JSON or as its call.
func readSpeed(text string) (s spec.Speed, err error) {
	if strings.HasPrefix(text, "{") {
		return s, json.Unmarshal([]byte(text), &s)
	}
	name, rest, called := strings.Cut(text, "(")
	inside, closed := strings.CutSuffix(rest, ")")
	var x []float64
	if strings.TrimSpace(inside) != "" {
		for _, part := range strings.Split(inside, ",") {
			v, err := readNumber(part)
			if err != nil {
				return s, err
			}
			x = append(x, v)
		}
	}
	switch {
	case called != closed:
	case name == "Linear" && len(x) == 0:
		return mjq.Linear(), nil
	case name == "Power" && len(x) == 1:
		return mjq.Power(x[0]), nil
	case name == "Amdahl" && len(x) == 1:
		return mjq.Amdahl(x[0]), nil
	case name == "Speeds" && len(x) > 0:
		return mjq.Speeds(x...), nil
	}
	return s, fmt.Errorf("%q is no speed; give Linear, Power(0.8), Amdahl(0.9) or Speeds(1,1.9,2.7)", text)
}

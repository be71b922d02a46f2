package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
)

// classed is a setting of a class; of all if it has no name.
type classed[T any] struct {
	class string
	value T
}

// classes are those of the setting; none are all.
func (c classed[T]) classes() []string {
	if c.class == "" {
		return nil
	}
	return []string{c.class}
}

// turning defines the flags that say which jobs of the model of a file are not served.
func (f *modelFlags) turning(flags *pflag.FlagSet) {
	f.toggle(flags, "loss", "turn every job away that cannot start as it arrives", mjq.Model.Loss)
	flags.Var(wholes.then(altering(f, mjq.Model.Room)), "room", "the most jobs that wait; others are turned away")
	flags.Var(kind[classed[int]]{"class=number", "small=8", readKeep}.each(",", altering(f, func(m mjq.Model, k classed[int]) mjq.Model { return m.Keep(k.class, k.value) })),
		"keep", "servers that must stay free once a job of a class has started, CLASS=NUMBER; can be repeated")
	flags.Var(kind[classed[mjq.Law]]{"[class=]law", "ExpMean(2)", readPatience}.then(altering(f, func(m mjq.Model, p classed[mjq.Law]) mjq.Model { return m.Patience(p.value, p.classes()...) })),
		"patience", `distribution of the time after which a job that has not started gives up, of one class or of all, as big=ExpMean(2), or {"law":"ExpMean","mean":2}; can be repeated`)
}

// readKeep reads a class with a number.
func readKeep(text string) (classed[int], error) {
	name, number, both := strings.Cut(text, "=")
	n, err := readWhole(number)
	if !both || err != nil {
		return classed[int]{}, fmt.Errorf("%q is not a class with a number; give it as small=8", text)
	}
	return classed[int]{strings.TrimSpace(name), n}, nil
}

// readPatience reads a law, perhaps behind a class.
func readPatience(text string) (classed[mjq.Law], error) {
	name, written, both := strings.Cut(text, "=")
	if !both || strings.HasPrefix(strings.TrimSpace(text), "{") {
		name, written = "", text
	}
	l, err := readLaw(strings.TrimSpace(written))
	return classed[mjq.Law]{strings.TrimSpace(name), l}, err
}

// readLaw reads a law in JSON or as the call of its function with numbers: ExpMean(2).
func readLaw(text string) (mjq.Law, error) {
	if strings.HasPrefix(text, "{") {
		return law.Unmarshal([]byte(text))
	}
	name, rest, _ := strings.Cut(text, "(")
	arguments, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return nil, fmt.Errorf(`%q is no distribution; give one as ExpMean(2), or {"law":"ExpMean","mean":2}`, text)
	}
	members := map[string]any{"law": name}
	for _, form := range law.Examples() {
		if form.Name != name {
			continue
		}
		parts := strings.Split(arguments, ",")
		if len(parts) != len(form.Parameters) {
			return nil, fmt.Errorf("%s takes %d numbers, not %d", name, len(form.Parameters), len(parts))
		}
		for i, p := range form.Parameters {
			x, err := readNumber(parts[i])
			if err != nil {
				return nil, err
			}
			members[p.Name] = x
		}
	}
	written, err := json.Marshal(members)
	if err != nil {
		return nil, err
	}
	return law.Unmarshal(written)
}

// worthy is a question that takes the worths of jobs.
func worthy[T comparable](ask func(m mjq.Model, ctx context.Context, worth map[string]float64, opts ...mjq.Option) (T, error)) func(*call) asking[T] {
	return func(c *call) asking[T] {
		worth := define(c.flags(), pairs, "worth", nil, "worth of a job of a class that is served, CLASS=WORTH,...; 1 where none is given")
		return func(m mjq.Model, ctx context.Context, opts ...mjq.Option) (T, error) {
			return ask(m, ctx, *worth, opts...)
		}
	}
}

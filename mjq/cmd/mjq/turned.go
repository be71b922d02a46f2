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

// turnedFlags say which jobs of the model of a file are not served.
type turnedFlags struct {
	loss     bool
	room     int
	keep     []classed[int]
	patience []classed[mjq.Law]
	parsed   *pflag.FlagSet
}

// classed is a setting of a class; of all if it has no name.
type classed[T any] struct {
	class string
	value T
}

// add defines the flags.
func (f *turnedFlags) add(flags *pflag.FlagSet) {
	f.parsed = flags
	flags.BoolVar(&f.loss, "loss", false, "turn every job away that cannot start as it arrives")
	flags.Var(wholes.one(&f.room), "room", "the most jobs that wait; others are turned away")
	flags.Var(kind[classed[int]]{"class=number", "small=8", readKeep}.list(&f.keep, ","), "keep", "servers that must stay free once a job of a class has started, CLASS=NUMBER; can be repeated")
	flags.Var(kind[classed[mjq.Law]]{"[class=]law", "ExpMean(2)", readPatience}.then(func(p classed[mjq.Law]) { f.patience = append(f.patience, p) }),
		"patience", `distribution of the time after which a job that has not started gives up, of one class or of all, as big=ExpMean(2), or {"law":"ExpMean","mean":2}; can be repeated`)
}

// apply is the model with what the flags say.
func (f *turnedFlags) apply(m mjq.Model) mjq.Model {
	if f.parsed == nil {
		return m
	}
	if f.loss {
		m = m.Loss()
	}
	if f.parsed.Changed("room") {
		m = m.Room(f.room)
	}
	for _, k := range f.keep {
		m = m.Keep(k.class, k.value)
	}
	for _, p := range f.patience {
		if p.class == "" {
			m = m.Patience(p.value)
		} else {
			m = m.Patience(p.value, p.class)
		}
	}
	return m
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

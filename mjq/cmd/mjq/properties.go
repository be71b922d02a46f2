package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
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

// sleepFlags say when servers of a model or a log sleep, and what power they take.
type sleepFlags struct {
	sleep *spec.Sleep
	awake int
	watts *mjq.Watts
}

// add defines the flags.
func (f *sleepFlags) add(flags *pflag.FlagSet) {
	flags.Var(kind[*spec.Sleep]{"after/setup", "600/ExpMean(300)", readSleep}.one(&f.sleep), "sleep",
		"servers that no job needs go off, AFTER/SETUP: the idle time before (SuspendTime of Slurm) and the time to switch one on, each a number or a distribution, as 600/ExpMean(300)")
	flags.Var(wholes.one(&f.awake), "awake", "servers that never go off (a count in SuspendExcNodes of Slurm)")
	flags.Var(kind[*mjq.Watts]{"busy:idle:setup:asleep", "350:180:250:15", readWatts}.one(&f.watts), "watts",
		"power of a server, BUSY:IDLE:SETUP:ASLEEP, so that the answer has the energy")
}

// apply is the model with what the flags say.
func (f *sleepFlags) apply(m mjq.Model) mjq.Model {
	if f.sleep != nil {
		m = m.Sleep(f.sleep.After, f.sleep.Setup)
	}
	if f.awake != 0 {
		m = m.Awake(f.awake)
	}
	if f.watts != nil {
		m = m.Watts(*f.watts)
	}
	return m
}

// replayed is the replay of a log with what the flags say.
func (f *sleepFlags) replayed(how trace.Replay) trace.Replay {
	how.Sleep, how.Awake, how.Watts = f.sleep, f.awake, f.watts
	return how
}

// readSleep reads two times.
func readSleep(text string) (*spec.Sleep, error) {
	after, setup, both := strings.Cut(text, "/")
	if !both {
		return nil, fmt.Errorf("%q has one of two times; give the idle time before a server goes off and its setup, as 600/ExpMean(300)", text)
	}
	var s spec.Sleep
	for _, x := range []struct {
		text string
		law  *mjq.Law
	}{{after, &s.After}, {setup, &s.Setup}} {
		text := strings.TrimSpace(x.text)
		if t, err := readNumber(text); err == nil {
			*x.law = mjq.Deterministic(t)
			continue
		}
		l, err := readLaw(text)
		if err != nil {
			return nil, err
		}
		*x.law = l
	}
	return &s, nil
}

// readWatts reads the power of a server in its four states.
func readWatts(text string) (*mjq.Watts, error) {
	const form = "BUSY:IDLE:SETUP:ASLEEP"
	x, rest, err := readParts(text, form, numbers, numbers, numbers, numbers)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%q has more than four numbers; give %s", text, form)
	}
	if err != nil {
		return nil, err
	}
	return &mjq.Watts{Busy: x[0], Idle: x[1], Setup: x[2], Asleep: x[3]}, nil
}

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

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

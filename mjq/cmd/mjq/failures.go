package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
)

// failureFlags say how servers of the model of a file fail.
type failureFlags struct {
	kinds  []failing
	after  []classed[mjq.Checkpoint]
	crews  int
	spares int
	said   *pflag.FlagSet
}

// failing is a kind of failure.
type failing struct {
	name       string
	up, repair mjq.Law
}

// add defines the flags.
func (f *failureFlags) add(flags *pflag.FlagSet) {
	f.said = flags
	flags.Var(kind[failing]{"name=up/repair", "hardware=ExpMean(5250)/ExpMean(48)", readFailing}.then(func(x failing) { f.kinds = append(f.kinds, x) }),
		"failures", "kind of failure of servers, NAME=UP/REPAIR, with the distributions of the time up and of the repair, Deterministic(0) for an interruption; can be repeated")
	flags.Var(kind[classed[mjq.Checkpoint]]{"[class=]how", "Checkpoint(2.5,0.1)", readAfter}.then(func(x classed[mjq.Checkpoint]) { f.after = append(f.after, x) }),
		"after", "how a job of one class or of all continues after a failure: Checkpoint(every,cost,recovery,detection), resume, restart, resampled, drop or migrate, as big=Checkpoint(2.5,0.1); can be repeated")
	flags.Var(wholes.one(&f.crews), "crews", "servers that are repaired at once; all without it")
	flags.Var(wholes.one(&f.spares), "spares", "servers, or nodes, that jobs together leave free")
}

// apply is the model with what the flags say.
func (f *failureFlags) apply(m mjq.Model) mjq.Model {
	if f.said == nil {
		return m
	}
	for _, x := range f.kinds {
		m = m.Failures(x.name, x.up, x.repair)
	}
	for _, x := range f.after {
		if x.class == "" {
			m = m.After(x.value)
		} else {
			m = m.After(x.value, x.class)
		}
	}
	if f.said.Changed("crews") {
		m = m.Crews(f.crews)
	}
	if f.said.Changed("spares") {
		m = m.Spares(f.spares)
	}
	return m
}

// readFailing reads a kind of failure.
func readFailing(text string) (x failing, err error) {
	name, laws, named := strings.Cut(text, "=")
	up, repair, both := strings.Cut(laws, "/")
	if !named || !both {
		return x, fmt.Errorf("%q is no kind of failure; give it as hardware=ExpMean(5250)/ExpMean(48)", text)
	}
	x.name = strings.TrimSpace(name)
	if x.up, err = readLaw(strings.TrimSpace(up)); err != nil {
		return x, err
	}
	x.repair, err = readLaw(strings.TrimSpace(repair))
	return x, err
}

// readAfter reads what becomes of a job, perhaps behind a class.
func readAfter(text string) (classed[mjq.Checkpoint], error) {
	name, how, both := strings.Cut(text, "=")
	if !both {
		name, how = "", text
	}
	c, err := policy.ParseCheckpoint(how)
	return classed[mjq.Checkpoint]{strings.TrimSpace(name), c}, err
}

package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// failing is a kind of failure.
type failing struct {
	name       string
	up, repair mjq.Law
}

// failing defines the flags that say how servers of the model of a file fail.
func (f *modelFlags) failing(flags *pflag.FlagSet) {
	flags.Var(kind[failing]{"name=up/repair", "hardware=ExpMean(5250)/ExpMean(48)", readFailing}.then(altering(f, func(m mjq.Model, x failing) mjq.Model { return m.Failures(x.name, x.up, x.repair) })),
		"failures", "kind of failure of servers, NAME=UP/REPAIR, with the distributions of the time up and of the repair, Deterministic(0) for an interruption; can be repeated")
	flags.Var(kind[classed[mjq.Checkpoint]]{"[class=]how", "Checkpoint(2.5,0.1)", readAfter}.then(altering(f, func(m mjq.Model, x classed[mjq.Checkpoint]) mjq.Model { return m.After(x.value, x.classes()...) })),
		"after", "how a job of one class or of all continues after a failure: Checkpoint(every,cost,recovery,detection), resume, restart, resampled, drop or migrate, as big=Checkpoint(2.5,0.1), with .Shrink() behind it for elastic jobs that go on with the servers left; can be repeated")
	flags.Var(kind[spec.Reservation]{"start/length/servers[/every][/hard]", "100/8/64/168", readReservation}.then(altering(f, reserved)),
		"reserve", "servers that are reserved, START/LENGTH/SERVERS, with /EVERY for the time from one start to the next, and /hard to stop the jobs in the way; can be repeated")
	flags.Var(wholes.then(altering(f, mjq.Model.Crews)), "crews", "servers that are repaired at once; all without it")
	flags.Var(wholes.then(altering(f, mjq.Model.Spares)), "spares", "servers, or nodes, that jobs together leave free")
}

// reserved is the model with a reservation.
func reserved(m mjq.Model, r spec.Reservation) mjq.Model {
	if m = m.Reserve(r.Start, r.Length, r.Servers); r.Every > 0 {
		m = m.Every(r.Every)
	}
	if r.Hard {
		m = m.Hard()
	}
	return m
}

// readReservation reads a reservation.
func readReservation(text string) (r spec.Reservation, err error) {
	bad := fmt.Errorf("%q is no reservation; give it as START/LENGTH/SERVERS, perhaps with /EVERY and /hard, as 100/8/64/168", text)
	parts := strings.Split(text, "/")
	if parts, r.Hard = trimmed(parts, "hard"); len(parts) < 3 || len(parts) > 4 {
		return r, bad
	}
	numbers := [4]float64{}
	for i, p := range parts {
		if numbers[i], err = strconv.ParseFloat(strings.TrimSpace(p), 64); err != nil {
			return r, bad
		}
	}
	r.Start, r.Length, r.Every = numbers[0], numbers[1], numbers[3]
	if r.Servers = int(numbers[2]); float64(r.Servers) != numbers[2] {
		return r, bad
	}
	return r, nil
}

// trimmed is a list without a word at its end, and whether it was there.
func trimmed(list []string, word string) ([]string, bool) {
	if n := len(list) - 1; strings.TrimSpace(list[n]) == word {
		return list[:n], true
	}
	return list, false
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

package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
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

// outageFlags say when nodes failed while a log was written.
type outageFlags struct {
	file   string
	repair float64 // after a run that ended in NODE_FAIL
	after  policy.Checkpoint
	crews  int
	spares int
}

// add defines the flags.
func (f *outageFlags) add(c *call) {
	f.after, f.repair = mjq.Resume.After(), math.NaN()
	c.flags().StringVar(&f.file, "failures", "", "file with the output of sacctmgr show event -P, or of sinfo -R: when nodes were down")
	c.flags().Var(notNegative(numbers).one(&f.repair), "node-fail", "take runs of sacct that ended in NODE_FAIL for failures, each with this repair in seconds; 0 interrupts the job alone")
	c.flags().Lookup("node-fail").DefValue = "" // NaN says nothing
	c.flags().Var(kind[policy.Checkpoint]{"how", "Checkpoint(9000,300)", policy.ParseCheckpoint}.one(&f.after), "after",
		"how a job continues after a failure: resume, restart, migrate or Checkpoint(every,cost,recovery,detection) (resume: runs of the log end where failures hit them)")
	c.flags().Var(wholes.one(&f.crews), "crews", "servers that are repaired at once; all without it")
	c.flags().Var(wholes.one(&f.spares), "spares", "servers, or nodes, that jobs together leave free while nodes fail")
}

// apply is a replay with the failures. Notes tell of lines that are left out and what the failures leave open.
func (f *outageFlags) apply(c *call, t *trace.Trace, how trace.Replay) (trace.Replay, error) {
	guess := !math.IsNaN(f.repair)
	switch {
	case f.file == "" && !guess:
		for _, name := range []string{"after", "crews", "spares"} {
			if c.flags().Changed(name) {
				return how, fmt.Errorf("--%s: no server fails; give --failures or --node-fail as well", name)
			}
		}
		return how, nil
	case f.file != "" && guess:
		return how, errors.New("--node-fail along with --failures: give one of them")
	case guess && len(t.Failed) == 0:
		return how, fmt.Errorf("--node-fail: no run of %s ended in NODE_FAIL; leave it out, or give --failures", t.Name)
	}
	perNode, err := c.perNode(how)
	if err != nil {
		return how, err
	}
	outages := t.FailedNodes(f.repair)
	if f.file != "" {
		if outages, err = f.read(c); err != nil {
			return how, err
		}
	}
	list, remarks, err := outages.Failures(t, how, perNode)
	if err != nil {
		return how, err
	}
	for _, r := range remarks {
		fmt.Fprintln(c.notes, "mjq:", r)
	}
	if len(list) == 0 {
		fmt.Fprintf(c.notes, "mjq: %s: no outage is in the time of %s\n", cmp.Or(f.file, "--node-fail"), t.Name)
		return how, nil
	}
	how.Failures, how.After, how.Crews, how.Spares = list, f.after, f.crews, f.spares
	return how, nil
}

// read reads the file.
func (f *outageFlags) read(c *call) (*trace.Outages, error) {
	reading, err := c.logs.reading()
	if err != nil {
		return nil, err
	}
	in, err := open(f.file, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	o, err := trace.ReadOutages(f.file, in, reading.Sacct.Location)
	if err != nil && c.logs.malformed && o != nil && len(o.List) > 0 {
		fmt.Fprintln(c.notes, "mjq: left out:", message(err))
		err = nil
	}
	return o, err
}

// perNode is how many servers of a replay a node has.
func (c *call) perNode(how trace.Replay) (int, error) {
	switch {
	case len(how.Nodes) > 0:
		return 1, nil
	case c.system.gpus > 0:
		return c.system.gpus, nil
	case c.logs.sacct.Need == "node":
		return 1, nil
	}
	return 0, errors.New("--failures: a node fails, and which servers are a node is not known; give --need node, or --nodes")
}

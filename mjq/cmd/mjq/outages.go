package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

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

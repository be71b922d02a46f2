package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/trace"
)

// siteFlags name files of a Slurm site, by which a log is replayed.
type siteFlags struct{ conf, shares, partitions, qos string }

// add defines the flags.
func (f *siteFlags) add(c *call) {
	c.flags().StringVar(&f.conf, "slurm-conf", "", "file with the output of scontrol show config, or slurm.conf: the weights of the priorities")
	c.flags().StringVar(&f.shares, "shares", "", "file with the output of sshare -a -P: the shares of accounts and users")
	c.flags().StringVar(&f.partitions, "partitions", "", "file with the output of scontrol show partition: factors and tiers of the class that names a partition")
	c.flags().StringVar(&f.qos, "qos", "", "file with the output of sacctmgr show qos -P: factors and limits of the class that names a QOS")
}

// site is what the files say; nil if none is given.
func (f *siteFlags) site() (*trace.Slurm, error) {
	all := &trace.Slurm{}
	given := false
	for _, x := range []struct {
		file string
		read func(name string, r io.Reader) (*trace.Slurm, error)
	}{{f.conf, trace.ReadSlurmConf}, {f.shares, trace.ReadShares}, {f.partitions, trace.ReadPartitions}, {f.qos, trace.ReadQOS}} {
		if x.file == "" {
			continue
		}
		given = true
		in, err := open(x.file, nil)
		if err != nil {
			return nil, err
		}
		part, err := x.read(x.file, in)
		_ = in.Close() // it was only read
		if err != nil {
			return nil, err
		}
		all = all.With(part)
	}
	switch {
	case !given:
		return nil, nil
	case f.conf == "":
		return nil, fmt.Errorf("--shares, --partitions and --qos go with --slurm-conf, which has the weights; give it as well")
	}
	return all, nil
}

// apply is a replay under the policy of the site. Notes tell what it does not model.
func (f *siteFlags) apply(c *call, t *trace.Trace, how trace.Replay) (trace.Replay, *trace.Slurm, error) {
	site, err := f.site()
	if err != nil || site == nil {
		return how, nil, err
	}
	if how.Policy != nil {
		return how, nil, fmt.Errorf("--policy along with --slurm-conf: give one of them")
	}
	how, remarks := site.Replay(t, how)
	for _, r := range remarks {
		fmt.Fprintln(c.notes, "mjq:", r)
	}
	return how, site, nil
}

// planned is a scenario as a file has it. A key that the file leaves out changes nothing.
type planned struct {
	Name      string          `json:"name"`
	Servers   int             `json:"servers,omitempty"`
	Policy    json.RawMessage `json:"policy,omitempty"`    // as on the command line, or in JSON
	MostHours float64         `json:"mostHours,omitempty"` // of a job; longer ones run in chains
	MostNeed  int             `json:"mostNeed,omitempty"`  // servers of a job; wider ones run longer
	Jobs      float64         `json:"jobs,omitempty"`      // 1.2 for a fifth more of them
	Elastic   *trace.Elastic  `json:"elastic,omitempty"`
	Setting   string          `json:"setting,omitempty"`
	Costs     string          `json:"costs,omitempty"`
}

// readScenarios reads those of a file; none for "".
func readScenarios(file string, t *trace.Trace, how trace.Replay) (list []trace.Scenario, err error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var plans []planned
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := errors.Join(append(check.Repeated(text), d.Decode(&plans))...); err != nil {
		return nil, fmt.Errorf(`%s: %w; write a list as [{"name":"four more","servers":36}]`, file, err)
	}
	for i := range plans {
		s, err := plans[i].scenario(t, how)
		if err != nil {
			return nil, fmt.Errorf("%s: scenario %d: %w", file, i+1, err)
		}
		list = append(list, s)
	}
	return list, nil
}

// scenario is the plan on a log. A policy that it does not name is that of the site, which Advise finds.
func (p *planned) scenario(t *trace.Trace, how trace.Replay) (s trace.Scenario, err error) {
	s = trace.Scenario{Name: p.Name, Log: t, Replay: how, Setting: p.Setting, Costs: p.Costs}
	switch {
	case p.Name == "":
		return s, errors.New("it has no name; give it one")
	case p.Servers < 0 || p.Servers > 0 && len(how.Nodes) > 0:
		return s, fmt.Errorf("servers is %d; give a positive number, and none along with --nodes", p.Servers)
	}
	if p.Servers > 0 {
		s.Replay.Servers = p.Servers
	}
	if len(p.Policy) > 0 {
		text := string(p.Policy)
		if err := json.Unmarshal(p.Policy, &text); err != nil {
			text = string(p.Policy)
		}
		if s.Replay.Policy, err = readPolicy(text); err != nil {
			return s, fmt.Errorf("policy: %w", err)
		}
	}
	if p.MostHours != 0 {
		s.Log = s.Log.CapService(p.MostHours*3600, trace.Chain)
	}
	if p.MostNeed != 0 {
		s.Log = s.Log.CapNeed(p.MostNeed)
	}
	if p.Jobs != 0 {
		s.Log = s.Log.Scale(p.Jobs, 1)
	}
	if p.Elastic != nil {
		s.Replay.Elastic = append(slices.Clone(how.Elastic), *p.Elastic)
	}
	return s, s.Log.Validate()
}

package main

import (
	"fmt"
	"io"

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

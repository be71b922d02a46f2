package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// systemFlags say how large the system of a log is, in place of --servers.
type systemFlags struct {
	nodes, gpus int
	sinfo       string
}

// add defines the flags.
func (f *systemFlags) add(c *call) {
	c.flags().Var(wholes.one(&f.nodes), "nodes", "nodes of the cluster, which jobs take as wholes unless --gpus is given")
	c.flags().Var(wholes.one(&f.gpus), "gpus", "GPUs of each of the --nodes; they count as servers")
	c.flags().StringVar(&f.sinfo, "sinfo", "", "file with the output of "+trace.SinfoCommand+": its units of --need, of the partition of --only")
}

// resolve finds the number of servers and what counts as one.
func (f *systemFlags) resolve(c *call) error {
	var wrong []error
	add := func(is bool, format string, args ...any) {
		if is {
			wrong = append(wrong, fmt.Errorf(format, args...))
		}
	}
	add(f.nodes < 0 || f.gpus < 0, "--nodes %d, --gpus %d: give positive numbers", f.nodes, f.gpus)
	need := &c.logs.sacct.Need
	sized, wants := f.nodes > 0, "node"
	if f.gpus > 0 {
		wants = "gres/gpu"
	}
	add(f.gpus > 0 && !sized, "--gpus: it is by node; give --nodes as well, or --servers")
	add(sized && f.sinfo != "", "--sinfo along with --nodes: give one of them")
	add((sized || f.sinfo != "") && len(c.models.servers) > 0, "--servers along with --nodes or --sinfo: give one of them")
	add(sized && *need != "" && *need != wants, "--need %s: --nodes and --gpus count %s; leave --need out, or give --servers", *need, wants)
	if err := errors.Join(wrong...); err != nil || !sized && f.sinfo == "" {
		return err
	}
	if sized {
		*need, c.models.servers = wants, []int{f.nodes * max(1, f.gpus)}
		return nil
	}
	n, err := panics.Until(c.ctx(), func() (int, error) { return unitsOf(f.sinfo, *need, c.logs.partition()) })
	c.models.servers = []int{n}
	return err
}

// unitsOf is how many units of a resource a file of sinfo has, in a partition or in all.
func unitsOf(file, need, partition string) (int, error) {
	in, err := open(file, nil)
	if err != nil {
		return 0, err
	}
	s, err := trace.ReadSinfo(file, in)
	if err = errors.Join(err, in.Close()); err != nil {
		return 0, err
	}
	if need == "" {
		need = "cpu"
	}
	n := s.Units(need)
	if partition != "" {
		n = 0
		for _, p := range s.Partitions {
			if p.Name == partition {
				n = p.Units(need)
			}
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("%s: no unit of %s%s; give --need cpu, node, mem or gres/gpu, and a partition of that file", file, need, within(partition))
	}
	return n, nil
}

// within names a partition, if there is one.
func within(partition string) string {
	if partition == "" {
		return ""
	}
	return " in partition " + partition
}

// nodeFlags say on which nodes the units of the model of a file lie.
type nodeFlags struct {
	kinds     []nodeKind
	placement mjq.Placement
}

// nodeKind is nodes that are alike.
type nodeKind struct{ count, units int }

// The kinds of values of these flags.
var (
	nodeKinds  = kind[nodeKind]{"nodes", "16x8", readNodes}
	placements = kind[mjq.Placement]{"placement", "BestFit", placement.Named}
)

// add defines the flags.
func (f *nodeFlags) add(flags *pflag.FlagSet) {
	flags.Var(nodeKinds.list(&f.kinds, ","), "nodes", "nodes on which jobs are placed in place of servers, NUMBERxUNITS: 16x8; several kinds with commas")
	flags.Var(placements.one(&f.placement), "placement", "placement of jobs on nodes: BestFit, WorstFit, RandomFit or LowestFit")
}

// apply is the model with what the flags say.
func (f *nodeFlags) apply(m mjq.Model) mjq.Model {
	if len(f.kinds) > 0 {
		s := m.Spec()
		s.Servers, s.Nodes, s.Resources = 0, nil, nil
		m = mjq.FromSpec(s)
	}
	for _, k := range f.kinds {
		m = m.Nodes(k.count, k.units)
	}
	if f.placement != nil {
		m = m.Placement(f.placement)
	}
	return m
}

// specs are the kinds as a replay takes them.
func (f *nodeFlags) specs() (kinds []spec.Nodes) {
	for _, k := range f.kinds {
		kinds = append(kinds, spec.Nodes{Count: k.count, Units: k.units})
	}
	return kinds
}

// units is how many units all nodes have.
func (f *nodeFlags) units() (n int) {
	for _, k := range f.kinds {
		n += k.count * k.units
	}
	return n
}

// readNodes reads 16x8.
func readNodes(text string) (nodeKind, error) {
	count, units, both := strings.Cut(strings.ToLower(text), "x")
	n, err := readWhole(count)
	g, wrong := readWhole(units)
	if !both || err != nil || wrong != nil {
		return nodeKind{}, fmt.Errorf("%q is no nodes; give their number and the units of each as 16x8", text)
	}
	return nodeKind{n, g}, nil
}

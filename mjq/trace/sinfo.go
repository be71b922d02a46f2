package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/trace/internal/slurm"
)

// SinfoCommand is the command whose output ReadSinfo reads.
const SinfoCommand = `sinfo -N -h -o "%N|%P|%c|%m|%G|%T"`

// System is the size of a cluster, each node counted once.
type System struct {
	Nodes, CPUs, GPUs int
	MiB               int          // of memory
	Down              int          // nodes that are down, drained, failing or in maintenance, which do not count above
	Partitions        []SystemPart // in the order of the file; a node may be in several
}

// SystemPart is a partition of a cluster.
type SystemPart struct {
	Name              string
	Nodes, CPUs, GPUs int
	MiB               int
}

// Units is how many units of a trackable resource there are: of "cpu", "node", "mem" or
// "gres/gpu"; 0 of any other.
func (s *System) Units(resource string) int {
	return SystemPart{Nodes: s.Nodes, CPUs: s.CPUs, GPUs: s.GPUs, MiB: s.MiB}.Units(resource)
}

// Units is how many units of a trackable resource the partition has; see System.Units.
func (p SystemPart) Units(resource string) int {
	switch resource {
	case "cpu":
		return p.CPUs
	case "node":
		return p.Nodes
	case "mem":
		return p.MiB
	case "gres/gpu":
		return p.GPUs
	}
	return 0
}

// ReadSinfo reads the size of a cluster from the output of SinfoCommand, which has a line for each
// node and partition. Lines that cannot be read are left out, and the error names the first ten;
// the size by the other lines is returned with it.
func ReadSinfo(name string, r io.Reader) (*System, error) {
	s, bad := &System{}, check.Faults{Most: mostProblems}
	seen, parts := map[string]bool{}, map[string]int{}
	for l := newLines(r); ; {
		text, _, err := l.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: after line %d: %w", name, l.no, err)
		}
		if text = bytes.TrimSpace(text); len(text) == 0 || l.no == 1 && strings.HasPrefix(string(text), "NODELIST|") {
			continue
		}
		n, err := slurm.NodeOf(text)
		if err != nil {
			bad.Join(&LineError{name, l.no, err.Error()})
			continue
		}
		s.add(n, seen, parts)
	}
	if s.Nodes+s.Down == 0 {
		bad.Add("%s: there is no node in it; write it with %s", name, SinfoCommand)
	}
	return s, bad.Err("")
}

// add counts a node.
func (s *System) add(n slurm.Node, seen map[string]bool, parts map[string]int) {
	first := !seen[n.Name]
	seen[n.Name] = true
	if !n.Usable {
		if first {
			s.Down++
		}
		return
	}
	if first {
		s.Nodes, s.CPUs, s.GPUs, s.MiB = s.Nodes+1, s.CPUs+n.CPUs, s.GPUs+n.GPUs, s.MiB+n.MiB
	}
	k, known := parts[n.Partition]
	if !known {
		k, parts[n.Partition] = len(s.Partitions), len(s.Partitions)
		s.Partitions = append(s.Partitions, SystemPart{Name: n.Partition})
	}
	p := &s.Partitions[k]
	p.Nodes, p.CPUs, p.GPUs, p.MiB = p.Nodes+1, p.CPUs+n.CPUs, p.GPUs+n.GPUs, p.MiB+n.MiB
}

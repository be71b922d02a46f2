package trace

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// onNodes are the nodes of a part of a system, and where the jobs of each of its kinds lie.
type onNodes struct {
	kinds     []spec.Nodes
	placement placement.Placement
	spans     []compiled.Span
	jobs      []float64 // by kind
}

// nodeFaults says what is wrong with nodes.
func (q *replay) nodeFaults(f *check.Faults) {
	f.That(len(q.Nodes) > 0 || q.Placement == nil, "Placement %v: give Nodes, or leave it out", q.Placement)
	if len(q.Nodes) == 0 {
		return
	}
	f.That(len(q.Units)+len(q.Partitions) == 0, "Nodes along with Units or Partitions: give one of them")
	for i, k := range q.Nodes {
		f.That(k.Count >= 1 && k.Count <= spec.MostNodes, "Nodes: kind %d has %d nodes; give at least 1", i+1, k.Count)
		f.That(k.Units >= 1 && k.Units <= spec.MostServers, "Nodes: a node of kind %d has %d units; give at least 1", i+1, k.Units)
		f.That(k.Types == nil, "Nodes: kind %d has units of several types, which a replay does not place; give Units of one", i+1)
	}
}

// placed are the nodes without jobs; nil without nodes.
func (how *Replay) placed() *onNodes {
	if len(how.Nodes) == 0 {
		return nil
	}
	n := &onNodes{kinds: how.Nodes, placement: how.Placement}
	if n.placement == nil {
		n.placement = placement.BestFit{}
	}
	return n
}

// span is where a job lies: on as many nodes as it did under the scheduler that wrote the log, if
// its need can be parted evenly among them and they have room; else on one node, on whole nodes,
// or anywhere.
func (n *onNodes) span(j *Job) compiled.Span {
	largest := 0
	for _, k := range n.kinds {
		largest = max(largest, k.Units)
	}
	switch {
	case j.Nodes > 0 && j.Need%j.Nodes == 0 && n.room(j.Need/j.Nodes) >= j.Nodes:
		return compiled.Span{Nodes: j.Nodes, Each: []int{j.Need / j.Nodes}}
	case j.Need <= largest:
		return compiled.Span{Nodes: 1, Each: []int{j.Need}}
	case j.Need%largest == 0 && n.room(largest) >= j.Need/largest:
		return compiled.Span{Nodes: j.Need / largest, Each: []int{largest}}
	}
	return compiled.Span{Each: []int{j.Need}}
}

// room is on how many nodes so many units fit.
func (n *onNodes) room(units int) (count int) {
	for _, k := range n.kinds {
		if k.Units >= units {
			count += k.Count
		}
	}
	return count
}

// anywhere is how many jobs lie anywhere.
func (n *onNodes) anywhere() (jobs float64) {
	for k, s := range n.spans {
		if s.Nodes == 0 {
			jobs += n.jobs[k]
		}
	}
	return jobs
}

// placed are the nodes as the event engine has them.
func (n *onNodes) placed() *compiled.Nodes {
	x := &compiled.Nodes{Spans: n.spans, Placement: n.placement}
	all := 0.0
	for _, jobs := range n.jobs {
		all += jobs
	}
	for _, jobs := range n.jobs {
		x.Probs = append(x.Probs, jobs/all)
	}
	for _, k := range n.kinds {
		x.Kinds = append(x.Kinds, compiled.NodeKind{Count: k.Count, Units: []int{k.Units}})
	}
	return x
}

// fragmentation is what the nodes cost, averaged over the replay.
func (h *history) fragmentation() (f result.Fragmentation) {
	if h.onNodes == nil {
		return f
	}
	for i, to := range [...]*result.Estimate{&f.Held, &f.Stranded, &f.Unusable, &f.EmptyNodes} {
		*to = result.Exact(h.onNodes[i]/h.span, "trace")
	}
	return f
}

// nodesNote says how many jobs lie anywhere.
func (q *replay) nodesNote(h *history) (notes []string) {
	if h.anywhere > 0 {
		notes = append(notes, fmt.Sprintf("Waits may be too low: %.0f of the jobs take units on any nodes, because they need neither a part of a node nor whole ones, and the log does not say on how many nodes they ran. Set Job.Nodes, or leave these jobs out.", h.anywhere))
	}
	return notes
}

// nodesTitle names the nodes in words.
func (q *replay) nodesTitle() string {
	s := spec.Spec{Nodes: slices.Clone(q.Nodes), Placement: q.placed().placement}
	return s.NodesText()
}

// onNodes is on how many nodes a job lay, where sacct says so and nodes are not what is counted.
func (in *sacctReader) onNodes() uint16 {
	if at := in.columns.nNodes; at >= 0 && in.options.Need != "node" {
		if n, err := strconv.ParseUint(string(in.cells[at]), 10, 16); err == nil {
			return uint16(n)
		}
		if n := len(in.cells[at]); n > 0 && !digit(in.cells[at][n-1]) {
			in.adjust(roundedNodes, in.report.Lines)
		}
	}
	return 0
}

package trace

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mjqueue/mjq/mjq/spec"
)

// Failures are the outages as failures of a replay, and remarks on what they leave open. With how.Nodes a node
// fails, else as many of how.Servers as a node has: perNode.
//
// The log does not say which server of a replay a node is. With m nodes that have outages, in the order of their names,
// the k-th is taken for the one in the middle of the k-th of m equal parts of all. Outages without a name are spread over
// all. Outages of a node that touch are one,
// and one without an end lasts to the end of the log. A drained node runs its job to the end, but in a replay it hits
// the job that is there, which a remark counts.
//
// Service times of the log end where failures have hit. So replay with After: mjq.Resume, which takes only the servers
// away, unless runs of requeued jobs were joined.
func (o *Outages) Failures(t *Trace, how Replay, perNode int) (list []Failure, remarks []string, err error) {
	switch {
	case t.Report.Origin.IsZero():
		return nil, nil, fmt.Errorf("failures: the times of %s are numbers without a date; read a log with dates, as of sacct", t.Name)
	case len(how.Nodes) > 0:
		perNode = 1
	case perNode < 1:
		return nil, nil, fmt.Errorf("failures: %d servers a node; give how many a node has, or Nodes", perNode)
	}
	servers := 0
	for _, n := range how.Nodes {
		servers += n.Count
	}
	if servers == 0 {
		servers = how.servers(t)
	}
	nodes := servers / perNode
	spans, drained := o.within(t)
	unnamed := spans[""]
	delete(spans, "")
	names := slices.SortedFunc(maps.Keys(spans), natural)
	if len(names) > nodes || nodes == 0 {
		return nil, nil, fmt.Errorf("failures: %d nodes have outages, and there are %d; read the events of these nodes alone, or give more servers", len(names), nodes)
	}
	fails := func(node int, s stretch) {
		for i := range perNode {
			list = append(list, Failure{Time: s.from, Server: node*perNode + i, Repair: s.to - s.from, Cause: s.cause})
		}
	}
	for k, name := range names {
		for _, s := range spans[name] {
			fails((2*k+1)*nodes/(2*len(names)), s)
		}
	}
	for k, s := range unnamed {
		_, part := math.Modf(float64(k+1) * math.Phi)
		fails(int(part*float64(nodes)), s)
	}
	slices.SortStableFunc(list, func(a, b Failure) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Server, b.Server)) })
	if drained > 0 {
		remarks = append(remarks, fmt.Sprintf("%s drained: their jobs ran on, and those of the replay are hit.", spec.Count(drained, "outage")))
	}
	return list, remarks, nil
}

// stretch is a time of the log.
type stretch struct {
	from, to float64
	cause    string
}

// within are the outages of each node in the time of the log, those that touch as one, and how many of them drain.
func (o *Outages) within(t *Trace) (spans map[string][]stretch, drained int) {
	w := t.Window()
	since, until := w.Since, w.Until
	spans = map[string][]stretch{}
	list := slices.Clone(o.List)
	slices.SortStableFunc(list, func(a, b Outage) int { return a.From.Compare(b.From) })
	for _, x := range list {
		s := stretch{max(since, x.From.Sub(t.Report.Origin).Seconds()), until, x.Reason}
		if !x.To.IsZero() {
			s.to = min(until, x.To.Sub(t.Report.Origin).Seconds())
		}
		if interrupts := x.To.Equal(x.From) && s.from == s.to; !(s.from < s.to || interrupts) {
			continue
		}
		if x.Drained {
			drained++
		}
		of := spans[x.Node]
		if last := len(of) - 1; x.Node != "" && last >= 0 && s.from <= of[last].to {
			of[last].to = max(of[last].to, s.to)
			continue
		}
		spans[x.Node] = append(of, s)
	}
	return spans, drained
}

// nodeFailed makes jobs of the runs that a failure of a node ended, of which no earlier line tells.
func (in *sacctReader) nodeFailed() {
	for _, k := range in.failed {
		if r := in.runs.at(k); r.fate == kept {
			in.lost = append(in.lost, in.asJob(r, 0))
		}
	}
}

// FailedNodes are outages of so many seconds that begin where runs of the log ended because a node failed. The log does
// not tell which node, nor for how long: several runs that end at one instant are one outage, and repair is a guess.
func (t *Trace) FailedNodes(repair float64) *Outages {
	o := &Outages{Report: Report{File: t.Name}}
	seen := map[float64]bool{}
	for i := range t.Failed {
		j := &t.Failed[i]
		if at := j.end(); !seen[at] {
			seen[at] = true
			from := t.Report.Origin.Add(time.Duration(at * float64(time.Second)))
			o.List = append(o.List, Outage{From: from, To: from.Add(time.Duration(repair * float64(time.Second))), Reason: "NODE_FAIL", Line: j.Line})
		}
	}
	o.Report.Lines, o.Report.Jobs = len(t.Failed), len(o.List)
	return o
}

// natural compares names with the numbers in them as numbers, so that n9 is before n10.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := firstOf(a), firstOf(b)
		m, err := strconv.Atoi(x)
		n, wrong := strconv.Atoi(y)
		order := strings.Compare(x, y)
		if err == nil && wrong == nil && m != n {
			order = cmp.Compare(m, n)
		}
		if order != 0 {
			return order
		}
		a, b = a[len(x):], b[len(y):]
	}
	return cmp.Compare(len(a), len(b))
}

// firstOf is the number at the beginning of a name, or else what stands before the next.
func firstOf(s string) string {
	i := 1
	for i < len(s) && digit(s[i]) == digit(s[0]) {
		i++
	}
	return s[:i]
}

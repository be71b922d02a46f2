package events

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// onNodes is a plan of nodes that are alike, for classes with their needs and services.
func onNodes(count, units int, rate float64, seed uint64, classes ...stream.Class) *Plan {
	n := &compiled.Nodes{Kinds: []compiled.NodeKind{{Count: count, Units: []int{units}}}, Placement: placement.BestFit{}}
	p := &Plan{System: compiled.System{Servers: count * units, Classes: len(classes), Policy: policy.FCFS{}, Nodes: n, Input: stream.New(seed, law.ExpRate(rate), classes)}, Replications: 16, Batches: 1, WarmUp: 2000, Length: 20_000,
		Level: 0.95, Workers: 2}
	for _, c := range classes {
		p.Needs = append(p.Needs, c.Need)
		span := max(1, c.Need/units)
		n.Spans, n.Probs = append(n.Spans, compiled.Span{Nodes: span, Each: []int{c.Need / span}}), append(n.Probs, c.Prob)
	}
	return p
}

// ofValue is the plan of a reference value; nil for a limit.
func ofValue(t *testing.T, v oracle.Extension) *Plan {
	rate, given := v.Model["rate"].(float64)
	if !given {
		return nil
	}
	p := onNodes(int(v.Model["nodes"].(float64)), int(v.Model["units_of_a_node"].(float64)), rate, 7, classesOf(t, v)...)
	name, _, _ := strings.Cut(v.Model["placement"].(string), ",")
	at, err := placement.Named(name)
	if err != nil {
		t.Fatal(v.ID, err)
	}
	p.Nodes.Placement = at
	if v.Model["loss"] != nil {
		p.Room = new(compiled.Room)
	}
	return p
}

// classesOf are the classes of a reference value.
func classesOf(t *testing.T, v oracle.Extension) (classes []stream.Class) {
	for _, c := range v.Model["classes"].([]any) {
		x, mean := c.(map[string]any), 0.0
		if _, err := fmt.Sscanf(x["service"].(string), "ExpMean(%g)", &mean); err != nil {
			t.Fatal(v.ID, err)
		}
		classes = append(classes, stream.Class{Need: int(x["need"].(float64)), Prob: x["prob"].(float64), Service: law.ExpMean(mean)})
	}
	return classes
}

// within fails unless an estimate is a value within some five standard errors.
func within(t *testing.T, what string, got result.Estimate, want float64) {
	t.Helper()
	if !(math.Abs(got.Value-want) <= 2.4*got.HalfWidth+1e-12) {
		t.Errorf("%s: %v, want %.6g", what, got, want)
	}
}

// TestPlacedValues holds the simulation against all values of nodes but the limits: shares
// that are blocked and that have no place though enough is free, waits, held and stranded.
func TestPlacedValues(t *testing.T) {
	runs, compared := map[string]*Result{}, 0
	for _, v := range oracle.AllExtended(t, "nodes-") {
		p := ofValue(t, v)
		if p == nil {
			continue
		}
		model := fmt.Sprint(v.Model)
		if runs[model] == nil {
			runs[model] = p.Run(context.Background(), nil)
		}
		r, name := runs[model], v.ID[strings.LastIndex(v.ID, "-")+1:]
		var class int
		_, _ = fmt.Sscanf(name[1:], "%d", &class)
		switch {
		case name == "held":
			within(t, v.ID, r.Held, v.Value)
		case name == "stranded":
			within(t, v.ID, r.Stranded, v.Value)
		case name[0] == 'W':
			within(t, v.ID, r.Classes[class].Waiting.Mean, v.Value)
		case name[0] == 'B':
			within(t, v.ID, r.Classes[class].Blocked, v.Value)
		case name[0] == 'F':
			within(t, v.ID, r.Classes[class].Scattered, v.Value)
		default:
			t.Errorf("%s is not compared", v.ID)
		}
		compared++
	}
	if compared < 60 {
		t.Errorf("only %d values", compared)
	}
}

// exps are classes with exponential services of mean 1, equally probable.
func exps(needs ...int) (classes []stream.Class) {
	for _, n := range needs {
		classes = append(classes, stream.Class{Need: n, Prob: 1 / float64(len(needs)), Service: law.ExpMean(1)})
	}
	return classes
}

// starts are the starts of jobs of a plan's first replication, on nodes or as a pool.
func (p *Plan) starts(jobs int64) (list []float64) {
	s := New(p.System)
	list = make([]float64, jobs)
	s.Recorded = func(r *Record) {
		if r.Number < jobs {
			list[r.Number] = r.Wait
		}
	}
	s.Replicate(p.Input.Reader(0))
	s.Until(2 * jobs)
	return list
}

// pooled is a system on nodes whose jobs wait as in a pool.
type pooled struct {
	count, units int
	rate         float64
	needs        []int
	pool         int   // servers
	as           []int // needs there
}

var pools = map[string]pooled{
	"one node":      {1, 8, 2, []int{1, 4, 8}, 8, []int{1, 4, 8}},
	"nodes of one":  {8, 1, 1.5, []int{1, 4, 8}, 8, []int{1, 4, 8}},
	"all alike":     {3, 8, 5, []int{3}, 6, []int{1}},
	"above half":    {5, 8, 4, []int{5, 6, 8}, 5, []int{1, 1, 1}},
	"whole nodes":   {6, 4, 2, []int{4, 8, 12}, 6, []int{1, 2, 3}},
	"one scattered": {6, 4, 2.5, []int{5, 3}, 24, []int{5, 3}},
}

// compare fails unless jobs wait as in the pool, and some do wait.
func (c pooled) compare(t *testing.T, name string, pol policy.Policy, at placement.Placement, jobs int64) {
	t.Helper()
	p := onNodes(c.count, c.units, c.rate, 3, exps(c.needs...)...)
	p.Policy, p.Nodes.Placement = pol, at
	if name == "one scattered" {
		p.Nodes.Spans = []compiled.Span{{Nodes: 0, Each: []int{5}}, {Nodes: 0, Each: []int{3}}}
	}
	pool := onNodes(1, c.pool, c.rate, 3, exps(c.as...)...)
	pool.Policy, pool.Nodes = pol, nil
	waits := p.starts(jobs)
	if !slices.Equal(waits, pool.starts(jobs)) || !slices.ContainsFunc(waits, func(w float64) bool { return w > 0 }) {
		t.Errorf("%s, %v, %v: not the waits of the pool", name, at, pol)
	}
}

// TestPlacedSpecialCases: one node is a pool of its units, nodes of one unit are a pool of
// nodes, jobs that are all alike have a fixed number of places, and where each takes more than
// half a node, or whole nodes, nodes are servers: job by job, whatever the placement.
func TestPlacedSpecialCases(t *testing.T) {
	const jobs = 3000
	for name, c := range pools {
		for _, at := range placement.All() {
			for _, pol := range []policy.Policy{policy.FCFS{}, policy.FirstFit{}, policy.MostServersFirst{}} {
				if _, packs := pol.(policy.MostServersFirst); packs && name == "above half" {
					continue // it tells the needs apart, which the pool does not have
				}
				c.compare(t, name, pol, at, jobs)
			}
		}
	}
}

// TestPlacedNotInsensitive: of two nodes that turn jobs away the law of the services matters, of
// one only its mean.
func TestPlacedNotInsensitive(t *testing.T) {
	fixed := func(id string) (blocked result.Estimate, exponential float64) {
		v := oracle.Extended(t, id)
		p, rate := ofValue(t, v), v.Model["rate"].(float64)
		classes := classesOf(t, v)
		for i, c := range classes {
			classes[i].Service = law.Deterministic{X: c.Service.Mean()}
		}
		p.Input, p.Length = stream.New(9, law.ExpRate(rate), classes), int64(oracle.Sized(40_000, 60_000))
		return p.Run(context.Background(), nil).Classes[0].Blocked, v.Value
	}
	one, exponential := fixed("nodes-loss_one_node-best-B0")
	within(t, "one node", one, exponential)
	if two, exponential := fixed("nodes-loss_two-best-B0"); two.Value-exponential < 3*two.HalfWidth {
		t.Errorf("two nodes: %v of the jobs with fixed services are blocked, of exponential ones %.5f", two, exponential)
	}
}

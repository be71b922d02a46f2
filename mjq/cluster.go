package mjq

import (
	"context"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// Cluster is a queue whose servers are not all alike to its jobs: one with
// types of resources (Resources), with requests for specific servers
// (Builder.Specific), or with random assignment (Model.RandomAssignment). It is
// immutable and may be shared by goroutines; AtRate, AtLoad and AsPrinted
// return changed copies. Its verbs are those of Model that hold for it.
type Cluster struct{ m *Model }

// variant is what a Cluster changes in the plain model that carries it. There
// Servers is the number of all units and a class's Need the number of all units
// that it takes.
type variant struct {
	servers   int
	resources []Resource      // types of resources; none: servers with identities
	needs     [][]int32       // by class and type
	picks     []sampling.Pick // by class, of servers with identities
	random    bool            // random assignment
	asPrinted bool
	ideal     float64 // no arrival rate above this can be served
}

// recurrence is the one that the samplers follow.
func (v *variant) recurrence() sampling.Recurrence {
	if v.resources != nil {
		y := &sampling.Typed{Needs: v.needs, AsPrinted: v.asPrinted}
		for _, r := range v.resources {
			y.Units = append(y.Units, r.Units)
		}
		return y
	}
	printed := v.asPrinted || v.random
	return &sampling.Specific{Picks: v.picks, AsPrinted: printed, Ordered: !v.names() && (v.any() || !printed)}
}

// names says whether a class asks for servers by number, any whether a class
// asks for servers whichever.
func (v *variant) names() bool {
	return slices.ContainsFunc(v.picks, func(p sampling.Pick) bool { return len(p.Named) > 0 })
}

func (v *variant) any() bool {
	return slices.ContainsFunc(v.picks, func(p sampling.Pick) bool { return p.Any > 0 })
}

// monotone says whether more work found means more work left, job by job, on
// which Theorems 4.2 and 5.1 of the paper rest.
func (v *variant) monotone() bool { return !v.names() || !v.any() }

func (v *variant) title() string {
	switch {
	case v.random:
		return "multiserver-job queue with random assignment: " + count(v.servers, "server")
	case v.resources == nil:
		return fmt.Sprintf("%s multiserver-job queue with specific servers: %s", v.discipline(), count(v.servers, "server"))
	}
	var units []string
	for _, r := range v.resources {
		units = append(units, fmt.Sprintf("%d %s", r.Units, r.Name))
	}
	return fmt.Sprintf("%s multiserver-job queue: %s", v.discipline(), strings.Join(units, ", "))
}

func (v *variant) discipline() string {
	if v.asPrinted {
		return "overtaking (as printed)"
	}
	return "FCFS"
}

// Rate is the arrival rate λ in jobs per unit of time; NaN without arrivals, and
// for a cluster at a load before Resolve.
func (c *Cluster) Rate() float64 { return c.m.Rate() }

// AtRate is the cluster with the arrival rate changed to rate; see
// Model.AtRate.
func (c *Cluster) AtRate(rate float64) *Cluster { return &Cluster{c.m.AtRate(rate)} }

// AtLoad is the cluster at the given fraction of its stability limit, which is
// found by the pile when a verb runs: some seconds; see Model.AtLoad.
func (c *Cluster) AtLoad(load float64) *Cluster { return &Cluster{c.m.AtLoad(load)} }

// Resolve is the cluster with its arrival rate known; see Model.Resolve.
func (c *Cluster) Resolve(ctx context.Context) (*Cluster, error) {
	m, err := c.m.Resolve(ctx)
	if err != nil {
		return nil, err
	}
	return &Cluster{m}, nil
}

// Limit is the stability limit with the default settings, found at the first
// call and remembered for all copies that differ in the arrivals only; see
// Model.Limit.
func (c *Cluster) Limit(ctx context.Context) (*Stability, error) { return c.m.Limit(ctx) }

// IdealRate is the arrival rate beyond which some resource would lack units
// even if no job ever blocked another: the least of s_j / E[α_j σ] over the
// types j, and of 1 / E[σ; names the server] over servers asked for by number.
// The stability limit is at most this.
func (c *Cluster) IdealRate() float64 { return c.m.IdealRate() }

// Classes is a copy of the classes, their probabilities summing to 1. Need is
// the number of all units that a job takes, of whatever type.
func (c *Cluster) Classes() []Class { return c.m.Classes() }

// AsPrinted is the cluster under the recursion as the paper prints it, equation
// (14) or (15): there a job lifts only the coordinates that it takes, so that a
// later job which needs only other servers starts before it. The default lifts
// all and is first come first served. Random assignment stays as it is.
func (c *Cluster) AsPrinted() *Cluster {
	m, v := *c.m, *c.m.variant
	v.asPrinted = !v.random
	m.variant, m.limit = &v, new(limit)
	return &Cluster{&m}
}

// Stability asks for the stability limit λ_c, by the pile; see Model.Stability.
// Where classes ask for servers by number and others for any, the recurrence is
// not monotone, so that Theorem 5.1 does not prove the limit; results say so.
func (c *Cluster) Stability() *StabilityQuery { return c.m.Stability() }

// ClusterSample chooses a sampler; see its methods.
type ClusterSample struct{ m *Model }

// Sample begins a query for samples of the stationary queue.
func (c *Cluster) Sample() ClusterSample { return ClusterSample{c.m} }

// Backward samples by coupling from the past with the batch rule; see
// SampleQuery.Backward. It needs a monotone recurrence and refuses when classes
// ask for servers by number and others for any; use Forward then.
func (s ClusterSample) Backward() *BackwardQuery { return SampleQuery(s).Backward() }

// Forward runs the recurrence forward from an empty system; see
// SampleQuery.Forward.
func (s ClusterSample) Forward() *ForwardQuery { return SampleQuery(s).Forward() }

// Unbiased estimates means and variances without bias; see
// SampleQuery.Unbiased. It needs a monotone recurrence, as Backward does.
func (s ClusterSample) Unbiased() *UnbiasedQuery { return SampleQuery(s).Unbiased() }

// couplingFaults says what keeps a model from being sampled backward.
func (m *Model) couplingFaults(f *faults) {
	if v := m.variant; v != nil {
		f.check(v.monotone(), "a class asks for servers by number and another for any: the workload is not monotone, so that windows do not bound it from below; use Sample().Forward()")
	}
}

// variantNotes warns of what is not proven.
func (m *Model) variantNotes(r *Result) {
	v := m.variant
	if v == nil {
		return
	}
	if !v.monotone() {
		r.Notes = append(r.Notes, "A class asks for servers by number and another for any: the recurrence is not monotone, so that the stability limit, though measured, is not proven by Theorem 5.1.")
	}
	if v.asPrinted {
		r.Notes = append(r.Notes, "The recursion as printed lets a later job that needs only other servers start before a waiting one.")
	}
}

// String describes the cluster in a few lines of text.
func (c *Cluster) String() string { return c.m.headline() + "\n" + c.table().String() }

// HTML is the cluster as a notebook shows it.
func (c *Cluster) HTML() string {
	return "<p><b>" + html.EscapeString(c.m.headline()) + "</b></p>" + c.table().HTML()
}

func (c *Cluster) table() *Table {
	plain, v := c.m.classTable(), c.m.variant
	t := NewTable("")
	t.Columns = append(t.Columns, plain.Columns[0])
	for j, r := range v.resources {
		var units []float64
		for _, needs := range v.needs {
			units = append(units, float64(needs[j]))
		}
		t.Numbers(r.Name, units...)
	}
	if v.resources == nil {
		var picks []string
		for _, p := range v.picks {
			picks = append(picks, inWords(p))
		}
		t.Text("servers", picks...)
	}
	t.Columns = append(t.Columns, plain.Columns[2:]...)
	return t
}

// inWords is what a class asks of the servers: "2 any + server 1, 3".
func inWords(p sampling.Pick) string {
	var parts []string
	if p.Any > 0 {
		parts = append(parts, fmt.Sprintf("%d any", p.Any))
	}
	if p.Random > 0 {
		parts = append(parts, fmt.Sprintf("%d at random", p.Random))
	}
	if len(p.Named) > 0 {
		var numbers []string
		for _, i := range p.Named {
			numbers = append(numbers, fmt.Sprint(i+1))
		}
		parts = append(parts, "server "+strings.Join(numbers, ", "))
	}
	return strings.Join(parts, " + ")
}

// idealRate is the least of capacity / E[demand] over what can run out.
func (v *variant) idealRate(m *Model) float64 {
	rate := math.Inf(1)
	for j, r := range v.resources {
		rate = min(rate, float64(r.Units)/m.typeWork(j))
	}
	if v.resources != nil {
		return rate
	}
	rate = float64(m.servers) / m.work()
	busy := map[int32]float64{} // E[σ; the class names the server]
	for i, c := range m.classes {
		for _, server := range v.picks[i].Named {
			busy[server] += c.Prob * c.Service.Mean()
			rate = min(rate, 1/busy[server])
		}
	}
	return rate
}

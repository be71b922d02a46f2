package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/placement"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Compare simulates the queue under every policy with the same jobs. A problem at a load
// is at that fraction of the limit under its own policy. When ctx ends it returns
// the policies done by then, along with the error of the context.
func Compare(ctx context.Context, p *problem.Problem, policies []policy.Policy, m Method, o problem.Options) (_ *result.Comparison, err error) {
	defer problem.Caught("Compare", &err)
	o.Seed = o.SeedOr(problem.SeedSimulate)
	return cache.Answer(func() *cache.Question { return withPolicies(p.Question("compare", &o, m), policies) }, o.Fresh,
		func(c *result.Comparison, at time.Time) { c.Remembered = at },
		func(c *result.Comparison) bool {
			return !slices.ContainsFunc(c.Results, func(r *result.Result) bool { return !o.Sound(r) })
		},
		func() (*result.Comparison, error) { return compare(ctx, p, policies, m, o) })
}

// variant is the queue under one of the policies, or placements, that are compared.
type variant struct {
	name string
	*problem.Problem
}

// ComparePlacements is Compare of placements on nodes, under the policy of the queue.
func ComparePlacements(ctx context.Context, p *problem.Problem, placements []placement.Placement, m Method, o problem.Options) (_ *result.Comparison, err error) {
	defer problem.Caught("ComparePlacements", &err)
	var f check.Faults
	f.That(len(placements) >= 2, "%d placements given; give at least two", len(placements))
	for i, x := range placements {
		f.That(x != nil, "placement %d is nil; leave it out", i+1)
	}
	f.Join(run.Check(m, p, &o))
	if err := f.Err("ComparePlacements"); err != nil {
		return nil, err
	}
	known, err := limit.Resolve(ctx, p, nil)
	if err != nil {
		return nil, err
	}
	var variants []variant
	for _, x := range placements {
		variants = append(variants, variant{x.String(), problem.New(known.WithPlacement(x))})
	}
	c, err := compared(ctx, known, variants, nil, m, o)
	if c != nil {
		c.What, c.Title = "placement", strings.Replace(known.Headline(), fmt.Sprintf(", %v", known.Placement), "", 1)
	}
	return c, err
}

// compare is Compare without memory.
func compare(ctx context.Context, p *problem.Problem, policies []policy.Policy, m Method, o problem.Options) (*result.Comparison, error) {
	plain := under(p, nil)
	if err := compareFaults(plain, policies, m, &o); err != nil {
		return nil, err
	}
	known, err := limit.Resolve(ctx, p, nil) // of its own limit
	if err != nil {
		return nil, err
	}
	plain = under(known, nil)
	var variants []variant
	for _, x := range policies {
		variants = append(variants, variant{x.String(), under(plain, x)})
	}
	return compared(ctx, plain, variants, policies, m, o)
}

// compared compares variants of a queue, which has the rate of all.
func compared(ctx context.Context, plain *problem.Problem, variants []variant, policies []policy.Policy, m Method, o problem.Options) (*result.Comparison, error) {
	o.SetSeed(o.SeedOr(problem.SeedSimulate))
	c := &result.Comparison{Title: strings.TrimPrefix(plain.Headline(), "FCFS "), Rate: plain.Rate(), Level: o.Level}
	o = o.Shared(len(variants) + 1) // and the lower bound
	m, err := m.sameLength(ctx, plain, variants, &o)
	if err != nil {
		return nil, err
	}
	var all [][]estimate.Observed
	for i, x := range variants {
		r, seen, err := observed(ctx, x.Problem, m, o.Part(i, len(variants)+1))
		if r != nil {
			c.Policies, c.Results = append(c.Policies, x.name), append(c.Results, r)
			all = append(all, seen)
		}
		if err != nil {
			estimate.Compare(c, all, "paired replications")
			if ctx.Err() != nil {
				c.Notes = append(c.Notes, "Interrupted: the results are of the jobs completed until then, and intervals are wider. Ask again for all.")
			}
			return c, err
		}
	}
	estimate.Compare(c, all, "paired replications")
	// Users alone have no rate: how often they send depends on how often they are served.
	if most, err := limit.Capacity(ctx, plain); err == nil && c.Rate > 0 && !kills(policies) {
		c.Capacity = most.Rate
	}
	err = lowerBound(ctx, plain, c, policies, m, o.Part(len(variants), len(variants)+1))
	c.Notes = append(c.Notes, sameNotes(c)...)
	return c, err
}

// under is the problem under another policy. What is known of the limit goes along with
// first come first served alone.
func under(p *problem.Problem, x policy.Policy) *problem.Problem {
	s := p.WithPolicy(x)
	if !(s.Features() | p.Features()).Has(spec.Reordered) {
		return p.WithArrivals(s)
	}
	return problem.New(s)
}

// compareFaults is all that keeps the policies from being compared.
func compareFaults(p *problem.Problem, policies []policy.Policy, m Method, o *problem.Options) error {
	var f check.Faults
	if err := run.Check(m, p, o); err != nil {
		f.Join(err)
	}
	f.That(len(policies) >= 2, "%d policies given; give at least two", len(policies))
	var names []string
	for i, x := range policies {
		if x == nil {
			f.Add("policy %d is nil; leave it out", i+1)
			continue
		}
		f.That(!slices.Contains(names, x.String()), "policy %v is given twice", x)
		names = append(names, x.String())
		under(p, x).PolicyFaults(&f)
	}
	return f.Err("Compare")
}

// sameLength is the method with the jobs of a replication, where they are not given, to what the
// policy that forgets its state most slowly asks for, within the budget of one.
func (m Method) sameLength(ctx context.Context, p *problem.Problem, variants []variant, o *problem.Options) (Method, error) {
	jobs := int64(m.Jobs)
	if jobs == 0 {
		for _, x := range variants {
			st, err := limit.Bound(ctx, x.Problem, nil)
			if err != nil {
				return m, err
			}
			if load := p.Rate() / st.Rate; load < 1 {
				jobs = max(jobs, p.ReplicationJobs(load))
			}
		}
		jobs = max(jobs, problem.StandardJobs)
	}
	s := m.planned(o)
	s.jobs, s.warm = m.length().Of(jobs)
	s = s.bounded(o)
	m.Jobs, m.WarmUp = int(s.jobs), problem.Counted(s.warm)
	return m, nil
}

// observed simulates, and returns by class and last for all jobs what the result was
// made of; nil where the queue is unstable.
func observed(ctx context.Context, p *problem.Problem, m Method, o problem.Options) (*result.Result, []estimate.Observed, error) {
	var seen []estimate.Observed
	o.Seen = func(res *events.Result) {
		for i := range res.Classes {
			seen = append(seen, res.Classes[i].Observed())
		}
		seen = append(seen, res.All.Observed())
	}
	r, err := run.Solve(ctx, p, m, o)
	if r != nil && !r.Stable {
		seen = nil
	}
	return r, seen, err
}

// lowerBound finds what no policy can beat. One server as fast as all together, which serves
// the job with the least work left first, has at any time the fewest jobs in the system
// (Schrage, Operations Research 16, 1968; Grosof, Scully, Harchol-Balter, Scheller-Wolf,
// arXiv 2211.02762), and no response is shorter than the service. It is not for policies
// that kill.
func lowerBound(ctx context.Context, p *problem.Problem, c *result.Comparison, policies []policy.Policy, m Method, o problem.Options) error {
	if kills(policies) || p.Features().Has(spec.Turning) || !(p.OfferedLoad() < 1) {
		return nil
	}
	s := p.Spec.WithLaws(func(class int, service law.Law) law.Law {
		return service.Scaled(float64(p.Classes[class].Need) / float64(p.Servers))
	})
	s.Sleep, s.Awake = nil, 0                         // it is always on
	s.Resources, s.Nodes, s.Placement = nil, nil, nil // all units make one server, which carries what the types carry one by one
	s = s.WithServers(1).WithPolicy(policy.FirstFitSRPT{})
	for i := range s.Classes {
		c := &s.Classes[i]
		c.Need, c.Units, c.Nodes, c.Scattered = 1, nil, 0, false
	}
	r, err := run.Solve(ctx, problem.New(s), m, o)
	if err != nil {
		return errors.Join(errors.New("the lower bound"), err)
	}
	service := p.MeanService()
	c.Bound = result.LowerBound{Response: r.All.Response.Mean, Source: "one server as fast as all, shortest remaining work first, with the same jobs"}
	if !(c.Bound.Response.Value > service) {
		c.Bound = result.LowerBound{Response: result.Exact(service, "mean service"), Source: "the mean service"}
	}
	c.Bound.Waiting = c.Bound.Response
	c.Bound.Waiting.Value -= service
	return nil
}

// kills reports whether some policy ends jobs before they are done.
func kills(policies []policy.Policy) bool {
	return slices.ContainsFunc(policies, func(x policy.Policy) bool {
		e, ok := x.(policy.Estimator)
		if !ok {
			return false
		}
		_, kill := e.Limits()
		return kill
	})
}

// sameNotes are the notes of all policies but those on limits that are not known, each
// once with the policies that it is of.
func sameNotes(c *result.Comparison) (notes []string) {
	var texts []string
	of := map[string][]string{}
	for i, r := range c.Results {
		all := r.Notes
		if math.IsInf(r.All.Waiting.Mean.Value, 1) {
			all = []string{fmt.Sprintf("The rate %.6g is beyond the stability limit %.6g, and waits grow without bound.", c.Rate, r.Limit.Rate)}
		}
		for _, n := range all {
			if strings.HasPrefix(n, "Stability limit:") {
				continue
			}
			if len(of[n]) == 0 {
				texts = append(texts, n)
			}
			of[n] = append(of[n], c.Policies[i])
		}
	}
	for _, n := range texts {
		notes = append(notes, strings.Join(of[n], ", ")+": "+n)
	}
	return notes
}

// withPolicies adds policies to a question.
func withPolicies(q *cache.Question, policies []policy.Policy) *cache.Question {
	for _, x := range policies {
		if x == nil {
			continue // a fault, and no answer to remember
		}
		q.Written(policy.Marshal(x)).Code(x)
	}
	return q
}

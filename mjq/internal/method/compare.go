package method

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
)

// Compare simulates the queue under every policy with the same jobs. A problem at a load
// is at that fraction of the limit under its own policy. When ctx ends it returns
// the policies done by then, along with the error of the context.
func (p *Problem) Compare(ctx context.Context, policies []policy.Policy, o Options) (_ *result.Comparison, err error) {
	defer Caught("comparison", &err)
	o.Seed = o.seed(seedSimulate)
	return remember.Answer(func() *remember.Question { return under(p.Question("compare", &o), policies) }, o.Fresh,
		func(c *result.Comparison, at time.Time) { c.Remembered = at },
		func(c *result.Comparison) bool {
			return !slices.ContainsFunc(c.Results, func(r *result.Result) bool { return !o.sound(r) })
		},
		func() (*result.Comparison, error) { return p.compare(ctx, policies, o) })
}

// compare is Compare without memory.
func (p *Problem) compare(ctx context.Context, policies []policy.Policy, o Options) (*result.Comparison, error) {
	plain := p.under(nil)
	if err := plain.compareFaults(policies, &o); err != nil {
		return nil, err
	}
	known, err := p.Resolve(ctx, nil) // of its own limit
	if err != nil {
		return nil, err
	}
	plain = known.under(nil)
	o.SetSeed(o.seed(seedSimulate))
	c := &result.Comparison{Title: strings.TrimPrefix(plain.Headline(), "FCFS "), Rate: plain.Rate(), Level: o.Level}
	if err := plain.sameLength(ctx, policies, &o); err != nil {
		return nil, err
	}
	var observed [][]estimate.Observed
	for i, x := range policies {
		r, seen, err := plain.under(x).observed(ctx, o.part(i, len(policies)+1))
		if r != nil {
			c.Policies, c.Results = append(c.Policies, x.String()), append(c.Results, r)
			observed = append(observed, seen)
		}
		if err != nil {
			estimate.Compare(c, observed, "paired replications")
			if ctx.Err() != nil {
				c.Notes = append(c.Notes, "Interrupted: this is what had been completed by then.")
			}
			return c, err
		}
	}
	estimate.Compare(c, observed, "paired replications")
	if most, err := plain.Capacity(ctx); err == nil && !kills(policies) {
		c.Capacity = most.Rate
	}
	err = plain.bound(ctx, c, policies, o.part(len(policies), len(policies)+1))
	c.Notes = append(c.Notes, sameNotes(c)...)
	return c, err
}

// under is the problem under another policy. What is known of the limit goes along with
// first come first served alone.
func (p *Problem) under(x policy.Policy) *Problem {
	s := p.WithPolicy(x)
	if s.FirstCome() && p.FirstCome() {
		return p.WithArrivals(s)
	}
	return New(s)
}

// compareFaults is all that keeps the policies from being compared.
func (p *Problem) compareFaults(policies []policy.Policy, o *Options) error {
	var f check.Faults
	if err := Simulate.check(p, o); err != nil {
		f.Join(err)
	}
	f.That(len(policies) >= 2, "Compare: %d policies given; give at least two", len(policies))
	var names []string
	for i, x := range policies {
		if x == nil {
			f.Add("Compare: policy %d is nil; leave it out", i+1)
			continue
		}
		f.That(!slices.Contains(names, x.String()), "Compare: policy %v is given twice", x)
		names = append(names, x.String())
		p.under(x).PolicyFaults(&f)
	}
	return f.Err("comparison")
}

// sameLength sets the jobs of a replication, where they are not given, to what the
// policy that forgets its state most slowly asks for.
func (p *Problem) sameLength(ctx context.Context, policies []policy.Policy, o *Options) error {
	jobs := o.int(Jobs, 0)
	if !o.has(Jobs) {
		for _, x := range policies {
			st, err := p.under(x).Bound(ctx, nil)
			if err != nil {
				return err
			}
			if load := p.Rate() / st.Rate; load < 1 {
				jobs = max(jobs, p.ReplicationJobs(load))
			}
		}
		o.Set(Jobs, max(jobs, standardJobs))
	}
	o.Set(WarmUp, o.int(WarmUp, o.int(Jobs, 0)/5))
	return nil
}

// part is the options of one of several simulations in a row.
func (o *Options) part(i, of int) Options {
	one := *o
	if report := o.Progress; report != nil {
		one.Progress = func(done, total float64) { report(float64(i)*total+done, float64(of)*total) }
	}
	return one
}

// observed simulates, and returns by class and last for all jobs what the result was
// made of; nil where the queue is unstable.
func (p *Problem) observed(ctx context.Context, o Options) (*result.Result, []estimate.Observed, error) {
	var seen []estimate.Observed
	o.seen = func(res *events.Result) {
		for i := range res.Classes {
			seen = append(seen, observedOf(&res.Classes[i]))
		}
		seen = append(seen, observedOf(&res.All))
	}
	r, err := Simulate.Run(ctx, p, o)
	return r, seen, err
}

func observedOf(t *estimate.Tally) estimate.Observed {
	return estimate.Observed{Waiting: t.Waiting.Observed, Response: t.Response.Observed, Slowdown: t.Slowdown.Observed}
}

// bound finds what no policy can beat. One server as fast as all together, which serves
// the job with the least work left first, has at any time the fewest jobs in the system
// (Schrage, Operations Research 16, 1968; Grosof, Scully, Harchol-Balter, Scheller-Wolf,
// arXiv 2211.02762), and no response is shorter than the service. It is not for policies
// that kill.
func (p *Problem) bound(ctx context.Context, c *result.Comparison, policies []policy.Policy, o Options) error {
	if kills(policies) || !(p.OfferedLoad() < 1) {
		return nil
	}
	s := p.Spec.WithLaws(func(class int, service law.Law) law.Law {
		return service.Scaled(float64(p.Classes[class].Need) / float64(p.Servers))
	}).WithServers(1).WithPolicy(policy.FirstFitSRPT{})
	s.Resources = nil // all units make one server, which carries what the types carry one by one
	for i := range s.Classes {
		s.Classes[i].Need, s.Classes[i].Units = 1, nil
	}
	r, err := Simulate.Run(ctx, New(s), o)
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
		if !r.Stable {
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

package planning

import (
	"context"
	"fmt"
	"time"
	"unsafe"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/exact"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/simulation"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// small is the relative change of the rate from which its derivative is taken, on both
// sides. With the same jobs the difference is in proportion to it, error included
// (Glasserman, Gradient Estimation via Perturbation Analysis, chapter 1), so that a small
// one costs no precision.
const small = 1e-3

// variant is a changed queue and what it is called.
type variant struct {
	name string
	spec *spec.Spec
}

// Sensitivities finds how the mean wait of all jobs changes with the arrival rate, with a
// server more or fewer, and with classes that need less or are served faster: exactly
// where all of these have exact solutions that are quickly found, else with the same
// jobs for all; a method given is forced. When ctx ends it returns what it has, along with the
// error of the context.
func Sensitivities(ctx context.Context, p *problem.Problem, m run.Method, o problem.Options) (*result.Sensitivities, error) {
	return cache.Answer(func() *cache.Question { return p.Question("sensitivities", &o, m).Text(nameOf(m)) }, o.Fresh,
		func(s *result.Sensitivities, at time.Time) { s.Remembered = at },
		func(*result.Sensitivities) bool { return true },
		func() (*result.Sensitivities, error) { return sensitivities(ctx, p, m, o) })
}

// sensitivities is Sensitivities without memory.
func sensitivities(ctx context.Context, p *problem.Problem, m run.Method, o problem.Options) (*result.Sensitivities, error) {
	var f check.Faults
	o.Check(&f)
	p.ArrivalFaults(&f)
	p.PolicyFaults(&f)
	f.Memory(variantBytes(p.Spec), "Sensitivities of %d classes, one after the other; make one class of those that need the same", len(p.Classes))
	if err := f.Err("Sensitivities"); err != nil {
		return nil, err
	}
	p, err := limit.Resolve(ctx, p, nil)
	if err != nil {
		return nil, fmt.Errorf("Sensitivities: %w", err)
	}
	list := variants(ctx, p.Spec)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("Sensitivities: %w", context.Cause(ctx))
	}
	var problems []*problem.Problem
	for i, v := range list {
		q := problem.New(v.spec)
		if i < 3 { // only the rate differs
			q = p.WithArrivals(v.spec)
		}
		problems = append(problems, q)
	}
	var base *result.Result
	var changes []result.Change
	how, simulates := m.(simulation.Method)
	if !simulates {
		base, changes, err = solved(ctx, p, problems, m, o)
	}
	if base == nil && err == nil {
		base, changes, err = simulated(ctx, p, problems, how, o)
	}
	if base == nil {
		return nil, fmt.Errorf("Sensitivities: %w", err)
	}
	s := &result.Sensitivities{Model: p.Headline(), Level: o.Level, Rate: p.Rate(), Wait: base.All.Waiting.Mean, ByRate: result.Unknown(), Notes: base.Notes}
	s.Changes = named(list, changes)
	if err == nil {
		s.ByRate = slope(changes, p.Rate())
	} else {
		err = fmt.Errorf("Sensitivities: interrupted; the result holds what was found: %w", err)
	}
	return s, err
}

// variantBytes is about what the changed queues take: two a class, each with all classes.
func variantBytes(s *spec.Spec) float64 {
	return 2 * float64(len(s.Classes)) * float64(len(s.Classes)) * float64(unsafe.Sizeof(spec.Class{}))
}

// variants are the changed queues; the first two are for the slope, the third is 1 %. Some
// are missing when ctx has ended.
func variants(ctx context.Context, s *spec.Spec) []variant {
	rate := s.Rate()
	list := []variant{
		{"", s.WithRate(rate * (1 + small))}, {"", s.WithRate(rate * (1 - small))},
		{"1 % fewer jobs", s.WithRate(rate * 0.99)},
		{"one server more", s.WithServers(s.Servers + 1)},
	}
	if s.Servers > widest(s) {
		list = append(list, variant{"one server fewer", s.WithServers(s.Servers - 1)})
	}
	for i, c := range s.Classes {
		if ctx.Err() != nil {
			break
		}
		if c.Need > 1 {
			list = append(list, variant{fmt.Sprintf("%s needs %d", c.Name, c.Need-1), s.WithNeed(i, c.Need-1)})
		}
		faster := s.WithLaws(func(class int, service law.Law) law.Law {
			if class == i {
				return service.Scaled(0.99)
			}
			return service
		})
		list = append(list, variant{"services of " + c.Name + " 1 % shorter", faster})
	}
	return list
}

// solved are exact differences; base is nil where some queue has no quick solution.
func solved(ctx context.Context, p *problem.Problem, problems []*problem.Problem, m run.Method, o problem.Options) (base *result.Result, changes []result.Change, err error) {
	how, forced := m.(exact.Method)
	how.MomentsOnly = true
	settings := problem.Defaults()
	if forced {
		settings = o
	}
	settings.Workers, settings.Fresh = o.Workers, o.Fresh
	for _, q := range append([]*problem.Problem{p}, problems...) {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if forced {
			break
		}
		if q.Features()&^spec.Arriving != 0 || len(run.Fits(how, q.Spec)) > 0 {
			return nil, nil, nil
		}
		if size, err := exact.SizeOf(ctx, q, how, settings); err != nil || size.Flops > quickFlops {
			return nil, nil, nil
		}
	}
	if base, err = run.Solve(ctx, p, how, settings); err != nil {
		return nil, nil, err
	}
	for _, q := range problems {
		r, err := run.Solve(ctx, q, how, settings)
		if err != nil {
			return base, changes, err
		}
		change := result.Exact(r.All.Waiting.Mean.Value-base.All.Waiting.Mean.Value, "exact")
		changes = append(changes, result.Change{Waiting: change})
	}
	return base, changes, nil
}

// simulated are differences with the same jobs for all.
func simulated(ctx context.Context, p *problem.Problem, problems []*problem.Problem, m simulation.Method, o problem.Options) (*result.Result, []result.Change, error) {
	st, err := limit.Of(ctx, p, nil)
	if err != nil {
		return nil, nil, err
	}
	budget := o.MaxJobs.Take()
	if m.Jobs == 0 {
		jobs := int64(100_000)
		if forget := relaxations * p.Relaxation(p.Rate()/st.Rate); forget > float64(jobs) {
			jobs = check.Whole(forget, 1, 1_000_000)
		}
		if budget > 0 {
			jobs = max(1, min(jobs, budget/int64(replicates*(len(problems)+1))))
		}
		m.Jobs = int(jobs)
	}
	return simulation.Variants(ctx, p, problems, m, o)
}

// named are the changes that are for the reader.
func named(list []variant, changes []result.Change) (out []result.Change) {
	for i := range changes {
		if list[i].name != "" {
			c := changes[i]
			c.Name = list[i].name
			out = append(out, c)
		}
	}
	return out
}

// slope is the derivative by the rate, from the differences on both sides, whose errors
// are added.
func slope(changes []result.Change, rate float64) result.Estimate {
	up, down := changes[0].Waiting, changes[1].Waiting
	up.Value = (up.Value - down.Value) / (2 * small * rate)
	up.HalfWidth = (up.HalfWidth + down.HalfWidth) / (2 * small * rate)
	return up
}

// nameOf is the name of a method, empty for none.
func nameOf(m run.Method) string {
	if m == nil {
		return ""
	}
	return m.Row().Name
}

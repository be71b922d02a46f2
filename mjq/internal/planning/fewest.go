package planning

import (
	"context"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/limit"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// mostServers is beyond any machine.
const mostServers = 1 << 24

// FewestServers finds the smallest number of servers with which all targets are met; with
// costs the cheapest number of those. When ctx ends it returns what it has found, along
// with the error of the context.
func FewestServers(ctx context.Context, q Query) (*result.Sizing, error) {
	var f check.Faults
	l, err := q.begin(ctx, "servers", &f)
	if err != nil {
		return nil, err
	}
	s := l.q.Problem.Spec
	if s.Features().Has(spec.Placed) {
		return l.fewestNodes(ctx)
	}
	at := func(n int) (*result.SizingPoint, error) {
		return l.at(ctx, float64(n), s.WithServers(n), nil)
	}
	stays := s.Stays(func(c *spec.Class) int { return c.Need })
	below := max(widest(s)-1, whole(stays)) // of too few
	if below >= mostServers {
		return nil, fmt.Errorf("the jobs need more than %d servers, whatever the targets, and FewestServers tries at most %d; count servers in larger units: divide Servers and all needs by the same number", below, mostServers)
	}
	return l.fewest(ctx, below, stays, at)
}

// whole is how many servers are too few for so much work, up to mostServers.
func whole(work float64) int { return int(check.Whole(work*(1+1e-12), 0, mostServers)) }

// fewestNodes is FewestServers where servers are nodes: of the last kind, the others staying.
func (l *looker) fewestNodes(ctx context.Context) (*result.Sizing, error) {
	l.found.What = "nodes"
	s, below := l.q.Problem.Spec, 0
	size := float64(s.Servers) / float64(s.NodeCount())
	stays := s.Stays(func(c *spec.Class) int { return c.Need }) / size
	if len(s.Nodes) == 1 {
		below = whole(stays)
	}
	return l.fewest(ctx, below, stays, func(n int) (*result.SizingPoint, error) {
		return l.at(ctx, float64(n), s.WithNodes(n), nil)
	})
}

// fewest searches for the fewest servers, which are more than below, for work that keeps so many
// busy.
func (l *looker) fewest(ctx context.Context, below int, work float64, at func(n int) (*result.SizingPoint, error)) (*result.Sizing, error) {
	b := border{what: l.found.What, at: at, misses: below, most: mostServers, plenty: plenty * (1 + work)}
	var err error
	if n, once := l.onePass(below + 1); once {
		err = b.around(n)
	}
	if err == nil {
		err = b.grow(max(1, (b.misses+1)/8))
	}
	if err == nil {
		err = b.bisect()
	}
	found := l.close(true)
	found.Confirmed = found.Meets == found.Best && (found.Misses == found.Best-1 || found.Best-1 == float64(below))
	if err == nil && l.q.Costed {
		err = l.cheapest(ctx, at)
	}
	l.undecided()
	return found, l.interrupted(ctx, err)
}

// LargestNeed finds the largest need of a class with which all targets are met.
func LargestNeed(ctx context.Context, q Query, class string) (*result.Sizing, error) {
	var f check.Faults
	s := q.Problem.Spec
	k := slices.IndexFunc(s.Classes, func(c spec.Class) bool { return c.Name == class })
	f.Asked(k >= 0, "class %q: the model has no such class%s", class, s.Known(class))
	f.That(!q.Costed, "Costs: LargestNeed does not change the number of servers; leave them out")
	l, err := q.begin(ctx, "need of "+class, &f)
	if err != nil {
		return nil, err
	}
	s = l.q.Problem.Spec
	b := border{misses: -s.Servers - 1, most: -1, at: func(n int) (*result.SizingPoint, error) {
		return l.at(ctx, float64(-n), s.WithNeed(k, -n), nil)
	}}
	if b.meets, err = -1, b.first(); err == nil && b.known {
		err = b.bisect()
	}
	found := l.close(false)
	found.Confirmed = found.Meets == found.Best && (found.Misses == found.Best+1 || found.Best == float64(s.Servers))
	l.undecided()
	return found, l.interrupted(ctx, err)
}

// begin opens a query and finds the rate of a model at a load.
func (q *Query) begin(ctx context.Context, what string, f *check.Faults) (*looker, error) {
	l, err := q.open(what, f)
	if err != nil {
		return nil, err
	}
	q.Problem, err = limit.Resolve(ctx, q.Problem, nil)
	return l, err
}

// widest is the largest need.
func widest(s *spec.Spec) int {
	most := 0
	for _, c := range s.Classes {
		most = max(most, c.Need)
	}
	return most
}

// border searches whole numbers for the least from which on a property holds.
type border struct {
	what   string // is counted
	at     func(n int) (*result.SizingPoint, error)
	misses int  // does not hold here, nor below
	meets  int  // holds here, if known
	known  bool // some meets is
	most   int
	plenty float64 // so many should change something
}

// plenty is how many times as many should change something: more than the work keeps busy, and
// more than another number that misses the goals by the same.
const plenty = 64

// grow finds some number of which the property holds, in steps that double.
func (b *border) grow(step int) error {
	var last *result.SizingPoint
	since := b.most // the first number with the same estimates
	for n := b.misses; !b.known; step *= 2 {
		if n >= b.most {
			return fmt.Errorf("%d %s, the most that are tried, still miss the goals; choose goals that are easier to meet", b.most, b.what)
		}
		n = min(n+step, b.most)
		p, err := b.at(n)
		if err != nil {
			return err
		}
		if p.Verdict.OK() {
			b.meets, b.known = n, true
			return nil
		}
		if last == nil || !slices.EqualFunc(last.Targets, p.Targets, func(a, b result.Estimate) bool { return a.Value == b.Value }) {
			since = n
		}
		b.misses, last = n, p
		if float64(n) > max(b.plenty, plenty*float64(since)) {
			return fmt.Errorf("%d %s miss the goals by as much as %d: more %[2]s do not help, because something else is scarce; change the model or the goals", n, b.what, since)
		}
	}
	return nil
}

// first looks whether the property holds at the far end.
func (b *border) first() error {
	p, err := b.at(b.most)
	b.known = err == nil && p.Verdict.OK()
	return err
}

// bisect narrows the border down to neighbours.
func (b *border) bisect() error {
	for b.meets-b.misses > 1 {
		n := b.misses + (b.meets-b.misses)/2
		p, err := b.at(n)
		if err != nil {
			return err
		}
		if p.Verdict.OK() {
			b.meets = n
		} else {
			b.misses = n
		}
	}
	return nil
}

// cheapest goes on from the fewest servers while a larger number could cost less.
func (l *looker) cheapest(ctx context.Context, at func(n int) (*result.SizingPoint, error)) error {
	s := l.found
	best := s.At(s.Best)
	for n := int(s.Best) + 1; l.q.Costs.Server*float64(n) < best.Cost.Value; n++ {
		p := s.At(float64(n))
		if p == nil {
			if _, err := at(n); err != nil {
				return err
			}
			best, p = s.At(s.Best), s.At(float64(n)) // the list has moved
		}
		if p.Verdict.OK() && p.Cost.Value < best.Cost.Value {
			s.Best, best = p.Value, p
		}
	}
	s.Confirmed = best.Verdict == result.Meets
	for i := range s.Points {
		p := &s.Points[i]
		if p != best && p.Verdict != result.Misses && !(p.Cost.Lo() >= best.Cost.Hi()) {
			s.Confirmed = false
		}
	}
	price := ""
	if l.q.Costs.Energy > 0 {
		price = fmt.Sprintf(", and an amount of energy of 1 costs %g", l.q.Costs.Energy)
	}
	l.note(fmt.Sprintf("The answer is the cheapest size that meets the goals. A server costs %g per unit of time, a waiting job %g%s.", l.q.Costs.Server, l.q.Costs.Wait, price))
	return nil
}

// interrupted adds to an error that ended the search, the context's or another.
func (l *looker) interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		l.found.Confirmed = false
		l.note("Interrupted: the table holds the candidates tried until then. Ask again for the rest.")
		return fmt.Errorf("interrupted; the result holds the candidates tried: %w", context.Cause(ctx))
	}
	return err
}

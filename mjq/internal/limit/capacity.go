package limit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// capacitySource is where the bound of all policies comes from.
const capacitySource = "Tassiulas and Ephremides (1992): linear program over the sets of jobs that fit, by column generation"

// Capacity is the largest arrival rate that any policy can carry.
func Capacity(ctx context.Context, p *problem.Problem) (*result.Capacity, error) {
	return FindCapacity(ctx, p, false)
}

// FindCapacity is Capacity; fresh, even if the answer is remembered.
func FindCapacity(ctx context.Context, p *problem.Problem, fresh bool) (_ *result.Capacity, err error) {
	defer problem.Caught("Capacity", &err)
	return cache.Answer(func() *cache.Question { return p.Question("capacity", new(problem.Options), nil) }, fresh,
		func(c *result.Capacity, at time.Time) { c.Remembered = at },
		func(*result.Capacity) bool { return true },
		func() (*result.Capacity, error) { return findCapacity(ctx, p) })
}

// findCapacity is Capacity without memory.
func findCapacity(ctx context.Context, p *problem.Problem) (*result.Capacity, error) {
	var f check.Faults
	f.That(!p.Features().Has(spec.Picked), "servers asked for by number or drawn at random are not interchangeable, so that which jobs fit is not a matter of their number; leave out Specific and RandomAssignment")
	nodes := capacityNodes(&f, p)
	for _, c := range p.Classes {
		f.That(!math.IsInf(c.Service.Mean(), 1), "class %q: its service has no finite mean, so that no rate can be carried", c.Name)
	}
	if err := f.Err("Capacity"); err != nil {
		return nil, err
	}
	needs, kinds := CapacityKinds(p.Spec)
	s, err := solveCapacity(ctx, p, nodes, kinds)
	if err != nil {
		return nil, fmt.Errorf("Capacity: %w", err)
	}
	c := &result.Capacity{Rate: s.Rate, HalfWidth: s.Bound - s.Rate, IdealRate: p.IdealRate(), Idle: float64(p.Servers) - s.Rate*p.Work(), Source: capacitySource}
	switch {
	case len(p.Resources) > 1:
		c.Idle = math.NaN()
	case math.Abs(c.Idle) < 1e-12*float64(p.Servers): // a difference of sums
		c.Idle = 0
	}
	for k := range needs {
		needs[k].Busy, needs[k].Price = s.Rate*kinds[k].Work, s.Price[k]
	}
	c.Needs = needs
	for _, x := range s.Schedules {
		c.Schedules = append(c.Schedules, result.CapacitySchedule(x))
	}
	return c, nil
}

// solveCapacity is the linear program of a pool, or of nodes.
func solveCapacity(ctx context.Context, p *problem.Problem, nodes []nodeKind, kinds []Kind) (*Mixture, error) {
	if len(nodes) > 0 {
		for k := range kinds {
			kinds[k].Nodes = wholeNodes(nodes[0], kinds[k].Need)
		}
		return mixtureOnNodes(ctx, nodes, kinds)
	}
	units := []int{p.Servers}
	if len(p.Resources) > 0 {
		units = units[:0]
		for _, r := range p.Resources {
			units = append(units, r.Units)
		}
	}
	return mixtureOfUnits(ctx, units, kinds)
}

// CapacityKinds are the needs of a queue and the work that comes for each, in ascending
// order of the needs.
func CapacityKinds(s *spec.Spec) (needs []result.CapacityNeed, kinds []Kind) {
	for i := range s.Classes {
		c := &s.Classes[i]
		need := []int{c.Need}
		if len(s.Resources) > 0 {
			need = c.Units
		}
		k, known := slices.BinarySearchFunc(kinds, need, func(x Kind, need []int) int { return slices.Compare(x.Need, need) })
		if !known {
			kinds = slices.Insert(kinds, k, Kind{Need: need})
			needs = slices.Insert(needs, k, result.CapacityNeed{Need: c.Need, Units: c.Units})
		}
		kinds[k].Work += c.Prob * c.Service.Mean()
		needs[k].Classes = append(needs[k].Classes, c.Name)
	}
	return needs, kinds
}

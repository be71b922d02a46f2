package nodes

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/loss"
	"github.com/mjqueue/mjq/mjq/internal/open"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/saturated"
	"github.com/mjqueue/mjq/mjq/internal/states"
)

func bestFit(free, _ int) float64  { return float64(free) }
func worstFit(free, _ int) float64 { return -float64(free) }
func randomFit(_, _ int) float64   { return 0 }

var placements = map[string]func(free, need int) float64{"BestFit": bestFit, "WorstFit": worstFit, "RandomFit": randomFit}

// erlang is a class with services of two exponential phases.
func erlang(need int, prob, mean float64) states.Class {
	return states.Class{Need: need, Prob: prob, Alpha: []float64{1, 0}, A: [][]float64{{-2 / mean, 2 / mean}, {0, -2 / mean}}}
}

// near fails unless two numbers agree.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*math.Abs(want)+1e-14) {
		t.Errorf("%s: %.14g, want %.14g", what, got, want)
	}
}

// TestPool: where nodes make no difference the limit, the waits and their second moments are
// those of one pool of servers, which package open and package saturated solve, whatever the
// placement.
func TestPool(t *testing.T) {
	for name, x := range map[string]struct {
		nodes, units int
		classes      []states.Class
		servers      int
		needs        []int // in the pool
	}{
		"one node":       {1, 5, []states.Class{exponential(1, 0.5, 1), erlang(2, 0.3, 1.5), exponential(5, 0.2, 2)}, 5, []int{1, 2, 5}},
		"nodes of 1":     {4, 1, []states.Class{exponential(1, 0.7, 1), erlang(3, 0.3, 2)}, 4, []int{1, 3}},
		"equal needs":    {3, 5, []states.Class{exponential(2, 0.6, 1), exponential(2, 0.4, 3)}, 6, []int{1, 1}},
		"above half":     {3, 4, []states.Class{exponential(3, 0.6, 1), erlang(4, 0.4, 0.5)}, 3, []int{1, 1}},
		"whole nodes":    {4, 8, []states.Class{erlang(8, 0.5, 1), exponential(16, 0.3, 1), exponential(24, 0.2, 2)}, 4, []int{1, 2, 3}},
		"a divisor of 2": {1, 7, []states.Class{exponential(2, 0.5, 1), exponential(4, 0.5, 1)}, 7, []int{2, 4}},
	} {
		pool := states.System{Servers: x.servers}
		for i, c := range x.classes {
			c.Need = x.needs[i]
			pool.Classes = append(pool.Classes, c)
		}
		index, err := states.NewIndex(pool.Compile())
		if err != nil {
			t.Fatal(err)
		}
		chain, err := saturated.NewChain(context.Background(), pool.Compile(), 1000)
		if err != nil {
			t.Fatal(err)
		}
		limit, err := chain.Solve(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		rate := 0.8 * limit.Throughput
		want, err := open.Solve(context.Background(), index, x.servers, rate, nil)
		if err != nil {
			t.Fatal(err)
		}
		for how, placement := range placements {
			s := &System{Nodes: x.nodes, Units: x.units, Classes: x.classes, Score: placement}
			l, err := s.Limit(context.Background(), most)
			if err != nil {
				t.Fatal(err)
			}
			near(t, name+", "+how+": limit", l.Rate, limit.Throughput)
			m, err := s.Queue(context.Background(), rate, 1e9, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range x.classes {
				mean, second := m.Little(i)
				k := want.Kinds()[index.Of[i]]
				near(t, name+", "+how+": mean wait", mean, k.Mean)
				near(t, name+", "+how+": second moment of the wait", second, k.Second)
			}
			near(t, name+", "+how+": jobs", m.Mean, want.Moments().Jobs[0])
			near(t, name+", "+how+": pairs of jobs", m.Square, want.Moments().Jobs[1])
		}
	}
}

// TestOneNodeLoss: on one node only the means of the services matter to the jobs that are
// turned away, which Kaufman's and Roberts's recursion counts.
func TestOneNodeLoss(t *testing.T) {
	s := &System{Nodes: 1, Units: 6, Classes: []states.Class{erlang(1, 0.6, 1), exponential(2, 0.3, 2), erlang(6, 0.1, 1)}, Score: bestFit}
	m, err := s.Rooms(context.Background(), queue.System{Rate: 2, Room: 0}, most)
	if err != nil {
		t.Fatal(err)
	}
	pool := loss.System{Units: []int{6}, Classes: []loss.Class{{Needs: []int{1}, Load: 1.2}, {Needs: []int{2}, Load: 1.2}, {Needs: []int{6}, Load: 0.2}}}
	law, err := pool.Solve()
	if err != nil {
		t.Fatal(err)
	}
	want, err := law.Measures()
	if err != nil {
		t.Fatal(err)
	}
	for k := range s.Classes {
		near(t, "turned away", m.Blocked[k], want.Blocked[k])
		near(t, "in service", m.Served[k], want.Jobs[k])
		if m.Scattered[k] != 0 {
			t.Errorf("class %d does not fit with probability %g although units are free", k, m.Scattered[k])
		}
	}
}

// TestSensitive: on two nodes the law of the services matters, not their means alone.
func TestSensitive(t *testing.T) {
	shape := func(c func(int, float64, float64) states.Class) float64 {
		s := &System{Nodes: 2, Units: 4, Classes: []states.Class{c(1, 0.7, 1), c(4, 0.3, 1)}, Score: worstFit}
		m, err := s.Rooms(context.Background(), queue.System{Rate: 3, Room: 0}, most)
		if err != nil {
			t.Fatal(err)
		}
		return m.Blocked[1]
	}
	if a, b := shape(exponential), shape(erlang); math.Abs(a-b) < 1e-4 {
		t.Errorf("turned away: %g with exponential services and %g with Erlang's of the same means", a, b)
	}
}

// TestLargeRoom: a queue with a very large room, which elimination solves, is one without a
// limit, which matrices solve.
func TestLargeRoom(t *testing.T) {
	for how, placement := range placements {
		s := &System{Nodes: 2, Units: 3, Classes: []states.Class{erlang(1, 0.5, 1), exponential(2, 0.3, 1), exponential(6, 0.2, 1)}, Score: placement}
		want, err := s.Rooms(context.Background(), queue.System{Rate: 0.7, Room: 150}, most)
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.Queue(context.Background(), 0.7, 1e9, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k := range s.Classes {
			near(t, how+": at once", m.AtOnce[k], want.AtOnce[k])
			near(t, how+": mean number that waits", m.Queue[k], want.Queue[k])
			near(t, how+": pairs that wait", m.Pairs[k], want.Pairs[k])
			near(t, how+": in service", m.Served[k], want.Served[k])
			near(t, how+": scattered", m.Scattered[k], want.Scattered[k])
		}
		for what, pair := range map[string][2]float64{"held": {m.Held, want.Held}, "stranded": {m.Stranded, want.Stranded}, "wasted": {m.Wasted, want.Wasted},
			"unusable": {m.Unusable, want.Unusable}, "busy": {m.Busy, want.Busy}, "empty": {m.Empty, want.Empty}, "jobs": {m.Mean, want.Mean}, "third": {m.Jobs[20], want.Jobs[20]}} {
			near(t, how+": "+what, pair[0], pair[1])
		}
		near(t, how+": work", m.Busy, 0.7*(0.5+0.6+1.2))
	}
}

package queue

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// impatient is a class whose jobs give up at a rate.
func impatient(c Class, leave float64) Class {
	c.Leave = leave
	return c
}

// TestOrdered: what another program found of classes with rates of their own.
func TestOrdered(t *testing.T) {
	for name, leave := range map[string][]float64{"byclass": {1, 0.2}, "byclass_same": {0.5, 0.5}} {
		o := System{Servers: 4, Room: 7, Rate: 3, Ordered: true, Classes: []Class{impatient(exponential(1, 0.7, 1), leave[0]), impatient(exponential(3, 0.3, 1.25), leave[1])}}
		x, err := o.Solve(context.Background(), limits)
		if err != nil {
			t.Fatal(err)
		}
		for k := range x.Left {
			oracle.Near(t, fmt.Sprintf("patience-%s-leave%d", name, k), x.Left[k])
			oracle.Near(t, fmt.Sprintf("patience-%s-blocked%d", name, k), x.Blocked[k])
		}
	}
}

// TestUndrawn: where all give up at one rate, jobs that wait need not be told apart, and the
// two chains agree on everything; services with phases among them.
func TestUndrawn(t *testing.T) {
	hyper := states.Class{Need: 3, Prob: 0.3, Alpha: []float64{0.4, 0.6}, A: [][]float64{{-2, 0.5}, {0, -0.7}}}
	o := System{Servers: 4, Room: 5, Rate: 3, Ordered: true, Classes: []Class{impatient(exponential(1, 0.7, 1), 0.5), {Class: hyper, Leave: 0.5}}}
	x, err := o.Solve(context.Background(), limits)
	if err != nil {
		t.Fatal(err)
	}
	s := System{Servers: 4, Room: 5, Rate: 3, Leave: 0.5, Classes: []Class{exponential(1, 0.7, 1), {Class: hyper}}}
	y, err := s.Solve(context.Background(), limits)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v in order, %v undrawn", what, got, want)
		}
	}
	for k := range x.Left {
		near("blocked", x.Blocked[k], y.Blocked[k])
		near("blocked time", x.BlockedTime[k], y.BlockedTime[k])
		near("left", x.Left[k], y.Left[k])
		near("at once", x.AtOnce[k], y.AtOnce[k])
		near("queue", x.Queue[k], y.Queue[k])
		near("served", x.Served[k], y.Served[k])
	}
	near("busy", x.Busy, y.Busy)
	near("wasted", x.Wasted, y.Wasted)
	for n, p := range x.Jobs {
		near("jobs", p, y.Jobs[n])
	}
}

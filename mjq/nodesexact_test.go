package mjq_test

import (
	"context"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// onTwo is two nodes of four units at a moderate load.
func onTwo(p mjq.Placement) mjq.Model {
	return mjq.Nodes(2, 4).Poisson(2.2).Placement(p).Class("one", 1, 0.6, mjq.ExpMean(1)).
		Class("two", 2, 0.2, mjq.HyperExpMeans(0.5, 1.5, 0.5)).Class("node", 4, 0.12, mjq.ErlangMeanPhases(1, 2)).Class("pair", 8, 0.08, mjq.ExpMean(1))
}

// TestNodesLimit: Stability finds the limits of the specification, by chain or closed form, and
// says what one pool would carry.
func TestNodesLimit(t *testing.T) {
	two := mjq.Nodes(2, 4).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("two", 2, 0.25, mjq.ExpMean(1.25)).Class("four", 4, 0.15, mjq.ExpMean(1/0.7))
	pool := mjq.Servers(8).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("two", 2, 0.25, mjq.ExpMean(1.25)).Class("four", 4, 0.15, mjq.ExpMean(1/0.7))
	for _, x := range []struct {
		m    mjq.Model
		want float64
	}{
		{two, oracle.Extended(t, "nodes-two-best-limit").Value},
		{two.Placement(mjq.WorstFit()), oracle.Extended(t, "nodes-two-worst-limit").Value},
		{mjq.Nodes(3, 5).Class("a", 2, 0.5, mjq.Deterministic(1)).Class("b", 2, 0.5, mjq.LogNormalMeanSCV(1.5, 2)), 6 / 1.25},
		{mjq.Nodes(3, 4).Nodes(2, 5).Class("a", 3, 0.5, mjq.Deterministic(1)).Class("b", 4, 0.5, mjq.Deterministic(2)), 5 / 1.5},
	} {
		s, err := x.m.Stability(context.Background())
		if err != nil {
			t.Fatal(x.m, err)
		}
		if math.Abs(s.Rate-x.want) > 1e-9*x.want || s.HalfWidth > 0 {
			t.Errorf("%v: limit %v, want %.10g", x.m, s.Estimate(), x.want)
		}
		if !s.Pool.Known() || s.Pool.Value+3*s.Pool.HalfWidth < s.Rate*(1-1e-9) {
			t.Errorf("%v: limit %v, %v as one pool", x.m, s.Rate, s.Pool)
		}
	}
	s, err := two.Stability(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p, err := pool.Stability(context.Background())
	if err != nil || s.Pool.Value != p.Rate {
		t.Errorf("as one pool %v, want %v, %v", s.Pool, p.Rate, err)
	}
}

// TestNodesCapacity: no policy carries more on nodes than the linear program says, which is less
// than what a pool would carry.
func TestNodesCapacity(t *testing.T) {
	m := mjq.Nodes(2, 4).Class("one", 1, 0.1, mjq.ExpMean(1)).Class("three", 3, 0.9, mjq.ExpMean(1))
	c, err := m.Capacity(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 / 0.9; math.Abs(c.Rate-want) > 1e-9 { // every node holds one job of three
		t.Errorf("capacity %.10g, want %.10g", c.Rate, want)
	}
	_, err = mjq.Nodes(4, 4).Class("wide", 4, 1, mjq.ExpMean(1)).OnNodes("wide", 2, 2).Capacity(context.Background())
	oracle.Mention(t, err, "wide", "whole nodes")
}

// TestNodesNotExact: what the chain does not know is refused, with the reason.
func TestNodesNotExact(t *testing.T) {
	for text, m := range map[string]mjq.Model{
		"LowestFit":      onTwo(mjq.LowestFit()),
		"kinds of nodes": onTwo(mjq.BestFit()).Nodes(1, 2),
		"ties nodes":     mjq.Nodes(3, 4).Poisson(1).Class("wide", 4, 1, mjq.ExpMean(1)).OnNodes("wide", 2, 2),
		"Scattered":      onTwo(mjq.BestFit()).Scattered("two"),
		"not phase-type": mjq.Nodes(2, 2).Poisson(1).Class("a", 1, 1, mjq.Deterministic(1)),
		"first come":     onTwo(mjq.BestFit()).Policy(mjq.FirstFit()),
		"configurations": onSixteen(),
		"patience":       onTwo(mjq.BestFit()).Patience(mjq.Deterministic(1)),
		"arrivals":       onTwo(mjq.BestFit()).Arrivals(mjq.ErlangMeanPhases(1, 2)),
	} {
		if _, err := m.Solve(context.Background(), mjq.Exact{}); err == nil {
			t.Errorf("%v is solved", m)
		} else {
			oracle.Mention(t, err, text)
		}
	}
}

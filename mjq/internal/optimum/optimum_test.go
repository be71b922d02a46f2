package optimum

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
)

func solve(t *testing.T, s System) *Solution {
	t.Helper()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	sol, err := s.Solve(context.Background(), Options{Tolerance: 1e-7, Bytes: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	if sol.Low > sol.Cost*(1+1e-12) || sol.Low < sol.Cost*(1-1e-7) {
		t.Errorf("%+v: cost %.12g, bound %.12g", s, sol.Cost, sol.Low)
	}
	return sol
}

func close(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= relative) {
		t.Errorf("%s is %.10g, want %.10g", what, got, want)
	}
}

// TestOneServer: where every job needs all servers the optimum is to serve the greatest
// weight times rate first (the cμ rule of Cox and Smith 1961), of which the mean numbers
// are Cobham's without preemption, and with it those of the first class alone and of both.
func TestOneServer(t *testing.T) {
	for _, weights := range [][2]float64{{1, 1}, {3, 1}} {
		c := []Class{{4, 0.3, 1, weights[0]}, {4, 0.5, 2, weights[1]}}
		first, second := 1, 0
		if weights[0]*c[0].Mu > weights[1]*c[1].Mu {
			first, second = 0, 1
		}
		rho := func(k int) float64 { return c[k].Rate / c[k].Mu }
		left := c[0].Rate/c[0].Mu/c[0].Mu + c[1].Rate/c[1].Mu/c[1].Mu // mean of what is left in service
		both := 1 - rho(0) - rho(1)
		sol := solve(t, System{Servers: 4, Classes: c})
		close(t, "number of the first class", sol.Jobs[first], c[first].Rate*left/(1-rho(first))+rho(first), 1e-6)
		close(t, "number of the second class", sol.Jobs[second], c[second].Rate*left/(1-rho(first))/both+rho(second), 1e-6)
		sol = solve(t, System{Servers: 4, Classes: c, Preemptive: true})
		one := rho(first) / (1 - rho(first))
		close(t, "preemptive number of the first class", sol.Jobs[first], one, 1e-6)
		close(t, "preemptive number of the second class", sol.Jobs[second], c[second].Rate*(1/c[second].Mu+left/both)/(1-rho(first)), 1e-6)
		close(t, "cost", sol.Cost, weights[0]*sol.Jobs[0]+weights[1]*sol.Jobs[1], 1e-6)
	}
}

// TestAllAlike: jobs of one server and one rate are M/M/s under any policy that does not
// idle.
func TestAllAlike(t *testing.T) {
	const a = 1.05                                // of 2 servers
	wait := a * a / (2 - a) / (1 + a + a*a/(2-a)) // Erlang C
	want := a + wait*a/(2-a)
	for _, preemptive := range []bool{false, true} {
		sol := solve(t, System{Servers: 2, Classes: []Class{{1, 0.55, 1, 1}, {1, 0.5, 1, 1}}, Preemptive: preemptive})
		close(t, "number", sol.Cost, want, 1e-6)
	}
}

// TestEveryPolicy compares with the best of all policies of systems cut at two or three
// jobs, of which each is evaluated by itself, by linear equations.
func TestEveryPolicy(t *testing.T) {
	for _, s := range []System{
		{2, []Class{{1, 0.8, 1, 1}, {2, 0.6, 1.5, 1}}, true},
		{2, []Class{{1, 0.8, 1, 1}, {2, 0.6, 1.5, 1}}, false},
		{2, []Class{{1, 0.9, 0.7, 1}, {2, 0.6, 1.5, 2}}, false},
		{3, []Class{{1, 0.9, 1, 2}, {2, 0.6, 1.5, 1}}, true},
	} {
		g := newGraph(&s, 3)
		if !s.Preemptive {
			g = newGraph(&s, 2)
		}
		best, policies := math.Inf(1), 0
		policy := make([]int32, g.states)
		var from func(state int)
		from = func(state int) {
			if state == g.states {
				policies++
				if cost, ok := g.averageOf(policy); ok {
					best = min(best, cost)
				}
				return
			}
			for _, c := range g.list[g.from[state]:g.from[state+1]] {
				policy[state] = c
				from(state + 1)
			}
		}
		from(0)
		it, err := g.solve(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if policies < 2 || math.Abs(it.average/best-1) > 1e-9 {
			t.Errorf("%+v: %.12g by iteration, %.12g the best of %d policies", s, it.average, best, policies)
		}
	}
}

// averageOf is the average cost of a policy from its stationary law, by elimination;
// false if it does not come back to the empty system from everywhere.
func (g *graph) averageOf(policy []int32) (cost float64, ok bool) {
	n := g.states
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
	}
	for s, c := range policy {
		move := func(to int32, rate float64) {
			if to >= 0 {
				a[to][s] += rate
				a[s][s] -= rate
			}
		}
		for k := range g.Classes {
			at := int(c)*len(g.Classes) + k
			move(g.arrival[at], g.Classes[k].Rate)
			move(g.depart[at], float64(g.sets[g.running[c]][k])*g.Classes[k].Mu)
		}
	}
	for i := range n {
		a[0][i] = 1
	}
	a[0][n] = 1
	for i := range n {
		pivot := i
		for r := i; r < n; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[pivot][i]) {
				pivot = r
			}
		}
		if math.Abs(a[pivot][i]) < 1e-12 {
			return 0, false
		}
		a[i], a[pivot] = a[pivot], a[i]
		for r := range n {
			if r != i {
				f := a[r][i] / a[i][i]
				for c := i; c <= n; c++ {
					a[r][c] -= f * a[i][c]
				}
			}
		}
	}
	for s, c := range policy {
		cost += a[s][n] / a[s][s] * g.cost[c]
	}
	return cost, true
}

// TestDearClass: a job that counts as a hundred makes turning it away the best at a low
// cut, where nothing is learned then, and not at those that follow.
func TestDearClass(t *testing.T) {
	sol := solve(t, System{1, []Class{{1, 0.3, 1, 1}, {1, 0.2, 1, 100}}, true})
	close(t, "number of the dear class", sol.Jobs[1], 0.25, 1e-6)
	close(t, "number of both", sol.Jobs[0]+sol.Jobs[1], 1, 1e-6)
}

// TestLowerBoundGrows: the cut queue is never worse than the true one.
func TestLowerBoundGrows(t *testing.T) {
	s := System{2, []Class{{1, 0.45, 1, 1}, {2, 0.45, 1, 1}}, false}
	last, truth := 0.0, solve(t, s).Cost
	for _, cut := range []int{8, 14, 22} {
		it, err := newGraph(&s, cut).solve(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if it.low < last || it.low > truth*(1+1e-9) {
			t.Errorf("cut at %d the bound is %.10g, after %.10g; the optimum is %.10g", cut, it.low, last, truth)
		}
		last = it.low
	}
}

func TestFaults(t *testing.T) {
	for _, s := range []System{
		{2, nil, true}, {2, []Class{{3, 1, 1, 1}}, true}, {2, []Class{{1, 1, 1, 0}}, true}, {2, []Class{{1, 1, 1, -1}}, true},
		{100, []Class{{1, 1, 1, 1}, {2, 1, 1, 1}}, true},
	} {
		if s.Validate() == nil {
			t.Errorf("%+v passed", s)
		}
	}
	s := System{2, []Class{{1, 0.45, 1, 1}, {2, 0.45, 1, 1}}, false}
	var large *chain.TooLarge
	if _, err := s.Solve(context.Background(), Options{Tolerance: 1e-9, Bytes: 1e4}); !errors.As(err, &large) {
		t.Errorf("10 kB: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if sol, err := s.Solve(ctx, Options{Tolerance: 1e-9, Bytes: 1e9}); sol != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v, %v", sol, err)
	}
}

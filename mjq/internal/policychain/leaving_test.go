package policychain

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
)

// leaves solves a queue whose jobs give up.
func leaves(t *testing.T, s System, p policy.Policy) *Measures {
	t.Helper()
	q, err := New(s, p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := q.SolveWithin(context.Background(), Options{Tolerance: 1e-11})
	if err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	return m
}

// TestLeavingInOrder: first come first served with one rate has the values of another
// program's chain; so have, where all jobs need as many servers, policies that go by needs.
func TestLeavingInOrder(t *testing.T) {
	small, big := exponential(1, 0.8, 1), exponential(4, 0.2, 0.5)
	three := []states.Class{exponential(1, 0.7, 1), exponential(3, 0.2, 0.8), exponential(8, 0.1, 1.2)}
	one := []policy.Policy{policy.FCFS{}, policy.MostServersFirst{}, policy.LeastServersFirst{}, policy.AdaptiveQuickswap{}, policy.FirstFit{}, policy.ServerFilling{}}
	for name, x := range map[string]struct {
		System
		under []policy.Policy
	}{
		"erlangA":      {System{Servers: 5, Rate: 6, Classes: []states.Class{exponential(1, 1, 1)}, Leave: []float64{0.5}}, one},
		"erlangA_over": {System{Servers: 5, Rate: 4, Classes: []states.Class{exponential(2, 1, 1)}, Leave: []float64{0.2}}, one},
		"two":          {System{Servers: 6, Rate: 2.5, Classes: []states.Class{small, big}, Leave: []float64{0.3, 0.3}}, one[:1]},
		"over":         {System{Servers: 6, Rate: 5, Classes: []states.Class{small, big}, Leave: []float64{0.5, 0.5}}, one[:1]},
		"three":        {System{Servers: 8, Rate: 3, Classes: three, Leave: []float64{0.4, 0.4, 0.4}}, one[:1]},
	} {
		for _, p := range x.under {
			m := leaves(t, x.System, p)
			for k, c := range m.Classes {
				oracle.Near(t, fmt.Sprintf("patience-%s-leave%d", name, k), c.Left)
				if len(m.Classes) > 1 {
					oracle.Near(t, fmt.Sprintf("patience-%s-time%d", name, k), c.Wait)
				}
			}
			oracle.Near(t, "patience-"+name+"-busy", m.Utilisation*float64(x.Servers))
		}
	}
}

// counted is a chain of two classes by plain iteration: what runs and waits of each, and a
// pass by the need that goes first. It shares nothing with the rules.
func counted(servers int, need [2]int, rate, mu, leave [2]float64, order [2]int, most int) (left, queue [2]float64) {
	type state struct{ run, wait [2]int }
	pass := func(s state) state {
		for _, k := range order {
			for s.wait[k] > 0 && s.run[0]*need[0]+s.run[1]*need[1]+need[k] <= servers {
				s.wait[k]--
				s.run[k]++
			}
		}
		return s
	}
	pi := map[state]float64{{}: 1}
	const step = 0.02 // of time; rates are below 50
	for range 40_000 {
		next := make(map[state]float64, len(pi))
		for s, p := range pi {
			if p < 1e-14 {
				continue
			}
			stays := 1.0
			move := func(to state, rate float64) {
				next[pass(to)] += p * rate * step
				stays -= rate * step
			}
			for k := range 2 {
				if s.wait[k] < most {
					to := s
					to.wait[k]++
					move(to, rate[k])
				}
				if s.run[k] > 0 {
					to := s
					to.run[k]--
					move(to, float64(s.run[k])*mu[k])
				}
				if s.wait[k] > 0 {
					to := s
					to.wait[k]--
					move(to, float64(s.wait[k])*leave[k])
				}
			}
			next[s] += p * stays
		}
		off := 0.0
		for s, p := range next {
			off += math.Abs(p - pi[s])
		}
		if pi = next; off < 1e-11 {
			break
		}
	}
	for s, p := range pi {
		for k := range 2 {
			queue[k] += p * float64(s.wait[k])
			left[k] += p * float64(s.wait[k]) * leave[k] / rate[k]
		}
	}
	return left, queue
}

// TestLeavingByClass: rates by class under the policies that go by counts, against a chain
// written down by itself.
func TestLeavingByClass(t *testing.T) {
	s := System{Servers: 4, Rate: 3, Classes: []states.Class{exponential(1, 0.7, 1), exponential(3, 0.3, 0.8)}, Leave: []float64{1, 2}}
	for _, x := range []struct {
		p     policy.Policy
		order [2]int
	}{{policy.MostServersFirst{}, [2]int{1, 0}}, {policy.Priority{Levels: [][]string{{"1"}, {"0"}}, Passes: true}, [2]int{1, 0}},
		{policy.Priority{Levels: [][]string{{"0"}, {"1"}}, Passes: true}, [2]int{0, 1}}} {
		p := x.p
		m := leaves(t, s, p)
		left, queue := counted(4, [2]int{1, 3}, [2]float64{2.1, 0.9}, [2]float64{1, 0.8}, [2]float64(s.Leave), x.order, 14)
		for k, c := range m.Classes {
			if math.Abs(c.Left-left[k]) > 2e-7 || math.Abs(c.Queue-queue[k]) > 2e-7 {
				t.Errorf("%v, class %d: left %.10g, in line %.10g, by a chain of its own %.10g and %.10g", p, k, c.Left, c.Queue, left[k], queue[k])
			}
		}
	}
}

// TestLeavingLimits: without patience all policies that start what fits are the loss system,
// and with endless patience the queue is that in which nobody gives up.
func TestLeavingLimits(t *testing.T) {
	classes := []states.Class{exponential(1, 0.8, 1), exponential(4, 0.2, 0.5)}
	for _, p := range general {
		none := System{Servers: 6, Rate: 1, Classes: classes}
		want := leaves(t, none, p)
		patient := none
		patient.Leave = []float64{1e-7, 1e-7}
		m := leaves(t, patient, p)
		for k, c := range m.Classes {
			if math.Abs(c.Wait-want.Classes[k].Wait) > 2e-6 || math.Abs(c.Left-1e-7*want.Classes[k].Wait) > 1e-11 && !p.Properties().Preemptive {
				t.Errorf("%v: %+v with endless patience, %+v without", p, c, want.Classes[k])
			}
		}
		if p.Properties().Preemptive {
			continue
		}
		hasty := System{Servers: 6, Rate: 2.5, Classes: classes, Leave: []float64{1e6, 1e6}}
		for k, c := range leaves(t, hasty, p).Classes {
			want := oracle.Extended(t, fmt.Sprintf("patience-impatient-leave%d", k)).Value
			if math.Abs(c.Left-want) > 2e-6 {
				t.Errorf("%v without patience: class %d leaves %v, is lost %v", p, k, c.Left, want)
			}
		}
	}
}

// TestLeavingRefused: what no chain of counts describes is told.
func TestLeavingRefused(t *testing.T) {
	two := []states.Class{exponential(1, 0.5, 1), exponential(1, 0.5, 2)}
	for want, s := range map[string]System{
		"jobs of need 1 give up at the rates 1 and 2": {Servers: 2, Rate: 1, Classes: two, Leave: []float64{1, 2}},
		"give a finite one of 0 or more":              {Servers: 2, Rate: 1, Classes: two, Leave: []float64{-1, 2}},
	} {
		if _, err := New(s, policy.MostServersFirst{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	needs := System{Servers: 2, Rate: 1, Classes: []states.Class{exponential(1, 0.5, 1), exponential(2, 0.5, 2)}, Leave: []float64{1, 2}}
	if _, err := New(needs, policy.FirstFit{}); err == nil || !strings.Contains(err.Error(), "at different rates") {
		t.Errorf("FirstFit with rates by class: %v", err)
	}
	never := needs
	never.Leave, never.Rate = []float64{0, 1}, 10
	q, err := New(never, policy.MostServersFirst{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.Solve(context.Background()); err == nil {
		t.Error("a class that never gives up and brings more work than the servers do was solved")
	}
}

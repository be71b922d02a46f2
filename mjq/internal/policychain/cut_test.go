package policychain

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
	"github.com/mjqueue/mjq/mjq/policy"
)

// TestEqualPolicies: a window longer than the queue is MostServersFirst, and so is a
// quickswap that swaps when no small job runs.
func TestEqualPolicies(t *testing.T) {
	s := System{Servers: 3, Rate: 0.2, Classes: []states.Class{exponential(1, 0.6, 1), exponential(3, 0.4, 2)}}
	most := solve(t, s, policy.MostServersFirst{})
	for _, p := range []policy.Policy{policy.Window{Jobs: 12}, policy.Quickswap{}} {
		m := solve(t, s, p)
		near(t, p.String()+" wait", m.Wait, most.Wait, 1e-7)
		for c := range s.Classes {
			near(t, p.String()+" wait of a class", m.Classes[c].Wait, most.Classes[c].Wait, 1e-7)
			near(t, p.String()+" starts at once", m.Classes[c].NoWait, most.Classes[c].NoWait, 1e-8)
		}
	}
}

// TestBound: the error that is claimed at a coarse cut is not less than the distance to
// a finer one.
func TestBound(t *testing.T) {
	s := System{Servers: 2, Rate: 0.6, Classes: []states.Class{exponential(1, 0.5, 1), exponential(2, 0.5, 1)}}
	for _, p := range []policy.Policy{policy.MostServersFirst{}, policy.LeastServersFirst{}, policy.PreemptiveMostServersFirst{}, policy.MaxWeight{}} {
		q := prepare(t, s, p)
		fine, err := q.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, tolerance := range []float64{1, 1e-2, 1e-4} {
			m, err := q.SolveWithin(context.Background(), Options{Tolerance: tolerance})
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(m, fine); d > m.Error+fine.Error || m.Error > tolerance {
				t.Errorf("%s: off by %.3g at a claimed %.3g, wanted %.3g", p, d, m.Error, tolerance)
			}
		}
	}
}

// TestTooLarge: a chain that would not fit is refused with what is known, and a load
// of 1 or more at once.
func TestTooLarge(t *testing.T) {
	s := System{Servers: 2, Rate: 0.9, Classes: []states.Class{exponential(1, 0.5, 1), exponential(2, 0.5, 1)}}
	var large *chain.TooLarge
	if _, err := prepare(t, s, policy.MostServersFirst{}).SolveWithin(context.Background(), Options{Bytes: 1e6}); !errors.As(err, &large) || large.Bytes < 1e6 {
		t.Errorf("with 1 MB: %v", err)
	}
	s.Rate = 2
	var unstable *mam.Unstable
	if _, err := prepare(t, s, policy.MaxWeight{}).Solve(context.Background()); !errors.As(err, &unstable) || unstable.Load != 1.5 {
		t.Errorf("load 1.5: %v", err)
	}
	if _, err := prepare(t, s, policy.MaxWeight{}).Limit(context.Background(), 1e9); !errors.Is(err, ErrUnbounded) {
		t.Errorf("the limit of MaxWeight: %v", err)
	}
}

// TestNothingBegins: chains of which it is known beforehand that they are too large take no
// memory before they are refused, and a wide window takes none once its context has ended.
func TestNothingBegins(t *testing.T) {
	two := func(small, large, servers int) System {
		return System{Servers: servers, Rate: 0.5, Classes: []states.Class{exponential(small, 0.5, 1), exponential(large, 0.5, 1)}}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, c := range []struct {
		s System
		p policy.Policy
	}{
		{two(1, 3, 4), policy.Window{Jobs: 1 << 24}}, {two(1, 3, 4), policy.Window{Jobs: 1 << 31}},
		{two(1, 3, 1<<31), policy.Window{Jobs: 3}}, {two(1, 3, 1<<31), policy.ServerFilling{}}, {two(1, 3, 1<<31), policy.MaxWeight{}},
	} {
		q, ctx := prepare(t, c.s, c.p), context.Background()
		_, limit := q.Limit(ctx, 1e9)
		_, size := q.Size(ctx, 100)
		_, solved := q.Solve(ctx)
		for what, err := range map[string]error{"limit": limit, "size": size, "solve": solved} {
			var large *chain.TooLarge
			if !errors.As(err, &large) && !(what == "limit" && errors.Is(err, ErrUnbounded)) {
				t.Errorf("%s of %v servers, %s: %v", what, c.s.Servers, c.p, err)
			}
		}
	}
	q := prepare(t, two(1, 3, 4), policy.Window{Jobs: 1999})
	if _, err := q.Limit(&lasting{context.Background(), 5000}, 1e9); !errors.Is(err, context.Canceled) {
		t.Errorf("a window of 1999 jobs: %v", err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1e8 {
		t.Errorf("%d MB were allocated", (after.TotalAlloc-before.TotalAlloc)/1e6)
	}
}

// lasting is a context that is over when it has been asked so many times.
type lasting struct {
	context.Context
	times int
}

func (l *lasting) Err() error {
	if l.times--; l.times < 0 {
		return context.Canceled
	}
	return nil
}

// TestSize: what is foreseen is what comes, within a factor of three, also where levels fall
// far more slowly than the load would have it, as those of jobs that need all servers and
// wait for the others to be gone.
func TestSize(t *testing.T) {
	s := System{Servers: 2, Rate: 0.7, Classes: []states.Class{exponential(1, 0.5, 1), exponential(2, 0.5, 1)}}
	all := System{Servers: 5, Rate: 0.7, Classes: []states.Class{exponential(1, 0.95, 1), exponential(5, 0.05, 0.5)}}
	for _, sys := range []System{s, all} {
		for _, p := range []policy.Policy{policy.MaxWeight{}, policy.MostServersFirst{}, policy.FirstFit{}, policy.Quickswap{Threshold: 1}} {
			z, err := prepare(t, sys, p).Size(context.Background(), 20)
			if m := solve(t, sys, p); err != nil || z.States < float64(m.States)/3 || z.States > 3*float64(m.States) || z.Bytes < z.States {
				t.Errorf("%s: %v, %v; the chain has %d states and at most %d jobs", p, z, err, m.States, m.Cut)
			}
		}
	}
	z, err := prepare(t, s, policy.FCFS{}).Size(context.Background(), 0)
	if err != nil || z.States != 3 {
		t.Errorf("FCFS: %v, %v; want 3 states", z, err)
	}
}

// TestLongLine: when a job of all 64 servers leaves, the line behind it is looked at, in
// 2^79 ways if equal ones are not joined.
func TestLongLine(t *testing.T) {
	s := System{Servers: 64, Rate: 0.1, Classes: []states.Class{exponential(1, 0.9, 1), exponential(64, 0.1, 1)}}
	z, err := prepare(t, s, policy.FirstFit{}).Size(context.Background(), 80)
	if want := 81.0 * 82 / 2; err != nil || z.States < want/2 || z.States > 3*want {
		t.Errorf("%v, %v; want about %v states", z, err, want)
	}
}

// TestMemoryCounts: what a chain takes is counted while it grows, transitions included. With a
// rare wide class First-Fit passes look at all jobs, and states with many jobs lead to many.
func TestMemoryCounts(t *testing.T) {
	s := System{Servers: 8, Rate: 5.6, Classes: []states.Class{exponential(1, 0.9995, 1), exponential(4, 0.0005, 1)}}
	q := prepare(t, s, policy.FirstFit{})
	const most = 1e7
	var large *chain.TooLarge
	if _, err := q.SolveWithin(context.Background(), Options{Bytes: most}); !errors.As(err, &large) || !strings.Contains(err.Error(), "raise MaxBytes") {
		t.Errorf("with 10 MB: %v", err)
	}
	c, err := q.cutChain(most)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for cut := firstCut(q); err == nil; cut += cut / 2 {
		if err = c.grow(context.Background(), cut); err == nil {
			c.balance = c.Sweeps(c.begin())
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if !errors.As(err, &large) || large.Bytes > 1.01*most {
		t.Errorf("growing beyond 10 MB: %v", err)
	}
	if took := float64(after.HeapAlloc) - float64(before.HeapAlloc); took > 1.2*most {
		t.Errorf("the chain took %.3g bytes, of which %.3g were counted", took, large.Bytes)
	}
	runtime.KeepAlive(c)
}

// TestSizeOfRareClasses: the first levels of a queue with a rare class that makes it long are
// not taken for all.
func TestSizeOfRareClasses(t *testing.T) {
	s := System{Servers: 4, Rate: 2.5, Classes: []states.Class{exponential(1, 0.9995, 1), exponential(4, 0.0005, 1)}}
	q := prepare(t, s, policy.FirstFit{})
	z, err := q.Size(context.Background(), 40)
	if m := solve(t, s, policy.FirstFit{}); err != nil || z.Cut < m.Cut/2 {
		t.Errorf("%v, %v; the chain has %d states and at most %d jobs", z, err, m.States, m.Cut)
	}
}

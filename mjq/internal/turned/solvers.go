package turned

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/internal/loss"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// productForm is for systems without room and without arrivals that remember.
var productForm = &solver{
	source: "recursion over the busy servers: Kaufman (1981), Roberts (1981)",
	size: func(s *spec.Spec) chain.Size {
		x := System(s)
		return chain.Size{States: x.Cells(), Bytes: x.Bytes(), Flops: x.Cells() * float64(len(s.Classes)+1)}
	},
	solve: func(_ context.Context, s *spec.Spec, most chain.Limits) (*answer, error) {
		x := System(s)
		if x.Bytes() > most.Bytes {
			return nil, chain.Sized(x.Cells(), x.Bytes(), x.Cells()*float64(len(s.Classes)))
		}
		l, err := x.Solve()
		if err != nil {
			return nil, err
		}
		m, err := l.Measures()
		if err != nil {
			return nil, err
		}
		n := len(s.Classes)
		a := &answer{blocked: m.Blocked, blockedTime: m.BlockedTime, served: m.Jobs, queue: make([]float64, n),
			mean: make([]float64, n), second: make([]float64, n), atOnce: make([]float64, n)}
		for k, c := range s.Classes {
			a.arrived = append(a.arrived, m.Sent[k]/c.Service.Mean())
			a.atOnce[k] = 1 - m.Blocked[k]
		}
		a.curve = noCurves(n)
		if len(s.Resources) == 0 {
			a.busy = l.BusyUnits(0)
		} else {
			for j := range s.Resources {
				a.units = append(a.units, l.BusyUnits(j))
				a.busy += a.units[j]
			}
		}
		return a, nil
	},
}

// System is a queue without room as package loss has it.
func System(s *spec.Spec) *loss.System {
	x := &loss.System{Units: []int{s.Servers}}
	if len(s.Resources) > 0 {
		x.Units = nil
		for _, r := range s.Resources {
			x.Units = append(x.Units, r.Units)
		}
	}
	rate := s.Rate()
	for _, c := range s.Classes {
		k := loss.Class{Needs: []int{c.Need}, Users: c.Users}
		if len(s.Resources) > 0 {
			k.Needs = c.Units
		}
		if c.Users > 0 {
			k.Load = c.Service.Mean() / c.Think.Mean()
		} else {
			k.Load = rate * c.Prob * c.Service.Mean()
		}
		x.Classes = append(x.Classes, k)
	}
	return x
}

// undrawn is for rooms, servers kept free, arrivals that remember, and one rate of giving up.
var undrawn = &solver{
	source: "chain of the jobs in service and of how many wait, whose classes are drawn at the head of the queue",
	size:   undrawnSize,
	solve: func(ctx context.Context, s *spec.Spec, most chain.Limits) (*answer, error) {
		x := undrawnSystem(s)
		sol, err := x.Solve(ctx, most)
		if err != nil {
			return nil, err
		}
		a := shares(sol)
		a.notes = []string{fmt.Sprintf("There is no truncation error: the chain has all %d states of the queue.", sol.States)}
		if x.Leave > 0 {
			a.left = sol.Left
			if s.Room == nil {
				a.notes = []string{fmt.Sprintf("The truncation error is negligible: the chain of %d states ends at %d waiting jobs, and more wait with a probability below 1e-16, by a proof that compares with M/M/∞.", sol.States, x.Room)}
				a.blocked = make([]float64, len(s.Classes))
			}
		}
		return a, a.waits(ctx, s, sol, most.Bytes)
	},
}

// shares is what a chain tells of a queue.
func shares(sol *queue.Solution) *answer {
	return &answer{arrived: sol.Arrived, blocked: sol.Blocked, blockedTime: sol.BlockedTime, atOnce: sol.AtOnce,
		queue: sol.Queue, served: sol.Served, busy: sol.Busy, wasted: sol.Wasted, jobs: sol.Jobs}
}

func undrawnSystem(s *spec.Spec) *queue.System {
	x := &queue.System{Servers: s.Servers, Rate: s.Rate()}
	if s.HasUsers() && s.Arrivals == nil {
		x.Rate = 0
	}
	for i, c := range s.Classes {
		k := queue.Class{Keep: c.Keep, Users: c.Users}
		k.Class, _ = problem.PhaseClass(&c)
		k.Prob = s.OpenProb(i)
		if c.Users > 0 {
			k.Think, _ = law.MemorylessRate(c.Think)
			k.Prob = 0
		}
		x.Classes = append(x.Classes, k)
	}
	if s.Arrivals != nil && !s.Poisson() {
		in := problem.Matrices(s)
		x.Arrives = &in
	}
	if rates, _ := leaving(s); rates[0] > 0 {
		x.Leave = rates[0]
	}
	switch {
	case s.Room != nil:
		x.Room = *s.Room
	case x.Arrives != nil:
		x.Room = queue.Cut(mostRate(x.Arrives), x.Leave)
	default:
		x.Room = queue.Cut(x.Rate, x.Leave)
	}
	return x
}

// mostRate is the largest rate of jobs in any phase of the arrivals.
func mostRate(in *states.Arrivals) (most float64) {
	for i := range in.D0 {
		rate := 0.0
		for _, e := range in.Events {
			for _, v := range e.Rates[i] {
				rate += v * float64(e.Size)
			}
		}
		most = max(most, rate)
	}
	return most
}

// undrawnSize counts the combinations in service.
func undrawnSize(s *spec.Spec) chain.Size {
	x := undrawnSystem(s)
	ways := make([]float64, x.Servers+1)
	ways[0] = 1
	least := x.Servers
	for _, c := range x.Classes {
		for range c.A {
			for u := c.Need; u <= x.Servers; u++ {
				ways[u] += ways[u-c.Need]
			}
		}
		least = min(least, c.Need)
	}
	served, phases := 0.0, 1.0
	for _, w := range ways {
		served += w
	}
	if x.Arrives != nil {
		phases = float64(len(x.Arrives.D0))
	}
	layers := float64(x.Servers/least + 1)
	n := phases * served * (1 + float64(x.Room)/2)
	layers += float64(x.Room)
	layer := n / layers
	jobs, joined := batches(x.Arrives)
	up := min(jobs, layers) // layers that an arrival passes
	return chain.Size{States: n, Bytes: 8 * n * layer * (2 + up), Flops: 4*n*layer*layer*(1+up) + 100*n*min(joined, served*jobs)}
}

// batches are the most jobs that come at once, and all that have to be let in one by one to
// follow the arrivals in a state.
func batches(in *states.Arrivals) (most, all float64) {
	if in == nil {
		return 1, 1
	}
	for _, e := range in.Events {
		size := float64(e.Size)
		most, all = max(most, size), all+size*size/2
	}
	return max(1, most), all
}

// ordered is for rates of giving up by class with a room.
var ordered = &solver{
	source: "chain whose state is the queue in order",
	size: func(s *spec.Spec) chain.Size {
		z := undrawnSize(s.WithRoom(0))
		lines := math.Pow(float64(len(s.Classes)), float64(*s.Room)+1)
		n := z.States * lines
		return chain.Size{States: n, Bytes: 24 * n * n / 4, Flops: n * n * n / 8}
	},
	solve: func(ctx context.Context, s *spec.Spec, most chain.Limits) (*answer, error) {
		rates, _ := leaving(s)
		x := queue.System{Servers: s.Servers, Room: *s.Room, Rate: s.Rate(), Ordered: true}
		for k, c := range s.Classes {
			class, _ := problem.PhaseClass(&c)
			x.Classes = append(x.Classes, queue.Class{Class: class, Leave: rates[k]})
		}
		sol, err := x.Solve(ctx, most)
		if err != nil {
			return nil, err
		}
		a := shares(sol)
		a.left = sol.Left
		a.notes = []string{fmt.Sprintf("There are no waits of the jobs that start: the chain of %d states does not show them. Use InLine, the mean time in the queue of all jobs let in, or mjq.Simulation{}.", sol.States)}
		return a, nil
	},
}

// general is for one need and any law of patience.
var general = &solver{
	source: "M/M/c+G by integrals: Baccelli and Hébuterne (1981), Zeltyn and Mandelbaum (2005)",
	size: func(s *spec.Spec) chain.Size {
		jumps := float64(len(law.Jumps(s.Classes[0].Patience)))
		return chain.Size{States: float64(s.Servers), Bytes: 1e4 + 8*jumps, Flops: 1e8 + 2e5*jumps}
	},
	solve: func(ctx context.Context, s *spec.Spec, _ chain.Limits) (*answer, error) {
		first := &s.Classes[0]
		rate, _ := law.MemorylessRate(first.Service)
		g := classic.Impatient{Servers: s.Servers / first.Need, Rate: s.Rate(), Service: rate, Patience: first.Patience}
		w, err := g.Solve(ctx)
		if err != nil {
			return nil, err
		}
		a := &answer{curve: func(ctx context.Context) ([]result.Curve, error) {
			curve, err := generalCurve(ctx, w)
			return slices.Repeat([]result.Curve{curve}, len(s.Classes)), err
		}}
		for _, c := range s.Classes {
			come := s.Rate() * c.Prob
			a.arrived, a.left, a.atOnce = append(a.arrived, come), append(a.left, w.Left), append(a.atOnce, 1-w.Delay)
			a.blocked, a.queue = append(a.blocked, 0), append(a.queue, come*w.InLine)
			a.served = append(a.served, come*(1-w.Left)/rate)
			a.mean, a.second = append(a.mean, w.Mean), append(a.second, w.Second)
			a.busy += come * (1 - w.Left) / rate * float64(c.Need)
		}
		if s.Servers%first.Need > 0 {
			a.wasted = math.NaN() // the integrals do not tell how often a job waits
		}
		return a, nil
	},
}

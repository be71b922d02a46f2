package exact

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/classic"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/queue"
	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// general is for one need and any law of patience.
var general = &solver{
	needs: spec.Impatient, fits: oneNeed,
	size: func(_ context.Context, w *work) (Size, error) {
		jumps := float64(len(law.Jumps(w.Classes[0].Patience)))
		return sizeOf(chain.Size{States: float64(w.Servers), Bytes: 1e4 + 8*jumps, Flops: 1e8 + 2e5*jumps}), nil
	},
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "M/M/c+G by integrals: Baccelli and Hébuterne (1981), Zeltyn and Mandelbaum (2005)") {
			return nil, nil
		}
		first := &w.Classes[0]
		rate, _ := law.MemorylessRate(first.Service)
		g := classic.Impatient{Servers: w.Servers / first.Need, Rate: w.Rate(), Service: rate, Patience: first.Patience}
		m, err := g.Solve(ctx)
		if err != nil {
			return nil, err
		}
		n := len(w.Classes)
		same := func(v float64) []float64 { return slices.Repeat([]float64{v}, n) }
		a := &Answer{Left: same(m.Left), NoWait: same((1 - m.Delay) / (1 - m.Left)), Wait: same(m.Mean), Second: same(m.Second)}
		a.curves = func(ctx context.Context) (waiting, response []result.Curve, err error) {
			curve, err := generalCurve(ctx, m)
			return slices.Repeat([]result.Curve{curve}, n), nil, err
		}
		for _, c := range w.Classes {
			come := w.Rate() * c.Prob
			a.Rates, a.Queue, a.Served = append(a.Rates, come), append(a.Queue, come*m.InLine), append(a.Served, come*(1-m.Left)/rate)
			a.Busy += come * (1 - m.Left) / rate * float64(c.Need)
		}
		if w.Servers%first.Need > 0 {
			a.Wasted = math.NaN() // the integrals do not tell how often a job waits
		}
		return a, nil
	},
}

// ordered is for rates of giving up by class with a room.
var ordered = &solver{
	needs: spec.Impatient, serves: spec.Bounded, refuses: spec.Typed | spec.Keeping | spec.Arriving,
	faults: func(f *check.Faults, s *spec.Spec) {
		chainFaults(f, s)
		_, odd := states.Leaving(problem.Compile(s))
		f.That(odd < 0, "patience: classes of several needs are solved exactly if every patience is exponential; use mjq.Simulation{}")
		f.That(s.Room != nil, "patience: classes that give up at different rates are solved exactly with a small Room(n), for which the order of the line is listed; use mjq.Simulation{}")
		f.That(s.Poisson(), "arrivals %v: with rates of giving up by class only Poisson arrivals are solved exactly; use mjq.Simulation{}", s.ArrivalName())
		f.That(!s.Features().Has(spec.Keeping), "Keep along with rates of giving up by class is not solved exactly; use mjq.Simulation{}")
	},
	size: func(_ context.Context, w *work) (Size, error) { return sizeOf(orderedChain(w.Spec)), nil },
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "chain whose state is the queue in order") {
			return nil, nil
		}
		x := queue.Of(w.Compiled(), true)
		sol, err := x.Solve(ctx, w.limits(orderedChain(w.Spec).Flops))
		if err != nil {
			return nil, err
		}
		a := chainAnswer(sol, true)
		a.Notes = []string{fmt.Sprintf("There are no waits of the jobs that start: the chain of %d states does not show them. Use InLine, the mean time in the queue of all jobs let in, or mjq.Simulation{}.", sol.States)}
		return a, nil
	},
}

// orderedChain is about how large the chain with the order of the queue is.
func orderedChain(s *spec.Spec) chain.Size {
	z := undrawnChain(s.WithRoom(0))
	lines := math.Pow(float64(len(s.Classes)), float64(*s.Room)+1)
	n := z.States * lines
	return chain.Size{States: n, Bytes: 24 * n * n / 4, Flops: n * n * n / 8}
}

// oneNeed reports whether the queue is M/M/c+G: one need, one exponential service, one law of
// patience, Poisson arrivals and no room.
func oneNeed(s *spec.Spec) bool {
	first := &s.Classes[0]
	rate, ok := law.MemorylessRate(first.Service)
	if !ok || !s.Poisson() || s.Features().Has(spec.Unlike|spec.Placed) || s.Room != nil || first.Patience == nil {
		return false
	}
	for _, c := range s.Classes {
		r, ok := law.MemorylessRate(c.Service)
		if !ok || r != rate || c.Need != first.Need || c.Patience == nil || c.Patience.String() != first.Patience.String() {
			return false
		}
	}
	return true
}

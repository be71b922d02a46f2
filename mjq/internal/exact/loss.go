package exact

import (
	"context"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/loss"
	"github.com/mjqueue/mjq/mjq/spec"
)

// productForm is for systems without room and without arrivals that remember.
var productForm = &solver{
	needs: spec.Bounded, serves: spec.Typed | spec.Sent | spec.Serving,
	fits: func(s *spec.Spec) bool {
		return *s.Room == 0 && !s.Features().Has(spec.Keeping|spec.Impatient|spec.Placed) && (s.Arrivals == nil || s.Poisson())
	},
	size: func(_ context.Context, w *work) (Size, error) {
		x := loss.Of(w.Compiled())
		return sizeOf(chain.Size{States: x.Cells(), Bytes: x.Bytes(), Flops: x.Cells() * float64(len(w.Classes)+1)}), nil
	},
	solve: func(ctx context.Context, w *work) (*Answer, error) {
		if !w.begin(ctx, "exact", "recursion over the busy servers: Kaufman (1981), Roberts (1981)") {
			return nil, nil
		}
		x := loss.Of(w.Compiled())
		if x.Bytes() > w.how.Bytes() {
			return nil, chain.Sized(x.Cells(), x.Bytes(), x.Cells()*float64(len(w.Classes)))
		}
		l, err := x.Solve()
		if err != nil {
			return nil, err
		}
		m, err := l.Measures()
		if err != nil {
			return nil, err
		}
		n := len(w.Classes)
		a := &Answer{Blocked: m.Blocked, BlockedTime: m.BlockedTime, Served: m.Jobs, Queue: make([]float64, n)}
		for k, c := range w.Classes {
			a.Rates, a.NoWait = append(a.Rates, m.Sent[k]/c.Service.Mean()), append(a.NoWait, 1)
		}
		a.neverWait(n)
		for j := range w.Resources {
			a.Units = append(a.Units, l.BusyUnits(j))
			a.Busy += a.Units[j]
		}
		if a.Units == nil {
			a.Busy = l.BusyUnits(0)
		}
		return a, nil
	},
}

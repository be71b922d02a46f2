package special

import (
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestUnitsOfTime: no number depends on the unit of time but by a power of it.
func TestUnitsOfTime(t *testing.T) {
	type scaled struct {
		value float64
		power float64 // of the unit of time
	}
	ask := func(u float64) map[string]scaled {
		one := OneAndN{N: 50, BigProb: 0.1, SmallRate: 1 / u, BigRate: 0.3 / u}
		two := BrillGreen{Lambda1: 0.3 / u, Lambda2: 0.4 / u, Mu: 1 / u}
		pareto := MPareto1{{Rate: 0.4 / u, Shape: 2.5, Scale: u}, {Rate: 0.2 / u, Shape: 1.5, Scale: 0.5 * u}}
		d := Amount(1).Class("a", 0.5, 0.6, law.ExpMean(u)).Class("b", 0.35, 0.4, law.ExpMean(3*u))
		c, r := mjq.Must(d.Capacity(t.Context())), mjq.Must(d.ProcessingRate(t.Context(), 0.4/u))
		s := mjq.Must(d.Sojourn(t.Context(), 0.4/u))
		return map[string]scaled{
			"throughput": {one.Throughput(), -1}, "completions": {one.RelativeCompletions(), 0}, "response": {one.MeanResponse(0.5 / u), 1},
			"as n grows": {one.AsymptoticThroughput(Balanced), -1}, "refined": {one.RefinedThroughput(BigDominated), -1},
			"class 1": {two.MeanWaiting1(), 1}, "class 2": {two.MeanWaiting2(), 1}, "tail": {two.Waiting(2 * u), 0},
			"Pareto at once": {pareto.Waiting(0), 0}, "Pareto soon": {pareto.Waiting(0.3 * u), 0}, "Pareto late": {pareto.Waiting(1000 * u), 0},
			"capacity": {c.Rate, -1}, "unused": {c.Unused, 0}, "rate": {r.Rate, -1}, "ratio": {r.Ratio, 0}, "by the fixed point": {r.FixedPoint, -1},
			"wait": {s.Waiting.Mean, 1}, "its square": {s.Waiting.Square, 2}, "response of b": {s.Classes[1].Response.Square, 2},
			"jobs": {s.MeanJobs, 0}, "levels": {float64(s.Levels), 0},
		}
	}
	plain := ask(1)
	for _, u := range []float64{1e-9, 86_400, 1e12} {
		for what, x := range ask(u) {
			want := plain[what].value
			for p := x.power; p != 0; {
				if p > 0 {
					want, p = want*u, p-1
				} else {
					want, p = want/u, p+1
				}
			}
			oracle.Relative(t, what, x.value, want, 1e-9)
		}
	}
}

// TestQueuesAreKept: a queue asked again is the same to the bit, also when others came
// between, and a change of the caller's streams is another queue.
func TestQueuesAreKept(t *testing.T) {
	streams := MPareto1{{Rate: 0.8, Shape: 3, Scale: 1}}
	first, other := streams.Waiting(1), MPareto1{{Rate: 0.7, Shape: 3, Scale: 1}}.Waiting(1)
	for n := range 2 * mostKept {
		_ = OneAndN{N: 2 + n, BigProb: 0.5, SmallRate: 1, BigRate: 1}.Throughput()
		_ = MPareto1{{Rate: 0.01 * float64(1+n), Shape: 3, Scale: 1}}.Waiting(1)
	}
	if again := streams.Waiting(1); again != first {
		t.Errorf("%v, then %v", first, again)
	}
	streams[0].Rate = 0.7
	if changed := streams.Waiting(1); changed != other || changed == first {
		t.Errorf("after a change %v, want %v", changed, other)
	}
}

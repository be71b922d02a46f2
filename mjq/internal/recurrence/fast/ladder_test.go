package fast

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
)

// TestLadderIsTheSortedArray holds thousands of groups on the ladder against a
// sorted array, bit by bit: services alike and of wildly different lengths, ties
// of many, and jobs now and then for which all have to leave. Which of the groups
// that leave together comes first may show in the last digits of a waste.
func TestLadderIsTheSortedArray(t *testing.T) {
	for name, c := range map[string]struct {
		service func(*rand.Rand) float64
		within  float64 // of the waste
	}{
		"exponential":  {(*rand.Rand).ExpFloat64, 0},
		"heavy tail":   {func(rng *rand.Rand) float64 { return math.Pow(rng.Float64(), -8) }, 0},
		"constant":     {func(*rand.Rand) float64 { return 1 }, 1e-9},
		"three values": {func(rng *rand.Rand) float64 { return float64(1 + 2*rng.IntN(3)) }, 1e-9},
	} {
		const servers = 3000
		rng := rand.New(rand.NewPCG(5, 5))
		ladder, sorted, now, most := NewRuns(servers), recurrence.NewRuns(servers), 0.0, 0
		for j := range 60_000 {
			need, length := int32(1+rng.IntN(2)), c.service(rng)
			if j%9000 == 0 {
				need = servers
			}
			start, waste := ladder.Step(now, need, length)
			if s, w := sorted.Step(now, need, length); s != start || math.Abs(w-waste) > c.within*(1+w) {
				t.Fatalf("%s, job %d starts at %v and wastes %v, with the sorted array at %v and %v", name, j, start, waste, s, w)
			}
			now += rng.ExpFloat64() / servers
			most = max(most, ladder.far.up)
			if j%250 == 0 {
				ladder.Shift(now)
				sorted.Shift(now)
				now = 0
			}
		}
		if name == "exponential" && most < 8 {
			t.Errorf("the ladder had %d rungs at most: it was hardly tried", most)
		}
	}
}

// TestLadderWithoutRoom lowers the ladder until its last rung cannot be split:
// the groups still come in order.
func TestLadderWithoutRoom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var l ladder
	l.reset()
	for l.up = 1; l.up < height-1; l.up++ {
		l.from[l.up-1] = math.Float64bits(float64(2 * height))
	}
	l.from[l.up-1] = 0
	for range 20 * leaf {
		l.add(math.Float64bits(rng.Float64()), 1)
	}
	var g groups
	taken, before := 0, 0.0
	for g = l.refill(g); len(g) > 0; taken++ {
		n := len(g) - 1
		if g[n].Release < before {
			t.Fatalf("group %d leaves at %v, after one at %v", taken, g[n].Release, before)
		}
		if before, g = g[n].Release, g[:n]; n == 0 {
			g = l.refill(g)
		}
	}
	if taken != 20*leaf {
		t.Errorf("%d groups came of %d", taken, 20*leaf)
	}
}

// TestLadderOrders puts groups on a ladder, nearly too high to be split, while
// others leave it, as Step does: they come out as from a sorted list, and what
// is sorted leaves before what lies on the ladder.
func TestLadderOrders(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var l ladder
	l.reset()
	for l.up = 1; l.up < height-1; l.up++ {
		l.from[l.up-1] = math.Float64bits(float64(2 * height))
	}
	l.from[l.up-1] = 0
	l.mark()
	r := newRuns(1, math.MaxInt)
	r.far = l
	var all []float64
	arrive := func(release float64) {
		all = append(all, release)
		if key := math.Float64bits(release); key >= r.far.lowest {
			r.far.add(key, 1)
			return
		}
		r.groups = r.groups.Insert(release, 1)
	}
	for range 20 * leaf {
		arrive(rng.Float64())
	}
	for left := 0; len(all) > 0; left++ {
		r.two()
		slices.Sort(all)
		n := len(r.groups) - 1
		if got := r.groups[n].Release; got != all[0] || r.InService() != len(all) {
			t.Fatalf("group %d leaves at %v instead of %v; %d of %d are there", left, got, all[0], r.InService(), len(all))
		}
		if r.far.up > 0 && math.Float64bits(r.groups[0].Release) > r.far.lowest {
			t.Fatalf("a sorted group leaves at %v, one on the ladder perhaps at %v", r.groups[0].Release, math.Float64frombits(r.far.lowest))
		}
		r.groups = r.groups[:n]
		if all = all[1:]; left < 60*leaf {
			arrive(r.groups[n-1].Release + rng.Float64()/8)
		}
	}
}

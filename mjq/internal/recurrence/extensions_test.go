package recurrence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// request is a job of any of the extensions.
type request struct {
	needs        []int32 // Typed
	given        []int32 // Named, Positions
	others       int32
	service, gap float64
}

// queue is a recurrence under test, in absolute time.
type queue interface {
	arrive(t float64, j request) (start float64)
	idle(t float64, j request) (waste float64) // of a job that only looks
	vector(t float64) []float64
	shift(by float64)
	work(t float64) float64
	top() float64
}

type typedQueue struct{ *Typed }

func (q typedQueue) arrive(t float64, j request) float64 {
	return q.Step(t, j.needs, j.service, make([]float64, len(j.needs)))
}

func (q typedQueue) idle(t float64, j request) (sum float64) {
	waste := make([]float64, len(j.needs))
	q.Probe(t, j.needs, waste)
	for _, x := range waste {
		sum += x
	}
	return sum
}

func (q typedQueue) vector(t float64) (all []float64) {
	for k := range q.pools {
		all = q.Coordinates(all, k, t)
	}
	return all
}

func (q typedQueue) shift(by float64)       { q.Shift(by) }
func (q typedQueue) work(t float64) float64 { return q.Work(t) }
func (q typedQueue) top() float64           { return q.Top() }

type namedQueue struct{ *Named }

func (q namedQueue) arrive(t float64, j request) float64 {
	start, _ := q.Step(t, j.given, j.others, j.service)
	return start
}

func (q namedQueue) idle(t float64, j request) float64 {
	_, waste := q.Probe(t, j.given, j.others)
	return waste
}

func (q namedQueue) vector(t float64) []float64 { return q.Coordinates(nil, t) }
func (q namedQueue) shift(by float64)           { q.Shift(by) }
func (q namedQueue) work(t float64) float64     { return q.Work(t) }
func (q namedQueue) top() float64               { return q.Top() }

type positionsQueue struct{ *Positions }

func (q positionsQueue) arrive(t float64, j request) float64 {
	start, _ := q.Step(t, j.given, j.others, j.service)
	return start
}

func (q positionsQueue) idle(t float64, j request) float64 {
	_, waste := q.Probe(t, j.given, j.others)
	return waste
}

func (q positionsQueue) vector(t float64) []float64 { return q.Coordinates(nil, t) }
func (q positionsQueue) shift(by float64)           { q.Shift(by) }
func (q positionsQueue) work(t float64) float64     { return q.Work(t) }
func (q positionsQueue) top() float64               { return q.Top() }

// units of the typed systems, and the servers of the others.
var units = []int{7, 3, 12}

const specific = 9

// kind is a recurrence and the jobs that it is tried on.
type kind struct {
	name string
	make func() queue
	jobs func(rng *rand.Rand) request
}

func kinds() (list []kind) {
	for _, printed := range []bool{false, true} {
		typed := func() queue {
			y := NewTyped(units)
			y.AsPrinted = printed
			return typedQueue{y}
		}
		positions := func() queue {
			p := NewPositions(specific)
			p.AsPrinted = printed
			return positionsQueue{p}
		}
		named := func() queue {
			n := NewNamed(specific)
			n.AsPrinted = printed
			return namedQueue{n}
		}
		as := fmt.Sprintf("printed=%v", printed)
		list = append(list,
			kind{"typed " + as, typed, typedJob},
			kind{"positions " + as, positions, specificJob(true)},
			kind{"named only " + as, named, specificJob(false)})
	}
	return list
}

// times are services and gaps with ties, zeros and some long ones; small whole
// numbers often, so that sums are exact and ties real.
func times(rng *rand.Rand) (service, gap float64) {
	if rng.IntN(2) == 0 {
		return float64(rng.IntN(6)), float64(rng.IntN(3))
	}
	return rng.ExpFloat64() * math.Pow(10, float64(rng.IntN(2))), 2 * rng.ExpFloat64()
}

func typedJob(rng *rand.Rand) (j request) {
	j.service, j.gap = times(rng)
	for _, s := range units {
		need := 0
		if rng.IntN(3) > 0 {
			need = rng.IntN(s + 1)
		}
		j.needs = append(j.needs, int32(need))
	}
	j.needs[rng.IntN(len(units))] += int32(1)
	for k, s := range units {
		j.needs[k] = min(j.needs[k], int32(s))
	}
	return j
}

func specificJob(any bool) func(rng *rand.Rand) request {
	return func(rng *rand.Rand) (j request) {
		j.service, j.gap = times(rng)
		if any {
			j.others = int32(rng.IntN(4))
		}
		n := rng.IntN(specific - int(j.others))
		if j.others == 0 {
			n++
		}
		for _, i := range rng.Perm(specific)[:n] {
			j.given = append(j.given, int32(i))
		}
		return j
	}
}

// below reports whether no coordinate of a exceeds that of b.
func below(a, b []float64) bool {
	for i := range a {
		if a[i] > b[i]+1e-9*(1+b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestMonotone is Lemma 4.1 and its analogues for equations (14) and (15): a
// system that has met more jobs before stays above one that has not, coordinate
// by coordinate.
func TestMonotone(t *testing.T) {
	for _, k := range kinds() {
		for seed := range uint64(60) {
			rng := rand.New(rand.NewPCG(seed, 1))
			low, high, now := k.make(), k.make(), 0.0
			for range 1 + rng.IntN(8) {
				j := k.jobs(rng)
				high.arrive(now, j)
				now += j.gap / 4
			}
			for n := range 150 {
				j := k.jobs(rng)
				a, b := low.vector(now), high.vector(now)
				if !below(a, b) {
					t.Fatalf("%s seed %d job %d: %v after less work is not below %v", k.name, seed, n, a, b)
				}
				if s1, s2 := low.arrive(now, j), high.arrive(now, j); s1 > s2+1e-9*(1+s2) {
					t.Fatalf("%s seed %d job %d: starts at %v after less work, at %v after more", k.name, seed, n, s1, s2)
				}
				now += j.gap
			}
		}
	}
}

// TestNamedWithOthersIsNotMonotone is the counterexample of the comment on
// Named: a server that is free a little later makes another job start earlier.
func TestNamedWithOthersIsNotMonotone(t *testing.T) {
	waits := func(first float64) float64 {
		n := NewNamed(2)
		n.AsPrinted = true
		n.Step(0, []int32{0}, 0, first) // server 1 is busy for first
		n.Step(0, []int32{1}, 0, 1)     // server 2 for 1
		n.Step(0, nil, 1, 10)           // any server, long
		start, _ := n.Probe(0, []int32{0}, 0)
		return start
	}
	if less, more := waits(0), waits(2); less != 10 || more != 2 {
		t.Errorf("a job for server 1 waits %v and %v, by hand 10 and 2", less, more)
	}
}

// TestExternalMonotonicity delays arrivals: nothing ends sooner.
func TestExternalMonotonicity(t *testing.T) {
	for _, k := range kinds() {
		for seed := range uint64(60) {
			rng := rand.New(rand.NewPCG(seed, 2))
			early, late := k.make(), k.make()
			at, later := 0.0, 0.0
			for n := range 100 {
				j := k.jobs(rng)
				early.arrive(at, j)
				later = max(later, at+rng.Float64()*4)
				late.arrive(later, j)
				if early.top() > late.top()+1e-9*(1+late.top()) {
					t.Fatalf("%s seed %d job %d: all ends at %v, with later arrivals at %v", k.name, seed, n, early.top(), late.top())
				}
				at += j.gap
			}
		}
	}
}

// TestSeparable: a job that arrives when all has ended finds an empty system.
func TestSeparable(t *testing.T) {
	for _, k := range kinds() {
		rng := rand.New(rand.NewPCG(5, 3))
		long, now := k.make(), 0.0
		for range 50 {
			for range 20 {
				j := k.jobs(rng)
				long.arrive(now, j)
				now += j.gap / 8
			}
			now = max(now, long.top())
			fresh := k.make()
			if w := long.work(now); w != 0 {
				t.Fatalf("%s: work %v is left when all has ended", k.name, w)
			}
			for range 20 {
				j := k.jobs(rng)
				s1, s2 := long.arrive(now, j), fresh.arrive(now, j)
				if s1 != s2 || !slices.Equal(long.vector(now), fresh.vector(now)) {
					t.Fatalf("%s: after an end of all work a job starts at %v, in an empty system at %v", k.name, s1, s2)
				}
				now += j.gap / 8
			}
		}
	}
}

// TestShiftChangesNothing moves the origin of time now and then.
func TestShiftChangesNothing(t *testing.T) {
	for _, k := range kinds() {
		rng := rand.New(rand.NewPCG(8, 4))
		still, moved := k.make(), k.make()
		now, origin := 0.0, 0.0
		for n := range 2000 {
			j := k.jobs(rng)
			s1, s2 := still.arrive(now, j), moved.arrive(now-origin, j)+origin
			if math.Abs(s1-s2) > 1e-9*(1+s1) || math.Abs(still.work(now)-moved.work(now-origin)) > 1e-8*(1+s1) {
				t.Fatalf("%s job %d: starts at %v, with another origin at %v", k.name, n, s1, s2)
			}
			if a, b := still.top(), moved.top()+origin; math.Abs(a-b) > 1e-9*(1+a) {
				t.Fatalf("%s job %d: all ends at %v, with another origin at %v", k.name, n, a, b)
			}
			now += j.gap
			if n%31 == 0 {
				moved.shift(now - origin)
				origin = now
			}
		}
	}
}

// TestFront piles jobs up: no job starts before the front, which is the last
// start or, as printed, the least coordinate, and with types no later than the
// last start.
func TestFront(t *testing.T) {
	for _, k := range kinds() {
		rng := rand.New(rand.NewPCG(9, 1))
		q := k.make()
		ahead := q.(interface{ Front() float64 }).Front
		last := 0.0
		for n := range 300 {
			before := ahead()
			start := q.arrive(0, k.jobs(rng))
			want := start
			if strings.HasSuffix(k.name, "printed=true") {
				last = max(last, start)
				want = slices.Min(q.vector(0))
				if strings.HasPrefix(k.name, "typed") {
					want = min(want, last)
				}
			}
			if got := ahead(); got != want || start < before {
				t.Fatalf("%s job %d starts at %v with the front at %v, then at %v instead of %v", k.name, n, start, before, got, want)
			}
		}
		if ahead() == 0 {
			t.Errorf("%s: the front has not moved", k.name)
		}
	}
}

// TestHeights: the mean coordinate of each type, from the vector itself.
func TestHeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	y := NewTyped(units)
	for range 40 {
		j := typedJob(rng)
		y.Step(0, j.needs, j.service, make([]float64, len(units)))
	}
	for k, got := range y.Heights(nil) {
		sum := 0.0
		for _, w := range y.Coordinates(nil, k, 0) {
			sum += w
		}
		if want := sum / float64(units[k]); !near(got, want) || want == 0 {
			t.Errorf("type %d is %v high, its vector says %v", k, got, want)
		}
	}
}

package recurrence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// equation15 is equation (15) word for word: vectors are lists of numbers, sorted
// and cut at 0 every time. strict lifts every coordinate, as equation (2) does.
type equation15 struct {
	w      [][]float64
	strict bool
}

func (e *equation15) arrive(j request) (wait float64, waste []float64) {
	for k, need := range j.needs {
		if need > 0 {
			wait = max(wait, e.w[k][need-1])
		}
	}
	for k, need := range j.needs {
		sum := 0.0
		for i := range e.w[k] {
			taken := i < int(need)
			if taken || e.strict {
				sum += max(0, wait-e.w[k][i])
				e.w[k][i] = max(wait, e.w[k][i])
			}
			if taken {
				e.w[k][i] = wait + j.service
			}
			e.w[k][i] = max(0, e.w[k][i]-j.gap)
		}
		slices.Sort(e.w[k])
		waste = append(waste, sum)
	}
	return wait, waste
}

// equation14 is equation (14) word for word, over positions if sorted.
type equation14 struct {
	w              []float64
	strict, sorted bool
}

func (e *equation14) arrive(j request) (wait, waste float64) {
	taken := make([]bool, len(e.w))
	for _, i := range j.given {
		taken[i] = true
		wait = max(wait, e.w[i])
	}
	for range j.others { // the least of what is left, the first of equals
		best := -1
		for i := range e.w {
			if !taken[i] && (best < 0 || e.w[i] < e.w[best]) {
				best = i
			}
		}
		taken[best] = true
		wait = max(wait, e.w[best])
	}
	for i := range e.w {
		if taken[i] || e.strict {
			waste += max(0, wait-e.w[i])
			e.w[i] = max(wait, e.w[i])
		}
		if taken[i] {
			e.w[i] = wait + j.service
		}
		e.w[i] = max(0, e.w[i]-j.gap)
	}
	if e.sorted {
		slices.Sort(e.w)
	}
	return wait, waste
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-8*(1+math.Abs(a)+math.Abs(b)) }

func nearAll(a, b []float64) bool { return slices.EqualFunc(a, b, near) }

func TestTypedFollowsTheEquation(t *testing.T) {
	for _, strict := range []bool{true, false} {
		for seed := range uint64(30) {
			rng := rand.New(rand.NewPCG(seed, 5))
			want := equation15{strict: strict}
			for _, s := range units {
				want.w = append(want.w, make([]float64, s))
			}
			got, now := NewTyped(units), 0.0
			got.AsPrinted = !strict
			for n := range 300 {
				j := typedJob(rng)
				probed, waste := make([]float64, len(units)), make([]float64, len(units))
				seen := got.Probe(now, j.needs, probed)
				start := got.Step(now, j.needs, j.service, waste)
				wait, idle := want.arrive(j)
				if !near(start-now, wait) || !nearAll(waste, idle) || seen != start || !nearAll(probed, waste) {
					t.Fatalf("strict=%v seed %d job %d %v: wait %v waste %v (probe %v, %v), the equation says %v and %v",
						strict, seed, n, j.needs, start-now, waste, seen-now, probed, wait, idle)
				}
				now += j.gap
				for k := range units {
					if v := got.Coordinates(nil, k, now); !nearAll(v, want.w[k]) {
						t.Fatalf("strict=%v seed %d job %d type %d: %v, the equation says %v", strict, seed, n, k, v, want.w[k])
					}
				}
			}
		}
	}
}

func TestSpecificFollowsTheEquation(t *testing.T) {
	for _, strict := range []bool{true, false} {
		for _, sorted := range []bool{true, false} {
			for seed := range uint64(30) {
				rng := rand.New(rand.NewPCG(seed, 6))
				want := equation14{w: make([]float64, specific), strict: strict, sorted: sorted}
				n, p := NewNamed(specific), NewPositions(specific)
				n.AsPrinted, p.AsPrinted = !strict, !strict
				var got queue = namedQueue{n}
				step, probe := n.Step, n.Probe
				if sorted {
					got, step, probe = positionsQueue{p}, p.Step, p.Probe
				}
				jobs, now := specificJob(true), 0.0
				for i := range 300 {
					j := jobs(rng)
					seen, probed := probe(now, j.given, j.others)
					start, waste := step(now, j.given, j.others, j.service)
					wait, idle := want.arrive(j)
					if !near(start-now, wait) || !near(waste, idle) || seen != start || !near(probed, waste) {
						t.Fatalf("strict=%v sorted=%v seed %d job %d %v+%d: wait %v waste %v (probe %v, %v), the equation says %v and %v",
							strict, sorted, seed, i, j.given, j.others, start-now, waste, seen-now, probed, wait, idle)
					}
					now += j.gap
					if v := got.vector(now); !nearAll(v, want.w) {
						t.Fatalf("strict=%v sorted=%v seed %d job %d: %v, the equation says %v", strict, sorted, seed, i, v, want.w)
					}
				}
			}
		}
	}
}

// TestOneTypeIsThePlainQueue: with one type, or no specific servers, waits and
// waste are those of Runs job by job; the printed recursions differ from it,
// since they do not lift, only in what a vector shows below the last start.
func TestOneTypeIsThePlainQueue(t *testing.T) {
	const s = 11
	rng := rand.New(rand.NewPCG(3, 7))
	plain, typed, named, positions := NewRuns(s), NewTyped([]int{s}), NewNamed(s), NewPositions(s)
	now := 0.0
	for n := range 5000 {
		service, gap := times(rng)
		need := int32(1 + rng.IntN(s))
		start, waste := plain.Step(now, need, service)
		idle := []float64{0}
		s1 := typed.Step(now, []int32{need}, service, idle)
		s2, w2 := named.Step(now, nil, need, service)
		s3, w3 := positions.Step(now, nil, need, service)
		if !near(start, s1) || !near(start, s2) || !near(start, s3) || !near(waste, idle[0]) || !near(waste, w2) || !near(waste, w3) {
			t.Fatalf("job %d starts at %v with waste %v; typed %v %v, named %v %v, positions %v %v", n, start, waste, s1, idle[0], s2, w2, s3, w3)
		}
		now += gap
	}
}

// TestPositionsHaveTheLawOfNames: over all sets of random servers, starts and
// ordered vectors after one job are the same, each as often.
func TestPositionsHaveTheLawOfNames(t *testing.T) {
	const s, drawn, others = 6, 2, 2
	for _, strict := range []bool{true, false} {
		rng := rand.New(rand.NewPCG(4, 8))
		for range 20 {
			w := make([]float64, s)
			for i := range w {
				w[i] = float64(rng.IntN(5))
			}
			outcomes := func(w []float64, sorted bool) (all [][]float64) {
				for a := range s {
					for b := range a {
						e := equation14{w: slices.Clone(w), strict: strict, sorted: sorted}
						wait, waste := e.arrive(request{given: []int32{int32(b), int32(a)}, others: others, service: 3.5})
						slices.Sort(e.w)
						all = append(all, append(e.w, wait, waste))
					}
				}
				slices.SortFunc(all, slices.Compare)
				return all
			}
			ordered := slices.Sorted(slices.Values(w))
			if a, b := outcomes(w, false), outcomes(ordered, true); !slices.EqualFunc(a, b, slices.Equal) {
				t.Fatalf("strict=%v vector %v: servers give %v, positions %v", strict, w, a, b)
			}
		}
	}
}

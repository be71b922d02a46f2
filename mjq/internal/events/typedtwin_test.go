package events

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/policy"
)

// typedTwin is a simulator of types of resources, written as the definitions stand and
// with no regard for cost.
type typedTwin struct {
	units, free []int
	now         float64
	jobs        []twinJob
	needs       [][]int // by job
	queue       []int   // waiting, in order of arrival
	running     []int
	swap        bool
	pass        func(t *typedTwin)
}

func newTypedTwin(types *compiled.Types, log []Logged, pass func(t *typedTwin)) *typedTwin {
	t := &typedTwin{units: types.Units, free: slices.Clone(types.Units), pass: pass}
	for _, j := range log {
		t.jobs = append(t.jobs, twinJob{Logged: j, left: j.Service, start: math.NaN()})
		t.needs = append(t.needs, types.Needs[j.Class])
	}
	return t
}

func (t *typedTwin) run() {
	for next := 0; next < len(t.jobs) || len(t.running) > 0; {
		t.now = math.Inf(1)
		if next < len(t.jobs) {
			t.now = t.jobs[next].Arrival
		}
		for _, i := range t.running {
			t.now = min(t.now, t.jobs[i].end)
		}
		for again := true; again; {
			t.running = slices.DeleteFunc(t.running, func(i int) bool {
				done := t.jobs[i].end <= t.now
				if done {
					moveUnits(t.free, t.needs[i], 1)
				}
				return done
			})
			for ; next < len(t.jobs) && t.jobs[next].Arrival == t.now; next++ {
				t.queue = append(t.queue, next)
			}
			t.pass(t)
			again = slices.ContainsFunc(t.running, func(i int) bool { return t.jobs[i].end == t.now })
		}
	}
}

func moveUnits(to, need []int, times int) {
	for k, n := range need {
		to[k] += times * n
	}
}

func fitsIn(need, free []int) bool {
	for k, n := range need {
		if n > free[k] {
			return false
		}
	}
	return true
}

func (t *typedTwin) fits(i int) bool { return fitsIn(t.needs[i], t.free) }

func (t *typedTwin) start(i int) {
	j := &t.jobs[i]
	if math.IsNaN(j.start) {
		j.start = t.now
	}
	j.end = t.now + j.left
	moveUnits(t.free, t.needs[i], -1)
	t.queue = slices.DeleteFunc(t.queue, func(k int) bool { return k == i })
	t.running = append(t.running, i)
}

func (t *typedTwin) serve(chosen []int) {
	for _, i := range slices.Clone(t.running) {
		if !slices.Contains(chosen, i) {
			t.jobs[i].left = t.jobs[i].end - t.now
			t.jobs[i].preemptions++
			moveUnits(t.free, t.needs[i], 1)
			t.running = slices.DeleteFunc(t.running, func(k int) bool { return k == i })
			t.queue = append(t.queue, i)
		}
	}
	slices.Sort(t.queue)
	for _, i := range chosen {
		if slices.Contains(t.queue, i) {
			t.start(i)
		}
	}
}

func (t *typedTwin) all() []int {
	all := slices.Concat(t.queue, t.running)
	slices.Sort(all)
	return all
}

// size compares jobs by their shares, the largest first, and then by type.
func (t *typedTwin) size(a, b int) int {
	of := func(i int) (list []float64) {
		for k, n := range t.needs[i] {
			list = append(list, -float64(n)/float64(t.units[k]))
		}
		slices.Sort(list)
		return list
	}
	if c := slices.Compare(of(b), of(a)); c != 0 { // negative shares
		return c
	}
	return slices.Compare(t.needs[a], t.needs[b])
}

func (t *typedTwin) sorted(list []int, sign int) []int {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b int) int { return sign * t.size(a, b) })
	return list
}

// takeFits takes in the given order every job that fits.
func (t *typedTwin) takeFits(order []int) (chosen []int) {
	free := slices.Clone(t.units)
	for _, i := range order {
		if fitsIn(t.needs[i], free) {
			moveUnits(free, t.needs[i], -1)
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func typedTwinWindow(w int) func(t *typedTwin) {
	return func(t *typedTwin) {
		for {
			best := -1
			for _, i := range t.queue[:min(w, len(t.queue))] {
				if t.fits(i) && (best < 0 || t.size(i, best) > 0) {
					best = i
				}
			}
			if best < 0 {
				return
			}
			t.start(best)
		}
	}
}

func typedTwinLeast(t *typedTwin) {
	for len(t.queue) > 0 {
		i := t.sorted(t.queue, 1)[0]
		if !t.fits(i) {
			return
		}
		t.start(i)
	}
}

func typedTwinAdaptive(t *typedTwin) {
	if t.swap {
		i := t.sorted(t.queue, -1)[0]
		if !t.fits(i) {
			return
		}
		t.start(i)
		t.swap = false
	}
	typedTwinWindow(math.MaxInt)(t)
	for _, i := range t.queue {
		if slices.ContainsFunc(t.running, func(k int) bool { return slices.Equal(t.needs[i], t.needs[k]) }) {
			return
		}
	}
	t.swap = len(t.queue) > 0
}

// typedBooking holds what a job needs for a stretch of time.
type typedBooking struct {
	from, to float64
	need     []int
}

func typedTwinBackfill(depth int) func(t *typedTwin) {
	return func(t *typedTwin) {
		for depth < math.MaxInt && len(t.queue) > 0 && t.fits(t.queue[0]) {
			t.start(t.queue[0])
		}
		var plan []typedBooking
		for _, i := range t.running {
			plan = append(plan, typedBooking{t.now, max(t.now, t.jobs[i].start+t.jobs[i].Estimate), t.needs[i]})
		}
		book := func(from float64, i int) {
			plan = append(plan, typedBooking{from, max(from+t.jobs[i].Estimate, math.Nextafter(from, math.Inf(1))), t.needs[i]})
		}
		made := 0
		for _, i := range slices.Clone(t.queue) {
			if made == depth && t.jobs[i].Estimate == 0 { // it delays no reservation
				if t.fits(i) {
					t.start(i)
				}
				continue
			}
			if when := t.earliest(plan, i); when == t.now && t.fits(i) {
				t.start(i)
				book(t.now, i)
			} else if made < depth {
				made++
				book(when, i)
			}
		}
	}
}

// earliest tries now and every time at which the plan frees something.
func (t *typedTwin) earliest(plan []typedBooking, i int) float64 {
	free := func(at float64) []int {
		left := slices.Clone(t.units)
		for _, b := range plan {
			if b.from <= at && at < b.to {
				moveUnits(left, b.need, -1)
			}
		}
		return left
	}
	times := []float64{t.now}
	for _, b := range plan {
		times = append(times, b.to)
	}
	slices.Sort(times)
	for _, from := range times {
		fits := fitsIn(t.needs[i], free(from))
		for _, b := range plan {
			if b.from > from && b.from < from+t.jobs[i].Estimate {
				fits = fits && fitsIn(t.needs[i], free(b.from))
			}
		}
		if fits {
			return from
		}
	}
	panic("never")
}

// typedTwinMaxWeight tries all numbers of all needs.
func typedTwinMaxWeight(t *typedTwin) {
	all := t.all()
	count := func(i int) (n int) {
		for _, k := range all {
			if slices.Equal(t.needs[i], t.needs[k]) {
				n++
			}
		}
		return n
	}
	kinds := slices.CompactFunc(t.sorted(all, -1), func(a, b int) bool { return slices.Equal(t.needs[a], t.needs[b]) })
	free := slices.Clone(t.units)
	var best, now []int // weight, busy units, and jobs from the largest kind down
	var try func(k, weight, busy int)
	try = func(k, weight, busy int) {
		if k == len(kinds) {
			if x := append([]int{weight, busy}, now...); slices.Compare(x, best) > 0 {
				best = x
			}
			return
		}
		need, total := t.needs[kinds[k]], 0
		for _, n := range need {
			total += n
		}
		jobs, n := count(kinds[k]), 0
		for ; n <= jobs; n++ {
			if n > 0 {
				if !fitsIn(need, free) {
					break
				}
				moveUnits(free, need, -1)
			}
			now = append(now, n)
			try(k+1, weight+n*jobs, busy+n*total)
			now = now[:len(now)-1]
		}
		moveUnits(free, need, n-1)
	}
	try(0, 0, 0)
	var chosen []int
	for k, kind := range kinds {
		left := best[2+k]
		for _, i := range all {
			if slices.Equal(t.needs[i], t.needs[kind]) && left > 0 {
				chosen = append(chosen, i)
				left--
			}
		}
	}
	t.serve(chosen)
}

// typedTwins are the policies that know types of resources, and their definitions.
func typedTwins() []typedPair {
	given := policy.Given()
	return []typedPair{
		{policy.FCFS{}, typedTwinWindow(1)},
		{policy.Window{Jobs: 3}, typedTwinWindow(3)},
		{policy.FirstFit{}, func(t *typedTwin) {
			for _, i := range slices.Clone(t.queue) {
				if t.fits(i) {
					t.start(i)
				}
			}
		}},
		{policy.EASY().Estimates(given), typedTwinBackfill(1)},
		{policy.Backfill{Depth: 3, By: given}, typedTwinBackfill(3)},
		{policy.Conservative().Estimates(given), typedTwinBackfill(math.MaxInt)},
		{policy.MostServersFirst{}, typedTwinWindow(math.MaxInt)},
		{policy.LeastServersFirst{}, typedTwinLeast},
		{policy.AdaptiveQuickswap{}, typedTwinAdaptive},
		{policy.PreemptiveFirstFit{}, func(t *typedTwin) { t.serve(t.takeFits(t.all())) }},
		{policy.PreemptiveMostServersFirst{}, func(t *typedTwin) { t.serve(t.takeFits(t.sorted(t.all(), -1))) }},
		{policy.PreemptiveLeastServersFirst{}, func(t *typedTwin) { t.serve(t.takeFits(t.sorted(t.all(), 1))) }},
		{policy.MaxWeight{}, typedTwinMaxWeight},
	}
}

type typedPair struct {
	policy.Policy
	pass func(t *typedTwin)
}

// randomTypes are two or three types and needs of up to five classes.
func randomTypes(rng *rand.Rand) *compiled.Types {
	t := &compiled.Types{Units: make([]int, 2+rng.IntN(2))}
	for k := range t.Units {
		t.Units[k] = 1 + rng.IntN(6)
	}
	for range 1 + rng.IntN(5) {
		need := make([]int, len(t.Units))
		for totalOf(need) == 0 {
			for k, n := range t.Units {
				need[k] = rng.IntN(n + 1)
			}
		}
		t.Needs = append(t.Needs, need)
	}
	return t
}

func totalOf(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

// typedLog is a random log of the classes.
func typedLog(rng *rand.Rand, types *compiled.Types, jobs int) []Logged {
	log := randomLog(rng, 5, jobs, false)
	for i := range log {
		log[i].Class = rng.IntN(len(types.Needs))
		log[i].Need = totalOf(types.Needs[log[i].Class])
	}
	return log
}

// typedRun runs a log and returns its records by number.
func typedRun(s *Simulator, log []Logged) []Record {
	var all []Record
	s.Recorded = func(r *Record) { all = append(all, *r) }
	s.ResetTo(Log(log), 0)
	s.Until(int64(len(log)))
	slices.SortFunc(all, func(a, b Record) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// TestTypedTwins compares all policies that know types of resources with their
// definitions on random logs.
func TestTypedTwins(t *testing.T) {
	for seed := range uint64(50) {
		for _, p := range typedTwins() {
			rng := rand.New(rand.NewPCG(seed, 9))
			types := randomTypes(rng)
			log := typedLog(rng, types, 1+rng.IntN(120))
			twin := newTypedTwin(types, log, p.pass)
			twin.run()
			got := typedRun(New(compiled.System{Types: types, Policy: p.Policy}), log)
			if len(got) != len(log) {
				t.Fatalf("seed %d, %s: %d of %d jobs are recorded", seed, p, len(got), len(log))
			}
			for i, r := range got {
				if j := &twin.jobs[i]; r.Start != j.start || r.End != j.end || r.Preemptions != j.preemptions {
					t.Fatalf("seed %d, %s of %v, job %d: from %v to %v with %d preemptions, by definition from %v to %v with %d",
						seed, p, types, i, r.Start, r.End, r.Preemptions, j.start, j.end, j.preemptions)
				}
			}
		}
	}
}

// TestOneType: resources of one type are servers, to the last bit.
func TestOneType(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 10))
		servers := 1 + rng.IntN(8)
		log := randomLog(rng, servers, 150, false)
		types := &compiled.Types{Units: []int{servers}}
		for _, j := range log {
			for len(types.Needs) <= j.Class {
				types.Needs = append(types.Needs, []int{1})
			}
			types.Needs[j.Class][0] = j.Need
		}
		for _, p := range typedTwins() {
			want, got := typedRun(New(compiled.System{Servers: servers, Policy: p.Policy, Needs: needsOf(log)}), log), typedRun(New(compiled.System{Types: types, Policy: p.Policy}), log)
			if !slices.Equal(want, got) {
				t.Errorf("seed %d: %s of one type of resource is not that of servers", seed, p)
			}
		}
	}
}

// TestTypedRecurrence holds first come first served against the recurrence of the workload.
func TestTypedRecurrence(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 11))
		types := randomTypes(rng)
		log := typedLog(rng, types, 200)
		x, waste := recurrence.NewTyped(types.Units), make([]float64, len(types.Units))
		for i, r := range typedRun(New(compiled.System{Types: types, Policy: policy.FCFS{}}), log) {
			var need []int32
			for _, n := range types.Needs[log[i].Class] {
				need = append(need, int32(n))
			}
			if start := x.Step(log[i].Arrival, need, log[i].Service, waste); math.Abs(start-r.Start) > 1e-9 {
				t.Fatalf("seed %d, job %d: starts at %v, by the recurrence at %v", seed, i, r.Start, start)
			}
		}
	}
}

// TestTypesRefused: policies that do not carry over say why.
func TestTypesRefused(t *testing.T) {
	system := func(units ...int) policy.System {
		return policy.System{Servers: totalOf(units), Units: units, Classes: []policy.Class{{Name: "a", Need: 1, Units: []int{1, 0}}, {Name: "b", Need: 3, Units: []int{2, 1}}}}
	}
	for _, p := range []policy.Policy{policy.ServerFilling{}, policy.Quickswap{}, policy.ArmedQuickswap{}, policy.ServerFillingSRPT{}, policy.FirstFitSRPT{},
		policy.NewTable("table", true, 3, []int{1}, nil), policy.Window{}, policy.Backfill{Depth: -7}} {
		if err := policy.Validate(p, system(4, 2)); err == nil {
			t.Errorf("%s is not refused", p)
		} else if fmt.Sprint(err) == "" {
			t.Errorf("%s says nothing", p)
		}
	}
	if err := policy.Validate(policy.MaxWeight{}, system(4000, 4000)); err == nil {
		t.Error("MaxWeight takes any number of combinations")
	}
	for _, p := range typedTwins() {
		if err := policy.Validate(p.Policy, system(4, 2)); err != nil {
			t.Error(err)
		}
	}
}

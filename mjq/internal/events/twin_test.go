package events

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
)

// twin is a second simulator, written as the definitions stand and with no regard for
// cost: plain lists, gone through from the start at every pass.
type twin struct {
	servers, free int
	now           float64
	jobs          []twinJob
	queue         []int // waiting, in order of arrival
	running       []int
	mode          string
	smallLeft     bool
	pass          func(t *twin)
	stopped       func(j *twinJob, i int) (leaves bool) // nil: it resumes
	exempt, last  float64                               // since a start; the last event
}

type twinJob struct {
	Logged
	left, end   float64
	start       float64 // NaN before
	from        float64 // the last start
	ran         float64 // in all
	preemptions int
}

// newTwin is a system before the first arrival.
func newTwin(servers int, log []Logged, pass func(t *twin)) *twin {
	t := &twin{servers: servers, free: servers, mode: "open", pass: pass}
	for _, j := range log {
		t.jobs = append(t.jobs, twinJob{Logged: j, left: j.Service, start: math.NaN()})
	}
	return t
}

func (t *twin) run() {
	for next := 0; next < len(t.jobs) || len(t.running) > 0; {
		t.now = math.Inf(1)
		if next < len(t.jobs) {
			t.now = t.jobs[next].Arrival
		}
		before := t.last
		for _, i := range t.running {
			t.now = min(t.now, t.jobs[i].end)
			if until := t.jobs[i].from + t.exempt; until > before {
				t.now = min(t.now, until)
			}
		}
		t.last = t.now
		for again := true; again; {
			again = false
			t.complete()
			for ; next < len(t.jobs) && t.jobs[next].Arrival == t.now; next++ {
				t.queue = append(t.queue, next)
			}
			t.pass(t)
			for _, i := range t.running {
				again = again || t.jobs[i].end == t.now
			}
			t.smallLeft = false
		}
	}
}

// complete ends the services that end now.
func (t *twin) complete() {
	t.running = slices.DeleteFunc(t.running, func(i int) bool {
		if t.jobs[i].end > t.now {
			return false
		}
		t.jobs[i].ran += t.now - t.jobs[i].from
		t.free += t.jobs[i].Need
		t.smallLeft = t.smallLeft || t.jobs[i].Need < t.servers
		return true
	})
}

func (t *twin) start(i int) {
	j := &t.jobs[i]
	if math.IsNaN(j.start) {
		j.start = t.now
	}
	j.from, j.end = t.now, t.now+j.left
	t.free -= j.Need
	t.queue = slices.DeleteFunc(t.queue, func(k int) bool { return k == i })
	t.running = append(t.running, i)
}

// serve has exactly these jobs run.
func (t *twin) serve(chosen []int) {
	for _, i := range slices.Clone(t.running) {
		if !slices.Contains(chosen, i) {
			j := &t.jobs[i]
			j.left = j.end - t.now
			j.ran += t.now - j.from
			j.preemptions++
			t.free += j.Need
			t.running = slices.DeleteFunc(t.running, func(k int) bool { return k == i })
			if t.stopped != nil && t.stopped(j, i) {
				j.end = t.now
				continue
			}
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

// all are the jobs in the system in order of arrival.
func (t *twin) all() []int {
	all := slices.Concat(t.queue, t.running)
	slices.Sort(all)
	return all
}

func (t *twin) need(i int) int { return t.jobs[i].Need }

// count is how many of these have a need.
func (t *twin) count(list []int, need int) (n int) {
	for _, i := range list {
		if t.need(i) == need {
			n++
		}
	}
	return n
}

// takeFits takes in the given order every job that fits.
func (t *twin) takeFits(order []int) (chosen []int) {
	free := t.servers
	for _, i := range order {
		if t.need(i) <= free {
			free -= t.need(i)
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func (t *twin) byNeed(list []int, sign int) []int {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b int) int { return sign * (t.need(a) - t.need(b)) })
	return list
}

// byWork sorts by remaining service times need, ties by arrival.
func (t *twin) byWork() []int {
	work := func(i int) float64 {
		if slices.Contains(t.running, i) {
			return (t.jobs[i].end - t.now) * float64(t.need(i))
		}
		return t.jobs[i].left * float64(t.need(i))
	}
	list := t.all()
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(work(a), work(b)) })
	return list
}

// front is the shortest prefix that needs all servers.
func (t *twin) front(order []int) []int {
	total := 0
	for n, i := range order {
		if total += t.need(i); total >= t.servers {
			return order[:n+1]
		}
	}
	return order
}

func twinWindow(w int) func(t *twin) {
	return func(t *twin) {
		for {
			best := -1
			for _, i := range t.queue[:min(w, len(t.queue))] {
				if t.need(i) <= t.free && (best < 0 || t.need(i) > t.need(best)) {
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

func twinFirstFit(t *twin) {
	for _, i := range slices.Clone(t.queue) {
		if t.need(i) <= t.free {
			t.start(i)
		}
	}
}

func twinLeast(t *twin) {
	for len(t.queue) > 0 {
		i := t.byNeed(t.queue, 1)[0]
		if t.need(i) > t.free {
			return
		}
		t.start(i)
	}
}

// firstOf is the first of the queue with a need; -1 without one.
func (t *twin) firstOf(big bool) int {
	return slices.IndexFunc(t.queue, func(i int) bool { return (t.need(i) == t.servers) == big })
}

func (t *twin) startSmall() {
	for at := t.firstOf(false); at >= 0 && t.free > 0; at = t.firstOf(false) {
		t.start(t.queue[at])
	}
}

func twinQuickswap(threshold int, arms bool) func(t *twin) {
	return func(t *twin) {
		bigRuns := t.count(t.running, t.servers) > 0
		small := func() int { return len(t.running) }
		big := t.firstOf(true)
		switch {
		case bigRuns:
		case big >= 0 && small() == 0:
			t.start(t.queue[big])
			if t.mode == "drain" || !arms {
				t.mode = "open"
			}
		case t.mode == "drain":
		case arms:
			if t.mode == "armed" && big >= 0 {
				t.mode = "drain"
				return
			}
			t.startSmall()
			if t.mode == "open" && t.smallLeft && small() <= threshold {
				t.mode = "armed"
			}
			if t.mode == "armed" && big >= 0 {
				t.mode = "drain"
			}
		default:
			t.startSmall()
			if big >= 0 && small() <= threshold {
				t.mode = "drain"
			}
		}
	}
}

func twinAdaptive(t *twin) {
	if t.mode == "switch" {
		i := t.byNeed(t.queue, -1)[0]
		if t.need(i) > t.free {
			return
		}
		t.start(i)
		t.mode = "open"
	}
	twinWindow(math.MaxInt)(t)
	runningWaits, otherWaits := false, false
	for _, i := range t.queue {
		if t.count(t.running, t.need(i)) > 0 {
			runningWaits = true
		} else {
			otherWaits = true
		}
	}
	if !runningWaits && otherWaits {
		t.mode = "switch"
	}
}

// twinEASY is EASY backfilling in its own words.
func twinEASY(t *twin) {
	for len(t.queue) > 0 && t.need(t.queue[0]) <= t.free {
		t.start(t.queue[0])
	}
	if len(t.queue) == 0 {
		return
	}
	head := t.queue[0]
	ends := map[float64]int{}
	times := []float64{}
	for _, i := range t.running {
		end := max(t.now, t.estimatedEnd(i))
		ends[end] += t.need(i)
		times = append(times, end)
	}
	slices.Sort(times)
	shadow, free := 0.0, t.free
	for _, end := range slices.Compact(times) {
		if free += ends[end]; free >= t.need(head) {
			shadow = end
			break
		}
	}
	extra := free - t.need(head)
	for _, i := range slices.Clone(t.queue[1:]) {
		switch n := t.need(i); {
		case n > t.free:
		case t.now+t.jobs[i].Estimate <= shadow:
			t.start(i)
		case n <= extra:
			extra -= n
			t.start(i)
		}
	}
}

// estimatedEnd is when a running job that was never stopped was thought to end.
func (t *twin) estimatedEnd(i int) float64 { return t.jobs[i].start + t.jobs[i].Estimate }

// booking holds servers for a stretch of time.
type booking struct {
	from, to float64
	servers  int
}

// twinBackfill is backfilling with a given number of reservations.
func twinBackfill(depth int) func(t *twin) {
	return func(t *twin) {
		for depth < math.MaxInt && len(t.queue) > 0 && t.need(t.queue[0]) <= t.free {
			t.start(t.queue[0])
		}
		var plan []booking
		for _, i := range t.running {
			plan = append(plan, booking{t.now, max(t.now, t.estimatedEnd(i)), t.need(i)})
		}
		made := 0
		for _, i := range slices.Clone(t.queue) {
			when := t.earliest(plan, i)
			if made == depth && t.jobs[i].Estimate == 0 { // it delays no reservation
				if t.need(i) <= t.free {
					t.start(i)
				}
				continue
			}
			if when == t.now && t.need(i) <= t.free {
				t.start(i)
				plan = append(plan, t.book(t.now, i))
			} else if made < depth {
				made++
				plan = append(plan, t.book(when, i))
			}
		}
	}
}

// book is a booking for the estimate of a job, or for the shortest time there is.
func (t *twin) book(from float64, i int) booking {
	return booking{from, max(from+t.jobs[i].Estimate, math.Nextafter(from, math.Inf(1))), t.need(i)}
}

// earliest tries now and every time at which the plan frees servers.
func (t *twin) earliest(plan []booking, i int) float64 {
	times := []float64{t.now}
	for _, b := range plan {
		times = append(times, b.to)
	}
	slices.Sort(times)
	for _, from := range times {
		to := from + t.jobs[i].Estimate
		fits := t.planned(plan, from)+t.need(i) <= t.servers
		for _, b := range plan { // the plan gets fuller only where a booking begins
			if b.from > from && b.from < to {
				fits = fits && t.planned(plan, b.from)+t.need(i) <= t.servers
			}
		}
		if fits {
			return from
		}
	}
	panic("never")
}

// planned is how many servers are booked at a time.
func (t *twin) planned(plan []booking, at float64) (n int) {
	for _, b := range plan {
		if b.from <= at && at < b.to {
			n += b.servers
		}
	}
	return n
}

// twinMaxWeight tries all numbers of all needs.
func twinMaxWeight(t *twin) {
	all := t.all()
	var needs []int
	for _, i := range t.byNeed(all, -1) {
		needs = append(needs, t.need(i))
	}
	needs = slices.Compact(needs)
	var best, now []int // weight, busy servers, and jobs from the largest need down
	var try func(k, weight, busy int)
	try = func(k, weight, busy int) {
		if k == len(needs) {
			if x := append([]int{weight, busy}, now...); slices.Compare(x, best) > 0 {
				best = x
			}
			return
		}
		jobs := t.count(all, needs[k])
		for n := 0; n <= jobs && busy+n*needs[k] <= t.servers; n++ {
			now = append(now, n)
			try(k+1, weight+n*jobs, busy+n*needs[k])
			now = now[:len(now)-1]
		}
	}
	try(0, 0, 0)
	var chosen []int
	for k, need := range needs {
		left := best[2+k]
		for _, i := range all {
			if t.need(i) == need && left > 0 {
				chosen = append(chosen, i)
				left--
			}
		}
	}
	t.serve(chosen)
}

// twins are the policies and their definitions. Needs are of jobs that a policy can
// serve.
func twins(servers int) []struct {
	policy.Policy
	pass     func(t *twin)
	oneOrAll bool
} {
	type pair = struct {
		policy.Policy
		pass     func(t *twin)
		oneOrAll bool
	}
	given := policy.Given()
	list := []pair{
		{policy.FCFS{}, twinWindow(1), false},
		{policy.Window{Jobs: 2}, twinWindow(2), false},
		{policy.Window{Jobs: 5}, twinWindow(5), false},
		{policy.FirstFit{}, twinFirstFit, false},
		{policy.Backfill{Depth: 0, By: given}, twinBackfill(0), false},
		{policy.EASY().Estimates(given), twinEASY, false},
		{policy.EASY().Estimates(given), twinBackfill(1), false},
		{policy.Backfill{Depth: 2, By: given}, twinBackfill(2), false},
		{policy.Backfill{Depth: 4, By: given}, twinBackfill(4), false},
		{policy.Conservative().Estimates(given), twinBackfill(math.MaxInt), false},
		{policy.MostServersFirst{}, twinWindow(math.MaxInt), false},
		{policy.LeastServersFirst{}, twinLeast, false},
		{policy.AdaptiveQuickswap{}, twinAdaptive, false},
		{policy.ServerFilling{}, func(t *twin) { t.serve(t.takeFits(t.byNeed(t.front(t.all()), -1))) }, false},
		{policy.PreemptiveFirstFit{}, func(t *twin) { t.serve(t.takeFits(t.all())) }, false},
		{policy.PreemptiveMostServersFirst{}, func(t *twin) { t.serve(t.takeFits(t.byNeed(t.all(), -1))) }, false},
		{policy.PreemptiveLeastServersFirst{}, func(t *twin) { t.serve(t.takeFits(t.byNeed(t.all(), 1))) }, false},
		{policy.MaxWeight{}, twinMaxWeight, false},
		{policy.ServerFillingSRPT{}, func(t *twin) { t.serve(t.takeFits(t.byNeed(t.front(t.byWork()), -1))) }, false},
		{policy.FirstFitSRPT{}, func(t *twin) { t.serve(t.takeFits(t.byWork())) }, false},
	}
	for l := range servers {
		list = append(list, pair{policy.Quickswap{Threshold: l}, twinQuickswap(l, false), true},
			pair{policy.ArmedQuickswap{Threshold: l}, twinQuickswap(l, true), true})
	}
	return list
}

// randomLog has few needs, ties and zeros if whole, services that are long now and
// then, and estimates that are exact, too long, too short or all of them.
func randomLog(rng *rand.Rand, servers, jobs int, oneOrAll bool) []Logged {
	whole, wrong := rng.IntN(3) > 0, rng.IntN(4)
	needs := make([]int, 1+rng.IntN(5))
	for i := range needs {
		needs[i] = 1 + rng.IntN(servers)
		if oneOrAll && needs[i] < servers {
			needs[i] = 1
		}
	}
	pace := 0.3 + rng.Float64()
	log, now := make([]Logged, jobs), 0.0
	for i := range log {
		j := &log[i]
		j.Class = rng.IntN(len(needs))
		j.Need, j.Arrival = needs[j.Class], now
		j.Service = 3 * rng.ExpFloat64()
		if rng.IntN(12) == 0 {
			j.Service *= 8
		}
		j.Estimate = j.Service
		switch {
		case wrong == 1 || wrong == 3 && rng.IntN(2) == 0:
			j.Estimate *= 1 + 2*rng.Float64()
		case wrong == 2 || wrong == 3:
			j.Estimate *= rng.Float64()
		}
		gap := 3 * rng.ExpFloat64() * float64(j.Need) / float64(servers) / pace
		if whole {
			j.Service, j.Estimate, gap = math.Floor(j.Service), math.Floor(j.Estimate), math.Floor(gap)
			if wrong == 0 {
				j.Estimate = j.Service
			}
		}
		now += gap
	}
	return log
}

// differs compares the program with its twin, job by job; empty if they agree to the
// last bit.
func differs(p policy.Policy, servers int, log []Logged, pass func(t *twin)) string {
	t := newTwin(servers, log, pass)
	t.run()
	fault := ""
	s, seen := New(compiled.System{Servers: servers, Policy: p, Needs: needsOf(log)}), 0
	s.Recorded = func(r *Record) {
		seen++
		j := &t.jobs[r.Number]
		if fault == "" && (r.Start != j.start || r.End != j.end || r.Preemptions != j.preemptions) {
			fault = fmt.Sprintf("s=%d, %s, job %d: from %v to %v with %d preemptions, by definition from %v to %v with %d", servers, p, r.Number, r.Start, r.End, r.Preemptions, j.start, j.end, j.preemptions)
		}
	}
	s.ResetTo(Log(log), 0)
	s.Until(int64(len(log)))
	if fault == "" && seen != len(log) {
		fault = fmt.Sprintf("s=%d, %s: %d of %d jobs are recorded", servers, p, seen, len(log))
	}
	return fault
}

// TestTwins compares all policies with their definitions on random logs.
func TestTwins(t *testing.T) {
	for seed := range uint64(oracle.Sized(14, 60)) {
		for _, servers := range []int{1, 2, 3, 5, 8} {
			for _, p := range twins(servers) {
				rng := rand.New(rand.NewPCG(seed, uint64(servers)))
				log := randomLog(rng, servers, 1+rng.IntN(120), p.oneOrAll)
				if fault := differs(p.Policy, servers, log, p.pass); fault != "" {
					t.Errorf("seed %d, %s", seed, fault)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

// TestTwinsOfLongRuns has the origin of time move, on whole times, which it leaves exact.
func TestTwinsOfLongRuns(t *testing.T) {
	const servers = 4
	for _, p := range twins(servers) {
		rng := rand.New(rand.NewPCG(8, 8))
		log := randomLog(rng, servers, 700, p.oneOrAll)
		for i := range log {
			j := &log[i]
			j.Arrival, j.Service, j.Estimate = math.Floor(2*j.Arrival), math.Floor(j.Service), math.Floor(j.Estimate)
		}
		if fault := differs(p.Policy, servers, log, p.pass); fault != "" {
			t.Error(fault)
		}
	}
}

// TestKill: a job that is killed at its estimate is one of that service.
func TestKill(t *testing.T) {
	killed := 0
	for seed := range uint64(20) {
		log := randomLog(rand.New(rand.NewPCG(seed, 5)), 6, 100, false)
		want := slices.Clone(log)
		for i := range want {
			want[i].Service = min(log[i].Service, log[i].Estimate)
		}
		for _, p := range []policy.Backfill{{Depth: 0}, policy.EASY(), {Depth: 3}, policy.Conservative()} {
			p = p.Estimates(policy.Given()).Kill()
			starts, ends := schedule(p, 6, log)
			wantStarts, wantEnds := schedule(p, 6, want)
			if !slices.Equal(starts, wantStarts) || !slices.Equal(ends, wantEnds) {
				t.Errorf("seed %d, %s: starts %v, with the services cut %v", seed, p, starts, wantStarts)
			}
		}
		s := New(compiled.System{Servers: 6, Policy: policy.EASY().Estimates(policy.Given()).Kill(), Needs: needsOf(log)})
		s.Recorded = func(r *Record) {
			if cut := log[r.Number].Service > log[r.Number].Estimate; cut != r.Killed {
				t.Errorf("seed %d, job %d: killed %v", seed, r.Number, r.Killed)
			}
			if r.Killed {
				killed++
			}
		}
		s.ResetTo(Log(log), 0)
		s.Until(100)
	}
	if killed < 100 {
		t.Errorf("only %d jobs were killed", killed)
	}
}

// FuzzTwins goes on from where TestTwins ends.
func FuzzTwins(f *testing.F) {
	f.Add(uint64(1), uint8(4), uint8(50), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, servers, jobs, which uint8) {
		s := 1 + int(servers)%16
		list := twins(s)
		p := list[int(which)%len(list)]
		log := randomLog(rand.New(rand.NewPCG(seed, 0)), s, 1+int(jobs), p.oneOrAll)
		if fault := differs(p.Policy, s, log, p.pass); fault != "" {
			t.Error(fault)
		}
	})
}

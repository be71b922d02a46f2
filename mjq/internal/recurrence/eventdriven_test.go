package recurrence

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// oracle is an event-driven queue that knows no workload: it moves from one
// arrival or departure to the next and looks at the job at the head of the
// line. Units have identities; a type is a range of them.
type oracle struct {
	now     float64
	release []float64 // of a busy unit; in the past if free
	since   []float64 // when a free unit last became free or was passed over
	waiting []*waiter
	idle    float64 // unit-time of the free while somebody waits
}

type waiter struct {
	request
	arrived, start float64
}

// free lists the units of [from, to) that are free and not kept, the longest
// free first, then by number.
func (o *oracle) free(from, to int, kept []int32) (list []int) {
	for i := from; i < to; i++ {
		if o.release[i] <= o.now && !slices.Contains(kept, int32(i)) {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		switch {
		case o.since[a] < o.since[b]:
			return -1
		case o.since[a] > o.since[b]:
			return 1
		}
		return 0
	})
	return list
}

// seizable is the units that the job would seize now, or none.
func (o *oracle) seizable(j *waiter) (list []int, ok bool) {
	from := 0
	for k, need := range j.needs {
		free := o.free(from, from+units[k], nil)
		if len(free) < int(need) {
			return nil, false
		}
		list = append(list, free[:need]...)
		from += units[k]
	}
	if j.needs != nil {
		return list, true
	}
	for _, i := range j.given {
		if o.release[i] > o.now {
			return nil, false
		}
		list = append(list, int(i))
	}
	free := o.free(0, len(o.release), j.given)
	if len(free) < int(j.others) {
		return nil, false
	}
	return append(list, free[:j.others]...), true
}

// advance starts whom it can, then moves to the next departure, up to time t.
func (o *oracle) advance(t float64) {
	for {
		for len(o.waiting) > 0 {
			head := o.waiting[0]
			list, ok := o.seizable(head)
			if !ok {
				break
			}
			head.start = o.now
			for i := range o.since {
				o.since[i] = max(o.since[i], o.now)
			}
			for _, i := range list {
				o.release[i] = o.now + head.service
				o.since[i] = o.release[i]
			}
			o.waiting = o.waiting[1:]
		}
		next := t
		for _, at := range o.release {
			if at > o.now {
				next = min(next, at)
			}
		}
		if next <= o.now {
			return
		}
		if len(o.waiting) > 0 {
			o.idle += float64(len(o.free(0, len(o.release), nil))) * (next - o.now)
		}
		o.now = next
	}
}

// starts is when each job starts.
func (o *oracle) starts(jobs []request) (starts []float64) {
	var all []*waiter
	at := 0.0
	for _, j := range jobs {
		o.advance(at)
		// An arrival finds free units equally free: only those passed over in a
		// line are told apart by when they became free.
		if len(o.waiting) == 0 {
			for i := range o.since {
				if o.release[i] <= o.now {
					o.since[i] = o.now
				}
			}
		}
		w := &waiter{request: j, arrived: at}
		all, o.waiting = append(all, w), append(o.waiting, w)
		o.advance(at)
		at += j.gap
	}
	o.advance(1e18)
	for _, w := range all {
		starts = append(starts, w.start)
	}
	return starts
}

// TestStrictAgainstEvents compares strict first come first served, with types
// and with specific servers, with the event-driven queue on random input: the
// starts, and the sum of the waste of all jobs.
func TestStrictAgainstEvents(t *testing.T) {
	total := 0
	for _, s := range units {
		total += s
	}
	for _, k := range []struct {
		kind
		units int
	}{
		{kind{"typed", func() queue { return typedQueue{NewTyped(units)} }, typedJob}, total},
		{kind{"named", func() queue { return namedQueue{NewNamed(specific)} }, specificJob(true)}, specific},
	} {
		for seed := range uint64(40) {
			rng := rand.New(rand.NewPCG(seed, 9))
			var jobs []request
			for range 200 {
				j := k.jobs(rng)
				j.service += 1e-3 + rng.Float64() // no ties between events
				j.gap += 1e-3 + rng.Float64()
				jobs = append(jobs, j)
			}
			o := oracle{release: make([]float64, k.units), since: make([]float64, k.units)}
			want := o.starts(jobs)
			q, now := k.make(), 0.0
			idle := 0.0
			for n, j := range jobs {
				idle += q.idle(now, j)
				if start := q.arrive(now, j); !near(start, want[n]) {
					t.Fatalf("%s seed %d job %d %+v arriving at %v starts at %v, event by event at %v", k.name, seed, n, j, now, start, want[n])
				}
				now += j.gap
			}
			if !near(idle, o.idle) {
				t.Fatalf("%s seed %d: %v of unit-time idle while jobs wait, event by event %v", k.name, seed, idle, o.idle)
			}
		}
	}
}

// lines is random assignment event by event: a first-come first-served line at
// every server, jobs that start when they head all of theirs.
func lines(jobs []request) []float64 {
	starts := make([]float64, len(jobs))
	line := make([][]int, specific) // jobs at each server, the one in service first
	started := make([]bool, len(jobs))
	begin := func(now float64) {
		for n, j := range jobs {
			heads := !started[n]
			for _, i := range j.given {
				heads = heads && len(line[i]) > 0 && line[i][0] == n
			}
			if heads {
				started[n], starts[n] = true, now
			}
		}
	}
	next, at, now := 0, 0.0, 0.0
	for {
		soonest, who := 1e18, -1
		for _, l := range line {
			if len(l) > 0 && started[l[0]] && starts[l[0]]+jobs[l[0]].service < soonest {
				soonest, who = starts[l[0]]+jobs[l[0]].service, l[0]
			}
		}
		switch {
		case next < len(jobs) && at < soonest:
			now = at
			for _, i := range jobs[next].given {
				line[i] = append(line[i], next)
			}
			at += jobs[next].gap
			next++
		case who >= 0:
			now = soonest
			for _, i := range jobs[who].given {
				line[i] = line[i][1:]
			}
		default:
			return starts
		}
		begin(now)
	}
}

// TestRandomAssignmentAgainstEvents holds Named as printed, with all servers
// given, against lines at the servers.
func TestRandomAssignmentAgainstEvents(t *testing.T) {
	make1 := specificJob(false)
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 10))
		var jobs []request
		for range 80 {
			j := make1(rng)
			j.given = j.given[:1+rng.IntN(min(3, len(j.given)))]
			j.service += 1e-3 + rng.Float64()
			j.gap += 1e-3 + rng.Float64()
			jobs = append(jobs, j)
		}
		want := lines(jobs)
		q, now := NewNamed(specific), 0.0
		q.AsPrinted = true
		for n, j := range jobs {
			if start, _ := q.Step(now, j.given, 0, j.service); !near(start, want[n]) {
				t.Fatalf("seed %d job %d for servers %v starts at %v, event by event at %v", seed, n, j.given, start, want[n])
			}
			now += j.gap
		}
	}
}

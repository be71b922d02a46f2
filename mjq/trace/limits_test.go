package trace_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// Servers in plenty with a limit for every class are partitions with as many servers each: a job
// enters the queue when it would start.
func TestLimitsOfClassesArePartitions(t *testing.T) {
	_, log := typedLog(2000)
	parts := trace.Replay{Partitions: []trace.Partition{{Name: "p", Servers: 12}, {Name: "q", Servers: 11}}}
	limits := trace.Replay{Servers: 30, Limits: []trace.Limit{{By: trace.EachClass, Name: "p", Servers: 12}, {By: trace.EachClass, Name: "q", Servers: 11}}}
	want := mjq.Must(log.Replay(background, parts)).All.Waiting.Mean.Value
	for _, p := range []mjq.Policy{nil, policy.FirstFit{}, policy.EASY(), policy.Conservative()} {
		limits.Policy = p
		r := mjq.Must(log.Replay(background, limits))
		if got := r.All.Waiting.Mean.Value; math.Abs(got-want) > 1e-9*want || !(want > 0) {
			t.Errorf("%v: mean wait %v, that of partitions is %v", p, got, want)
		}
		if !strings.Contains(strings.Join(r.Notes, " "), "Limits kept jobs out") {
			t.Errorf("notes %q", r.Notes)
		}
	}
}

// limitTwin is First-Fit with limits as the definition stands: waits by job.
func limitTwin(jobs []trace.Job, servers int, limits []trace.Limit) []float64 {
	under := func(l *trace.Limit, i, k int) bool {
		a, b := jobs[i].User, jobs[k].User
		if l.By == trace.EachClass {
			a, b = jobs[i].Class, jobs[k].Class
		}
		return a == b && (l.Name == "" || l.Name == a)
	}
	waits, ends := make([]float64, len(jobs)), make([]float64, len(jobs))
	var outside, queue, running []int
	free := servers
	lets := func(i int) bool {
		for _, l := range limits {
			n, held := 0, 0
			for _, k := range slices.Concat(queue, running) {
				if under(&l, i, k) {
					n, held = n+1, held+jobs[k].Need
				}
			}
			if under(&l, i, i) && (l.Jobs > 0 && n >= l.Jobs || l.Servers > 0 && held+jobs[i].Need > l.Servers) {
				return false
			}
		}
		return true
	}
	same := func(i, k int) bool {
		for _, l := range limits {
			if under(&l, i, i) != under(&l, k, k) || under(&l, i, i) && !under(&l, i, k) {
				return false
			}
		}
		return true
	}
	enter := func(now float64) {
		for again := true; again; {
			again = false
			for at, i := range outside {
				if lets(i) && !slices.ContainsFunc(outside[:at], func(k int) bool { return same(i, k) }) {
					queue, outside, again = append(queue, i), slices.Delete(outside, at, at+1), true
					break
				}
			}
		}
		queue = slices.DeleteFunc(queue, func(i int) bool {
			if jobs[i].Need > free {
				return false
			}
			free -= jobs[i].Need
			waits[i], ends[i] = now-jobs[i].Arrival, now+jobs[i].Service
			running = append(running, i)
			return true
		})
	}
	for next := 0; next < len(jobs) || len(running) > 0; {
		now := math.Inf(1)
		if next < len(jobs) {
			now = jobs[next].Arrival
		}
		for _, i := range running {
			now = min(now, ends[i])
		}
		running = slices.DeleteFunc(running, func(i int) bool {
			if ends[i] <= now {
				free += jobs[i].Need
			}
			return ends[i] <= now
		})
		for ; next < len(jobs) && jobs[next].Arrival == now; next++ {
			outside = append(outside, next)
		}
		enter(now)
	}
	return waits
}

// Limits by user and by class together, against the definition.
func TestLimitsAgainstTheDefinition(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		_, log := typedLog(150)
		log.Jobs = log.Jobs[:80+r.IntN(70)]
		limits := []trace.Limit{{By: trace.EachUser, Servers: 6 + r.IntN(4)}, {By: trace.EachClass, Name: "p", Jobs: 1 + r.IntN(4)}, {By: trace.EachUser, Name: "b", Jobs: 2}}
		servers := 8 + r.IntN(14)
		want := 0.
		for _, w := range limitTwin(log.Jobs, servers, limits) {
			want += w / float64(len(log.Jobs))
		}
		how := trace.Replay{Servers: servers, Policy: policy.FirstFit{}, Limits: limits}
		if got := mjq.Must(log.Replay(background, how)).All.Waiting.Mean.Value; math.Abs(got-want) > 1e-9*(1+want) {
			t.Errorf("seed %d: mean wait %v, by definition %v", seed, got, want)
		}
		typed := trace.New("typed", slices.Clone(log.Jobs))
		for i := range typed.Jobs {
			typed.Jobs[i].Units = []int{typed.Jobs[i].Need, 1}
		}
		typed.Types = []string{"cpu", "slot"}
		how.Servers, how.Units = 0, []int{servers, 10_000}
		how.Limits = slices.Clone(limits)
		how.Limits[0].Units, how.Limits[0].Servers = []int{limits[0].Servers, 0}, 0
		if got := mjq.Must(typed.Replay(background, how)).All.Waiting.Mean.Value; math.Abs(got-want) > 1e-9*(1+want) {
			t.Errorf("seed %d: with types, mean wait %v, by definition %v", seed, got, want)
		}
	}
}

func TestLimitsRefused(t *testing.T) {
	_, log := typedLog(50)
	for part, how := range map[string]trace.Replay{
		"by \"group\"":                   {Servers: 20, Limits: []trace.Limit{{By: "group"}}},
		"would never start":              {Servers: 20, Limits: []trace.Limit{{By: trace.EachUser, Servers: 2}}},
		"numbers from 0":                 {Servers: 20, Limits: []trace.Limit{{By: trace.EachUser, Jobs: -1}}},
		"a number for each of the types": {Servers: 20, Limits: []trace.Limit{{By: trace.EachUser, Units: []int{3}}}},
	} {
		if _, err := log.Replay(background, how); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not say %q", err, part)
		}
	}
}

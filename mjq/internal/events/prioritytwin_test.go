package events

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// levelTwin is a priority policy and its definition.
type levelTwin struct {
	policy.Priority
	pass func(t *twin, byLevel [][]int) // of all jobs in the system, each level by arrival
}

// levelOf puts the classes 0, 1 and 2 in two levels and all others below.
var levelOf = [][]string{{"1"}, {"0", "2"}}

// levelIn is the level of a class under a policy, by its index.
func levelIn(p policy.Policy) func(class int) int {
	return func(class int) int { return policy.LevelsOf(p, []policy.Class{{Name: strconv.Itoa(class)}})[0] }
}

// inLevels has a definition see the jobs in the system by level.
func (p levelTwin) inLevels(t *twin, level func(class int) int) {
	byLevel := make([][]int, 3)
	for _, i := range t.all() {
		l := level(t.jobs[i].Class)
		byLevel[l] = append(byLevel[l], i)
	}
	p.pass(t, byLevel)
}

// waits are those of a list that wait.
func (t *twin) waits(list []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return slices.Contains(t.running, i) })
}

// sorted has the queue in the order of level and arrival.
func sorted(pass func(t *twin)) func(t *twin, byLevel [][]int) {
	return func(t *twin, byLevel [][]int) {
		t.queue = t.waits(slices.Concat(byLevel...))
		pass(t)
		slices.Sort(t.queue)
	}
}

// head starts from the head of a list while jobs fit, and says whether all have started.
func (t *twin) head(list []int) bool {
	for _, i := range list {
		if t.need(i) > t.free {
			return false
		}
		t.start(i)
	}
	return true
}

// largest starts of every level the largest job that fits.
func largest(t *twin, byLevel [][]int) {
	for _, list := range byLevel {
		for _, i := range t.byNeed(t.waits(list), -1) {
			if t.need(i) <= t.free {
				t.start(i)
			}
		}
	}
}

// serveLevels serves of every level what choose takes within the servers that are left.
func serveLevels(choose func(t *twin, list []int, left int) []int) func(t *twin, byLevel [][]int) {
	return func(t *twin, byLevel [][]int) {
		left, chosen := t.servers, []int(nil)
		for _, list := range byLevel {
			for _, i := range choose(t, list, left) {
				chosen = append(chosen, i)
				left -= t.need(i)
			}
		}
		t.serve(chosen)
	}
}

// first takes jobs up to the first that does not fit.
func first(t *twin, list []int, left int) []int {
	for n, i := range list {
		if left -= t.need(i); left < 0 {
			return list[:n]
		}
	}
	return list
}

// dropping is first where a running job that does not fit leaves, and those behind it, so
// that they hold nobody back.
func dropping(t *twin, list []int, left int) (taken []int) {
	leave := false
	for _, i := range list {
		runs, fits := slices.Contains(t.running, i), t.need(i) <= left
		switch {
		case runs && (leave || !fits):
			leave = true
		case fits:
			left -= t.need(i)
			taken = append(taken, i)
		default:
			return taken
		}
	}
	return taken
}

// fitting takes every job that fits.
func fitting(t *twin, list []int, left int) (taken []int) {
	for _, i := range list {
		if t.need(i) <= left {
			left -= t.need(i)
			taken = append(taken, i)
		}
	}
	return taken
}

// filling takes the largest of the shortest prefix that needs all that is left.
func filling(t *twin, list []int, left int) []int {
	total, front := 0, []int(nil)
	for _, i := range list {
		if total >= left {
			break
		}
		total += t.need(i)
		front = append(front, i)
	}
	return fitting(t, t.byNeed(front, -1), left)
}

// exempted chooses where running jobs are exempt for a time.
func exempted(choose func(t *twin, list []int, left int) []int) func(t *twin, byLevel [][]int) {
	return func(t *twin, byLevel [][]int) { exemptFirst(t, byLevel, choose) }
}

func exemptFirst(t *twin, byLevel [][]int, choose func(t *twin, list []int, left int) []int) {
	left, chosen := t.servers, []int(nil)
	for _, i := range t.running {
		if t.jobs[i].from+t.exempt > t.now {
			chosen = append(chosen, i)
			left -= t.need(i)
		}
	}
	for _, list := range byLevel {
		rest := slices.DeleteFunc(slices.Clone(list), func(i int) bool { return slices.Contains(chosen, i) })
		for _, i := range choose(t, rest, left) {
			chosen = append(chosen, i)
			left -= t.need(i)
		}
	}
	t.serve(chosen)
}

func levelTwins() (list []levelTwin) {
	p, given := policy.Priority{Levels: levelOf}, policy.Given()
	add := func(p policy.Priority, pass func(t *twin, byLevel [][]int)) { list = append(list, levelTwin{p, pass}) }
	add(p, sorted(func(t *twin) { t.head(slices.Clone(t.queue)) }))
	add(p.Passing(), func(t *twin, byLevel [][]int) {
		for _, l := range byLevel {
			t.head(t.waits(l))
		}
	})
	add(p.Within(policy.FirstFit{}), sorted(twinFirstFit))
	add(p.Within(policy.MostServersFirst{}), largest)
	add(p.Within(policy.EASY().Estimates(given)), sorted(twinEASY))
	add(p.Within(policy.EASY().Estimates(given)), sorted(twinBackfill(1)))
	add(p.Within(policy.Backfill{Depth: 3, By: given}), sorted(twinBackfill(3)))
	add(p.Within(policy.Conservative().Estimates(given)), sorted(twinBackfill(math.MaxInt)))
	for _, how := range []policy.Preemption{policy.Resume, policy.Restart, policy.Resampled, policy.Drop} {
		q, choose := p.Preemptive(how), first
		if how == policy.Drop {
			choose = dropping
		}
		add(q, serveLevels(choose))
		add(q.Within(policy.FirstFit{}), serveLevels(fitting))
		add(q.Within(policy.MostServersFirst{}), serveLevels(func(t *twin, list []int, left int) []int { return fitting(t, t.byNeed(list, -1), left) }))
		add(q.Exempt(2), exempted(choose))
		if how != policy.Drop {
			add(q.Within(policy.ServerFilling{}), serveLevels(filling))
			add(q.Overhead(law.ExpMean(0.5)), serveLevels(first))
			add(q.Overhead(law.Deterministic{X: 1}).Exempt(1), exempted(first))
		}
	}
	return list
}

// resampled is the law of new services in these tests.
var resampled = law.ExpMean(3)

// stops is what becomes of a job that is stopped, as the definitions have it.
func (p levelTwin) stops(key uint64) func(j *twinJob, i int) bool {
	return func(j *twinJob, i int) bool {
		words := newDraws(key, int64(i), int32(j.preemptions))
		switch p.Preempts {
		case policy.Drop:
			return true
		case policy.Restart:
			j.left = j.Service
		case policy.Resampled:
			j.Service = resampled.Sample(words)
			j.left = j.Service
		}
		if p.Added != nil {
			j.left += p.Added.Sample(words)
		}
		return false
	}
}

// differsByLevel compares the program with its twin, job by job; empty if they agree to
// the last bit.
func differsByLevel(p levelTwin, servers int, log []Logged) string {
	const key = 17
	needs := make([]int, 5)
	for i := range needs {
		needs[i] = 1
	}
	for _, j := range log {
		needs[j.Class] = j.Need
	}
	var known []policy.Class
	for c, need := range needs {
		known = append(known, policy.Class{Name: strconv.Itoa(c), Need: need, Service: resampled})
	}
	t := newTwin(servers, log, func(t *twin) { p.inLevels(t, levelIn(p.Priority)) })
	t.exempt, t.stopped = p.ExemptFor, p.stops(key)
	t.run()
	fault := ""
	s, seen := New(compiled.System{Servers: servers, Policy: p.Priority, Known: known}), 0
	s.Recorded = func(r *Record) {
		seen++
		j := &t.jobs[r.Number]
		if got, want := []float64{r.Start, r.End, float64(r.Preemptions)}, []float64{j.start, j.end, float64(j.preemptions)}; fault == "" && !slices.Equal(got, want) {
			fault = fmt.Sprintf("s=%d, %s, job %d: from, to, preemptions %v, by definition %v", servers, p, r.Number, got, want)
		}
		if fault == "" && math.Abs(r.held()-j.ran) > 1e-9*(1+j.ran) && p.Preempts != "" {
			fault = fmt.Sprintf("s=%d, %s, job %d: it held servers for %v, by definition for %v", servers, p, r.Number, r.held(), j.ran)
		}
	}
	s.ResetTo(Log(log), key)
	s.Until(int64(len(log)))
	for s.Handle(1000) {
	}
	if fault == "" && seen != len(log) {
		fault = fmt.Sprintf("s=%d, %s: %d of %d jobs are recorded", servers, p, seen, len(log))
	}
	return fault
}

// TestLevelTwins compares priority policies with their definitions on random logs.
func TestLevelTwins(t *testing.T) {
	for seed := range uint64(10) {
		for _, servers := range []int{1, 2, 3, 5, 8} {
			for _, p := range levelTwins() {
				rng := rand.New(rand.NewPCG(seed, uint64(servers)))
				log := randomLog(rng, servers, 1+rng.IntN(100), false)
				if fault := differsByLevel(p, servers, log); fault != "" {
					t.Errorf("seed %d, %s", seed, fault)
				}
			}
			if t.Failed() {
				return
			}
		}
	}
}

// TestLevelTwinsOfLongRuns has the origin of time move, on whole times, which it leaves
// exact.
func TestLevelTwinsOfLongRuns(t *testing.T) {
	const servers = 4
	for _, p := range levelTwins() {
		if p.Preempts == policy.Resampled || p.Added != nil {
			continue // whole times do not stay whole
		}
		log := randomLog(rand.New(rand.NewPCG(8, 8)), servers, 700, false)
		for i := range log {
			j := &log[i]
			j.Arrival, j.Service, j.Estimate = math.Floor(2*j.Arrival), math.Floor(j.Service), math.Floor(j.Estimate)
		}
		if fault := differsByLevel(p, servers, log); fault != "" {
			t.Error(fault)
		}
	}
}

// FuzzLevelTwins goes on from where TestLevelTwins ends.
func FuzzLevelTwins(f *testing.F) {
	f.Add(uint64(1), uint8(4), uint8(50), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, servers, jobs, which uint8) {
		list := levelTwins()
		s := 1 + int(servers)%16
		log := randomLog(rand.New(rand.NewPCG(seed, 0)), s, 1+int(jobs), false)
		if fault := differsByLevel(list[int(which)%len(list)], s, log); fault != "" {
			t.Error(fault)
		}
	})
}

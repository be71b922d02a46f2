package events

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
)

// script is jobs and failures at given times.
type script struct {
	Servers, Spares int
	Jobs            []struct{ Arrival, Need, Work int }
	Failures        []struct{ Time, Server, Repair int }
	Reservations    []struct {
		Start, Length, Servers, Every int
		Hard                          bool
	}
	Crews *int
	After struct {
		Every                     *int `json:"checkpoint_every"`
		Cost, Recovery, Detection int
	}
}

// after is what becomes of the jobs.
func (x *script) after() policy.Checkpoint {
	a := policy.Checkpoint{Cost: float64(x.After.Cost), Recovery: float64(x.After.Recovery), Detection: float64(x.After.Detection)}
	if x.After.Every == nil {
		a.How = policy.Restart
		return a
	}
	a.Every = float64(*x.After.Every)
	return a
}

// fates are what the engine makes of a script, by job: first start, end, hits, and the sum over the
// hits of the time since the run began less the work that was kept.
func (x *script) fates(t *testing.T, p policy.Policy, after policy.Checkpoint) (fates [][4]float64, h Hours, busy, up float64) {
	t.Helper()
	q := compiled.System{Servers: x.Servers, Policy: p, Classes: 1, Failing: &compiled.Failing{Servers: x.Servers, Usable: x.Servers - x.Spares, Crews: x.Servers, After: []policy.Checkpoint{after}}}
	if x.Crews != nil {
		q.Failing.Crews = *x.Crews
	}
	for _, f := range x.Failures {
		q.Failing.Given = append(q.Failing.Given, compiled.Outage{Time: float64(f.Time), Server: f.Server, Repair: float64(f.Repair)})
	}
	for _, r := range x.Reservations {
		q.Failing.Bookings = append(q.Failing.Bookings, compiled.Booking{Start: float64(r.Start), Length: float64(r.Length), Servers: r.Servers, Every: float64(r.Every), Hard: r.Hard})
	}
	var jobs []Logged
	for need := range x.Servers {
		q.Needs = append(q.Needs, need+1)
	}
	for _, j := range x.Jobs {
		jobs = append(jobs, Logged{Arrival: float64(j.Arrival), Service: float64(j.Work), Estimate: float64(j.Work), Need: j.Need})
	}
	sim := New(q)
	fates = make([][4]float64, len(jobs))
	sim.Recorded = func(r *Record) {
		f, lost := sim.failing, 0.
		for id := range f.runs {
			if j := &sim.system.all[id]; j.Number == r.Number && f.runs[id].hits > 0 { // what hits cost, without detection
				lost = f.runs[id].held - after.Detection*float64(r.Interruptions) - (j.Service - j.left)
			}
		}
		fates[r.Number] = [4]float64{r.Start, r.End, float64(r.Interruptions), lost}
		if want := r.End - r.Arrival - r.Service; math.Abs(r.Wait-want) > 1e-9 {
			t.Errorf("job %d waits %v, and its response less its service is %v", r.Number, r.Wait, want)
		}
	}
	sim.ResetTo(Log(jobs), 1)
	for sim.Handle(1 << 20) {
	}
	if sim.InSystem() != 0 {
		t.Errorf("%d jobs are left", sim.InSystem())
	}
	var ups [awayAverages]float64
	sim.TakeAway(ups[:], 1)
	area := sim.Take()
	return fates, sim.TakeHours(), float64(x.Servers)*area.Time - area.Idle, ups[0]
}

// TestScripts: schedules under given failures are those of the reference, job by job.
func TestScripts(t *testing.T) {
	seen := 0
	for _, v := range oracle.AllFrontier(t, "script") {
		if !strings.HasSuffix(v.ID, "-ends") {
			continue
		}
		seen++
		text, err := json.Marshal(v.Model)
		if err != nil {
			t.Fatal(err)
		}
		var x script
		if err := json.Unmarshal(text, &x); err != nil {
			t.Fatal(err)
		}
		fates, _, _, _ := x.fates(t, policy.FCFS{}, x.after())
		ends, hits := 0., 0.
		for n, f := range fates {
			ends += f[1]
			hits += f[2]
			if f[0] != v.Fates[n][0] || f[1] != v.Fates[n][1] || f[2] != v.Fates[n][2] || f[3] != v.Fates[n][3] {
				t.Errorf("%s: job %d has %v, want %v", v.ID, n, f, v.Fates[n])
			}
		}
		oracle.Near(t, v.ID, ends)
		oracle.Near(t, strings.Replace(v.ID, "-ends", "-hits", 1), hits)
	}
	if seen < 4 {
		t.Errorf("%d scripts", seen)
	}
}

// ticking runs a script tick by tick, by the definitions and with no regard for cost.
type ticking struct {
	*script
	every, cost, recovery, detection int
	how                              policy.Preemption
	depth                            int    // reservations that jobs make; blocks: first come, first served
	on                               []bool // by reservation, its window goes on
	now                              int
	jobs                             []tickJob
	down                             []int  // by server: what is left of its repair; 0: up; -1: waits for a crew
	lengths                          []int  // of repairs that wait
	broken                           []int  // servers in the order of failure
	holder                           []int  // by server, job; -1
	hours                            [7]int // kept, checkpoints, recovery, detection, lost, idle, down
}

type tickJob struct {
	kept, since, recovers, writes, detects int
	state                                  string // "", waits, runs, detects, gone
	writing, began, evicted                bool
	expect                                 int // when it is thought to end
	start, end, hits                       int
	spent                                  [3]int // of this run: recovery, work, checkpoint that is not complete
}

// blocks is the depth of first come, first served.
const blocks = -2

func (x *script) tick(after policy.Checkpoint, depth int) *ticking {
	s := &ticking{script: x, every: 1 << 30, cost: int(after.Cost), recovery: int(after.Recovery), detection: int(after.Detection), how: after.How, depth: depth, on: make([]bool, len(x.Reservations))}
	if after.Every > 0 {
		s.every = int(after.Every)
	}
	s.jobs = make([]tickJob, len(x.Jobs))
	for range x.Servers {
		s.down, s.lengths, s.holder = append(s.down, 0), append(s.lengths, 0), append(s.holder, -1)
	}
	for ; ; s.now++ {
		if s.instant(); s.done() {
			return s
		}
		s.pass()
		if s.now == x.Jobs[0].Arrival {
			s.hours = [7]int{}
		}
		s.spend()
	}
}

func (s *ticking) done() bool {
	for i := range s.jobs {
		if s.jobs[i].state != "gone" {
			return false
		}
	}
	return true
}

// instant has all happen that comes before a pass.
func (s *ticking) instant() {
	for i := range s.jobs {
		if j := &s.jobs[i]; j.state == "runs" && j.recovers == 0 && !j.writing && j.kept+j.since == s.Jobs[i].Work {
			s.hours[0] += j.since * s.Jobs[i].Need
			s.leave(i)
		}
	}
	for i := range s.jobs {
		if j := &s.jobs[i]; j.state == "runs" && j.writing && j.writes == 0 {
			s.written(i)
		}
	}
	var fails []int
	for k, f := range s.Failures {
		if f.Time == s.now {
			fails = append(fails, k)
		}
	}
	slices.SortStableFunc(fails, func(a, b int) int { return cmp.Compare(s.Failures[a].Server, s.Failures[b].Server) })
	for _, k := range fails {
		s.fail(s.Failures[k].Server, s.Failures[k].Repair)
	}
	s.windows()
	for x := range s.down {
		if s.down[x] == 1 && slices.Contains(s.working(), x) { // counted down to its last tick
			s.down[x] = 0
		}
	}
	for s.Crews == nil || len(s.working()) < *s.Crews {
		if len(s.broken) == 0 {
			break
		}
		s.down[s.broken[0]] = s.lengths[s.broken[0]] + 1
		s.broken = s.broken[1:]
	}
	for i := range s.jobs {
		if j := &s.jobs[i]; j.state == "detects" && j.detects == 0 {
			s.afterwards(i)
		}
	}
	for i := range s.jobs {
		if s.Jobs[i].Arrival == s.now {
			s.jobs[i].state = "waits"
		}
	}
}

// working are the servers that are being repaired.
func (s *ticking) working() (list []int) {
	for x, d := range s.down {
		if d > 0 {
			list = append(list, x)
		}
	}
	return list
}

func (s *ticking) fail(x, repair int) {
	if s.down[x] != 0 {
		return
	}
	if repair > 0 {
		s.down[x], s.lengths[x] = -1, repair
		s.broken = append(s.broken, x)
	}
	if i := s.holder[x]; i >= 0 && s.jobs[i].state == "runs" {
		s.hit(i)
	}
}

func (s *ticking) hit(i int) {
	j, need := &s.jobs[i], s.Jobs[i].Need
	j.hits++
	if s.how == policy.Resume {
		j.kept += j.since
		s.hours[0] += j.since * need
		j.spent[1] -= j.since
	} else if s.how == policy.Restart {
		j.kept = 0
	}
	s.hours[2] += need * j.spent[0]
	s.hours[4] += need * (j.spent[1] + j.spent[2])
	j.since, j.spent = 0, [3]int{}
	j.state, j.detects = "detects", s.detection
	j.expect = s.now + s.detection + s.length(j, i)
}

// length is how long a run takes that no failure ends.
func (s *ticking) length(j *tickJob, i int) int {
	left := s.Jobs[i].Work - j.kept
	length := left + max(0, (left+s.every-1)/s.every-1)*s.cost
	if j.began {
		length += s.recovery
	}
	return length
}

// written has a checkpoint complete.
func (s *ticking) written(i int) {
	j, need := &s.jobs[i], s.Jobs[i].Need
	j.kept, j.writing = j.kept+j.since, false
	s.hours[0] += need * j.since
	s.hours[1] += need * j.spent[2]
	j.spent[1] -= j.since
	j.since, j.spent[2] = 0, 0
}

// afterwards is the end of a detection.
func (s *ticking) afterwards(i int) {
	j := &s.jobs[i]
	evicted := j.evicted
	j.evicted = false
	for x, h := range s.holder {
		if h == i && (s.down[x] != 0 || evicted) {
			s.leave(i)
			j.state = "waits"
			return
		}
	}
	s.begin(i)
}

func (s *ticking) begin(i int) {
	j := &s.jobs[i]
	j.expect = s.now + s.length(j, i)
	if !j.began {
		j.began, j.start = true, s.now
	} else {
		j.recovers = s.recovery
	}
	j.state, j.writing = "runs", false
}

func (s *ticking) leave(i int) {
	j := &s.jobs[i]
	if j.state == "runs" {
		s.hours[2] += s.Jobs[i].Need * j.spent[0]
		j.spent = [3]int{}
	}
	j.state, j.end = "gone", s.now
	for x, h := range s.holder {
		if h == i {
			s.holder[x] = -1
		}
	}
}

func (s *ticking) pass() {
	var made [][3]int
	for i := range s.jobs {
		if s.jobs[i].state != "waits" {
			continue
		}
		at, need, length := s.now, s.Jobs[i].Need, s.length(&s.jobs[i], i)
		const never = 1 << 20
		for !s.fits(at, length, need, made) {
			if at++; at > s.now+3000 || s.depth <= 0 && s.depth != policy.All {
				at = never
				break
			}
		}
		switch free, held, reserved := s.idle(), s.held(), s.reserved(s.now); {
		case at == s.now && len(free)-reserved >= need && held+need <= s.Servers-s.Spares:
			for _, x := range free[:need] {
				s.holder[x] = i
			}
			s.begin(i)
		case s.depth == blocks:
			return
		case at < never && (s.depth == policy.All || len(made) < s.depth):
			made = append(made, [3]int{at, at + length, need})
		case s.depth > 0 && len(made) < s.depth:
			made = append(made, [3]int{never, never, 0})
		}
	}
}

// fits reports whether a job has its servers by the table of what is free at every instant.
func (s *ticking) fits(from, length, need int, made [][3]int) bool {
	open, held := len(s.idle()), s.held()
	for u := from; u < from+length; u++ {
		ends, taken := 0, 0
		for i := range s.jobs {
			if j := &s.jobs[i]; (j.state == "runs" || j.state == "detects") && j.expect <= u {
				ends += s.Jobs[i].Need
			}
		}
		for _, x := range made {
			if x[0] <= u && u < x[1] {
				taken += x[2]
			}
		}
		if min(open+ends-s.reserved(u), s.Servers-s.Spares-held+ends)-taken < need {
			return false
		}
	}
	return true
}

// idle are the servers that are up and that no job holds.
func (s *ticking) idle() (free []int) {
	for x, h := range s.holder {
		if h < 0 && s.down[x] == 0 {
			free = append(free, x)
		}
	}
	return free
}

// held is how many servers jobs hold.
func (s *ticking) held() (n int) {
	for _, h := range s.holder {
		if h >= 0 {
			n++
		}
	}
	return n
}

// reserved is how many servers are reserved at a time, as jobs know it now.
func (s *ticking) reserved(at int) (n int) {
	for k, r := range s.Reservations {
		if s.inWindow(k, at) && (!r.Hard || s.on[k] && at < s.now+r.Length && s.sameWindow(k, at)) {
			n += r.Servers
		}
	}
	return n
}

// inWindow reports whether a reservation takes its servers at a time.
func (s *ticking) inWindow(k, at int) bool {
	r := s.Reservations[k]
	after := at - r.Start
	if r.Every > 0 && after >= 0 {
		after %= r.Every
	}
	return after >= 0 && after < r.Length
}

// sameWindow reports whether a reservation has gone on from now to a time.
func (s *ticking) sameWindow(k, at int) bool {
	for u := s.now; u <= at; u++ {
		if !s.inWindow(k, u) || u > s.now && s.Reservations[k].Every > 0 && (u-s.Reservations[k].Start)%s.Reservations[k].Every == 0 {
			return false
		}
	}
	return true
}

// windows has windows begin and end, and hits the last jobs to come that are in the way of a hard one.
func (s *ticking) windows() {
	hard := false
	for k, r := range s.Reservations {
		begins := s.now == r.Start || r.Every > 0 && s.now > r.Start && (s.now-r.Start)%r.Every == 0
		s.on[k] = s.inWindow(k, s.now)
		hard = hard || begins && r.Hard
	}
	for missing := s.reserved(s.now) - len(s.idle()); hard && missing > 0; {
		last := len(s.jobs) - 1
		for last >= 0 && s.jobs[last].state != "runs" {
			last--
		}
		if last < 0 {
			return
		}
		s.jobs[last].evicted = true
		s.hit(last)
		missing -= s.Jobs[last].Need
	}
}

// spend has a tick pass.
func (s *ticking) spend() {
	for x, h := range s.holder {
		if h < 0 && s.down[x] == 0 {
			s.hours[5]++
		} else if h < 0 {
			s.hours[6]++
		}
		if s.down[x] > 1 {
			s.down[x]--
		}
	}
	for i := range s.jobs {
		j := &s.jobs[i]
		switch {
		case j.state == "detects":
			j.detects--
			s.hours[3] += s.Jobs[i].Need
		case j.state != "runs":
		case j.recovers > 0:
			j.recovers--
			j.spent[0]++
		case j.writing:
			j.writes--
			j.spent[2]++
		default:
			j.since++
			j.spent[1]++
			if j.since == s.every && j.kept+j.since < s.Jobs[i].Work {
				if j.writing, j.writes = true, s.cost; s.cost == 0 {
					s.written(i)
				}
			}
		}
	}
}

// randomScript is jobs and failures, drawn.
func randomScript(rng *rand.Rand) *script {
	x := &script{Servers: 2 + rng.IntN(5)}
	if rng.IntN(3) == 0 {
		x.Spares = rng.IntN(x.Servers - 1)
	}
	at := rng.IntN(4)
	for range 3 + rng.IntN(8) {
		x.Jobs = append(x.Jobs, struct{ Arrival, Need, Work int }{at, 1 + rng.IntN(x.Servers-x.Spares), 1 + rng.IntN(25)})
		at += rng.IntN(8)
	}
	at = rng.IntN(10)
	for range rng.IntN(14) {
		x.Failures = append(x.Failures, struct{ Time, Server, Repair int }{at, rng.IntN(x.Servers), rng.IntN(3) * rng.IntN(15)})
		at += rng.IntN(12)
	}
	if rng.IntN(2) == 0 {
		crews := 1 + rng.IntN(2)
		x.Crews = &crews
	}
	return x
}

// TestFailingTwin: on random scripts the engine gives, job by job, the schedule of a run tick by tick,
// and every hour of a server is one of work that is kept, checkpoint, recovery, detection, work that is
// lost, idle and down.
func TestFailingTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 5))
	hits := 0
	for n := range oracle.Sized(1000, 20000) {
		x := randomScript(rng)
		after := policy.Checkpoint{Every: float64(1 + rng.IntN(6)), Cost: float64(rng.IntN(3)), Recovery: float64(rng.IntN(3)), Detection: float64(rng.IntN(4) * rng.IntN(2))}
		switch rng.IntN(4) {
		case 0:
			after.How, after.Every, after.Cost = policy.Restart, 0, 0
		case 1:
			after.How, after.Every, after.Cost = policy.Resume, 0, 0
		}
		how, depth := policy.Policy(policy.FCFS{}), blocks
		if n%2 == 1 {
			how, depth = policy.FirstFit{}, 0
		}
		fates, h, busy, up := x.fates(t, how, after)
		twin := x.tick(after, depth)
		var got, want []string
		end := 0
		for i, f := range fates {
			j := &twin.jobs[i]
			hits += j.hits
			end = max(end, j.end)
			got, want = append(got, fmt.Sprint(f[:3])), append(want, fmt.Sprint([]int{j.start, j.end, j.hits}))
		}
		if !slices.Equal(got, want) {
			text, _ := json.Marshal(x)
			t.Fatalf("case %d under %v, %v: %v, tick by tick %v\n%s", n, how, after, got, want, text)
		}
		z := twin.hours
		hours := []float64{h.Kept, h.Checkpoints, h.Recovery, h.Detection, h.Lost}
		for i, name := range []string{"kept", "checkpoints", "recovery", "detection", "lost"} {
			if hours[i] != float64(z[i]) {
				t.Errorf("case %d: %v hours %s, tick by tick %d", n, hours[i], name, z[i])
			}
		}
		all := x.Servers * (end - x.Jobs[0].Arrival)
		if sum := z[0] + z[1] + z[2] + z[3] + z[4] + z[5] + z[6]; sum != all {
			t.Errorf("case %d: the hours tick by tick sum to %d of %d", n, sum, all)
		}
		if held := h.Kept + h.Checkpoints + h.Recovery + h.Detection + h.Lost; math.Abs(held-busy) > 1e-9 {
			t.Errorf("case %d: jobs held servers for %v hours and account for %v", n, busy, held)
		}
		if least := float64(all - z[6] - z[3]); up < least || up > float64(all-z[6]) {
			t.Errorf("case %d: servers were up for %v hours of %d, %d down and idle", n, up, all, z[6])
		}
	}
	if hits < 300 {
		t.Errorf("only %d hits", hits)
	}
}

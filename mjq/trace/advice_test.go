package trace_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// site is a cluster of ten servers whose scheduler writes logs, as made by followedLog: jobs of up to
// four servers and twenty users, by the hour of the day.
type site struct {
	name   string // of its policy, as a page has it
	policy mjq.Policy
	labels bool // one job in five is of the QOS "high"
	busy   float64
	burst  float64
}

// sites are those of the page on what was measured.
func sites(busy float64) (list []site) {
	easy := policy.EASY().Estimates(policy.Given())
	for _, burst := range []float64{0.05, 0.3} {
		list = append(list, site{"first come, first served", policy.FCFS{}, false, busy, burst},
			site{"EASY backfilling by time limits", easy, false, busy, burst},
			site{"priority of high before low, EASY backfilling by time limits", mjq.Priority([]string{"high"}, []string{"low"}).Within(easy), true, busy, burst})
	}
	return list
}

// jobs are those that come to the site in so many days.
func (s site) jobs(days int, seed uint64) *trace.Trace {
	log := dailyLog(days, s.busy, s.burst, seed)
	for i := range log.Jobs {
		if s.labels {
			log.Jobs[i].Class = map[bool]string{true: "high", false: "low"}[i%5 == 0]
		}
	}
	return log
}

// log is what its scheduler writes, waits in whole seconds.
func (s site) log(days int, seed uint64) *trace.Trace {
	log := s.jobs(days, seed)
	path := mjq.Must(log.Path(background, trace.Replay{Servers: 10, Policy: s.policy}, 0, 0, mjq.NoCache()))
	for _, j := range path.Jobs {
		log.Jobs[j.Number].Waited, log.Jobs[j.Number].WaitKnown = math.Round(j.Waiting()), true
	}
	return log
}

// measured is what the pages of some logs of a site come to.
type measured struct {
	logs               float64
	right, open, wrong float64                  // name the policy of the site, say that they cannot tell, name another
	given, held        [len(quantities)]float64 // have an interval of a quantity, and hold it
	clear, sound       float64                  // call the direction of what a tenth more servers changes clear, and are right
}

// quantities are those whose intervals are measured: the mean wait, and what a tenth more servers, a tenth
// fewer and another policy change.
var quantities = [...]string{"", "1 server more", "1 server fewer", ""}

// other is the policy that the site does not run.
func (s site) other() (string, mjq.Policy) {
	if s.name == "first come, first served" {
		return "EASY backfilling by time limits", policy.EASY().Estimates(policy.Given())
	}
	return "first come, first served", policy.FCFS{}
}

// pages are those of logs of so many days. truth has the quantities in the long run.
func (s site) pages(t testing.TB, days, logs int, truth [len(quantities)]float64) (m measured) {
	for seed := range logs {
		a, err := s.log(days, uint64(1000+seed)).Advise(background, trace.Replay{Servers: 10}, nil, mjq.NoCache())
		if err != nil {
			t.Fatal(err)
		}
		m.logs++
		switch near := a.Explained.Candidates[0].Name; {
		case a.Explained.Verdict == trace.NoWaiting || len(a.Explained.Also) > 0:
			m.open++
		case near == s.name:
			m.right++
		default:
			m.wrong++
		}
		other, _ := s.other()
		for k, name := range quantities {
			low, high := a.Base.Waiting.Lo(), a.Base.Waiting.Hi()
			if k > 0 {
				at := slices.IndexFunc(a.Scenarios, func(o trace.Outcome) bool { return o.Name == cmp.Or(name, other) })
				if at < 0 { // the site is taken to run it
					continue
				}
				o := &a.Scenarios[at]
				if low, high = o.Low, o.High; k == 1 && o.Clear() {
					m.clear++
					if o.All.Waiting.Value*truth[k] > 0 {
						m.sound++
					}
				}
			}
			if low == low {
				m.given[k]++
				if low <= truth[k] && truth[k] <= high {
					m.held[k]++
				}
			}
		}
	}
	return m
}

// truth has the quantities in the long run.
func (s site) truth(days int) (x [len(quantities)]float64) {
	endless := s.jobs(days, 12345)
	waits := func(servers int, p mjq.Policy) float64 {
		return mjq.Must(endless.Replay(background, trace.Replay{Servers: servers, Policy: p}, mjq.NoCache())).All.Waiting.Mean.Value
	}
	_, other := s.other()
	is := waits(10, s.policy)
	return [...]float64{is, waits(11, s.policy) - is, waits(9, s.policy) - is, waits(10, other) - is}
}

// TestPagesNameThePolicy: in logs of 30 days at six tenths of the servers, the policy that a page names
// is that of the scheduler which wrote the log.
func TestPagesNameThePolicy(t *testing.T) {
	for _, s := range sites(6) {
		logs := oracle.Sized(2, 100)
		if m := s.pages(t, 30, logs, [...]float64{0, -1, 1, 0}); 20*m.wrong > m.logs || 2*m.open > m.logs || m.sound < m.clear {
			t.Errorf("%s, bursts of %v: %+v", s.name, s.burst, m)
		}
	}
}

// TestAdviceOnASiteWithoutBackfilling: the page of a log made by strict FCFS says so, compares scenarios
// with that, and recommends to backfill, in words of slurm.conf.
func TestAdviceOnASiteWithoutBackfilling(t *testing.T) {
	s := sites(7)[0]
	a := mjq.Must(s.log(44, 3).Advise(background, trace.Replay{Servers: 10}, []trace.Scenario{{Name: "mine", Replay: trace.Replay{Servers: 12}}}, mjq.NoCache()))
	if a.Explained.Verdict != trace.Explains || a.Base.Name != s.name || !strings.Contains(a.Explained.Text, "explains the log") {
		t.Errorf("base %q, %+v", a.Base.Name, a.Explained.Text)
	}
	if r := a.Recommend; !r.Decided || !strings.Contains(r.Scenario, "backfilling") || !strings.Contains(r.Setting, "SchedulerType=sched/backfill") || len(r.Unless) == 0 {
		t.Errorf("%+v", r)
	}
	if !slices.IsSortedFunc(a.Scenarios, func(x, y trace.Outcome) int {
		return int(math.Copysign(1, x.All.Waiting.Value-y.All.Waiting.Value))
	}) || !slices.ContainsFunc(a.Scenarios, func(o trace.Outcome) bool { return o.Name == "mine" }) {
		t.Errorf("scenarios %v", a.Table())
	}
	mine := a.Scenarios[slices.IndexFunc(a.Scenarios, func(o trace.Outcome) bool { return o.Name == "mine" })]
	if again := mjq.Must(s.log(44, 3).Replay(background, trace.Replay{Servers: 12, Policy: s.policy}, mjq.NoCache())); mine.Waiting.Value != again.All.Waiting.Mean.Value || len(mine.Classes) != len(a.Shown.Classes) {
		t.Errorf("twelve servers under the policy of the site: %v, want %v; classes %v", mine.Waiting, again.All.Waiting.Mean, mine.Classes)
	}
	for _, text := range []string{a.String(), a.HTML()} {
		at := 0
		for _, part := range []string{"The log shows", "(h)", "The policy that explains it", "Changes and their effect", "mine", "Recommendation", "Change to: ", "Unknown to the replay"} {
			next := strings.Index(text[at:], part)
			if next < 0 {
				t.Errorf("the page does not say %q in its place:\n%s", part, text)
			}
			at += max(0, next)
		}
	}
	quiet := site{s.name, s.policy, false, 1, 0.05}
	if a := mjq.Must(quiet.log(30, 4).Advise(background, trace.Replay{Servers: 40}, nil, mjq.NoCache())); a.Explained.Verdict != trace.NoWaiting || !strings.HasPrefix(a.Recommend.Answer, "Change nothing") {
		t.Errorf("nobody waits: %+v, %+v", a.Explained.Text, a.Recommend)
	}
}

// BenchmarkPages prints what is published of the pages: how often they name the policy, and how often
// their intervals hold.
func BenchmarkPages(b *testing.B) {
	logs, long := map[int]int{10: 20, 30: 100, 90: 20, 365: 6}, 10_000
	if os.Getenv("MJQ_LONG") == "" {
		logs, long = map[int]int{10: 2, 30: 2}, 2000
	}
	fmt.Println("load,policy,daily bursts,days,logs,named,left open,named another,direction clear,direction right,waits given,waits held,more given,more held,fewer given,fewer held,policy given,policy held")
	for _, s := range slices.Concat(sites(6), sites(7.5)) {
		truth := s.truth(long)
		for _, days := range []int{10, 30, 90, 365} {
			if n := logs[days]; n > 0 && (s.busy == 6 || days == 30 || days == 90) {
				m := s.pages(b, days, n, truth)
				fmt.Printf("%g,%q,%g,%d,%g,%g,%g,%g,%g,%g", s.busy/10, s.name, s.burst, days, m.logs, m.right, m.open, m.wrong, m.clear, m.sound)
				for k := range quantities {
					fmt.Printf(",%g,%g", m.given[k], m.held[k])
				}
				fmt.Println()
			}
		}
	}
}

package trace_test

import (
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
	right, open, wrong float64 // name the policy of the site, say that they cannot tell, name another
	given, held        float64 // have an interval of what a tenth more servers changes, and hold it
	clear, sound       float64 // call its direction clear, and are right
}

// pages are those of logs of so many days. truth is what a tenth more servers changes in the long run.
func (s site) pages(t testing.TB, days, logs int, truth float64) (m measured) {
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
		o := &a.Scenarios[slices.IndexFunc(a.Scenarios, func(o trace.Outcome) bool { return o.Name == "1 server more" })]
		if o.Clear() {
			m.clear++
			if o.All.Waiting.Value*truth > 0 {
				m.sound++
			}
		}
		if !math.IsNaN(o.Low) {
			m.given++
			if o.Low <= truth && truth <= o.High {
				m.held++
			}
		}
	}
	return m
}

// truth is what a tenth more servers changes in the long run.
func (s site) truth(days int) float64 {
	endless := s.jobs(days, 12345)
	waits := func(servers int) float64 {
		return mjq.Must(endless.Replay(background, trace.Replay{Servers: servers, Policy: s.policy}, mjq.NoCache())).All.Waiting.Mean.Value
	}
	return waits(11) - waits(10)
}

// TestPagesNameThePolicy: in logs of 30 days at six tenths of the servers, the policy that a page names
// is that of the scheduler which wrote the log.
func TestPagesNameThePolicy(t *testing.T) {
	for _, s := range sites(6) {
		logs := oracle.Sized(3, 100)
		if m := s.pages(t, 30, logs, -1); 20*m.wrong > m.logs || 2*m.open > m.logs || m.sound < m.clear {
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
	for _, text := range []string{a.String(), a.HTML()} {
		for _, part := range []string{"Change to: ", "The log shows", "The policy that explains it", "Scenarios", "Limits of this page", "(h)", "mine"} {
			if !strings.Contains(text, part) {
				t.Errorf("the page does not say %q:\n%s", part, text)
			}
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
	logs, long := map[int]int{10: 60, 30: 100, 90: 40, 365: 12}, 20_000
	if os.Getenv("MJQ_LONG") == "" {
		logs, long = map[int]int{10: 2, 30: 2}, 2000
	}
	fmt.Println("load,policy,daily bursts,days,logs,named,left open,named another,with interval,held,direction clear,direction right")
	for _, s := range slices.Concat(sites(6), sites(7.5)) {
		truth := s.truth(long)
		for _, days := range []int{10, 30, 90, 365} {
			if n := logs[days]; n > 0 && (s.busy == 6 || days == 30) {
				m := s.pages(b, days, n, truth)
				fmt.Printf("%g,%q,%g,%d,%g,%g,%g,%g,%g,%g,%g,%g\n", s.busy/10, s.name, s.burst, days, m.logs, m.right, m.open, m.wrong, m.given, m.held, m.clear, m.sound)
			}
		}
	}
}

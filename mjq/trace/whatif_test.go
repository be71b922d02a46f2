package trace_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// dailyLog is a log of so many days with jobs by the hour of the day, of 20 users, more or fewer
// of them on a day by a factor drawn for it; busy is the mean number of busy servers.
func dailyLog(days int, busy, burst float64, seed uint64) *trace.Trace {
	return followedLog(days, busy, burst, 0, seed)
}

// followedLog is dailyLog with a correlation of the logarithms of the factors of a day and the next.
func followedLog(days int, busy, burst, follow float64, seed uint64) *trace.Trace {
	r := rand.New(rand.NewPCG(seed, 99))
	const perDay, meanNeed, mean = 100., 2.5, 3000.
	scale := busy * trace.Day / (perDay * meanNeed * mean)
	var jobs []trace.Job
	z := 0.
	for d := range days {
		z = follow*z + math.Sqrt(1-follow*follow)*r.NormFloat64()
		factor := math.Exp(burst*z - burst*burst/2)
		for hour := range 24 {
			rate := perDay / 24 * factor * (1 + 0.8*math.Sin(2*math.Pi*float64(hour-6)/24))
			for at := r.ExpFloat64() / rate; at < 1; at += r.ExpFloat64() / rate {
				j := trace.Job{Arrival: (float64(24*d+hour) + at) * 3600, Need: 1 + r.IntN(4), Service: mean * scale * r.ExpFloat64(), User: fmt.Sprint("u", r.IntN(20))}
				j.Estimate = 2 * j.Service
				jobs = append(jobs, j)
			}
		}
	}
	return trace.New(fmt.Sprintf("%d days", days), jobs)
}

func workOf(t *trace.Trace) (sum float64) {
	for _, j := range t.Jobs {
		sum += float64(j.Need) * j.Service
	}
	return sum
}

func TestTransforms(t *testing.T) {
	log := dailyLog(20, 6, 0.2, 1)
	cut, chain := log.CapService(3600, trace.Cut), log.CapService(3600, trace.Chain)
	if len(cut.Jobs) != len(log.Jobs) || len(chain.Jobs) <= len(log.Jobs) || math.Abs(workOf(chain)-workOf(log)) > 1e-6*workOf(log) || workOf(cut) >= workOf(log) {
		t.Errorf("capped: %d and %d jobs of %d, work %v and %v of %v", len(cut.Jobs), len(chain.Jobs), len(log.Jobs), workOf(cut), workOf(chain), workOf(log))
	}
	for _, x := range []*trace.Trace{cut, chain} {
		for _, j := range x.Jobs {
			if j.Service > 3600 || j.Estimate > 3600 {
				t.Fatalf("%v: job %+v", x, j)
			}
		}
	}
	if narrow := log.CapNeed(2); narrow.MaxNeed() != 2 || math.Abs(workOf(narrow)-workOf(log)) > 1e-6*workOf(log) {
		t.Errorf("%v", narrow)
	}
	wide := func(j *trace.Job) bool { return j.Need == 4 }
	if only, without := log.Only(wide), log.Without(wide); len(only.Jobs)+len(without.Jobs) != len(log.Jobs) || without.MaxNeed() != 3 {
		t.Errorf("%v and %v of %v", only, without, log)
	}
	for _, bad := range []*trace.Trace{log.CapService(0, trace.Cut), log.CapService(5, "x"), log.CapNeed(0), log.Scale(0, 1), trace.New("short", log.Jobs[:5]).Scale(2, 1)} {
		if bad.Validate() == nil {
			t.Errorf("%v has no fault", bad)
		}
	}
	if len(log.Jobs) == 0 || log.Validate() != nil {
		t.Error("the log itself has changed")
	}
}

// More of the same load has the factor, the same days, and the shape of the day.
func TestScaleKeepsTheShapeOfTheDay(t *testing.T) {
	log := dailyLog(200, 6, 0.1, 2)
	byPart := func(x *trace.Trace) (share [4]float64) {
		for _, j := range x.Jobs {
			share[int(math.Mod(j.Arrival, trace.Day)/trace.Day*4)] += 1 / float64(len(x.Jobs))
		}
		return share
	}
	own := byPart(log)
	for _, factor := range []float64{0.5, 1.3, 2, 2.75} {
		x := log.Scale(factor, 7)
		if got := float64(len(x.Jobs)) / float64(len(log.Jobs)); math.Abs(got-factor) > 0.05*factor {
			t.Errorf("%g times the jobs, want %g", got, factor)
		}
		if last, was := x.Jobs[len(x.Jobs)-1].Arrival, log.Jobs[len(log.Jobs)-1].Arrival; math.Floor(last/trace.Day) > math.Floor(was/trace.Day) {
			t.Errorf("the last arrival is at %v, was at %v", last, was)
		}
		for k, share := range byPart(x) {
			if math.Abs(share-own[k]) > 0.02 {
				t.Errorf("%g: part %d of the day has %v of the jobs, want %v", factor, k, share, own[k])
			}
		}
		if again := log.Scale(factor, 7); len(again.Jobs) != len(x.Jobs) || again.Jobs[50].Arrival != x.Jobs[50].Arrival {
			t.Error("two draws of one seed differ")
		}
	}
}

// What if, against the replays themselves.
func TestWhatIfAgainstReplays(t *testing.T) {
	log := dailyLog(30, 5, 0.2, 3)
	base := trace.Replay{Servers: 10}
	for i := range log.Jobs {
		log.Jobs[i].WaitKnown, log.Jobs[i].Waited = true, 500
	}
	short := log.CapService(7200, trace.Cut)
	out := mjq.Must(log.WhatIf(background, base, []trace.Scenario{
		{Name: "same", Replay: base}, {Name: "EASY", Replay: trace.Replay{Servers: 10, Policy: policy.EASY()}},
		{Name: "twelve", Replay: trace.Replay{Servers: 12}}, {Name: "two hours", Log: short, Replay: base}}, mjq.NoCache()))
	mean := func(x *trace.Trace, how trace.Replay) float64 {
		return mjq.Must(x.Replay(background, how)).All.Waiting.Mean.Value
	}
	was := mean(log, base)
	for i, want := range []float64{was, mean(log, trace.Replay{Servers: 10, Policy: policy.EASY()}), mean(log, trace.Replay{Servers: 12}), mean(short, base)} {
		x := out.Scenarios[i]
		if math.Abs(x.Waiting.Value-want) > 1e-9*was || math.Abs(x.All.Waiting.Value-(want-was)) > 1e-9*was {
			t.Errorf("%s: %v, change %v; want %v, %v", x.Name, x.Waiting, x.All.Waiting, want, want-was)
		}
		if len(x.Classes) != 4 || x.Users != 20 {
			t.Errorf("%s: %d classes, %d users", x.Name, len(x.Classes), x.Users)
		}
	}
	same, twelve := out.Scenarios[0], out.Scenarios[2]
	if same.All.Waiting.HalfWidth != 0 || same.Worse+same.Better != 0 || twelve.Better == 0 || twelve.Worse > 0 || !(twelve.IdleHours > same.IdleHours) {
		t.Errorf("the same %+v\ntwelve %+v", same, twelve)
	}
	if h := twelve.All.Waiting.HalfWidth; !(h > 0) || h > was {
		t.Errorf("half-width %v", h)
	}
	if v := out.Logged; v == nil || v.All.Logged != 500 || len(v.ByHour) != 24 || len(v.BySize) != 3 || !strings.Contains(v.Verdict, "vary too much") {
		t.Errorf("validation %+v", out.Logged)
	}
	if text := out.String() + out.ByClass().String() + out.Logged.Table().String(); !strings.Contains(text, "two hours") || !strings.Contains(text, "13:00") {
		t.Error(text)
	}
	if _, err := log.WhatIf(background, base, []trace.Scenario{{Replay: base}}); err == nil || !strings.Contains(err.Error(), "has no name") {
		t.Errorf("%v", err)
	}
	if _, err := trace.New("hour", log.Jobs[:5]).WhatIf(background, base, nil); err == nil || !strings.Contains(err.Error(), "2 to 100000 days") {
		t.Errorf("%v", err)
	}
}

// meanWait is a question about a log.
func meanWait(how trace.Replay) func(context.Context, *trace.Trace) (float64, error) {
	return func(ctx context.Context, x *trace.Trace) (float64, error) {
		r, err := x.Replay(ctx, how, mjq.NoCache())
		if err != nil {
			return 0, err
		}
		return r.All.Waiting.Mean.Value, nil
	}
}

// The same seed gives the same bits on one goroutine and on four, and the answer lies inside.
func TestBootstrapOnAnyNumberOfGoroutines(t *testing.T) {
	log := dailyLog(30, 6, 0.2, 4)
	ask := meanWait(trace.Replay{Servers: 8})
	one := mjq.Must(log.Bootstrap(background, trace.Bootstrap{Resamples: 40}, ask, mjq.Seed(3), mjq.Workers(1)))
	four := mjq.Must(log.Bootstrap(background, trace.Bootstrap{Resamples: 40}, ask, mjq.Seed(3), mjq.Workers(4)))
	if one.String() != four.String() || !(one.Low < one.Value && one.Value < one.High) {
		t.Errorf("%v\n%v", one, four)
	}
	broken := func(context.Context, *trace.Trace) (float64, error) { return 0, fmt.Errorf("no answer") }
	if _, err := log.Bootstrap(background, trace.Bootstrap{}, broken); err == nil {
		t.Error("a question that fails has an answer")
	}
	if _, err := log.Bootstrap(background, trace.Bootstrap{Resamples: 5, Block: -1}, nil); err == nil || strings.Count(err.Error(), "\n") < 2 {
		t.Errorf("%v", err)
	}
}

// covering is a kind of log and a scenario, a tenth more servers.
type covering struct {
	days   int
	busy   float64 // of 10 servers
	burst  float64
	follow float64
	policy mjq.Policy
}

// coverage is how often the intervals of the mean wait and of its change over the days of a log hold
// those over a long log, in days, of the logs that have intervals, and the share of those.
func (c covering) coverage(runs, long int) (mean, change, given float64) {
	base, more := trace.Replay{Servers: 10, Policy: c.policy}, trace.Replay{Servers: 11, Policy: c.policy}
	endless := followedLog(long, c.busy, c.burst, c.follow, 12345)
	waits := func(how trace.Replay) float64 {
		return mjq.Must(endless.Replay(background, how, mjq.NoCache())).All.Waiting.Mean.Value
	}
	was, is := waits(base), waits(more)
	for run := range runs {
		out := mjq.Must(followedLog(c.days, c.busy, c.burst, c.follow, uint64(run)).
			WhatIf(background, base, []trace.Scenario{{Name: "more", Replay: more}}, mjq.NoCache()))
		x := &out.Scenarios[0]
		if math.IsNaN(x.All.Waiting.HalfWidth) {
			continue
		}
		given++
		if math.Abs(x.Waiting.Value-is) <= x.Waiting.HalfWidth {
			mean++
		}
		if x.Low <= is-was && is-was <= x.High {
			change++
		}
	}
	return mean / given, change / given, given / float64(runs)
}

func TestIntervalsOverDaysHold(t *testing.T) {
	mean, change, given := covering{days: 60, busy: 5, burst: 0.2}.coverage(oracle.Sized(14, 40), 3000)
	if mean < 0.88 || change < 0.88 || given < 0.8 {
		t.Errorf("95 %% intervals over 60 days hold the mean wait in %v and its change in %v of those of the logs that have them, which are %v", mean, change, given)
	}
	for _, none := range []covering{{days: 60, busy: 5, burst: 0.4, follow: 0.8}, {days: 30, busy: 8.3, burst: 0.2}} {
		if _, _, given := none.coverage(oracle.Sized(8, 15), 30); given > 0.3 {
			t.Errorf("%+v: %v of the logs have intervals; busy days follow busy days, or the load is near the limit", none, given)
		}
	}
}

// BenchmarkCoverageOverDays prints how often 95 % intervals over days hold, in 1,000 logs with
// MJQ_LONG set and in 100 otherwise.
func BenchmarkCoverageOverDays(b *testing.B) {
	runs := 100
	if os.Getenv("MJQ_LONG") != "" {
		runs = 1000
	}
	easy := policy.EASY().Estimates(policy.Given())
	for _, days := range []int{30, 90} {
		for _, c := range []covering{{busy: 5}, {busy: 6, burst: 0.2}, {busy: 7, burst: 0.2}, {busy: 7.5, burst: 0.2},
			{busy: 7, burst: 0.2, policy: easy}, {busy: 8, burst: 0.2, policy: easy}, {busy: 6, burst: 0.2, follow: 0.7}} {
			c.days = days
			b.Run(fmt.Sprintf("days=%d/busy=%g/burst=%g/follow=%g/EASY=%v", days, c.busy, c.burst, c.follow, c.policy != nil), func(b *testing.B) {
				for b.Loop() {
					mean, change, given := c.coverage(runs, 20_000)
					b.ReportMetric(mean, "mean")
					b.ReportMetric(change, "change")
					b.ReportMetric(given, "given")
				}
			})
		}
	}
}

// The verdict on a replay follows from the waits of the log.
func TestVerdict(t *testing.T) {
	log := dailyLog(80, 4, 0.1, 5)
	how := trace.Replay{Servers: 10, Policy: policy.EASY()}
	path := mjq.Must(log.Path(background, how, 0, 0))
	verdict := func(factor float64) string {
		for _, j := range path.Jobs {
			log.Jobs[j.Number].Waited, log.Jobs[j.Number].WaitKnown = factor*j.Waiting(), true
		}
		return mjq.Must(log.WhatIf(background, how, nil, mjq.NoCache())).Logged.Verdict
	}
	for factor, part := range map[float64]string{1: "does not differ", 1.2: "83 % of the time", 20: "0.05 times as long"} {
		if got := verdict(factor); !strings.Contains(got, part) {
			t.Errorf("waits %g times as long: %q does not say %q", factor, got, part)
		}
	}
	verdict(1)
	for n := range log.Jobs {
		log.Jobs[n].WaitKnown = n%2 == 0
	}
	if v := mjq.Must(log.WhatIf(background, how, nil, mjq.NoCache())).Logged.All; v.Jobs != len(log.Jobs)/2 || math.Abs(v.Replayed-v.Logged) > 1e-9*v.Logged {
		t.Errorf("of the half whose waits are known, %d jobs, the mean is %v in the log and %v in its own replay", v.Jobs, v.Logged, v.Replayed)
	}
}

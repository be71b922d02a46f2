package failing_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/failing"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/mam"
)

// ways are all that may follow a hit.
var ways = map[string]failing.After{
	"resume":           {How: failing.Resume},
	"resume slowly":    {How: failing.Resume, Recovery: 0.4, Detection: 0.1},
	"restart":          {How: failing.Restart, Recovery: 0.3, Detection: 0.2},
	"resampled":        {How: failing.Resampled, Recovery: 0.3, Detection: 0.2},
	"drop":             {How: failing.Drop},
	"migrate":          {How: failing.Migrate},
	"checkpoint":       {How: failing.Checkpoint, Every: 0.7, Cost: 0.1, Recovery: 0.2, Detection: 0.15},
	"often checkpoint": {How: failing.Checkpoint, Every: 0.15, Cost: 0.02},
}

var works = []law.Law{
	law.Deterministic{X: 2}, law.ExpMean(1.5), law.ErlangMeanPhases(2, 3), law.Uniform{Lo: 1, Hi: 3}, law.NewEmpirical([]float64{0.4, 1, 2.8}),
	law.LogNormalMeanSCV(1.2, 0.5), law.WeibullMeanShape(2, 2),
}

// The law of the time that a job holds its servers has the moments, the transform and the tail of
// what it draws.
func TestHoldingDrawsItsMoments(t *testing.T) {
	const n, most = 5_000, 0.2
	for name, after := range ways {
		for _, work := range works {
			if _, heavy := work.(law.LogNormal); heavy && after.How == failing.Restart {
				continue // infinite
			}
			rate := most
			if after.How == failing.Restart {
				rate = 0.06 // else moments are infinite
			}
			l := failing.Hold(work, rate, after)
			draw, rng := law.Prepare(l), rand.NewPCG(7, uint64(len(name)))
			var m1, m2, m3, m4, m8, transform, above float64
			at := work.Mean() * 1.37
			for range n {
				x := draw.Sample(rng)
				m1, m2, m3, m4 = m1+x/n, m2+x*x/n, m3+x*x*x/n, m4+x*x*x*x/n
				m8 += x * x * x * x * x * x * x * x / n
				transform += math.Exp(-0.5*x) / n
				if x > at {
					above += 1. / n
				}
			}
			near := func(what string, got, want, sd float64) {
				t.Helper()
				if z := (got - want) / (sd / math.Sqrt(n)); !(math.Abs(z) < 4.5) && !(math.Abs(got/want-1) < 1e-9) {
					t.Errorf("%s of %v: %s %.6g drawn, %.6g known (z %.1f)", name, work, what, got, want, z)
				}
			}
			near("mean", m1, l.Mean(), math.Sqrt(l.Variance()))
			if !math.IsInf(l.Variance(), 1) {
				near("second moment", m2, l.Moment(2), math.Sqrt(m4-m2*m2))
			}
			if fourth := l.Moment(4); !math.IsInf(fourth, 1) && work.Variance() < 1 && after.How != failing.Restart {
				near("fourth moment", m4, fourth, math.Sqrt(m8-m4*m4))
			}
			near("transform", transform, l.Laplace(0.5), math.Sqrt(transform))
			if third := l.Moment(3); !math.IsInf(third, 1) && math.Abs(m3/third-1) > 0.2 {
				t.Errorf("%s of %v: third moment %.4g drawn, %.4g known", name, work, m3, third)
			}
			if _, fixed := work.(law.Deterministic); !fixed && after.Every > 0 && after.Every < 0.5 {
				continue // many nodes
			}
			if p := l.Survival(at); math.Abs(p-above) > 4.5*math.Sqrt(p*(1-p)/n)+2e-3 {
				t.Errorf("%s of %v: P(C > %g) is %.4g drawn, %.4g known", name, work, at, above, p)
			}
		}
	}
}

// same fails unless two numbers agree.
func same(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= tolerance) && got != want {
		t.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}

// What follows a hit has the limits that it must have, for all works.
func TestWaysAgree(t *testing.T) {
	for _, work := range works {
		const rate = 0.15
		never := failing.After{How: failing.Checkpoint, Every: 50, Recovery: 0.2, Detection: 0.1}
		if hi := work.Quantile(1); hi < 50 {
			restart := failing.After{How: failing.Restart, Recovery: 0.2, Detection: 0.1}
			same(t, work.String()+": an interval above the work", never.Held(work, rate).Mean, restart.Held(work, rate).Mean, 1e-11)
			same(t, work.String()+": its variance", never.Held(work, rate).Variance, restart.Held(work, rate).Variance, 1e-9)
		}
		resume, often := failing.After{How: failing.Resume}.Held(work, rate), failing.After{How: failing.Checkpoint, Every: 1e-2}.Held(work, rate)
		same(t, work.String()+": many checkpoints", often.Mean, resume.Mean, 2e-3)
		same(t, work.String()+": variance", often.Variance+1, resume.Variance+1, 5e-3)
		for name, after := range ways {
			still := failing.Hold(work, 1e-9, after)
			if after.How != failing.Checkpoint && !math.IsInf(still.Mean(), 1) {
				same(t, work.String()+", "+name+": few failures", still.Mean(), work.Mean(), 1e-6)
			}
		}
	}
	exp := law.ExpMean(2)
	for _, rate := range []float64{0.5, 0.7} {
		if held := (failing.After{}).Held(exp, rate); !math.IsInf(held.Mean, 1) {
			t.Errorf("exponential work that is begun again and again ends after %v", held.Mean)
		}
	}
	// Exponential work with checkpoints by its own formula and by the law of the work.
	after := ways["checkpoint"]
	general := law.WeibullMeanShape(1.5, 1)
	same(t, "exponential work, as a general law", after.Held(general, 0.2).Mean, after.Held(law.ExpMean(1.5), 0.2).Mean, 1e-12)
	same(t, "its variance", after.Held(general, 0.2).Variance, after.Held(law.ExpMean(1.5), 0.2).Variance, 1e-11)
	same(t, "its third cumulant", after.Held(general, 0.2).Third, after.Held(law.ExpMean(1.5), 0.2).Third, 1e-9)
}

// M/M/1 whose server breaks down, and other queues of which all jobs move to servers that are up,
// have the values of chains of another hand.
func TestBreakdowns(t *testing.T) {
	for _, name := range []string{"breakdown-mm1", "breakdown-mmc", "breakdown-gang", "breakdown-all", "breakdown-order", "breakdown-order_never"} {
		for _, v := range oracle.AllExtended(t, name+"-") {
			m := model(v.Model)
			q := failing.Queue{Servers: failing.Servers{All: int(m.number("servers"))}, Rate: m.number("rate"), Room: int(m.number("jobs_at_most")), How: failing.Migrate}
			if up := m.text("breakdowns", "up"); up != "never" {
				q.Kinds = []failing.Kind{{1 / lawOf(t, up).Mean(), lawOf(t, m.text("breakdowns", "repair"))}}
			}
			for _, c := range m.at("classes").([]any) {
				c := model(c.(map[string]any))
				q.Classes = append(q.Classes, failing.Class{int(c.number("need")), c.number("prob"), lawOf(t, c.text("service"))})
			}
			a, err := q.Solve(t.Context(), chain.Limits{Bytes: 1e9, Flops: 1e11})
			if err != nil {
				t.Fatal(v.ID, err)
			}
			class := 0
			if v.ID[len(v.ID)-1] == '1' && len(q.Classes) > 1 {
				class = 1
			}
			c := a.Classes[class]
			wait := c.Jobs/(q.Rate*q.Classes[class].Prob*(1-a.Full)) - q.Classes[class].Work.Mean()
			got := map[string]float64{"W": wait, "W0": wait, "W1": wait, "now": a.Classes[0].AtOnce, "limit": a.Limit, "hit": c.Interruptions, "full": a.Full}[v.ID[len(name)+1:]]
			rated(t, v.ID, got)
		}
	}
	report(t)
}

// Queues on servers that fail have the limits that they must have.
func TestQueuesAgree(t *testing.T) {
	solve := func(q failing.Queue) *failing.Answer {
		t.Helper()
		a, err := q.Solve(t.Context(), chain.Limits{Bytes: 1e9, Flops: 1e11})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	base := func() failing.Queue {
		return failing.Queue{Servers: failing.Servers{All: 7, Kinds: []failing.Kind{{0.02, law.ExpMean(3)}}}, Rate: 0.9, How: failing.Resume,
			Classes: []failing.Class{{2, 1, law.ExpMean(1)}}}
	}
	jobs := func(a *failing.Answer) float64 { return a.Classes[0].Jobs }

	calm := base()
	calm.Kinds = nil
	same(t, "no failures", jobs(solve(calm)), 0.9+mam.ErlangC(3, 0.9)*0.9/(3-0.9), 1e-11)

	spare := base()
	spare.Spares = 1
	same(t, "the server too many as a spare", jobs(solve(spare)), jobs(solve(base())), 1e-11)

	two := base()
	two.Kinds = []failing.Kind{{0.015, law.ExpMean(3)}, {0.005, law.ExpMean(3)}}
	same(t, "two kinds with one repair", jobs(solve(two)), jobs(solve(base())), 1e-11)

	list := base()
	list.Classes = []failing.Class{{2, 0.4, law.ExpMean(1)}, {2, 0.6, law.ExpMean(1)}}
	a := solve(list)
	same(t, "one class as two", a.Classes[0].Jobs+a.Classes[1].Jobs, jobs(solve(base())), 1e-10)
	same(t, "its first waits", a.Classes[0].Fresh+a.Classes[1].Fresh, solve(base()).Classes[0].Fresh, 1e-10)

	limit, err := base().LimitOfOne(2, 0, law.ExpMean(1), failing.After{How: failing.Resume})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the limit of one class", solve(base()).Limit, limit, 1e-11)

	// Servers that are back at once: Pollaczek and Khinchin with the time that a job holds them.
	brief := failing.Queue{Servers: failing.Servers{All: 3, Kinds: []failing.Kind{{0.1, law.Deterministic{}}}}, Rate: 0.4, How: failing.Resampled,
		Classes: []failing.Class{{3, 1, law.ErlangMeanPhases(1, 2)}}}
	held := failing.Hold(law.ErlangMeanPhases(1, 2), 0.3, failing.After{How: failing.Resampled})
	wait := 0.4 * held.Moment(2) / (2 * (1 - 0.4*held.Mean()))
	same(t, "interruptions only", jobs(solve(brief)), 0.4*(wait+held.Mean()), 1e-11)
	same(t, "interruptions", solve(brief).Classes[0].Interruptions, held.Time.Hits, 1e-11)

	// The law of the repairs matters only through its mean where each has a crew.
	for _, busy := range []bool{false, true} {
		share := func(repair law.Law) float64 {
			e := failing.Endless{Servers: failing.Servers{All: 13, Busy: busy, Kinds: []failing.Kind{{0.01, repair}}}, Need: 6, Jobs: 2, After: ways["often checkpoint"]}
			s, err := e.Share()
			if err != nil {
				t.Fatal(err)
			}
			return s.ETTR
		}
		same(t, "the law of repair", share(law.LogNormalMeanSCV(5, 3)), share(law.ExpMean(5)), 0)
	}
}

// Higher moments of work of phases that is drawn anew are those of the phases, and those of work that
// resumes after a detection those of a Poisson number of them.
func TestHigherMoments(t *testing.T) {
	anew := failing.Hold(law.ErlangMeanPhases(2, 3), 0.2, failing.After{How: failing.Resampled})
	resumed := failing.Hold(law.Deterministic{X: 2}, 0.2, failing.After{How: failing.Resume, Detection: 0.3})
	written := failing.Hold(law.Deterministic{X: 2}, 0.2, failing.After{How: failing.Checkpoint, Every: 0.5, Cost: 0.1, Recovery: 0.3, Detection: 0.3})
	whole := failing.Hold(law.Deterministic{X: 0.6}, 0.2, failing.After{How: failing.Restart, Recovery: 0.3, Detection: 0.3})
	last := failing.Hold(law.Deterministic{X: 0.5}, 0.2, failing.After{How: failing.Restart, Recovery: 0.3, Detection: 0.3})
	for k := 4; k <= 5; k++ {
		same(t, "drawn anew", anew.Moment(k), law.Moment(anew.Law(), k), 1e-9)
		sum, p := 0.0, math.Exp(-0.4)
		for n := range 40 {
			sum += p * math.Pow(2+0.3*float64(n), float64(k))
			p *= 0.4 / float64(n+1)
		}
		same(t, "resumed", resumed.Moment(k), sum, 1e-12)
	}
	// Three stretches with a checkpoint and a last one: fourth cumulants add up.
	fourth := func(l failing.Holding) float64 {
		m := l.Mean()
		return l.Moment(4) - 4*m*l.Moment(3) + 6*m*m*l.Moment(2) - 3*m*m*m*m - 3*l.Variance()*l.Variance()
	}
	same(t, "checkpoints", fourth(written), 3*fourth(whole)+fourth(last), 1e-9)
}

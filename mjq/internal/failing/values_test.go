package failing_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/internal/failing"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
)

// model reads the words of a reference value.
type model map[string]any

func (m model) number(path ...string) float64 {
	v, _ := m.at(path...).(float64)
	return v
}

func (m model) text(path ...string) string {
	v, _ := m.at(path...).(string)
	return v
}

func (m model) at(path ...string) any {
	var v any = map[string]any(m)
	for _, key := range path {
		inner, _ := v.(map[string]any)
		v = inner[key]
	}
	return v
}

var call = regexp.MustCompile(`^(\w+)\(([\d.e-]+)(?:,(\d+))?\)$`)

// lawOf reads a law as the values write it.
func lawOf(t *testing.T, text string) law.Law {
	t.Helper()
	switch {
	case strings.HasPrefix(text, "none"):
		return law.Deterministic{}
	case text == "exp 10":
		return law.ExpMean(10)
	case text == "det 10":
		return law.Deterministic{X: 10}
	case strings.HasPrefix(text, "any law of mean 48"):
		return law.ErlangMeanPhases(48, 3)
	}
	part := call.FindStringSubmatch(text)
	if part == nil {
		t.Fatalf("no law: %q", text)
	}
	x, err := strconv.ParseFloat(part[2], 64)
	if err != nil {
		t.Fatal(err)
	}
	switch part[1] {
	case "ExpMean":
		return law.ExpMean(x)
	case "Deterministic":
		return law.Deterministic{X: x}
	case "ErlangMeanPhases":
		k, _ := strconv.Atoi(part[3])
		return law.ErlangMeanPhases(x, k)
	}
	t.Fatalf("no law: %q", text)
	return nil
}

// after reads what follows a hit.
func (m model) after(t *testing.T) failing.After {
	if word := m.text("after"); word != "" {
		return failing.After{How: map[string]failing.How{"Resume": failing.Resume, "Resampled": failing.Resampled}[word]}
	}
	for _, at := range [][]string{{"checkpoint"}, {"after"}} {
		a := failing.After{How: failing.Checkpoint, Recovery: m.number("recovery"), Detection: m.number("detection")}
		a.Every, a.Cost = m.number(append(at, "every")...), m.number(append(at, "cost")...)
		if a.Every == 0 {
			a.Every = m.number(append(at, "checkpoint_every")...)
			a.Recovery = max(a.Recovery, m.number(append(at, "recovery")...))
			a.Detection = m.number(append(at, "detection")...)
		}
		if a.Every > 0 {
			return a
		}
	}
	return failing.After{}
}

// servers reads how they fail.
func (m model) servers(t *testing.T) failing.Servers {
	s := failing.Servers{All: int(m.number("servers") + m.number("nodes")), Crews: int(m.number("failures", "crews"))}
	s.Busy = strings.Contains(m.text("failures", "of"), "WhileBusy")
	s.Kinds = []failing.Kind{{1 / lawOf(t, m.text("failures", "up")).Mean(), lawOf(t, m.text("failures", "repair"))}}
	return s
}

// rated is a value that is the mean of a law with a rate.
func rated(t *testing.T, id string, got float64) {
	t.Helper()
	if got == 0 || math.IsNaN(got) {
		t.Errorf("%s: %v", id, got)
	}
	oracle.Near(t, id, got)
	v := oracle.Extended(t, id)
	worst = max(worst, math.Abs(got/v.Value-1))
	values++
}

var (
	worst  float64
	values int
)

// report says how many values agreed.
func report(t *testing.T) {
	t.Logf("%d values, largest relative difference %.2g", values, worst)
	values, worst = 0, 0
}

// A job alone holds its servers as long as closed forms of other hands say.
func TestJobsAlone(t *testing.T) {
	for _, v := range oracle.AllFrontier(t, "alone-") {
		m := model(v.Model)
		rate := m.number("failure_rate_of_the_job")
		if rate == 0 {
			rate = m.number("servers_held") * m.number("failure_rate_of_a_server")
		}
		what := v.ID[strings.LastIndex(v.ID, "-")+1:]
		if cost := m.number("checkpoint_cost"); cost > 0 {
			best := failing.BestInterval(rate, cost)
			rated(t, v.ID, map[string]float64{
				"best": best, "young": failing.YoungInterval(rate, cost),
				"stretch": failing.Hits{Rate: rate}.Stretched(best, cost),
			}[what])
			continue
		}
		var work law.Law = law.Deterministic{X: m.number("work")}
		if text := m.text("work"); text != "" {
			work = lawOf(t, text)
		}
		held := m.after(t).Held(work, rate)
		rated(t, v.ID, map[string]float64{"mean": held.Mean, "sd": math.Sqrt(held.Variance), "ettr": work.Mean() / held.Mean}[what])
	}
	report(t)
}

// Jobs that never end do the work that is kept which machine repair and Erlang's formula say.
func TestEndlessJobs(t *testing.T) {
	for _, family := range []string{"fail-hero", "busy-", "nodes-hero"} {
		for _, v := range oracle.AllFrontier(t, family) {
			m := model(v.Model)
			e := failing.Endless{Servers: m.servers(t), After: m.after(t)}
			switch jobs := m.text("jobs"); family {
			case "fail-hero":
				fmt.Sscanf(jobs, "%d jobs of %d", &e.Jobs, &e.Need)
			default:
				fmt.Sscanf(jobs, "one job of %d", &e.Need)
			}
			share, err := e.Share()
			if err != nil {
				t.Fatal(err)
			}
			got := share.ETTR
			if strings.HasSuffix(v.ID, "running") {
				got = share.Running
			}
			rated(t, v.ID, got)
		}
	}
	report(t)
}

// queue reads a queue.
func (m model) queue(t *testing.T) failing.Queue {
	q := failing.Queue{Servers: m.servers(t), Spares: int(m.number("spares")), Rate: m.number("rate"), How: m.after(t).How}
	for _, c := range m.at("classes").([]any) {
		c := model(c.(map[string]any))
		q.Classes = append(q.Classes, failing.Class{int(c.number("need")), c.number("prob"), lawOf(t, c.text("service"))})
	}
	return q
}

// Queues of jobs on servers that fail and are repaired have the means that chains of another
// hand have.
func TestQueues(t *testing.T) {
	solved := map[string]*failing.Answer{}
	for _, family := range []string{"fail-gang16", "fail-erlang", "fail-two", "fail-check"} {
		for _, v := range oracle.AllFrontier(t, family) {
			m := model(v.Model)
			cut := strings.LastIndex(v.ID, "-")
			what := v.ID[cut+1:]
			q := m.queue(t)
			if family == "fail-check" {
				c := q.Classes[0]
				got := c.Work.Mean() / m.after(t).Held(c.Work, float64(c.Need)*q.Servers.Rate()).Mean
				if what == "limit" {
					var err error
					if got, err = q.LimitOfOne(c.Need, q.Spares, c.Work, m.after(t)); err != nil {
						t.Fatal(err)
					}
				}
				rated(t, v.ID, got)
				continue
			}
			a := solved[v.ID[:cut]]
			if a == nil {
				var err error
				if a, err = q.Solve(t.Context(), chain.Limits{}); err != nil {
					t.Fatal(v.ID, err)
				}
				solved[v.ID[:cut]] = a
				t.Logf("%s: %.0f states", v.ID[:cut], a.States)
			}
			class := 0
			if last := what[len(what)-1]; last == '1' {
				class = 1
			}
			c, own := a.Classes[class], q.Rate*q.Classes[class].Prob
			got := map[string]float64{
				"W": c.Jobs/own - q.Classes[class].Work.Mean(), "T": c.Jobs / own, "now": a.Classes[0].AtOnce,
				"hits": c.Interruptions, "limit": a.Limit, "busy": c.Busy * float64(q.Classes[class].Need),
			}[strings.TrimRight(what, "01")]
			rated(t, v.ID, got)
		}
	}
	report(t)
}

// Queues whose servers are back at once have the means that Pollaczek and Khinchin, and Kaufman
// and Roberts, give of the time that a job holds its servers.
func TestInterruptions(t *testing.T) {
	for _, v := range oracle.AllFrontier(t, "inter-") {
		m := model(v.Model)
		cut := strings.LastIndex(v.ID, "-")
		what := v.ID[cut+1:]
		s, rate := m.servers(t), m.number("rate")
		var held []failing.Holding
		var rates, needs, work []float64
		for _, c := range m.at("classes").([]any) {
			c := model(c.(map[string]any))
			w := lawOf(t, c.text("service"))
			held = append(held, failing.Hold(w, c.number("need")*s.Rate(), m.after(t)))
			rates, needs, work = append(rates, rate*c.number("prob")+c.number("rate")), append(needs, c.number("need")), append(work, w.Mean())
		}
		load, square, all := 0.0, 0.0, 0.0
		for k, h := range held {
			load, square, all = load+rates[k]*h.Mean(), square+rates[k]*h.Moment(2), all+rates[k]
		}
		first := square / (2 * (1 - load))
		class := int(what[len(what)-1] - '0')
		var got float64
		switch what {
		case "first":
			got = first
		case "utilization":
			got = load
		case "T0", "T1":
			got = first + held[class].Mean()
		case "limit":
			got = all / load
		default:
			p := kaufman(s.All, rates, needs, held)
			blocked := func(k int) (sum float64) {
				for n := s.All - int(needs[k]) + 1; n <= s.All; n++ {
					sum += p[n]
				}
				return sum
			}
			busy, good := 0.0, 0.0
			for k := range held {
				busy += rates[k] * (1 - blocked(k)) * needs[k] * held[k].Mean()
				good += rates[k] * (1 - blocked(k)) * needs[k] * work[k]
			}
			if got = map[string]float64{"busy": busy, "goodput": good}[what]; got == 0 {
				got = blocked(class)
			}
		}
		rated(t, v.ID, got)
	}
	report(t)
}

// kaufman is the law of the servers that are held in a loss system.
func kaufman(s int, rates, needs []float64, held []failing.Holding) []float64 {
	p, sum := make([]float64, s+1), 1.0
	p[0] = 1
	for n := 1; n <= s; n++ {
		for k := range rates {
			if b := int(needs[k]); b <= n {
				p[n] += rates[k] * held[k].Mean() * needs[k] * p[n-b] / float64(n)
			}
		}
		sum += p[n]
	}
	for n := range p {
		p[n] /= sum
	}
	return p
}

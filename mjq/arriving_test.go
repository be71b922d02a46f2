package mjq_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// erlangA are the shares of M/M/s+M, of the jobs that arrive, by its chain: P(wait), the share
// that gives up, and the mean time in the queue of all. Leaving is at a rate of 0 with a room.
func erlangA(s, room int, rate, leave float64) (wait, left, line float64) {
	for n, p := range oracle.BirthDeath(s, room, rate, leave) {
		if n >= s && n < s+room {
			wait += p
		}
		line += p * float64(max(0, n-s)) / rate
	}
	return wait, leave * line, line
}

// TestArriving: what all arriving jobs meet, by every method, against chains; and the identities
// between the numbers of all jobs and of those that start.
func TestArriving(t *testing.T) {
	base := mjq.Servers(9).Poisson(8).Class("a", 1, 0.6, mjq.ExpMean(1)).Class("b", 1, 0.4, mjq.ExpMean(1))
	for _, q := range []struct {
		name  string
		model mjq.Model
		room  int
		leave float64
	}{
		{"loss", base.Loss(), 0, 0}, {"room", base.Room(5), 5, 0}, {"patience", base.Patience(mjq.ExpMean(0.5)), 300, 2},
		{"room and patience", base.Room(3).Patience(mjq.ExpMean(2)), 3, 0.5}, {"plain", base, 2000, 0},
	} {
		wait, left, line := erlangA(9, q.room, 8, q.leave)
		for _, how := range []mjq.Method{mjq.Exact{}, mjq.Simulation{Jobs: 10_000, Replications: 16, Within: 0.3}, mjq.Unbiased{Samples: 100}} {
			if _, moments := how.(mjq.Unbiased); moments && q.name == "plain" {
				continue // which finds no P(W = 0) there
			}
			r := mjq.Must(q.model.Solve(t.Context(), how, mjq.Seed(4)))
			for _, c := range []*result.ClassResult{&r.All, r.Class("a"), r.Class("b")} {
				a, w := &c.Arriving, &c.Waiting
				near := func(what string, e result.Estimate, want float64) {
					t.Helper()
					if !e.Known() || math.Abs(e.Value-want) > 1e-9+2*e.HalfWidth {
						t.Errorf("%s, %T, %s: %s %v, want %v", q.name, how, c.Name, what, e, want)
					}
				}
				if q.name == "plain" {
					near("mean of the jobs that wait", w.MeanDelayed, 1.0/(9-8))
					if a.Served.Known() || c.ServiceLevel(0.3) != w.CDF(0.3) {
						t.Errorf("a queue that serves all jobs: %+v", a)
					}
					continue
				}
				near("P(wait)", a.Delayed, wait)
				near("mean time in the queue", a.MeanWait, line)
				if c.Left.Known() {
					near("share that gives up", c.Left, left)
				}
				blocked, gone := c.Blocked.Value, c.Left.Value
				if !c.Blocked.Known() {
					blocked = 0
				}
				if !c.Left.Known() {
					gone = 0
				}
				same := func(what string, x, y float64) {
					t.Helper()
					if !(math.Abs(x-y) <= 1e-12) {
						t.Errorf("%s, %T, %s: %s: %v and %v", q.name, how, c.Name, what, x, y)
					}
				}
				same("all jobs are served or dropped", a.Served.Value+blocked+gone, 1)
				same("all jobs start at once, wait or are turned away", a.AtOnce.Value+a.Delayed.Value+blocked, 1)
				same("start at once", a.AtOnce.Value, a.Served.Value*w.NoWait.Value)
				same("service level by the distribution", c.ServiceLevel(0.3).Value, a.Served.Value*w.CDF(0.3).Value)
				same("service level at once", c.ServiceLevel(0).Value, a.AtOnce.Value)
				if w.ServiceLevel.Known() {
					same("service level", a.ServiceLevel.Value, a.Served.Value*w.ServiceLevel.Value)
				}
				if q.name != "loss" {
					same("those that wait", w.MeanDelayed.Value*(1-w.NoWait.Value), w.Mean.Value)
				}
			}
			text, err := json.Marshal(r)
			var back result.Result
			if err == nil {
				err = json.Unmarshal(text, &back)
			}
			if err != nil || fmt.Sprint(back.All.Arriving) != fmt.Sprint(r.All.Arriving) || fmt.Sprint(back.All.Waiting.MeanDelayed) != fmt.Sprint(r.All.Waiting.MeanDelayed) {
				t.Errorf("%s in JSON: %v", q.name, err)
			}
			for form, text := range map[string]string{"text": r.String(), "HTML": r.HTML(), "CSV": r.Table().CSV()} {
				if q.name != "loss" && !strings.Contains(text, "mean if waiting") || q.name != "plain" && !strings.Contains(text, "P(wait) of all") {
					t.Errorf("%s as %s:\n%s", q.name, form, text)
				}
			}
		}
	}
}

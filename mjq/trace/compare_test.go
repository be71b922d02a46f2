package trace_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestCompare: the differences are those of the means, of the log itself too.
func TestCompare(t *testing.T) {
	tr := synthetic(workload.FiveClassExponential().Poisson(1.2), 4000, 5)
	for i := range tr.Jobs {
		tr.Jobs[i].Waited, tr.Jobs[i].WaitKnown = float64(i%7), true
	}
	how := trace.Replay{Servers: 20, WarmUp: 500, Classes: trace.PowersOfTwo, SlowdownThreshold: 0.1, Within: 1}
	c := mjq.Must(tr.Compare(background, how, []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), mjq.ServerFilling()}))
	if got := strings.Join(c.Policies, " "); got != "FCFS FirstFit ServerFilling "+trace.AsLogged {
		t.Fatalf("policies %s", got)
	}
	mean := 0.0
	for i := 500; i < 4000; i++ {
		mean += float64(i%7) / 3500
	}
	if got := c.Of(trace.AsLogged).All.Waiting.Mean.Value; math.Abs(got-mean) > 1e-12 {
		t.Errorf("the log waits %v, want %v", got, mean)
	}
	for _, d := range c.Differences {
		for i, change := range d.Classes {
			a, b := &c.Of(d.Policy).Classes[i], &c.Of(d.Other).Classes[i]
			if want := a.Response.Mean.Value - b.Response.Mean.Value; math.Abs(change.Response.Value-want) > 1e-9 || change.Name != a.Name || !(change.Response.HalfWidth >= 0) {
				t.Errorf("%s less %s, class %s: %v, want %v", d.Policy, d.Other, change.Name, change.Response, want)
			}
		}
	}
	how.Policy = mjq.FirstFit()
	if r := mjq.Must(tr.Replay(background, how)); r.All.Waiting.Mean != c.Of("FirstFit").All.Waiting.Mean {
		t.Errorf("alone %v, compared %v", r.All.Waiting.Mean, c.Of("FirstFit").All.Waiting.Mean)
	}
}

func TestCompareFaults(t *testing.T) {
	tr := synthetic(workload.FiveClassExponential().Poisson(1.2), 1000, 5)
	how := trace.Replay{Servers: 20}
	_, err := tr.Compare(background, how, []mjq.Policy{mjq.FCFS(), mjq.FCFS(), nil}, mjq.HalfWidth(1))
	for _, part := range []string{"policy 3 is nil", "FCFS is given twice", "HalfWidth(1): Compare does not take it"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("no word of %q in: %v", part, err)
		}
	}
	if _, err := tr.Compare(background, how, nil); err == nil || !strings.Contains(err.Error(), "no policy given") {
		t.Errorf("no policy: %v", err)
	}
	c, err := tr.Compare(background, how, []mjq.Policy{mjq.Quickswap(2), policy.EASY().Estimates(policy.Given()), mjq.FirstFit()})
	if err == nil || !strings.Contains(err.Error(), "has no estimate") || len(c.Policies) != 1 {
		t.Errorf("two that are not for these jobs: %v, %v", c, err)
	}
	ctx, cancel := context.WithCancel(background)
	done, total := 0.0, 0.0
	c, err = tr.Compare(ctx, how, []mjq.Policy{mjq.FCFS(), mjq.FirstFit()}, mjq.Progress(func(s mjq.Step) {
		if done, total = s.Done, s.Total; done >= 1000 {
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) || len(c.Policies) == 0 || total != 2000 {
		t.Errorf("interrupted after %v of %v: %v, %v", done, total, c, err)
	}
}

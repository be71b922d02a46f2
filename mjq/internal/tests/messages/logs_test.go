package messages

import (
	"bytes"
	"context"
	"errors"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/workload"
)

// gpus is an invented log of some days of a cluster.
func gpus(days int) *trace.Trace {
	return mjq.Must(trace.ReadSacct("quarter", bytes.NewReader(workload.Quarter(days, 1)), trace.Sacct{Need: "gres/gpu", Only: map[string]string{"Partition": "gpu"}}))
}

// asked asks what a scenario would have meant.
func asked(log *trace.Trace, x trace.Scenario) func() ([]string, error) {
	return func() ([]string, error) {
		o, err := log.WhatIf(background, trace.Replay{Servers: 32, Policy: mjq.EASY()}, []trace.Scenario{x}, mjq.Seed(1))
		if o == nil {
			return nil, err
		}
		return o.Notes, err
	}
}

// resampled asks a question of resampled logs.
func resampled(log *trace.Trace, ask func(context.Context, *trace.Trace) (float64, error)) func() ([]string, error) {
	return func() ([]string, error) {
		b, err := log.Bootstrap(background, trace.Bootstrap{Resamples: 20}, ask, mjq.Seed(1))
		if b == nil {
			return nil, err
		}
		return b.Notes, err
	}
}

// swept computes a grid.
func swept(g mjq.Grid, opts ...mjq.Option) func() ([]string, error) {
	return func() ([]string, error) {
		_, err := mjq.Sweep(background, queue(), g, append(opts, mjq.Seed(1))...)
		return nil, err
	}
}

// merged puts parts of a sweep together.
func merged(parts ...*result.Sweep) func() ([]string, error) {
	return func() ([]string, error) {
		_, err := result.MergeSweeps(parts...)
		return nil, err
	}
}

func logs() []message {
	jobs := func(_ context.Context, x *trace.Trace) (float64, error) { return float64(len(x.Jobs)), nil }
	fails := func(context.Context, *trace.Trace) (float64, error) { return 0, errors.New("no answer") }
	more := trace.Scenario{Name: "40 GPUs", Replay: trace.Replay{Servers: 40, Policy: mjq.EASY()}}
	short := gpus(14)
	return []message{
		{"a scenario on a short log", asked(short, more)},
		{"a scenario near the limit", asked(gpus(40), trace.Scenario{Name: "24 GPUs", Replay: trace.Replay{Servers: 24, Policy: mjq.EASY()}})},
		{"a scenario without servers", asked(short, trace.Scenario{Name: "none", Replay: trace.Replay{}})},
		{"another load", asked(short, trace.Scenario{Name: "more", Log: short.Scale(-1, 1), Replay: more.Replay})},
		{"few days to resample", resampled(short, jobs)},
		{"a question that fails", resampled(short, fails)},
		{"a log of less than a day", resampled(mjq.Must(trace.ReadCSV("jobs.csv", bytes.NewReader([]byte("arrival,servers,service\n0,1,2\n1,2,3\n")), trace.CSV{})), jobs)},
		{"nobody gave up", func() ([]string, error) {
			_, err := mjq.Must(trace.ReadCSV("jobs.csv", bytes.NewReader([]byte("arrival,servers,service\n0,1,2\n1,2,3\n")), trace.CSV{})).Patience()
			return nil, err
		}},
	}
}

func sweeps() []message {
	good := func() *result.Sweep {
		return &result.Sweep{Replications: 1, Points: make([]result.SweepPoint, 1), Jobs: []result.SweepJob{{Result: &result.Result{}}}}
	}
	lost, more := good(), good()
	lost.Jobs[0].Result, more.Replications = nil, 2
	return []message{
		{"a part of a grid", swept(mjq.Grid{Rates: []float64{1}}, mjq.Exact{}, mjq.Shard(3, 2))},
		{"a negative rate", swept(mjq.Grid{Rates: []float64{-1}, Replications: -1}, mjq.Exact{})},
		{"no part to merge", merged()},
		{"a part without a result", merged(good(), lost)},
		{"parts of two sweeps", merged(good(), more)},
	}
}

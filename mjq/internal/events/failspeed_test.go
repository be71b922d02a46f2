package events

import (
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// failSystem is a queue of exponential services of mean 1, which is loaded by a part of its servers.
func failSystem(servers int, needs []int, probs []float64, load float64) compiled.System {
	q := compiled.System{Servers: servers, Classes: len(needs), Needs: needs, Probs: probs}
	var classes []stream.Class
	work := 0.
	for i, n := range needs {
		classes = append(classes, stream.Class{Need: n, Prob: probs[i], Service: law.ExpMean(1)})
		work += float64(n) * probs[i]
	}
	q.Input = stream.New(7, law.ExpRate(load*float64(servers)/work), classes)
	return q
}

// failUp has the servers of a queue fail once in a time of mean up, for a repair of mean repair.
func failUp(q compiled.System, up, repair float64, crews int, after policy.Checkpoint) compiled.System {
	f := &compiled.Failing{Servers: q.Servers, Usable: q.Servers, Crews: crews,
		Kinds: []compiled.FailureKind{{Rate: 1 / up, Up: law.ExpMean(up), Repair: law.ExpMean(repair)}}}
	for range q.Classes {
		f.After, f.Work = append(f.After, after), append(f.Work, law.ExpMean(1))
	}
	q.Failing = f
	return q
}

// BenchmarkFailing compares, in one run, processor time a job of queues whose servers fail with that of the
// same queues without failures. It prints nanoseconds a job without and with failures, and the jobs a second
// with failures as a part of those without. A failure comes in 200 to 400 jobs, often in 20 to 40:
//
//	go test ./mjq/internal/events -run xx -bench Failing -benchtime 3000000x
func BenchmarkFailing(b *testing.B) {
	eight := failSystem(8, []int{1, 4}, []float64{0.8, 0.2}, 0.6)
	thousand := failSystem(1000, []int{1, 8, 64, 256}, []float64{0.5, 0.3, 0.15, 0.05}, 0.6)
	restart, saves := policy.Checkpoint{How: policy.Restart}, policy.Checkpoint{Every: 0.5, Cost: 0.01, Recovery: 0.02}
	for _, x := range []struct {
		name         string
		never, fails compiled.System
	}{
		{"eight/restart", eight, failUp(eight, 1000, 1, 8, restart)},
		{"eight/checkpoint", eight, failUp(eight, 1000, 1, 2, saves)},
		{"eight/often", eight, failUp(eight, 100, 1, 2, saves)},
		{"thousand/restart", thousand, failUp(thousand, 10_000, 1, 1000, restart)},
		{"thousand/checkpoint", thousand, failUp(thousand, 10_000, 1, 10, saves)},
		{"thousand/often", thousand, failUp(thousand, 1000, 1, 10, saves)},
	} {
		for _, p := range []policy.Policy{policy.FCFS{}, policy.FirstFit{}, policy.EASY()} {
			never, fails := Plan{System: x.never}, Plan{System: x.fails}
			never.Policy, fails.Policy = p, p
			b.Run(x.name+"/"+p.String(), func(b *testing.B) { compareSpeed(b, never, fails) })
		}
		never, fails := Plan{System: x.never, general: true}, Plan{System: x.fails, general: true}
		b.Run(x.name+"/general", func(b *testing.B) { compareSpeed(b, never, fails) })
	}
}

// compareSpeed runs some jobs of both in turn, so that what else the machine does slows both down.
func compareSpeed(b *testing.B, plans ...Plan) {
	const turns = 10
	var took [2]float64
	for range turns {
		for i, p := range plans {
			p.Replications, p.Batches, p.Length, p.Level, p.Workers = 1, 1, 1+int64(b.N)/turns, 0.95, 1
			before := processorTime()
			p.Run(b.Context(), nil)
			took[i] += processorTime() - before
		}
	}
	b.ReportMetric(took[0]/float64(b.N)*1e9, "never-ns")
	b.ReportMetric(took[1]/float64(b.N)*1e9, "fails-ns")
	b.ReportMetric(took[0]/took[1], "part")
	b.ReportMetric(0, "ns/op")
}

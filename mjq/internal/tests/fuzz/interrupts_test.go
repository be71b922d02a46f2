package fuzz

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
)

// interrupted are long runs of queues with thousands of classes, each of which has estimates of
// its own: 10,000, or as many as the method has memory for.
func interrupted() map[string]func(ctx context.Context) error {
	many, limited := manyClasses(10_000), limitedTo(10_000)
	ran := func(_ any, err error) error { return err }
	return map[string]func(ctx context.Context) error{
		"Simulation": func(ctx context.Context) error {
			return ran(many.Solve(ctx, mjq.Simulation{Jobs: 200_000}, mjq.RelErr(1e-9)))
		},
		"First-Fit": func(ctx context.Context) error {
			return ran(many.Policy(mjq.FirstFit()).Solve(ctx, mjq.Simulation{Jobs: 200_000}, mjq.RelErr(1e-9)))
		},
		"BatchMeans": func(ctx context.Context) error {
			return ran(many.Solve(ctx, mjq.Simulation{BatchMeans: 20}, mjq.RelErr(1e-9)))
		},
		"Forward": func(ctx context.Context) error {
			return ran(limitedTo(4600).Solve(ctx, mjq.Forward{Jobs: 200_000, WarmUp: 1000}, mjq.RelErr(1e-9)))
		},
		"Backward": func(ctx context.Context) error { return ran(limited.Solve(ctx, mjq.Backward{}, mjq.RelErr(1e-9))) },
		"Certified": func(ctx context.Context) error {
			return ran(limitedTo(8800).Solve(ctx, mjq.Certified{}, mjq.RelErr(1e-9)))
		},
		"Certified, followed": func(ctx context.Context) error {
			return ran(limitedTo(8800).Solve(ctx, mjq.Certified{PathLength: 1000}, mjq.RelErr(1e-9)))
		},
		"Dominated": func(ctx context.Context) error {
			return ran(limited.AtRate(0.1).Solve(ctx, mjq.Dominated{}, mjq.RelErr(1e-9)))
		},
		"Compare": func(ctx context.Context) error {
			return ran(mjq.Compare(ctx, many, []mjq.Policy{mjq.FCFS(), mjq.FirstFit()}))
		},
		"Sweep": func(ctx context.Context) error {
			return ran(mjq.Sweep(ctx, limited, mjq.Grid{Rates: []float64{0.1, 0.2}}, mjq.Backward{}))
		},
	}
}

// BenchmarkInterrupt reports how long verbs go on after their context has ended, in milliseconds
// and in milliseconds of all processors, after four seconds of work on queues of 10,000 classes.
func BenchmarkInterrupt(b *testing.B) {
	for name, ask := range interrupted() {
		b.Run(name, func(b *testing.B) {
			var late, spent time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(context.Background())
				var at time.Time
				var before time.Duration
				timer := time.AfterFunc(4*time.Second, func() { at, before = time.Now(), processor(b); cancel() })
				err := ask(ctx)
				if timer.Stop() {
					b.Fatalf("it has ended before: %v", err)
				}
				late, spent = late+time.Since(at), spent+processor(b)-before
			}
			ms := func(d time.Duration) float64 { return float64(d.Milliseconds()) / float64(b.N) }
			b.ReportMetric(ms(late), "ms-late")
			b.ReportMetric(ms(spent), "ms-of-processors")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// processor is the time that this process has spent on all processors.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

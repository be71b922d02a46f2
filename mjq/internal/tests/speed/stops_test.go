package speed

import (
	"context"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkStops reports how long after the end of its context a run of each
// kind returns, on average and at worst; 100 ms is what is promised.
func BenchmarkStops(b *testing.B) {
	m := workload.FiveClassExponential().Poisson(1.6)
	mjq.Must(m.Stability(background))
	phases := workload.FiveClassErlang()
	for name, run := range map[string]func(context.Context) error{
		"backward":  func(ctx context.Context) error { _, err := m.Solve(ctx, mjq.Backward{Samples: 1 << 40}); return err },
		"forward":   func(ctx context.Context) error { _, err := m.Solve(ctx, mjq.Forward{Jobs: 1 << 40}); return err },
		"unbiased":  func(ctx context.Context) error { _, err := m.Solve(ctx, mjq.Unbiased{Samples: 1 << 40}); return err },
		"certified": func(ctx context.Context) error { _, err := m.Solve(ctx, mjq.Certified{Samples: 1 << 40}); return err },
		"simulate":  func(ctx context.Context) error { _, err := m.Solve(ctx, mjq.Simulation{Jobs: 1 << 40}); return err },
		"exact":     func(ctx context.Context) error { _, err := m.Solve(ctx, mjq.Exact{}); return err },
		"chain":     func(ctx context.Context) error { _, err := phases.Stability(ctx, mjq.Exact{}); return err },
		"pile":      func(ctx context.Context) error { _, err := m.Stability(ctx, mjq.Pile{}, mjq.RelErr(1e-9)); return err },
	} {
		b.Run(name, func(b *testing.B) {
			total, worst := time.Duration(0), time.Duration(0)
			for i := range b.N {
				ctx, cancel := context.WithCancel(context.Background())
				ended := make(chan time.Time, 1)
				time.AfterFunc(time.Duration(20+37*(i%8))*time.Millisecond, func() { ended <- time.Now(); cancel() })
				if err := run(ctx); err == nil {
					b.Fatal("it was complete before its context ended")
				}
				late := time.Since(<-ended)
				total, worst = total+late, max(worst, late)
			}
			b.ReportMetric(total.Seconds()*1e3/float64(b.N), "late-ms/op")
			b.ReportMetric(worst.Seconds()*1e3, "worst-ms")
		})
	}
}

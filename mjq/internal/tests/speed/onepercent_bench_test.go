package speed

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkSecondsToOnePercent prints the seconds of the processor that Sample().RelErr(r)
// takes on one core with the method that it chooses, the choice included and the limit
// known, and its half-width: medians over seeds. The target is 1 %, or what MJQ_TARGET
// says, in per cent; "to-1%" is the time times (half-width / 1 %)², and "worst-class-%" the
// half-width of the class that is known the least.
//
//	MJQ_TARGET=1 go test ./mjq/internal/tests/speed -run xx -bench SecondsToOnePercent -benchtime 1x -timeout 1h
func BenchmarkSecondsToOnePercent(b *testing.B) {
	target := 0.01
	if percent, err := strconv.ParseFloat(os.Getenv("MJQ_TARGET"), 64); err == nil {
		target = percent / 100
	}
	for _, c := range []struct {
		name  string
		m     mjq.Model
		seeds int
	}{
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4), 7},
		{"OneAnd256/load=0.9", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033), 1},
		{"CellB/rate=0.9", workload.BorgCellB().Poisson(0.9), 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := c.m.WithLimit(mjq.Must(c.m.Stability(background)))
			for range b.N {
				var seconds, width, scaled, worst []float64
				for seed := range c.seeds {
					var r *result.Result
					t := used(1e9, func() {
						r = mjq.Must(m.Solve(background, mjq.RelErr(target), mjq.Seed(uint64(seed+1)), mjq.Workers(1)))
					})
					e := r.All.Waiting.Mean.RelErr()
					least := 0.0
					for i := range r.Classes {
						least = max(least, r.Classes[i].Waiting.Mean.RelErr())
					}
					seconds, width, worst = append(seconds, t), append(width, 100*e), append(worst, 100*least)
					scaled = append(scaled, t*math.Pow(e/0.01, 2))
					if seed == 0 {
						b.Log(r.Source, r.Notes)
					}
				}
				b.ReportMetric(middle(seconds), "s")
				b.ReportMetric(slices.Max(seconds), "s-at-most")
				b.ReportMetric(middle(width), "half-width-%")
				b.ReportMetric(middle(worst), "worst-class-%")
				b.ReportMetric(middle(scaled), "s-to-1%")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// BenchmarkCloseControls prints what control variates, and close ones, make of 32 paths of
// the same jobs: the half-width in per cent of the mean, the gain, how many times as many
// jobs would be needed without, and the seconds times (half-width / 1 %)², on all cores.
//
//	go test ./mjq/internal/tests/speed -run xx -bench CloseControls -benchtime 1x
func BenchmarkCloseControls(b *testing.B) {
	type run struct {
		name string
		m    mjq.Model
		jobs int
	}
	list := []run{
		{"FiveClasses/rate=1.4", workload.FiveClassExponential().Poisson(1.4), 80_000},
		{"OneAnd256/load=0.9", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033), 1_000_000},
	}
	cell := workload.BorgCellB()
	cell = cell.WithLimit(mjq.Must(cell.Stability(background)))
	for _, rate := range []float64{0.4, 0.9, 1.2, 1.6, 2} {
		list = append(list, run{fmt.Sprintf("CellB/rate=%v", rate), cell.AtRate(rate), 1_000_000})
	}
	for _, c := range list {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				usual := mjq.Must(c.m.Solve(background, mjq.Forward{Jobs: c.jobs, Controls: mjq.PlainControls}, mjq.Seed(3)))
				close := mjq.Must(c.m.Solve(background, mjq.Forward{Jobs: c.jobs, Controls: mjq.CloseControls}, mjq.Seed(3)))
				b.Logf("mean wait %v, close %v", usual.All.Waiting.Mean, close.All.Waiting.Mean)
				b.ReportMetric(100*usual.All.Waiting.Mean.RelErr(), "half-width-%")
				b.ReportMetric(usual.Run.VarianceReduction, "gain")
				b.ReportMetric(100*close.All.Waiting.Mean.RelErr(), "close-half-width-%")
				b.ReportMetric(close.Run.VarianceReduction, "close-gain")
				for name, r := range map[string]*result.Result{"s-to-1%": usual, "close-s-to-1%": close} {
					b.ReportMetric(r.Run.Elapsed.Seconds()*math.Pow(r.All.Waiting.Mean.RelErr()/0.01, 2), name)
				}
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

package mjq

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// rivalQueues are the papers' workloads: the five classes, 1 and 256, and Cell B.
func rivalQueues() map[string]*Model {
	return map[string]*Model{
		"FiveClasses/rate=1.4": Must(FiveClassExponential().Poisson(1.4).Build()),
		"OneAnd256/load=0.9":   Must(OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033).Build()),
		"CellB/rate=0.9":       Must(BorgCellB().Poisson(0.9).Build()),
	}
}

// BenchmarkRival prints how many times faster a forward run with all statistics is, on
// one core, than the same in C++ (testdata/rival.cpp, compiled by g++ -O3
// -march=native): by each form of its recurrence, and by the best of them. Both take
// turns, so that whatever else the machine does meets both alike; processor time counts,
// set-up included, and the ratio is the median over turns. Without g++ it is skipped.
//
//	go test ./mjq -run xx -bench Rival -benchtime 9x
func BenchmarkRival(b *testing.B) {
	rival := filepath.Join(b.TempDir(), "rival")
	if out, err := exec.Command("g++", "-O3", "-march=native", "-o", rival, "testdata/rival.cpp").CombinedOutput(); err != nil {
		b.Skipf("no rival: %v %s", err, out)
	}
	if other := os.Getenv("MJQ_RIVAL"); other != "" { // a program with the same arguments and output
		rival = other
	}
	for name, m := range rivalQueues() {
		b.Run(name, func(b *testing.B) { benchmarkRival(b, rival, m) })
	}
}

func benchmarkRival(b *testing.B, rival string, m *Model) {
	const jobs = 1 << 22
	modes := []string{"groups", "heap", "dense"}
	if m.Servers() > 1000 {
		modes = modes[:2] // the vector takes microseconds a job
	}
	ours, theirs := []float64(nil), map[string][]float64{}
	Must(m.Limit(background)) // known before the clock starts
	for range b.N {
		ours = append(ours, used(jobs, func() {
			Must(m.Sample().Forward().Jobs(jobs / 8).WarmUp(0).Replications(8).Workers(1).Run(background))
		}))
		for _, mode := range modes {
			theirs[mode] = append(theirs[mode], rivalTime(b, rival, mode, m, jobs))
		}
	}
	best := make([]float64, len(ours))
	for i := range best {
		best[i] = theirs[modes[0]][i]
		for _, mode := range modes {
			best[i] = min(best[i], theirs[mode][i])
		}
	}
	ratio := func(other []float64) float64 {
		r := make([]float64, len(ours))
		for i := range r {
			r[i] = other[i] / ours[i]
		}
		return middle(r)
	}
	b.ReportMetric(middle(ours), "ns/job")
	for _, mode := range modes {
		b.ReportMetric(middle(theirs[mode]), mode+"-ns/job")
		b.ReportMetric(ratio(theirs[mode]), mode+"/ours")
	}
	b.ReportMetric(ratio(best), "best/ours")
	b.ReportMetric(0, "ns/op")
}

func middle(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }

// used is the nanoseconds of processor time a job that f takes.
func used(jobs int, f func()) float64 {
	cpu := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return time.Now().UnixNano()
		}
		return u.Utime.Nano() + u.Stime.Nano()
	}
	from := cpu()
	f()
	return float64(cpu()-from) / float64(jobs)
}

// rivalTime is what the rival says of itself.
func rivalTime(b *testing.B, rival, mode string, m *Model, jobs int) float64 {
	args := []string{mode, strconv.Itoa(m.Servers()), fmt.Sprint(m.Rate()), strconv.Itoa(jobs)}
	for _, c := range m.Classes() {
		args = append(args, strconv.Itoa(c.Need), fmt.Sprint(c.Prob), fmt.Sprint(c.Service.Mean()))
	}
	out, err := exec.Command(rival, args...).Output()
	if err != nil {
		b.Fatal(err)
	}
	ns, err := strconv.ParseFloat(strings.Fields(string(out))[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return ns
}

// BenchmarkSimulateToForward prints how many times the processor time of a forward run a
// simulation event by event of the same jobs takes, with all statistics of each: the
// median over turns.
//
//	go test ./mjq -run xx -bench SimulateToForward -benchtime 5x
func BenchmarkSimulateToForward(b *testing.B) {
	const jobs, replications = 1 << 20, 8
	for name, m := range rivalQueues() {
		b.Run(name, func(b *testing.B) {
			Must(m.Limit(background))
			var forward, simulated, ratios []float64
			for range b.N {
				f := used(jobs, func() {
					Must(m.Sample().Forward().Jobs(jobs / replications).WarmUp(0).Replications(replications).Workers(1).Run(background))
				})
				s := used(jobs, func() {
					Must(m.Simulate().Jobs(jobs / replications).WarmUp(0).Replications(replications).Workers(1).Run(background))
				})
				forward, simulated, ratios = append(forward, f), append(simulated, s), append(ratios, s/f)
			}
			b.ReportMetric(middle(forward), "forward-ns/job")
			b.ReportMetric(middle(simulated), "simulate-ns/job")
			b.ReportMetric(middle(ratios), "simulate/forward")
			b.ReportMetric(0, "ns/op")
		})
	}
}

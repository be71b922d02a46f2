package speed

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

// rivalQueues are the papers' workloads: the five classes, 1 and 256, and Cell B.
func rivalQueues() map[string]mjq.Model {
	return map[string]mjq.Model{
		"FiveClasses/rate=1.4": workload.FiveClassExponential().Poisson(1.4),
		"OneAnd256/load=0.9":   workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033),
		"CellB/rate=0.9":       workload.BorgCellB().Poisson(0.9),
	}
}

// BenchmarkRival prints how many times faster a forward run with all statistics is, on
// one core, than the same in C++ (testdata/rival.cpp, compiled by g++ -O3
// -march=native): by each of its programs, and by the fastest of them, with quartiles.
// All are warm: each program repeats in a process of its own, ours in this one, and the
// first repetition of each is left out. They take turns, so that whatever else the
// machine does meets all alike; processor time counts, and a ratio is the median over
// turns. Without g++ it is skipped.
//
//	go test ./mjq/internal/tests/speed -run xx -bench Rival -benchtime 9x
func BenchmarkRival(b *testing.B) {
	program := filepath.Join(b.TempDir(), "rival")
	if out, err := exec.Command("g++", "-O3", "-march=native", "-o", program, "testdata/rival.cpp").CombinedOutput(); err != nil {
		b.Skipf("no rival: %v %s", err, out)
	}
	if other := os.Getenv("MJQ_RIVAL"); other != "" { // a program with the same arguments, input and output
		program = other
	}
	for name, m := range rivalQueues() {
		b.Run(name, func(b *testing.B) { benchmarkRival(b, program, m) })
	}
}

func benchmarkRival(b *testing.B, program string, m mjq.Model) {
	const jobs = 1 << 22
	modes := []string{"groups", "heap", "ahead", "dense"}
	if m.Spec().Servers > 1000 {
		modes = modes[:3] // the vector takes microseconds a job
	}
	rivals := make([]*warmRival, len(modes))
	for i, mode := range modes {
		rivals[i] = startRival(b, program, mode, m, jobs)
	}
	var ours []float64
	theirs, ratios := make([][]float64, len(modes)), make([][]float64, len(modes))
	mjq.Must(m.Stability(background)) // known before the clock starts
	for turn := range b.N + 1 {
		mine := used(jobs, func() {
			mjq.Must(m.Solve(background, mjq.Forward{Jobs: jobs / 8, WarmUp: mjq.None, Replications: 8}, mjq.Workers(1)))
		})
		times := repetitions(b, rivals)
		if turn == 0 {
			continue // not yet warm
		}
		ours = append(ours, mine)
		for i, t := range times {
			theirs[i], ratios[i] = append(theirs[i], t), append(ratios[i], t/mine)
		}
	}
	b.ReportMetric(middle(ours), "ns/job")
	for i, mode := range modes {
		b.ReportMetric(middle(theirs[i]), mode+"-ns/job")
		b.ReportMetric(middle(ratios[i]), mode+"/ours")
	}
	best := slices.MinFunc(ratios, func(x, y []float64) int { return cmp.Compare(middle(x), middle(y)) })
	slices.Sort(best)
	b.ReportMetric(middle(best), "best/ours")
	b.ReportMetric(best[len(best)/4], "best-low/ours")
	b.ReportMetric(best[len(best)-1-len(best)/4], "best-high/ours")
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

// A warmRival is one of the programs, in a process that repeats when it is asked.
type warmRival struct {
	ask    io.Writer
	answer *bufio.Reader
}

func startRival(b *testing.B, program, mode string, m mjq.Model, jobs int) *warmRival {
	args := []string{mode, strconv.Itoa(m.Spec().Servers), fmt.Sprint(m.Rate()), strconv.Itoa(jobs)}
	for _, c := range m.Spec().Classes {
		args = append(args, strconv.Itoa(c.Need), fmt.Sprint(c.Prob), fmt.Sprint(c.Service.Mean()))
	}
	c := exec.Command(program, args...)
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close() // its end
		if err := c.Wait(); err != nil {
			b.Error(err)
		}
	})
	return &warmRival{in, bufio.NewReader(out)}
}

// repetitions asks each rival for one and gives the nanoseconds a job of each. All have
// the same jobs, so they must agree on the mean wait.
func repetitions(b *testing.B, rivals []*warmRival) []float64 {
	times, waits := make([]float64, len(rivals)), make([]float64, len(rivals))
	for i, r := range rivals {
		fmt.Fprintln(r.ask)
		if _, err := fmt.Fscan(r.answer, &times[i], &waits[i]); err != nil {
			b.Fatal(err)
		}
		if math.Abs(waits[i]-waits[0]) > 1e-4*waits[0] {
			b.Fatalf("two rivals have the same jobs and mean waits of %v and %v", waits[0], waits[i])
		}
	}
	return times
}

// BenchmarkSimulateToForward prints how many times the processor time of a forward run a
// simulation event by event of the same jobs takes, with all statistics of each: the
// median over turns.
//
//	go test ./mjq/internal/tests/speed -run xx -bench SimulateToForward -benchtime 5x
func BenchmarkSimulateToForward(b *testing.B) {
	const jobs, replications = 1 << 20, 8
	for name, m := range rivalQueues() {
		b.Run(name, func(b *testing.B) {
			mjq.Must(m.Stability(background))
			var forward, simulated, ratios []float64
			for range b.N {
				f := used(jobs, func() {
					mjq.Must(m.Solve(background, mjq.Forward{Jobs: jobs / replications, WarmUp: mjq.None, Replications: replications}, mjq.Workers(1)))
				})
				s := used(jobs, func() {
					mjq.Must(m.Solve(background, mjq.Simulation{Jobs: jobs / replications, WarmUp: mjq.None, Replications: replications}, mjq.Workers(1)))
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

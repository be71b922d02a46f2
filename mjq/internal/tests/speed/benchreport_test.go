package speed

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/recurrence"
	"github.com/mjqueue/mjq/mjq/internal/recurrence/fast"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/workload"
)

// BenchmarkReport writes tables of what a job and a sample cost into the folder
// of the environment variable MJQ_BENCH, as text and as CSV; "make bench" does.
// All columns of a row come from one process, by turns, and are medians of
// pieces of 4096 jobs, so that another's use of the machine falls out of them
// and of their ratios.
func BenchmarkReport(b *testing.B) {
	folder := os.Getenv("MJQ_BENCH")
	if folder == "" {
		b.Skip("set MJQ_BENCH to the folder of the report")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.Fatal(err)
	}
	head := fmt.Sprintf("%s, %d cores of %s, %s\n", runtime.GOARCH, runtime.GOMAXPROCS(0), processor(), runtime.Version())
	text := head
	fmt.Fprint(os.Stderr, head)
	for _, part := range []struct {
		name  string
		table func() *result.Table
	}{{"workloads", reportWorkloads}, {"servers", reportServers}, {"classes", reportClasses}, {"loads", reportLoads}, {"memory", reportMemory}} {
		t := part.table()
		fmt.Fprint(os.Stderr, "\n", t)
		text += "\n" + t.String()
		if err := os.WriteFile(filepath.Join(folder, part.name+".csv"), []byte(t.CSV()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "report.txt"), []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
}

// processor is the name of the processor where Linux tells it.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	if _, rest, ok := strings.Cut(string(info), "model name"); ok {
		line, _, _ := strings.Cut(rest, "\n")
		return strings.TrimLeft(line, "\t :")
	}
	return "an unnamed processor"
}

// prices are nanoseconds a job.
type prices struct{ stream, step, dense, list float64 }

// priced times the parts of the engine and its rivals by turns on the same jobs.
func priced(m mjq.Model, pieces int, rivals bool) (p prices) {
	const size, block = 4096, 256
	reader, runs := problem.New(m.Spec()).System(1, 1).Input.Reader(0), fast.NewRuns(m.Spec().Servers)
	dense, sim := recurrence.NewDense(m.Spec().Servers), events.New(compiled.System{Servers: m.Spec().Servers})
	jobs := make(drawn, size)
	sim.Reset(events.Input(jobs))
	var took [4][]float64
	timed := func(i int, f func()) {
		started := time.Now()
		f()
		took[i] = append(took[i], float64(time.Since(started).Nanoseconds())/size)
	}
	for piece := range 2 * pieces { // the first half warms up
		timed(0, func() { fillBlocks(reader, jobs, int64(piece*size)) })
		timed(1, func() {
			for i := 0; i < size; i += block {
				runs.Shift(runs.Take(0, jobs[i:i+block]))
			}
		})
		if rivals {
			timed(2, func() {
				for i := range jobs {
					dense.Arrive(int(jobs[i].Need), jobs[i].Service)
					dense.Pass(jobs[i].Gap)
				}
			})
			timed(3, func() { sim.Until(int64(piece+1) * size) })
		}
	}
	median := func(x []float64) float64 {
		if len(x) == 0 {
			return math.NaN()
		}
		x = x[len(x)/2:]
		slices.Sort(x)
		return x[len(x)/2]
	}
	return prices{median(took[0]), median(took[1]), median(took[2]), median(took[3])}
}

func fillBlocks(r *stream.Reader, jobs []stream.Job, first int64) {
	for i := 0; i < len(jobs); i += 256 {
		r.Fill(jobs[i:i+256], first+int64(i))
	}
}

// costs collects the columns of a report.
type costs struct {
	names []string
	cols  [9][]float64
}

func (c *costs) add(name string, values ...float64) {
	c.names = append(c.names, name)
	for i, v := range values {
		c.cols[i] = append(c.cols[i], v)
	}
}

func (c *costs) table(title, first string, columns ...string) *result.Table {
	t := result.NewTable(title).Text(first, c.names...)
	for i, name := range columns {
		t.Numbers(name, c.cols[i]...)
	}
	return t
}

// sampled is backward samples a second on all cores, and steps a sample.
func sampled(m mjq.Model, n int) (perSecond, steps float64) {
	mjq.Must(m.Stability(background))
	r := mjq.Must(m.Solve(background, mjq.Backward{Samples: n}))
	return float64(r.Run.Samples) / r.Run.Elapsed.Seconds(), float64(r.Run.Steps) / float64(r.Run.Samples)
}

func reportWorkloads() *result.Table {
	var c costs
	for _, w := range []struct {
		name    string
		m       mjq.Model
		samples int
	}{
		{"five classes, rate 1.4", workload.FiveClassExponential().Poisson(1.4), 4000},
		{"1 and 256, 0.9 of the limit", workload.OneOrAll(256, 0.001, 1, 0.025).Poisson(18.4033), 16},
		{"Borg Cell B, rate 2", workload.BorgCellB().Poisson(2), 16},
	} {
		p := priced(w.m, 100, true)
		perSecond, steps := sampled(w.m, w.samples)
		c.add(w.name, p.stream, p.step, p.stream+p.step, p.dense, p.list, p.dense/p.step, p.list/p.step, perSecond, steps)
	}
	return c.table("Cost of a job on one core, in ns, and of a backward sample on all", "workload", "stream", "step", "both",
		"dense twin", "event list", "dense/step", "list/step", "samples/s", "steps/sample")
}

func reportServers() *result.Table {
	var c costs
	for _, servers := range []int{20, 200, 2000, 20_000, 200_000, 1_000_000} {
		model := mjq.Servers(servers).Poisson(1.4)
		for _, k := range workload.FiveClassExponential().Spec().Classes {
			model = model.Class(k.Name, k.Need*servers/20, k.Prob, k.Service)
		}
		p := priced(model, 200, false)
		c.add(fmt.Sprint(servers), p.stream, p.step)
	}
	return c.table("The five classes with servers and needs multiplied alike: ns a job", "servers", "stream", "step")
}

func reportClasses() *result.Table {
	var c costs
	for _, classes := range []int{1, 5, 50, 500} {
		model := mjq.Servers(20).Poisson(2)
		for k := range classes {
			model = model.Class(fmt.Sprint(k), 1+k%10, 1/float64(classes), mjq.ExpMean(0.5))
		}
		p := priced(model, 200, false)
		c.add(fmt.Sprint(classes), p.stream, p.step)
	}
	return c.table("20 servers, needs 1 to 10: ns a job", "classes", "stream", "step")
}

func reportLoads() *result.Table {
	var c costs
	limit := mjq.Must(workload.FiveClassExponential().Stability(background)).Rate
	for _, load := range []float64{0.3, 0.5, 0.7, 0.8, 0.9, 0.95} {
		m := workload.FiveClassExponential().Poisson(load * limit)
		p := priced(m, 200, false)
		perSecond, steps := sampled(m, int(4000*(1-load)*(1-load))+100)
		c.add(fmt.Sprint(load), p.stream, p.step, perSecond, steps, 1e9*float64(runtime.GOMAXPROCS(0))/perSecond/steps)
	}
	return c.table("Five classes: ns a job on one core, backward samples on all", "part of the limit", "stream", "step",
		"samples/s", "steps/sample", "core ns/step")
}

// reportMemory takes ten million samples of a queue whose windows are short,
// and asks the runtime now and then how much memory it holds.
func reportMemory() *result.Table {
	m := mjq.Servers(2).Poisson(0.05).Class("one", 1, 0.5, mjq.ExpMean(1)).Class("all", 2, 0.5, mjq.ExpMean(1))
	mjq.Must(m.Stability(background))
	var c costs
	for _, n := range []int{100_000, 10_000_000} {
		most, before := uint64(0), runtime.MemStats{}
		runtime.GC()
		runtime.ReadMemStats(&before)
		r := mjq.Must(m.Solve(background, mjq.Backward{Samples: n, Window: 16}, mjq.Progress(func(mjq.Step) {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most = max(most, now.Sys)
		})))
		var after runtime.MemStats
		runtime.ReadMemStats(&after)
		most = max(most, after.Sys)
		c.add(fmt.Sprint(r.Run.Samples), float64(most)/1e6, float64(after.TotalAlloc-before.TotalAlloc)/float64(n), r.Run.Elapsed.Seconds())
	}
	return c.table("Memory of backward sampling", "samples", "MB held at most", "bytes allocated a sample", "seconds")
}

// BenchmarkCores prints how much faster all cores are than one at the same
// samples.
func BenchmarkCores(b *testing.B) {
	m := workload.FiveClassExponential().Poisson(1.4)
	mjq.Must(m.Stability(background))
	var one, all time.Duration
	for i := 0; i < b.N; i++ {
		run := func(workers int) time.Duration {
			return mjq.Must(m.Solve(background, mjq.Backward{Samples: 2000}, mjq.Seed(uint64(i)), mjq.Workers(workers))).Run.Elapsed
		}
		one, all = one+run(1), all+run(runtime.GOMAXPROCS(0))
	}
	b.ReportMetric(float64(one)/float64(all), "one/all")
}

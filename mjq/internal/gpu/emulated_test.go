package gpu

import (
	"context"
	"math"
	"os"
	"runtime"
	"sync"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"

	"github.com/mjqueue/mjq/kernels/cuda/emulate"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// program is the emulator, built once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mjq-emulate")
	if err != nil {
		return "", err
	}
	folder = dir
	return emulate.Build(dir)
})

var folder string

func TestMain(m *testing.M) {
	code := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// device opens an emulated device with a given number of bytes.
func device(t *testing.T, memory int64) *emulate.Device {
	t.Helper()
	oracle.Long(t, "the same samplers on the CPU; this needs a C++ compiler")
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	d, err := emulate.Open(path, memory)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

const plenty = 1 << 30

// system is a queue for the samplers.
func system(servers int, rate float64, gap law.Law, classes ...stream.Class) sampling.System {
	sys := sampling.System{System: compiled.System{Servers: servers}, Workers: 2}
	for _, c := range classes {
		sys.Needs, sys.Probs = append(sys.Needs, c.Need), append(sys.Probs, c.Prob)
	}
	sys.Input = stream.New(7, gap.Scaled(1/(rate*gap.Mean())), classes)
	return sys
}

func class(need int, prob float64, service law.Law) stream.Class {
	return stream.Class{Need: need, Prob: prob, Service: service}
}

// systems are queues of few groups and of many, with every kind of law.
func systems() map[string]sampling.System {
	exp := law.ExpMean(1)
	return map[string]sampling.System{
		"five classes": system(20, 1.4, exp, class(1, 0.5, law.ExpMean(0.5)), class(2, 0.1, law.ExpMean(0.83)),
			class(5, 0.2, law.ExpMean(1.25)), class(10, 0.19, law.ExpMean(3.33)), class(15, 0.01, law.ExpMean(10))),
		"heavy tails": system(16, 1.2, law.HyperExpMeans(0.2, 2, 0.3), class(1, 0.6, law.BoundedPareto{Lo: 0.1, Hi: 100, Shape: 1.5}),
			class(3, 0.3, law.Lomax{Shape: 2.5, Scale: 1}), class(16, 0.1, law.WeibullMeanShape(1, 0.7))),
		"odd laws": system(7, 1.1, law.ErlangMeanPhases(1, 3), class(1, 0.5, law.Deterministic{X: 1}), class(2, 0.2, law.Uniform{Lo: 0.2, Hi: 1}),
			class(3, 0.1, law.LogNormalMeanSCV(1, 2)), class(7, 0.1, law.NewEmpirical([]float64{0.1, 0.5, 0.5, 2})),
			class(5, 0.1, law.PhaseType([]float64{0.3, 0.5}, [][]float64{{-2, 1}, {0, -1}}))),
		"1 and 256": system(256, 15, law.Cox2(0.5, 1, 0.5), class(1, 0.99, exp), class(256, 0.01, exp)),
		"a server":  system(1, 0.7, exp, class(1, 1, exp)),
	}
}

// near reports whether two numbers agree to 1e-9.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

// sampler opens a device for a system.
func sampler(t *testing.T, sys *sampling.System, memory int64) *Sampler {
	t.Helper()
	s, err := New(open(t, memory), sys)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// open opens the device that the tests run on: the emulated one, or CUDA's.
var open = func(t *testing.T, memory int64) Driver { return device(t, memory) }

// thousand is a queue of so many classes that the class of a job often takes
// more bits than come with its other words.
func thousand() sampling.System {
	var classes []stream.Class
	for i := range 1000 {
		classes = append(classes, class(1, float64(1+i%7)/3997, law.ExpMean(1)))
	}
	return system(2, 1, law.ExpMean(1), classes...)
}

// TestJobsAreTheSame compares the stream, job by job, on indices before and
// after job 0 and in high replications. Exponential laws must give the same
// bits, where Go does not fuse multiplications and additions either.
func TestJobsAreTheSame(t *testing.T) {
	const n = 5000
	all := systems()
	all["a thousand classes"] = thousand()
	for name, sys := range all {
		s := sampler(t, &sys, plenty)
		n := n
		if len(sys.Needs) > 100 {
			n *= 10
		}
		for _, rep := range []uint64{0, 1 << 39} {
			for _, first := range []int64{int64(17 - n), 1 << 40} {
				out, err := s.alloc("jobs", int64(32*n))
				if err != nil {
					t.Fatal(err)
				}
				if err := s.driver.Launch("mjq_jobs", (n+127)/128, 128, s.shared(128, 0), s.model, rep, uint64(first), out, uint64(n)); err != nil {
					t.Fatal(err)
				}
				got := make([]float64, 4*n)
				if err := fetch(s, "jobs", got, out); err != nil {
					t.Fatal(err)
				}
				want := make([]stream.Job, n)
				reader := sys.Input.Reader(rep)
				reader.Fill(want, first)
				for i, j := range want {
					g := got[4*i : 4*i+4]
					for _, at := range []int{0, 1, 3} {
						g[at] *= s.unit
					}
					if name == "five classes" && runtime.GOARCH == "amd64" && (g[0] != j.Gap || g[1] != j.Service) {
						t.Fatalf("%s: job %d of replication %d is %v on the device, %v here: not the same bits", name, first+int64(i), rep, g, j)
					}
					if probe := reader.Probe(int(j.Class), 0); !near(g[0], j.Gap) || !near(g[1], j.Service) || g[2] != float64(j.Class) || !near(g[3], probe) {
						t.Fatalf("%s: job %d of replication %d is %v on the device, %v with probe %v here", name, first+int64(i), rep, g, j, probe)
					}
				}
			}
		}
	}
}

// both runs a sampler on the cores and on the device.
func both[T any](t *testing.T, sys sampling.System, run func(sampling.System) T) (here, there T) {
	t.Helper()
	here = run(sys)
	sys.Device = sampler(t, &sys, plenty)
	return here, run(sys)
}

// TestBackwardIsTheSame compares whole results, and so every sample's part in them.
func TestBackwardIsTheSame(t *testing.T) {
	for name, sys := range systems() {
		for _, n := range []int{1, 300} {
			here, there := both(t, sys, func(sys sampling.System) *sampling.BackwardResult {
				b := sampling.Backward{System: sys, Samples: n, Window: 300, MaxWindow: 5000, Batch: 33, Level: 0.95}
				return b.Run(context.Background(), nil)
			})
			if there.Failed != nil {
				t.Fatal(there.Failed)
			}
			if here.Done != there.Done || here.Steps != there.Steps || here.Unsettled != there.Unsettled || here.MinWindow != there.MinWindow || here.MaxWindow != there.MaxWindow {
				t.Errorf("%s: %d samples, %d steps, %d capped, windows %d to %d; on the device %d, %d, %d, %d to %d", name,
					here.Done, here.Steps, here.Unsettled, here.MinWindow, here.MaxWindow, there.Done, there.Steps, there.Unsettled, there.MinWindow, there.MaxWindow)
			}
			compare(t, name, here.Classes, there.Classes)
			if !near(here.HOL.X, there.HOL.X) || !near(here.All.Waiting.Y, there.All.Waiting.Y) {
				t.Errorf("%s: waste %v, second moment %v; on the device %v, %v", name, here.HOL.X, here.All.Waiting.Y, there.HOL.X, there.All.Waiting.Y)
			}
		}
	}
}

// agree reports whether two estimates do; one sample has no interval.
func agree(a, b result.Estimate) bool {
	return near(a.Value, b.Value) && (near(a.HalfWidth, b.HalfWidth) || math.IsNaN(a.HalfWidth) && math.IsNaN(b.HalfWidth))
}

// compare holds the tallies of the classes against each other.
func compare(t *testing.T, name string, here, there []sampling.Gathered) {
	t.Helper()
	of, by := sampling.Tallies(here, 0.95, "", 1), sampling.Tallies(there, 0.95, "", 1)
	for c := range here {
		a, b := &of[c], &by[c]
		if x, y := a.Waiting, b.Waiting; !agree(x.Mean, y.Mean) || !agree(x.Variance, y.Variance) {
			t.Errorf("%s, class %d: %v, %v here, %v, %v on the device", name, c, x.Mean, x.Variance, y.Mean, y.Variance)
		}
		for _, p := range []float64{0.1, 0.5, 0.9, 0.99} {
			x, y := a.Waiting.Dist, b.Waiting.Dist
			u, v := a.Response.Dist, b.Response.Dist
			// An observation on the edge of a cell may change sides by rounding.
			if q, r := x.Quantile(p), y.Quantile(p); math.Abs(q-r) > 4e-3*(q+1e-9) {
				t.Errorf("%s, class %d: %v-quantile of waits %v here, %v on the device", name, c, p, q, r)
			}
			if q, r := u.Quantile(p), v.Quantile(p); math.Abs(q-r) > 4e-3*q || u.Total != v.Total {
				t.Errorf("%s, class %d: %v-quantile of responses %v here, %v on the device", name, c, p, q, r)
			}
		}
	}
}

// TestForwardIsTheSame compares forward runs, with warm-ups that end inside a
// block of jobs.
func TestForwardIsTheSame(t *testing.T) {
	for name, sys := range systems() {
		sameForward(t, name, sys, 777, 3001)
	}
}

// sameForward compares forward runs of a system, and its wastes by type of
// resource.
func sameForward(t *testing.T, name string, sys sampling.System, warmUp, jobs int64) {
	here, there := both(t, sys, func(sys sampling.System) *sampling.ForwardResult {
		f := sampling.Forward{System: sys, Replications: 37, WarmUp: warmUp, Jobs: jobs, Level: 0.95}
		return f.Run(context.Background(), nil)
	})
	if there.Failed != nil {
		t.Fatal(there.Failed)
	}
	if here.Done != there.Done || here.Steps != there.Steps || !sameEstimate(here.HOL, there.HOL) {
		t.Errorf("%s: %d replications, waste %v; on the device %d, %v", name, here.Done, here.HOL, there.Done, there.HOL)
	}
	for k := range here.Kinds {
		if !sameEstimate(here.Kinds[k], there.Kinds[k]) {
			t.Errorf("%s: waste of type %d %v; on the device %v", name, k, here.Kinds[k], there.Kinds[k])
		}
	}
	compare(t, name, here.Classes, there.Classes)
}

// TestUnitsOnTheDevice: in another unit of time the device sees the same numbers
// but for the exponent, and so does what comes back from it: with times near
// 10^-12 nothing is out of range and nothing is taken for equal that is not.
func TestUnitsOnTheDevice(t *testing.T) {
	const u = 0x1p-40
	queue := func(u float64) sampling.System {
		sys := system(20, 1.4/u, law.ExpMean(1), class(1, 0.5, law.ExpMean(0.5*u)), class(5, 0.4, law.ErlangMeanPhases(1.25*u, 2)), class(15, 0.1, law.ExpMean(3*u)))
		sys.Device = sampler(t, &sys, plenty)
		return sys
	}
	ctx := context.Background()
	same := func(what string, got, want float64) {
		t.Helper()
		if got != want {
			t.Errorf("%s is %v, should be %v", what, got, want)
		}
	}
	one, other := queue(1), queue(u)
	a := (&sampling.Forward{System: one, Replications: 20, WarmUp: 100, Jobs: 500, Level: 0.95}).Run(ctx, nil)
	b := (&sampling.Forward{System: other, Replications: 20, WarmUp: 100, Jobs: 500, Level: 0.95}).Run(ctx, nil)
	same("waste", b.HOL.Value, u*a.HOL.Value)
	for c := range a.Classes {
		same("mean", b.Classes[c].MeanW.Value, u*a.Classes[c].MeanW.Value)
		same("variance", b.Classes[c].VarianceW.Value, u*u*a.Classes[c].VarianceW.Value)
		for _, p := range []float64{0.2, 0.5, 0.9} {
			x, y := a.Classes[c].Response.Distribution(), b.Classes[c].Response.Distribution()
			same("quantile", y.Quantile(p), u*x.Quantile(p))
		}
	}
	x := (&sampling.Backward{System: one, Samples: 100, Window: 100, MaxWindow: 100_000, Batch: 20, Level: 0.95}).Run(ctx, nil)
	y := (&sampling.Backward{System: other, Samples: 100, Window: 100, MaxWindow: 100_000, Batch: 20, Level: 0.95}).Run(ctx, nil)
	same("mean of backward samples", y.All.Waiting.X, u*x.All.Waiting.X)
	same("steps", float64(y.Steps), float64(x.Steps))
	v := (&sampling.Certified{System: one, Samples: 20, Window: 300, Eps: 1e-3, Level: 0.95, Majorant: sampling.Majorant{Theta: 0.5, Block: 77}}).Run(ctx, nil)
	w := (&sampling.Certified{System: other, Samples: 20, Window: 300, Eps: 1e-3, Level: 0.95, Majorant: sampling.Majorant{Theta: 0.5 / u, Block: 77}}).Run(ctx, nil)
	same("mean of certified samples", w.All.Waiting.X, u*v.All.Waiting.X)
	same("steps of these", float64(w.Steps), float64(v.Steps))
	pile := func(sys sampling.System) *sampling.PileResult {
		p := sampling.Pile{System: sys, Replications: 40, WarmUp: 300, Jobs: 500, MaxJobs: 1, RelErr: 0.1, Level: 0.95}
		for c := range sys.Needs {
			p.MeanWork = append(p.MeanWork, float64(sys.Needs[c])*sys.Input.Plain().Classes[c].Service.Mean())
		}
		return p.Run(ctx, nil)
	}
	g, h := pile(one), pile(other)
	same("growth", h.Gamma.Value, u*g.Gamma.Value)
	same("its half-width", h.Gamma.HalfWidth, u*g.Gamma.HalfWidth)
}

func sameEstimate(a, b result.Estimate) bool {
	return near(a.Value, b.Value) && near(a.HalfWidth, b.HalfWidth)
}

// TestPileIsTheSame compares piles over several rounds.
func TestPileIsTheSame(t *testing.T) {
	for name, sys := range systems() {
		samePile(t, name, sys, 200_000)
	}
}

func samePile(t *testing.T, name string, sys sampling.System, most int64) {
	here, there := both(t, sys, func(sys sampling.System) *sampling.PileResult {
		p := sampling.Pile{System: sys, Replications: 40, WarmUp: 300, Jobs: 500, MaxJobs: most, RelErr: 1e-9, Level: 0.95}
		for c := range sys.Needs {
			p.MeanWork = append(p.MeanWork, float64(sys.Needs[c])*sys.Input.Plain().Classes[c].Service.Mean())
		}
		return p.Run(context.Background(), nil)
	})
	if there.Failed != nil {
		t.Fatal(there.Failed)
	}
	if here.Steps != there.Steps || !near(here.Gamma.Value, there.Gamma.Value) || math.Abs(here.Gamma.HalfWidth-there.Gamma.HalfWidth) > 1e-6*here.Gamma.Value {
		t.Errorf("%s: growth %v in %d steps; on the device %v in %d", name, here.Gamma, here.Steps, there.Gamma, there.Steps)
	}
}

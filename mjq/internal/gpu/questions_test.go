package gpu_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mjqueue/mjq/kernels/cuda/emulate"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/gpu"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/result"
)

// TestEmulated runs what needs a device on an emulated one, built once.
func TestEmulated(t *testing.T) {
	oracle.Long(t, "the same questions on the CPU; this needs a C++ compiler")
	program, err := emulate.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Run("same as on the CPU", func(t *testing.T) { emulated(t, program, 1<<30); sameOnGPU(t) })
	t.Run("types of resources", func(t *testing.T) { emulated(t, program, 1<<30); typesOnGPU(t) })
	t.Run("memory", func(t *testing.T) { emulated(t, program, 100_000); tooLittleMemory(t) })
	t.Run("interrupted", func(t *testing.T) { emulated(t, program, 1<<30); interruptedOnGPU(t) })
}

// emulated puts the emulator in the GPU's place.
func emulated(t *testing.T, program string, memory int64) {
	before := problem.OpenGPU
	problem.OpenGPU = func() (gpu.Driver, error) { return emulate.Open(program, memory) }
	t.Cleanup(func() { problem.OpenGPU = before })
}

func mixedLaws() mjq.Model {
	return mjq.Servers(20).Poisson(1.4).Class("T1", 1, 0.50, mjq.ExpMean(0.5)).Class("T2", 2, 0.10, mjq.ExpMean(0.83)).
		Class("T5", 5, 0.20, mjq.ErlangMeanPhases(1.25, 3)).Class("T10", 10, 0.19, mjq.ExpMean(3.33)).Class("T15", 15, 0.01, mjq.ExpMean(10))
}

// twoLaws is a queue whose bound takes no time to calculate.
func twoLaws() mjq.Model {
	return mjq.Servers(8).Poisson(2).Class("T1", 1, 0.8, mjq.ExpMean(1)).Class("T5", 5, 0.2, mjq.ExpMean(0.7))
}

// alike reports whether two results agree to nine digits in every column.
func alike(a, b *result.Result) bool {
	same := func(x, y result.Estimate) bool {
		if math.IsNaN(x.Value) && math.IsNaN(y.Value) { // unknown, as a sum over units of several types
			return x.Method == y.Method
		}
		near := 1e-9
		if strings.Contains(x.Method, "control") { // which solve equations
			near = 1e-7
		}
		return math.Abs(x.Value-y.Value) <= near*(1+math.Abs(x.Value)) && math.Abs(x.HalfWidth-y.HalfWidth) <= 1e-7*(1+x.HalfWidth) &&
			x.N == y.N && x.Method == y.Method && x.Level == y.Level
	}
	metric := func(x, y result.Metric) bool {
		return same(x.Mean, y.Mean) && same(x.Variance, y.Variance) && x.Dist.Total == y.Dist.Total &&
			(x.Dist.Total == 0 || math.Abs(x.Dist.Quantile(0.9)-y.Dist.Quantile(0.9)) <= 4e-3*(1+x.Dist.Quantile(0.9)))
	}
	ok := same(a.WastedHOL, b.WastedHOL) && same(a.MeanJobs, b.MeanJobs) && metric(a.All.Waiting, b.All.Waiting) && metric(a.All.Response, b.All.Response)
	for c := range a.Classes {
		ok = ok && metric(a.Classes[c].Waiting, b.Classes[c].Waiting) && metric(a.Classes[c].Response, b.Classes[c].Response)
	}
	return ok && a.Run.Steps == b.Run.Steps && a.Run.Samples == b.Run.Samples && a.Run.MaxWindow == b.Run.MaxWindow && a.Solver == b.Solver
}

// sameOnGPU asks the same of both processors: the results have the same columns
// and the same digits.
func sameOnGPU(t *testing.T) {
	ctx := context.Background()
	m := mixedLaws()
	for name, run := range map[string]func(mjq.Processor) (*result.Result, error){
		"backward": func(on mjq.Processor) (*result.Result, error) {
			return m.Solve(ctx, mjq.Backward{Samples: 600, Window: 500, Device: on}, mjq.Seed(3))
		},
		"backward to a target": func(on mjq.Processor) (*result.Result, error) {
			return m.Solve(ctx, mjq.Backward{Window: 200, AgreeTogether: 64, Samples: 5000, Device: on}, mjq.RelErr(0.2))
		},
		"certified": func(on mjq.Processor) (*result.Result, error) {
			return twoLaws().Solve(ctx, mjq.Certified{Samples: 50, Device: on}, mjq.Seed(3))
		},
		"certified to a target": func(on mjq.Processor) (*result.Result, error) {
			return twoLaws().Solve(ctx, mjq.Certified{Eps: 1e-2, Samples: 600, Device: on}, mjq.RelErr(0.5))
		},
		"forward": func(on mjq.Processor) (*result.Result, error) {
			return m.Solve(ctx, mjq.Forward{Jobs: 3000, Replications: 40, Device: on})
		},
		"controlled": func(on mjq.Processor) (*result.Result, error) {
			return twoLaws().Solve(ctx, mjq.Forward{Jobs: 3000, Replications: 40, Controls: mjq.PlainControls, Device: on})
		},
		"unbiased": func(on mjq.Processor) (*result.Result, error) {
			return m.Solve(ctx, mjq.Unbiased{Samples: 40, Device: on}, mjq.Seed(3))
		},
		"unbiased, followed": func(on mjq.Processor) (*result.Result, error) {
			return m.Solve(ctx, mjq.Unbiased{Samples: 40, PathLength: 2000, Device: on}, mjq.Seed(3))
		},
		"followed": func(on mjq.Processor) (*result.Result, error) {
			return m.Solve(ctx, mjq.Certified{Samples: 40, PathLength: 2000, Device: on}, mjq.Seed(3))
		},
	} {
		here, err := run(mjq.CPU)
		if err != nil {
			t.Fatal(err)
		}
		there, err := run(mjq.GPU)
		if err != nil {
			t.Fatal(err)
		}
		if !alike(here, there) {
			t.Errorf("%s: on the CPU\n%v\non the GPU\n%v", name, here, there)
		}
		if here.Run.On != "CPU" || there.Run.On != "GPU emulated" {
			t.Errorf("%s: the results say that they were computed on %q and %q", name, here.Run.On, there.Run.On)
		}
	}
	other, err := m.Solve(ctx, mjq.Backward{Samples: 600, Window: 500, Device: mjq.GPU}, mjq.Seed(4))
	if here, _ := m.Solve(ctx, mjq.Backward{Samples: 600, Window: 500}, mjq.Seed(3)); err != nil || alike(here, other) {
		t.Errorf("another seed gives the same digits (%v)", err)
	}
	pile := mjq.Options(mjq.Pile{}, mjq.RelErr(0.02), mjq.MaxJobs(400_000))
	here, there := mjq.Must(m.Stability(ctx, pile)), mjq.Must(m.Stability(ctx, mjq.Pile{Device: mjq.GPU}, mjq.RelErr(0.02), mjq.MaxJobs(400_000)))
	if math.Abs(here.Rate-there.Rate) > 1e-9 || here.Jobs != there.Jobs || there.On != "GPU emulated" {
		t.Errorf("stability: %v on the CPU, %v on the GPU %q", here, there, there.On)
	}
}

// typesOnGPU does the same with types of resources, in both recursions, where
// results also tell what each type loses; and asks for what no GPU runs.
func typesOnGPU(t *testing.T) {
	ctx := context.Background()
	small := training(1)
	for _, c := range []mjq.Model{small, small.AsPrinted()} {
		for name, run := range map[string]func(mjq.Processor) (*result.Result, error){
			"backward": func(on mjq.Processor) (*result.Result, error) {
				return c.Solve(ctx, mjq.Backward{Samples: 300, Window: 300, Device: on}, mjq.Seed(3))
			},
			"forward": func(on mjq.Processor) (*result.Result, error) {
				return c.Solve(ctx, mjq.Forward{Jobs: 2000, Replications: 20, Device: on})
			},
		} {
			here, there := mjq.Must(run(mjq.CPU)), mjq.Must(run(mjq.GPU))
			if !alike(here, there) || there.Run.On != "GPU emulated" {
				t.Errorf("%s: on the CPU\n%v\non %s\n%v", name, here, there.Run.On, there)
			}
			for i, r := range here.Resources {
				if x, y := r.WastedHOL, there.Resources[i].WastedHOL; !(x.Value > 0) || math.Abs(x.Value-y.Value) > 1e-9*x.Value || math.Abs(x.HalfWidth-y.HalfWidth) > 1e-7*x.Value {
					t.Errorf("%s: %s wasted %v; on the GPU %v", name, r.Name, x, y)
				}
			}
		}
		pile := mjq.Options(mjq.Pile{}, mjq.RelErr(0.02), mjq.MaxJobs(400_000))
		here, there := mjq.Must(c.Stability(ctx, pile)), mjq.Must(c.Stability(ctx, mjq.Pile{Device: mjq.GPU}, mjq.RelErr(0.02), mjq.MaxJobs(400_000)))
		if math.Abs(here.Rate-there.Rate) > 1e-9 || here.Jobs != there.Jobs || there.On != "GPU emulated" {
			t.Errorf("stability: %v on the CPU, %v on the GPU %q", here, there, there.On)
		}
	}
	if _, err := mixedLaws().RandomAssignment().AtRate(0.1).Solve(ctx, mjq.Forward{Jobs: 1000,
		Device: mjq.GPU}); err == nil || !strings.Contains(err.Error(), "random assignment") || !strings.Contains(err.Error(), "Device: mjq.CPU") {
		t.Errorf("random assignment on a GPU gives %v", err)
	}
	if r := mjq.Must(mixedLaws().RandomAssignment().AtRate(0.1).Solve(ctx, mjq.Forward{Jobs: 1000, Device: mjq.Auto})); r.Run.On != "CPU" {
		t.Errorf("random assignment on Auto ran on %q", r.Run.On)
	}
}

// TestAutoTakesTheFaster: with a GPU, Auto takes it for many chains side by side, and says why it
// does not for few or for paths that are looked at.
func TestAutoTakesTheFaster(t *testing.T) {
	oracle.Long(t, "what is slower on a GPU, which has no clock here; this needs a C++ compiler")
	program, err := emulate.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	emulated(t, program, 1<<30)
	ctx, m := context.Background(), twoLaws()
	for _, c := range []struct {
		how mjq.Method
		why string // it is drawn on the CPU; empty: on the GPU
	}{
		{mjq.Backward{Samples: 1100, Window: 20, MaxWindow: 20, Device: mjq.Auto}, ""},
		{mjq.Backward{Samples: 300, Window: 20, MaxWindow: 20, Device: mjq.Auto}, "300 samples or replications side by side are fewer than 1024"},
		{mjq.Forward{Jobs: 20, Replications: 1100, Device: mjq.Auto}, ""},
		{mjq.Forward{Jobs: 20, Device: mjq.Auto}, "32 samples"},
		{mjq.Certified{Samples: 1100, PathLength: 64, Eps: 0.01, Device: mjq.Auto}, "looked at on the way"},
	} {
		r := mjq.Must(m.Solve(ctx, c.how))
		there := r.Run.On == "GPU emulated"
		if there != (c.why == "") || !there && !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, c.why) && strings.Contains(n, "mjq.GPU") }) {
			t.Errorf("%+v: drawn on %q with the notes %q", c.how, r.Run.On, r.Notes)
		}
	}
	st := mjq.Must(m.Stability(ctx, mjq.Pile{Replications: 20, Device: mjq.Auto}, mjq.RelErr(0.1), mjq.MaxJobs(20_000)))
	if st.On != "CPU" || !strings.Contains(st.Note, "20 samples or replications") {
		t.Errorf("20 piles grew on %q with the note %q", st.On, st.Note)
	}
}

// TestOnAutoFallsBack checks that nothing changes without a device but a note.
func TestOnAutoFallsBack(t *testing.T) {
	defer func(before func() (gpu.Driver, error)) { problem.OpenGPU = before }(problem.OpenGPU)
	problem.OpenGPU = func() (gpu.Driver, error) { return nil, errors.New("no such thing") }
	ctx := context.Background()
	m := mixedLaws()
	here := mjq.Must(m.Solve(ctx, mjq.Backward{Samples: 200}))
	auto := mjq.Must(m.Solve(ctx, mjq.Backward{Samples: 200, Device: mjq.Auto}))
	if here.All.Waiting.Mean != auto.All.Waiting.Mean || auto.Run.On != "CPU" {
		t.Errorf("Device(Auto) without a device: %v on %q, not %v", auto.All.Waiting.Mean, auto.Run.On, here.All.Waiting.Mean)
	}
	if !slices.ContainsFunc(auto.Notes, func(n string) bool { return strings.Contains(n, "no such thing") && strings.Contains(n, "CPU") }) {
		t.Errorf("the notes %q do not say why", auto.Notes)
	}
	st := mjq.Must(m.Stability(ctx, mjq.Pile{Device: mjq.Auto}, mjq.RelErr(0.05)))
	if st.On != "CPU" || !strings.Contains(st.Note, "no such thing") {
		t.Errorf("stability was found on %q with the note %q", st.On, st.Note)
	}
}

// TestOnFaults checks what users read when it does not work.
func TestOnFaults(t *testing.T) {
	ctx := context.Background()
	m := mixedLaws()
	_, backward := m.Solve(ctx, mjq.Backward{Device: mjq.Processor("TPU")})
	_, certified := m.Solve(ctx, mjq.Certified{Device: mjq.Processor("TPU")})
	for _, err := range []error{backward, certified} {
		if err == nil || !strings.Contains(err.Error(), `Device "TPU"`) {
			t.Errorf("Device TPU gives %v", err)
		}
	}
	if _, err := problem.OpenGPU(); err != nil { // a machine without a GPU, or a build without the tag
		for _, run := range []func() error{
			func() error { _, err := m.Solve(ctx, mjq.Backward{Device: mjq.GPU}); return err },
			func() error { _, err := m.Solve(ctx, mjq.Certified{Device: mjq.GPU}); return err },
			func() error { _, err := m.Solve(ctx, mjq.Forward{Device: mjq.GPU}); return err },
			func() error { _, err := m.Stability(ctx, mjq.Pile{Device: mjq.GPU}); return err },
		} {
			if err := run(); err == nil || !strings.Contains(err.Error(), "Device: mjq.CPU") || strings.Count(err.Error(), "mjq: ") != 1 {
				t.Errorf("Device(GPU) without one gives %v", err)
			}
		}
	}
}

// tooLittleMemory checks that the error names the device and the size.
func tooLittleMemory(t *testing.T) {
	_, err := mixedLaws().Solve(context.Background(), mjq.Backward{Device: mjq.GPU})
	if err == nil || !strings.Contains(err.Error(), "MiB") || !strings.Contains(err.Error(), "emulated") {
		t.Errorf("too little memory gives %v", err)
	}
}

// interruptedOnGPU stops a long run on the device: soon, and with the
// context's error.
func interruptedOnGPU(t *testing.T) {
	m := mixedLaws()
	mjq.Must(m.Stability(context.Background()))
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	started := time.Now()
	r, err := m.Solve(ctx, mjq.Backward{Samples: 256, Window: 10_000_000, Device: mjq.GPU})
	if took := time.Since(started); !errors.Is(err, context.DeadlineExceeded) || r == nil || r.Run.Complete || took > oracle.Soon {
		t.Errorf("after %v: %v, %v", took, r, err)
	}
}

// training is a small cluster of processors and accelerators.
func training(rate float64) mjq.Model {
	return mjq.Resources("cpu", 20).Resources("gpu", 4).Poisson(rate).
		Needing("batch", mjq.Needs{"cpu": 3}, 0.6, mjq.ExpMean(1)).
		Needing("train", mjq.Needs{"cpu": 8, "gpu": 2}, 0.4, mjq.ExpMean(2))
}

package problem

import (
	"fmt"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/gpu"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
	"github.com/mjqueue/mjq/mjq/result"
)

// Processor is where samples are drawn.
type Processor string

// The processors: the cores, with Workers goroutines, by default.
const (
	CPU  Processor = ""
	GPU  Processor = "GPU"  // the first NVIDIA device, or an error that says what to do
	Auto Processor = "Auto" // the GPU if it can and is likely to be faster, else the cores with a note
)

// fewestChains is how many chains side by side it takes for a GPU to be faster than the cores. An
// H100 draws 1000 backward and certified samples .9 to 2.7 times as fast as 16 cores, and 16,384 of
// them 1.4 to 8 times (BenchmarkKernels, site/docs/measured/gpu-kernels.csv).
const fewestChains = 1024

// SlowerOnGPU is why so many chains take longer there than on the cores; empty if they do not.
// Followed paths are looked at on the GPU and added up on one core, which holds the GPU up.
func SlowerOnGPU(chains float64, followed bool) string {
	switch {
	case followed:
		return "paths that are looked at on the way are faster there"
	case chains < fewestChains:
		return fmt.Sprintf("%.0f samples or replications side by side are fewer than %d, from which on a GPU is faster", chains, fewestChains)
	}
	return ""
}

// OpenGPU makes the device ready; tests put an emulated one in its place.
var OpenGPU = gpu.Open

// Place is where a run has been put.
type Place struct {
	Name string // "CPU", or the device's
	Note string // why it is not the GPU; may be empty
	End  func() // gives the device back
}

// PlaceOn puts a system on the processor that is asked for. A reason keeps a query that leaves
// the choice on the cores, and so does, where there is a GPU, what makes that slower.
func PlaceOn(device Processor, sys *sampling.System, reason, slower string) (Place, error) {
	cores := Place{Name: "CPU", End: func() {}}
	if device == CPU {
		return cores, nil
	}
	if device == Auto && reason != "" {
		cores.Note = "Device mjq.Auto: drawn on the CPU, because " + reason
		return cores, nil
	}
	at, err := onDevice(sys)
	if err != nil && device == Auto {
		cores.Note = fmt.Sprintf("Device mjq.Auto: drawn on the CPU, because: %s", check.First(err))
		return cores, nil
	}
	if device == Auto && slower != "" {
		at.End()
		sys.Device = nil
		cores.Note = "Device mjq.Auto: drawn on the CPU, because " + slower + "; Device: mjq.GPU insists"
		return cores, nil
	}
	return at, err
}

// onDevice puts a system on the GPU.
func onDevice(sys *sampling.System) (Place, error) {
	if err := gpu.Takes(sys); err != nil {
		return Place{}, err
	}
	driver, err := OpenGPU()
	if err != nil {
		return Place{}, err
	}
	s, err := gpu.New(driver, sys)
	if err != nil {
		_ = driver.Close() // the first error says more
		return Place{}, err
	}
	sys.Device = s
	return Place{Name: "GPU " + driver.Name(), End: func() {
		s.Close()
		_ = driver.Close() // all results are here by now
	}}, nil
}

// Record says in the result where it was computed.
func (p *Place) Record(r *result.Result) {
	r.Run.On = p.Name
	if p.Note != "" {
		r.Notes = append(r.Notes, p.Note)
	}
}

package problem

import (
	"fmt"

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
	Auto Processor = "Auto" // the GPU if it can, else the cores with a note
)

// OpenGPU makes the device ready; tests put an emulated one in its place.
var OpenGPU = gpu.Open

// Place is where a run has been put.
type Place struct {
	Name string // "CPU", or the device's
	Note string // why it is not the GPU; may be empty
	End  func() // gives the device back
}

// PlaceOn puts a system on the processor that is asked for. A reason keeps a query that leaves
// the choice on the cores.
func PlaceOn(device Processor, sys *sampling.System, reason string) (Place, error) {
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
		cores.Note = fmt.Sprintf("Device mjq.Auto: drawn on the CPU, because: %v", err)
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

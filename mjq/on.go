package mjq

import (
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/gpu"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// Processor is where samples are drawn.
type Processor int

const (
	// CPU draws on the cores, with Workers goroutines. It is the default.
	CPU Processor = iota
	// GPU draws on the first NVIDIA device, in a program built with the tag
	// cuda; what keeps it from doing so is an error that says what to do.
	GPU
	// Auto draws on the GPU if it can, else on the cores, and the result notes
	// why.
	Auto
)

// String is "CPU", "GPU" or "Auto".
func (p Processor) String() string {
	switch p {
	case CPU:
		return "CPU"
	case GPU:
		return "GPU"
	case Auto:
		return "Auto"
	}
	return fmt.Sprintf("Processor(%d)", int(p))
}

// Place is where a query runs. It is embedded in the queries of the samplers
// that can run on a GPU.
type Place[Q any] struct {
	self *Q
	on   Processor
	why  string // the query must stay on the CPU, if not empty
}

func newPlace[Q any](self *Q) Place[Q] { return Place[Q]{self: self} }

// On chooses the processor; the default is CPU. The randomness is the same on
// both, so that results agree to about nine digits. A GPU pays off with
// thousands of chains side by side, samples or replications; Workers means
// nothing to it. Memory on the device grows with the chains that run at once
// times the groups that can be in service, servers over the smallest need, and
// the chains are as many as fit, at most 131,072.
//
// It takes the plain queue, and a Cluster of up to 8 types of resources, also
// AsPrinted (where every unit can be a group of its own), but not one of named
// servers or random assignment. The bound of Certified is found on the cores.
//
// A run on the GPU is cut into launches, between which it may stop; that they last
// for less than 100 ms has not been measured on a device yet. It keeps what whole
// waves had completed, which are as large as fit. With a
// target (RelErr, HalfWidth) Forward looks at the interval after every 4096
// replications, so that it may make more of them than on the CPU; Certified
// draws its samples 4096 at a time and stops at the same one.
func (p *Place[Q]) On(where Processor) *Q {
	p.on = where
	return p.self
}

func (p *Place[Q]) faults(f *faults) {
	f.check(p.on >= CPU && p.on <= Auto, "On(%v): use mjq.CPU, mjq.GPU or mjq.Auto", p.on)
}

// stay keeps a query that leaves the choice on the processor, and says why.
func (p *Place[Q]) stay(why string) { p.why = why }

// openGPU makes the device ready; tests put an emulated one in its place.
var openGPU = gpu.Open

// place is where a run has been put.
type place struct {
	name string // "CPU", or the device's
	note string // why it is not the GPU; may be empty
	end  func() // gives the device back
}

// settle puts a system on the processor that the query asks for.
func (p *Place[Q]) settle(sys *sampling.System) (place, error) {
	cores := place{name: "CPU", end: func() {}}
	if p.on == CPU {
		return cores, nil
	}
	if p.on == Auto && p.why != "" {
		cores.note = "On(Auto): drawn on the CPU, because " + p.why
		return cores, nil
	}
	device, err := onDevice(sys)
	if err != nil && p.on == Auto {
		cores.note = fmt.Sprintf("On(Auto): drawn on the CPU, because: %v", err)
		return cores, nil
	}
	return device, err
}

// onDevice puts a system on the GPU.
func onDevice(sys *sampling.System) (place, error) {
	if err := gpu.Takes(sys); err != nil {
		return place{}, err
	}
	driver, err := openGPU()
	if err != nil {
		return place{}, err
	}
	s, err := gpu.New(driver, sys)
	if err != nil {
		_ = driver.Close() // the first error says more
		return place{}, err
	}
	sys.Device = s
	return place{name: "GPU " + driver.Name(), end: func() {
		s.Close()
		_ = driver.Close() // all results are here by now
	}}, nil
}

// tell says in the result where it was computed.
func (p *place) tell(r *Result) {
	r.Run.On = p.name
	if p.note != "" {
		r.Notes = append(r.Notes, p.note)
	}
}

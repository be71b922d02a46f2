package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/gpu"
	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// Processor selects where samples are drawn: CPU (the default), GPU or Auto. Results agree to
// about nine digits. See site/docs/methods/gpu.md for models, memory and speed.
type Processor = problem.Processor

const (
	// CPU draws on the cores, with Workers goroutines. It is the default.
	CPU Processor = problem.CPU
	// GPU draws on the first NVIDIA device, in a program built with the tag cuda; what keeps it
	// from doing so is an error that says what to do.
	GPU Processor = problem.GPU
	// Auto draws on the GPU if it can and if that is likely to be faster: with 1024 samples or
	// Replications or more, and no PathLength. Else it draws on the cores, and the result notes why.
	Auto Processor = problem.Auto
)

// Devices lists the GPUs that this build can use, with name and memory in bytes. A build
// without the tag cuda, a machine without a driver, or one without a device gives an error
// that says which it is and what to do. All samplers run on the CPU.
func Devices() ([]gpu.Device, error) {
	devices, err := gpu.Devices()
	return devices, prefixed(err)
}

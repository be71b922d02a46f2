package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/gpu"
	"github.com/mjqueue/mjq/mjq/internal/method"
)

// Processor is where samples are drawn.
type Processor = method.Processor

const (
	// CPU draws on the cores, with Workers goroutines. It is the default.
	CPU = method.CPU
	// GPU draws on the first NVIDIA device, in a program built with the tag cuda; what
	// keeps it from doing so is an error that says what to do.
	GPU = method.GPU
	// Auto draws on the GPU if it can, else on the cores, and the result notes why.
	Auto = method.Auto
)

// Devices lists the GPUs that this build can use, with name and memory in bytes. A
// build without the tag cuda, a machine without a driver, or one without a device gives
// an error that says which it is and what to do. All samplers run on the CPU.
func Devices() ([]gpu.Device, error) {
	devices, err := gpu.Devices()
	return devices, prefixed(err)
}

// Panic is a panic that a verb has caught and returned as its error, in the verb's own
// goroutine or in one of those that it has started: with the value, the law whose code
// it was, if so, and the stack. Find it with errors.As. The code of users runs in these
// goroutines, such as the Sample of a law or the function given to Progress, and could
// not recover from a panic there. Where no code of yours is in the stack, please report
// it as a defect.
type Panic = method.Panic

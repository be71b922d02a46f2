package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/gpu"
	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// Processor is where samples are drawn. The randomness is the same on both, so that results
// agree to about nine digits. A GPU pays off with thousands of chains side by side, samples or
// replications, and where the cores would take longer than some seconds; Workers means nothing to
// it. Memory on the device grows with the chains that run at once times the groups that can be in
// service, servers over the smallest need, and the chains are as many as fit.
//
// Backward, Certified, Unbiased, Forward and Pile run there, followed or with control variates
// as without. Paths of followed and unbiased samples are looked at on the GPU and added up on
// one core, so that looks that are close together hold the GPU up and the cores are faster.
//
// It takes the plain queue, and one with up to 8 types of resources, also AsPrinted (where
// every unit can be a group of its own), but not one of named servers or random assignment.
//
// A run on the GPU is cut into launches of some 30 ms, between which it may stop. It keeps what
// whole waves had completed, which are as large as fit; a first wave of Forward counts as far as
// all its paths have come. With a target (RelErr, HalfWidth) Forward looks at the interval
// after every 4096 replications, so that it may make more of them than on the CPU; Certified
// draws its samples 4096 at a time and stops at the same one.
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

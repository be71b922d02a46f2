// Package gpu is the CUDA back end of the samplers: it lays a model out for the
// kernels of kernels/cuda, shares the chains out over launches, and reads the
// results. All of that talks to a [Driver], of which there are two: CUDA's, which
// is built with the tag cuda and needs CUDA's headers and driver library, and
// the emulator of the tests. Without the tag, opening a device returns an error
// that says how to get it.
package gpu

// Device is a GPU that could be used.
type Device struct {
	Name   string
	Memory int64 // bytes
}

// Driver is what is asked of a device. Addresses are in its memory; calls come
// one at a time and are done when they return.
type Driver interface {
	Name() string
	// Multiprocessors is how many the device has, among which a launch shares its blocks out.
	Multiprocessors() int
	Memory() (free, total int64, err error)
	Alloc(bytes int64) (uint64, error)
	Free(at uint64) error
	Upload(at uint64, from []byte) error
	Download(to []byte, at uint64) error
	// Launch runs a kernel on blocks of threads, each block with a given number of bytes
	// of shared memory. Every argument takes eight bytes.
	Launch(kernel string, blocks, threads, shared int, args ...uint64) error
	Close() error
}

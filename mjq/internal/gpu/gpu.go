// Package gpu is the CUDA back end. It is built with the tag cuda, which needs
// CUDA's headers and driver library; without the tag every call returns an
// error that says how to get it.
package gpu

// Device is a GPU that could be used.
type Device struct {
	Name   string
	Memory int64 // bytes
}

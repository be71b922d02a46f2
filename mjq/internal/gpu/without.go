//go:build !cuda

package gpu

import "errors"

// errWithout says what a build without the tag lacks.
var errWithout = errors.New("mjq: this build has no GPU back end; on a machine with an NVIDIA driver and the CUDA headers, build with the tag cuda (in a notebook: %goflags -tags=cuda)")

// Devices fails: this build has no back end.
func Devices() ([]Device, error) { return nil, errWithout }

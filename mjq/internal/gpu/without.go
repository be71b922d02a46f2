//go:build !cuda

package gpu

import "errors"

// errWithout says what a build without the tag lacks.
var errWithout = errors.New("this build has no GPU back end; on a machine with an NVIDIA driver, run docker/setup.sh cuda once and build with the tag cuda as it says (in a notebook: %goflags -tags=cuda), or use Device: mjq.CPU")

// Devices fails: this build has no back end.
func Devices() ([]Device, error) { return nil, errWithout }

// Open fails: this build has no back end.
func Open() (Driver, error) { return nil, errWithout }

//go:build cuda

package gpu

// #cgo LDFLAGS: -ldl
// extern int mjqInitialised;
import "C"

import (
	"errors"
	"fmt"

	"gorgonia.org/cu"
)

// What CUDA's initialisation answers.
const (
	initialised = 0
	noLibrary   = -1 // ours: there is none
	noDevice    = 100
	stub        = 34 // the library is the stub of a CUDA installation
	mismatch    = 803
)

// ready says what keeps this machine's driver from being used.
func ready() error {
	switch code := int(C.mjqInitialised); code {
	case initialised:
		return nil
	case noLibrary:
		return errors.New("there is no NVIDIA driver on this machine (no libcuda.so.1): install one, or in a container start it with the GPUs passed through, or use Device: mjq.CPU")
	case noDevice:
		return errors.New("the NVIDIA driver finds no device on this machine; run it where nvidia-smi lists one, or use Device: mjq.CPU")
	case stub:
		return errors.New("the program has loaded a stub of libcuda.so.1, not the driver; take the stub's folder out of LD_LIBRARY_PATH, or use Device: mjq.CPU")
	case mismatch:
		return errors.New("the NVIDIA driver's library and its kernel module are of different versions; reboot after the update of the driver, or use Device: mjq.CPU")
	default:
		return fmt.Errorf("the NVIDIA driver does not start (CUDA error %d): look at what nvidia-smi says, or use Device: mjq.CPU", code)
	}
}

// Devices lists the GPUs that the driver offers. It fails when there is no
// driver or no device.
func Devices() ([]Device, error) {
	if err := ready(); err != nil {
		return nil, err
	}
	n, err := cu.NumDevices()
	if err != nil {
		return nil, fmt.Errorf("counting the devices: %w", err)
	}
	if n == 0 {
		return nil, errors.New("the NVIDIA driver reports no device; run it where nvidia-smi lists one, or use Device: mjq.CPU")
	}
	devices := make([]Device, n)
	for i := range devices {
		d, err := cu.GetDevice(i)
		if err != nil {
			return nil, fmt.Errorf("device %d: %w", i, err)
		}
		if devices[i].Name, err = d.Name(); err != nil {
			return nil, fmt.Errorf("the name of device %d: %w", i, err)
		}
		if devices[i].Memory, err = d.TotalMem(); err != nil {
			return nil, fmt.Errorf("the memory of device %d: %w", i, err)
		}
	}
	return devices, nil
}

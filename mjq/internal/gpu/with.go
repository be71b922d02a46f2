//go:build cuda

package gpu

import (
	"fmt"

	"gorgonia.org/cu"
)

// Devices lists the GPUs that the driver offers. It fails when there is no
// driver or no device.
func Devices() ([]Device, error) {
	n, err := cu.NumDevices()
	if err != nil {
		return nil, fmt.Errorf("mjq: no usable NVIDIA driver: %w", err)
	}
	if n == 0 {
		return nil, fmt.Errorf("mjq: the NVIDIA driver reports no device")
	}
	devices := make([]Device, n)
	for i := range devices {
		d, err := cu.GetDevice(i)
		if err != nil {
			return nil, fmt.Errorf("mjq: device %d: %w", i, err)
		}
		if devices[i].Name, err = d.Name(); err != nil {
			return nil, fmt.Errorf("mjq: the name of device %d: %w", i, err)
		}
		if devices[i].Memory, err = d.TotalMem(); err != nil {
			return nil, fmt.Errorf("mjq: the memory of device %d: %w", i, err)
		}
	}
	return devices, nil
}

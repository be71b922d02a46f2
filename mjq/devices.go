package mjq

import "github.com/mjqueue/mjq/mjq/internal/gpu"

// Device is a GPU: its name and its memory in bytes.
type Device = gpu.Device

// Devices lists the GPUs that this build can use. A build without the tag cuda,
// a machine without a driver, or one without a device gives an error that says
// which it is and what to do. All samplers run on the CPU.
func Devices() ([]Device, error) { return gpu.Devices() }

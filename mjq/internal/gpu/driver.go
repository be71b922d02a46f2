//go:build cuda

package gpu

import (
	"fmt"
	"runtime"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/kernels/cuda"
)

// driver is CUDA's. A context belongs to a thread of the system, so one
// goroutine, locked to its thread, makes all calls.
type driver struct {
	name    string
	many    int // multiprocessors
	work    chan func()
	context cu.CUContext
	code    string // of all kernels
	stream  cu.Stream
	kernels map[string]cu.Function
}

// Open makes the first device ready. Close it after use.
func Open() (Driver, error) {
	devices, err := Devices()
	if err != nil {
		return nil, err
	}
	d := &driver{name: devices[0].Name, work: make(chan func()), kernels: map[string]cu.Function{}}
	go func() {
		runtime.LockOSThread() // the thread ends with the goroutine
		for f := range d.work {
			f()
		}
	}()
	if err := d.do(d.start); err != nil {
		_ = d.Close()
		return nil, fmt.Errorf("the GPU %s: %w; use Device: mjq.CPU meanwhile", d.name, err)
	}
	return d, nil
}

// do has the goroutine of the context call f.
func (d *driver) do(f func() error) error {
	answer := make(chan error)
	d.work <- func() {
		var err error
		if failed := panics.Call(func() { err = f() }); failed != nil {
			err = failed
		}
		answer <- err
	}
	return <-answer
}

// start makes the context.
func (d *driver) start() error {
	device, err := cu.GetDevice(0)
	if err != nil {
		return err
	}
	major, minor, err := device.ComputeCapability()
	if err != nil {
		return err
	}
	if d.many, err = device.Attribute(cu.MultiprocessorCount); err != nil {
		return err
	}
	if d.code, err = cuda.PTX(major, minor); err != nil {
		return err
	}
	if d.context, err = device.MakeContext(cu.SchedAuto); err != nil {
		return fmt.Errorf("no context: %w", err)
	}
	if err = cu.SetCurrentContext(d.context); err != nil {
		return err
	}
	d.stream, err = cu.MakeStream(cu.DefaultStream)
	return err
}

// Close gives the device back.
func (d *driver) Close() error {
	err := d.do(func() error {
		if d.context == (cu.CUContext{}) {
			return nil
		}
		return d.context.Destroy() // and all that is in it
	})
	close(d.work)
	return err
}

func (d *driver) Name() string { return d.name }

func (d *driver) Multiprocessors() int { return d.many }

func (d *driver) Memory() (free, total int64, err error) {
	err = d.do(func() (err error) {
		free, total, err = cu.MemInfo()
		return err
	})
	return free, total, err
}

func (d *driver) Alloc(bytes int64) (uint64, error) {
	var at cu.DevicePtr
	err := d.do(func() (err error) {
		at, err = cu.MemAlloc(bytes)
		return err
	})
	return uint64(at), err
}

func (d *driver) Free(at uint64) error {
	return d.do(func() error { return cu.MemFree(cu.DevicePtr(at)) })
}

func (d *driver) Upload(at uint64, from []byte) error {
	if len(from) == 0 {
		return nil
	}
	return d.do(func() error {
		return cu.MemcpyHtoD(cu.DevicePtr(at), unsafe.Pointer(&from[0]), int64(len(from)))
	})
}

func (d *driver) Download(to []byte, at uint64) error {
	if len(to) == 0 {
		return nil
	}
	return d.do(func() error {
		return cu.MemcpyDtoH(unsafe.Pointer(&to[0]), cu.DevicePtr(at), int64(len(to)))
	})
}

func (d *driver) Launch(kernel string, blocks, threads, shared int, args ...uint64) error {
	return d.do(func() error {
		f, err := d.kernel(kernel)
		if err != nil {
			return err
		}
		params := make([]unsafe.Pointer, len(args))
		for i := range args {
			params[i] = unsafe.Pointer(&args[i])
		}
		if err := f.Launch(blocks, 1, 1, threads, 1, 1, shared, d.stream, params); err != nil {
			return err
		}
		return d.stream.Synchronize()
	})
}

// kernel is loaded when it is first needed, for the driver takes long to translate all.
func (d *driver) kernel(name string) (cu.Function, error) {
	if f, ok := d.kernels[name]; ok {
		return f, nil
	}
	code, err := cuda.Kernel(d.code, name)
	if err != nil {
		return cu.Function{}, err
	}
	module, err := cu.LoadData(code)
	if err != nil {
		return cu.Function{}, fmt.Errorf("the driver (CUDA %d.%d) does not take kernel %s, which needs CUDA 12.1 or newer: %w",
			cu.Version()/1000, cu.Version()%1000/10, name, err)
	}
	f, err := module.Function(name)
	if err != nil {
		return cu.Function{}, fmt.Errorf("kernel %s: %w", name, err)
	}
	d.kernels[name] = f
	return f, nil
}

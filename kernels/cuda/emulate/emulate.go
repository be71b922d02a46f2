// Package emulate runs the kernels on the CPU: it compiles their sources, as
// they are, with a C++ compiler and talks to the program that comes out, which
// holds memory and runs launches as a GPU would. It serves the tests; it is slow.
package emulate

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/mjqueue/mjq/kernels/cuda"
)

// Compiler is the C++ compiler that Build calls: $CXX, or g++.
func Compiler() string {
	if name := os.Getenv("CXX"); name != "" {
		return name
	}
	return "g++"
}

// Build compiles the emulator in dir and returns the path of the program. Extra
// flags are for the compiler, as -fsanitize=address. It takes some seconds, and
// fails without a C++ compiler.
func Build(dir string, flags ...string) (string, error) {
	for _, from := range []fs.FS{cuda.Sources(), cuda.Emulation()} {
		if err := os.CopyFS(dir, from); err != nil {
			return "", fmt.Errorf("emulate: writing the sources: %w", err)
		}
	}
	program := filepath.Join(dir, "device")
	args := append([]string{"-O2", "-std=c++14", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Werror",
		"-ffp-contract=off", "-o", program}, flags...)
	out, err := exec.Command(Compiler(), append(args, filepath.Join(dir, "emulate", "program", "device.cpp"))...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("emulate: %s, which docker/setup.sh compiler installs: %w\n%s", Compiler(), err, out)
	}
	return program, nil
}

// Device is a running emulator. It belongs to one goroutine.
type Device struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	fault    bytes.Buffer
	capacity int64
}

// Open starts the program with a given number of bytes of device memory.
func Open(program string, memory int64) (*Device, error) {
	d := &Device{cmd: exec.Command(program, strconv.FormatInt(memory, 10)), capacity: memory}
	d.cmd.Stderr = &d.fault
	var err error
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	d.out = bufio.NewReaderSize(out, 1<<16)
	return d, d.cmd.Start()
}

// Close ends the program; it fails if that ended badly.
func (d *Device) Close() error {
	d.in.Close()
	if err := d.cmd.Wait(); err != nil {
		return fmt.Errorf("emulate: %w\n%s", err, d.fault.String())
	}
	return nil
}

// Operations, as in device.cpp.
const (
	allocate = 1 + iota
	release
	upload
	download
	launch
	available
)

// request sends an operation with its arguments and data, and returns the word
// of the answer.
func (d *Device) request(op uint64, args [5]uint64, data ...[]byte) (uint64, error) {
	head := [8]uint64{op, args[0], args[1], args[2], args[3], args[4]}
	if err := binary.Write(d.in, binary.LittleEndian, head); err != nil {
		return 0, d.ended(err)
	}
	for _, b := range data {
		if _, err := d.in.Write(b); err != nil {
			return 0, d.ended(err)
		}
	}
	var size, result uint64
	if err := binary.Read(d.out, binary.LittleEndian, &size); err != nil {
		return 0, d.ended(err)
	}
	if size > 0 {
		text := make([]byte, size)
		if _, err := io.ReadFull(d.out, text); err != nil {
			return 0, d.ended(err)
		}
		return 0, errors.New(string(text))
	}
	if err := binary.Read(d.out, binary.LittleEndian, &result); err != nil {
		return 0, d.ended(err)
	}
	return result, nil
}

func (d *Device) ended(err error) error {
	return fmt.Errorf("emulate: the program is gone: %w\n%s", err, d.fault.String())
}

// Name is "emulated".
func (d *Device) Name() string { return "emulated" }

// Multiprocessors is a number that divides few numbers of blocks.
func (d *Device) Multiprocessors() int { return 3 }

// Memory is how many bytes are free and how many there are.
func (d *Device) Memory() (free, total int64, err error) {
	n, err := d.request(available, [5]uint64{})
	return int64(n), d.capacity, err
}

// Alloc reserves memory.
func (d *Device) Alloc(bytes int64) (uint64, error) {
	return d.request(allocate, [5]uint64{uint64(bytes)})
}

// Free gives it back.
func (d *Device) Free(at uint64) error {
	_, err := d.request(release, [5]uint64{at})
	return err
}

// Upload copies to the device.
func (d *Device) Upload(at uint64, from []byte) error {
	_, err := d.request(upload, [5]uint64{at, uint64(len(from))}, from)
	return err
}

// Download copies from the device.
func (d *Device) Download(to []byte, at uint64) error {
	if _, err := d.request(download, [5]uint64{at, uint64(len(to))}); err != nil {
		return err
	}
	_, err := io.ReadFull(d.out, to)
	return err
}

// Launch runs a kernel to its end.
func (d *Device) Launch(kernel string, blocks, threads, shared int, args ...uint64) error {
	words := make([]byte, 0, 8*len(args))
	for _, a := range args {
		words = binary.LittleEndian.AppendUint64(words, a)
	}
	_, err := d.request(launch, [5]uint64{uint64(blocks), uint64(threads), uint64(shared), uint64(len(args)), uint64(len(kernel))},
		[]byte(kernel), words)
	return err
}

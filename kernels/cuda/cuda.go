// Package cuda holds the CUDA kernels of the samplers: their sources, the PTX
// generated from them (generate.sh), and the layout of what host and device
// exchange. It needs neither a GPU nor a CUDA installation.
package cuda

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.cu *.cuh
var sources embed.FS

//go:embed emulate/program
var emulation embed.FS

//go:embed samplers.ptx
var ptx string

// Sources are the kernels' source files.
func Sources() fs.FS { return sources }

// Emulation is what turns them into a program for the CPU, in emulate/program.
func Emulation() fs.FS { return emulation }

// PTX is the code for a device of the given compute capability. It is made for
// 8.0, and the driver translates it for the device that it finds, of 8.0 or any
// later one; it fails below.
func PTX(major, minor int) (string, error) {
	if major < 8 {
		return "", fmt.Errorf("the device has compute capability %d.%d; the kernels need 8.0 or newer", major, minor)
	}
	return ptx, nil
}

// Kernel is the part of the code that one kernel needs: what stands before the first entry, the
// kernel's own, and the functions behind the last. A driver translates that in a twentieth of the
// time that all kernels take. It fails if there is no such kernel.
func Kernel(code, name string) (string, error) {
	const entry = "\n.visible .entry "
	at := strings.Index(code, entry+name+"(")
	if at < 0 {
		return "", fmt.Errorf("there is no kernel %s", name)
	}
	body := code[at:]
	body = body[:strings.Index(body, "\n}\n")+len("\n}\n")]
	last := code[strings.LastIndex(code, entry):]
	return code[:strings.Index(code, entry)] + body + last[strings.Index(last, "\n}\n")+len("\n}\n"):], nil
}

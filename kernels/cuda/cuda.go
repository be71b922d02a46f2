// Package cuda holds the CUDA kernels of the samplers: their sources, the PTX
// generated from them (generate.sh), and the layout of what host and device
// exchange. It needs neither a GPU nor a CUDA installation.
package cuda

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
)

//go:embed *.cu *.cuh
var sources embed.FS

//go:embed emulate/program
var emulation embed.FS

//go:embed ptx
var generated embed.FS

// Sources are the kernels' source files.
func Sources() fs.FS { return sources }

// Emulation is what turns them into a program for the CPU, in emulate/program.
func Emulation() fs.FS { return emulation }

// SourceHash is the SHA-256 over names and contents of the source files, in
// the order of their names; generate.sh records it beside the PTX.
func SourceHash() (string, error) {
	entries, err := fs.ReadDir(sources, ".")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, e := range entries {
		text, err := fs.ReadFile(sources, e.Name())
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", e.Name(), len(text))
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Architectures are the compute capabilities, as 10·major + minor, that there
// is PTX for, ascending. A driver translates PTX for its own device or any
// later one.
var Architectures = []int{80, 90}

// PTX is the code for a device of the given compute capability. It fails below
// the first of Architectures.
func PTX(major, minor int) (string, error) {
	best := 0
	for _, a := range Architectures {
		if a <= 10*major+minor {
			best = a
		}
	}
	if best == 0 {
		return "", fmt.Errorf("the device has compute capability %d.%d; the kernels need %d.%d or newer",
			major, minor, Architectures[0]/10, Architectures[0]%10)
	}
	text, err := generated.ReadFile(fmt.Sprintf("ptx/sm_%d.ptx", best))
	return string(text), err
}

// Generated is what generate.sh recorded: the hash of the sources and the
// compiler's version.
func Generated() (string, error) {
	text, err := generated.ReadFile("ptx/generated.txt")
	return string(text), err
}

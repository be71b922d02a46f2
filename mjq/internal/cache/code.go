package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// LinkedCode is a fingerprint of the compiled packages of this module and of those that
// they import, linkedCell one of the declarations of the notebook, which outlives cells that
// declare nothing new. Both are empty outside of the kernel.
var linkedCode, linkedCell string

// Linked says which code the program is made of. Cells of the kernel call it before any
// of their variables is computed, so that they can be told apart from each other although
// most of their code is in a library. It returns true, to be the value of a variable.
func Linked(code, cell string) bool {
	linkedCode, linkedCell = code, cell
	return true
}

// code is a fingerprint of the code that computes; of the whole program where the kernel
// has not set it.
func code() string {
	if linkedCode != "" {
		return linkedCode
	}
	return executable()
}

// program is a fingerprint of all code, that of users included.
func program() string {
	if linkedCell != "" {
		return linkedCell
	}
	return executable()
}

// executable is a hash of the file that runs, about 10 ms for 10 MB. Where it cannot be
// read it is a different text every time, so that nothing is found.
var executable = sync.OnceValue(func() string {
	sum := sha256.New()
	path, err := os.Executable()
	if err == nil {
		var file *os.File
		if file, err = os.Open(path); err == nil {
			defer file.Close()
			_, err = io.Copy(sum, file)
		}
	}
	if err != nil {
		return unknown()
	}
	return hex.EncodeToString(sum.Sum(nil))
})

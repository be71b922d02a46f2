// Package lanes holds what is computed several numbers at a time, by the vector
// units of a processor that has AVX2. Everything here has a twin in plain Go in the
// package that calls it, which gives the same bits, and which other processors run:
// no digit depends on the machine. MJQ_VECTOR=off in the environment has every
// machine run the twins.
//
// The code is assembly that the program in generate writes.
package lanes

import "os"

//go:generate sh -c "cd generate && go run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg lanes"

// On says whether callers use this package rather than their twins. Tests of the
// twins switch it, which must not happen while others compute.
var On = Has && os.Getenv("MJQ_VECTOR") != "off"

// LogEntry is an entry of the table that NegLog reads: the centre of a cell, its
// inverse, and the logarithm of its half, negative.
type LogEntry struct{ Centre, Inverse, NegLog float64 }

// Package foreign reads and writes the files in which other programs describe queues: tuples and lists of rates
// of MJSRE, experiments of mjqm-simulator in TOML, and tables of classes in CSV.
//
//	x, err := foreign.ReadTOML("mix.toml", file)
//	r, err := x.Runs[0].Model().Solve(ctx)
//
// A line that cannot be understood is a trace.LineError. Package trace reads logs.
package foreign

import "github.com/mjqueue/mjq/mjq/trace"

const (
	mostProblems = 10       // malformed lines that an error names; the others it counts
	longest      = 64 << 10 // bytes of a line
)

// lineError is the error of a line that cannot be understood.
func lineError(file string, line int, reason string) error {
	return &trace.LineError{File: file, Line: line, Reason: reason}
}

// Package foreign reads and writes the files in which other programs describe queues: tuples and lists of rates
// of MJSRE, experiments of mjqm-simulator in TOML, and tables of classes in CSV.
//
//	x, err := foreign.ReadTOML("mix.toml", file)
//	r, err := x.Runs[0].Model().Solve(ctx)
//
// A line that cannot be understood is a trace.LineError. Package trace reads logs.
package foreign

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// ClassRow is one line of a file of classes: its numbers by column name.
type ClassRow map[string]float64

// ReadClasses reads job classes from comma-separated values with a header. The columns
// servers and probability are required; service makes the service law of a line. With a nil
// service it is exponential with the mean in the column mean_service or
// mean_service_seconds. Classes are named T1, T2, ... after the servers they need, with a
// letter added where two need the same number. The error names the line and the column.
func ReadClasses(r io.Reader, service func(row ClassRow) law.Law) ([]spec.Class, error) {
	in := csv.NewReader(r)
	in.TrimLeadingSpace = true
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("reading classes: no header line: %w", err)
	}
	for _, name := range []string{"servers", "probability"} {
		if !slices.Contains(header, name) {
			return nil, fmt.Errorf("reading classes: the header %q lacks the column %q", strings.Join(header, ","), name)
		}
	}
	if service == nil {
		if service, err = exponentialService(header); err != nil {
			return nil, err
		}
	}
	var classes []spec.Class
	for {
		cells, err := in.Read()
		if err == io.EOF {
			return named(classes), nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading classes: %w", err)
		}
		line, _ := in.FieldPos(0)
		row := ClassRow{}
		for i, name := range header {
			v, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
			if err != nil {
				return nil, fmt.Errorf("reading classes: line %d, column %s: %q is not a number", line, name, cells[i])
			}
			row[name] = v
		}
		need := int(row["servers"])
		if float64(need) != row["servers"] {
			return nil, fmt.Errorf("reading classes: line %d: servers is %v, which is not a whole number", line, row["servers"])
		}
		classes = append(classes, spec.Class{Need: need, Prob: row["probability"], Service: service(row)})
	}
}

// exponentialService finds the column of the mean.
func exponentialService(header []string) (func(ClassRow) law.Law, error) {
	for _, name := range []string{"mean_service", "mean_service_seconds"} {
		if slices.Contains(header, name) {
			return func(row ClassRow) law.Law { return law.ExpMean(row[name]) }, nil
		}
	}
	return nil, fmt.Errorf("reading classes: the header %q has neither mean_service nor mean_service_seconds", strings.Join(header, ","))
}

const (
	mostProblems = 10       // malformed lines that an error names; the others it counts
	longest      = 64 << 10 // bytes of a line
)

// lineError is the error of a line that cannot be understood.
func lineError(file string, line int, reason string) error {
	return &trace.LineError{File: file, Line: line, Reason: reason}
}

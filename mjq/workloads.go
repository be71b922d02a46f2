package mjq

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

//go:embed data/five-classes-20.csv
var fiveClassesCSV []byte

//go:embed data/borg-cell-b-17.csv
var cellB17CSV []byte

//go:embed data/borg-cell-b-26.csv
var cellB26CSV []byte

// ClassRow is one line of a workload file: its numbers by column name.
type ClassRow map[string]float64

// ReadClasses reads job classes from comma-separated values with a header. The
// columns servers and probability are required; service makes the service law
// of a line. With a nil service it is exponential with the mean in the column
// mean_service or mean_service_seconds. Classes are named T1, T2, ... after the
// servers they need, with a letter added where two need the same number. The
// error names the line and the column.
func ReadClasses(r io.Reader, service func(row ClassRow) Law) ([]Class, error) {
	in := csv.NewReader(r)
	in.TrimLeadingSpace = true
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("mjq: reading classes: no header line: %w", err)
	}
	for _, name := range []string{"servers", "probability"} {
		if !slices.Contains(header, name) {
			return nil, fmt.Errorf("mjq: reading classes: the header %q lacks the column %q", strings.Join(header, ","), name)
		}
	}
	if service == nil {
		if service, err = exponentialService(header); err != nil {
			return nil, err
		}
	}
	var classes []Class
	seen := map[int]int{}
	for {
		cells, err := in.Read()
		if err == io.EOF {
			return classes, nil
		}
		if err != nil {
			return nil, fmt.Errorf("mjq: reading classes: %w", err)
		}
		line, _ := in.FieldPos(0)
		row := ClassRow{}
		for i, name := range header {
			v, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
			if err != nil {
				return nil, fmt.Errorf("mjq: reading classes: line %d, column %s: %q is not a number", line, name, cells[i])
			}
			row[name] = v
		}
		need := int(row["servers"])
		if float64(need) != row["servers"] {
			return nil, fmt.Errorf("mjq: reading classes: line %d: servers is %v, which is not a whole number", line, row["servers"])
		}
		name := fmt.Sprintf("T%d", need)
		if seen[need]++; seen[need] > 1 {
			name += string(rune('a' + seen[need] - 1))
		}
		classes = append(classes, Class{Name: name, Need: need, Prob: row["probability"], Service: service(row)})
	}
}

// exponentialService finds the column of the mean.
func exponentialService(header []string) (func(ClassRow) Law, error) {
	for _, name := range []string{"mean_service", "mean_service_seconds"} {
		if slices.Contains(header, name) {
			return func(row ClassRow) Law { return ExpMean(row[name]) }, nil
		}
	}
	return nil, fmt.Errorf("mjq: reading classes: the header %q has neither mean_service nor mean_service_seconds", strings.Join(header, ","))
}

// embedded is a workload that ships with the package, so reading it cannot fail.
func embedded(servers int, data []byte, service func(ClassRow) Law) Model {
	return Servers(servers).Classes(Must(ReadClasses(bytes.NewReader(data), service))...)
}

// FiveClassExponential is the mix of five classes on 20 servers of Table 2 of
// Baccelli, Olliaro, Ajmone Marsan and Marin with exponential services: T1, T2,
// T5, T10 and T15. Add arrivals.
func FiveClassExponential() Model { return embedded(20, fiveClassesCSV, nil) }

// FiveClassErlang is the same mix with Erlang services of three phases.
func FiveClassErlang() Model {
	return embedded(20, fiveClassesCSV, func(row ClassRow) Law { return ErlangMeanPhases(row["mean_service"], 3) })
}

// FiveClassHyperExp is the same mix with hyperexponential services that take a
// long phase, 50 times the mean, with probability 0.01. The short phase is
// computed to give the mean exactly; the table rounds it.
func FiveClassHyperExp() Model {
	return embedded(20, fiveClassesCSV, func(row ClassRow) Law {
		mean := row["mean_service"]
		return HyperExpMeans(50*mean, mean*0.5/0.99, 0.01)
	})
}

// FiveClassBoundedPareto is the same mix with bounded Pareto services of shape
// 1.4 between the bounds of the authors' published inputs.
func FiveClassBoundedPareto() Model {
	return embedded(20, fiveClassesCSV, func(row ClassRow) Law {
		return BoundedPareto(row["bounded_pareto_min"], row["bounded_pareto_max"], 1.4)
	})
}

// BorgCellB is Google Borg Cell B with the 17 classes of Figure 7(a) of the
// same paper, on 2048 servers, with exponential services in seconds. The table
// is an image in the paper; these are the 17 of the 26 published classes whose
// probability is at least 1e-4, renormalised.
func BorgCellB() Model { return embedded(2048, cellB17CSV, nil) }

// BorgCellB26 is the same cell with all 26 published classes.
func BorgCellB26() Model { return embedded(2048, cellB26CSV, nil) }

// OneOrAll is a queue of n servers whose jobs need one server with probability
// 1-p and all of them with probability p, served at rates mu1 and mun: classes
// "small" and "big".
func OneOrAll(n int, p, mu1, mun float64) Model {
	return Servers(n).Class("small", 1, 1-p, ExpRate(mu1)).Class("big", n, p, ExpRate(mun))
}

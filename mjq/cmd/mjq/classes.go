package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace/foreign"
)

// place is where foreign.ReadClasses found a fault.
var place = regexp.MustCompile(`^reading classes: (?:record on |parse error on )?line (\d+)[,:] (.*)$`)

// classes are those of a CSV.
func (f *modelFlags) classes(file string, text []byte) ([]mjq.Model, error) {
	classes, err := foreign.ReadClasses(bytes.NewReader(text), nil)
	if err != nil {
		if at := place.FindStringSubmatch(message(err)); at != nil {
			return nil, fmt.Errorf("%s:%s: %s", file, at[1], at[2])
		}
		return nil, named(file, err)
	}
	return f.onServers(file, classes, linesOfCSV(text))
}

// families are those of the tuples that package trace reads, and familyNames their names
// on the command line.
var families = []foreign.Family{foreign.Exponential, foreign.Erlang, foreign.HyperExp, foreign.BoundedPareto, foreign.Deterministic, foreign.Uniform, foreign.BoundedParetoMean}

var familyNames = []string{"exponential", "erlang", "hyperexponential", "bounded-pareto", "deterministic", "uniform", "bounded-pareto-mean"}

// tuplesOf are the classes of a file of tuples, one a line.
func (f *modelFlags) tuplesOf(file string, text []byte) ([]mjq.Model, error) {
	at := slices.Index(familyNames, f.tuples)
	if at < 0 {
		return nil, fmt.Errorf("--tuples: %q is no family of distributions; choose %s", f.tuples, strings.Join(familyNames, ", "))
	}
	classes, err := foreign.ReadTuples(file, bytes.NewReader(text), families[at])
	if err != nil {
		return nil, err
	}
	lines := []int{0} // no header
	for i, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, i+1)
		}
	}
	return f.onServers(file, classes, lines)
}

// onServers is the queue of classes, of which the file has one in each of the lines.
func (f *modelFlags) onServers(file string, classes []mjq.Class, lines []int) ([]mjq.Model, error) {
	if len(f.servers) == 0 {
		return nil, fmt.Errorf("%s: a list of classes does not say how many servers there are; give --servers", file)
	}
	m := mjq.Servers(f.servers[0]).Classes(classes...)
	if err := m.Err(); err != nil {
		return nil, lineFaults(file, lines, err)
	}
	return []mjq.Model{m}, nil
}

// numbered is a class by its number from 1, as faults of models name it.
var numbered = regexp.MustCompile(`^class (\d+) `)

// linesOfCSV are the lines of the header and of the classes in turn.
func linesOfCSV(text []byte) (lines []int) {
	in := csv.NewReader(bytes.NewReader(text))
	for _, wrong := in.Read(); wrong == nil; _, wrong = in.Read() {
		line, _ := in.FieldPos(0)
		lines = append(lines, line)
	}
	return lines
}

// lineFaults is an error of a model with the file and, for each fault that names a class,
// the line of that class, of which the lines begin with that of the header.
func lineFaults(file string, lines []int, err error) error {
	_, text, _ := strings.Cut(err.Error(), "\n") // behind the line that counts them
	faults := strings.Split(text, "\n")
	for i, fault := range faults {
		at := file
		if number := numbered.FindStringSubmatch(fault); number != nil {
			if class, _ := strconv.Atoi(number[1]); class < len(lines) {
				at = fmt.Sprintf("%s:%d", file, lines[class])
			}
		}
		faults[i] = at + ": " + fault
	}
	return errors.New(strings.Join(faults, "\n"))
}

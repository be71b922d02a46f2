package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace/foreign"
)

// jsonFaults is an error of a model in JSON with the file and, for each of its faults
// that names a class or a member, the line.
func jsonFaults(file string, text []byte, err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s:%d: %s", file, lineAt(text, int(syntax.Offset)), syntax)
	}
	lines := linesOf(text)
	faults := strings.Split(message(err), "\n")
	for i, fault := range faults {
		fault = strings.TrimPrefix(fault, "reading a model: ")
		if line := lines.of(fault); line > 0 {
			faults[i] = fmt.Sprintf("%s:%d: %s", file, line, fault)
		} else {
			faults[i] = file + ": " + fault
		}
	}
	return errors.New(strings.Join(faults, "\n"))
}

// lineAt is the line, from 1, of an offset in bytes.
func lineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(max(offset, 0), len(text))], []byte("\n"))
}

// jsonLines are the lines of the members of a JSON object by their places, as
// classes[0].need, and of its classes by name.
type jsonLines struct {
	members, classes map[string]int
}

// linesOf walks through a text whose syntax is right.
func linesOf(text []byte) jsonLines {
	l := jsonLines{map[string]int{}, map[string]int{}}
	d := json.NewDecoder(bytes.NewReader(text))
	var walk func(at string)
	walk = func(at string) {
		token, err := d.Token()
		if err != nil {
			return
		}
		delim, opens := token.(json.Delim)
		if class, is := token.(string); is && nameOfClass.MatchString(at) {
			l.classes[class] = l.members[at]
		}
		if !opens || delim == ']' || delim == '}' {
			return
		}
		for i := 0; d.More(); i++ {
			if delim == '[' {
				walk(fmt.Sprintf("%s[%d]", at, i))
				continue
			}
			key, _ := d.Token()
			place, _ := key.(string)
			if at != "" {
				place = at + "." + place
			}
			l.members[place] = lineAt(text, int(d.InputOffset()))
			walk(place)
		}
		_, _ = d.Token() // the end of it, which More has seen
	}
	walk("")
	return l
}

var (
	classNamed  = regexp.MustCompile(`class (?:\d+ )?("(?:[^"\\]|\\.)*")`)
	nameOfClass = regexp.MustCompile(`^classes\[\d+\]\.name$`)
	word        = regexp.MustCompile(`[A-Za-z]+`)
)

// topLevel are the members of a model that its faults begin with or name.
var topLevel = []string{"arrivals", "policy", "load", "resources", "servers", "classes"}

// of is the line that a fault is about; 0 if it names none.
func (l jsonLines) of(fault string) int {
	place, _, _ := strings.Cut(fault, ": ")
	if line := l.members[place]; line > 0 {
		return line
	}
	var name string
	if quoted := classNamed.FindStringSubmatch(fault); quoted != nil && json.Unmarshal([]byte(quoted[1]), &name) == nil && l.classes[name] > 0 {
		return l.classes[name]
	}
	for _, w := range word.FindAllString(fault, -1) {
		if w = strings.ToLower(w); w == "class" {
			w = "classes"
		}
		if slices.Contains(topLevel, w) && l.members[w] > 0 {
			return l.members[w]
		}
	}
	return 0
}

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

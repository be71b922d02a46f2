package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
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

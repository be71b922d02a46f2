package playground

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/mjqueue/mjq/mjq"
)

// Fault is what is wrong with one field of the page.
type Fault struct {
	Field string `json:"field"` // the id of the field, or for class k, counted from 0, "classes.k." with the name in the link
	Text  string `json:"text"`

	label string
}

// Faults are what is wrong with the fields of a setting, at most one for each field.
type Faults []Fault

// Error names the first field and counts the others.
func (f Faults) Error() string {
	text := f[0].label + ": " + f[0].Text
	switch more := len(f) - 1; more {
	case 0:
		return text
	case 1:
		return text + " Another field is marked, too."
	default:
		return fmt.Sprintf("%s %d other fields are marked, too.", text, more)
	}
}

// Refused is the one answer to a setting that cannot be read.
func Refused(err error) Answer {
	faults, _ := err.(Faults)
	return Answer{Error: plain(err), Faults: faults, Done: true}
}

// Read returns the setting that the page or a link holds as JSON. Fields that make no sense
// are an error of type Faults.
func Read(text []byte) (Setting, error) {
	var j judge
	if err := json.Unmarshal(text, &j.typed); err != nil {
		return Setting{}, fmt.Errorf("the queue cannot be read: %w", err)
	}
	if j.numbers(); len(j.faults) > 0 {
		return Setting{}, j.faults
	}
	var s Setting
	if err := json.Unmarshal(text, &s); err != nil {
		return Setting{}, fmt.Errorf("the queue cannot be read: %w", err)
	}
	if j.together(&s); len(j.faults) > 0 {
		return Setting{}, j.faults
	}
	return s, nil
}

// entry is what a field for a number holds: nothing, a number or something else.
type entry struct {
	given, number bool
	value         float64
}

// UnmarshalJSON takes whatever there is.
func (e *entry) UnmarshalJSON(text []byte) error {
	e.given = true
	e.number = string(text) != "null" && json.Unmarshal(text, &e.value) == nil
	return nil
}

// typed are the fields for numbers as they were typed.
type typed struct {
	Servers, NodeSize, Load, Rate, Room, Patience entry

	Up, Repair, Every, Cost, Recovery, Spares, Setup, SleepAfter, Awake entry

	After string

	Classes []struct {
		Name                     string
		Law                      string
		Need, Share, Mean, Shape entry

		Least, Most, Spread, Users, Think entry

		Speed string
	}
}

// judge collects faults.
type judge struct {
	typed
	faults Faults
}

func (j *judge) add(field, label, text string) {
	j.faults = append(j.faults, Fault{Field: field, Text: text, label: label})
}

// whole wants a whole number of at least least.
func (j *judge) whole(e entry, least float64, field, label string) {
	switch {
	case !e.number:
		j.add(field, label, "Give a whole number.")
	case e.value != math.Trunc(e.value):
		j.add(field, label, fmt.Sprintf("%.10g is not a whole number. Give a whole number.", e.value))
	case e.value < least:
		j.add(field, label, fmt.Sprintf("%.10g is too few. Give at least %g.", e.value, least))
	case e.value > mostServers:
		j.add(field, label, fmt.Sprintf("%.10g is too many. Give at most %d; package mjq takes more.", e.value, mostServers))
	}
}

// positive wants a number above 0, which the page shows a number of times as large.
func (j *judge) positive(e entry, times float64, field, label string) {
	switch {
	case !e.number:
		j.add(field, label, "Give a number.")
	case !(e.value > 0):
		j.add(field, label, fmt.Sprintf("%.10g is not positive. Give a number above 0.", e.value*times))
	}
}

// numbers judges each field by itself.
func (j *judge) numbers() {
	j.whole(j.Servers, 1, "servers", "Servers")
	if j.NodeSize.given && j.NodeSize != (entry{given: true, number: true}) { // 0 is one pool
		j.whole(j.NodeSize, 1, "node-size", "Servers on a node")
	}
	if byLoad := j.Load.given && !(j.Load.value == 0 && j.Rate.given); byLoad {
		j.positive(j.Load, 100, "load", "Load")
	} else {
		j.positive(j.Rate, 1, "load", "Arrival rate")
	}
	if j.Room.given {
		j.whole(j.Room, 0, "room", "Jobs that may wait")
	}
	if j.Patience.given && j.Patience != (entry{given: true, number: true}) { // 0 is none
		j.positive(j.Patience, 1, "patience", "Mean patience")
	}
	j.servers()
	taken := map[string]bool{}
	for k, c := range j.Classes {
		field, label := of(k)
		switch {
		case c.Name == "":
			j.add(field+"name", label+"name", "Give the class a name.")
		case taken[c.Name]:
			j.add(field+"name", label+"name", fmt.Sprintf("An earlier class has the name %q. Give each class its own.", c.Name))
		}
		taken[c.Name] = true
		j.whole(c.Need, 1, field+"need", label+"servers")
		j.jobs(k)
		if !c.Users.given {
			j.positive(c.Share, 1, field+"share", label+"share")
		}
		if c.Law == asGiven {
			continue
		}
		j.positive(c.Mean, 1, field+"mean", label+"mean")
		if l, err := chosen(Laws, c.Law); err == nil && l.Shape != "" && c.Shape.given {
			j.shape(c.Shape, l.Name, field+"shape", label+l.Shape)
		}
	}
}

// shape judges the parameter of a law apart from its mean.
func (j *judge) shape(e entry, law, field, label string) {
	switch {
	case law == "Erlang":
		j.whole(e, 1, field, label)
	case law == "hyperexponential" && e.number && e.value < 1:
		j.add(field, label, fmt.Sprintf("%.10g is too low. Give at least 1, or choose Erlang, which varies less.", e.value))
	case law == "Lomax" && e.number && e.value <= 1:
		j.add(field, label, fmt.Sprintf("With %.10g the mean is infinite. Give a number above 1.", e.value))
	default:
		j.positive(e, 1, field, label)
	}
}

// of is the beginning of the fields of a class, and of their labels.
func of(k int) (field, label string) {
	return fmt.Sprintf("classes.%d.", k), fmt.Sprintf("Class %d, ", k+1)
}

// together judges what fields say of each other, where each by itself makes sense.
func (j *judge) together(s *Setting) {
	if _, err := s.rule(); err != nil {
		j.add("policy", "Policy", sentence(err))
	}
	if _, err := s.after(); err != nil {
		j.add("after", "After a failure", sentence(err))
	}
	servers, err := s.units()
	if err != nil {
		field, label := "node-size", "Servers on a node"
		if s.Servers%max(1, s.NodeSize) == 0 {
			field, label = "placement", "Placement"
		}
		j.add(field, label, sentence(err))
		return
	}
	for k, c := range s.Classes {
		field, label := of(k)
		if err := servers.Class(alone, c.Need, 1, mjq.ExpMean(1)).Err(); err != nil {
			j.add(field+"need", label+"servers", sentence(err))
		}
		j.stretched(k, &c, servers)
		service, err := c.service()
		if err == nil {
			err = mjq.Servers(1).Class(alone, 1, 1, service).Err()
		}
		if err == nil {
			continue
		}
		if l, unknown := chosen(Laws, c.Law); unknown == nil && l.Shape != "" {
			j.add(field+"shape", label+l.Shape, sentence(err))
		} else {
			j.add(field+"law", label+"service time", sentence(err))
		}
	}
}

// alone is the name of a class in a model that has no other one.
const alone = "alone"

// sentence is the first that an error says, without the class of a model that has one.
func sentence(err error) string {
	text := plain(err)
	if _, after, found := strings.Cut(text, fmt.Sprintf("class 1 %q: ", alone)); found {
		text, _, _ = strings.Cut(strings.TrimPrefix(after, "service: "), "\n")
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}

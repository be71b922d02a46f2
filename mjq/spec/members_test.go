package spec

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// TestMembers: a member that a description does not have, or of another kind, is named
// with its place and what to write, at every level, and all of them at once.
func TestMembers(t *testing.T) {
	class := func(members string) string {
		return `{"servers":4,"classes":[{"name":"a","need":1,"prob":1,"service":{"law":"ExpMean","mean":1}},{` + members + `}]}`
	}
	for text, want := range map[string][]string{
		`{"servers":"two","classes":[]}`:                       {`servers: "two" is not a whole number`},
		`{"servers":2.5,"classes":[]}`:                         {`servers: 2.5 is not a whole number`},
		`{"polciy":3,"classes":[]}`:                            {"polciy: unknown; did you mean policy?"},
		`{"colour":3,"classes":[]}`:                            {"colour: unknown; there are servers, resources, randomAssignment, asPrinted, arrivals, load, policy, classes, notes"},
		`{"rate":3,"classes":[]}`:                              {`rate: unknown; arrivals is how jobs arrive, as {"arrivals":"Poisson","rate":1.4}`},
		`{"load":"high","classes":[]}`:                         {`load: "high" is not a number`},
		`{"asPrinted":1,"classes":[]}`:                         {`asPrinted: 1 is neither true nor false`},
		`{"classes":{}}`:                                       {`classes: {} is not a list; put it in brackets`},
		`{"classes":[3]}`:                                      {`classes[0]: 3 is not an object; write {"name": ...}`},
		`{"notes":[1],"classes":[]}`:                           {`notes[0]: 1 is not a text; put it in quotes`},
		`{"resources":[{"name":"cpu","unit":4}],"classes":[]}`: {"resources[0].unit: unknown; did you mean units?"},
		class(`"servers":4`):                                   {`classes[1].servers: unknown; need is the number of servers of a job, as "need":4`},
		class(`"probability":0.5,"mean_service":3`): {`classes[1].mean_service: unknown; service is the distribution of its time, as {"law":"ExpMean","mean":3}`,
			`classes[1].probability: unknown; prob is the share of the class of all jobs, as "prob":0.25`},
		class(`"neeed":4,"need":"4","prob":"half"`): {`classes[1].need: "4" is not a whole number; write it without quotes`, "classes[1].neeed: unknown; did you mean need?", `classes[1].prob: "half" is not a number`},
		class(`"pick":{"any":1,"namd":[1]}`):        {"classes[1].pick.namd: unknown; did you mean named?"},
		class(`"pick":{"named":[1,"x"]}`):           {`classes[1].pick.named[1]: "x" is not a whole number`},
		class(`"a b":1`):                            {`classes[1]."a b": unknown; there are name, need, units, pick, prob, service`},
	} {
		var s Spec
		err := json.Unmarshal([]byte(text), &s)
		if err == nil {
			t.Errorf("%s is read", text)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		for i, line := range lines {
			if i >= len(want) || !strings.HasPrefix(line, "reading a model: "+want[i]) || strings.Contains(line, "json:") || strings.Contains(line, "Go ") {
				t.Errorf("%s: fault %d is %q", text, i, line)
			}
		}
		if len(lines) != len(want) {
			t.Errorf("%s: %d faults, want %d", text, len(lines), len(want))
		}
	}
}

// TestMembersAsBefore: capitals do not count in names of members, and null is nothing.
func TestMembersAsBefore(t *testing.T) {
	var s Spec
	if err := json.Unmarshal([]byte(`{"Servers":4,"load":null,"classes":[{"NAME":"a","need":1,"prob":1,"pick":null,"service":{"law":"ExpMean","mean":1}}]}`), &s); err != nil || s.Servers != 4 || s.Load != nil {
		t.Errorf("%v, %v", s, err)
	}
}

// TestAllIsWritten: what a description and its classes hold has a place in the written form.
func TestAllIsWritten(t *testing.T) {
	for _, x := range []struct{ held, written reflect.Type }{{reflect.TypeFor[Spec](), reflect.TypeFor[form]()}, {reflect.TypeFor[Class](), reflect.TypeFor[classForm]()}} {
		for i := range x.held.NumField() {
			f := x.held.Field(i)
			if _, ok := x.written.FieldByName(f.Name); f.IsExported() && !ok {
				t.Errorf("%v.%s is not written", x.held, f.Name)
			}
		}
	}
}

package playground

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// link is the setting of two classes as JSON, with replacements in pairs.
func link(replace ...string) []byte {
	const text = `{"servers":4,"load":0.5,"classes":[{"name":"a","need":1,"share":0.5,"law":"exponential","mean":1},{"name":"b","need":2,"share":0.5,"law":"Erlang","mean":1,"shape":2}]}`
	return []byte(strings.NewReplacer(replace...).Replace(text))
}

// TestReadFaults: each field that makes no sense has one fault with what to do, and no other
// field has one.
func TestReadFaults(t *testing.T) {
	if s, err := Read(link()); err != nil || s.Servers != 4 || s.Classes[1].Shape != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	const servers, load, share, extra = `"servers":4`, `"load":0.5`, `"a","need":1,"share":0.5`, `"classes"`
	for _, c := range []struct{ field, text, old, new string }{
		{"servers", "0 is too few. Give at least 1.", servers, `"servers":0`},
		{"servers", "-5 is too few.", servers, `"servers":-5`},
		{"servers", "12.5 is not a whole number.", servers, `"servers":12.5`},
		{"servers", "1000000 is too many.", servers, `"servers":1e6`},
		{"servers", "Give a whole number.", servers, `"servers":null`},
		{"servers", "Give a whole number.", servers, `"servers":[4]`},
		{"servers", "Give a whole number.", servers + ",", ``},
		{"load", "0 is not positive. Give a number above 0.", load, `"load":0`},
		{"load", "-1 is not positive.", load, `"load":-0.01`},
		{"load", "Give a number.", load, `"load":null`},
		{"load", "Give a number.", load, `"load":"much"`},
		{"load", "Give a number.", load + ",", ``},
		{"load", "-3 is not positive.", load, `"rate":-3`},
		{"load", "0 is not positive.", load, `"load":0,"rate":0`},
		{"load", "Give a number.", load, `"rate":"often"`},
		{"node-size", "is not a whole number", extra, `"nodeSize":1.5,"classes"`},
		{"node-size", "is too few", extra, `"nodeSize":-2,"classes"`},
		{"node-size", "cannot be parted into nodes of 3", extra, `"nodeSize":3,"classes"`},
		{"placement", "is not known; choose one of", extra, `"nodeSize":2,"placement":"Above","classes"`},
		{"room", "is too few. Give at least 0.", extra, `"room":-1,"classes"`},
		{"room", "Give a whole number.", extra, `"room":null,"classes"`},
		{"patience", "-2 is not positive.", extra, `"patience":-2,"classes"`},
		{"policy", `There is no "LIFO" here.`, extra, `"policy":"LIFO","classes"`},
		{"classes.0.share", "-1 is not positive.", share, `"a","need":1,"share":-1`},
		{"classes.0.share", "0 is not positive.", share, `"a","need":1,"share":0`},
		{"classes.0.need", "1.5 is not a whole number.", share, `"a","need":1.5,"share":1`},
		{"classes.0.need", "Need 5 exceeds the 4 servers", share, `"a","need":5,"share":1`},
		{"classes.0.name", "Give the class a name.", `"a"`, `""`},
		{"classes.1.name", `An earlier class has the name "a".`, `"b"`, `"a"`},
		{"classes.0.mean", "Give a number.", `"exponential","mean":1`, `"exponential","mean":"long"`},
		{"classes.0.mean", "-1 is not positive.", `"exponential","mean":1`, `"exponential","mean":-1`},
		{"classes.0.law", `There is no "uniform" here.`, "exponential", "uniform"},
		{"classes.1.shape", "2.5 is not a whole number.", `"shape":2`, `"shape":2.5`},
		{"classes.1.shape", "0 is too few.", `"shape":2`, `"shape":0`},
		{"classes.1.shape", "0.5 is too low. Give at least 1,", `"Erlang","mean":1,"shape":2`, `"hyperexponential","mean":1,"shape":0.5`},
		{"classes.1.shape", "With 1 the mean is infinite. Give a number above 1.", `"Erlang","mean":1,"shape":2`, `"Lomax","mean":1,"shape":1`},
	} {
		_, err := Read(link(c.old, c.new))
		faults, _ := err.(Faults)
		if len(faults) != 1 || faults[0].Field != c.field || !strings.Contains(faults[0].Text, c.text) {
			t.Errorf("%s: %#v, want %q at %s", c.new, err, c.text, c.field)
			continue
		}
		if a := Refused(err); !a.Done || len(a.Faults) != 1 || !strings.Contains(a.Error, c.text) || strings.Contains(a.Error, alone) {
			t.Errorf("%+v", a)
		}
	}
}

// TestReadTypes: a link of which nothing else makes sense is an error, too, and each bad field
// has its fault.
func TestReadTypes(t *testing.T) {
	for _, text := range []string{``, `7`, `[]`, `{"classes":5}`, `{"classes":[7]}`, string(link(`"a"`, `{}`)), string(link(`{"servers"`, `{"seed":"x","servers"`))} {
		if _, err := Read([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	_, err := Read(link(`"servers":4`, `"servers":-1`, `"load":0.5`, `"load":0`, `"mean":1`, `"mean":0`))
	if faults, _ := err.(Faults); len(faults) != 4 || !strings.Contains(err.Error(), "Servers: -1 is too few. Give at least 1. 3 other fields are marked, too.") {
		t.Errorf("%v", err)
	}
}

// TestReadWritten: the presets and each law of the page are read as they were written.
func TestReadWritten(t *testing.T) {
	for name, s := range Presets() {
		for _, l := range Laws {
			s.Classes[0].Law, s.Classes[0].Shape = l.Name, l.Usual
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Read(text); err != nil || got.Servers != s.Servers || got.Classes[0].Law != l.Name {
				t.Errorf("%s, %s: %v", name, l.Name, err)
			}
		}
	}
}

// TestAdviceHere: what the page says names no setting that it lacks.
func TestAdviceHere(t *testing.T) {
	for text, want := range map[string]string{
		"The mean has no interval: 3 jobs came. Set Jobs so that there are at least 1.5e+06 in all.": "The mean has no interval: 3 jobs came. " + longer,
		"Waits may be too low. Raise MaxWindow.":                                                     "Waits may be too low. " + longer,
		"Raise Replications or Jobs. More follows.":                                                  longer + " More follows.",
		"8 jobs say nothing of it; raise MaxJobs":                                                    "8 jobs say nothing of it. " + longer,
		"give 8 or 16 for whole nodes":                                                               "give 8 or 16 for whole nodes",
	} {
		if got := here(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	s := Setting{Servers: 8, Load: 0.9, Policy: "First-Fit", Classes: []Class{{Name: "a", Need: 1, Share: 1, Law: "exponential", Mean: 1}, {Name: "rare", Need: 8, Share: 1e-5, Law: "exponential", Mean: 100}}}
	list, told := asked(t, s), 0
	for _, a := range list {
		for _, n := range a.Notes {
			if strings.Contains(n, longer) {
				told++
			}
			if regexp.MustCompile(`\b(Set|Raise|raise) [A-Z]`).MatchString(n) {
				t.Error(n)
			}
		}
	}
	if told == 0 {
		t.Errorf("no run is too short: %q", list[len(list)-1].Notes)
	}
}

// TestTargetMarked: a wait that makes no sense is marked at its field.
func TestTargetMarked(t *testing.T) {
	Fewest(context.Background(), Presets()["five classes"], Target{Most: -1}, func(a Sized) {
		if a.Field != "most" || a.Error == "" {
			t.Errorf("%+v", a)
		}
	})
}

// TestFieldsOnPage: the page has each field that a fault can be of, and takes what is typed as it is.
func TestFieldsOnPage(t *testing.T) {
	page, err := os.ReadFile("page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("page/play.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"servers", "load", "node-size", "placement", "room", "patience", "policy", "most"} {
		if !strings.Contains(string(page), ` id="`+id+`"`) {
			t.Errorf("the page has no field %s", id)
		}
	}
	for _, part := range []string{"`classes.${k}.${key}`", "`classes.${k}.law`", `setAttribute("aria-invalid", "true")`, "said.textContent = row"} {
		if !strings.Contains(string(script), part) {
			t.Errorf("the script has no %s", part)
		}
	}
	for _, part := range []string{"Math.round", "parseInt"} {
		if strings.Contains(string(script), part) {
			t.Errorf("the script makes another number of what is typed: %s", part)
		}
	}
}

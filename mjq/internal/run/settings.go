package run

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
)

// Methods are the rows of the table of methods with their default settings, the exact ones first:
// package methods fills it.
var Methods []Method

// Setting is a setting of a method by the name of its field, and whether the method takes it.
func Setting[T any](m Method, name string) (x T, takes bool) {
	f := reflect.ValueOf(m).FieldByName(name)
	if !f.IsValid() || slices.Contains(m.Row().Without, name) {
		return x, false
	}
	x, takes = f.Interface().(T)
	return x, takes
}

// Device is where the method draws.
func Device(m Method) problem.Processor {
	d, _ := Setting[problem.Processor](m, "Device")
	return d
}

// Settings says what is wrong with the settings of a method whatever the queue, and names those
// that it takes for other queues only.
func Settings(f *check.Faults, m Method) {
	f.Settings(func(f *check.Faults) { problem.SettingFaults(f, m) })
	problem.Settings(m, func(name string, value any) {
		f.Asked(!slices.Contains(m.Row().Without, name), "%s %v: %s does not take it; %s", name, value, m.Row().Name, Takers(name, m))
	})
}

// Takers says which methods but one take a setting or a bound, as "Forward, Simulation do".
func Takers(name string, but Method) string {
	var names []string
	for _, m := range Methods {
		if m.Row().Name == but.Row().Name {
			continue
		}
		if _, takes := Setting[any](m, name); takes || slices.Contains(m.Row().Takes, name) {
			names = append(names, m.Row().Name)
		}
	}
	if len(names) == 1 {
		return names[0] + " does"
	}
	return strings.Join(names, ", ") + " do"
}

// TakesBound reports whether a method takes RelErr, HalfWidth or MaxJobs; a function takes all.
func TakesBound(m Method, name string) bool {
	_, function := m.(own)
	return function || slices.Contains(m.Row().Takes, name)
}

// Share leaves the method with the part-th of several parts that its samples are dealt out to,
// one at least to each.
func Share(m Method, o *problem.Options, part, parts int) Method {
	samples, takes := Setting[int](m, "Samples")
	if !takes || parts == 1 || o.Targeted() && samples == 0 {
		return m
	}
	n := problem.Count(samples, m.Row().Usual)
	k := n / int64(parts)
	if int64(part) < n%int64(parts) {
		k++
	}
	v := reflect.New(reflect.TypeOf(m)).Elem()
	v.Set(reflect.ValueOf(m))
	v.FieldByName("Samples").SetInt(max(1, k))
	return v.Interface().(Method)
}

// Describe is the method with all that was given, in a few words, by which sweeps are told apart.
func Describe(m Method, o *problem.Options) string {
	text := strings.ToLower(m.Row().Name)
	if eps, takes := Setting[float64](m, "Eps"); takes {
		text += fmt.Sprintf(" to %g", cmp.Or(eps, problem.CertifiedEps))
	}
	samples, takes := Setting[int](m, "Samples")
	if takes = takes && !o.Targeted(); takes {
		text += fmt.Sprintf(", %d samples", problem.Count(samples, m.Row().Usual))
	}
	say := func(name string, value any) {
		if form, ok := inWords[name]; ok {
			text += ", " + strings.ReplaceAll(form, "#", strings.Replace(fmt.Sprint(value), fmt.Sprint(problem.None), "0", 1))
		} else {
			text += fmt.Sprintf(", %s %v", name, value)
		}
	}
	problem.Settings(m, func(name string, value any) {
		if name != "Eps" && !(name == "Samples" && takes) {
			say(name, value)
		}
	})
	for _, b := range o.Bounds() {
		say(b.Name, b.Value)
	}
	return text
}

// inWords are settings as tables and captions say them, # in place of the value.
var inWords = map[string]string{
	"Samples": "# samples", "Jobs": "# jobs", "Replications": "# replications", "BatchMeans": "# batches",
	"WarmUp": "warm-up of # jobs", "Window": "window of # jobs", "PathLength": "paths of # jobs",
	"RelErr": "relative precision #", "HalfWidth": "half-width #",
	"MomentsOnly": "moments only", "Overtaking": "overtaking",
}

// Text is the method with the settings given as it is written in Go, and the target after it.
func Text(m Method, o *problem.Options) string {
	var fields []string
	problem.Settings(m, func(name string, value any) {
		text := fmt.Sprint(value)
		switch x := value.(type) {
		case problem.Controls:
			text = map[problem.Controls]string{problem.PlainControls: "mjq.PlainControls", problem.CloseControls: "mjq.CloseControls"}[x]
		case problem.Processor:
			text = "mjq." + text
		case int:
			if x == problem.None {
				text = "mjq.None"
			}
		}
		fields = append(fields, name+": "+text)
	})
	text := fmt.Sprintf("mjq.%s{%s}", m.Row().Name, strings.Join(fields, ", "))
	for _, b := range o.Bounds() {
		text += fmt.Sprintf(", mjq.%v", b)
	}
	return text
}

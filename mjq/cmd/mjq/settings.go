package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
)

// helpOf is what help says of each field of the methods.
var helpOf = map[string]string{
	"AgreeTogether":     "samples that must agree before they stop (256); 1 is badly biased at high load",
	"BatchMeans":        "one long run instead of replications, with so many batches for the intervals",
	"Controls":          "control variates, which narrow intervals of means: plain or close",
	"Device":            "processor: CPU, GPU or Auto",
	"Eps":               "error probability of a sample (1e-6)",
	"Jobs":              "recorded jobs a replication (about a million)",
	"Loop":              "users wait for their jobs: the next comes when the one before is done and they have thought as in the log",
	"MaxBytes":          "largest memory (1e9)",
	"MaxWindow":         "largest window in jobs (2^27)",
	"MomentsOnly":       "leave out the distributions, a third to two thirds of the time",
	"Overtaking":        "count who overtakes whom, in the JSON",
	"PathLength":        "jobs for which each sample goes on",
	"Preemptive":        "allow policies to stop jobs and resume them",
	"Replications":      "independent replications (32)",
	"Samples":           "number of samples (10000; of unbiased 2000)",
	"Session":           "longest time that a user thinks with --loop, in the unit of the log (20 minutes)",
	"SlowdownThreshold": "service times count as no shorter than this in slowdowns",
	"Wait":              "the rare wait, which must be given",
	"WarmUp":            "jobs left out at the beginning (a fifth of --jobs; of a log none)",
	"Weights":           "weight of a job of each class in the optimum (1)",
	"Window":            "first window in jobs",
	"Within":            "time within which a job must start to be served in time (0)",
}

// wordsOf are the values of the fields that hold a word.
var wordsOf = map[string][]string{"Controls": {"plain", "close"}, "Device": {"CPU", "GPU", "Auto"}}

// settings are the flags that say how a question is answered: the method, which has a flag
// for each of its fields, and options.
type settings struct {
	flags   *pflag.FlagSet
	methods []mjq.Method // that answer the question
	method  string
	fields  map[string]any // that were given, by their keys in JSON
	told    []mjq.Option   // options and goals that were given
	targets map[string]any // of those, what says how long to go on, by their flags
}

// nameOf is the name of a method, fieldsOf its fields.
func nameOf(m mjq.Method) string                  { return reflect.TypeOf(m).Name() }
func fieldsOf(m mjq.Method) []reflect.StructField { return reflect.VisibleFields(reflect.TypeOf(m)) }

// hyphened is the name of a method or a field as the command line has it: MaxWindow is
// max-window.
func hyphened(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// add defines the flags of a verb that these methods answer and that takes these options
// beside those of every question.
func (s *settings) add(c *cobra.Command, methods, takes []string) {
	s.flags, s.fields = c.Flags(), map[string]any{}
	owners, known := map[string][]string{}, map[string]reflect.StructField{}
	for _, m := range mjq.Methods() {
		if !slices.Contains(methods, nameOf(m)) {
			continue
		}
		s.methods = append(s.methods, m)
		for _, f := range fieldsOf(m) {
			owners[f.Name], known[f.Name] = append(owners[f.Name], hyphened(nameOf(m))), f
		}
	}
	for name, f := range known {
		usage := helpOf[name]
		if len(s.methods) > 1 {
			usage = "of " + strings.Join(owners[name], ", ") + ": " + usage
		}
		s.field(f, usage)
	}
	if len(s.methods) > 0 {
		s.flags.StringVar(&s.method, "method", "", "method: "+strings.Join(s.names(), ", ")+"; the one that suits if left out")
		_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(s.names(), cobra.ShellCompDirectiveNoFileComp))
	}
	s.common(takes)
}

// some defines the flags of a log: of these fields of simulation, and of all options that
// every question takes.
func (s *settings) some(c *cobra.Command, fields ...string) {
	s.flags, s.fields = c.Flags(), map[string]any{}
	for _, f := range fieldsOf(mjq.Simulation{}) {
		if slices.Contains(fields, f.Name) {
			s.field(f, helpOf[f.Name])
		}
	}
	s.common(nil)
}

// names are those of the methods.
func (s *settings) names() (names []string) {
	for _, m := range s.methods {
		names = append(names, hyphened(nameOf(m)))
	}
	return names
}

// field defines the flag of a field.
func (s *settings) field(f reflect.StructField, usage string) {
	var k kind[any]
	switch f.Type.Kind() {
	case reflect.Int:
		k = loosely(notNegative(wholes))
	case reflect.Float64:
		if k = loosely(notNegative(numbers)); f.Name == "Eps" {
			k = loosely(notNegative(shares))
		}
	case reflect.Map:
		k = loosely(pairs)
	case reflect.Bool:
		k = loosely(bools)
	case reflect.String:
		k = loosely(oneOf(wordsOf[f.Name]))
	}
	keep := func(x any) {
		if x == 0 { // in the methods 0 is the default
			x = mjq.None
		}
		s.fields[result.Key(f.Name)] = x
	}
	flag := s.flags.VarPF(k.then(keep), hyphened(f.Name), "", usage)
	if f.Type.Kind() == reflect.Bool {
		flag.NoOptDefVal = bools.example
	}
}

// loosely is a kind whose values may be anything.
func loosely[T any](k kind[T]) kind[any] {
	return kind[any]{k.name, k.example, func(text string) (any, error) { return k.read(text) }}
}

// oneOf is the kind of some words. CPU is mjq.CPU, which is the default and empty.
func oneOf(words []string) kind[string] {
	return kind[string]{"word", words[0], func(text string) (string, error) {
		for _, word := range words {
			if strings.EqualFold(word, text) {
				return strings.TrimPrefix(word, "CPU"), nil
			}
		}
		return "", fmt.Errorf("%q is not known%s", text, check.OneOf(text, words))
	}}
}

// common defines the options.
func (s *settings) common(takes []string) {
	option(s, seeds, "seed", "choose the randomness; every method has a seed of its own", mjq.Seed)
	option(s, shares, "level", "confidence level of the intervals (0.95)", mjq.Level)
	option(s, wholes, "workers", "goroutines, which change the speed and no digit (one a core)", mjq.Workers)
	option(s, bools, "no-cache", "compute again, although MJQ_REMEMBER keeps the answer", func(anew bool) mjq.Option {
		if anew {
			return mjq.NoCache()
		}
		return nil
	})
	s.flags.Lookup("no-cache").NoOptDefVal = bools.example
	for _, name := range takes {
		switch name {
		case "rel-err":
			target(s, shares, name, "go on until the half-width of the interval is this part of the estimate", mjq.RelErr)
		case "half-width":
			target(s, numbers, name, "the same in units of time, for the mean waiting time", mjq.HalfWidth)
		case "max-jobs":
			target(s, wholes, name, "largest number of jobs to simulate", mjq.MaxJobs)
		case "shard":
			option(s, kind[[2]int]{"k/n", "0/3", readShard}, name, "only part k of n, from 0; mjq merge puts them together", func(x [2]int) mjq.Option { return mjq.Shard(x[0], x[1]) })
		case "goals":
			s.goalFlags()
		}
	}
}

// option defines the flag of an option.
func option[T any](s *settings, k kind[T], name, usage string, of func(T) mjq.Option) {
	s.flags.Var(k.then(func(x T) { s.told = append(s.told, of(x)) }), name, usage)
}

// target defines the flag of an option that says how long to go on.
func target[T any](s *settings, k kind[T], name, usage string, of func(T) mjq.Option) {
	option(s, k, name, usage, func(x T) mjq.Option {
		if s.targets == nil {
			s.targets = map[string]any{}
		}
		s.targets[name] = x
		return of(x)
	})
}

// all are the options that were given, the method and the goals among them.
func (s *settings) all() (opts []mjq.Option, err error) {
	m, err := s.chosen()
	if m == nil {
		return s.told, err
	}
	return append(s.told, m), err
}

// chosen is the method that was given with its fields; nil if none was. Where there is one
// method alone its fields are enough.
func (s *settings) chosen() (mjq.Method, error) {
	name := s.method
	if name == "" && len(s.methods) == 1 && len(s.fields) > 0 {
		name = s.names()[0]
	}
	if name == "" {
		return nil, s.ofNone()
	}
	at := slices.Index(s.names(), hyphened(name))
	if at < 0 {
		return nil, fmt.Errorf("--method: %q is not known here%s", name, check.OneOf(name, s.names()))
	}
	s.fields["method"] = nameOf(s.methods[at])
	text, err := json.Marshal(s.fields)
	if err != nil {
		return nil, fmt.Errorf("--method %s: %w", name, err)
	}
	m, err := mjq.UnmarshalMethod(text)
	if err != nil {
		return nil, fmt.Errorf("--method %s: %s", name, s.worded(err))
	}
	return m, nil
}

// ofNone is the error of fields without a method.
func (s *settings) ofNone() error {
	var wrong []error
	for name := range s.fields {
		owners, _, _ := strings.Cut(s.flags.Lookup(hyphened(name)).Usage, ":")
		wrong = append(wrong, fmt.Errorf("--%s is a setting %s; say which by --method", hyphened(name), owners))
	}
	return errors.Join(wrong...)
}

// worded is an error of a method in the words of the flags.
func (s *settings) worded(err error) string {
	text := strings.TrimPrefix(message(err), "reading a method: ")
	for name := range s.fields {
		text = strings.ReplaceAll(text, name, hyphened(name))
	}
	for _, m := range mjq.Methods() {
		text = strings.ReplaceAll(text, nameOf(m), hyphened(nameOf(m)))
	}
	return text
}

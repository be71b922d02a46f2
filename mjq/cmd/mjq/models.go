package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace/foreign"
)

// modelFlags say what is changed in the model of a file.
type modelFlags struct {
	servers      []int
	system       int
	rates, loads []float64
	rateFile     string
	policy       mjq.Policy
	arrivals     arrival.Process
	tuples       string
	offered      []float64
	changes      []func(m mjq.Model) mjq.Model // by flags that can be repeated, in their order
	sleep        sleepFlags
	nodes        nodeFlags
	unit         string // of time
}

// processes are the arrival processes on the command line, rates and loads positive numbers.
var (
	processes = kind[arrival.Process]{"process", `{"arrivals":"Poisson","rate":1.4}`, readArrivals}
	rates     = positive(numbers, "arrival rate; give a positive finite number")
	offered   = positive(shares, "offered load; give a positive share of the servers")
	loads     = positive(shares, "load; give a positive fraction of the stability limit")
)

// positive is a kind of numbers that have to be positive and finite.
func positive(k kind[float64], what string) kind[float64] {
	read := k.read
	k.read = func(text string) (float64, error) {
		x, err := read(text)
		if err == nil && (!(x > 0) || math.IsInf(x, 1)) {
			err = fmt.Errorf("%v is no %s", x, what)
		}
		return x, err
	}
	return k
}

// add defines the flags; those of arrivals only where a command does something with them,
// and the policy only if the command has none of its own.
func (f *modelFlags) add(c *cobra.Command, arrivals arrivalsOf) {
	flags := c.Flags()
	flags.Var(wholes.list(&f.servers, ","), "servers", "number of servers, one or several with commas; a CSV of classes needs it")
	flags.Var(wholes.one(&f.system), "system", "of the systems of a TOML file only this one, from 1")
	flags.StringVar(&f.tuples, "tuples", "", "the file holds tuples (servers, probability, numbers), of the distributions: "+strings.Join(familyNames, ", "))
	_ = c.RegisterFlagCompletionFunc("tuples", cobra.FixedCompletions(familyNames, cobra.ShellCompDirectiveNoFileComp))
	if flags.Lookup("policy") == nil {
		policyFlag(c, policies.one(&f.policy), policyUsage)
	}
	unitFlag(flags, &f.unit)
	f.turning(flags)
	f.failing(flags)
	f.stretching(flags)
	f.sleep.add(flags)
	f.nodes.add(flags)
	if arrivals != ignored {
		flags.Var(offered.list(&f.offered, ","), "offered", "arrival rates as shares of the servers that all jobs together would keep busy, for queues without a limit, 0.9 or 90%")
		flags.Var(rates.list(&f.rates, ","), "rate", "arrival rates, one or several with commas; without arrivals in the file they are Poisson")
		flags.Var(loads.list(&f.loads, ","), "load", "arrival rates as fractions of the stability limit, 0.8 or 80%")
		flags.StringVar(&f.rateFile, "rates", "", "file with a list of arrival rates, [0.5, 1, 1.5]")
		flags.Var(processes.one(&f.arrivals), "arrivals", `arrival process, as {"arrivals":"Poisson","rate":1.4}, or the distribution of interarrival times, as {"law":"ErlangMeanPhases","mean":0.7,"phases":2}`)
	}
	c.ValidArgsFunction = filesEnding("json", "toml", "csv")
}

// altering is what a flag does with its value that changes the model.
func altering[T any](f *modelFlags, change func(m mjq.Model, x T) mjq.Model) func(x T) {
	return func(x T) {
		f.changes = append(f.changes, func(m mjq.Model) mjq.Model { return change(m, x) })
	}
}

// toggle defines a flag without a value that changes the model.
func (f *modelFlags) toggle(flags *pflag.FlagSet, name, usage string, change func(m mjq.Model) mjq.Model) {
	flags.VarPF(bools.then(altering(f, func(m mjq.Model, on bool) mjq.Model {
		if on {
			return change(m)
		}
		return m
	})), name, "", usage).NoOptDefVal = bools.example
}

// unitFlag defines the flag of the unit of time, which verbs of models and logs share.
func unitFlag(flags *pflag.FlagSet, into *string) {
	if flags.Lookup("unit") == nil {
		flags.StringVar(into, "unit", "", "unit of time of all numbers: s, min, h, d or a word of your own; known ones are shown in the one that reads best")
	}
}

// filesEnding completes names of files.
func filesEnding(endings ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return endings, cobra.ShellCompDirectiveFilterFileExt
	}
}

// read returns the models of a file with all changes: one for each system, number of servers
// and rate, of which those of a grid are left to the question.
func (f *modelFlags) read(file string, stdin io.Reader, v *verb) (models []mjq.Model, err error) {
	systems, err := f.described(file, stdin)
	if err != nil {
		return nil, err
	}
	if f.rateFile != "" {
		more, err := readRates(f.rateFile)
		if err != nil {
			return nil, err
		}
		f.rates, f.rateFile = append(f.rates, more...), ""
	}
	for _, m := range systems {
		if f.policy != nil {
			m = m.Policy(f.policy)
		}
		if f.arrivals != nil {
			m = m.Process(f.arrivals)
		}
		if f.unit != "" {
			m = m.Unit(f.unit)
		}
		m = f.sleep.apply(f.nodes.apply(m))
		for _, change := range f.changes {
			m = change(m)
		}
		for _, x := range f.varied(m, v.grid) {
			if err := x.Err(); err != nil {
				return nil, named(file, err)
			}
			if v.arrivals == needed && math.IsNaN(x.Rate()) && math.IsNaN(x.Load()) && !x.Spec().Features().Has(spec.Sent) {
				return nil, fmt.Errorf("%s: the model has no arrivals; give --rate, --load or --arrivals", file)
			}
			models = append(models, x)
		}
	}
	return models, nil
}

// varied are a model's variants with the servers and the rates of the flags.
func (f *modelFlags) varied(m mjq.Model, grid bool) (models []mjq.Model) {
	if grid {
		return []mjq.Model{m}
	}
	sizes := []mjq.Model{m}
	if len(f.servers) > 0 {
		sizes = nil
	}
	for _, s := range f.servers {
		sizes = append(sizes, m.Servers(s))
	}
	if len(f.rates)+len(f.loads)+len(f.offered) == 0 {
		return sizes
	}
	for _, m := range sizes {
		for _, rate := range f.rates {
			models = append(models, m.AtRate(rate))
		}
		for _, load := range f.loads {
			models = append(models, m.AtLoad(load))
		}
		for _, share := range f.offered {
			models = append(models, m.AtOffered(share))
		}
	}
	return models
}

// described reads the file by its ending.
func (f *modelFlags) described(file string, stdin io.Reader) ([]mjq.Model, error) {
	text, err := readInput(file, stdin, f.fit)
	if err != nil {
		return nil, err
	}
	ending := strings.ToLower(filepath.Ext(file))
	if f.system != 0 && ending != ".toml" {
		return nil, fmt.Errorf("--system: %s is not a TOML file, which alone has several systems; leave it out", file)
	}
	switch {
	case f.tuples != "":
		return f.tuplesOf(file, text)
	case file == "-" || ending == ".json":
		var m mjq.Model
		if err := json.Unmarshal(text, &m); err != nil {
			return nil, jsonFaults(file, text, err)
		}
		return []mjq.Model{m}, nil
	case ending == ".toml":
		return f.experiment(file, text)
	}
	return f.classes(file, text)
}

// fit is the error of a file whose name does not say what it holds.
func (f *modelFlags) fit(file string) error {
	if ending := strings.ToLower(filepath.Ext(file)); f.tuples != "" || file == "-" || slices.Contains([]string{".json", ".toml", ".csv"}, ending) {
		return nil
	}
	return fmt.Errorf("%s: its ending does not say what it holds; name it .json, .toml or .csv, or say by --tuples which distributions its tuples have", file)
}

// experiment are the systems of a TOML file of mjqm-simulator.
func (f *modelFlags) experiment(file string, text []byte) (systems []mjq.Model, err error) {
	x, err := foreign.ReadTOML(file, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if f.system < 0 || f.system > len(x.Runs) {
		return nil, fmt.Errorf("--system: %s has systems 1 to %d, not %d", file, len(x.Runs), f.system)
	}
	for i, run := range x.Runs {
		if f.system != 0 && i+1 != f.system {
			continue
		}
		if !run.FCFS && f.policy == nil {
			return nil, fmt.Errorf("%s: system %d: policy: it asks for %s; say which policy that is by --policy", file, i+1, run.Policy)
		}
		m := run.Model()
		if err := m.Err(); err != nil {
			return nil, named(fmt.Sprintf("%s: system %d", file, i+1), err)
		}
		s := *m.Spec()
		s.Notes = slices.Concat(s.Notes, x.Notes)
		systems = append(systems, mjq.FromSpec(&s))
	}
	return systems, nil
}

// readArrivals reads a process, or the law of the times between arrivals.
func readArrivals(text string) (arrival.Process, error) {
	p, err := arrival.Unmarshal([]byte(text))
	if err == nil {
		return p, nil
	}
	if gap, wrong := law.Unmarshal([]byte(text)); wrong == nil {
		return arrival.Renewal{Gap: gap}, nil
	}
	return nil, err
}

// readRates reads a list of arrival rates.
func readRates(file string) ([]float64, error) {
	text, err := readInput(file, nil, anyName)
	if err != nil {
		return nil, err
	}
	rates, err := foreign.ReadRates(file, bytes.NewReader(text))
	if err == nil && len(rates) == 0 {
		err = errors.New(file + ": the list of rates is empty")
	}
	return rates, err
}

// named puts the file before an error that does not say where it is.
func named(where string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", where, message(err))
}

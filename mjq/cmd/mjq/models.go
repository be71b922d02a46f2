package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// modelFlags say what is changed in the model of a file.
type modelFlags struct {
	servers, system  int
	rates, loads     []float64
	rateFile         string
	policy, arrivals string
	tuples           string
}

// add defines the flags; those of rates only where a command asks at rates.
func (f *modelFlags) add(c *cobra.Command, atRates bool) {
	flags := c.Flags()
	flags.Var((*whole)(&f.servers), "servers", "number of servers; a CSV of classes needs it")
	flags.Var((*whole)(&f.system), "system", "of the systems of a TOML file only this one, from 1")
	flags.StringVar(&f.tuples, "tuples", "", "the file holds tuples (servers, probability, numbers), and these are of the laws: "+strings.Join(familyNames, ", "))
	_ = c.RegisterFlagCompletionFunc("tuples", cobra.FixedCompletions(familyNames, cobra.ShellCompDirectiveNoFileComp))
	flags.StringVar(&f.policy, "policy", "", policyUsage)
	_ = c.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(policyNames(), cobra.ShellCompDirectiveNoFileComp))
	if atRates {
		flags.Var(&numberList{values: &f.rates}, "rate", "arrival rates, one or several with commas; without arrivals in the file they are Poisson")
		flags.Var(&numberList{values: &f.loads, share: true}, "load", "arrival rates as fractions of the stability limit, 0.8 or 80%")
		flags.StringVar(&f.rateFile, "rates", "", "file with a list of arrival rates, [0.5, 1, 1.5]")
		flags.StringVar(&f.arrivals, "arrivals", "", `arrival process, as {"arrivals":"Poisson","rate":1.4}, or the law of the gaps, as {"law":"ErlangMeanPhases","mean":0.7,"phases":2}`)
	}
	c.Args = oneFile
	c.ValidArgsFunction = filesEnding("json", "toml", "csv")
}

// filesEnding completes names of files.
func filesEnding(endings ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return endings, cobra.ShellCompDirectiveFilterFileExt
	}
}

// models are those of a file with all changes: one for each system and rate.
func (f *modelFlags) models(file string, stdin io.Reader) ([]*mjq.Model, error) {
	systems, err := f.systems(file, stdin)
	if err != nil {
		return nil, input(err)
	}
	rates := f.rates
	if f.rateFile != "" {
		more, err := readRates(f.rateFile)
		if err != nil {
			return nil, input(err)
		}
		rates = append(rates, more...)
	}
	var models []*mjq.Model
	for _, s := range systems {
		m, err := mjq.Build(s)
		if err != nil {
			return nil, input(named(file, err))
		}
		if len(rates)+len(f.loads) == 0 {
			models = append(models, m)
		}
		for _, rate := range rates {
			if !(rate > 0) || math.IsInf(rate, 1) {
				return nil, input(fmt.Errorf("--rate: %v is no arrival rate; give a positive finite number", rate))
			}
			models = append(models, m.AtRate(rate))
		}
		for _, load := range f.loads {
			if !(load > 0) || math.IsInf(load, 1) {
				return nil, input(fmt.Errorf("--load: %v is no load; give a positive fraction of the stability limit", load))
			}
			models = append(models, m.AtLoad(load))
		}
	}
	return models, nil
}

// arriving is models of which all have arrivals.
func (f *modelFlags) arriving(file string, stdin io.Reader) ([]*mjq.Model, error) {
	models, err := f.models(file, stdin)
	for _, m := range models {
		if math.IsNaN(m.Rate()) && math.IsNaN(m.Load()) {
			return nil, input(fmt.Errorf("%s: the model has no arrivals; give --rate, --load or --arrivals", file))
		}
	}
	return models, err
}

// systems are the queues that a file describes, under the policy, with the servers and
// the arrivals of the flags.
func (f *modelFlags) systems(file string, stdin io.Reader) ([]*spec.Spec, error) {
	systems, err := f.described(file, stdin)
	if err != nil {
		return nil, err
	}
	for i, s := range systems {
		if f.servers != 0 {
			s = s.WithServers(f.servers)
		}
		if f.arrivals != "" {
			p, err := readArrivals(f.arrivals)
			if err != nil {
				return nil, named("--arrivals", err)
			}
			changed := *s
			changed.Arrivals, changed.Load = p, nil
			s = &changed
		}
		if f.policy != "" {
			p, err := readPolicy(f.policy)
			if err != nil {
				return nil, err
			}
			s = s.WithPolicy(p)
		}
		systems[i] = s
	}
	return systems, nil
}

// described reads the file by its ending.
func (f *modelFlags) described(file string, stdin io.Reader) ([]*spec.Spec, error) {
	text, err := readInput(file, stdin)
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
		s := new(spec.Spec)
		if err := json.Unmarshal(text, s); err != nil {
			return nil, jsonFaults(file, text, err)
		}
		return []*spec.Spec{s}, nil
	case ending == ".toml":
		return f.experiment(file, text)
	case ending == ".csv":
		return f.classes(file, text)
	}
	return nil, fmt.Errorf("%s: what it holds is told by its ending; name it .json, .toml or .csv, or say by --tuples which laws its tuples have", file)
}

// experiment are the systems of a TOML file of mjqm-simulator.
func (f *modelFlags) experiment(file string, text []byte) ([]*spec.Spec, error) {
	x, err := trace.ReadTOML(file, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if f.system < 0 || f.system > len(x.Runs) {
		return nil, fmt.Errorf("--system: %s has systems 1 to %d, not %d", file, len(x.Runs), f.system)
	}
	var systems []*spec.Spec
	for i, run := range x.Runs {
		if f.system != 0 && i+1 != f.system {
			continue
		}
		if !run.FCFS && f.policy == "" {
			return nil, fmt.Errorf("%s: system %d: policy: it asks for %s; say which policy that is by --policy", file, i+1, run.Policy)
		}
		s, err := run.Spec()
		if err != nil {
			return nil, fmt.Errorf("%s: system %d: %w", file, i+1, err)
		}
		s.Notes = append(s.Notes, x.Notes...)
		systems = append(systems, s)
	}
	return systems, nil
}

// readArrivals reads a process, or the law of the gaps.
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
	text, err := readInput(file, nil)
	if err != nil {
		return nil, err
	}
	rates, err := trace.ReadRates(file, bytes.NewReader(text))
	if err == nil && len(rates) == 0 {
		err = errors.New(file + ": the list of rates is empty")
	}
	return rates, err
}

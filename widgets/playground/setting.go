package playground

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Setting is what the page lets one choose, and what the address of a shared page holds.
type Setting struct {
	Servers int     `json:"servers"`
	Load    float64 `json:"load,omitempty"` // fraction of the stability limit of FCFS, whatever the policy, or of the servers on nodes, where there is no limit and where it is not known at once; 0 where Rate is given
	Rate    float64 `json:"rate,omitempty"` // jobs per unit of time
	Policy  string  `json:"policy,omitempty"`
	Classes []Class `json:"classes"`
	Seed    uint64  `json:"seed,omitempty"`
	Unit    string  `json:"unit,omitempty"` // of time, one of Units; nothing is converted

	NodeSize  int    `json:"nodeSize,omitempty"`  // servers on a node, where jobs must fit; 0: the servers are one pool
	Placement string `json:"placement,omitempty"` // on nodes, one of Placements

	Room     *int    `json:"room,omitempty"`     // the most jobs that wait; any number without
	Patience float64 `json:"patience,omitempty"` // mean time, exponential, after which a job that waits gives up; 0: none does

	Failing
	Sleeping

	Arrivals json.RawMessage `json:"arrivals,omitempty"` // as package arrival writes them; Poisson without
	Rule     json.RawMessage `json:"rule,omitempty"`     // the policy "as given", as package policy writes it
}

// Class is a class of jobs. Shares need not sum to 1.
type Class struct {
	Name  string  `json:"name"`
	Need  int     `json:"need"`
	Share float64 `json:"share"`
	Law   string  `json:"law"`
	Mean  float64 `json:"mean"`
	Shape float64 `json:"shape,omitempty"` // the parameter of the law apart from its mean; see Laws

	Stretching
	Looping

	Form json.RawMessage `json:"form,omitempty"` // the law "as given", as package law writes it
}

// Units are the units of time that have a name.
var Units = []string{"second", "minute", "hour", "day"}

// unit is the unit of time in words.
func (s *Setting) unit() string {
	if slices.Contains(Units, s.Unit) {
		return s.Unit
	}
	return "unit of time"
}

// per is how often something happens: 3 jobs "a minute".
func (s *Setting) per() string {
	if s.Unit == "hour" {
		return "an hour"
	}
	return "a " + s.unit()
}

// times are a number of units of time, in the plural.
func (s *Setting) times() string {
	one, of, _ := strings.Cut(s.unit(), " ")
	return strings.TrimSpace(one + "s " + of)
}

// Choice is a law, a policy or a speed as the page offers it.
type Choice struct {
	Name  string  `json:"name"`
	Shape string  `json:"shape,omitempty"` // its parameter apart from the mean, in words
	Usual float64 `json:"usual,omitempty"`

	of    func(mean, shape float64) mjq.Law
	code  code // as a Go program writes it; of a law with %[1]s for the mean, %[2]s and %[3]s for the shape, which may be whole
	rule  func() mjq.Policy
	speed func(x float64) spec.Speed
}

// Laws are the service laws of the page.
var Laws = []Choice{
	{Name: "exponential", code: "mjq.ExpMean(%[1]s)", of: func(mean, _ float64) mjq.Law { return mjq.ExpMean(mean) }},
	{Name: "constant", code: "mjq.Deterministic(%[1]s)", of: func(mean, _ float64) mjq.Law { return mjq.Deterministic(mean) }},
	{Name: "Erlang", Shape: "stages", Usual: 2, code: "mjq.ErlangMeanPhases(%[1]s, %[3]s)", of: func(mean, k float64) mjq.Law { return mjq.ErlangMeanPhases(mean, int(k)) }},
	{Name: "hyperexponential", Shape: "c²", Usual: 4, code: "mjq.HyperExpMeanSCV(%[1]s, %[2]s)", of: mjq.HyperExpMeanSCV},
	{Name: "lognormal", Shape: "c²", Usual: 4, code: "mjq.LogNormalMeanSCV(%[1]s, %[2]s)", of: mjq.LogNormalMeanSCV},
	{Name: "Lomax", Shape: "tail index", Usual: 2.5, code: "mjq.LomaxScaleShape(%[1]s*(%[2]s-1), %[2]s)", of: func(mean, shape float64) mjq.Law { return mjq.LomaxScaleShape(mean*(shape-1), shape) }},
}

// Policies are the scheduling policies of the page.
var Policies = []Choice{
	{Name: "FCFS", code: "mjq.FCFS()", rule: mjq.FCFS},
	{Name: "First-Fit", code: "mjq.FirstFit()", rule: mjq.FirstFit},
	{Name: "EASY", code: "mjq.EASY()", rule: mjq.EASY},
	{Name: "Conservative", code: "mjq.Conservative()", rule: mjq.Conservative},
	{Name: "Most servers first", code: "mjq.MostServersFirst()", rule: mjq.MostServersFirst},
	{Name: "Least servers first", code: "mjq.LeastServersFirst()", rule: mjq.LeastServersFirst},
	{Name: "Server filling", code: "mjq.ServerFilling()", rule: mjq.ServerFilling},
	{Name: "Max weight", code: "mjq.MaxWeight()", rule: mjq.MaxWeight},
}

// source is the law as a Go program writes it.
func (c *Choice) source(mean, shape float64) code {
	return line(string(c.code), mean, shape, int(shape))
}

// chosen is the choice of a name, the first of the list for "".
func chosen(list []Choice, name string) (*Choice, error) {
	if name == "" {
		return &list[0], nil
	}
	for i := range list {
		if list[i].Name == name {
			return &list[i], nil
		}
	}
	return nil, fmt.Errorf("there is no %q here", name)
}

// mostServers and mostClasses are what a page can draw and a browser compute.
const mostServers, mostClasses = 100_000, 30

// tooLarge says that a page cannot show so much.
func (s *Setting) tooLarge(classes int) error {
	if s.Servers > mostServers || classes > mostClasses {
		return fmt.Errorf("at most %d servers and %d classes here; package mjq takes more", mostServers, mostClasses)
	}
	return nil
}

// Model is the queue first come first served, or what is wrong with the setting.
func (s *Setting) Model() (mjq.Model, error) {
	if err := s.tooLarge(len(s.Classes)); err != nil {
		return mjq.Model{}, err
	}
	var faults []error
	total := s.open()
	m, err := s.units()
	if err != nil {
		return m, err
	}
	for _, c := range s.Classes {
		service, err := c.service()
		if err != nil {
			faults = append(faults, fmt.Errorf("class %s: law: %w", c.Name, err))
			continue
		}
		m = m.Class(c.Name, c.Need, c.prob(total), service)
	}
	if _, err := s.rule(); err != nil {
		faults = append(faults, fmt.Errorf("policy: %w", err))
	}
	if s.Arrivals != nil {
		p, err := arrival.Unmarshal(s.Arrivals)
		if err != nil {
			faults = append(faults, fmt.Errorf("arrivals: %w", err))
		}
		m = m.Process(p)
	}
	if len(faults) > 0 {
		return mjq.Model{}, errors.Join(faults...)
	}
	properties, err := s.properties()
	if err != nil {
		return mjq.Model{}, err
	}
	m = properties.of(m)
	if s.sent() {
		return m, m.Err()
	}
	if s.Load > 0 && s.offered() {
		m = m.AtOffered(s.Load)
	} else if s.Load > 0 {
		m = m.AtLoad(s.Load)
	} else {
		m = m.AtRate(s.Rate)
	}
	return m, m.Err()
}

// Offered is what the page lets its reader choose from.
func Offered() map[string]any {
	return map[string]any{"laws": Laws, "policies": Policies, "presets": Presets(), "units": Units, "speeds": Speeds, "aftermaths": Aftermaths}
}

// First is the queue that the page opens with.
func First() Setting { return Presets()["five classes"] }

// Presets are queues to begin with, by name.
func Presets() map[string]Setting {
	exp := func(name string, need int, share, mean float64) Class {
		return Class{Name: name, Need: need, Share: share, Law: "exponential", Mean: mean}
	}
	return map[string]Setting{
		"one or all":   {Unit: "minute", Servers: 16, Load: 0.8, Classes: []Class{exp("one", 1, 0.95, 1), exp("all", 16, 0.05, 2)}},
		"five classes": {Unit: "minute", Servers: 20, Load: 0.8, Classes: []Class{exp("T1", 1, 0.5, 0.5), exp("T2", 2, 0.1, 0.83), exp("T5", 5, 0.2, 1.25), exp("T10", 10, 0.19, 3.33), exp("T15", 15, 0.01, 10)}},
		"a small cluster": {Unit: "minute", Servers: 64, Load: 0.7, Classes: []Class{exp("single", 1, 0.6, 0.5), exp("four", 4, 0.25, 0.5),
			exp("eight", 8, 0.1, 1), exp("wide", 24, 0.05, 1)}},
		"packing in vain": {Unit: "minute", Servers: 5, Load: 0.9, Classes: []Class{exp("two", 2, 0.6, 1), exp("three", 3, 0.4, 0.667)}},
	}
}

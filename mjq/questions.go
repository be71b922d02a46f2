package mjq

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
)

// question is a row of the table of questions: what it takes beside the options that all take.
type question struct {
	name    string
	takes   []string            // of RelErr, HalfWidth, MaxJobs, Shard and goals
	waits   bool                // it is answered by all methods that find waits
	methods []string            // else by these
	fields  map[string][]string // of a method, where not all have a meaning
	own     bool                // the target and the budget are of the question, whatever the method

	servesAll bool // it is about queues that serve all jobs
	ofPools   bool // it is about servers that are one pool
}

// questions are all of them.
var questions = []question{
	{name: "Solve", takes: []string{"RelErr", "HalfWidth", "MaxJobs"}, waits: true},
	{name: "Stability", takes: []string{"RelErr", "MaxJobs"}, methods: []string{"Exact", "Pile"}, fields: map[string][]string{"Exact": nil}, own: true},
	{name: "Compare", takes: []string{"RelErr", "HalfWidth", "MaxJobs"}, methods: []string{"Simulation"}},
	{name: "ComparePlacements", takes: []string{"RelErr", "HalfWidth", "MaxJobs"}, methods: []string{"Simulation"}},
	{name: "Methods", takes: []string{"RelErr"}},
	{name: "Optimum", takes: []string{"RelErr"}, methods: []string{"PolicyIteration"}, servesAll: true, ofPools: true},
	{name: "Sensitivities", takes: []string{"MaxJobs"}, methods: []string{"Exact", "Simulation"}, servesAll: true, ofPools: true},
	{name: "FewestServers", takes: []string{"MaxJobs", goals}, waits: true, own: true},
	{name: "CheapestServers", takes: []string{"MaxJobs", goals}, waits: true, own: true},
	{name: "CheapestMix", takes: []string{"MaxJobs", goals}, waits: true, own: true, ofPools: true},
	{name: "LargestRate", takes: []string{"RelErr", "MaxJobs", goals}, waits: true, own: true},
	{name: "LargestNeed", takes: []string{"MaxJobs", goals}, waits: true, own: true, ofPools: true},
	{name: "Sweep", takes: []string{"RelErr", "HalfWidth", "MaxJobs", "Shard"}, waits: true},
	{name: "ByTime", methods: []string{"Exact", "Backward", "Simulation"}, fields: overTime, servesAll: true, ofPools: true},
	{name: "Transient", methods: []string{"Exact", "Simulation"}, fields: overTime, servesAll: true, ofPools: true},
	{name: "Capacity"},
	{name: "HeavyTraffic", servesAll: true, ofPools: true},
	{name: "Path", servesAll: true},
	{name: "Prices", ofPools: true},
	{name: "BestKeep", ofPools: true},
}

// goals stands for goals among what a question takes.
const goals = "goal"

// overTime are the fields that have a meaning for a queue over time.
var overTime = map[string][]string{"Exact": {"MaxBytes"}, "Backward": {"Samples", "Window", "MaxWindow", "AgreeTogether"},
	"Simulation": {"Jobs", "WarmUp", "Replications"}}

// questionOf is the row of a question; one of the packages above takes what all take.
func questionOf(name string) *question {
	i := slices.IndexFunc(questions, func(q question) bool { return q.name == name })
	if i < 0 {
		return &question{name: name}
	}
	return &questions[i]
}

// refuse says what the question, or its method, does not take.
func (a *asked) refuse(q *question) {
	e := a.engine()
	if a.method != nil && (q.waits && e == nil || !q.waits && !slices.Contains(q.methods, label(a.method))) {
		a.faults.Add("%s: it does not answer %s; %s", label(a.method), q.name, q.instead(a.method))
		e = nil
	}
	for _, name := range slices.Sorted(maps.Keys(a.said)) {
		if !slices.Contains(q.takes, name) {
			a.faults.Add("%s: %s does not take it; %s", a.said[name], q.name, takenBy(name))
		} else if e != nil && !q.own && name != "Shard" && !run.TakesBound(e, name) {
			a.faults.Add("%s: %s does not take it; %s", a.said[name], label(a.method), run.Takers(name))
		}
	}
	if len(a.goals) > 0 && !slices.Contains(q.takes, goals) {
		a.faults.Add("%s: %s has no goals; %s", a.goals[0], q.name, takenBy(goals))
	}
	a.without(q)
	if !a.faults.None() {
		a.o.Check(&a.faults) // all at once
	}
}

// without names the fields of the method that have no meaning for the question.
func (a *asked) without(q *question) {
	if a.method == nil {
		return
	}
	has, some := q.fields[label(a.method)]
	if !some {
		return
	}
	problem.Settings(a.method, func(name string, value any) {
		a.faults.That(slices.Contains(has, name), "%s %v: %s does not take it; leave it out", name, value, q.name)
	})
}

// instead says which methods the question has, or which question a method.
func (q *question) instead(m Method) string {
	for _, other := range questions {
		if m.engine() == nil && slices.Contains(other.methods, label(m)) {
			return "it is for " + other.name
		}
	}
	if len(q.methods) == 0 {
		return "leave the method out"
	}
	return "use " + strings.Join(q.methods, ", ")
}

// takenBy says which questions take an option that not all take.
func takenBy(option string) string {
	var names []string
	for _, q := range questions {
		if slices.Contains(q.takes, option) {
			names = append(names, q.name)
		}
	}
	if n := len(names) - 1; n > 0 {
		return fmt.Sprintf("%s and %s do", strings.Join(names[:n], ", "), names[n])
	}
	return names[0] + " does"
}

package mjq

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/spec"
)

// question is a row of the table of questions: what it takes beside the options that all take.
type question struct {
	name    string
	takes   []string            // of RelErr, HalfWidth, MaxJobs, Shard and goals
	waits   bool                // it is answered by all methods that find waits
	methods []string            // else by these
	fields  map[string][]string // of a method, where not all have a meaning
	own     bool                // the target and the budget are of the question, whatever the method

	serves spec.Features // what a queue may have
	needs  spec.Features // and what it must
	ask    string        // what to do with other queues; "" is to ask Solve
	typed  string        // the question that is for types of resources
}

// questions are all of them.
var questions = []question{
	{name: "Solve", takes: []string{"RelErr", "HalfWidth", "MaxJobs"}, waits: true, serves: spec.All},
	{name: "Stability", takes: []string{"RelErr", "MaxJobs"}, methods: []string{"Exact", "Pile"}, fields: map[string][]string{"Exact": nil}, own: true, serves: spec.All},
	{name: "Compare", takes: []string{"RelErr", "HalfWidth", "MaxJobs"}, methods: []string{"Simulation"}, serves: spec.Every | spec.Sleeping},
	{name: "ComparePlacements", takes: []string{"RelErr", "HalfWidth", "MaxJobs"}, methods: []string{"Simulation"}, serves: spec.Every, needs: spec.Placed},
	{name: "Methods", takes: []string{"RelErr"}, serves: spec.All},
	{name: "Optimum", takes: []string{"RelErr"}, methods: []string{"PolicyIteration"}, serves: likeServers &^ spec.Turning},
	{name: "Sensitivities", takes: []string{"MaxJobs"}, methods: []string{"Exact", "Simulation"}, serves: likeServers &^ spec.Turning},
	{name: "FewestServers", takes: []string{"MaxJobs", goals}, waits: true, own: true, serves: spec.Every&^spec.Unlike | spec.Sleeping | spec.Away, typed: "CheapestMix"},
	{name: "CheapestServers", takes: []string{"MaxJobs", goals}, waits: true, own: true, serves: spec.Every&^spec.Unlike | spec.Sleeping | spec.Away, typed: "CheapestMix"},
	{name: "CheapestMix", takes: []string{"MaxJobs", goals}, waits: true, own: true, serves: spec.Every &^ spec.Placed},
	{name: "LargestRate", takes: []string{"RelErr", "MaxJobs", goals}, waits: true, own: true, serves: spec.Every | spec.Sleeping},
	{name: "LargestNeed", takes: []string{"MaxJobs", goals}, waits: true, own: true, serves: likeServers},
	{name: "Sweep", takes: []string{"RelErr", "HalfWidth", "MaxJobs", "Shard"}, waits: true, serves: spec.Every | spec.Sleeping},
	{name: "ByTime", methods: []string{"Exact", "Backward", "Simulation"}, fields: overTime, serves: likeServers &^ spec.Turning},
	{name: "Transient", methods: []string{"Exact", "Simulation"}, fields: overTime, serves: likeServers &^ spec.Turning},
	{name: "Capacity", serves: spec.Every},
	{name: "HeavyTraffic", serves: spec.Every &^ (spec.Placed | spec.Turning | spec.Ordered)},
	{name: "Path", serves: spec.Every &^ (spec.Unlike | spec.TypedNodes | spec.Turning), ask: "use Waits or mjq.Forward{}"},
	{name: "Waits", serves: spec.Every &^ (spec.Placed | spec.Ordered | spec.Turning | spec.Keeping), ask: "leave that out, or ask Solve"},
	{name: "Checkpoints", serves: spec.Every | spec.Away},
	{name: "Prices", serves: likeServers},
	{name: "BestKeep", serves: likeServers},
}

// likeServers are the features of one pool of servers that are alike.
const likeServers = spec.Every &^ (spec.Unlike | spec.Placed)

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
			a.faults.Add("%s: %s does not take it; %s", a.said[name], label(a.method), run.Takers(name, e))
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

// fits says why the question is not for a queue.
func (q *question) fits(f *check.Faults, s *spec.Spec) {
	spec.Refuse(f, s, q.serves, "it", func() string {
		if q.typed != "" && s.Features().Has(spec.Typed) {
			return "for types of resources ask " + q.typed
		}
		return cmp.Or(q.ask, "ask Solve")
	})
	f.That(s.Features().Has(spec.Placed) || !q.needs.Has(spec.Placed), "the servers of the model are not on nodes; begin with Nodes(m, g)")
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

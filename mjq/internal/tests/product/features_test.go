package product

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
	"github.com/mjqueue/mjq/mjq/internal/methods"
	"github.com/mjqueue/mjq/mjq/internal/run"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// bases are queues with the classes "one" and "three", which features change.
var bases = map[string]func() mjq.Model{
	"pool":  func() mjq.Model { return small(mjq.Servers(4).Poisson(1)) },
	"light": func() mjq.Model { return small(mjq.Servers(60).Poisson(2)) },
	"full":  func() mjq.Model { return small(mjq.Servers(4).Poisson(9)) },
	"bare":  func() mjq.Model { return small(mjq.Servers(4)) },
	"load":  func() mjq.Model { return small(mjq.Servers(4).AtLoad(0.7)) },
	"types": func() mjq.Model {
		return mjq.Resources("cpu", 6).Resources("gpu", 2).Poisson(1).Needing("one", mjq.Needs{"cpu": 1}, 0.7, mjq.ExpMean(1)).
			Needing("three", mjq.Needs{"cpu": 2, "gpu": 1}, 0.3, mjq.ExpMean(0.5))
	},
	"nodes": func() mjq.Model { return small(mjq.Nodes(3, 3).Poisson(1.5)) },
	"whole nodes": func() mjq.Model {
		return mjq.Nodes(3, 2).Poisson(1).Class("one", 1, 0.7, mjq.ExpMean(1)).Class("three", 4, 0.3, mjq.ExpMean(0.5))
	},
	"typed nodes": func() mjq.Model {
		return mjq.NodesOf(2, mjq.Needs{"cpu": 4, "gpu": 1}).Poisson(1).Needing("one", mjq.Needs{"cpu": 1}, 0.7, mjq.ExpMean(1)).
			Needing("three", mjq.Needs{"cpu": 2, "gpu": 1}, 0.3, mjq.ExpMean(0.5))
	},
	"named": func() mjq.Model {
		return mjq.Servers(4).Poisson(1).Specific("one", mjq.Pick{Named: []int{1}}, 0.7, mjq.ExpMean(1)).
			Specific("three", mjq.Pick{Any: 3}, 0.3, mjq.ExpMean(0.5))
	},
	"one server": func() mjq.Model {
		return mjq.Servers(1).Poisson(0.8).Class("one", 1, 0.5, mjq.ExpMean(1)).Class("three", 1, 0.5, mjq.ExpMean(0.5))
	},
	"one class": func() mjq.Model { return mjq.Servers(3).Poisson(2).Class("one", 1, 1, mjq.ExpMean(1)) },
	"users alone": func() mjq.Model {
		return mjq.Servers(4).Class("one", 1, 0, mjq.ExpMean(1)).Class("three", 3, 0, mjq.ExpMean(0.5)).
			Users("one", 3, mjq.ExpMean(2)).Users("three", 2, mjq.ExpMean(1)).Loss()
	},
}

// small has the two classes.
func small(m mjq.Model) mjq.Model {
	return m.Class("one", 1, 0.7, mjq.ExpMean(1)).Class("three", 3, 0.3, mjq.ExpMean(0.5))
}

// features are properties that a queue may have. All policies of package policy are among them.
var features = func() map[string]func(m mjq.Model) mjq.Model {
	all := map[string]func(m mjq.Model) mjq.Model{
		"plain": func(m mjq.Model) mjq.Model { return m },
		"room":  func(m mjq.Model) mjq.Model { return m.Room(4) },
		"loss":  func(m mjq.Model) mjq.Model { return m.Loss() },
		"keep":  func(m mjq.Model) mjq.Model { return m.Loss().Keep("one", 1) },
		"users": func(m mjq.Model) mjq.Model {
			return m.Class("users", 1, 0, mjq.ExpMean(1)).Users("users", 3, mjq.ExpMean(2)).Loss()
		},
		"sleep": func(m mjq.Model) mjq.Model {
			return m.Sleep(mjq.Deterministic(0), mjq.ExpMean(0.5)).Awake(1).Watts(mjq.Watts{Busy: 4, Idle: 2, Setup: 3, Asleep: 1})
		},
		"users who wait": func(m mjq.Model) mjq.Model {
			return m.Class("users", 1, 0, mjq.ExpMean(1)).Users("users", 2, mjq.ExpMean(2))
		},
		"patience":      func(m mjq.Model) mjq.Model { return m.Patience(mjq.ExpMean(1)) },
		"some patience": func(m mjq.Model) mjq.Model { return m.Patience(mjq.Deterministic(2), "one") },
		"priority":      func(m mjq.Model) mjq.Model { return m.Policy(mjq.Priority([]string{"three"}, []string{"one"})) },
		"preemption": func(m mjq.Model) mjq.Model {
			return m.Policy(mjq.Priority([]string{"one"}, []string{"three"}).Preemptive(mjq.Resume))
		},
		"stopped and gone": func(m mjq.Model) mjq.Model {
			return m.Policy(mjq.Priority([]string{"one"}, []string{"three"}).Preemptive(mjq.Drop))
		},
		"left at any time": func(m mjq.Model) mjq.Model {
			return m.Policy(mjq.Priority([]string{"one"}, []string{"three"}).Preemptive(mjq.Resume)).Patience(mjq.ExpMean(2)).AlsoPreempted()
		},
		"batches":       func(m mjq.Model) mjq.Model { return m.AtRate(0.4).Batches(arrival.Sizes{0.5, 0.5}) },
		"large batches": func(m mjq.Model) mjq.Model { return m.AtRate(0.02).Batches(arrival.FixedSize(30)) },
		"MAP": func(m mjq.Model) mjq.Model {
			return m.MAP([][]float64{{-2, 0.5}, {0.2, -0.7}}, [][]float64{{1.3, 0.2}, {0, 0.5}})
		},
		"MMPP": func(m mjq.Model) mjq.Model { return m.MMPP([]float64{0.5, 2}, [][]float64{{-0.3, 0.3}, {0.4, -0.4}}) },
		"marked": func(m mjq.Model) mjq.Model {
			return m.MarkedMAP([][]float64{{-3, 1}, {1, -2}}, map[string][][]float64{"one": {{1.5, 0}, {0, 0.8}}, "three": {{0.5, 0}, {0, 0.2}}})
		},
		"Erlang arrivals": func(m mjq.Model) mjq.Model { return m.Arrivals(mjq.ErlangMeanPhases(0.9, 3)) },
		"regular":         func(m mjq.Model) mjq.Model { return m.Arrivals(mjq.Deterministic(1)) },
		"profile":         func(m mjq.Model) mjq.Model { return m.Profile(6, 0.2, 1.6) },
		"own arrivals":    func(m mjq.Model) mjq.Model { return m.Process(ownArrivals{arrival.Renewal{Gap: mjq.ExpMean(1)}}) },
		"own policy":      func(m mjq.Model) mjq.Model { return m.Policy(policy.New("mine", inOrder)) },
		"own levels":      func(m mjq.Model) mjq.Model { return m.Policy(ownLevels{policy.New("", inOrder)}) },
		"own law":         func(m mjq.Model) mjq.Model { return serving(m, ownLaw{law.Uniform{Lo: 0, Hi: 1}}) },
		"log-normal":      func(m mjq.Model) mjq.Model { return serving(m, mjq.LogNormalMeanSCV(0.5, 4)) },
		"deterministic":   func(m mjq.Model) mjq.Model { return serving(m, mjq.Deterministic(0.5)) },
		"phases":          func(m mjq.Model) mjq.Model { return serving(m, mjq.HyperExpMeanSCV(0.5, 3)) },
		"slow phases":     func(m mjq.Model) mjq.Model { return serving(m, cycling(2000)) },
		"heavy tail":      func(m mjq.Model) mjq.Model { return serving(m, mjq.LomaxScaleShape(0.3, 1.5)) },
		"nothing to do":   func(m mjq.Model) mjq.Model { return serving(m, mjq.Deterministic(0)) },
		"at random":       func(m mjq.Model) mjq.Model { return m.RandomAssignment() },
		"as printed":      func(m mjq.Model) mjq.Model { return m.AsPrinted() },
		"scattered":       func(m mjq.Model) mjq.Model { return m.Scattered("three") },
		"on nodes":        func(m mjq.Model) mjq.Model { return m.OnNodes("three", 3, 1) },
		"unit":            func(m mjq.Model) mjq.Model { return m.Unit("h") },
		"failures": func(m mjq.Model) mjq.Model {
			return m.Failures("hardware", mjq.ExpMean(50), mjq.ExpMean(2)).Crews(1).Spares(1).After(mjq.Resume, "one")
		},
		"reserved":  func(m mjq.Model) mjq.Model { return m.Reserve(5, 2, 1).Every(20) },
		"elastic":   func(m mjq.Model) mjq.Model { return m.Elastic("three", 1, 4, mjq.Power(0.7)) },
		"partial":   func(m mjq.Model) mjq.Model { return m.Partial("three", 2, mjq.Linear()) },
		"oldest":    func(m mjq.Model) mjq.Model { return m.Elastic("three", 2, 4, mjq.Linear().Sizes(2, 3, 4)).Oldest() },
		"placement": func(m mjq.Model) mjq.Model { return m.Placement(mjq.WorstFit()) },
	}
	all[slowest] = func(m mjq.Model) mjq.Model { return serving(m, cycling(180_000)) }
	for _, p := range policy.Examples() {
		all["policy "+p.String()] = func(m mjq.Model) mjq.Model { return m.Policy(p) }
	}
	return all
}()

// slowest is a feature that is not drawn: a sample of such a service takes a millisecond.
const slowest = "slowest phases"

// cycling is exponential of mean 0.5 in the guise of two phases, which lead to each other at this rate.
func cycling(rate float64) mjq.Law {
	return mjq.PhaseType([]float64{1, 0}, [][]float64{{-rate, rate}, {rate, -rate - 4}})
}

// serving is the model with a law in place of the service of the second class, or of the only one.
func serving(m mjq.Model, service mjq.Law) mjq.Model {
	s := m.Spec()
	s.Classes[min(1, len(s.Classes)-1)].Service = service
	return mjq.FromSpec(s)
}

// ownLaw is a law from outside, which has the methods of law.Law alone.
type ownLaw struct{ law.Law }

func (l ownLaw) Scaled(c float64) law.Law       { return ownLaw{l.Law.Scaled(c)} }
func (l ownLaw) String() string                 { return fmt.Sprintf("own(%v)", l.Law) }
func (l ownLaw) Sample(rng rand.Source) float64 { return l.Law.Sample(rng) }

// ownArrivals is a process from outside.
type ownArrivals struct{ arrival.Process }

func (a ownArrivals) AtRate(rate float64) arrival.Process { return ownArrivals{a.Process.AtRate(rate)} }
func (a ownArrivals) String() string                      { return fmt.Sprintf("own(%v)", a.Process) }

// ownLevels is a policy from outside with levels: the second class comes first.
type ownLevels struct{ policy.Policy }

func (p ownLevels) String() string { return "my levels" }
func (p ownLevels) LevelsOf(classes []policy.Class) []int {
	levels := make([]int, len(classes))
	levels[0] = 1
	return levels
}
func (p ownLevels) Scheduler(policy.System) policy.Scheduler {
	return policy.New("", func(v *policy.View) {
		for kind := range v.Needs {
			for v.Start(kind) {
			}
		}
	}).Scheduler(policy.System{})
}

// inOrder starts jobs in the order of arrival.
func inOrder(v *policy.View) {
	for j := range v.Queue() {
		if !v.StartJob(j) {
			return
		}
	}
}

// built is a model by the name of its base and those of two features.
func built(base string, names ...string) mjq.Model {
	m := bases[base]()
	for _, n := range names {
		m = features[n](m)
	}
	return m
}

// named are the keys of a table in their order.
func named[T any](table map[string]T) []string { return slices.Sorted(maps.Keys(table)) }

// TestEveryPropertyIsTried: a property that a description can have is one of some feature.
func TestEveryPropertyIsTried(t *testing.T) {
	missing := map[string]bool{}
	look := func(v reflect.Value, of string) {
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				name := of + f.Name
				was, seen := missing[name]
				missing[name] = (was || !seen) && v.Field(i).IsZero()
			}
		}
	}
	for _, b := range named(bases) {
		for _, f := range named(features) {
			s := built(b, f).Spec()
			look(reflect.ValueOf(*s), "Spec.")
			for _, c := range s.Classes {
				look(reflect.ValueOf(c), "Class.")
			}
		}
	}
	for _, name := range named(missing) {
		if missing[name] && name != "Spec.Notes" && name != "Spec.Unit" { // words that change no answer
			t.Errorf("no feature has %s; add one", name)
		}
	}
}

// TestRowsAreKept: a method fits no queue with a feature that its row does not serve, every feature is
// one of some queue here, and a refusal of features names methods that fit, or says that none does.
func TestRowsAreKept(t *testing.T) {
	var seen spec.Features
	for _, b := range named(bases) {
		for _, f := range named(features) {
			m := built(b, f)
			if m.Err() != nil {
				continue
			}
			s, err := m.Spec().Checked()
			if err != nil {
				continue
			}
			seen |= s.Features()
			for _, x := range methods.All {
				row := run.Under(x, s).Row()
				lacks := s.Features() &^ row.Serves &^ spec.Dropping
				faults := run.Fits(x, s)
				if lacks != 0 && len(faults) == 0 {
					t.Errorf("%s fits %s, whose features %b its row does not serve", row.Name, joined(b, f), lacks)
				}
				for _, other := range methods.All {
					if lacks != 0 && strings.HasSuffix(faults[0].Error(), "mjq."+other.Row().Name+"{}") && len(run.Fits(other, s)) > 0 {
						t.Errorf("%s: %v names %s, which does not fit", joined(b, f), faults[0], other.Row().Name)
					}
				}
			}
		}
	}
	if missing := (spec.Every | spec.Failing | spec.Reserving | spec.Resizing) &^ seen; missing != 0 {
		t.Errorf("no queue here has the features %b", missing)
	}
}

// dropping reports whether jobs may be turned away or give up.
func dropping(s *spec.Spec) bool {
	return s.Room != nil || slices.ContainsFunc(s.Classes, func(c spec.Class) bool { return c.Patience != nil })
}

// joined is a case in words.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" || s == "plain" }), ", ")
}

// TestNoDescriptionPanics: a model with any two properties is right or has faults, of which each names
// a remedy, however wrong the two are together.
func TestNoDescriptionPanics(t *testing.T) {
	number, step := 0, oracle.Sized(7, 1)
	for _, base := range named(bases) {
		for i, one := range named(features) {
			for _, other := range named(features)[i:] {
				if number++; number%step > 0 {
					continue
				}
				what := joined(base, one, other)
				if err := panics.Call(func() {
					m := built(base, one, other)
					if fault := m.Err(); fault != nil {
						refuses(t, what, fault)
					}
					_ = m.String()
				}); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
		}
	}
}

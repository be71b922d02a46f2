package spellings

import (
	"slices"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
)

// queue is one queue in several spellings. The first is the one that the others are held to.
type queue struct {
	name      string
	spellings []spelling
	whole     bool // with distributions, and for the questions that solve many queues
}

// cycling is an exponential law of a mean as two phases that lead to each other and are left
// at one rate, after so many passes on average.
func cycling(mean, passed float64) mjq.Law {
	e, r := 1/mean, passed/mean
	return mjq.PhaseType([]float64{1, 0}, [][]float64{{-e - r, r}, {r, -e - r}})
}

// uneven is an exponential law of a mean as three phases, which are entered and left in other
// proportions, with one that is never entered.
func uneven(mean float64) mjq.Law {
	e := 1 / mean
	return mjq.PhaseType([]float64{0.2, 0.5, 0.3, 0}, [][]float64{
		{-e - 3, 2, 1, 0}, {0.5, -e - 0.5, 0, 0}, {4, 0, -e - 4, 0}, {0, 0, 1, -1 - 7*e}})
}

// erlang2 is Erlang's law of two phases, written with its phases in the other order.
func erlang2(mean float64) mjq.Law {
	r := 2 / mean
	return mjq.PhaseType([]float64{0, 1}, [][]float64{{-r, 0}, {r, -r}})
}

// hyper is the hyperexponential law of two means as phases in the other order.
func hyper(a, b, p float64) mjq.Law {
	return mjq.PhaseType([]float64{1 - p, p}, [][]float64{{-1 / b, 0}, {0, -1 / a}})
}

// two is a queue of a narrow and a wide class.
func two(narrow, wide mjq.Law) mjq.Model {
	return mjq.Servers(4).Poisson(1.1).Class("narrow", 1, 0.75, narrow).Class("wide", 3, 0.25, wide)
}

// one is a queue of one class.
func one(servers int, rate float64, service mjq.Law) mjq.Model {
	return mjq.Servers(servers).Poisson(rate).Class("narrow", 1, 1, service)
}

// features add to a queue what many of its spellings can have.
var features = map[string]func(mjq.Model) mjq.Model{
	"alone":         func(m mjq.Model) mjq.Model { return m },
	"loss":          func(m mjq.Model) mjq.Model { return m.Loss() },
	"room":          func(m mjq.Model) mjq.Model { return m.Room(3) },
	"patience":      func(m mjq.Model) mjq.Model { return m.Patience(mjq.ExpMean(2)) },
	"keep":          func(m mjq.Model) mjq.Model { return m.Loss().Keep("narrow", 1) },
	"bursts":        func(m mjq.Model) mjq.Model { return m.MMPP([]float64{0.2, 1.5}, [][]float64{{-0.1, 0.1}, {0.1, -0.1}}) },
	"pairs":         func(m mjq.Model) mjq.Model { return m.Poisson(0.5 * m.Rate()).Batches(arrival.FixedSize(2)) },
	"batches, loss": func(m mjq.Model) mjq.Model { return m.Poisson(0.5 * m.Rate()).Batches(arrival.FixedSize(3)).Loss() },
	"First-Fit":     func(m mjq.Model) mjq.Model { return m.Servers(3).AtRate(0.3).Policy(mjq.FirstFit()) },
	"MSF":           func(m mjq.Model) mjq.Model { return m.Servers(3).AtRate(0.3).Policy(mjq.MostServersFirst()) },
	"PMSF":          func(m mjq.Model) mjq.Model { return m.AtRate(0.5).Policy(mjq.PreemptiveMostServersFirst()) },
	"ServerFilling": func(m mjq.Model) mjq.Model { return m.AtRate(0.5).Policy(mjq.ServerFilling()) },
	"window":        func(m mjq.Model) mjq.Model { return m.Policy(mjq.Window(3)) },
	"nodes":         func(m mjq.Model) mjq.Model { return onNodes(m) },
	"nodes, loss":   func(m mjq.Model) mjq.Model { return onNodes(m).Loss() },
}

// onNodes puts the classes of a queue of four servers on two nodes.
func onNodes(m mjq.Model) mjq.Model {
	s := m.Spec()
	out := mjq.Model{}.Nodes(2, 3).Poisson(0.6 * m.Rate())
	for _, c := range s.Classes {
		out = out.Class(c.Name, c.Need, c.Prob, c.Service)
	}
	return out
}

var cases = all()

// whole are the cases of all questions.
var whole = []string{"small", "general services, room"}

func all() (list []queue) {
	add := func(name string, s ...spelling) {
		list = append(list, queue{name, s, slices.Contains(whole, name)})
	}
	for name, feature := range features {
		add("exponential services, "+name,
			spelling{name: "formula", model: feature(two(mjq.ExpMean(1), mjq.ExpMean(0.7)))},
			spelling{name: "one phase", model: feature(two(mjq.PhaseType([]float64{1}, [][]float64{{-1}}), mjq.PhaseType([]float64{1}, [][]float64{{-1 / 0.7}})))},
			spelling{name: "10 passes", model: feature(two(cycling(1, 10), mjq.ExpMean(0.7)))},
			spelling{name: "3 uneven phases", model: feature(two(uneven(1), mjq.ExpMean(0.7)))},
			spelling{name: "equal means", model: feature(two(mjq.HyperExpMeans(1, 1, 0.3), mjq.ExpMean(0.7)))})
		add("general services, "+name,
			spelling{name: "formula", model: feature(two(mjq.ErlangMeanPhases(1, 2), mjq.HyperExpMeans(0.3, 1.2, 0.6)))},
			spelling{name: "phases", model: feature(two(erlang2(1), hyper(0.3, 1.2, 0.6)))})
	}
	add("small",
		spelling{name: "formula", model: one(2, 0.9, mjq.ExpMean(1))},
		spelling{name: "10 passes", model: one(2, 0.9, cycling(1, 10))},
		spelling{name: "two classes", model: mjq.Servers(2).Poisson(0.9).Class("narrow", 1, 0.3, mjq.ExpMean(1)).Class("again", 1, 0.7, mjq.ExpMean(1))})
	for _, passed := range []float64{2e3, 1e4} {
		add("many passes",
			spelling{name: "formula", model: two(mjq.ExpMean(1), mjq.ExpMean(0.7))},
			spelling{name: "cycling", model: two(cycling(1, passed), mjq.ExpMean(0.7))})
		add("many passes, room",
			spelling{name: "formula", model: two(mjq.ExpMean(1), mjq.ExpMean(0.7)).Room(3)},
			spelling{name: "cycling", model: two(cycling(1, passed), mjq.ExpMean(0.7)).Room(3)})
	}
	return append(list, arrivals()...)
}

// users is a queue without room of which some users send narrow jobs, and others the same by
// another name.
func users(some, others int, service mjq.Law) mjq.Model {
	m := mjq.Servers(4).Class("narrow", 1, 1, service).Users("narrow", some, mjq.ExpMean(2)).Loss()
	if others > 0 {
		m = m.Class("again", 1, 1, service).Users("again", others, mjq.ExpMean(2))
	}
	return m
}

// typed is a queue without room for jobs of two types of resources.
func typed(light, heavy mjq.Law) mjq.Model {
	return mjq.Model{}.Poisson(2).Resources("cpu", 8).Resources("gpu", 2).
		Needing("narrow", mjq.Needs{"cpu": 1}, 0.7, light).Needing("wide", mjq.Needs{"cpu": 2, "gpu": 1}, 0.3, heavy).Loss()
}

// arrivals are queues whose spellings differ in more than services.
func arrivals() []queue {
	e := two(mjq.ExpMean(1), mjq.ExpMean(0.7))
	single := one(3, 2.2, mjq.ExpMean(1))
	rates := func(m mjq.Model, f float64) mjq.Model { return m.AtRate(m.Rate() * f) }
	return []queue{
		{"arrivals", []spelling{
			{name: "Poisson", model: e},
			{name: "MAP", model: e.MAP([][]float64{{-1.1}}, [][]float64{{1.1}})},
			{name: "MAP of two phases", model: e.MAP([][]float64{{-2.1, 1}, {0.4, -1.5}}, [][]float64{{0.8, 0.3}, {0.2, 0.9}})},
			{name: "MMPP", model: e.MMPP([]float64{1.1, 1.1}, [][]float64{{-0.3, 0.3}, {2, -2}})},
			{name: "renewal", model: e.Arrivals(mjq.ExpMean(1 / 1.1))},
			{name: "cycling gaps", model: e.Arrivals(cycling(1/1.1, 50))},
			{name: "batches of one", model: e.Batches(arrival.FixedSize(1))},
			{name: "marked", model: e.MarkedMAP([][]float64{{-1.1}}, map[string][][]float64{"narrow": {{0.825}}, "wide": {{0.275}}})},
		}, false},
		{"arrivals, room", []spelling{
			{name: "Poisson", model: e.Room(2)},
			{name: "MAP of two phases", model: e.Room(2).MAP([][]float64{{-2.1, 1}, {0.4, -1.5}}, [][]float64{{0.8, 0.3}, {0.2, 0.9}})},
			{name: "MMPP", model: e.Room(2).MMPP([]float64{1.1, 1.1}, [][]float64{{-0.3, 0.3}, {2, -2}})},
			{name: "batches of one", model: e.Room(2).Batches(arrival.FixedSize(1))},
		}, false},
		{"arrivals, loss", []spelling{
			{name: "Poisson", model: e.Loss()},
			{name: "Room(0)", model: e.Room(0)},
			{name: "MMPP", model: e.Loss().MMPP([]float64{1.1, 1.1}, [][]float64{{-0.3, 0.3}, {2, -2}})},
			{name: "marked", model: e.Loss().MarkedMAP([][]float64{{-1.1}}, map[string][][]float64{"narrow": {{0.825}}, "wide": {{0.275}}})},
			{name: "keep 0", model: e.Loss().Keep("wide", 0)},
			{name: "keep 1 of none", model: e.Loss().Keep("narrow", 1).Keep("narrow", 0)},
			{name: "patience", model: e.Loss().Patience(mjq.ExpMean(1))},
			{name: "types", model: mjq.Model{}.Poisson(1.1).Resources("cpu", 4).Needing("narrow", mjq.Needs{"cpu": 1}, 0.75, mjq.ExpMean(1)).Needing("wide", mjq.Needs{"cpu": 3}, 0.25, mjq.ExpMean(0.7)).Loss()},
		}, false},
		{"classes", []spelling{
			{name: "two", model: e},
			{name: "equal ones", model: mjq.Servers(4).Poisson(1.1).Class("narrow", 1, 0.25, mjq.ExpMean(1)).Class("again", 1, 0.5, mjq.ExpMean(1)).Class("wide", 3, 0.25, mjq.ExpMean(0.7))},
			{name: "other order", model: mjq.Servers(4).Poisson(1.1).Class("wide", 3, 0.25, mjq.ExpMean(0.7)).Class("narrow", 1, 0.75, mjq.ExpMean(1))},
		}, false},
		{"room beyond need", []spelling{
			{name: "no room", model: rates(e, 0.5)},
			{name: "Room(120)", model: rates(e, 0.5).Room(120)},
		}, false},
		{"patience beyond need", []spelling{
			{name: "none", model: e.Room(20)},
			{name: "one in a hundred trillion", model: e.Room(20).Patience(mjq.ExpMean(1e14))},
		}, false},
		{"mixtures", []spelling{
			{name: "a law", model: two(mjq.HyperExpMeans(0.5, 2, 0.7), mjq.ExpMean(0.7))},
			{name: "two classes", model: mjq.Servers(4).Poisson(1.1).Class("often", 1, 0.75*0.7, mjq.ExpMean(0.5)).Class("seldom", 1, 0.75*0.3, mjq.ExpMean(2)).Class("wide", 3, 0.25, mjq.ExpMean(0.7))},
		}, false},
		{"mixtures, room", []spelling{
			{name: "a law", model: two(mjq.HyperExpMeans(0.5, 2, 0.7), mjq.ExpMean(0.7)).Room(3)},
			{name: "two classes", model: mjq.Servers(4).Poisson(1.1).Class("often", 1, 0.75*0.7, mjq.ExpMean(0.5)).Class("seldom", 1, 0.75*0.3, mjq.ExpMean(2)).Class("wide", 3, 0.25, mjq.ExpMean(0.7)).Room(3)},
		}, false},
		{"policies that are FCFS", []spelling{
			{name: "FCFS", model: e},
			{name: "a window of one", model: e.Policy(mjq.Window(1))},
		}, false},
		{"one class under policies", []spelling{
			{name: "FCFS", model: single},
			{name: "First-Fit", model: single.Policy(mjq.FirstFit())},
			{name: "MSF", model: single.Policy(mjq.MostServersFirst())},
			{name: "LSF", model: single.Policy(mjq.LeastServersFirst())},
			{name: "window", model: single.Policy(mjq.Window(5))},
			{name: "ServerFilling", model: single.Policy(mjq.ServerFilling())},
			{name: "Priority", model: single.Policy(mjq.Priority([]string{"narrow"}))},
			{name: "preemptive", model: single.Policy(mjq.PreemptiveMostServersFirst())},
			{name: "MaxWeight", model: single.Policy(mjq.MaxWeight())},
			{name: "nodes of one unit", model: mjq.Model{}.Nodes(3, 1).Poisson(2.2).Class("narrow", 1, 1, mjq.ExpMean(1))},
			{name: "one node", model: mjq.Model{}.Nodes(1, 3).Poisson(2.2).Class("narrow", 1, 1, mjq.ExpMean(1))},
			{name: "cycling", model: one(3, 2.2, cycling(1, 1000))},
		}, false},
		{"one type", []spelling{
			{name: "servers", model: e},
			{name: "a node", model: mjq.Model{}.Nodes(1, 4).Poisson(1.1).Class("narrow", 1, 0.75, mjq.ExpMean(1)).Class("wide", 3, 0.25, mjq.ExpMean(0.7))},
		}, false},
		{"nodes, loss", []spelling{
			{name: "servers", model: e.Loss()},
			{name: "a node", model: mjq.Model{}.Nodes(1, 4).Poisson(1.1).Class("narrow", 1, 0.75, mjq.ExpMean(1)).Class("wide", 3, 0.25, mjq.ExpMean(0.7)).Loss()},
		}, false},
		{"units", []spelling{
			{name: "as it is", model: e},
			{name: "servers by 5", servers: 5, model: mjq.Servers(20).Poisson(1.1).Class("narrow", 5, 0.75, mjq.ExpMean(1)).Class("wide", 15, 0.25, mjq.ExpMean(0.7))},
			{name: "hours in seconds", unit: 3600, model: mjq.Servers(4).Poisson(1.1/3600).Class("narrow", 1, 0.75, mjq.ExpMean(3600)).Class("wide", 3, 0.25, mjq.ExpMean(0.7*3600))},
			{name: "in nanoseconds", unit: 3.6e12, model: mjq.Servers(4).Poisson(1.1/3.6e12).Class("narrow", 1, 0.75, mjq.ExpMean(3.6e12)).Class("wide", 3, 0.25, mjq.ExpMean(0.7*3.6e12))},
			{name: "in ages", unit: 1e-15, model: mjq.Servers(4).Poisson(1.1e15).Class("narrow", 1, 0.75, mjq.ExpMean(1e-15)).Class("wide", 3, 0.25, mjq.ExpMean(0.7e-15))},
		}, false},
		{"units, room", []spelling{
			{name: "as it is", model: e.Room(4)},
			{name: "in nanoseconds", unit: 3.6e12, model: mjq.Servers(4).Poisson(1.1/3.6e12).Class("narrow", 1, 0.75, mjq.ExpMean(3.6e12)).Class("wide", 3, 0.25, mjq.ExpMean(0.7*3.6e12)).Room(4)},
			{name: "in ages", unit: 1e-15, model: mjq.Servers(4).Poisson(1.1e15).Class("narrow", 1, 0.75, mjq.ExpMean(1e-15)).Class("wide", 3, 0.25, mjq.ExpMean(0.7e-15)).Room(4)},
		}, false},
		{"units, policies", []spelling{
			{name: "as it is", model: e.Policy(mjq.MostServersFirst()).AtRate(0.8)},
			{name: "in nanoseconds", unit: 3.6e12, model: mjq.Servers(4).Poisson(0.8/3.6e12).Class("narrow", 1, 0.75, mjq.ExpMean(3.6e12)).Class("wide", 3, 0.25, mjq.ExpMean(0.7*3.6e12)).Policy(mjq.MostServersFirst())},
			{name: "in ages", unit: 1e-15, model: mjq.Servers(4).Poisson(0.8e15).Class("narrow", 1, 0.75, mjq.ExpMean(1e-15)).Class("wide", 3, 0.25, mjq.ExpMean(0.7e-15)).Policy(mjq.MostServersFirst())},
		}, false},
		{"profiles", []spelling{
			{name: "two parts", model: e.Profile(4, 0.8, 1.3)},
			{name: "each in two", model: e.Profile(4, 0.8, 0.8, 1.3, 1.3)},
			{name: "equal classes", model: mjq.Servers(4).Profile(4, 0.8, 1.3).Class("narrow", 1, 0.25, mjq.ExpMean(1)).Class("again", 1, 0.5, mjq.ExpMean(1)).Class("wide", 3, 0.25, mjq.ExpMean(0.7))},
		}, true},
		{"users, loss", []spelling{
			{name: "one group", model: users(6, 0, mjq.ExpMean(1))},
			{name: "two groups", model: users(2, 4, mjq.ExpMean(1))},
			{name: "cycling", model: users(2, 4, cycling(1, 10))},
		}, false},
		{"types, loss", []spelling{
			{name: "formula", model: typed(mjq.ExpMean(1), mjq.ExpMean(2))},
			{name: "cycling", model: typed(cycling(1, 10), mjq.ExpMean(2))},
			{name: "3 uneven phases", model: typed(uneven(1), uneven(2))},
		}, true},
		{"a profile that does not change", []spelling{
			{name: "Poisson", model: e},
			{name: "profile", model: e.Profile(4, 1.1, 1.1)},
		}, false},
	}
}

package messages

import (
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/arrival"
)

// lossy turns jobs away that find no room.
func lossy() mjq.Model {
	return mjq.Servers(8).Poisson(3).Class("one", 1, 0.8, mjq.ExpMean(1)).Class("four", 4, 0.2, mjq.ExpMean(2))
}

// urgent has a class that needs many servers before one that needs few.
func urgent(rate float64) mjq.Model {
	return mjq.Servers(6).Poisson(rate).Class("urgent", 4, 0.1, mjq.ExpMean(2)).Class("small", 1, 0.9, mjq.ExpMean(1))
}

// whole has jobs that need all servers, with service times of the law for the lower level.
func whole(rate float64, below mjq.Law) mjq.Model {
	return mjq.Servers(4).Poisson(rate).Class("urgent", 4, 0.5, mjq.ExpMean(0.5)).Class("other", 4, 0.5, below)
}

// nodes are two nodes of four units.
func nodes() mjq.Model {
	return mjq.Nodes(2, 4).Poisson(1).Class("one", 1, 0.6, mjq.ExpMean(1)).Class("three", 3, 0.4, mjq.ExpMean(1))
}

func priorities() []message {
	first := mjq.Priority([]string{"urgent"})
	return []message{
		{"levels that pass", solved(urgent(1).Policy(first.Passing()), mjq.Simulation{Jobs: 2000, Replications: 4, SlowdownThreshold: 1})},
		{"a closed form", solved(whole(0.5, mjq.Deterministic(1)).Policy(first), mjq.Exact{})},
		{"the first level alone", solved(mjq.Servers(4).Poisson(1).Class("urgent", 1, 0.8, mjq.ExpMean(1)).Class("a", 1, 0.1, mjq.ExpMean(1)).Class("b", 4, 0.1, mjq.ExpMean(0.1)).Policy(first.Preemptive(mjq.Resume)), mjq.Exact{})},
		{"restarts without end", solved(whole(0.6, mjq.ExpMean(4)).Policy(first.Preemptive(mjq.Restart)), mjq.Exact{})},
		{"an unstable level below", solved(whole(2.5, mjq.ExpMean(1)).Policy(first.Preemptive(mjq.Resume)), mjq.Exact{})},
		{"an unstable level that is in the way", solved(urgent(4).Policy(first), mjq.Simulation{Jobs: 2000, Replications: 4})},
		{"a class that is not in the model", faulty(urgent(1).Policy(mjq.Priority([]string{"urgnt"})))},
		{"settings that do not go together", faulty(urgent(1).Policy(first.Exempt(2).Overhead(mjq.ExpMean(1))))},
		{"a method for first come, first served", solved(urgent(1).Policy(first), mjq.Backward{})},
	}
}

func departures() []message {
	q := lossy()
	return []message{
		{"a finite chain", solved(q.Room(5), mjq.Exact{})},
		{"patience without a room", solved(mjq.Servers(4).Poisson(3).Class("a", 1, 0.9, mjq.ExpMean(1)).Class("b", 2, 0.1, mjq.ExpMean(1)).Patience(mjq.ExpMean(2)), mjq.Exact{})},
		{"patience by numbers of jobs", solved(q.Policy(mjq.MostServersFirst()).Patience(mjq.ExpMean(2)), mjq.Exact{MaxBytes: 2e8})},
		{"rewards by approximation", reserved(mjq.Servers(400).Poisson(120).Class("one", 1, 0.7, mjq.ErlangMeanPhases(1, 2)).Class("four", 4, 0.2, mjq.ExpMean(1)).Class("ten", 10, 0.1, mjq.ExpMean(1)).Loss())},
		{"a room below 0", faulty(q.Room(-1))},
		{"a load without a limit", faulty(q.Loss().AtLoad(0.9))},
		{"preemption without room", faulty(q.Loss().Policy(mjq.ServerFilling()))},
		{"servers kept free in a queue that turns nobody away", faulty(q.Keep("one", 2))},
		{"too many servers kept free", faulty(q.Loss().Keep("four", 6))},
		{"servers that sleep, exactly", solved(mjq.Servers(8).Poisson(1).Class("four", 4, 1, mjq.ExpMean(1)).Sleep(mjq.Deterministic(0), mjq.ExpMean(1)), mjq.Exact{})},
		{"servers that sleep, of several needs", solved(lossy().Sleep(mjq.Deterministic(1), mjq.Deterministic(2)), mjq.Exact{})},
		{"servers that sleep, by another method", solved(lossy().Sleep(mjq.Deterministic(0), mjq.ExpMean(1)), mjq.Forward{})},
		{"servers that sleep and turn away", faulty(q.Loss().Sleep(mjq.Deterministic(0), mjq.ExpMean(1)))},
		{"servers that sleep under a policy that plans", faulty(q.Policy(mjq.EASY()).Sleep(mjq.Deterministic(0), mjq.ExpMean(1)))},
		{"more servers awake than there are", faulty(q.Sleep(mjq.Deterministic(0), mjq.ExpMean(1)).Awake(9))},
		{"servers awake that never sleep", faulty(q.Awake(2))},
		{"a power below 0", faulty(q.Watts(mjq.Watts{Busy: -1}))},
		{"users beside batches", faulty(q.Batches(arrival.FixedSize(2)).Class("users", 1, 0, mjq.ExpMean(1)).Users("users", 10, mjq.ExpMean(3)))},
		{"users who are none", faulty(q.Class("users", 1, 0, mjq.ExpMean(1)).Users("users", 0, mjq.ExpMean(3)))},
		{"users and a probability", faulty(q.Users("one", 10, mjq.ExpMean(3)))},
		{"a load of users alone", faulty(mjq.Servers(8).Class("one", 1, 0, mjq.ExpMean(1)).Users("one", 10, mjq.ExpMean(3)).AtLoad(0.9))},
		{"users beside arrivals", solved(q.Class("users", 1, 0, mjq.ExpMean(1)).Users("users", 2, mjq.ExpMean(3)), mjq.Exact{})},
		{"users under a policy, exactly", solved(q.Class("users", 1, 0, mjq.ExpMean(1)).Users("users", 2, mjq.ExpMean(3)).Policy(mjq.EASY()), mjq.Exact{})},
		{"no patience at all", faulty(q.Patience(mjq.Deterministic(0)))},
		{"a policy whose queue nobody leaves", faulty(q.Policy(mjq.ServerFilling()).Patience(mjq.ExpMean(1)))},
		{"a sampler for jobs that leave", solved(q.Patience(mjq.ExpMean(1)), mjq.Backward{})},
	}
}

func placed() []message {
	return []message{
		{"exact on nodes", solved(nodes(), mjq.Exact{})},
		{"exact on nodes that turn jobs away", solved(nodes().Loss(), mjq.Exact{})},
		{"too many nodes for a chain", solved(mjq.Nodes(60, 8).Poisson(40).Class("one", 1, 0.5, mjq.ExpMean(1)).Class("two", 2, 0.3, mjq.ExpMean(1)).Class("three", 3, 0.2, mjq.ExpMean(1)), mjq.Exact{})},
		{"a need between one node and two", faulty(mjq.Nodes(2, 4).Class("loose", 6, 1, mjq.ExpMean(1)))},
		{"units on nodes that are not the need", faulty(mjq.Nodes(2, 4).Class("wide", 8, 1, mjq.ExpMean(1)).OnNodes("wide", 3, 2))},
		{"a placement without nodes", faulty(lossy().Placement(mjq.LowestFit()))},
		{"a policy that moves jobs", faulty(nodes().Policy(mjq.ServerFilling()))},
		{"a sampler for nodes", solved(nodes(), mjq.Backward{})},
	}
}

// reserved asks for the best reservation.
func reserved(m mjq.Model) func() ([]string, error) {
	return func() ([]string, error) {
		r, err := m.BestKeep(background, map[string]float64{"ten": 20})
		if r == nil {
			return nil, err
		}
		return r.Notes, err
	}
}

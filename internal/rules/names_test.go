package rules

import "testing"

// TestExportedNames: a newcomer meets no more than so many names, methods included: 145 for pools
// that serve all jobs, and those of three kinds of models. Eleven are about jobs that are turned
// away or give up: Loss, Room, Keep, Users, Patience, AlsoPreempted, AtOffered describe them,
// Blocked and Left are goals, Prices and BestKeep questions of their own. Thirteen are about
// nodes: Nodes, NodesOf (each to begin with and to add), OnNodes, Scattered, Placement (type and
// method), BestFit, WorstFit, RandomFit, LowestFit, ComparePlacements. Two are about priorities:
// Priority, and what becomes of a job that is stopped. One is Model.Unit. Eleven are about servers
// that are away at times: Failures, WhileBusy, Notice, Lemons, Crews, After, Checkpoint, Spares,
// Reserve, Every, Hard. Seven are about jobs that change their size: Elastic, Partial, Oldest, and the
// speeds Linear, Power, Amdahl, Speeds. Two are what is asked of servers that fail: Checkpoints, and the
// goal ETTR. Four are about servers that sleep: Sleep, Awake, Watts (type and method). One is Shrink, of
// jobs that change their size on servers that fail.
func TestExportedNames(t *testing.T) {
	const most = 145 + 11 + 13 + 2 + 1 + 11 + 7 + 2 + 4 + 1
	p := source(t, ".")
	names := len(namesOf(p)) - 1 // without the package itself
	for _, of := range p.Types {
		for _, group := range of.Consts {
			names += len(group.Names) - 1 // one stands for its group there
		}
	}
	if names > most {
		t.Errorf("%d exported names, more than %d; what can be one of a few, or in a package of its own?", names, most)
	}
	if names < 100 {
		t.Errorf("only %d names were counted", names)
	}
}

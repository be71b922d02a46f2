package playground_test

import (
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/widgets"
	"github.com/mjqueue/mjq/widgets/playground"
)

func ExampleExplore() {
	m := mjq.Servers(4).Poisson(1).Class("all", 2, 1, mjq.Deterministic(1))
	widgets.Show(playground.Explore(m)) // outside a notebook in words
	// Output:
	// FCFS multiserver-job queue: 4 servers, 1 job class, Poisson arrivals of rate 1 (offered load 0.500)
	// class  servers  probability  mean service  SCV  service law
	// all          2            1             1    0  Deterministic(1)
}

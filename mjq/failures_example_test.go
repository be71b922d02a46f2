package mjq_test

import (
	"encoding/json"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
)

// hero is a training on 128 nodes among small jobs; times are hours.
var hero = mjq.Nodes(132, 8).Poisson(0.5).
	Class("hero", 1024, 0.01, mjq.Deterministic(24)).
	Class("small", 8, 0.99, mjq.ExpMean(3)).
	Failures("hardware", mjq.ExpMean(5250), mjq.ExpMean(48)).Crews(2).
	Failures("software", mjq.ExpMean(20_000), mjq.Deterministic(0)).
	After(mjq.Checkpoint{Every: 2.5, Cost: 0.08, Recovery: 0.17}, "hero").Spares(3)

// Nodes fail and are repaired; the large job goes back to its last checkpoint, the others begin again.
func ExampleModel_Failures() {
	fmt.Println(hero)
	// Output:
	// FCFS multiserver-job queue: 132 nodes of 8 units, BestFit, 2 job classes, Poisson arrivals of rate 0.5 (offered load 0.128)
	// hardware: a node fails after ExpMean(5250), busy or not; repair ExpMean(48)
	// software: a node fails after ExpMean(20000), busy or not; it is back at once
	// 2 repair crews, 3 spare nodes
	// class  servers  probability  mean service  SCV  service law        nodes  after a failure
	// hero      1024         0.01            24    0  Deterministic(24)  128    Checkpoint(2.5,0.08,0.17)
	// small        8         0.99             3    1  ExpMean(3)         1      restart
}

// A model with failures is written as any other.
func ExampleModel_After() {
	m := mjq.Servers(8).Class("job", 2, 1, mjq.ExpMean(1)).Failures("spot", mjq.ExpMean(100), mjq.ExpMean(5)).WhileBusy().Notice(0.1).Lemons(0.1, 5).
		After(mjq.Checkpoint{Every: 0.5, Cost: 0.05})
	text := mjq.Must(json.Marshal(m))
	fmt.Println(string(text))
	// Output:
	// {"servers":8,"classes":[{"name":"job","need":2,"prob":1,"service":{"law":"ExpMean","mean":1},"after":{"every":0.5,"cost":0.05}}],"failures":[{"name":"spot","up":{"law":"ExpMean","mean":100},"repair":{"law":"ExpMean","mean":5},"whileBusy":true,"notice":0.1,"lemons":0.1,"factor":5}]}
}

// Servers can be reserved, once or every period, with jobs drained before or hit at the start.
func ExampleModel_Reserve() {
	m := mjq.Servers(8).Poisson(1).Class("job", 2, 1, mjq.ExpMean(1)).Reserve(100, 8, 8).Every(168).Reserve(50, 1, 2).Hard()
	fmt.Println(m)
	// Output:
	// FCFS multiserver-job queue: 8 servers, 1 job class, Poisson arrivals of rate 1 (offered load 0.250)
	// 8 servers reserved from 100 for 8, every 168
	// 2 servers reserved from 50 for 1, hard
	// class  servers  probability  mean service  SCV  service law
	// job          2            1             1    1  ExpMean(1)
}

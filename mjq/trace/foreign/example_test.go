package foreign_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace/foreign"
)

func ExampleReadClasses() {
	const table = "servers,probability,mean_service\n1,0.75,0.5\n4,0.25,2\n"
	classes := mjq.Must(foreign.ReadClasses(strings.NewReader(table), nil))
	fmt.Println(mjq.Servers(8).Classes(classes...))
	// Output:
	// FCFS multiserver-job queue: 8 servers, 2 job classes, no arrivals given
	// class  servers  probability  mean service  SCV  service law
	// T1           1         0.75           0.5    1  ExpMean(0.5)
	// T4           4         0.25           2      1  ExpMean(2)
}

func ExampleReadTuples() {
	const file = "(1, 0.9, 0.5)\n(8, 0.1, 2.0)\n"
	classes := mjq.Must(foreign.ReadTuples("mix.txt", strings.NewReader(file), foreign.Exponential))
	fmt.Print(mjq.Servers(16).Poisson(2).Classes(classes...))
	// Output:
	// FCFS multiserver-job queue: 16 servers, 2 job classes, Poisson arrivals of rate 2 (offered load 0.256)
	// class  servers  probability  mean service  SCV  service law
	// T1           1          0.9           0.5    1  ExpMean(0.5)
	// T8           8          0.1           2      1  ExpMean(2)
}

func ExampleReadRates() {
	const classes, rates = "(1, 0.8, 1)\n(2, 0.2, 1)\n", "[0.4, 0.8,\n 1.2]"
	m := mjq.Servers(2).Classes(mjq.Must(foreign.ReadTuples("two.txt", strings.NewReader(classes), foreign.Deterministic))...)
	grid := mjq.Grid{Rates: mjq.Must(foreign.ReadRates("arrRate_two.txt", strings.NewReader(rates)))}
	for i, r := range mjq.Must(mjq.Sweep(context.Background(), m, grid, mjq.Backward{Samples: 2000})).Results() {
		fmt.Printf("run %d: rate %g, mean wait %.1f\n", i+1, r.Rate, r.All.Waiting.Mean.Value)
	}
	// Output:
	// run 1: rate 0.4, mean wait 0.1
	// run 2: rate 0.8, mean wait 0.4
	// run 3: rate 1.2, mean wait 1.3
}

func ExampleReadTOML() {
	const file = `
cores = 16
arrival.distribution = "exponential"
service = { distribution = "bounded pareto", alpha = 1.5, mean = 2 }
[[class]]
cores = 1
arrival.prob = 1
[[pivot]]
policy = ["fifo", "first fit"]
arrival.rate = [1, 2]
`
	x := mjq.Must(foreign.ReadTOML("mix.toml", strings.NewReader(file)))
	for _, run := range x.Runs {
		fmt.Printf("%s at rate %g, ours: %v\n", run.Policy, run.Model().Rate(), run.FCFS)
	}
	fmt.Println(x.Notes[0])
	// Output:
	// fifo at rate 1, ours: true
	// fifo at rate 2, ours: true
	// first fit at rate 1, ours: false
	// first fit at rate 2, ours: false
	// class 1: service: asked for mean 2, the simulator's bounded pareto law of shape 1.5 has mean 2.98076
}

func ExampleWriteTOML() {
	m := mjq.Servers(4).Poisson(0.5).Class("all", 4, 1, mjq.Deterministic(1))
	if err := foreign.WriteTOML(os.Stdout, "", 0, 0, m.Spec()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// cores = 4
	// policy = 'fifo'
	//
	// [arrival]
	// distribution = 'exponential'
	// mean = 2.0
	//
	// [[class]]
	// name = 'all'
	// cores = 4
	//
	// [class.arrival]
	// prob = 1.0
	//
	// [class.service]
	// distribution = 'deterministic'
	// value = 1.0
}

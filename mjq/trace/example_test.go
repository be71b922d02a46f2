package trace_test

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

const log = `arrival,servers,service,class
0,1,10,batch
1,4,5,parallel
2,1,3,batch
9,1,2,batch
20,4,oops,parallel
30,4,5,parallel
`

func ExampleReadCSV() {
	tr, err := trace.ReadCSV("jobs.csv", strings.NewReader(log), trace.CSV{})
	fmt.Println(err)
	fmt.Println(tr)
	// Output:
	// reading jobs.csv: jobs.csv:6: the service time is "oops"; give a finite number, not negative
	// trace jobs.csv: 5 jobs in 30 units of time (0.133333 a unit), at most 4 servers a job
}

func ExampleReadSWF() {
	const log = `; MaxProcs: 8
1 0 -1 60 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
2 9 -1  0 4 -1 -1 4 -1 -1 5 -1 -1 -1 -1 -1 -1 -1
3 9 -1 30 8 -1 -1 8 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
`
	tr := mjq.Must(trace.ReadSWF("centre.swf", strings.NewReader(log), trace.SWF{}))
	fmt.Print(&tr.Report)
	r := mjq.Must(tr.Replay(background, trace.Replay{})) // as many servers as the log says
	fmt.Println("the wide job waits", r.Class("T8").Waiting.Mean.Value)
	// Output:
	// centre.swf: 4 lines: 2 jobs, 1 comments or blank, 1 skipped, 0 malformed
	//   skipped 1: run time 0: shorter than half a second, or never ran (first in line 3)
	// the wide job waits 51
}

func ExampleStream_Jobs() {
	s := trace.StreamCSV("jobs.csv", strings.NewReader(log), trace.CSV{})
	work := 0.0
	for job, err := range s.Jobs() {
		if err != nil {
			fmt.Println("left out:", err)
			continue
		}
		work += float64(job.Need) * job.Service
	}
	fmt.Println(work, "server-time")
	// Output:
	// left out: jobs.csv:6: the service time is "oops"; give a finite number, not negative
	// 55 server-time
}

func ExampleTrace_Replay() {
	tr, _ := trace.ReadCSV("jobs.csv", strings.NewReader(log), trace.CSV{})
	for _, servers := range []int{4, 5} {
		r := mjq.Must(tr.Replay(background, trace.Replay{Servers: servers}))
		fmt.Printf("%d servers: the parallel jobs wait %g, the others %g\n", servers,
			r.Class("T4").Waiting.Mean.Value, r.Class("T1").Waiting.Mean.Value)
	}
	// Output:
	// 4 servers: the parallel jobs wait 4.5, the others 6.333333333333333
	// 5 servers: the parallel jobs wait 0, the others 1.3333333333333333
}

// A log under other policies: backfilling goes by what the users said.
func ExampleReplay() {
	const log = "arrival,servers,service,estimate,user\n0,3,6,9,ada\n1,4,2,2,bob\n2,1,5,5,ada\n3,1,3,8,eve\n"
	tr := mjq.Must(trace.ReadCSV("jobs.csv", strings.NewReader(log), trace.CSV{}))
	for _, p := range []policy.Policy{policy.FCFS{}, policy.EASY().Estimates(policy.Given()), policy.FirstFit{}} {
		r := mjq.Must(tr.Replay(background, trace.Replay{Servers: 4, Policy: p, Classes: trace.ByUser, SlowdownThreshold: 1}))
		fmt.Printf("%v: mean wait %g, slowdown of %s %.2f\n", p, r.All.Waiting.Mean.Value, "bob", r.Class("user bob").Slowdown.Mean.Value)
	}
	// Output:
	// FCFS: mean wait 4, slowdown of bob 3.50
	// EASY.Estimates(Given()): mean wait 3, slowdown of bob 4.00
	// FirstFit: mean wait 2.75, slowdown of bob 5.00
}

// A log under several policies, beside the waits that it holds.
func ExampleTrace_Compare() {
	const jobs = "arrival,servers,service,estimate,wait\n0,3,6,9,0\n1,4,2,2,9\n2,1,5,5,0\n3,1,3,8,8\n"
	log := mjq.Must(trace.ReadCSV("jobs.csv", strings.NewReader(jobs), trace.CSV{}))
	policies := []mjq.Policy{mjq.FCFS(), mjq.FirstFit(), policy.EASY().Estimates(policy.Given())}
	c := mjq.Must(log.Compare(background, trace.Replay{Servers: 4}, policies))
	for i, name := range c.Policies {
		fmt.Printf("%s: mean wait %g, of the job of four %g\n", name, c.Results[i].All.Waiting.Mean.Value, c.Results[i].Class("T4").Waiting.Mean.Value)
	}
	// Output:
	// FCFS: mean wait 4, of the job of four 5
	// FirstFit: mean wait 2.75, of the job of four 8
	// EASY.Estimates(Given()): mean wait 3, of the job of four 6
	// as logged: mean wait 4.25, of the job of four 9
}

func ExampleTrace_Fit() {
	tr, _ := trace.ReadCSV("jobs.csv", strings.NewReader(log), trace.CSV{})
	f := mjq.Must(tr.Fit(background, trace.Fit{Servers: 8, Moments: 2, Arrivals: trace.PoissonOnly}))
	for _, c := range f.Model.Spec().Classes {
		fmt.Printf("%s: probability %.1f, mean service %g\n", c.Name, c.Prob, c.Service.Mean())
	}
	// Output:
	// T1: probability 0.6, mean service 5
	// T4: probability 0.4, mean service 5
}

func ExampleFitted() {
	const log = "arrival,servers,service\n0,1,1\n1,1,2\n4,1,9\n5,1,1\n7,4,3\n8,4,3\n9,8,1\n11,8,0\n"
	tr, _ := trace.ReadCSV("jobs.csv", strings.NewReader(log), trace.CSV{})
	for _, f := range mjq.Must(tr.Fit(background, trace.Fit{Servers: 8, Moments: 3, Arrivals: trace.PoissonOnly})).Classes {
		fmt.Printf("%s, %d jobs: %d moments by a %T\n", f.Class, f.N, f.Matched, f.Law)
		if f.Note != "" {
			fmt.Println("  " + f.Note)
		}
	}
	// Output:
	// T1, 4 jobs: 3 moments by a law.PH
	// T4, 2 jobs: 3 moments by a law.Deterministic
	// T8, 2 jobs: 2 moments by a law.Exponential
	//   E[X³] = 4 E[X]³ lies outside 4.08 to +Inf, which laws of 50 phases with c² = 1 have; the mean and c² are matched
}

// Why jobs start when they do: EASY lets C pass B on the server that B leaves over.
func ExampleTrace_Path() {
	const jobs = "arrival,servers,service,class\n0,4,5,A\n1,5,3,B\n1,1,10,C\n1,1,10,D\n"
	log := mjq.Must(trace.ReadCSV("extra.csv", strings.NewReader(jobs), trace.CSV{}))
	path := mjq.Must(log.Path(background, trace.Replay{Servers: 6, Policy: mjq.EASY(), Classes: trace.ByClass}, 0, 20))
	for _, j := range path.Jobs {
		fmt.Printf("%s waits %g, from %g to %g on %v\n", path.Classes[j.Class], j.Waiting(), j.Start, j.End, j.Seized)
	}
	// Output:
	// A/4 waits 0, from 0 to 5 on [0 1 2 3]
	// B/5 waits 4, from 5 to 8 on [0 1 2 3 5]
	// C/1 waits 0, from 1 to 11 on [4]
	// D/1 waits 7, from 8 to 18 on [0]
}

// A log of jobs that come in runs of twenty: the best process is chosen, and shown beside the log.
func ExampleFit_arrivals() {
	var jobs []trace.Job
	for burst := range 200 {
		for i := range 20 { // twenty jobs a minute apart, and then an hour without
			jobs = append(jobs, trace.Job{Arrival: float64(80*burst+i) + 0.3*float64(i*i%3), Need: 1 + i%2, Service: 2})
		}
	}
	f := mjq.Must(trace.New("bursts", jobs).Fit(background, trace.Fit{Servers: 4, Moments: 1, Arrivals: trace.Best}))
	fmt.Println("chosen:", f.Arrivals.Chosen)
	poisson, _ := f.Arrivals.Candidate("Poisson")
	fmt.Println("clearly better than Poisson:", poisson.BIC-f.Arrivals.Candidates[0].BIC > 10)
	fmt.Println(len(mjq.Must(f.Model.Solve(background, mjq.Exact{MomentsOnly: true})).Classes), "classes")
	// Output:
	// chosen: hyperexponential gaps
	// clearly better than Poisson: true
	// 2 classes
}

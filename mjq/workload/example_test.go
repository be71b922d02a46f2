package workload_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/workload"
)

func ExampleFiveClassExponential() {
	m := workload.FiveClassExponential().AtLoad(0.9)
	fmt.Println(m)
	r, err := m.Solve(context.Background(), mjq.Exact{MomentsOnly: true})
	fmt.Printf("jobs of 15 servers wait %.2f, %v\n", r.Class("T15").Waiting.Mean.Value, err)
	// Output:
	// FCFS multiserver-job queue: 20 servers, 5 job classes, Poisson arrivals at 0.9 of the stability limit
	// class  servers  probability  mean service  SCV  service law
	// T1           1         0.5           0.5     1  ExpMean(0.5)
	// T2           2         0.1           0.83    1  ExpMean(0.83)
	// T5           5         0.2           1.25    1  ExpMean(1.25)
	// T10         10         0.19          3.33    1  ExpMean(3.33)
	// T15         15         0.01         10       1  ExpMean(10)
	//
	// jobs of 15 servers wait 29.52, <nil>
}

func ExampleQuarter() {
	lines := bytes.Split(workload.Quarter(7, 1), []byte("\n"))
	fmt.Printf("%.40s ...\n%d lines\n", lines[0], len(lines)-1)
	// Output:
	// JobIDRaw|JobID|User|Account|Partition|QO ...
	// 1227 lines
}

func ExampleCampaigns() {
	log, err := trace.ReadSWF("centre.swf", bytes.NewReader(workload.Campaigns(60, 2026)), trace.SWF{})
	fmt.Printf("%d jobs, %d cancelled, %v\n", len(log.Jobs), log.Report.SkippedLines(), err)
	// Output: 12084 jobs, 129 cancelled, <nil>
}

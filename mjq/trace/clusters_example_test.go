package trace_test

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/trace"
)

func ExampleHelios() {
	const text = `job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
1,u1,vcA,8,32,1,COMPLETED,2020-04-01 00:10:00,2020-04-01 00:12:00,2020-04-01 01:12:00,3600,120
2,u2,vcB,0,4,1,COMPLETED,2020-04-01 00:11:00,2020-04-01 00:11:00,2020-04-01 00:21:00,600,0
`
	log := mjq.Must(trace.ReadCSV("cluster_log.csv", strings.NewReader(text), trace.Helios()))
	fmt.Printf("%d GPUs for %v s, from %v s after midnight of %s\n", log.Jobs[0].Need, log.Jobs[0].Service, log.Jobs[0].Arrival, log.Report.Origin.Format("2 January 2006"))
	// Output: 8 GPUs for 3600 s, from 600 s after midnight of 1 April 2020
}

func ExampleReadPhilly() {
	const text = `[{"status":"Pass","vc":"v1","jobid":"a1","user":"u1","submitted_time":"2017-10-09 10:00:00","attempts":[
 {"start_time":"2017-10-09 10:05:00","end_time":"2017-10-09 11:05:00","detail":[{"ip":"m1","gpus":["g0","g1"]}]}]}]`
	log := mjq.Must(trace.ReadPhilly("cluster_job_log", strings.NewReader(text), trace.Philly{}))
	fmt.Println(log.Jobs[0].Need, "GPUs after a wait of", log.Jobs[0].Waited, "s")
	// Output: 2 GPUs after a wait of 300 s
}

func ExampleReadPAI() {
	jobs := "j1,i1,u1,Terminated,1000.0,2000.0\n"
	tasks := "j1,worker,3,Terminated,1020.0,2000.0,600.0,29.0,50.0,T4\n"
	log := mjq.Must(trace.ReadPAI("pai", strings.NewReader(jobs), strings.NewReader(tasks), trace.PAI{}))
	fmt.Println(log.Jobs[0].Need, "hundredths of a GPU for", log.Jobs[0].Service, "s")
	// Output: 150 hundredths of a GPU for 980 s
}

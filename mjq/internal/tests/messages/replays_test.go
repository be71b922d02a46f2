package messages

import (
	"strings"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/spec"
	"github.com/mjqueue/mjq/mjq/trace"
)

// jobs is a log of two users in two classes.
const jobs = "arrival,servers,service,class,user\n0,2,5,a,ann\n1,3,5,b,bob\n2,2,5,a,ann\n3,6,5,b,bob\n4,2,5,a,ann\n5,1,5,c,cy\n"

// repeated serves the jobs.
func repeated(how trace.Replay) func() ([]string, error) {
	return func() ([]string, error) {
		log, err := trace.ReadCSV("jobs.csv", strings.NewReader(jobs), trace.CSV{})
		if err != nil {
			return nil, err
		}
		r, err := log.Replay(background, how)
		if r == nil {
			return nil, err
		}
		return r.Notes, err
	}
}

func replays() []message {
	two := []spec.Nodes{{Count: 2, Units: 4}}
	return []message{
		{"jobs that lie anywhere", repeated(trace.Replay{Nodes: two})},
		{"reservations of nodes", repeated(trace.Replay{Nodes: two, Policy: mjq.EASY()})},
		{"a policy that moves jobs", repeated(trace.Replay{Nodes: two, Policy: mjq.MaxWeight()})},
		{"a placement without nodes", repeated(trace.Replay{Servers: 8, Placement: mjq.WorstFit()})},
		{"nodes and partitions", repeated(trace.Replay{Nodes: two, Partitions: []trace.Partition{{Name: "a", Servers: 4}}})},
		{"a class without a partition", repeated(trace.Replay{Partitions: []trace.Partition{{Name: "a", Servers: 4}, {Name: "b", Servers: 6}}})},
		{"a partition that is too small", repeated(trace.Replay{Partitions: []trace.Partition{{Name: "a", Servers: 4}, {Name: "b", Servers: 4}, {Name: "c", Servers: 1}}})},
		{"a partition without servers", repeated(trace.Replay{Partitions: []trace.Partition{{Name: "a"}}})},
		{"a limit on each user", repeated(trace.Replay{Servers: 8, Limits: []trace.Limit{{By: trace.EachUser, Jobs: 1}}})},
		{"a limit below the need of a job", repeated(trace.Replay{Servers: 8, Limits: []trace.Limit{{By: trace.EachUser, Servers: 4}}})},
		{"a limit by neither user nor class", repeated(trace.Replay{Servers: 8, Limits: []trace.Limit{{By: "group", Jobs: 1}}})},
		{"preemption that draws again", repeated(trace.Replay{Servers: 8, Policy: mjq.Priority([]string{"a"}).Preemptive(mjq.Resampled)})},
		{"units of a log without types", repeated(trace.Replay{Units: []int{8}})},
	}
}

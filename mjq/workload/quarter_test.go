package workload

import (
	"bytes"
	"context"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/trace"
)

// The invented log is read line by line, is the same for the same seed, and jobs wait in it as
// its scheduler has them wait.
func TestQuarterIsALogOfSlurm(t *testing.T) {
	text := Quarter(28, 1)
	if !bytes.Equal(text, Quarter(28, 1)) {
		t.Error("two logs of one seed differ")
	}
	log, err := trace.ReadSacct("quarter", bytes.NewReader(text), trace.Sacct{Only: map[string]string{"Partition": "cpu"}})
	if err != nil {
		t.Fatal(err)
	}
	if r := log.Report; r.Malformed > 0 || len(log.Left) == 0 || log.MaxNeed() != 256 {
		t.Errorf("%v", &r)
	}
	logged := 0.
	for _, j := range log.Jobs {
		logged += j.Waited / float64(len(log.Jobs))
	}
	r := mjq.Must(log.Replay(context.Background(), trace.Replay{Servers: QuarterCPUs, Policy: policy.EASY().Estimates(policy.Given())}))
	if got := r.All.Waiting.Mean.Value; got > 1.2*logged || got < 0.6*logged || logged < 600 {
		t.Errorf("the replay waits %v, the log %v", got, logged)
	}
	t.Logf("%d jobs wait %v s, utilisation %v", len(log.Jobs), logged, r.Utilization.Value)
}

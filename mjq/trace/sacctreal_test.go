package trace

import (
	"os"
	"strings"
	"testing"
)

// TestSacctOfASlurm reads what a real Slurm has written of jobs whose fates are known.
func TestSacctOfASlurm(t *testing.T) {
	f, err := os.Open("testdata/sacct_22.05.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	log, err := ReadSacct("slurm", f, Sacct{Class: "State"})
	if err != nil {
		t.Fatal(err)
	}
	accountedAll(t, &log.Report)
	fates := map[string]int{}
	for _, j := range log.Jobs {
		fates[j.Class]++
		if j.Need != 1 || !j.WaitKnown {
			t.Errorf("%+v", j)
		}
	}
	// The cancelled task and the task that was made again ran for less than half a second.
	if len(fates) != 4 || fates["NODE_FAIL"] != 1 || fates["FAILED"] != 2 || fates["TIMEOUT"] != 1 || fates["COMPLETED"] != 22 {
		t.Errorf("jobs by their fates: %v", fates)
	}
	for line, want := range map[int]Job{
		2:  {Service: 44, Estimate: 60}, // the run that the failing node ended, then the one that the limit did
		29: {Service: 64, Estimate: 60},
		5:  {Service: 6}, // suspended for two of eight seconds, without a limit
		26: {Service: 1, Estimate: 3600, Waited: 1},
	} {
		for _, j := range log.Jobs {
			if j.Line == line && (j.Service != want.Service || j.Estimate != want.Estimate || j.Waited != want.Waited) {
				t.Errorf("line %d: %+v, want %+v", line, j, want)
			}
		}
	}
	// A task that is requeued before it starts (Start is None) comes again: it has not left.
	for _, d := range log.Left {
		if !d.Waiting {
			t.Errorf("%+v has left", d)
		}
	}
	if text := log.Report.String(); len(log.Left) != 2 || !strings.Contains(text, "skipped 1: "+putBack+" (first in line 6)") {
		t.Errorf("%d wait or left, %s", len(log.Left), text)
	}
}

// TestSacctCommand: the fields that a Slurm of 2022 does not know are not asked for.
func TestSacctCommand(t *testing.T) {
	if strings.Contains(SacctCommand, "Restarts") {
		t.Error("sacct 22.05 ends with the error Invalid field requested: \"Restarts\"")
	}
}

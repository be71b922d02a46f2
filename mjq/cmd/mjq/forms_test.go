package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
)

// TestForms: every command writes every form, and each is what it says to be.
func TestForms(t *testing.T) {
	inFolder(t)
	for _, line := range []string{
		"stability queue.json", "exact queue.json", "sample queue.json --jobs 500 --replications 4", "sample queue.json --method rare --beyond 20 --jobs 2000", "simulate queue.json --jobs 500 --replications 4",
		"compare queue.json --policy FCFS;EASY --jobs 500 --replications 4", "compare centre.swf --policy FCFS;EASY", "size queue.json --mean-wait 1",
		"size queue.json --costs 1,5", "size queue.json --mean-wait 1e-9 --largest-need big", "replay centre.swf", "fit jobs.csv --servers 8", "report queue.json", "methods queue.json",
	} {
		args := strings.Fields(line)
		if !json.Valid([]byte(answered(t, append(args, "--json")...))) {
			t.Errorf("mjq %s --json is no JSON", line)
		}
		if rows, err := csv.NewReader(strings.NewReader(answered(t, append(args, "--csv")...))).ReadAll(); err != nil || len(rows) < 2 {
			t.Errorf("mjq %s --csv: %d rows, %v", line, len(rows), err)
		}
		if page := answered(t, append(args, "--html")...); !strings.HasPrefix(page, "<!DOCTYPE html>") {
			t.Errorf("mjq %s --html is no page", line)
		}
		if args[0] == "methods" {
			continue // words have no picture
		}
		if picture := answered(t, append(args, "--svg")...); !strings.Contains(picture, "<svg") || xml.Unmarshal([]byte(picture), new(struct{})) != nil {
			t.Errorf("mjq %s --svg is no picture", line)
		}
	}
}

// TestCompareOnLog: the results are those of replays, by the names of the policies.
func TestCompareOnLog(t *testing.T) {
	inFolder(t)
	log, err := os.Open("centre.swf")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	centre := mjq.Must(trace.ReadSWF("centre.swf", log, trace.SWF{}))
	line := strings.Fields("compare centre.swf --policy FCFS;EASY --faster 1.1 --by powers --warm-up 5 --slowdown-threshold 10 --level 0.9")
	got := decoded[result.Comparison](t, line...)
	for i, p := range []mjq.Policy{mjq.FCFS(), mjq.EASY()} {
		want := mjq.Must(centre.Faster(1.1).Replay(64).Policy(p).PowersOfTwo().WarmUp(5).SlowdownThreshold(10).Level(0.9).Run(context.Background()))
		if got, want := numbersOf(t, got.Results[i]), numbersOf(t, want); got != want {
			t.Errorf("%s\nwhere the package has\n%s", got, want)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(answered(t, append(line, "--csv")...))).ReadAll()
	if err != nil || rows[0][0] != "policy" || rows[1][0] != "FCFS" || rows[len(rows)-1][0] != got.Policies[1] {
		t.Errorf("%v, %v", rows[0], err)
	}
}

// TestTuples: the five classes of MJSRE as a file of tuples have the limit that the paper
// prints, and a list of rates goes with them.
func TestTuples(t *testing.T) {
	inFolder(t)
	var b strings.Builder
	for _, c := range mjq.Must(mjq.FiveClassExponential().Build()).Classes() {
		fmt.Fprintf(&b, "(%d, %v, %v)\n\n", c.Need, c.Prob, c.Service.Mean())
	}
	if err := os.WriteFile("five.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if st := decoded[result.Stability](t, "stability", "five.txt", "--tuples", "exponential", "--servers", "20"); math.Abs(st.Rate-1.80086) > 5e-6 {
		t.Errorf("the limit is %v, not 1.80086", st.Rate)
	}
	rates := answered(t, "simulate", "five.txt", "--tuples", "deterministic", "--servers", "20", "--rates", "rates.txt", "--jobs", "500", "--replications", "4", "--csv")
	if rows := strings.Count(rates, "\n"); rows < 1+2*6 || strings.Contains(rates, ",,,,") {
		t.Error(strconv.Itoa(rows), rates)
	}
}

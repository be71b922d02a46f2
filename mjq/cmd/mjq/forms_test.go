package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/remember"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/workload"
)

// TestForms: every command writes every form, and each is what it says to be.
func TestForms(t *testing.T) {
	inFolder(t)
	mjq.Cache(t.TempDir()) // the forms are of one answer
	remember.Here().Worthwhile = 0
	t.Cleanup(func() { mjq.Cache("") })
	for _, line := range []string{
		"stability queue.json", "solve queue.json", "solve queue.json --method forward --jobs 500 --replications 4", "solve queue.json --method rare-event --wait 20 --jobs 2000",
		"solve queue.json --method simulation --jobs 500 --replications 4 --rate 1,2", "solve queue.json --servers 20,24", "capacity queue.json", "heavy-traffic queue.json", "optimum small.json",
		"sensitivities queue.json", `by-time queue.json --arrivals {"arrivals":"Profile","period":24,"rates":[0.5,1.5]} --parts 3 --method simulation --jobs 500 --replications 4`, "transient queue.json --until 2 --parts 3",
		"path queue.json", "path centre.swf --to 3600", "sweep queue.json --load 0.5,0.8 --servers 20,24 --laws Deterministic,ExpMean --method forward --jobs 500",
		"compare queue.json --policy FCFS;EASY --jobs 500 --replications 4", "compare queue.json --policy FCFS;EASY --jobs 500 --replications 4 --rate 1,2", "compare centre.swf --policy FCFS;EASY",
		"fewest-servers queue.json --mean-wait 1", "cheapest-servers queue.json --costs 1:5", "largest-need queue.json --mean-wait 1e-9 --class big", "largest-rate queue.json --mean-wait 1 --rel-err 0.1",
		"cheapest-mix cluster.json --prices cpu=1,gpu=10 --mean-wait 5 --max-jobs 1e6",
		"replay centre.swf", "fit jobs.csv --servers 8", "report queue.json", "methods queue.json",
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
		if slices.Contains([]string{"methods", "capacity", "sensitivities"}, args[0]) {
			if out, notes, code := command(append(args, "--svg")...); code != badInput || out != "" || !strings.Contains(notes, "there is no picture of this; choose --csv") {
				t.Errorf("mjq %s --svg: exit code %d, %s, printed %q", line, code, notes, out)
			}
			continue
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
		want := mjq.Must(centre.Faster(1.1).Replay(context.Background(), trace.Replay{Policy: p, Classes: trace.PowersOfTwo, WarmUp: 5, SlowdownThreshold: 10}, mjq.Level(0.9)))
		if got, want := numbersOf(t, got.Results[i]), numbersOf(t, want); got != want {
			t.Errorf("%s\nwhere the package has\n%s", got, want)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(answered(t, append(line, "--csv")...))).ReadAll()
	if err != nil || rows[0][1] != "policy" || rows[1][1] != "FCFS" || rows[len(rows)-1][1] != got.Policies[1] {
		t.Errorf("%v, %v", rows[0], err)
	}
}

// TestTuples: the five classes of MJSRE as a file of tuples have the limit that the paper
// prints, and a list of rates goes with them.
func TestTuples(t *testing.T) {
	inFolder(t)
	var b strings.Builder
	for _, c := range workload.FiveClassExponential().Spec().Classes {
		fmt.Fprintf(&b, "(%d, %v, %v)\n\n", c.Need, c.Prob, c.Service.Mean())
	}
	if err := os.WriteFile("five.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if st := decoded[result.Stability](t, "stability", "five.txt", "--tuples", "exponential", "--servers", "20"); math.Abs(st.Rate-1.80086) > 5e-6 {
		t.Errorf("the limit is %v, not 1.80086", st.Rate)
	}
	rates := answered(t, "solve", "five.txt", "--method", "simulation", "--tuples", "deterministic", "--servers", "20", "--rates", "rates.txt", "--jobs", "500", "--replications", "4", "--csv")
	rows, err := csv.NewReader(strings.NewReader(rates)).ReadAll()
	if err != nil || len(rows) < 1+2*6 {
		t.Fatal(len(rows), err)
	}
	for _, key := range []string{"waiting.mean", "waiting.noWait", "waiting.p99", "response.mean", "utilization"} {
		column := slices.Index(rows[0], key)
		for _, row := range rows[1:] {
			if column < 0 || row[column] == "" {
				t.Errorf("no %s in %v", key, row)
			}
		}
	}
}

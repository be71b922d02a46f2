package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/trace"
	"github.com/mjqueue/mjq/mjq/workload"
)

// askedInForms are command lines of every verb that answers, without the form of the answer. Those
// of logs are also on logs of few jobs, which leave most numbers unknown.
var askedInForms = map[string][]string{
	"solve": {"queue.json --servers 20,24", "queue.json --load 1.2", "cluster.json --method simulation --jobs 200", "queue.json --method forward --jobs 500 --replications 4",
		"queue.json --method rare-event --wait 20 --jobs 2000", "queue.json --method simulation --jobs 500 --replications 4 --rate 1,2"},
	"stability":     {"queue.json", "small.json --method pile --rel-err 20% --replications 16"},
	"capacity":      {"queue.json", "cluster.json"},
	"prices":        {"queue.json --loss"},
	"best-keep":     {"small.json --loss"},
	"checkpoints":   {"training.json"},
	"heavy-traffic": {"queue.json", "small.json"},
	"optimum":       {"small.json", "small.json --rate 50"},
	"sensitivities": {"queue.json", "small.json --method simulation --jobs 200"},
	"by-time": {`queue.json --arrivals {"arrivals":"Profile","period":24,"rates":[0.5,1.5]} --parts 3 --method simulation --jobs 500 --replications 4`,
		`small.json --arrivals {"arrivals":"Profile","period":24,"rates":[0,1]} --parts 4 --method simulation --jobs 50 --replications 2`},
	"transient": {"queue.json --until 2 --parts 3", "queue.json --until 1 --parts 2 --method simulation --replications 2"},
	"path":      {"queue.json", "centre.swf --to 3600"},
	"methods":   {"queue.json", "cluster.json"},
	"compare": {"queue.json --policy FCFS;EASY --jobs 500 --replications 4", "queue.json --policy FCFS;EASY --jobs 500 --replications 4 --rate 1,2", "centre.swf --policy FCFS;EASY",
		"one.csv --servers 4 --policy FCFS;EASY"},
	"fewest-servers":   {"queue.json --mean-wait 1", "queue.json --loss --blocked 1%:big"},
	"cheapest-servers": {"queue.json --costs 1:5"},
	"cheapest-mix":     {"cluster.json --prices cpu=1,gpu=10 --mean-wait 5 --method forward --jobs 500"},
	"largest-rate":     {"queue.json --mean-wait 1 --rel-err 0.1"},
	"largest-need":     {"queue.json --mean-wait 1e-9 --class big"},
	"sweep":            {"queue.json --rate 0.5,0.8 --servers 20,24 --laws Deterministic,ExpMean --method forward --jobs 500", "queue.json --load 0.5,1.1 --method forward --jobs 500"},
	"report":           {"queue.json", "small.json --loss"},
	"merge":            {"part0.json part1.json"},
	"replay":           {"centre.swf", "one.csv --servers 4", "still.csv --servers 4 --policy EASY", "centre.swf --policy EASY --slowdown-threshold 10"},
	"fit":              {"jobs.csv --servers 8", "centre.swf --moments 2"},
	"advise":           {"week.csv --servers 4", "quarter.txt.gz --need gres/gpu --only Partition=gpu --servers 32"},
}

// smallLogs leave much unknown: one job, jobs that take no time, and a week without waits.
var smallLogs = map[string]string{
	"one.csv":   "arrival,servers,service\n3,2,5\n",
	"still.csv": "arrival,servers,service\n0,1,0\n0,2,0\n0,4,0\n",
	"week.csv": "arrival,servers,service,user\n0,1,3600,ann\n40000,4,7200,bob\n90000,2,100,ann\n100000,4,90000,bob\n" +
		"180000,1,50,eve\n260000,3,8000,ann\n350000,2,100000,bob\n351000,4,60,eve\n",
}

// withoutPicture are the verbs that have none.
var withoutPicture = []string{"methods", "capacity", "sensitivities", "prices", "best-keep", "checkpoints"}

// TestForms: every command writes every form, and each is what it says to be; what is unknown
// damages none.
func TestForms(t *testing.T) {
	folder := inFolder(t)
	mjq.Cache(t.TempDir()) // the forms are of one answer
	cache.Here().Worthwhile = 0
	t.Cleanup(func() { mjq.Cache("") })
	for name, text := range smallLogs {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, part := range []string{"0", "1"} {
		answered(t, strings.Fields("sweep queue.json --load 0.5,1.1 --method exact --shard "+part+"/2 --json -o part"+part+".json")...)
	}
	for _, c := range newRoot(streams{}, nil).Commands() {
		if c.Name() != "version" && len(askedInForms[c.Name()]) == 0 {
			t.Errorf("%s is not tried; add a line to askedInForms", c.Name())
		}
		for _, line := range askedInForms[c.Name()] {
			for _, form := range []string{"--json", "--csv", "--html", "--svg", ""} {
				args := append([]string{c.Name()}, strings.Fields(line+" "+form)...)
				out, notes, code := command(args...)
				if form == "--svg" && slices.Contains(withoutPicture, c.Name()) {
					if code != badInput || out != "" || !strings.Contains(notes, "there is no picture of this; choose --csv") {
						t.Errorf("mjq %v: exit code %d, %s, printed %q", args, code, notes, out)
					}
					continue
				}
				if code != 0 && code != notMet {
					t.Errorf("mjq %v: exit code %d, %s", args, code, notes)
				} else if fault := damaged(form, out); fault != "" {
					t.Errorf("mjq %v: %s in\n%s", args, fault, out)
				}
			}
		}
	}
}

// damaged says what is wrong with an answer in a form; "" if nothing is.
func damaged(form, out string) string {
	if strings.Contains(out, "NaN") || strings.Contains(out, "%!") {
		return "NaN or a faulty format"
	}
	switch form {
	case "--json":
		if !json.Valid([]byte(out)) {
			return "no JSON"
		}
	case "--csv":
		if rows, err := csv.NewReader(strings.NewReader(out)).ReadAll(); err != nil || len(rows) < 2 {
			return "no CSV with a row"
		}
	case "--html":
		if !strings.HasPrefix(out, "<!DOCTYPE html>") || !strings.HasSuffix(out, "</html>\n") {
			return "no page"
		}
	case "--svg":
		if !strings.Contains(out, "<svg") || xml.Unmarshal([]byte(out), new(struct{})) != nil {
			return "no picture"
		}
	}
	return ""
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
		want.Log = result.Log{} // the comparison has it
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

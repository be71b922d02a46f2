package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestGivenTwice: a member that stands twice in an object is named with its file, line and place,
// wherever JSON is read; the last one won in silence.
func TestGivenTwice(t *testing.T) {
	inFolder(t)
	model := func(more, class, law, arrivals string) string {
		return fmt.Sprintf("{\"servers\":4,\n%s\"arrivals\":{\"arrivals\":\"Poisson\",\"rate\":1%s},\n\"classes\":[{\"name\":\"a\",%s\"need\":1,\"prob\":1,\n\"service\":{\"law\":\"ExpMean\",\"mean\":1%s}}]}", more, arrivals, class, law)
	}
	for name, text := range map[string]string{
		"top.json": model("\"servers\":5,\n", "", "", ""), "case.json": model("\"Servers\":5,\n", "", "", ""), "class.json": model("", `"need":2,`, "", ""),
		"law.json": model("", "", `,"mean":2`, ""), "arrivals.json": model("", "", "", `,"rate":2`), "policy.json": model(`"policy":{"policy":"Window","jobs":2,"jobs":3},`, "", "", ""),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"solve top.json":      "top.json:2: servers: given twice",
		"solve case.json":     "servers: given twice, as Servers too",
		"solve class.json":    "class.json:3: classes[0].need: given twice",
		"solve law.json":      "law.json:4: classes[0].service.mean: given twice",
		"solve arrivals.json": "arrivals.json:2: arrivals.rate: given twice",
		"solve policy.json":   "policy.json:2: policy.jobs: given twice",
		`solve queue.json --policy {"policy":"Window","jobs":2,"jobs":3}`:                                                      "--policy: policy: jobs: given twice",
		`solve queue.json --arrivals {"arrivals":"Poisson","rate":1,"rate":2}`:                                                 "rate: given twice",
		`transient queue.json --until 1 --state {"at":1,"at":2,"line":["big"]}`:                                                "--state: at: given twice",
		`transient queue.json --until 1 --state {"running":[{"class":"big","remaining":{"law":"ExpMean","mean":1,"mean":2}}]}`: "running[0].remaining.mean: given twice",
	} {
		if out, notes, code := command(strings.Fields(line)...); code != badInput || out != "" || !strings.Contains(notes, want) {
			t.Errorf("mjq %s: exit code %d, %s, want %q", line, code, notes, want)
		}
	}
}

// TestByteOrderMark: a mark before a model is passed over; UTF-16 is named.
func TestByteOrderMark(t *testing.T) {
	inFolder(t)
	for _, name := range []string{"queue.json", "experiment.toml", "classes.csv", "rates.txt"} {
		if err := os.WriteFile("marked-"+name, append([]byte("\ufeff"), mustRead(t, name)...), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("wide-"+name, append([]byte("\xff\xfe"), mustRead(t, name)...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"stability %squeue.json", "stability %sexperiment.toml --system 1", "stability %sclasses.csv --servers 20", "solve queue.json --rates %srates.txt"} {
		plain, _, _ := command(strings.Fields(fmt.Sprintf(line, ""))...)
		marked, notes, code := command(strings.Fields(fmt.Sprintf(line, "marked-"))...)
		if code != 0 || notes != "" || marked != plain {
			t.Errorf("%s: exit code %d, %s, %s where %s", line, code, notes, marked, plain)
		}
		if _, notes, code := command(strings.Fields(fmt.Sprintf(line, "wide-"))...); code != badInput || !strings.Contains(notes, "begins with a byte order mark of UTF-16; save it as UTF-8") {
			t.Errorf("%s: exit code %d, %s", line, code, notes)
		}
	}
}

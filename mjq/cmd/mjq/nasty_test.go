package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/internal/escape/nasty"
	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/internal/cache"
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
)

// logName is a file that no terminal should print as it is.
const logName = "log\x1b[31m\n=1.csv"

// askedOfNames are command lines of every verb that has names in its answer. The models have the
// classes first and second, of which the arguments are replaced by what the classes are called.
var askedOfNames = map[string]string{
	"solve": "small.json", "stability": "typed.json", "capacity": "typed.json", "prices": "small.json --loss", "best-keep": "small.json --loss", "checkpoints": "failing.json",
	"heavy-traffic": "small.json", "optimum": "small.json", "sensitivities": "small.json",
	"by-time":   `small.json --arrivals {"arrivals":"Profile","period":24,"rates":[0.5,1.5]} --parts 3 --method simulation --jobs 200 --replications 2`,
	"transient": "small.json --until 2 --parts 3", "path": "small.json", "methods": "typed.json",
	"compare":        "small.json --policy FCFS;EASY --jobs 100 --replications 2",
	"fewest-servers": "small.json --mean-wait 1", "cheapest-servers": "small.json --costs 1:5",
	"cheapest-mix": "cluster.json --prices a=1,b=10 --mean-wait 5 --method forward --jobs 200", "largest-rate": "small.json --mean-wait 1 --rel-err 0.5",
	"largest-need": "small.json --mean-wait 1e-9 --class second", "sweep": "small.json --load 0.5,0.8 --method exact", "report": "small.json",
	"replay": "log --servers 4 --by class", "fit": "log --servers 4 --by class", "advise": "log --servers 4 --by user",
}

// TestNastyNames: whatever classes, types of resources, users and files are called, every verb
// writes text without control characters, pages without foreign elements, pictures that are XML,
// values without formulas, and JSON that has the names themselves. Solve has classes of all names.
func TestNastyNames(t *testing.T) {
	inFolder(t)
	mjq.Cache(t.TempDir()) // the forms are of one answer
	cache.Here().Worthwhile = 0
	t.Cleanup(func() { mjq.Cache("") })
	names := slices.DeleteFunc(nasty.Names(), func(name string) bool { return name == "" }) // a fault of its own
	asked := func(args []string, named string) {
		t.Helper()
		for _, form := range []string{"", "--csv", "--html", "--svg", "--json"} {
			if form == "--svg" && slices.Contains(withoutPicture, args[0]) {
				continue
			}
			out, notes, code := command(append(args, strings.Fields(form)...)...)
			if wrong := unsafe(form, out); wrong != nil || nasty.Terminal(notes) != nil || code != 0 && code != notMet {
				t.Errorf("mjq %q %s of %s: exit code %d, %s, %v in\n%.3000s", args, form, named, code, notes, wrong, out)
			}
		}
	}
	for some := range slices.Chunk(names, 8) {
		m := mjq.Servers(len(some)).Poisson(1)
		for _, name := range some {
			m = m.Class(name, 1, 1/float64(len(some)), mjq.ExpMean(1))
		}
		if err := os.WriteFile("many.json", mjq.Must(json.Marshal(m)), 0o600); err != nil {
			t.Fatal(err)
		}
		asked([]string{"solve", "many.json"}, fmt.Sprintf("%q", some))
	}
	verbs := 0
	for _, c := range newRoot(streams{}, nil).Commands() {
		line := askedOfNames[c.Name()]
		if line == "" && c.Name() != "version" && c.Name() != "merge" {
			t.Errorf("%s is not tried; add a line to askedOfNames", c.Name())
		}
		if line == "" {
			continue
		}
		verbs++
		for i := range names {
			if (i+verbs)%oracle.Sized(44, 7) != 0 {
				continue
			}
			first, second := names[i], names[(i+1)%len(names)]
			writeNamed(t, first, second)
			args := append([]string{c.Name()}, strings.Fields(line)...)
			for k, arg := range args {
				switch arg {
				case "second":
					args[k] = second
				case "log":
					args[k] = logName
				}
			}
			asked(args, fmt.Sprintf("%q and %q", first, second))
		}
	}
}

// writeNamed writes models and a log of several days with such names of classes, users and, in
// typed.json, types of resources.
func writeNamed(t *testing.T, first, second string) {
	t.Helper()
	a, errA := json.Marshal(first)
	b, errB := json.Marshal(second)
	typed := strings.ReplaceAll(`{"resources":[{"name":TYPE1,"units":8},{"name":TYPE2,"units":2}],"arrivals":{"arrivals":"Poisson","rate":1},
		"classes":[{"name":FIRST,"units":[2,0],"prob":0.75,"service":{"law":"ExpMean","mean":1}},{"name":SECOND,"units":[1,1],"prob":0.25,"service":{"law":"ExpMean","mean":2}}]}`, "\n\t", "")
	pool := `{"servers":4,"arrivals":{"arrivals":"Poisson","rate":1},
		"classes":[{"name":FIRST,"need":1,"prob":0.75,"service":{"law":"ExpMean","mean":1}},{"name":SECOND,"need":4,"prob":0.25,"service":{"law":"ExpMean","mean":1}}]}`
	failing := strings.Replace(pool, `"classes"`, `"failures":[{"name":"hardware","up":{"law":"ExpMean","mean":100},"repair":{"law":"ExpMean","mean":2}}],"classes"`, 1)
	failing = strings.ReplaceAll(failing, `"prob"`, `"after":{"every":1,"cost":0.1},"prob"`)
	write := func(name, text, one, two string) error {
		return os.WriteFile(name, []byte(strings.NewReplacer("FIRST", string(a), "SECOND", string(b), "TYPE1", one, "TYPE2", two).Replace(text)), 0o600)
	}
	var log bytes.Buffer
	rows := [][]string{{"arrival", "servers", "service", "class", "user"}}
	inLine := strings.NewReplacer("\n", " ", "\r", " ") // as rows of logs are
	for k := range 40 {
		rows = append(rows, []string{fmt.Sprint(k * 9000), fmt.Sprint(1 + k%4), fmt.Sprint(100 + 5000*(k%5)), inLine.Replace([]string{first, second}[k%2]), inLine.Replace([]string{second, first}[k%2])})
	}
	if err := errors.Join(errA, errB, write("small.json", pool, "", ""), write("failing.json", failing, "", ""), write("cluster.json", typed, `"a"`, `"b"`), write("typed.json", typed, string(a), string(b)),
		csv.NewWriter(&log).WriteAll(rows), os.WriteFile(logName, log.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// unsafe is the error of an answer in which a name is more than text.
func unsafe(form, out string) error {
	switch form {
	case "--csv":
		return nasty.CSV(out)
	case "--html":
		return nasty.HTML(out)
	case "--svg":
		return nasty.SVG(out)
	case "--json":
		if !json.Valid([]byte(out)) {
			return errors.New("no JSON")
		}
	}
	return nasty.Terminal(out)
}

package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// adviseQuarter is the command of the page of the tests.
const adviseQuarter = "advise quarter.txt.gz --need gres/gpu --only Partition=gpu --servers 32"

// TestAdviceInJSON: README names every member of the page in JSON, and what it says is there.
func TestAdviceInJSON(t *testing.T) {
	t.Chdir("testdata")
	text, notes, code := command(strings.Fields(adviseQuarter + " --scenario plans.json --json")...)
	var page map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &page); err != nil || code != 0 {
		t.Fatalf("exit %d, %s, %v", code, notes, err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "| member of `advise --json` | |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var named []string
	for _, row := range strings.Split(table, "\n")[1:] {
		cells := strings.Split(row, "|")
		members := regexp.MustCompile("`([a-zA-Z]+)`").FindAllStringSubmatch(cells[1], -1)
		for _, m := range members {
			named = append(named, m[1])
		}
		if len(members) != 1 {
			continue
		}
		of := page[members[0][1]]
		list, inner := []json.RawMessage{of}, map[string]json.RawMessage{}
		_ = json.Unmarshal(of, &list) // or it is one alone
		for _, of := range list {     // some members are of some scenarios
			if err := json.Unmarshal(of, &inner); err != nil {
				t.Fatal(err)
			}
		}
		for _, m := range regexp.MustCompile("`([a-zA-Z]+)[.a-z]*`").FindAllStringSubmatch(cells[2], -1) {
			if _, is := inner[m[1]]; !is && !strings.Contains("null apart", m[1]) {
				t.Errorf("README names %s of %s, which is not there", m[1], members[0][1])
			}
		}
	}
	for member := range page {
		if !slices.Contains(named, member) {
			t.Errorf("README does not name %s", member)
		}
	}
	if len(named) != len(page) {
		t.Errorf("README names %q, and there are %d members", named, len(page))
	}
	for _, own := range []string{"four GPUs more", "jobs of at most 12 h", "a fifth more jobs"} {
		if !strings.Contains(string(page["scenarios"]), own) {
			t.Errorf("no scenario %q", own)
		}
	}
}

// TestNoExponentsInLogs: no answer about a log in seconds shows a time with an exponent, and each names
// the unit of its times.
func TestNoExponentsInLogs(t *testing.T) {
	t.Chdir("testdata")
	for _, verb := range []string{"replay", "compare --policy FCFS;EASY", "fit --moments 2", "path --to 40000", "advise --csv"} {
		name, flags, _ := strings.Cut(verb, " ")
		text, notes, code := command(strings.Fields(name + " quarter.txt.gz --need gres/gpu --only Partition=gpu --servers 32 " + flags)...)
		if code != 0 {
			t.Fatalf("%s: %s", verb, notes)
		}
		if at := regexp.MustCompile(`\d[eE][+-]?\d`).FindString(text); at != "" && name != "fit" { // whose distributions are Go
			t.Errorf("%s shows %q:\n%s", verb, at, text)
		}
		if !regexp.MustCompile(`\((s|min|h|d)\)|\d (s|min|h|d)\b`).MatchString(text) {
			t.Errorf("%s names no unit:\n%s", verb, text)
		}
	}
}

// TestScenariosInFiles: a file of scenarios that cannot be read names the fault, and one with elastic jobs
// says how responses change.
func TestScenariosInFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir("testdata")
	for text, want := range map[string]string{`{}`: "write a list", `[{"servers":3}]`: "has no name", `[{"name":"a","server":3}]`: `unknown field "server"`,
		`[{"name":"a","policy":"Foo"}]`: `"Foo" is not known`, `[{"name":"a","mostHours":-1}]`: "the cap must be positive", `[{"name":"a","name":"b"}]`: "given twice"} {
		file := dir + "/plans.json"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, notes, code := command(append(strings.Fields(adviseQuarter), "--scenario", file)...); code != badInput || !strings.Contains(notes, want) {
			t.Errorf("%s: exit %d, %q does not say %q", text, code, notes, want)
		}
	}
	for form, want := range map[string]string{"html": "half of the jobs on 8 GPUs or more shrink</b>.*; response −\\d+ min<", "csv": "response of a job"} {
		text, notes, code := command(strings.Fields(adviseQuarter + " --scenario plans.json --" + form)...)
		if code != 0 || !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("exit %d, %s: %s does not have %s", code, notes, form, want)
		}
	}
}

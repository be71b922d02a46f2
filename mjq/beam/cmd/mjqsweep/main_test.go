package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asCommand makes this test the command.
const asCommand = "MJQSWEEP_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// command runs mjqsweep and returns what it writes.
func command(t *testing.T, arguments ...string) (table, complaint string, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, arguments...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	err = cmd.Run()
	return out.String(), errors.String(), err
}

const modelText = `{"servers": 3, "classes": [
	{"name": "one", "need": 1, "prob": 0.7, "service": {"law": "ExpRate", "rate": 3}},
	{"name": "three", "need": 3, "prob": 0.3, "service": {"law": "ExpMean", "mean": 0.1}}]}`

// The table is the same without Beam, with Prism, and with Prism and workers in
// processes of their own.
func TestTable(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model.json")
	if err := os.WriteFile(model, []byte(modelText), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "table.csv")
	common := []string{"-model", model, "-loads", "0.5,0.8", "-rates", "1.5", "-servers", "3, 4", "-samples", "60", "-replications", "2", "-seed", "7",
		"-shape", `Erlang={"law":"ErlangMeanPhases","mean":1,"phases":2}`, "-shape", `exponential={"law":"ExpMean","mean":1}`}
	want, complaint, err := command(t, append(common, "-local")...)
	if err != nil || strings.Count(want, "\n") != 13 || !strings.HasPrefix(want, "service law,servers,λ,") || complaint != "" {
		t.Fatalf("locally: %v\n%s%s", err, want, complaint)
	}
	for _, more := range [][]string{{}, {"-parts", "5", "-goroutines", "2", "-out", file},
		{"-parts", "3", "-environment_type=PROCESS", fmt.Sprintf(`-environment_config={"command":%q,"env":{%q:"1"}}`, self, asCommand)}} {
		got, complaint, err := command(t, append(common, more...)...)
		if len(more) > 4 {
			text, failed := os.ReadFile(file)
			if failed != nil || got != "" {
				t.Errorf("%v: file %v, and on standard output %q", more, failed, got)
			}
			got = string(text)
		}
		if err != nil || got != want {
			t.Errorf("%v: error %v\n%s\nlocally\n%s\n%s", more, err, got, want, complaint)
		}
	}
}

func TestComplaints(t *testing.T) {
	toml := filepath.Join(t.TempDir(), "empty.toml")
	if err := os.WriteFile(toml, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for part, arguments := range map[string][]string{
		"no model given":        {},
		"not a list of":         {"-loads", "0.5;0.6"},
		"write name=law":        {"-shape", "ErlangMeanPhases"},
		"no such file":          {"-model", "nowhere.json"},
		toml:                    {"-model", toml},
		`"Odd" is not a law`:    {"-shape", `a={"law":"Odd"}`},
		"flag provided but not": {"-load", "3"},
		"needs the job server":  {"-cancel", "go-job-1"},
	} {
		if table, complaint, err := command(t, arguments...); err == nil || table != "" || !strings.Contains(complaint, part) {
			t.Errorf("%v: error %v, complaint %q does not say %q", arguments, err, complaint, part)
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFailureFlags: what is wrong with servers that fail is told in the words of the command line, with the remedy.
func TestFailureFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "q.json")
	text := `{"servers":8,"arrivals":{"arrivals":"Poisson","rate":0.1},"classes":[{"name":"wide","need":6,"prob":0.5,"service":{"law":"ExpMean","mean":1}},{"name":"one","need":1,"prob":0.5,"service":{"law":"ExpMean","mean":1}}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const fails = "--failures=hw=ExpMean(100)/ExpMean(5)"
	for want, args := range map[string][]string{
		"give a law with a positive mean":                      {"solve", "--failures=hw=Deterministic(0)/ExpMean(1)"},
		"is no kind of failure; give it as hardware=":          {"solve", "--failures=hw"},
		"choose resume, restart, resampled":                    {"solve", fails, "--after=restrat"},
		"Every 0":                                              {"solve", fails, "--after=Checkpoint(0,1)"},
		"Cost -1":                                              {"solve", fails, "--after=Checkpoint(1,-1)"},
		"Recovery -1":                                          {"solve", fails, "--after=Checkpoint(1,1,-1)"},
		"Detection -1":                                         {"solve", fails, "--after=Checkpoint(1,1,1,-1)"},
		"there is no class":                                    {"solve", fails, "--after=three=resume"},
		"give at least 1":                                      {"solve", fails, "--crews=0"},
		`class "wide" needs 6 servers of the 5`:                {"solve", fails, "--spares=3"},
		"it counts on all servers":                             {"solve", fails, "--policy=ServerFilling"},
		"servers fail, and Backward":                           {"solve", fails, "--method=backward"},
		"add --failures NAME=UP/REPAIR":                        {"solve", "--crews=2"},
		"so that the best is no checkpoint; add --failures":    {"checkpoints"},
		"no class writes checkpoints; add --after Checkpoint(": {"checkpoints", fails},
		"no time is lost; add --failures":                      {"fewest-servers", "--ettr=0.9"},
	} {
		out, notes, code := command(append([]string{args[0], file}, args[1:]...)...)
		if code != badInput && code != 1 || !strings.Contains(notes, want) {
			t.Errorf("%v: %d, %q\ndoes not say %q\n%s", args, code, notes, want, out)
		}
	}
}

package main

import (
	"math"
	"strings"
	"testing"

	"github.com/mjqueue/mjq/mjq/result"
)

// slipsOfFingers are command lines, and all that the message says.
var slipsOfFingers = map[string]string{
	"stabilty queue.json":                             `unknown command "stabilty"; did you mean stability?`,
	"stabilty queue.json --json":                      `unknown command "stabilty"; did you mean stability?`,
	"stab queue.json":                                 `unknown command "stab"; did you mean stability?`,
	"solve":                                           "solve takes one file, as mjq solve MODEL; none is given",
	"solve queue.json 2":                              "solve takes one file, as mjq solve MODEL; 2 are given",
	"exact queue.json":                                `unknown command "exact"; it is a method, as mjq solve MODEL --method exact`,
	"rare-event queue.json":                           `unknown command "rare-event"; it is a method, as mjq solve MODEL --method rare-event`,
	"merge":                                           "merge takes one file or several, as mjq merge PART...; none is given",
	"replay":                                          "replay takes one file or several, as mjq replay LOG...; none is given",
	"version 2":                                       "version takes no file; leave 2 out",
	"zzz":                                             `unknown command "zzz"; there are advise, best-keep, by-time, `,
	"solve queue.json --polcy EASY":                   "unknown flag: --polcy; did you mean --policy?",
	"solve queue.json --rel_err .1":                   "unknown flag: --rel_err; did you mean --rel-err?",
	"solve queue.json -rel-err .1":                    "unknown flag: -rel-err; did you mean --rel-err?",
	"solve queue.json --zzzz":                         "unknown flag: --zzzz; mjq help solve lists the flags",
	"solve queue.json -z":                             "unknown flag: -z; mjq help solve lists the flags",
	"solve queue.json --jobs":                         "--jobs needs a value, as --jobs 20000",
	"solve queue.json --rel-err":                      "--rel-err needs a value, as --rel-err 0.05 or 5%",
	"solve queue.json --rel-err little":               `--rel-err: "little" is not a number; give one as 0.05 or 5%`,
	"solve queue.json --rel-err 5%%":                  `--rel-err: "5%%" is not a number; give one as 0.05 or 5%`,
	"solve queue.json --half-width 5%":                `--half-width: "5%" is not a number; give one as 0.5`,
	"solve queue.json --jobs many":                    `--jobs: "many" is not a whole number; give one as 20000 or 2e4`,
	"solve queue.json --jobs 1.5":                     `--jobs: "1.5" is not a whole number; give one as 20000 or 2e4`,
	"solve queue.json --jobs 1e30":                    `--jobs: "1e30" is not a whole number`,
	"solve queue.json --seed -1":                      `--seed: "-1" is not a seed; give a whole number from 0 on`,
	"solve queue.json --load 50%,x":                   `--load: "x" is not a number; give one as 0.05 or 5%`,
	"solve queue.json --rate 1,,2":                    `--rate: "" is not a number; give one as 0.5`,
	"solve queue.json --json=perhaps":                 `--json: "perhaps" is neither true nor false`,
	"solve queue.json --policy Widow":                 `--policy: "Widow" is not known; did you mean Window? There are AdaptiveQuickswap`,
	"solve queue.json --method forwrad":               `--method: "forwrad" is not known here; did you mean forward? There are exact, `,
	"cheapest-mix queue.json --prices cpu":            `--prices: "cpu" is not a name with its number; give it as cpu=0.5`,
	"fewest-servers queue.json --wait-quantile 99%:x": `--wait-quantile: "x" is not a number; give one as 0.5`,
	"replay centre.swf --class-field user":            `--class-field: "user" is not a whole number`,
	"replay centre.swf --servers 8 --nodes 2x4":       "--servers along with --nodes: give one of them",
	"replay centre.swf --placement WorstFit":          "Replay of trace centre.swf: Placement WorstFit: give Nodes, or leave it out",
}

// TestSlipsOfFingers: a misspelt command, flag or value is told in words, with what was
// meant if that can be guessed, and not as the functions that read it put it.
func TestSlipsOfFingers(t *testing.T) {
	inFolder(t)
	for line, want := range slipsOfFingers {
		out, notes, code := command(strings.Fields(line)...)
		if code != badInput || out != "" || !strings.HasPrefix(notes, "mjq: "+want) || strings.Contains(notes, "strconv") || strings.Count(notes, "\n") != 1 {
			t.Errorf("mjq %s: exit code %d, %q, printed %q; want %q", line, code, notes, out, want)
		}
	}
}

// TestPercent: shares can be given in percent, and large numbers with an exponent.
func TestPercent(t *testing.T) {
	inFolder(t)
	for line, same := range map[string]string{
		"solve queue.json --method simulation --jobs 1000 --rel-err 80% --level 90% --seed 3": "solve queue.json --method simulation --jobs 1000 --rel-err 0.8 --level .9 --seed 3",
		"solve queue.json --method simulation --jobs 2e3 --replications 8 --load 50%,60%":     "solve queue.json --method simulation --jobs 2000 --replications 8 --load 0.5 --load 0.6",
		"fewest-servers queue.json --wait-quantile 90%:3:big --service-level .5:70%":          "fewest-servers queue.json --wait-quantile 0.9:3:big --service-level .5:.7",
		"solve queue.json --method certified --samples 1e2 --eps 1% --seed 2":                 "solve queue.json --method certified --samples 100 --eps .01 --seed 2",
	} {
		want := answered(t, append(strings.Fields(same), "--csv")...)
		if got := answered(t, append(strings.Fields(line), "--csv")...); got != want {
			t.Errorf("mjq %s:\n%s\nwhere mjq %s has\n%s", line, got, same, want)
		}
	}
	if r := decoded[result.Result](t, strings.Fields("solve queue.json --load 50%")...); math.Abs(r.Rate/r.Limit.Rate-0.5) > 1e-9 {
		t.Errorf("the rate is %v at a limit of %v", r.Rate, r.Limit.Rate)
	}
}

// Package slurm reads the notations of Slurm's commands sacct and sinfo: points in time,
// lengths of time, amounts of resources, states of jobs and descriptions of nodes.
// Source: the manual pages of both commands, Slurm 24.05.
package slurm

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// mostDigits is how many digits a number of these notations may have.
const mostDigits = 15

// whole reads digits alone; false for anything else.
func whole(text []byte) (n int64, ok bool) {
	if len(text) == 0 || len(text) > mostDigits {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// decimal reads digits with a fraction or without.
func decimal(text []byte) (x float64, ok bool) {
	if n, ok := whole(text); ok {
		return float64(n), true
	}
	for _, c := range text {
		if c != '.' && (c < '0' || c > '9') {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// unknown reports whether a cell says that a time is not known.
func unknown(text []byte) bool {
	switch string(text) {
	case "", "Unknown", "None", "N/A":
		return true
	}
	return false
}

// wrong is the error of a cell.
func wrong(what string, text []byte, remedy string) error {
	return fmt.Errorf("%.40q is no %s; %s", text, what, remedy)
}

// Phase is where in its life a job is.
type Phase int

// The phases of a job.
const (
	Ended Phase = iota
	Waiting
	Running
	Elsewhere // in a federation of clusters, on another one
)

// State is that of a job in sacct.
type State struct {
	Name  string
	Phase Phase
}

// states are all of them, by their long and short names.
var states = map[string]State{}

func init() {
	for _, s := range []struct {
		name, short string
		phase       Phase
	}{
		{"BOOT_FAIL", "BF", Ended}, {"CANCELLED", "CA", Ended}, {"COMPLETED", "CD", Ended}, {"DEADLINE", "DL", Ended},
		{"FAILED", "F", Ended}, {"LAUNCH_FAILED", "LF", Ended}, {"NODE_FAIL", "NF", Ended}, {"OUT_OF_MEMORY", "OOM", Ended},
		{"PREEMPTED", "PR", Ended}, {"REQUEUED", "RQ", Ended}, {"SPECIAL_EXIT", "SE", Ended}, {"TIMEOUT", "TO", Ended},
		{"PENDING", "PD", Waiting}, {"CONFIGURING", "CF", Waiting}, {"REQUEUE_HOLD", "RH", Waiting}, {"RESV_DEL_HOLD", "RD", Waiting},
		{"RUNNING", "R", Running}, {"SUSPENDED", "S", Running}, {"STOPPED", "ST", Running}, {"COMPLETING", "CG", Running},
		{"RESIZING", "RS", Running}, {"SIGNALING", "SI", Running}, {"STAGE_OUT", "SO", Running},
		{"REVOKED", "RV", Elsewhere}, {"REQUEUE_FED", "RF", Elsewhere},
	} {
		states[s.name], states[s.short] = State{s.name, s.phase}, State{s.name, s.phase}
	}
}

// StateOf reads a state: CANCELLED by 1234 is CANCELLED, and a + at the end, which sacct writes
// where a column is too narrow, does not count. False if there is no such state.
func StateOf(text []byte) (s State, known bool) {
	word, _, _ := bytes.Cut(text, []byte{' '})
	word = bytes.TrimSuffix(word, []byte{'+'})
	s, known = states[string(word)]
	if !known {
		s, known = states[string(bytes.ToUpper(word))]
	}
	return s, known
}

// Package slurm reads the notations of Slurm's commands sacct and sinfo: points in time,
// lengths of time, amounts of resources, states of jobs and descriptions of nodes.
// Source: the manual pages of both commands, Slurm 24.05.
package slurm

import (
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

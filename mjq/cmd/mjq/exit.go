package main

import (
	"context"
	"errors"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/escape"
)

// Exit codes, which the help of the root explains.
const (
	failed      = 1
	badInput    = 2
	notMet      = 3
	temporary   = 75  // EX_TEMPFAIL of sysexits.h: the same command may succeed later
	interrupted = 130 // 128 and the number of SIGINT, as shells have it
)

// failure is an error with its exit code.
type failure struct {
	code int
	error
}

// input marks an error as one of the command line or of a file; nil stays nil, and an
// interrupt is no fault of either.
func input(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return failure{badInput, err}
}

// coded is an error of what a command does: a failure of the computation unless it says
// otherwise. What cobra finds wrong before is an error of the command line.
func coded(ctx context.Context, err error) error {
	var coded failure
	var asked *check.Setting
	switch {
	case err == nil || errors.As(err, &coded):
		return err
	case errors.As(err, &asked):
		return input(err)
	case ctx.Err() != nil:
		return failure{interrupted, errors.New("interrupted before there was an answer")}
	}
	return failure{failed, err}
}

// exitCode is that of an error of the tree of commands.
func exitCode(err error) int {
	var coded failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &coded):
		return coded.code
	}
	return badInput
}

// message is an error without the name of the package, which the command has in common
// with it. Errors name what stands in files.
func message(err error) string { return escape.Lines(strings.TrimPrefix(err.Error(), "mjq: ")) }

package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
)

// Migrate is what becomes of a job whose server fails where jobs move to other servers at no cost:
// those that run are the longest beginning of the queue that fits on the servers that are up. No work
// is lost. It is no preemption of [Priority].
const Migrate Preemption = "migrate"

// Checkpoint says what becomes of a job whose server fails. The job goes back to its last checkpoint,
// one of which it writes after each Every of work. The others apply to every value of How.
type Checkpoint struct {
	Every     float64    `json:"every,omitempty"`     // work between two checkpoints
	Cost      float64    `json:"cost,omitempty"`      // time that a checkpoint takes, during which the job holds its servers
	Recovery  float64    `json:"recovery,omitempty"`  // time at the beginning of every run but the first; a failure during it begins it again
	Detection float64    `json:"detection,omitempty"` // time for which a job holds its servers after a failure, before it gives them back or goes on
	How       Preemption `json:"how,omitempty"`       // "" for checkpoints; or resume, restart, resampled, drop or migrate, without Every and Cost
	Shrink    bool       `json:"shrink,omitempty"`    // a job that changes its size goes on with the servers it has left, if they are at least its least
}

// Aftermath says what becomes of a job whose server fails: a [Checkpoint], or one of Resume, Restart,
// Resampled, Drop and [Migrate].
type Aftermath interface{ After() Checkpoint }

// After returns the checkpoint itself.
func (c Checkpoint) After() Checkpoint { return c }

// After returns how a job goes on after a failure, without recovery and detection.
func (p Preemption) After() Checkpoint { return Checkpoint{How: p} }

// aftermaths are the words for what becomes of a job.
var aftermaths = append(slices.Clone(preemptions), string(Migrate))

// Validate returns all that is wrong, each with its remedy.
func (c Checkpoint) Validate() error {
	var f check.Faults
	if c.How == "" {
		f.That(c.Every > 0 && !math.IsInf(c.Every, 1), "Every %v: the work between two checkpoints must be positive and finite; without checkpoints say restart", c.Every)
	} else {
		f.That(slices.Contains(aftermaths, string(c.How)), "%q is not known; choose %s, or a checkpoint", string(c.How), strings.Join(aftermaths, ", "))
		f.That(c.Every == 0 && c.Cost == 0, "%s with Every %v and Cost %v: a checkpoint decides how the job goes on; leave one of them out", c.How, c.Every, c.Cost)
	}
	for _, x := range []struct {
		name string
		time float64
	}{{"Cost", c.Cost}, {"Recovery", c.Recovery}, {"Detection", c.Detection}} {
		f.That(x.time >= 0 && !math.IsInf(x.time, 1), "%s %v: give a finite time, not negative", x.name, x.time)
	}
	f.That(!c.Shrink || c.How != Migrate, "migrate with Shrink: a job that moves goes on with as many servers; leave one of them out")
	f.That(c.How != Drop && c.How != Migrate || c.Recovery == 0, "%s with Recovery %v: such a job does not begin again; leave it out", c.How, c.Recovery)
	f.That(c.How != Migrate || c.Detection == 0, "migrate with Detection %v: the jobs move at once; leave it out", c.Detection)
	return errors.Join(f.List()...)
}

// shrinks is how Shrink is written on the command line, in small letters.
const shrinks = ".shrink()"

// String is how it is written on the command line: Checkpoint(every, cost, recovery, detection), or
// a word with recovery and detection, both without zeros at the end, and with .Shrink() behind them for
// jobs that shrink.
func (c Checkpoint) String() string {
	if c.Shrink {
		c.Shrink = false
		return c.String() + ".Shrink()"
	}
	name, list := "Checkpoint", []float64{c.Every, c.Cost, c.Recovery, c.Detection}
	if c.How != "" {
		name, list = string(c.How), list[2:]
	}
	for len(list) > 0 && list[len(list)-1] == 0 {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return name
	}
	var parts []string
	for _, x := range list {
		parts = append(parts, strconv.FormatFloat(x, 'g', -1, 64))
	}
	return name + "(" + strings.Join(parts, ",") + ")"
}

// ParseCheckpoint reads what String writes, capitals aside.
func ParseCheckpoint(text string) (c Checkpoint, err error) {
	how := strings.TrimSpace(text)
	if n := len(how) - len(shrinks); n >= 0 && strings.EqualFold(how[n:], shrinks) {
		how, c.Shrink = how[:n], true
	}
	name, args, given := strings.Cut(how, "(")
	to := []*float64{&c.Every, &c.Cost, &c.Recovery, &c.Detection}
	if name = strings.ToLower(strings.TrimSpace(name)); name != "checkpoint" {
		c.How, to = Preemption(name), to[2:]
	}
	if given {
		inside, closed := strings.CutSuffix(args, ")")
		list := strings.Split(inside, ",")
		if !closed || len(list) > len(to) {
			return c, fmt.Errorf("%q: write Checkpoint(every,cost,recovery,detection), or restart(recovery,detection)", text)
		}
		for i, x := range list {
			if *to[i], err = strconv.ParseFloat(strings.TrimSpace(x), 64); err != nil {
				return c, fmt.Errorf("%q: %q is not a number; write Checkpoint(2.5,0.083,0.167)", text, x)
			}
		}
	}
	if err := c.Validate(); err != nil {
		return c, fmt.Errorf("%s: %w", text, err)
	}
	return c, nil
}

// plainCheckpoint is a Checkpoint without methods.
type plainCheckpoint Checkpoint

// MarshalJSON writes a word, or an object where there are times.
func (c Checkpoint) MarshalJSON() ([]byte, error) {
	if c.How != "" && c == c.How.After() {
		return json.Marshal(c.How)
	}
	return json.Marshal(plainCheckpoint(c))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Checkpoint) UnmarshalJSON(data []byte) error {
	var word Preemption
	if json.Unmarshal(data, &word) == nil {
		*c = word.After()
		return nil
	}
	var in plainCheckpoint
	if faults := check.Members("after", data, in); len(faults) > 0 {
		return errors.Join(faults...)
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*c = Checkpoint(in)
	return nil
}

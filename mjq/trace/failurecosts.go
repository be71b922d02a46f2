package trace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/spec"
)

// FailureCosts is what failing nodes cost while a log was written.
type FailureCosts struct {
	// Causes are those of lost server-hours, the largest first.
	Causes []FailureCause
	// Policy is that of the two replays with the failures of the log; "" if it does not say when nodes were down.
	// Waiting is the mean wait then, Spare the same log with one more node, kept free until one fails, against that.
	Policy  string
	Waiting float64
	Spare   *Outcome
}

// FailureCause is a cause of lost server-hours.
type FailureCause struct {
	Name  string  // NODE_FAIL of runs that a failing node ended, else the reason why nodes were down
	Times int     // runs, or outages of servers of one node
	Hours float64 // server-hours: that these runs held, of which jobs without checkpoints kept nothing, or that servers were down
	Runs  bool    // of runs, whose time comes to that of the servers
}

// mostCauses is how many causes have a row of their own.
const mostCauses = 6

// failureCosts says what failures cost. It is nil where the log has none.
func (q *whatIf) failureCosts(given Replay) (*FailureCosts, error) {
	c := &FailureCosts{Causes: q.causes(given.Failures)}
	if len(c.Causes) == 0 {
		return nil, nil
	}
	if len(given.Failures) == 0 {
		return c, nil
	}
	how := q.base.how.Replay
	how.Failures, how.After, how.Crews, how.Spares = given.Failures, given.After, given.Crews, given.Spares
	if how.After == nil {
		how.After = policy.Resume
	}
	was, err := q.run(Scenario{Name: "with its failures", Replay: how})
	if err != nil && q.ctx.Err() == nil { // a policy that takes back no jobs
		how.Policy = policy.EASY()
		was, err = q.run(Scenario{Name: "with its failures", Replay: how})
	}
	if err != nil {
		return c, err
	}
	more, ok := how.spare()
	if !ok {
		return c, nil
	}
	x, err := q.run(Scenario{Name: "one more spare node", Replay: more})
	if err != nil {
		return c, err
	}
	o := q.outcome(x, was)
	o.Result = nil
	c.Policy, c.Waiting, c.Spare = was.how.Policy.String(), q.outcome(was, was).Waiting.Value, &o
	return c, nil
}

// spare is a replay with failures and one more node, which jobs leave free. False on nodes of several kinds.
func (how Replay) spare() (Replay, bool) {
	if len(how.Nodes) > 1 {
		return how, false
	}
	if len(how.Nodes) == 1 {
		how.Nodes = []spec.Nodes{{Count: how.Nodes[0].Count + 1, Units: how.Nodes[0].Units}}
		how.Spares++
		return how, true
	}
	n := wide(how.Failures)
	how.Servers, how.Spares = how.Servers+n, how.Spares+n
	return how, true
}

// wide is how many servers a node has: the fewest that follow each other and fail at one time.
func wide(list []Failure) int {
	fewest := math.MaxInt
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].Time == list[from].Time && list[to].Server == list[to-1].Server+1 && list[to].Repair == list[from].Repair {
			to++
		}
		fewest, from = min(fewest, to-from), to
	}
	return fewest
}

// causes are those of runs that ended as a node failed, and of servers that were down.
func (q *whatIf) causes(list []Failure) (causes []FailureCause) {
	if runs := q.t.Failed; len(runs) > 0 {
		c := FailureCause{Name: "NODE_FAIL", Times: len(runs), Runs: true}
		for i := range runs {
			c.Hours += float64(runs[i].Need) * runs[i].Service / 3600
		}
		causes = append(causes, c)
	}
	down := map[string]*FailureCause{}
	servers := max(1, wide(list))
	for _, x := range list {
		name := cmp.Or(cause(x.Cause), "no reason given")
		c := down[name]
		if c == nil {
			c = &FailureCause{Name: name}
			down[name] = c
		}
		c.Times++
		c.Hours += x.Repair / 3600
	}
	var rest []FailureCause
	for _, c := range down {
		if c.Times = c.Times / servers; c.Hours > 0 {
			rest = append(rest, *c)
		}
	}
	slices.SortFunc(rest, func(a, b FailureCause) int {
		return cmp.Or(cmp.Compare(b.Hours, a.Hours), strings.Compare(a.Name, b.Name))
	})
	if len(rest) > mostCauses {
		other := FailureCause{Name: spec.Count(len(rest)-mostCauses+1, "other reason")}
		for _, c := range rest[mostCauses-1:] {
			other.Times, other.Hours = other.Times+c.Times, other.Hours+c.Hours
		}
		rest = append(rest[:mostCauses-1:mostCauses-1], other)
	}
	return append(causes, rest...)
}

// cause is a reason without what Slurm adds to it: who gave it and when.
func cause(reason string) string {
	reason, _, _ = strings.Cut(reason, " [")
	return strings.TrimSpace(reason)
}

// lines are what failures cost in sentences.
func (c *FailureCosts) lines(a *Advice) (list []string) {
	var parts []string
	down := 0.
	for _, x := range c.Causes {
		if x.Runs {
			list = append(list, fmt.Sprintf("Failing nodes ended %s, which had held %s server-hours. Work since the last checkpoint of these jobs was lost.", spec.Count(x.Times, "run"), grouped(x.Hours)))
			continue
		}
		down += x.Hours
		parts = append(parts, fmt.Sprintf("%s for %q (%s)", grouped(x.Hours), x.Name, spec.Count(x.Times, "outage")))
	}
	if len(parts) > 0 {
		list = append(list, fmt.Sprintf("Servers were down for %s hours: %s.", grouped(down), strings.Join(parts, ", ")))
	}
	switch {
	case c.Spare != nil:
		list = append(list, fmt.Sprintf("In a replay with these failures under %s jobs wait %s on average. One more node, kept free until one fails, would have changed that by %s.",
			c.Policy, a.Unit.Text(c.Waiting), a.change(c.Spare)))
	case len(parts) == 0:
		list = append(list, "The log does not say for how long nodes were down: give --failures to learn what one more spare node would have saved.")
	}
	return list
}

package trace

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/policy"
	"github.com/mjqueue/mjq/mjq/result"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Failure is a failure of a server, or of a node, at a time of the log. A failure of a server that is
// down is ignored.
type Failure struct {
	Time   float64
	Server int     // from 0
	Repair float64 // time until it is back; 0: it stays up, and the job that it held is interrupted
	Cause  string  // as a log tells it; it changes nothing
}

// away reports whether servers are away at times: they fail or are reserved.
func (q *Replay) away() bool { return len(q.Failures)+len(q.Reserve) > 0 }

// reserveFaults says what is wrong with the reservations.
func (q *replay) reserveFaults(f *check.Faults) {
	for i := range q.Reserve {
		r := &q.Reserve[i]
		r.Faults(f, q.Servers)
		for n := 0; q.log != nil && n < len(q.log.Jobs) && r.Every > 0 && !r.Hard; n++ {
			if j := &q.log.Jobs[n]; j.Need+r.Servers > q.Servers && j.Service > r.Every-r.Length {
				f.Add("Reserve: job %d runs for %v, longer than the %v between two windows, and would never start; use Hard, or leave such jobs out", n, j.Service, r.Every-r.Length)
				break
			}
		}
	}
}

// failureFaults says what is wrong with the failures.
func (q *replay) failureFaults(f *check.Faults) {
	if !q.away() {
		f.That(q.After == nil && q.Crews == 0 && q.Spares == 0, "After, Crews and Spares without Failures: no server fails; give Failures, or leave them out")
		return
	}
	f.That(q.log != nil, "Failures and Reserve need the whole log: read it with ReadSacct, ReadSWF or ReadCSV")
	f.That(len(q.Units)+len(q.Partitions) == 0, "Failures and Reserve along with Units or Partitions: which server is away is then not told; replay the jobs of one partition with Servers or Nodes")
	f.That(q.Sleep == nil, "Failures and Reserve along with Sleep: which servers sleep is then not told; leave one of them out")
	q.reserveFaults(f)
	servers := q.failing()
	for i, x := range q.Failures {
		f.That(x.Server >= 0 && x.Server < max(1, servers), "Failures[%d]: server %d; give one from 0 to %d", i, x.Server, servers-1)
		f.That(!math.IsNaN(x.Time) && !math.IsInf(x.Time, 0), "Failures[%d]: time %v; give a finite one", i, x.Time)
		f.That(x.Repair >= 0 && !math.IsInf(x.Repair, 1), "Failures[%d]: repair %v; give a finite time, not negative", i, x.Repair)
	}
	f.That(q.Crews >= 0, "Crews(%d): give at least 1, or 0 for any number", q.Crews)
	f.That(q.Spares >= 0 && q.Spares < max(1, servers), "Spares(%d): give from 0 to %d", q.Spares, servers-1)
	f.That(q.Spares == 0 || len(q.Nodes) < 2, "Spares(%d): nodes of several kinds do not replace each other; leave it out", q.Spares)
	if q.After != nil {
		if err := q.After.After().Validate(); err != nil {
			f.Add("After: %w", err)
		}
		f.That(!q.After.After().Shrink || len(q.Elastic) > 0, "After: Shrink without Elastic: no job of the log can run on fewer servers; add Elastic, or leave Shrink out")
		f.That(q.After.After().How != policy.Resampled, "After: a log has no distribution to draw a new service from; choose restart")
		f.That(q.After.After().How != policy.Migrate || q.Policy == nil && len(q.Nodes) == 0, "After: jobs that migrate are first come, first served on one pool; leave out Policy and Nodes")
	}
	if usable := q.usable(); q.log != nil && q.Spares > 0 {
		for i := range q.log.Jobs {
			if need := q.log.Jobs[i].Need; need > usable {
				f.Add("Spares(%d): job %d needs %d of the %d that jobs may hold together and would never start; give fewer spares", q.Spares, i, need, usable)
				break
			}
		}
	}
	if p := q.Policy; p != nil {
		f.That(!p.Properties().Preemptive, "policy %v along with Failures: it counts on all servers; choose FCFS, FirstFit or EASY", p)
	}
}

// failing is how many servers, or nodes, may fail.
func (q *replay) failing() (n int) {
	if len(q.Nodes) == 0 {
		return q.Servers
	}
	for _, k := range q.Nodes {
		n += k.Count
	}
	return n
}

// usable is how many servers, or units of nodes, jobs may hold together.
func (q *replay) usable() int {
	if len(q.Nodes) == 1 {
		return (q.Nodes[0].Count - q.Spares) * q.Nodes[0].Units
	}
	return q.Servers - q.Spares
}

// failed are the servers that fail, as the event engine has them; nil without failures.
func (q *replay) failed(classes int) *compiled.Failing {
	if !q.away() {
		return nil
	}
	f := &compiled.Failing{Servers: q.failing(), Usable: q.usable(), Crews: cmp.Or(q.Crews, q.failing())}
	for _, x := range q.Failures {
		f.Given = append(f.Given, compiled.Outage{Time: x.Time, Server: x.Server, Repair: x.Repair})
	}
	f.Bookings = problem.Bookings(q.Reserve)
	slices.SortStableFunc(f.Given, func(a, b compiled.Outage) int { return cmp.Compare(a.Time, b.Time) })
	after := policy.Restart.After()
	if q.After != nil {
		after = q.After.After()
	}
	f.After = slices.Repeat([]policy.Checkpoint{after}, max(1, classes))
	return f
}

// lostNote says what failures cost, by cause.
func (q *replay) lostNote(h *history) []string {
	if !q.away() {
		return nil
	}
	x := h.hours
	held := x.Kept + x.Checkpoints + x.Recovery + x.Detection + x.Lost + x.Resizing
	share := func(part float64) string { return fmt.Sprintf("%.3g %%", 100*part/held) }
	return []string{fmt.Sprintf("Jobs held servers for work that failures undid in %s of that time, for checkpoints in %s, for recovery in %s and for detection in %s.",
		share(x.Lost), share(x.Checkpoints), share(x.Recovery), share(x.Detection))}
}

// takesBack says what keeps the policy from taking back jobs of a part, which it serves.
func (p *scheduled) takesBack(one *part) error {
	if !p.away() || one.validate(p.policy) != nil {
		return nil
	}
	x := one.system(p.policy)
	x.Failing = p.failed(len(one.needs))
	if err := policy.Validate(p.policy, x.Seen(p.policy)); err != nil {
		return err
	}
	if policy.TakesBack(p.policy.Scheduler(x.Seen(p.policy))) {
		return nil
	}
	return fmt.Errorf("policy %v along with Failures: it has no place for jobs that return to its queue; choose FCFS, FirstFit, a Backfill, Window, MostServersFirst, LeastServersFirst or a Priority that preempts nobody", p.policy)
}

// sleepFaults says what is wrong with servers that sleep.
func (q *replay) sleepFaults(f *check.Faults) {
	s := &spec.Spec{Servers: q.Servers, Policy: q.Policy, Sleep: q.Sleep, Awake: q.Awake, Watts: q.Watts}
	s.SleepFaults(f)
	f.That(q.Sleep == nil || len(q.Units)+len(q.Partitions)+len(q.Nodes) == 0, "Sleep is for servers of one pool that are alike; leave out Units, Partitions and Nodes")
	f.That(q.Watts == nil || len(q.Units) == 0, "Watts count servers that are alike, and units of several types are not; leave the Watts out")
}

// energy fills in what the servers use.
func (q *replay) energy(a *account, h *history, r *result.Result) {
	if q.Sleep != nil {
		r.Energy.On, r.Energy.Setup = result.Exact(h.on/h.span, "trace"), result.Exact(h.setup/h.span, "trace")
	}
	if w := q.Watts; w != nil && r.Utilization.Known() {
		n := float64(q.Servers)
		busy := result.Exact(n*r.Utilization.Value, "trace")
		r.Energy.Spend(n, busy, result.Exact(float64(a.jobs)/h.span, "trace"), [4]float64{w.Busy, w.Idle, w.Setup, w.Asleep})
	}
}

package spec

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/internal/panics"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Failure is a kind of failure of servers, or of nodes where units lie on nodes. Each server has a
// clock of each kind, which stands still while the server is down.
type Failure struct {
	Name      string
	Up        law.Law // time from which a clock runs down
	Repair    law.Law // time for which the server is then down; a repair of length 0 only interrupts the job
	WhileBusy bool    // the clock runs only while a job holds the server, from the beginning each time
	Notice    float64 // time from a warning to the failure; a job whose checkpoint takes no longer writes one
	Lemons    float64 // share of the servers that fail Factor times as often
	Factor    float64
}

// Reservation takes servers away from the jobs for some time.
type Reservation struct {
	Start   float64 `json:"start"`
	Length  float64 `json:"length"`
	Servers int     `json:"servers"`
	Every   float64 `json:"every,omitempty"` // time from one start to the next; 0: once
	Hard    bool    `json:"hard,omitempty"`  // jobs are hit at the start, as by a failure; else a job starts only if it is expected to end in time
}

// Fails reports whether servers fail.
func (s *Spec) Fails() bool { return len(s.Failures) > 0 }

// Away reports whether servers are away at times: they fail, or are reserved or spare.
func (s *Spec) Away() bool { return s.Fails() || s.Spares > 0 || len(s.Reservations) > 0 }

// Interrupts reports whether failures only interrupt jobs, which then hold their servers for a time
// that depends on nothing else. Servers fail after exponential times and are back at once, and the
// queue is first come, first served on one pool.
func (s *Spec) Interrupts() bool {
	if !s.Fails() || s.OnNodes() || s.Spares > 0 || len(s.Reservations) > 0 || !s.FirstCome() || s.Impatient() || s.HasUsers() || s.Resizes() {
		return false
	}
	for i := range s.Failures {
		x := &s.Failures[i]
		if _, ok := law.ExponentialRate(x.Up); !ok || x.Repair.Mean() > 0 || x.Notice > 0 || x.Lemons > 0 {
			return false
		}
	}
	for i := range s.Classes {
		if how := s.AfterFailure(i).How; how == policy.Drop || how == policy.Migrate {
			return false
		}
	}
	return true
}

// Failing is how many servers may fail: on nodes, the number of nodes.
func (s *Spec) Failing() int {
	if s.OnNodes() {
		return s.NodeCount()
	}
	return s.Servers
}

// RepairCrews is how many servers are repaired at once at most.
func (s *Spec) RepairCrews() int {
	if s.Crews != nil {
		return min(*s.Crews, s.Failing())
	}
	return s.Failing()
}

// AfterFailure is what becomes of a job of a class whose server fails: it begins again, unless the
// class says otherwise.
func (s *Spec) AfterFailure(class int) policy.Checkpoint {
	if after := s.Classes[class].After; after != nil {
		return *after
	}
	return policy.Restart.After()
}

// Usable is how many servers jobs may hold together: all but the spare ones. On nodes it counts units.
func (s *Spec) Usable() int {
	if len(s.Nodes) == 1 {
		return (s.NodeCount() - s.Spares) * s.Nodes[0].Units
	}
	return s.Servers - s.Spares
}

// failureFaults says what is wrong with servers that are away at times.
func (s *Spec) failureFaults(f *check.Faults) {
	names := map[string]bool{}
	for i := range s.Failures {
		x := &s.Failures[i]
		at := fmt.Sprintf("Failures %q", x.Name)
		f.That(x.Name != "", "Failures: kind %d has no name; give one, such as hardware", i+1)
		f.That(x.Name == "" || !names[x.Name], "%s: the name is taken by an earlier kind; give each its own", at)
		names[x.Name] = true
		x.faults(f, at)
	}
	if crews := s.Crews; crews != nil {
		f.That(*crews >= 1, "Crews(%d): nothing would be repaired; give at least 1, or leave it out for as many as servers", *crews)
		f.That(s.Fails(), "Crews(%d) without Failures: there is nothing to repair; add Failures, or leave it out", *crews)
	}
	shrinks := slices.ContainsFunc(s.Classes, func(c Class) bool { return c.After != nil && c.After.Shrink })
	f.That(!shrinks || slices.ContainsFunc(s.Classes, func(c Class) bool { return c.After != nil && c.After.Shrink && c.Elastic != nil && !c.Elastic.Partial }),
		"After(...).Shrink() without Elastic: no job that shrinks can run on fewer servers; add Elastic to its class, or leave Shrink out")
	hit := s.Fails() || slices.ContainsFunc(s.Reservations, func(r Reservation) bool { return r.Hard })
	for i := range s.Classes {
		if c := &s.Classes[i]; c.After != nil {
			at := fmt.Sprintf("class %d %q: After(%v)", i+1, c.Name, *c.After)
			if err := c.After.Validate(); err != nil {
				f.Add("%s: %w", at, err)
			}
			f.That(hit, "%s without Failures: no job is hit; add Failures, or leave it out", at)
		}
	}
	s.spareFaults(f)
	s.reservationFaults(f)
	if !s.Away() {
		return
	}
	f.That(!s.Identities() && !s.AsPrinted, "Failures, Spares and Reserve are for servers that are alike and for nodes; leave out named servers, random assignment and AsPrinted")
	f.That(len(s.Resources) == 0 || s.OnNodes(), "Failures, Spares and Reserve count servers that are alike, and units of several types are not; put them on nodes by NodesOf")
	f.That(!s.Keeps(), "Failures, Spares and Reserve along with Keep: both keep servers free; leave one of them out")
	migrates := slices.ContainsFunc(s.Classes, func(c Class) bool { return c.After != nil && c.After.How == policy.Migrate })
	f.That(!migrates || s.FirstCome(), "After(migrate): jobs that move are those at the beginning of the queue; leave the policy out, or choose another word")
}

// returningFaults says what is wrong with the policy, which is right in all else, for jobs that come
// back to its queue.
func (s *Spec) returningFaults(f *check.Faults) {
	if !s.Away() {
		return
	}
	const choices = "choose FCFS, FirstFit, a Backfill, Window, MostServersFirst, LeastServersFirst, or a Priority or Multifactor that preempts nobody, within EASY at most"
	if s.Policy.Properties().Preemptive {
		f.Add("policy %v along with Failures, Spares or Reserve: it counts on all servers; %s", s.Policy, choices)
		return
	}
	if takes := policy.TakesBack(s.Policy.Scheduler(s.PolicySystem().For(s.Policy))); !takes {
		f.Add("policy %v along with Failures, Spares or Reserve: it has no place for jobs that return to its queue; %s", s.Policy, choices)
	}
}

// faults says what is wrong with a kind of failure.
func (x *Failure) faults(f *check.Faults, at string) {
	timeFaults(f, at+": time up", x.Up, func(m float64) {
		f.That(m > 0, "%s: the time up is always 0, so that no server is ever up; give a law with a positive mean", at)
		f.That(!math.IsInf(m, 1), "%s: the time up %v has an infinite mean; give a law with a finite one, or leave this kind of failure out", at, x.Up)
	})
	timeFaults(f, at+": repair", x.Repair, func(m float64) {
		f.That(!math.IsInf(m, 1), "%s: the repair %v has an infinite mean, so that in the end all servers are down; give a law with a finite one", at, x.Repair)
	})
	f.That(x.Notice >= 0 && !math.IsInf(x.Notice, 1), "%s: Notice(%v): give a finite time, not negative", at, x.Notice)
	if x.Lemons != 0 || x.Factor != 0 {
		f.That(x.Lemons > 0 && x.Lemons <= 1, "%s: Lemons(%v, %v): the share of the servers must be in (0, 1]", at, x.Lemons, x.Factor)
		f.That(x.Factor > 0 && !math.IsInf(x.Factor, 1), "%s: Lemons(%v, %v): the factor must be positive and finite; with 1 the servers are alike", at, x.Lemons, x.Factor)
	}
}

// timeFaults says what is wrong with a law, and has its mean judged.
func timeFaults(f *check.Faults, at string, l law.Law, judge func(mean float64)) {
	if l == nil {
		f.Add("%s: no law given; use for example mjq.ExpMean(1)", at)
		return
	}
	err := panics.Call(func() {
		if err := l.Validate(); err != nil {
			f.Add("%s: %w", at, err)
			return
		}
		judge(l.Mean())
	})
	if err != nil {
		f.Add("%s: the law %T: %w", at, l, err)
	}
}

// spareFaults says what is wrong with the spare servers.
func (s *Spec) spareFaults(f *check.Faults) {
	if s.Spares == 0 {
		return
	}
	f.That(s.Spares > 0, "Spares(%d): a number of servers cannot be negative; give 0 or more", s.Spares)
	f.That(len(s.Nodes) <= 1, "Spares(%d): nodes of several kinds do not replace each other; leave it out, or describe nodes of one kind", s.Spares)
	for i := range s.Classes {
		if c := &s.Classes[i]; s.Spares > 0 && c.Need > s.Usable() && c.Need <= s.Servers {
			f.Add("Spares(%d): a job of class %q needs %d servers of the %d that jobs may hold together and would never start; give fewer spares", s.Spares, c.Name, c.Need, max(0, s.Usable()))
		}
	}
}

// reservationFaults says what is wrong with the reservations.
func (s *Spec) reservationFaults(f *check.Faults) {
	for i := range s.Reservations {
		r := &s.Reservations[i]
		f.That(r.Start >= 0, "Reserve%s: the start must be a finite time, not negative", r.args())
		r.Faults(f, s.Servers)
		for k := range s.Classes {
			c := &s.Classes[k]
			if c.Service == nil || r.Every <= r.Length || r.Hard || c.Need+r.Servers <= s.Servers {
				continue
			}
			share := 0.
			if err := panics.Call(func() { share = c.Service.Survival(r.Every - r.Length) }); err == nil && share > never {
				f.Add("Reserve%s: Every(%v): a share of %.3g of the jobs of class %q runs longer than the %v between two windows, would never start and would block the queue; use Hard(), or give a longer period", r.args(), r.Every, share, c.Name, r.Every-r.Length)
			}
		}
	}
	f.That(len(s.Reservations) == 0 || len(s.Resources) == 0, "Reserve counts servers that are alike, and units of several types are not; leave it out")
}

// never is a share of jobs that no run meets.
const never = 1e-15

// Faults says what is wrong with the reservation of some of so many servers. The start may be any time.
func (r *Reservation) Faults(f *check.Faults, servers int) {
	at := "Reserve" + r.args()
	f.That(!math.IsNaN(r.Start) && !math.IsInf(r.Start, 0), "%s: the start must be a finite time", at)
	f.That(r.Length > 0 && !math.IsInf(r.Length, 1), "%s: the length must be positive and finite", at)
	f.That(r.Servers >= 1 && r.Servers <= max(1, servers), "%s: give from 1 to %d servers", at, servers)
	f.That(r.Every == 0 || r.Every > 0 && !math.IsInf(r.Every, 1), "%s: Every(%v): the period must be positive and finite; leave it out for a reservation once", at, r.Every)
	f.That(!(r.Every > 0 && r.Length > r.Every), "%s: Every(%v): the reservation is longer than its period; make it shorter, or leave the servers out of the model", at, r.Every)
}

// args are the arguments that made the reservation.
func (r *Reservation) args() string { return fmt.Sprintf("(%v, %v, %d)", r.Start, r.Length, r.Servers) }

// failureText says how servers fail and are reserved, one line a kind; "" if they are always there.
func (s *Spec) failureText() string {
	var lines []string
	noun := "server"
	if s.OnNodes() {
		noun = "node"
	}
	for i := range s.Failures {
		lines = append(lines, s.Failures[i].text(noun))
	}
	var also []string
	if s.Crews != nil {
		also = append(also, Count(*s.Crews, "repair crew"))
	}
	if s.Spares > 0 {
		also = append(also, Count(s.Spares, "spare "+noun))
	}
	if len(also) > 0 {
		lines = append(lines, strings.Join(also, ", "))
	}
	for _, r := range s.Reservations {
		text := fmt.Sprintf("%s reserved from %v for %v", Count(r.Servers, "server"), r.Start, r.Length)
		if r.Every > 0 {
			text += fmt.Sprintf(", every %v", r.Every)
		}
		if r.Hard {
			text += ", hard"
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// text is a kind of failure in a line.
func (x *Failure) text(noun string) string {
	text := fmt.Sprintf("%s: a %s fails after %s", x.Name, noun, check.Brief(x.Up.String()))
	if x.WhileBusy {
		text += " while a job holds it"
	} else {
		text += ", busy or not"
	}
	if x.Repair.Mean() == 0 {
		text += "; it is back at once"
	} else {
		text += "; repair " + check.Brief(x.Repair.String())
	}
	if x.Notice > 0 {
		text += fmt.Sprintf("; notice %v", x.Notice)
	}
	if x.Lemons > 0 {
		text += fmt.Sprintf("; a share of %v fails %v times as often", x.Lemons, x.Factor)
	}
	return text
}

// failureForm is a kind of failure as it is written.
type failureForm struct {
	Name      string          `json:"name"`
	Up        json.RawMessage `json:"up" is:"the law of the time up, as {\"law\":\"ExpMean\",\"mean\":5250}"`
	Repair    json.RawMessage `json:"repair" is:"the law of the repair, as {\"law\":\"ExpMean\",\"mean\":48}"`
	WhileBusy bool            `json:"whileBusy,omitempty"`
	Notice    float64         `json:"notice,omitempty"`
	Lemons    float64         `json:"lemons,omitempty"`
	Factor    float64         `json:"factor,omitempty"`
}

// failures are the kinds of failure as they are written.
func (w *writer) failures(s *Spec) (list []failureForm) {
	for i := range s.Failures {
		x := &s.Failures[i]
		var f failureForm
		share(&f, x)
		at := fmt.Sprintf("failure %q", x.Name)
		f.Up, f.Repair = w.law(at+": time up", x.Up), w.law(at+": repair", x.Repair)
		list = append(list, f)
	}
	return list
}

// failures reads what writer.failures writes.
func (r *reader) failures(in []failureForm) (list []Failure) {
	for i := range in {
		var x Failure
		share(&x, &in[i])
		at := fmt.Sprintf("failure %q", x.Name)
		x.Up, x.Repair = r.law(at+": time up", in[i].Up), r.law(at+": repair", in[i].Repair)
		list = append(list, x)
	}
	return list
}

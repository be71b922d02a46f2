package policy

import (
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/internal/check"
)

// All is the Depth of a Backfill that reserves for every job that has to wait.
const All = -1

// Backfill lets jobs pass others that wait, as long as they delay none of the Depth
// reservations. In order of arrival, each job starts that can start now by plan. The first
// Depth of the others each get a reservation: the earliest time at which, by the estimates and
// the reservations made before, its servers are free for its whole estimate. The others wait
// without one. Depth 0 is FirstFit, 1 is EASY, All is conservative backfilling. Programs in
// production call it reservation depth (Flux) or backfill depth (PBS).
//
// Every pass makes all reservations again. A job past its estimate is expected to end now in
// every plan, and a job planned for now starts only if its servers are really free.
//
// On nodes a reservation is of certain nodes: the earliest time from which enough of them have
// room for the whole estimate, and of those nodes the ones that the placement prefers. A job
// starts where it can stay for its whole estimate. On several nodes a reservation may begin later
// than in one pool, because the same nodes must be free from its start to its end.
//
// EASY and conservative backfilling differ in fairness and not in principle: Mu'alem and
// Feitelson, IEEE TPDS 12 (2001).
type Backfill struct {
	Depth int       `json:"depth"`
	By    Estimates `json:"estimates,omitzero"`
	Kills bool      `json:"kill,omitempty"` // a job is killed once it has run for its estimate
}

// EASY is Backfill{Depth: 1}: only the head of the queue has a reservation. Source:
// Lifka, The ANL/IBM SP scheduling system, JSSPP 1995.
func EASY() Backfill { return Backfill{Depth: 1} }

// Conservative is Backfill{Depth: All}: every job that waits has a reservation.
func Conservative() Backfill { return Backfill{Depth: All} }

// Estimates is the policy with other estimates; exact ones are the default.
func (p Backfill) Estimates(e Estimates) Backfill {
	p.By = e
	return p
}

// Kill is the policy that ends a job once it has run for its estimate.
func (p Backfill) Kill() Backfill {
	p.Kills = true
	return p
}

func init() {
	register(Backfill{}, EASY(), Conservative(), Backfill{Depth: 4}.Estimates(Factor(2).Rounded(10)).Kill(),
		EASY().Estimates(Given()), EASY().Estimates(UniformFactor(1.5)))
}

// String is the name: "EASY", "Conservative" or "Backfill(4)", with what differs from
// the default.
func (p Backfill) String() string {
	name := fmt.Sprintf("Backfill(%d)", p.Depth)
	switch p.Depth {
	case 1:
		name = "EASY"
	case All:
		name = "Conservative"
	}
	if p.By != (Estimates{}) {
		name += ".Estimates(" + p.By.String() + ")"
	}
	if p.Kills {
		name += ".Kill()"
	}
	return name
}

// Properties returns the properties of the policy.
func (p Backfill) Properties() Properties {
	return Properties{Estimates: p.Depth != 0 || p.Kills, Reservations: p.Depth, Given: p.By.Rule == FromJob && (p.Depth != 0 || p.Kills),
		Packs: true, InOrder: !p.Kills, Reserved: true, Types: Served, Nodes: Served}
}

// Limits is the rule of the estimates, and whether jobs are killed at theirs.
func (p Backfill) Limits() (rule Estimates, kill bool) { return p.By, p.Kills }

// Validate asks for a depth and for estimates that can be made.
func (p Backfill) Validate(System) error {
	return judge(p, func(f *check.Faults) {
		f.That(p.Depth >= All, "a depth of %d reservations; give 0 or more, or All", p.Depth)
		f.Join(p.By.validate())
	})
}

// Scheduler starts with an empty queue and no reservation. With several types of resources the plan
// has all of them. Where jobs return to the queue, more than one reservation is made from the queue at
// each pass. On nodes EASY finds its reservation without a plan, unless units may lie anywhere.
func (p Backfill) Scheduler(s System) Scheduler {
	anywhere := slices.ContainsFunc(s.Kinds, func(k Kind) bool { return k.Nodes == 0 })
	switch {
	case s.Booked || s.Fails && !s.Nodes && p.Depth != 0 && p.Depth != 1:
		return &booked{depth: p.Depth}
	case p.Depth == 0:
		return FirstFit{}.Scheduler(s)
	case p.Depth == 1 && s.Nodes && !anywhere:
		return newEasy(len(s.Kinds), new(nodesAhead))
	case s.Nodes:
		return &placedBackfill{depth: p.Depth}
	case p.Depth == 1:
		return newEasy(len(s.Kinds), newUnitsAhead(s))
	case p.Depth == All:
		return &conservative{agenda: newAgenda(s)}
	}
	return newHybrid(p.Depth, s)
}

// lines are the jobs that wait, by kind.
type lines []earliest

// Arrived puts a job into the line of its kind.
func (l lines) Arrived(_ *View, j *Job) { l[j.Kind].push(j) }

// take takes the job at a place out of its kind's line.
func (l lines) take(v *View, kind, at int) *Job {
	j := v.engine.Job(l[kind].jobs[at].id)
	l[kind].remove(at)
	return j
}

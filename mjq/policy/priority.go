package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
)

// Priority serves classes of jobs by levels. Levels[0] comes first; classes that no level
// names form the last one. Within a level jobs are in order of arrival. Its methods return
// changed copies.
//
// As it stands it is nonpreemptive and blocking: the queue is sorted by level and arrival,
// and a pass starts its head while that fits. A waiting job of a high level holds back all
// levels below it.
type Priority struct {
	Levels    [][]string // names of the classes by level, the first level first
	Preempts  Preemption // what becomes of a preempted job; "" if no job is preempted
	Passes    bool       // see Passing
	ExemptFor float64    // see Exempt
	Added     law.Law    // see Overhead; nil: nothing
	Inner     Policy     // see Within; nil: FCFS
}

// Preemption is what becomes of a job that is preempted.
type Preemption string

// The ways to go on after a preemption.
const (
	Resume    Preemption = "resume"    // the job goes on where it stopped
	Restart   Preemption = "restart"   // it begins again, with the same service
	Resampled Preemption = "resampled" // it begins again, with a new service drawn from the law of its class
	Drop      Preemption = "drop"      // it leaves
)

// preemptions are all of them.
var preemptions = []string{string(Resume), string(Restart), string(Resampled), string(Drop)}

func init() {
	register(Priority{}, Priority{}.Within(FirstFit{}), Priority{}.Within(EASY()), Priority{}.Passing(), Priority{}.Preemptive(Resume))
}

// Passing has every level go on with the servers that are free while a job of a level
// above does not fit. Lower levels may then delay higher ones, and jobs of small needs that
// never run out can starve large ones above them.
func (p Priority) Passing() Priority {
	p.Passes = true
	return p
}

// Preemptive has lower levels never delay higher ones. Every event decides again which jobs
// run. Level by level, in order of arrival, each job runs that fits on the remaining servers,
// until one of the level does not fit. Then the next level goes on with the rest. No job
// preempts one of its own level. Jobs that Drop has leave hold nobody back.
//
// On nodes, jobs of lower levels give way one by one, the last of the queue first, until the job
// has a place. Each of these jobs continues if it still fits and shares no node with a job of its
// level that stops. A job that stopped may continue on other nodes.
func (p Priority) Preemptive(how Preemption) Priority {
	p.Preempts = how
	return p
}

// Exempt keeps jobs from being preempted until they have run for t since their last start.
func (p Priority) Exempt(t float64) Priority {
	p.ExemptFor = t
	return p
}

// Overhead adds a time drawn from the law to the remaining service of a job at every
// preemption.
func (p Priority) Overhead(l law.Law) Priority {
	p.Added = l
	return p
}

// Within has another policy choose inside the order of the levels. FirstFit starts every
// job that fits. Backfill, with EASY and Conservative, makes its reservations in the order
// of level and arrival. MostServersFirst starts the largest job of a level that fits. With
// Preemptive, FirstFit, PreemptiveFirstFit's rule, MostServersFirst and ServerFilling act
// in each level on the servers that the levels above leave.
func (p Priority) Within(inner Policy) Priority {
	if inner == (FCFS{}) {
		inner = nil
	}
	p.Inner = inner
	return p
}

// String is how the policy is written on the command line:
// Priority(urgent;normal,debug).Preemptive(restart).
func (p Priority) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Priority(%s)", inLevels(p.Levels))
	if p.Preempts != "" {
		fmt.Fprintf(&b, ".Preemptive(%s)", p.Preempts)
	}
	if p.Passes {
		b.WriteString(".Passing()")
	}
	if p.ExemptFor != 0 {
		fmt.Fprintf(&b, ".Exempt(%g)", p.ExemptFor)
	}
	if p.Added != nil {
		fmt.Fprintf(&b, ".Overhead(%v)", p.Added)
	}
	if p.Inner != nil {
		fmt.Fprintf(&b, ".Within(%v)", p.Inner)
	}
	return b.String()
}

// inLevels writes levels: urgent;normal,debug.
func inLevels(levels [][]string) string {
	var list []string
	for _, names := range levels {
		list = append(list, strings.Join(names, ","))
	}
	return strings.Join(list, ";")
}

// Properties returns the properties of the policy.
func (p Priority) Properties() Properties {
	k := Properties{Preemptive: p.Preempts != "", Loses: p.Preempts != "" && (p.Preempts != Resume || p.Added != nil),
		Types: "its levels are for identical servers", Nodes: Served}
	if p.Preempts != "" && (p.Inner != nil || p.ExemptFor > 0) {
		k.Nodes = "on nodes, preemption is defined for first come, first served within the levels, without Within and Exempt"
	}
	k.Drops = p.Preempts == Drop
	k.Packs, k.InOrder, k.Passes = !k.Loses, true, p.Passes
	if p.Inner != nil {
		inner := p.Inner.Properties()
		_, estimates := p.Inner.(Backfill)
		k.Passes = p.Preempts == "" && !estimates
		k.Estimates, k.Given, k.Packs, k.InOrder = inner.Estimates, inner.Given, k.Packs && inner.Packs, inner.InOrder
	}
	return k
}

// Limits is those of the policy within the levels.
func (p Priority) Limits() (rule Estimates, kill bool) { return limitsOf(p.Inner) }

// limitsOf is the limits of a policy within another.
func limitsOf(inner Policy) (rule Estimates, kill bool) {
	if e, ok := inner.(Estimator); ok {
		return e.Limits()
	}
	return Estimates{}, false
}

// Validate asks that levels name each class once, and that the
// settings go together.
func (p Priority) Validate(s System) error {
	return judge(p, func(f *check.Faults) {
		seen := map[string]bool{}
		for level, list := range p.Levels {
			f.That(len(list) > 0, "level %d has no class; name one, or leave the level out", level)
			for _, name := range list {
				if seen[name] {
					f.Add("class %q is named twice; name it in one level", name)
				} else if !s.has(name) {
					f.Add("class %q is not in the model%s", name, check.OneOf(name, classNames(s)))
				}
				seen[name] = true
			}
		}
		f.That(p.Preempts != Resampled || !slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Service == nil }),
			"a log has no distribution to draw a new service from; choose restart")
		p.settings(f)
		if p.Inner != nil {
			p.inner(f)
			f.Join(p.Inner.Validate(s))
		}
	})
}

// settings says which settings are wrong, or wrong together.
func (p Priority) settings(f *check.Faults) {
	preempts := p.Preempts != ""
	f.That(!preempts || slices.Contains(preemptions, string(p.Preempts)), "preemption %q is not known; choose %s", string(p.Preempts), strings.Join(preemptions, ", "))
	f.That(p.ExemptFor >= 0 && !math.IsInf(p.ExemptFor, 1), "Exempt(%v): give a finite time, not negative", p.ExemptFor)
	f.That(preempts || !(p.ExemptFor > 0), "Exempt(%v) is about preempted jobs; add Preemptive(resume), or leave it out", p.ExemptFor)
	f.That(preempts || p.Added == nil, "Overhead(%v) is about preempted jobs; add Preemptive(resume), or leave it out", p.Added)
	f.That(p.Preempts != Drop || p.Added == nil, "Overhead(%v) is about jobs that go on, and preempted ones leave; leave it out", p.Added)
	f.That(!preempts || !p.Passes, "preemptive levels go on with what is left anyway; leave Passing() out")
	if p.Added != nil {
		if err := p.Added.Validate(); err != nil {
			f.Add("Overhead: %w", err)
		}
	}
}

// inner says what is wrong with the policy within the levels.
func (p Priority) inner(f *check.Faults) {
	choices := "FCFS, FirstFit, Backfill or MostServersFirst"
	known := false
	switch p.Inner.(type) {
	case FirstFit, MostServersFirst:
		known = true
	case Backfill:
		known = p.Preempts == ""
	case ServerFilling:
		known = p.Preempts != ""
		f.That(p.Preempts != Drop, "Within(ServerFilling): its front would change with every job that leaves; choose another preemption or FirstFit")
	}
	if p.Preempts != "" {
		choices = "FCFS, FirstFit, MostServersFirst or ServerFilling"
	}
	f.That(known, "Within(%v): levels that do not preempt take FCFS, FirstFit, Backfill or MostServersFirst, preemptive ones FCFS, FirstFit, MostServersFirst or ServerFilling; choose %s", p.Inner, choices)
	f.That(!p.Passes, "Within(%v) says who may pass whom; leave Passing() out", p.Inner)
	f.That(!(p.ExemptFor > 0), "Within(%v): Exempt is for FCFS within the levels; leave one of them out", p.Inner)
}

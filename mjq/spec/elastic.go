package spec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/policy"
)

// Elastic says on how many servers jobs of a class may run. The service time of the class is that on
// Need servers; on k servers it is longer by the speed of Need over that of k.
type Elastic struct {
	Partial bool  `json:"partial,omitempty"` // a job takes what is free when it starts, from Least to Need, and keeps it
	Least   int   `json:"least"`             // servers that must be free for a start
	Most    int   `json:"most,omitempty"`    // of an elastic job
	Speed   Speed `json:"speed"`
}

// Speed is how fast a job runs on k servers, against one: by a law with a parameter, or by a table. It
// also has what a change of size costs, and which sizes there are.
type Speed struct {
	Law   string    `json:"law"`                   // linear, power, amdahl or table
	X     float64   `json:"x,omitempty"`           // exponent, or share of the work that is done in parallel
	Table []float64 `json:"table,omitempty"`       // on 1, 2, ... servers
	Steep bool      `json:"superlinear,omitempty"` // twice the servers may be more than twice as fast
	Only  []int     `json:"sizes,omitempty"`       // sizes of an elastic job, ascending; nil: all from least to most
	Cost  float64   `json:"resize,omitempty"`      // time for which an elastic job stands still when its size changes
}

// The laws of speed.
const (
	LinearSpeed = "linear"
	PowerSpeed  = "power"
	AmdahlSpeed = "amdahl"
	TableSpeed  = "table"
)

// SuperLinear allows a speed that grows more than the number of servers, as by larger caches.
func (s Speed) SuperLinear() Speed {
	s.Steep = true
	return s
}

// Sizes restricts the sizes of elastic jobs, as to powers of two. The least size and the need must be among
// them.
func (s Speed) Sizes(sizes ...int) Speed {
	s.Only = slices.Clone(sizes)
	return s
}

// Resize has elastic jobs stand still for a time whenever their size changes, on their new servers. A change
// in that time begins it again.
func (s Speed) Resize(time float64) Speed {
	s.Cost = time
	return s
}

// On is the speed on k servers; NaN where a table has none.
func (s Speed) On(k int) float64 {
	n := float64(k)
	switch s.Law {
	case PowerSpeed:
		return math.Pow(n, s.X)
	case AmdahlSpeed:
		return 1 / (1 - s.X + s.X/n)
	case TableSpeed:
		if k < 1 || k > len(s.Table) {
			return math.NaN()
		}
		return s.Table[k-1]
	}
	return n
}

// String is the speed as it is said, such as Power(0.8).
func (s Speed) String() string {
	text := ""
	switch s.Law {
	case PowerSpeed:
		text = fmt.Sprintf("Power(%v)", s.X)
	case AmdahlSpeed:
		text = fmt.Sprintf("Amdahl(%v)", s.X)
	case TableSpeed:
		var parts []string
		for _, x := range s.Table {
			parts = append(parts, strconv.FormatFloat(x, 'g', -1, 64))
		}
		text = "Speeds(" + strings.Join(parts, ", ") + ")"
	default:
		text = "Linear()"
	}
	if s.Steep {
		text += ", superlinear"
	}
	if s.Only != nil {
		text += fmt.Sprintf(" in sizes %v", s.Only)
	}
	if s.Cost > 0 {
		text += fmt.Sprintf(", %v to resize", s.Cost)
	}
	return text
}

// Resizes reports whether jobs of some class may run on other numbers of servers than they need.
func (s *Spec) Resizes() bool {
	return slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Elastic != nil && c.Elastic.Least != c.Elastic.Largest(c.Need) })
}

// Least is the number of servers that must be free for a job of a class to start.
func (s *Spec) Least(class int) int {
	if e := s.Classes[class].Elastic; e != nil && e.Least >= 1 { // else it is at fault
		return e.Least
	}
	return s.Classes[class].Need
}

// Largest is the largest size of a job with a need.
func (e *Elastic) Largest(need int) int {
	if e.Partial {
		return need
	}
	return e.Most
}

// elasticFaults says what is wrong with classes of jobs that change their size.
func (s *Spec) elasticFaults(f *check.Faults) {
	elastic := slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Elastic != nil })
	if s.Oldest {
		f.That(elastic, "Oldest without Elastic: no job takes servers that are free; add Elastic, or leave it out")
	}
	if !elastic {
		return
	}
	f.That(len(s.Resources) == 0 && !s.OnNodes() && !s.Identities() && !s.AsPrinted, "Elastic and Partial are for servers that are alike in one pool; leave out nodes, types of resources, named servers and AsPrinted")
	f.That(s.Room == nil && !s.Impatient() && !s.Keeps(), "Elastic and Partial are for queues that serve all jobs; leave out Room, Loss, Keep and Patience")
	f.That(len(s.Reservations) == 0, "Elastic and Partial along with Reserve: no rule says yet how much of a window their jobs may plan with; leave one of them out")
	for i := range s.Failures {
		f.That(s.Failures[i].Notice == 0, "Failures %q: Notice along with Elastic or Partial: no rule says yet what jobs write that change their size; leave Notice out", s.Failures[i].Name)
	}
	if slices.ContainsFunc(s.Classes, func(c Class) bool { return c.After != nil && c.After.How == policy.Migrate }) {
		f.Add("After(migrate) along with Elastic or Partial: jobs that move hold what they need; say After(mjq.Resume).Shrink()")
	}
	for i := range s.Classes {
		if c := &s.Classes[i]; c.Elastic != nil && len(s.Resources) == 0 {
			c.Elastic.Faults(f, fmt.Sprintf("class %d %q: %s", i+1, c.Name, c.Elastic.text()), c.Need, s.Servers)
		}
	}
}

// resizingFaults says what is wrong with the policy, which is right in all else, for jobs that change their
// size.
func (s *Spec) resizingFaults(f *check.Faults) {
	if !s.Resizes() {
		return
	}
	f.Join(ResizesUnder(s.Policy, s.PolicySystem()))
}

// ResizesUnder says why a policy does not serve jobs that change their size.
func ResizesUnder(p policy.Policy, x policy.System) error {
	const choices = "choose FCFS, FirstFit, EASY, MostServersFirst, LeastServersFirst or a Priority that preempts nobody"
	known, kills := p.Properties(), false
	if e, ok := p.(policy.Estimator); ok {
		_, kills = e.Limits()
	}
	switch {
	case known.Preemptive:
		return fmt.Errorf("policy %v along with Elastic or Partial: it stops jobs, and elastic jobs give servers back in place of that; %s", p, choices)
	case kills:
		return fmt.Errorf("policy %v along with Elastic or Partial: it kills jobs at the estimate of a time that depends on their sizes; leave Kill out", p)
	case known.Remembers:
		return fmt.Errorf("policy %v along with Elastic or Partial: it charges users for what their jobs need, and these hold more or less; %s", p, choices)
	case known.Estimates && !policy.TakesBack(p.Scheduler(x.For(p))):
		return fmt.Errorf("policy %v along with Elastic or Partial: its plan of several reservations takes jobs to keep their size; %s", p, choices)
	}
	return nil
}

// Faults says what is wrong with the sizes and the speed of jobs with a need.
func (e *Elastic) Faults(f *check.Faults, at string, need, servers int) {
	most := e.Largest(need)
	f.That(e.Least >= 1, "%s: a job runs on %d servers at least; give at least 1", at, e.Least)
	f.That(e.Least <= need, "%s: least %d exceeds the need of %d, on which the service time is given; give at most that", at, e.Least, need)
	f.That(most >= need, "%s: most %d is less than the need of %d, on which the service time is given; give at least that", at, most, need)
	f.That(most <= servers, "%s: most %d exceeds the %d servers; give at most that", at, most, servers)
	f.That(e.Speed.Cost >= 0 && !math.IsInf(e.Speed.Cost, 1), "%s: the time to resize is %v; give a finite time, not negative", at, e.Speed.Cost)
	f.That(!e.Partial || e.Speed.Cost == 0 && e.Speed.Only == nil, "%s: a partial job keeps its size; leave out sizes and the time to resize, or use Elastic", at)
	if only := e.Speed.Only; len(only) > 0 {
		rising := slices.IsSorted(only) && len(slices.Compact(slices.Clone(only))) == len(only)
		f.That(rising, "%s: sizes %v: list each once, from the smallest to the largest", at, only)
		f.That(slices.Contains(only, e.Least) && slices.Contains(only, need), "%s: sizes %v: least %d and need %d must be among them", at, only, e.Least, need)
	}
	if e.Least >= 1 && most <= servers && e.Least <= most {
		e.Speed.faults(f, at, e.Least, most)
	}
}

// faults says what is wrong with a speed on some numbers of servers.
func (s Speed) faults(f *check.Faults, at string, least, most int) {
	switch s.Law {
	case LinearSpeed, TableSpeed:
	case PowerSpeed:
		f.That(s.X > 0 && (s.X <= 1 || s.Steep), "%s: %v: give an exponent in (0, 1], or say that it is superlinear", at, s)
	case AmdahlSpeed:
		f.That(s.X >= 0 && s.X <= 1, "%s: %v: give the share of the work that is done in parallel, from 0 to 1", at, s)
	default:
		f.Add("%s: speed law %q is not known; give linear, power, amdahl or table", at, s.Law)
		return
	}
	for k := least; k <= most; k++ {
		x := s.On(k)
		if math.IsNaN(x) || math.IsInf(x, 0) || x <= 0 {
			f.Add("%s: %v has no positive speed on %d servers; list it for 1 to %d", at, s, k, most)
			return
		}
		if k == least {
			continue
		}
		if y := s.On(k - 1); x < y*(1-1e-12) || x <= y && s.Law == TableSpeed {
			f.Add("%s: %v is slower on %d servers than on %d; a speed must rise", at, s, k, k-1)
			return
		} else if !s.Steep && x/float64(k) > y/float64(k-1)*(1+1e-12) {
			f.Add("%s: %v gains more from server %d than from those before; if that is meant, say that it is superlinear", at, s, k)
			return
		}
	}
}

// text is what was said of a class.
func (e *Elastic) text() string {
	if e.Partial {
		return fmt.Sprintf("Partial(least %d, %v)", e.Least, e.Speed)
	}
	return fmt.Sprintf("Elastic(%d to %d, %v)", e.Least, e.Most, e.Speed)
}

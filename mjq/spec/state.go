package spec

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/law"
)

// State is what is going on in a queue of identical servers at a moment: plain data. The
// zero value is the empty queue at the beginning of a period.
type State struct {
	At      float64   // time since the beginning of a period, for arrivals with a profile
	Running []Running // jobs in service
	Line    []string  // classes of the jobs that wait, in order of arrival
}

// Running are jobs of a class in service.
type Running struct {
	Class string
	Jobs  int     // 0 stands for 1
	Age   float64 // how long they have been in service; what remains then follows from the law of the class
	// Remaining is the law of what remains of their service, if that is known otherwise;
	// Deterministic for a time that is known. Each of the jobs has its own.
	Remaining law.Law
}

// Count is how many jobs they are.
func (r *Running) Count() int { return max(1, r.Jobs) }

// String is the state in words: "3 T1 running, line T15 T1".
func (s State) String() string {
	var parts []string
	for i := range s.Running {
		r := &s.Running[i]
		text := fmt.Sprintf("%d %s running", r.Count(), r.Class)
		switch {
		case r.Remaining != nil:
			text += fmt.Sprintf(" for another %v", r.Remaining)
		case r.Age > 0:
			text += fmt.Sprintf(" for %.6g", r.Age)
		}
		parts = append(parts, text)
	}
	if len(s.Line) > 0 {
		parts = append(parts, "line "+check.Shorten(strings.Join(s.Line, " ")))
	}
	if len(parts) == 0 {
		parts = append(parts, "an empty queue")
	}
	if s.At != 0 {
		parts = append(parts, fmt.Sprintf("at time %.6g of the period", s.At))
	}
	return strings.Join(parts, ", ")
}

// ClassIndex is the class of a name, -1 without one.
func (s *Spec) ClassIndex(name string) int {
	return slices.IndexFunc(s.Classes, func(c Class) bool { return c.Name == name })
}

// Known says which class a word may have meant, and which classes there are.
func (s *Spec) Known(word string) string {
	var names []string
	for _, c := range s.Classes {
		names = append(names, c.Name)
	}
	return check.OneOf(word, names)
}

// mostInState is how many jobs a state may have.
const mostInState = 1_000_000

// StateFaults says what keeps the queue from being in a state.
func (s *Spec) StateFaults(f *check.Faults, st *State) {
	f.That(st.At >= 0 && !math.IsInf(st.At, 1), "At: %v; give a finite time that is not negative", st.At)
	held, jobs := 0.0, float64(len(st.Line))
	for i := range st.Running {
		r := &st.Running[i]
		at := fmt.Sprintf("Running %d (%q)", i+1, r.Class)
		c := s.ClassIndex(r.Class)
		f.Asked(c >= 0, "%s: the model has no such class%s", at, s.Known(r.Class))
		f.That(r.Jobs >= 0, "%s: %d jobs; give at least 1, or 0 for one", at, r.Jobs)
		f.That(r.Age >= 0 && !math.IsInf(r.Age, 1), "%s: age %v; give a finite time that is not negative", at, r.Age)
		jobs += float64(r.Count())
		if c < 0 {
			continue
		}
		held += float64(r.Count()) * float64(s.Classes[c].Need)
		if r.Remaining != nil {
			f.That(r.Age == 0, "%s: both an age and the law of what remains; give one of them", at)
			if err := r.Remaining.Validate(); err != nil {
				f.Add("%s: %w", at, err)
			}
		} else if r.Age > 0 {
			f.That(s.Classes[c].Service.Survival(r.Age) > 0, "%s: no service %v lasts for %v; give a lower age, or the law of what remains", at, s.Classes[c].Service, r.Age)
		}
	}
	f.That(held <= float64(s.Servers), "the jobs that run hold %v servers of %d; let some of them wait", held, s.Servers)
	f.That(jobs <= mostInState, "the state has %v jobs; give at most %d", jobs, mostInState)
	for i, name := range st.Line {
		if s.ClassIndex(name) < 0 {
			f.Asked(false, "Line: job %d: the model has no class %q%s", i+1, name, s.Known(name))
			return
		}
	}
}

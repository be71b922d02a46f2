package planning

import (
	"fmt"
	"strings"

	"github.com/mjqueue/mjq/internal/check"
	"github.com/mjqueue/mjq/mjq/spec"
)

// Waits, slowdowns and costs of waiting are about the jobs that start. A queue that drops jobs
// meets any bound on them by dropping nearly all, so such a goal needs one that bounds the drops.

// drop is a way in which jobs are not served.
type drop struct {
	words   string // of the queue
	remedy  string // a goal that bounds it
	of      func(s *spec.Spec, class int) bool
	counted func(t Target) bool // whether the target bounds it
}

var drops = []drop{
	{"turns jobs away", "Blocked(share", func(s *spec.Spec, _ int) bool { return s.Room != nil }, func(t Target) bool { return t.Kind == Blocked || t.Kind == Within }},
	{"lets jobs give up", "Left(share", func(s *spec.Spec, class int) bool { return s.Classes[class].Patience != nil }, func(t Target) bool { return t.Kind == Left || t.Kind == Within }},
	{"lets jobs leave when the policy stops them", "Left(share", (*spec.Spec).Discards, func(t Target) bool { return t.Kind == Left }},
}

// dropFaults asks for bounds on drops beside the goals on waits, and beside costs of waiting.
func (q *Query) dropFaults(f *check.Faults) {
	for _, t := range q.Targets {
		if rows[t.Kind].served {
			q.bounded(f, t.call(), t.Class)
		}
	}
	if q.Costed && q.Costs.Wait > 0 {
		q.bounded(f, q.Costs.String(), "")
	}
}

// bounded asks that goals bound each way in which jobs of the class, or of any, are dropped.
func (q *Query) bounded(f *check.Faults, what, class string) {
	s := q.Problem.Spec
	for _, d := range drops {
		for i := range s.Classes {
			c := &s.Classes[i]
			if class != "" && c.Name != class || !d.of(s, i) || q.bounds(d, class, c) {
				continue
			}
			remedy, only := d.remedy+")", class != "" || !q.all(d)
			if only {
				remedy = fmt.Sprintf("%s, %q)", d.remedy, c.Name)
			}
			if d.counted(Target{Kind: Within}) {
				remedy += " or " + strings.Replace(remedy[strings.Index(remedy, "("):], "(share", "ServiceLevel(time, share", 1)
			}
			f.Add("%s: only jobs that are served count, and this queue %s, so that dropping nearly all of them would meet it; add the goal %s", what, d.words, remedy)
			break
		}
	}
}

// all reports whether the queue drops jobs of every class in this way.
func (q *Query) all(d drop) bool {
	for i := range q.Problem.Classes {
		if !d.of(q.Problem.Spec, i) {
			return false
		}
	}
	return true
}

// bounds reports whether a goal keeps jobs of a class from being dropped in this way. A goal for
// all jobs does so for those of a class if these are more than it lets be dropped.
func (q *Query) bounds(d drop, class string, c *spec.Class) bool {
	for _, t := range q.Targets {
		if !d.counted(t) {
			continue
		}
		dropped := t.Bound
		if t.Kind == Within {
			dropped = 1 - t.Bound
		}
		if t.Class == c.Name || t.Class == "" && (class == "" || dropped < c.Prob) {
			return true
		}
	}
	return false
}

package trace

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"github.com/mjqueue/mjq/internal/check"
)

// Grouping says which jobs of a log make a class. In a replay each job keeps its own need. In a
// model all jobs of a class need as many servers as the largest of them. This raises the load
// (compare OfferedLoad of the model and of the log), so waits err on the safe side.
type Grouping string

// These groupings say what jobs of a class share.
const (
	ByNeed      Grouping = ""        // the number of servers: T1, T2, ...
	PowersOfTwo Grouping = "powers"  // a need between two powers of two: T1, T2, T3-4, T5-8, ...
	ByClass     Grouping = "class"   // label and need: "label/need"
	ByLabel     Grouping = "label"   // the label alone, such as the QOS
	ByUser      Grouping = "user"    // the user; jobs whose user the log does not know are a class of their own
	ByAccount   Grouping = "account" // the account of the user, in the same way
)

// check says if there is no such grouping.
func (g Grouping) check(f *check.Faults) {
	f.That(slices.Contains([]Grouping{ByNeed, PowersOfTwo, ByClass, ByLabel, ByUser, ByAccount}, g),
		"Classes %q: use trace.ByNeed, trace.PowersOfTwo, trace.ByClass, trace.ByLabel, trace.ByUser or trace.ByAccount", string(g))
}

// group is a class of a trace: the highest need of its range, and the label.
type group struct {
	need  int
	label string
}

// of is the group of a job.
func (g Grouping) of(j *Job) group {
	switch g {
	case PowersOfTwo:
		return group{need: 1 << bits.Len(uint(j.Need-1))}
	case ByClass:
		return group{j.Need, j.Class}
	case ByLabel:
		return group{label: j.Class}
	case ByUser:
		return group{label: j.User}
	case ByAccount:
		return group{label: j.Account}
	}
	return group{need: j.Need}
}

// name is what the class of a group is called.
func (g Grouping) name(k group) string {
	switch {
	case g == PowersOfTwo && k.need > 2:
		return fmt.Sprintf("T%d-%d", k.need/2+1, k.need)
	case g == ByClass && k.label != "":
		return fmt.Sprintf("%s/%d", k.label, k.need)
	case g == ByLabel:
		return cmp.Or(k.label, "no label")
	case (g == ByUser || g == ByAccount) && k.label != "":
		return string(g) + " " + k.label
	case g == ByUser || g == ByAccount:
		return "no " + string(g)
	}
	return fmt.Sprintf("T%d", k.need)
}

// before orders groups by need, then by label, numbers by size.
func (k group) before(q group) int {
	a, _ := strconv.Atoi(k.label)
	b, _ := strconv.Atoi(q.label)
	return cmp.Or(cmp.Compare(k.need, q.need), cmp.Compare(a, b), cmp.Compare(k.label, q.label))
}

package trace

import (
	"cmp"
	"fmt"
	"math/bits"
	"strconv"
)

// grouping says which jobs of a trace make a class.
type grouping int

const (
	byNeed grouping = iota
	powersOfTwo
	byLabel
	byUser
)

// group is a class of a trace: the highest need of its range, and the label.
type group struct {
	need  int
	label string
}

// of is the group of a job.
func (g grouping) of(j *Job) group {
	switch g {
	case powersOfTwo:
		return group{need: 1 << bits.Len(uint(j.Need-1))}
	case byLabel:
		return group{j.Need, j.Class}
	case byUser:
		return group{label: j.User}
	}
	return group{need: j.Need}
}

// name is what the class of a group is called.
func (g grouping) name(k group) string {
	switch {
	case g == powersOfTwo && k.need > 2:
		return fmt.Sprintf("T%d-%d", k.need/2+1, k.need)
	case g == byLabel && k.label != "":
		return fmt.Sprintf("%s/%d", k.label, k.need)
	case g == byUser && k.label != "":
		return "user " + k.label
	case g == byUser:
		return "no user"
	}
	return fmt.Sprintf("T%d", k.need)
}

// before orders groups by need, then by label, numbers by size.
func (k group) before(q group) int {
	a, _ := strconv.Atoi(k.label)
	b, _ := strconv.Atoi(q.label)
	return cmp.Or(cmp.Compare(k.need, q.need), cmp.Compare(a, b), cmp.Compare(k.label, q.label))
}

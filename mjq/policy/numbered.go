package policy

import (
	"cmp"
	"slices"
)

// numbered are jobs in the order of their numbers.
type numbered []numberedJob

type numberedJob struct {
	number int64
	id     int32
	kind   int32
}

// at is the place of a number.
func (l numbered) at(number int64) int {
	i, _ := slices.BinarySearchFunc(l, number, func(j numberedJob, n int64) int { return cmp.Compare(j.number, n) })
	return i
}

// with has one more job.
func (l numbered) with(j *Job) numbered {
	return slices.Insert(l, l.at(j.Number), numberedJob{j.Number, j.ID, int32(j.Kind)})
}

// without has one fewer.
func (l numbered) without(j *Job) numbered {
	i := l.at(j.Number)
	return slices.Delete(l, i, i+1)
}

package policy

import "math"

// earliest is the jobs of one kind that wait, in order of arrival, with the shortest
// estimate of every stretch of them: a binary tree over the places of an array, whose
// leaf is +Inf where the job has gone. It finds the first job with an estimate
// that is short enough in O(log n). Its zero value is empty.
type earliest struct {
	jobs  []place
	tree  []float64 // tree[i] is the least of tree[2i] and tree[2i+1]; leaves from len(jobs) on
	first int       // place of the first that waits
	next  int       // place of the next to come
	count int
}

// place is a job that waits.
type place struct {
	number   int64
	estimate float64
	id       int32
	here     bool
}

func (e *earliest) push(j *Job) {
	if e.next == len(e.jobs) {
		e.compact()
	}
	e.jobs[e.next] = place{number: j.Number, estimate: j.Estimate, id: j.ID, here: true}
	e.set(e.next, j.Estimate)
	e.next++
	e.count++
}

// compact closes the gaps, in a longer array unless half of this one is free then.
func (e *earliest) compact() {
	old := e.jobs[e.first:e.next]
	if size := len(e.jobs); 2*e.count >= size {
		size = max(16, 2*size)
		e.jobs, e.tree = make([]place, size), make([]float64, 2*size)
	}
	n := 0
	for _, j := range old {
		if j.here {
			e.jobs[n] = j
			n++
		}
	}
	e.first, e.next = 0, n
	size := len(e.jobs)
	for i := range size {
		e.tree[size+i] = math.Inf(1)
		if i < n {
			e.tree[size+i] = e.jobs[i].estimate
		}
	}
	for i := size - 1; i > 0; i-- {
		e.tree[i] = min(e.tree[2*i], e.tree[2*i+1])
	}
}

func (e *earliest) set(at int, estimate float64) {
	i, tree := len(e.jobs)+at, e.tree
	tree[i] = estimate
	for least := estimate; i > 1; {
		if beside := tree[i^1]; beside < least { // min would also look for NaN
			least = beside
		}
		i >>= 1
		if tree[i] == least {
			return
		}
		tree[i] = least
	}
}

// at is the place of a number, in O(log n) comparisons.
func (e *earliest) at(number int64) int {
	lo, hi := e.first, e.next // numbers ascend
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; e.jobs[mid].number <= number {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// after is the place of the next job behind a place; -1 without one.
func (e *earliest) after(at int) int {
	for at++; at < e.next; at++ {
		if e.jobs[at].here {
			return at
		}
	}
	return -1
}

// remove takes the job at a place out.
func (e *earliest) remove(at int) {
	e.jobs[at].here = false
	e.set(at, math.Inf(1))
	if e.count--; e.count == 0 {
		e.first, e.next = 0, 0
		return
	}
	for !e.jobs[e.first].here {
		e.first++
	}
}

// find is the first place from a given one on whose job ends by the limit if it starts
// now; -1 without one. The limit must be finite.
func (e *earliest) find(from int, now, limit float64) int {
	if e.count == 0 || !(now+e.tree[1] <= limit) || from >= e.next {
		return -1
	}
	i := len(e.jobs) + from
	for !(now+e.tree[i] <= limit) {
		for i&1 == 1 { // the right child of its parent: on to what follows that
			if i >>= 1; i <= 1 {
				return -1
			}
		}
		i++
	}
	for i < len(e.jobs) {
		if i *= 2; !(now+e.tree[i] <= limit) {
			i++
		}
	}
	return i - len(e.jobs)
}

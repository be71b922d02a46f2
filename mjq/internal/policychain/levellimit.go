package policychain

import (
	"context"
	"fmt"
)

// LevelLimit is the largest rate of the jobs of a kind with which they are stable under a
// priority, the rates of the others being those of the system. With preemption those above
// do not notice them, and what they leave on average decides. Without, of two kinds, the
// second is stable up to the rate at which it is served if it never runs out. That is found
// to about 1e-10. It fails with *Undetermined where neither holds or the kinds above are not
// stable, with *chain.TooLarge where a chain takes more than so many bytes, and with the error of
// ctx.
func (q *Queue) LevelLimit(ctx context.Context, kind int, bytes float64) (float64, error) {
	if _, preempts := q.rule.(inOrder); preempts {
		return q.preemptiveLimit(ctx, kind, bytes)
	}
	w, ok := walkOf(q)
	if !ok || kind != 1 {
		return 0, &Undetermined{fmt.Sprintf("no criterion is known for level %d of %d without preemption", kind, len(q.kinds))}
	}
	w.most = MaxDense
	d, err := newDrifts(ctx, w)
	if err != nil {
		return 0, err
	}
	above, zero := d.sides[0].reaches(d.classes[0])
	drift, err := d.sides[0].drift(ctx, q.rate, above, zero)
	if err != nil {
		return 0, &Undetermined{fmt.Sprintf("the first level is not stable while the second never runs out: %v", err)}
	}
	return q.rate*q.kinds[kind].prob - drift, nil
}

// preemptiveLimit is LevelLimit with preemption.
func (q *Queue) preemptiveLimit(ctx context.Context, kind int, bytes float64) (float64, error) {
	need, mean := q.kinds[kind].need, q.meanService(kind)
	if kind == 0 {
		return float64(q.servers/need) / mean, nil
	}
	before := make([]int, kind)
	for i := range before {
		before[i] = i
	}
	room, err := q.room(ctx, before, need, q.rate, bytes)
	return room / mean, err
}

// meanService is the mean service of the jobs of a kind.
func (q *Queue) meanService(kind int) (mean float64) {
	for _, c := range q.classes {
		if c.kind == kind && c.prob > 0 {
			mean += c.part * c.mean
		}
	}
	return mean
}

// Kinds is how many kinds of jobs there are.
func (q *Queue) Kinds() int { return len(q.kinds) }

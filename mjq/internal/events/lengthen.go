package events

import (
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/result"
)

// lengthens says whether the run goes on until Enough says so.
func (p *Plan) lengthens() bool { return p.Batches > 1 && p.Enough != nil }

// lengthen goes on batch by batch until Enough says so. Whenever there are twice
// as many batches as planned, neighbours are joined, so that batches get longer
// and less correlated as the run does, and memory does not grow (Law and Carson,
// Operations Research 27, 1979).
func (r *recorder) lengthen(stop *atomic.Bool, tick func(jobs int64)) {
	o := r.out
	for b := int64(0); r.batch(stop, b, tick); b++ {
		done := len(o.batches) * o.size
		if r.Enough(done, func() result.Estimate { return r.mean(o.batches) }) {
			return
		}
	}
}

// join makes one batch of every two, of which there must be an even number.
func (o *outcome) join() {
	n := len(o.batches) / 2
	for i := range n {
		one, two := o.batches[2*i], &o.batches[2*i+1]
		one.add(two.classes, &two.area)
		o.batches[i] = one
	}
	o.batches = o.batches[:n]
	o.size *= 2
}

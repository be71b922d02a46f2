package events

import (
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/replicate"
	"github.com/mjqueue/mjq/mjq/result"
)

// sizes are what is added up of the jobs of a class in a batch, where some change their size.
type sizes struct{ work, ran, held, resizes float64 }

// add adds a job.
func (z *sizes) add(j *Record) {
	z.work += j.Work
	z.ran += j.held()
	z.held += j.Held
	z.resizes += float64(j.Resizes)
}

func (z *sizes) merge(o *sizes) {
	z.work += o.work
	z.ran += o.ran
	z.held += o.held
	z.resizes += o.resizes
}

// sized estimates the sizes of jobs, by class and of all.
func (p *Plan) sized(res *Result, batches []batch) {
	type sizing struct {
		sizes
		jobs, responses float64
	}
	some, all := make([]sizing, len(batches)), make([]sizing, len(batches))
	tell := func(t *estimate.Tally, of []sizing, alone int) {
		ratio := func(kind estimate.Kind, num, den func(x *sizing) float64) result.Estimate {
			return replicate.RatioOf(kind, of, num, den, t.Waiting.Worth, p.Level, p.method())
		}
		if t.Stretch = ratio(estimate.Amount, func(x *sizing) float64 { return x.responses }, func(x *sizing) float64 { return x.work }); alone > 0 {
			t.Size, t.Resizes = result.Exact(float64(alone), p.method()), result.Exact(0, p.method())
			return
		}
		t.Size = ratio(estimate.Amount, func(x *sizing) float64 { return x.held }, func(x *sizing) float64 { return x.ran })
		t.Resizes = ratio(estimate.Events, func(x *sizing) float64 { return x.resizes }, func(x *sizing) float64 { return x.jobs })
	}
	total := p.ofAll(batches)
	for b := range all {
		all[b].jobs, all[b].responses = total[b].N, total[b].Of[estimate.Response].X
	}
	for c := range p.Classes {
		for b := range batches {
			s := &batches[b].classes[c]
			some[b] = sizing{batches[b].sizes[c], s.N, s.Of[estimate.Response].X}
			all[b].merge(&some[b].sizes)
		}
		alone := 0 // the only size of its jobs
		if p.Elastic.Of[c] == 0 {
			alone = p.Needs[c]
		}
		tell(&res.Classes[c], some, alone)
	}
	tell(&res.All, all, 0)
}

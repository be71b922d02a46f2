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
	some, all := make([]sizes, len(batches)), make([]sizes, len(batches))
	jobs, responses := make([]float64, len(batches)), make([]float64, len(batches))
	tell := func(t *estimate.Tally, of []sizes, alone int, sums func(b int) *sums) {
		for b := range batches {
			jobs[b], responses[b] = sums(b).N, sums(b).Of[estimate.Response].X
		}
		ratio := func(kind estimate.Kind, num, den func(b int) float64) result.Estimate {
			x, y := make([]float64, len(of)), make([]float64, len(of))
			for b := range of {
				x[b], y[b] = num(b), den(b)
			}
			return replicate.Ratio(kind, x, y, t.Waiting.Worth, p.Level, p.method())
		}
		if t.Stretch = ratio(estimate.Amount, func(b int) float64 { return responses[b] }, func(b int) float64 { return of[b].work }); alone > 0 {
			t.Size, t.Resizes = result.Exact(float64(alone), p.method()), result.Exact(0, p.method())
			return
		}
		t.Size = ratio(estimate.Amount, func(b int) float64 { return of[b].held }, func(b int) float64 { return of[b].ran })
		t.Resizes = ratio(estimate.Events, func(b int) float64 { return of[b].resizes }, func(b int) float64 { return jobs[b] })
	}
	for c := range p.Classes {
		for b := range batches {
			some[b] = batches[b].sizes[c]
			all[b].merge(&some[b])
		}
		alone := 0 // the only size of its jobs
		if p.Elastic.Of[c] == 0 {
			alone = p.Needs[c]
		}
		tell(&res.Classes[c], some, alone, func(b int) *sums { return &batches[b].classes[c] })
	}
	total := p.ofAll(batches)
	tell(&res.All, all, 0, func(b int) *sums { return &total[b] })
}

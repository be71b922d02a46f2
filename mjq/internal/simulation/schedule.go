package simulation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/problem"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// schedule follows the jobs under any policy. It ends at the arrival of the job after the
// last, but lets others arrive, as many again at most, until the jobs shown have left: a
// policy may let these start first.
func (q *pathPlan) schedule(ctx context.Context, p *problem.Problem, input *stream.Source, out *result.Path) error {
	report, total := q.o.Throttled(), q.warmUp+q.jobs
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	out.From, out.To = q.span(&stop, input.Reader(0).Until(&stop))
	sim := events.New(*p.Compiled())
	seats, left := sim.Sit(), total
	out.Nodes = seats.First()
	sim.Recorded = func(r *events.Record) {
		j := seats.Job(r)
		if r.Number >= total || stop.Load() {
			return
		}
		left--
		if r.Number >= q.warmUp || j.End > out.From {
			out.Jobs = append(out.Jobs, j)
		}
	}
	sim.Replicate(input.Reader(0).Until(&stop))
	var err error
	for n := int64(0); left > 0 && n < 2*total+fewestFollowed; n += 64 {
		if ctx.Err() != nil {
			err = errors.Join(fmt.Errorf("Path: interrupted after %d of %d jobs", total-left, total), context.Cause(ctx))
			break
		}
		sim.Until(n)
		if report != nil {
			report(float64(min(n, total)), float64(total))
		}
	}
	out.Complete, out.Closed = left == 0, true
	slices.SortFunc(out.Jobs, func(a, b result.PathJob) int { return cmp.Compare(a.Number, b.Number) })
	started := 0.0
	for i := range out.Jobs {
		j := &out.Jobs[i]
		j.Head = min(j.Start, max(j.Arrival, started))
		started = max(started, j.Start)
	}
	if report != nil && err == nil {
		report(float64(total), float64(total))
	}
	return err
}

// fewestFollowed is how many jobs may come at least after those that are shown.
const fewestFollowed = 10_000

// span is the arrival times of the first job shown and of the one after the last.
func (q *pathPlan) span(stop *atomic.Bool, reader *stream.Reader) (from, to float64) {
	var in [64]stream.Job
	total := q.warmUp + q.jobs
	for first := int64(0); first < total && !stop.Load(); first += int64(len(in)) {
		reader.Fill(in[:], first)
		for i := range in[:min(int64(len(in)), total-first)] {
			if first+int64(i) == q.warmUp {
				from = to
			}
			to += in[i].Gap
		}
	}
	return from, to
}

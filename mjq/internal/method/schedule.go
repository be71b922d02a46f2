package method

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/events"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// schedule follows the jobs under any policy. It ends at the arrival of the job after the
// last, but lets others arrive, as many again at most, until the jobs shown have left: a
// policy may let these start first.
func (q *pathPlan) schedule(ctx context.Context, p *Problem, input *stream.Source, out *result.Path) error {
	report, total := q.o.throttled(), q.warmUp+q.jobs
	out.From, out.To = q.span(input.Reader(0))
	var needs []int
	for _, c := range p.Classes {
		needs = append(needs, c.Need)
	}
	sim := events.NewScheduled(p.Servers, p.Policy, needs)
	seats := &seats{taken: make([]bool, p.Servers), held: map[int64][]result.Stretch{}, keeps: p.Policy.Known().Preemptive, total: total}
	left := total
	sim.Seizes, sim.Served = seats.seize, seats.release
	sim.Recorded = func(r *events.Record) {
		if r.Number >= total {
			return
		}
		left--
		if j := seats.job(r); r.Number >= q.warmUp || j.End > out.From {
			out.Jobs = append(out.Jobs, j)
		}
	}
	sim.Replicate(input.Reader(0))
	var err error
	for n := int64(0); left > 0 && n < 2*total+fewestFollowed; n += 64 {
		if ctx.Err() != nil {
			err = errors.Join(fmt.Errorf("path: interrupted after %d of %d jobs", total-left, total), context.Cause(ctx))
			break
		}
		sim.Until(n)
		if report != nil {
			report(float64(min(n, total)), float64(total))
		}
	}
	out.Complete = left == 0
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
func (q *pathPlan) span(reader *stream.Reader) (from, to float64) {
	var in [64]stream.Job
	total := q.warmUp + q.jobs
	for first := int64(0); first < total; first += int64(len(in)) {
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

// seats are the servers as jobs come and go; a job takes those of the lowest numbers.
type seats struct {
	taken []bool
	held  map[int64][]result.Stretch // by job; the last is the one that goes on
	keeps bool                       // stretches that are over, of the jobs before total
	total int64
}

// seize gives a job its servers.
func (s *seats) seize(n int64, need int) {
	seized := make([]int, 0, need)
	for k := 0; len(seized) < need; k++ {
		if !s.taken[k] {
			s.taken[k] = true
			seized = append(seized, k)
		}
	}
	s.held[n] = append(s.held[n], result.Stretch{Seized: seized})
}

// release takes them back.
func (s *seats) release(n int64, _ int32, _ int, from, to float64) {
	all := s.held[n]
	last := &all[len(all)-1]
	last.From, last.To = from, to
	for _, k := range last.Seized {
		s.taken[k] = false
	}
	if !s.keeps || n >= s.total {
		delete(s.held, n)
	}
}

// job is a job of the path that starts or, under a preemptive policy, leaves.
func (s *seats) job(r *events.Record) result.PathJob {
	all := s.held[r.Number]
	j := result.PathJob{Number: r.Number, Class: int(r.Class), Need: r.Need, Arrival: r.Arrival, Start: r.Start, End: r.End, Seized: all[0].Seized}
	if s.keeps {
		delete(s.held, r.Number)
		if len(all) > 1 {
			j.Stretches = all
		}
	}
	return j
}

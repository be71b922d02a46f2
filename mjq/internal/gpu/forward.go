package gpu

import (
	"context"
	"math"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/observe"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// Forward runs replications from an empty start; see [sampling.Device].
func (s *Sampler) Forward(ctx context.Context, first uint64, n int, warmUp, jobs int64) (*sampling.Recorded, error) {
	defer s.release(len(s.held))
	tasks := make([]cuda.Replication, n)
	for i := range tasks {
		tasks[i].Rep = first + uint64(i)
	}
	task, err := put(s, "tasks", tasks)
	if err != nil {
		return nil, err
	}
	saved, release, count, err := s.chains(1, n)
	if err != nil {
		return nil, err
	}
	row := observe.Recorded(s.classes, s.types)
	rec := &sampling.Recorded{Sums: make([]float64, row.Len()*n), HOL: make([]float64, n)}
	sums, err := put(s, "sums", rec.Sums)
	if err != nil {
		return nil, err
	}
	cells := make([]uint64, 2*s.classes*cuda.HistogramCells)
	histograms, err := put(s, "histograms", cells)
	if err != nil {
		return nil, err
	}
	total := warmUp + jobs
	err = s.drive(ctx, "mjq_forward", n, 1, []uint64{s.model, task, saved, release, count, sums, histograms, uint64(n), uint64(s.slots)},
		[]uint64{uint64(warmUp), uint64(total)}, func() (bool, error) {
			// All chains are at the same job.
			err := fetch(s, "tasks", tasks[:1], task)
			return tasks[0].At == total, err
		})
	if err == nil {
		err = fetch(s, "tasks", tasks, task)
	}
	if err == nil {
		err = fetch(s, "sums", rec.Sums, sums)
	}
	if err == nil {
		err = fetch(s, "histograms", cells, histograms)
	}
	if err != nil {
		return nil, err
	}
	for i := range tasks {
		rec.HOL[i] = tasks[i].Waste
	}
	s.rescale(rec.Sums, row, n)
	times(rec.HOL, s.unit)
	rec.Octave = math.Ilogb(s.unit)
	for ; len(cells) > 0; cells = cells[cuda.HistogramCells:] {
		rec.Cells = append(rec.Cells, cells[:cuda.HistogramCells])
	}
	return rec, nil
}

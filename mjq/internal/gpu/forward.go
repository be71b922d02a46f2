package gpu

import (
	"context"
	"math"
	"slices"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// recording is what forward runs have recorded, and where it lies on the device.
type recording struct {
	*sampling.Recorded
	tasks            []cuda.Replication
	cells            []uint64
	task             uint64
	sums, histograms uint64
	rows             uint64 // parts of the paths
	row, account     *sampling.Layout
}

// Forward runs replications from an empty start; see [sampling.Device].
func (s *Sampler) Forward(ctx context.Context, first uint64, n int, warmUp, jobs int64, parts int) (*sampling.Recorded, error) {
	defer s.release(len(s.held))
	r, err := s.recording(first, n, parts)
	if err != nil {
		return nil, err
	}
	saved, release, count, err := s.chains(1, n)
	if err != nil {
		return nil, err
	}
	kernel, noted := "mjq_forward", []uint64(nil)
	if parts > 0 {
		kernel, noted = "mjq_account", []uint64{r.rows, uint64((jobs + int64(parts) - 1) / int64(parts))}
	}
	until := func(ctx context.Context, total int64) error {
		return s.drive(ctx, kernel, n, 1, []uint64{s.model, r.task, saved, release, count, r.sums, r.histograms, uint64(n), uint64(s.slots)},
			append([]uint64{uint64(warmUp), uint64(total)}, noted...), func() (bool, error) {
				// All chains are at the same job.
				err := fetch(s, "tasks", r.tasks[:1], r.task)
				return r.tasks[0].At == total, err
			})
	}
	err = until(ctx, warmUp+jobs)
	if so := r.tasks[0].At; err != nil && ctx.Err() != nil && so-warmUp >= (jobs+sampling.Parts-1)/sampling.Parts {
		err = until(context.WithoutCancel(ctx), so) // no job more, but what is noted at the end
	}
	if err == nil {
		r.Jobs = r.tasks[0].At - warmUp
		err = s.collect(r, parts)
	}
	return r.Recorded, err
}

// recording reserves the memory for n replications.
func (s *Sampler) recording(first uint64, n, parts int) (*recording, error) {
	r := &recording{row: sampling.RecordedRow(s.classes, s.types), account: sampling.AccountRow(s.classes, s.types),
		tasks: make([]cuda.Replication, n), cells: make([]uint64, 2*s.classes*cuda.HistogramCells)}
	r.Recorded = &sampling.Recorded{Sums: make([]float64, r.row.Len()*n), HOL: make([]float64, n), Parts: make([]float64, parts*r.account.Len()*n)}
	for i := range r.tasks {
		r.tasks[i].Rep = first + uint64(i)
	}
	sums := len(r.Sums)
	if parts > 0 {
		sums = (r.account.Len() - 1) * n // the waste is in the tasks
	}
	var err error
	if r.task, err = put(s, "tasks", r.tasks); err != nil {
		return nil, err
	}
	if r.sums, err = put(s, "sums", make([]float64, sums)); err != nil {
		return nil, err
	}
	if parts > 0 {
		if r.rows, err = s.alloc("parts of paths", int64(8*len(r.Parts))); err != nil {
			return nil, err
		}
	}
	r.histograms, err = put(s, "histograms", r.cells)
	return r, err
}

// collect reads what has been recorded.
func (s *Sampler) collect(r *recording, parts int) error {
	if err := fetch(s, "tasks", r.tasks, r.task); err != nil {
		return err
	}
	if err := fetch(s, "sums", r.Sums, r.sums); err != nil {
		return err
	}
	if err := fetch(s, "histograms", r.cells, r.histograms); err != nil {
		return err
	}
	n := len(r.tasks)
	for i, t := range r.tasks {
		r.HOL[i] = t.Waste
		r.Turns = append(r.Turns, int(t.Turns))
	}
	s.rescale(r.Sums, r.row, n)
	times(r.HOL, s.unit)
	if parts > 0 {
		if err := fetch(s, "parts of paths", r.Parts, r.rows); err != nil {
			return err
		}
		for part := range slices.Chunk(r.Parts, r.account.Len()*n) {
			s.rescale(part, r.account, n)
		}
	}
	r.Octave = math.Ilogb(s.unit)
	for cells := range slices.Chunk(r.cells, cuda.HistogramCells) {
		r.Cells = append(r.Cells, cells)
	}
	return nil
}

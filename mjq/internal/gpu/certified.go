package gpu

import (
	"context"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// Certified runs one window for all replications; see [sampling.Device].
func (s *Sampler) Certified(ctx context.Context, reps []uint64, window, block int64, above float64) (*sampling.Squeezed, error) {
	defer s.release(len(s.held))
	n := len(reps)
	tasks := make([]cuda.Squeeze, n)
	for i, rep := range reps {
		tasks[i] = cuda.Squeeze{Rep: rep, Window: window, At: -window - block, Above: above / s.unit}
	}
	task, err := put(s, "tasks", tasks)
	if err != nil {
		return nil, err
	}
	saved, release, count, err := s.chains(2, n) // the lower ones, then the upper ones
	if err != nil {
		return nil, err
	}
	row := sampling.StateRow(s.classes, 0)
	res := &sampling.Squeezed{Met: make([]bool, n), Steps: make([]int64, n), Rows: make([]float64, row.Len()*n)}
	rows, err := s.alloc("samples", 8*int64(len(res.Rows)))
	if err != nil {
		return nil, err
	}
	err = s.drive(ctx, "mjq_certified", n, 2, []uint64{s.model, task, saved, release, count, rows, uint64(n), uint64(s.slots)}, nil,
		func() (bool, error) {
			// All chains are at the same job, but the joined ones get there sooner.
			if err := fetch(s, "tasks", tasks, task); err != nil {
				return false, err
			}
			for i := range tasks {
				if tasks[i].At < 0 {
					return false, nil
				}
			}
			return true, nil
		})
	if err != nil {
		return nil, err
	}
	for i := range tasks {
		res.Met[i], res.Steps[i] = tasks[i].State == cuda.Certified, tasks[i].Steps
	}
	err = fetch(s, "samples", res.Rows, rows)
	s.rescale(res.Rows, row, n)
	return res, err
}

package gpu

import (
	"context"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// Backward runs one window for all replications; see [sampling.Device].
func (s *Sampler) Backward(ctx context.Context, reps []uint64, window int64, before []float64) (*sampling.Met, error) {
	defer s.release(len(s.held))
	n := len(reps)
	tasks := make([]cuda.Window, n)
	for i, rep := range reps {
		tasks[i] = cuda.Window{Rep: rep, Window: window, At: -window}
		if before != nil {
			tasks[i].Doubles, tasks[i].Before = 1, before[i]/s.unit
		}
	}
	task, err := put(s, "tasks", tasks)
	if err != nil {
		return nil, err
	}
	saved, release, count, err := s.chains(2, n) // the long ones, then the short ones
	if err != nil {
		return nil, err
	}
	row := sampling.StateRow(s.classes, s.types)
	met := &sampling.Met{Kept: make([]bool, n), Changed: make([]bool, n), Steps: make([]int64, n),
		Rows: make([]float64, row.Len()*n)}
	rows, err := s.alloc("samples", 8*int64(len(met.Rows)))
	if err != nil {
		return nil, err
	}
	err = s.drive(ctx, "mjq_backward", n, 2, []uint64{s.model, task, saved, release, count, rows, uint64(n), uint64(s.slots)}, nil,
		func() (bool, error) {
			if err := fetch(s, "tasks", tasks, task); err != nil {
				return false, err
			}
			return through(tasks), nil
		})
	if err != nil {
		return nil, err
	}
	for i := range tasks {
		met.Kept[i], met.Changed[i] = tasks[i].State == cuda.Coupled, tasks[i].State == cuda.Changed
		met.Steps[i] = tasks[i].Steps
	}
	err = fetch(s, "samples", met.Rows, rows)
	s.rescale(met.Rows, row, n)
	return met, err
}

// through reports whether all chains have ended.
func through(tasks []cuda.Window) bool {
	for i := range tasks {
		if tasks[i].State == cuda.Running {
			return false
		}
	}
	return true
}

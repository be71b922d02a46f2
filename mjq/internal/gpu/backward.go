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
	met := &sampling.Met{Kept: make([]bool, n), Changed: make([]bool, n), Steps: make([]int64, n)}
	// The long chains, then the short ones.
	rows, err := windowed(ctx, s, "mjq_backward", tasks, sampling.StateRow(s.classes, s.types), func(t *cuda.Window) bool { return t.State == cuda.Running })
	if err != nil {
		return nil, err
	}
	met.Rows = rows
	for i := range tasks {
		met.Kept[i], met.Changed[i] = tasks[i].State == cuda.Coupled, tasks[i].State == cuda.Changed
		met.Steps[i] = tasks[i].Steps
	}
	return met, nil
}

// windowed runs pairs of chains up to job 0, by a task each, until none runs any more. It returns what
// they have seen there.
func windowed[T any](ctx context.Context, s *Sampler, kernel string, tasks []T, row *sampling.Layout, runs func(t *T) bool) (rows []float64, err error) {
	n := len(tasks)
	task, err := put(s, "tasks", tasks)
	if err != nil {
		return nil, err
	}
	saved, release, count, err := s.chains(2, n)
	if err != nil {
		return nil, err
	}
	rows = make([]float64, row.Len()*n)
	at, err := s.alloc("samples", 8*int64(len(rows)))
	if err != nil {
		return nil, err
	}
	err = s.drive(ctx, kernel, n, 2, []uint64{s.model, task, saved, release, count, at, uint64(n), uint64(s.slots)}, nil,
		func() (bool, error) {
			if err := fetch(s, "tasks", tasks, task); err != nil {
				return false, err
			}
			for i := range tasks {
				if runs(&tasks[i]) {
					return false, nil
				}
			}
			return true, nil
		})
	if err == nil {
		err = fetch(s, "samples", rows, at)
		s.rescale(rows, row, n)
	}
	return rows, err
}

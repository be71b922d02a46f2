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
	// The lower ones, then the upper ones. All chains are at the same job, but the joined ones get there sooner.
	rows, err := windowed(ctx, s, "mjq_certified", tasks, sampling.StateRow(s.classes, 0), func(t *cuda.Squeeze) bool { return t.At < 0 })
	if err != nil {
		return nil, err
	}
	res := &sampling.Squeezed{Met: make([]bool, n), Steps: make([]int64, n), Rows: rows}
	for i := range tasks {
		res.Met[i], res.Steps[i] = tasks[i].State == cuda.Certified, tasks[i].Steps
	}
	return res, nil
}

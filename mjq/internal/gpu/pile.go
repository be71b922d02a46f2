package gpu

import (
	"context"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// tower is where the towers of a pile lie between calls.
type tower struct {
	tasks, sums           uint64
	saved, release, count uint64
}

// Pile grows the towers; see [sampling.Device].
func (s *Sampler) Pile(ctx context.Context, n int, warmUp, to int64) (*sampling.Heights, error) {
	tasks := make([]cuda.Tower, n)
	row := sampling.GrowthRow(s.classes)
	all := make([]float64, (row.Len()+2*s.parts)*n)
	sums, heights := all[:row.Len()*n], all[row.Len()*n:]
	h := &sampling.Heights{Sums: sums, Base: heights[:s.parts*n], Now: heights[s.parts*n:]}
	if s.pile == nil {
		if err := s.found(tasks, all); err != nil {
			return nil, err
		}
	}
	p := s.pile
	err := s.drive(ctx, "mjq_pile", n, 1, []uint64{s.model, p.tasks, p.saved, p.release, p.count, p.sums, uint64(n), uint64(s.slots)},
		[]uint64{uint64(warmUp), uint64(to)}, func() (bool, error) {
			err := fetch(s, "tasks", tasks[:1], p.tasks)
			return tasks[0].At == to, err
		})
	if err != nil {
		return nil, err
	}
	err = fetch(s, "sums", all, p.sums)
	s.rescale(sums, row, n)
	times(heights, s.unit)
	return h, err
}

// found lays the towers' foundations.
func (s *Sampler) found(tasks []cuda.Tower, sums []float64) error {
	for i := range tasks {
		tasks[i].Rep = uint64(i)
	}
	var p tower
	var err error
	if p.tasks, err = put(s, "tasks", tasks); err != nil {
		return err
	}
	if p.sums, err = put(s, "sums", sums); err != nil {
		return err
	}
	if p.saved, p.release, p.count, err = s.chains(1, len(tasks)); err != nil {
		return err
	}
	s.pile = &p
	return nil
}

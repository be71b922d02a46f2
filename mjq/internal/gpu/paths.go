package gpu

import (
	"context"

	"github.com/mjqueue/mjq/kernels/cuda"
	"github.com/mjqueue/mjq/mjq/internal/sampling"
)

// lookBytes is about how much memory the looks of a launch take.
const lookBytes = 64 << 20

// course is a run of paths: what is asked, and where it lies on the device.
type course struct {
	*sampling.Paths
	show       func(path int, l *sampling.Look)
	tasks      []cuda.Path
	task, rows uint64
	seen       []float64 // the rows of a launch
	state      *sampling.Layout
	ledger     *sampling.Layout
	width      int
	looks      int // of a path in a launch
}

// Paths runs all paths; see [sampling.Device].
func (s *Sampler) Paths(ctx context.Context, p *sampling.Paths, show func(path int, l *sampling.Look)) ([]int64, error) {
	defer s.release(len(s.held))
	n := len(p.Reps)
	c := &course{Paths: p, show: show, tasks: make([]cuda.Path, n),
		state: sampling.StateRow(s.classes, s.types), ledger: sampling.LedgerRow(s.classes)}
	for i, rep := range p.Reps {
		c.tasks[i] = cuda.Path{Rep: rep, Half: p.From[i] / 2, By: p.By, To: p.Follow, At: p.From[i]}
		if p.Pairs {
			c.tasks[i].Pair = 1
		}
	}
	c.width = c.state.Len() + c.ledger.Len()
	if p.Pairs {
		c.width = 2 * c.state.Len()
	}
	c.looks = int(max(1, min(p.Follow/p.By+1, lookBytes/int64(8*c.width*n))))
	c.seen = make([]float64, c.looks*c.width*n)
	if err := s.along(ctx, c); err != nil {
		return nil, err
	}
	steps := make([]int64, n)
	for i := range steps {
		steps[i] = c.tasks[i].Steps
	}
	return steps, nil
}

// along takes the paths to their ends.
func (s *Sampler) along(ctx context.Context, c *course) error {
	n := len(c.tasks)
	var err error
	if c.task, err = put(s, "tasks", c.tasks); err != nil {
		return err
	}
	if c.rows, err = s.alloc("looks", int64(8*len(c.seen))); err != nil {
		return err
	}
	came, err := put(s, "accounts", make([]float64, c.ledger.Len()*n))
	if err != nil {
		return err
	}
	saved, release, count, err := s.chains(3, n) // the first ones, the second ones, and where the groups of one looked at are kept
	if err != nil {
		return err
	}
	return s.drive(ctx, "mjq_paths", n, 2, []uint64{s.model, c.task, saved, release, count, c.rows, uint64(n), uint64(s.slots)},
		[]uint64{came, uint64(c.looks)}, func() (bool, error) { return s.read(c) })
}

// read shows the looks of a launch.
func (s *Sampler) read(c *course) (over bool, err error) {
	if err := fetch(s, "tasks", c.tasks, c.task); err != nil {
		return false, err
	}
	over, most := true, 0
	for i := range c.tasks {
		over = over && c.tasks[i].State != cuda.Running
		most = max(most, int(c.tasks[i].Looks))
	}
	if most == 0 {
		return over, nil
	}
	n := len(c.tasks)
	if err := fetch(s, "looks", c.seen[:most*c.width*n], c.rows); err != nil {
		return false, err
	}
	row := make([]float64, c.width)
	for i := range c.tasks {
		for k := range int(c.tasks[i].Looks) {
			for q := range row {
				row[q] = c.seen[(k*c.width+q)*n+i]
			}
			c.show(i, s.observation(c, row))
		}
		c.tasks[i].Looks = 0
	}
	if err := s.driver.Upload(c.task, bytesOf(c.tasks)); err != nil {
		return false, s.fault("copying tasks", err)
	}
	return over, nil
}

// observation is a row in the caller's unit of time.
func (s *Sampler) observation(c *course, row []float64) *sampling.Look {
	at := c.state.Len()
	l := &sampling.Look{Long: row[:at]}
	s.rescale(l.Long, c.state, 1)
	if c.Pairs {
		l.Short = row[at:]
		s.rescale(l.Short, c.state, 1)
	} else {
		l.Came = row[at:]
		s.rescale(l.Came, c.ledger, 1)
	}
	return l
}

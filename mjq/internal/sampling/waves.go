package sampling

import (
	"context"
	"fmt"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
)

// A device works in waves of as many chains as it takes at once. Results are
// merged in the same order as on the cores.

// waves draws the batches in waves of whole batches. It returns the device's
// error, nil when ctx ended.
func (b *Backward) waves(ctx context.Context, tasks int, merge func(task int, part *batchPart) bool) error {
	batches := b.Device.Room() / b.Batch
	if batches == 0 && b.Samples > b.Device.Room() {
		return fmt.Errorf("AgreeTogether %d: the GPU takes %d chains of this model at once; use %d or fewer, or Device: mjq.CPU",
			b.Batch, b.Device.Room(), b.Device.Room())
	}
	return inWaves(ctx, tasks, max(1, batches), b.wave, merge)
}

// inWaves makes so many parts, a wave at a time, and merges them in their order until there are
// enough. It returns the device's error, nil when ctx ended.
func inWaves[P any](ctx context.Context, all, room int, wave func(ctx context.Context, first int, parts []P) error, merge func(i int, part *P) (enough bool)) error {
	parts := make([]P, min(room, all))
	for first := 0; first < all; first += room {
		now := parts[:min(room, all-first)]
		if err := wave(ctx, first, now); err != nil {
			return unlessEnded(ctx, err)
		}
		for i := range now {
			if merge(first+i, &now[i]) {
				return nil
			}
		}
	}
	return nil
}

// unlessEnded is the error, unless it is only that ctx ended.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// wave doubles the window of the batches that do not agree yet.
func (b *Backward) wave(ctx context.Context, first int, parts []batchPart) error {
	var active []int
	for i := range parts {
		p := &parts[i]
		*p = batchPart{samples: p.samples, count: min(b.Batch, b.Samples-(first+i)*b.Batch)}
		p.unsettled, p.window = p.count, b.Window
		p.grow(p.count, len(b.Needs), b.OfTypes())
		active = append(active, i)
	}
	for window := b.Window; len(active) > 0; window *= 2 {
		if err := b.round(ctx, first, parts, active, window); err != nil {
			return err
		}
		if window >= b.MaxWindow {
			return nil
		}
		still := active[:0]
		for _, i := range active {
			if parts[i].unsettled > 0 {
				still = append(still, i)
			}
		}
		active = still
	}
	return nil
}

// round runs one window for the active batches. In the first, no sample is held
// against one of half the window.
func (b *Backward) round(ctx context.Context, first int, parts []batchPart, active []int, window int64) error {
	var reps []uint64
	var before []float64
	var samples []*seen
	var of []*batchPart
	for _, i := range active {
		p := &parts[i]
		for j := range p.count {
			reps = append(reps, uint64((first+i)*b.Batch+j))
			samples, of = append(samples, &p.samples[j]), append(of, p)
			if window > b.Window {
				before = append(before, p.samples[j].work)
			}
		}
		p.window = window
		if window > b.Window {
			p.unsettled = 0
		}
	}
	met, err := b.Device.Backward(ctx, reps, window, before)
	if err != nil {
		return err
	}
	state := StateRow(len(b.Needs), b.OfTypes())
	for i, x := range samples {
		of[i].steps += met.Steps[i]
		if !met.Kept[i] {
			x.read(state, met.Rows, i, len(reps))
		}
		if before != nil && met.Changed[i] {
			of[i].unsettled++
		}
	}
	return nil
}

// read takes the sample of chain i of n.
func (x *seen) read(l *Layout, rows Rows, i, n int) {
	row := func(at int) float64 { return rows[at*n+i] }
	x.work = row(l.All(Workload))
	kinds := len(x.kinds) / len(x.wait)
	for c := range x.wait {
		x.wait[c], x.waste[c] = row(l.Class(Waiting, c)), row(l.Class(Waste, c))
		x.response[c] = row(l.Class(Response, c))
		for k := range kinds {
			x.kinds[c*kinds+k] = row(l.ClassKind(Waste, c, k))
		}
	}
}

// looks is how many replications a wave has when the interval decides on the
// next one.
const looks = 4096

// certifiedPart is one sample from a device.
type certifiedPart struct {
	now           seen
	window, steps int64
}

// reset makes the part ready for a sample.
func (p *certifiedPart) reset(classes int) {
	if p.now.wait == nil {
		p.now = newSeen(classes, 0)
	}
	p.window, p.steps = 0, 0
}

// waves draws the samples in waves. It returns the device's error, nil when ctx
// ended.
func (c *Certified) waves(ctx context.Context, res *BackwardResult, enough func() bool) error {
	room := c.Device.Room()
	if c.Enough != nil {
		room = min(room, looks)
	}
	if c.Follow > 0 {
		return c.followedWaves(ctx, min(room, followedAtOnce), res, enough)
	}
	batch := &batchPart{samples: make([]seen, 1), count: 1}
	return inWaves(ctx, c.Samples, room, c.wave, func(_ int, p *certifiedPart) bool {
		batch.samples[0], batch.window, batch.steps = p.now, p.window, p.steps
		c.merge(ctx, res, batch)
		return enough()
	})
}

// wave doubles the window of the samples whose chains have not met, which move
// together, so that the device has no idle threads between busy ones.
func (c *Certified) wave(ctx context.Context, first int, parts []certifiedPart) error {
	open := make([]int, len(parts))
	for i := range parts {
		parts[i].reset(len(c.Needs))
		open[i] = i
	}
	window, state := c.Window, StateRow(len(c.Needs), 0)
	for stage := 0; len(open) > 0; stage++ {
		reps := make([]uint64, len(open))
		for k, i := range open {
			reps[k] = uint64(first + i)
		}
		res, err := c.Device.Certified(ctx, reps, window, int64(c.Block), c.above(stage))
		if err != nil {
			return err
		}
		still := open[:0]
		for k, i := range open {
			p := &parts[i]
			p.window, p.steps = window, p.steps+res.Steps[k]
			if res.Met[k] {
				p.now.read(state, res.Rows, k, len(reps))
			} else {
				still = append(still, i)
			}
		}
		open = still
		window *= 2
	}
	return nil
}

// waves makes the replications and adds their histograms to the result. A wave
// counts whole, so a target may see more replications than on the cores. If ctx ends in the
// first one, the paths are as long as they have come: all have the same length, which no path
// has had a say in.
func (f *Forward) waves(ctx context.Context, res *ForwardResult, add func(sums [][]estimate.Batch, hol []float64, kinds [][]float64) (enough bool)) error {
	room := f.Device.Room()
	if f.Enough != nil {
		room = min(room, looks)
	}
	l, turns := RecordedRow(len(f.Needs), f.OfTypes()), 0
	if f.Controlled {
		turns = Parts
		room = min(room, looks, max(1, accountBytes/(8*Parts*AccountRow(len(f.Needs), f.OfTypes()).Len())))
	}
	for first := 0; first < f.Replications; first += room {
		n := min(room, f.Replications-first)
		rec, err := f.Device.Forward(ctx, uint64(first), n, f.WarmUp, f.Jobs, turns)
		if err != nil {
			return unlessEnded(ctx, err)
		}
		by := 1
		if rec.Jobs < f.Jobs {
			if first > 0 {
				return nil
			}
			f.Jobs, f.Replications = rec.Jobs, n
			by = max(1, n*turns/hastyParts)
		}
		reps, hol, kinds := make([][]estimate.Batch, n), make([]float64, n), make([][]float64, f.OfTypes())
		for k := range kinds {
			at := l.Kind(Waste, k)
			kinds[k] = rec.Sums[at*n : (at+1)*n]
			for i := range kinds[k] {
				kinds[k][i] /= float64(f.Jobs)
			}
		}
		zeros := make([][2]float64, len(f.Needs))
		for i := range reps {
			reps[i], hol[i] = make([]estimate.Batch, len(f.Needs)), rec.HOL[i]/float64(f.Jobs)
			for c := range reps[i] {
				at := func(q Quantity) float64 { return rec.Sums[l.Class(q, c)*n+i] }
				reps[i][c] = estimate.Batch{N: at(Jobs), X: at(Waiting), X2: at(Squared)}
				zeros[c][0] += at(NoWait)
				zeros[c][1] += at(NoResponse)
			}
		}
		for c := range res.Classes {
			res.Classes[c].Wait.AddCells(uint64(zeros[c][0]), rec.Cells[2*c], rec.Octave)
			res.Classes[c].Response.AddCells(uint64(zeros[c][1]), rec.Cells[2*c+1], rec.Octave)
		}
		for i := 0; f.Controlled && i < n; i++ {
			f.fit(res.Fit, rec, i, n, by)
		}
		if add(reps, hol, kinds) {
			return nil
		}
	}
	return nil
}

// growOn takes every tower up to job index to on the device.
func (p *Pile) growOn(ctx context.Context, towers []*tower, to int64) error {
	n := len(towers)
	h, err := p.Device.Pile(ctx, n, p.WarmUp, to)
	if err != nil {
		return err
	}
	l := GrowthRow(len(p.Needs))
	for i, t := range towers {
		t.at, t.base, t.height = to, nil, nil
		for part := i; part < len(h.Now); part += n {
			t.base, t.height = append(t.base, h.Base[part]), append(t.height, h.Now[part])
		}
		for c := range p.Needs {
			t.jobs[c], t.work[c] = h.Sums[l.Class(Jobs, c)*n+i], h.Sums[l.Class(Brought, c)*n+i]
		}
	}
	return nil
}

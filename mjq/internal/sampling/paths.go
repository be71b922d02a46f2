package sampling

import (
	"context"
	"math"
)

// Paths that a device has looked at are taken here as they are on the cores, look by
// look; only forward ones keep their account on the device.

const (
	// followedAtOnce is how many followed samples a wave has: each has histograms.
	followedAtOnce = 1024
	// accountBytes is how much memory the parts of controlled paths take in a wave.
	accountBytes = 256 << 20
	// hastyParts is of how many parts, of all paths, a run that has been stopped still learns
	// how much its controls tell.
	hastyParts = 8192
)

// read takes what came since the last look, in the layout of LedgerRow.
func (l *ledger) read(at *Layout, row []float64) {
	l.n, l.gap = 0, row[at.All(Between)]
	for c := range l.jobs {
		l.jobs[c], l.service[c] = row[at.Class(Jobs, c)], row[at.Class(Service, c)]
		l.n += l.jobs[c]
	}
}

// followedWaves draws the samples in waves and follows them. It returns the device's
// error, nil when ctx ended.
func (c *Certified) followedWaves(ctx context.Context, room int, res *BackwardResult, enough func() bool) error {
	starts := make([]certifiedPart, min(room, c.Samples))
	wave := func(ctx context.Context, first int, parts []followed) error {
		if err := c.wave(ctx, first, starts[:len(parts)]); err != nil {
			return err
		}
		return c.followAll(ctx, first, starts[:len(parts)], parts)
	}
	return inWaves(ctx, c.Samples, room, wave, func(_ int, part *followed) bool {
		part.count()
		part.merge(res, c.Probs, c.Workers)
		return enough()
	})
}

// followAll runs chains from where the lower one of a sample began: from job 0 on they
// are the same, to the last bit.
func (c *Certified) followAll(ctx context.Context, first int, starts []certifiedPart, parts []followed) error {
	p := &Paths{By: Spacing(c.Window, c.Follow), Follow: c.Follow}
	for i := range starts {
		parts[i].reset(len(c.Needs), c.by.number())
		parts[i].window, parts[i].steps = starts[i].window, starts[i].steps+c.Follow
		p.Reps = append(p.Reps, uint64(first+i))
		p.From = append(p.From, -(max(starts[i].window/4, block) &^ (block - 1)))
	}
	state, came := StateRow(len(c.Needs), 0), LedgerRow(len(c.Needs))
	_, err := c.Device.Paths(ctx, p, func(path int, l *Look) {
		part := &parts[path]
		part.now.read(state, l.Long, 0, 1)
		part.arrivals.read(came, l.Came)
		part.note(c.Probs, &c.by)
	})
	return err
}

// waves draws the samples in waves. It returns the device's error, nil when ctx ended.
func (u *Unbiased) waves(ctx context.Context, merge func(task int, part *unbiasedPart) bool) error {
	room := u.Device.Room()
	if u.Enough != nil {
		room = min(room, looks)
	}
	return inWaves(ctx, u.Samples, room, u.wave, merge)
}

// wave runs the first windows, and pairs of longer ones for as many samples as toss a
// coin for them.
func (u *Unbiased) wave(ctx context.Context, first int, parts []unbiasedPart) error {
	reader, coins := u.Input.Reader(0), make([]float64, len(parts))
	open := make([]int, len(parts))
	for i := range parts {
		parts[i].reset(len(u.Needs), u.OfTypes(), u.by.number())
		parts[i].steps, parts[i].window = 0, u.Window
		reader.Rewind(uint64(first + i))
		open[i], coins[i] = i, reader.Uniform()
	}
	weight := 1 / float64(1+u.Follow/Spacing(u.Window, u.Follow)) // of a look
	came := LedgerRow(len(u.Needs))
	err := u.along(ctx, first, parts, open, false, func(part *unbiasedPart, l *Look) {
		u.add(part, &part.now, weight)
		part.arrivals.read(came, l.Came)
		u.by.turnPage(&part.arrivals, part.now.mean(u.Probs))
	})
	for k := 0; err == nil; k++ {
		still := open[:0]
		for _, i := range open {
			if coins[i] < math.Exp2(-decay*float64(k)) {
				still = append(still, i)
				parts[i].window *= 2
			}
		}
		if open = still; len(open) == 0 {
			break
		}
		weight := weight * math.Exp2(decay*float64(k))
		err = u.along(ctx, first, parts, open, true, func(part *unbiasedPart, _ *Look) {
			u.add(part, &part.now, weight)
			u.add(part, &part.short, -weight)
		})
	}
	return err
}

// along runs the windows of some samples, which are of one length, and has note called
// for each look.
func (u *Unbiased) along(ctx context.Context, first int, parts []unbiasedPart, open []int, pairs bool, note func(part *unbiasedPart, l *Look)) error {
	p := &Paths{Pairs: pairs, By: Spacing(u.Window, u.Follow), Follow: u.Follow}
	for _, i := range open {
		p.Reps, p.From = append(p.Reps, uint64(first+i)), append(p.From, -parts[i].window)
	}
	state := StateRow(len(u.Needs), u.OfTypes())
	steps, err := u.Device.Paths(ctx, p, func(path int, l *Look) {
		part := &parts[open[path]]
		part.now.read(state, l.Long, 0, 1)
		if pairs {
			part.short.read(state, l.Short, 0, 1)
		}
		note(part, l)
	})
	if err != nil {
		return err
	}
	for k, i := range open {
		parts[i].steps += steps[k]
	}
	return nil
}

// fit takes what chain i of n has shown at the ends of parts of its path: of every by-th, and
// of the last.
func (f *Forward) fit(fit *Fit, rec *Recorded, i, n, by int) {
	var now, before observation
	for turn := range rec.Turns[i] {
		if (turn+1)%by != 0 && turn+1 < rec.Turns[i] {
			continue
		}
		f.shown(&now, rec, turn, i, n)
		row := append([]float64(nil), now.row...)
		for k, z := range before.row {
			row[k] -= z
		}
		fit.Part(row)
		now, before = before, now
	}
	fit.Add(before.row)
}

// shown is what chain i of n has brought and shown up to the end of a part.
func (f *Forward) shown(seen *observation, rec *Recorded, turn, i, n int) {
	l, jobs := AccountRow(len(f.Needs), f.OfTypes()), float64(f.Jobs)
	at := func(index int) float64 { return rec.Parts[(turn*l.Len()+index)*n+i] }
	var came, weighted ledger
	came.reset(len(f.Needs), 0)
	weighted.reset(len(f.Needs), 0)
	came.gap, weighted.gap = at(l.All(Between)), at(l.All(LevelBetween))
	controls := make([]float64, f.by.number())
	for c := range f.Needs {
		came.jobs[c], weighted.jobs[c] = at(l.Class(Jobs, c)), at(l.Class(LevelJobs, c))
		came.service[c], weighted.service[c] = at(l.Class(Service, c)), at(l.Class(LevelService, c))
		came.n += came.jobs[c]
		weighted.n += weighted.jobs[c]
	}
	f.by.total(&came, &weighted, controls)
	seen.of(controls, f.row.Len())
	v := seen.values
	for c := range f.Needs {
		wait, square := at(l.Class(Waiting, c))/jobs, at(l.Class(Squared, c))/jobs
		v[f.row.Class(Jobs, c)], v[f.row.Class(Waiting, c)], v[f.row.Class(Squared, c)] = came.jobs[c]/jobs, wait, square
		v[f.row.All(Waiting)] += wait
		v[f.row.All(Squared)] += square
	}
	v[f.row.All(Waste)] = at(l.All(Waste)) / jobs
	for k := range f.OfTypes() {
		v[f.row.Kind(Waste, k)] = at(l.Kind(Waste, k)) / jobs
	}
}

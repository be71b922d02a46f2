package sampling

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/result"
)

// imitation is a device that follows whole paths of the dense recurrence.
type imitation struct {
	s     *System
	room  int
	after int // calls that succeed
	calls int
	most  int // replications in one call
	steps int64
}

var errBroken = errors.New("the device is broken")

func (d *imitation) Room() int { return d.room }

func (d *imitation) call(ctx context.Context, n int) error {
	if n == 0 {
		return errors.New("the device has nothing to do")
	}
	if d.calls++; d.calls > d.after {
		return errBroken
	}
	d.most = max(d.most, n)
	return ctx.Err()
}

func (d *imitation) write(rows Rows, x shown, i, n int) {
	classes := len(x.wait)
	rows[i] = x.work
	for c := range classes {
		rows[(1+c)*n+i], rows[(1+classes+c)*n+i], rows[(1+2*classes+c)*n+i] = x.wait[c], x.hol[c], x.response[c]
		for k := range d.s.OfTypes() {
			rows[(1+3*classes+c*d.s.OfTypes()+k)*n+i] = x.kinds[c][k]
		}
	}
}

func (d *imitation) rows(n int) Rows {
	return make(Rows, n*(1+len(d.s.Needs)*(3+d.s.OfTypes())))
}

func (d *imitation) Backward(ctx context.Context, reps []uint64, window int64, before []float64) (*Met, error) {
	if err := d.call(ctx, len(reps)); err != nil {
		return nil, err
	}
	n := len(reps)
	met := &Met{Kept: make([]bool, n), Changed: make([]bool, n), Rows: d.rows(n), Steps: make([]int64, n)}
	for i, rep := range reps {
		x := at0(d.s, rep, window).state(d.s, 0)
		met.Steps[i] = window
		d.steps += window
		if before != nil {
			met.Changed[i] = math.Abs(x.work-before[i]) > 1e-9*(1+x.work)
			met.Kept[i] = !met.Changed[i] // what is kept has no row
		}
		if !met.Kept[i] {
			d.write(met.Rows, x, i, n)
		}
	}
	return met, nil
}

func (d *imitation) Certified(ctx context.Context, reps []uint64, window, block int64, above float64) (*Squeezed, error) {
	if err := d.call(ctx, len(reps)); err != nil {
		return nil, err
	}
	n := len(reps)
	res := &Squeezed{Met: make([]bool, n), Rows: d.rows(n), Steps: make([]int64, n)}
	for i, rep := range reps {
		x, met, _ := closed(d.s, rep, window, block, above)
		d.steps += window
		res.Steps[i], res.Met[i] = window, met
		if met {
			d.write(res.Rows, x.state(d.s, 0), i, n)
		}
	}
	return res, nil
}

func (d *imitation) Forward(ctx context.Context, first uint64, n int, warmUp, jobs int64, parts int) (*Recorded, error) {
	if err := d.call(ctx, n); err != nil {
		return nil, err
	}
	classes, kinds := len(d.s.Needs), d.s.OfTypes()
	rec := &Recorded{Jobs: jobs, Sums: make([]float64, (5*classes+kinds)*n), HOL: make([]float64, n)}
	waits, responses := make([]estimate.Histogram, classes), make([]estimate.Histogram, classes)
	zeros := make([][2]float64, classes)
	for i := range n {
		p := newPath(d.s, first+uint64(i))
		p.run(0, warmUp, nil)
		p.run(warmUp, warmUp+jobs, func(_ int64, j stream.Job, wait float64, idle []float64) {
			c := int(j.Class)
			for k, x := range [3]float64{1, wait, wait * wait} {
				rec.Sums[(5*c+k)*n+i] += x
			}
			if wait == 0 {
				rec.Sums[(5*c+3)*n+i]++
				zeros[c][0]++
			}
			waits[c].Add(wait)
			responses[c].Add(wait + j.Service)
			for k, x := range idle {
				rec.HOL[i] += x
				if kinds > 0 {
					rec.Sums[(5*classes+k)*n+i] += x
				}
			}
		})
	}
	for c := range classes {
		rec.Cells = append(rec.Cells, cellsOf(&waits[c]), cellsOf(&responses[c]))
	}
	if parts > 0 {
		d.account(rec, first, n, warmUp, jobs, parts)
	}
	return rec, nil
}

func (d *imitation) Pile(ctx context.Context, n int, warmUp, to int64) (*Heights, error) {
	if err := d.call(ctx, n); err != nil {
		return nil, err
	}
	h := &Heights{Sums: make([]float64, 2*len(d.s.Needs)*n)}
	for i := range n {
		base, now, jobs, work := grown(d.s, uint64(i), warmUp, to)
		if h.Now == nil {
			h.Base, h.Now = make([]float64, n*len(now)), make([]float64, n*len(now))
		}
		for part := range now {
			h.Base[part*n+i], h.Now[part*n+i] = base[part], now[part]
		}
		for c := range jobs {
			h.Sums[2*c*n+i], h.Sums[(2*c+1)*n+i] = jobs[c], work[c]
		}
	}
	return h, nil
}

// cellsOf are the counts of a histogram without those of 0.
func cellsOf(h *estimate.Histogram) []uint64 {
	d := h.Distribution()
	var cells []uint64
	for i, cell := range d.Cells {
		for len(cells) <= int(cell) {
			cells = append(cells, 0)
		}
		cells[cell] += uint64(d.Weights[i])
	}
	return cells
}

// TestDeviceIsTheProcessor gives the samplers a device that follows the dense
// recurrence: all they collect is the same, in waves of any size.
func TestDeviceIsTheProcessor(t *testing.T) {
	ctx := context.Background()
	for name, s := range variants(1) {
		for _, room := range []int{1000, 7} {
			name := fmt.Sprintf("%s, %d at once", name, room)
			for _, batch := range []int{1, 3} {
				b := &Backward{System: *s, Samples: 20, Batch: batch, Window: 16, MaxWindow: 1 << 12, Level: 0.95}
				want := b.Run(ctx, nil)
				d := &imitation{s: s, room: room, after: math.MaxInt}
				b.Device = d
				last := 0.0
				got := b.Run(ctx, func(done, total float64) { last = done / total })
				sameBackward(t, name, got, want)
				if got.Failed != nil || d.most > room || got.Steps != d.steps || last != 1 {
					t.Errorf("%s: %v, %d at once, %d steps of %d, %v done", name, got.Failed, d.most, got.Steps, d.steps, last)
				}
				b.MaxWindow = 32
				got = b.Run(ctx, nil)
				b.Device = nil
				sameBackward(t, name+", capped", got, b.Run(ctx, nil))
			}
			f := &Forward{System: *s, Replications: 8, WarmUp: 50, Jobs: 200, Level: 0.95}
			want := f.Run(ctx, nil)
			d := &imitation{s: s, room: room, after: math.MaxInt}
			f.Device = d
			last := 0.0
			got := f.Run(ctx, func(done, total float64) { last = done / total })
			sameForward(t, name, got, want)
			if got.Failed != nil || d.most > room || last != 1 || got.Steps != 8*250 {
				t.Errorf("%s: %v, %d at once, %d steps, %v done", name, got.Failed, d.most, got.Steps, last)
			}
			f.Enough = func(done int, _ func() result.Estimate) bool { return done >= 5 }
			if got := f.Run(ctx, nil); got.Done != min(8, (5+room-1)/room*room) {
				t.Errorf("%s: %d done where 5 are enough", name, got.Done)
			}
			samePaths(t, name, s, room)
			if !s.Alike() {
				continue
			}
			c := &Certified{System: *s, Majorant: Majorant{Theta: 0.01, Block: 16}, Samples: 10, Window: 4, Eps: 0.5, Level: 0.95}
			wanted := c.Run(ctx, nil)
			d = &imitation{s: s, room: room, after: math.MaxInt}
			c.Device = d
			sampled := c.Run(ctx, func(done, total float64) { last = done / total })
			sameBackward(t, name, sampled, wanted)
			if sampled.Failed != nil || d.most > room || sampled.Steps != d.steps || last != 1 {
				t.Errorf("%s: %v, %d at once, %d steps of %d", name, sampled.Failed, d.most, sampled.Steps, d.steps)
			}
			c.Enough = func(done int, _ func() result.Estimate) bool { return done >= 4 }
			if got := c.Run(ctx, nil); got.Done != 4 {
				t.Errorf("%s: %d done where 4 are enough", name, got.Done)
			}
		}
	}
}

func sameBackward(t *testing.T, name string, got, want *BackwardResult) {
	t.Helper()
	m := func(r *BackwardResult) (all []float64) {
		for c := range r.Classes {
			p := r.Classes[c].Waiting
			all = append(all, p.X, p.Y, p.XX)
		}
		for _, k := range r.Kinds {
			all = append(all, k.X)
		}
		return append(all, r.All.Waiting.X, r.All.Waiting.Y, r.HOL.X)
	}
	a, b := m(got), m(want)
	for i := range b {
		if !close9(a[i], b[i]) {
			t.Errorf("%s: number %d is %v on the device, %v on the processor", name, i, a[i], b[i])
		}
	}
	if got.Done != want.Done || got.Unsettled != want.Unsettled || got.MinWindow != want.MinWindow || got.MaxWindow != want.MaxWindow {
		t.Errorf("%s: %d samples, %d capped, windows from %d to %d; on the processor %d, %d, %d, %d", name,
			got.Done, got.Unsettled, got.MinWindow, got.MaxWindow, want.Done, want.Unsettled, want.MinWindow, want.MaxWindow)
	}
	for c := range want.Classes {
		a, b := got.Classes[c].Tally(0.9, ""), want.Classes[c].Tally(0.9, "")
		sameLaw(t, name, a.Waiting.Dist, b.Waiting.Dist)
		sameLaw(t, name, a.Response.Dist, b.Response.Dist)
	}
}

func sameForward(t *testing.T, name string, got, want *ForwardResult) {
	t.Helper()
	for c := range want.Classes {
		if a, b := got.Classes[c].MeanW, want.Classes[c].MeanW; !close9(a.Value, b.Value) || !close9(a.HalfWidth, b.HalfWidth) {
			t.Errorf("%s, class %d: %v on the device, %v", name, c, a, b)
		}
		a, b := got.Classes[c].Tally(0.9, ""), want.Classes[c].Tally(0.9, "")
		sameLaw(t, name, a.Waiting.Dist, b.Waiting.Dist)
		sameLaw(t, name, a.Response.Dist, b.Response.Dist)
	}
	if !close9(got.All.VarianceW.Value, want.All.VarianceW.Value) || !close9(got.HOL.Value, want.HOL.Value) || !close9(got.HOL.HalfWidth, want.HOL.HalfWidth) {
		t.Errorf("%s: variance %v, waste %v on the device; %v, %v", name, got.All.VarianceW, got.HOL, want.All.VarianceW, want.HOL)
	}
	for k := range want.Kinds {
		if !close9(got.Kinds[k].Value, want.Kinds[k].Value) || !close9(got.Kinds[k].HalfWidth, want.Kinds[k].HalfWidth) {
			t.Errorf("%s, type %d: waste %v on the device, %v", name, k, got.Kinds[k], want.Kinds[k])
		}
	}
}

// TestDeviceFails: what came before stays, and the error is told unless it is
// only that the context has ended.
func TestDeviceFails(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx   context.Context
		fails error
	}{{context.Background(), errBroken}, {ended, nil}} {
		device := func(after int) *imitation { return &imitation{s: small(1), room: 4, after: after} }
		b := &Backward{System: *small(1), Samples: 20, Batch: 1, Window: 1 << 10, MaxWindow: 1 << 11}
		b.Device = device(4) // two waves
		f := &Forward{System: *small(1), Replications: 20, Jobs: 50, Level: 0.95}
		f.Device = device(2)
		x := &Certified{System: *small(1), Majorant: Majorant{Theta: 0.3, Block: 48}, Samples: 20, Window: 1 << 11, Eps: 1e-2}
		x.Device = device(2)
		done := 8
		if c.fails == nil {
			done = 0
		}
		r1, r2, r3 := b.Run(c.ctx, nil), f.Run(c.ctx, nil), x.Run(c.ctx, nil)
		if r1.Failed != c.fails || r2.Failed != c.fails || r3.Failed != c.fails || r1.Done != done || r2.Done != done || r3.Done != done {
			t.Errorf("errors %v, %v, %v after %d, %d, %d of 20; want %v after %d", r1.Failed, r2.Failed, r3.Failed, r1.Done, r2.Done, r3.Done, c.fails, done)
		}
	}
	b := &Backward{System: *small(1), Samples: 20, Batch: 5, Window: 16, MaxWindow: 1 << 11}
	b.Device = &imitation{s: small(1), room: 4, after: math.MaxInt}
	if err := b.Run(context.Background(), nil).Failed; err == nil || !strings.Contains(err.Error(), "AgreeTogether 5: the GPU takes 4 chains") {
		t.Errorf("a batch of five where four fit: %v", err)
	}
	b.Samples = 4
	if res := b.Run(context.Background(), nil); res.Failed != nil || res.Done != 4 {
		t.Errorf("four samples where four fit: %v, %d done", res.Failed, res.Done)
	}
}

// TestDominatedCollects holds what a run says against its samples one by one.
func TestDominatedCollects(t *testing.T) {
	d := threeClasses(0.8, 2)
	d.Samples, d.Level = 2*together+5, 0.95
	m := newMeans(&d.System)
	p, met := d.newPast(), newSeen(3, 0)
	narrow, wide, steps := int64(math.MaxInt64), int64(0), int64(0)
	for rep := range uint64(d.Samples) {
		d.sample(new(atomic.Bool), p, rep)
		n := int64(len(p.left))
		narrow, wide, steps = min(narrow, n), max(wide, n), steps+n
		p.long.observe(p.reader, &met)
		x := shown{wait: met.wait, hol: met.waste}
		for c := range 3 {
			x.response = append(x.response, met.wait[c]+p.reader.Probe(c, 0))
		}
		m.add(&d.System, x, 1)
	}
	last := 0.0
	res := d.Run(context.Background(), func(done, total float64) {
		if done <= last*total {
			t.Errorf("%v of %v done after %v", done, total, last*total)
		}
		last = done / total
	})
	m.checkBackward(t, "dominated", res, d.Samples)
	if res.MinWindow != narrow || res.MaxWindow != wide || res.Steps != steps || last != 1 {
		t.Errorf("from %d to %d in %d steps, one by one from %d to %d in %d", res.MinWindow, res.MaxWindow, res.Steps, narrow, wide, steps)
	}
	calls := 0
	d.Samples = 2 * together
	if res := d.Run(context.Background(), func(done, total float64) { calls++ }); res.Done != 2*together || calls != 2 {
		t.Errorf("%d samples of two tasks in %d", res.Done, calls)
	}
}

// TestEquilibriumOfTheDominating: a geometric number of customers with a uniform
// part of their work left is the stationary M/G/1 queue: P(Q ≥ k) = ρ^k. Their
// randomness is that of the jobs before job 0, each once.
func TestEquilibriumOfTheDominating(t *testing.T) {
	const n, load = 2000, 0.985
	d := threeClasses(load, 1)
	p := d.newPast()
	var atLeast [4]float64
	at := [4]int{1, 10, 60, block + 1}
	for rep := range uint64(n) {
		p.reader.Rewind(rep)
		p.initial.Rewind(rep)
		d.equilibrium(p)
		count := len(p.present)
		if want := int(math.Log(p.reader.Uniform()) / math.Log(load)); count != want {
			t.Fatalf("replication %d: %d customers, by inversion %d", rep, count, want)
		}
		for i, k := range at {
			if count >= k {
				atLeast[i]++
			}
		}
		jobs := make([]stream.Job, count)
		d.Initial.Reader(rep).Fill(jobs, -int64(count))
		of := map[customer]float64{} // what is left of the work
		for _, j := range jobs {
			of[customer{service: j.Service, class: j.Class, need: j.Need}] = j.Gap * j.Service
		}
		for _, c := range p.present {
			who := p.whole[c.ID]
			if left, is := of[who]; !is || left != c.Key {
				t.Fatalf("replication %d: customer %+v with %v left is none of the jobs before job 0, or is there twice", rep, who, c.Key)
			}
			delete(of, who)
		}
		if len(of) > 0 {
			t.Fatalf("replication %d: %d customers are missing", rep, len(of))
		}
	}
	for i, k := range at {
		want := math.Pow(load, float64(k))
		if se := math.Sqrt(want * (1 - want) / n); !(math.Abs(atLeast[i]/n-want) <= 4.5*se) {
			t.Errorf("at least %d customers with probability %v, want %v ± %v", k, atLeast[i]/n, want, se)
		}
	}
}

// heights are those of a pile: of its top or, as printed, of its parts, which are
// types or named servers, or their mean where all are alike.
func (p *path) heights() []float64 {
	switch m := p.model.(type) {
	case *typedModel:
		if !m.y.AsPrinted {
			return []float64{m.y.Top()}
		}
		var means []float64
		for k, units := range m.v.Units {
			sum := 0.0
			for _, x := range m.y.Coordinates(nil, k, 0) {
				sum += x
			}
			means = append(means, sum/float64(units))
		}
		return means
	case *specificModel:
		switch {
		case !m.v.AsPrinted:
			return []float64{m.q.Top()}
		case m.v.Picks[1].Named != nil:
			return m.q.(interface {
				Coordinates([]float64, float64) []float64
			}).Coordinates(nil, 0)
		}
		return []float64{m.total() / 5}
	}
	return []float64{slices.Max(p.model.(*plain).W)}
}

// TestHeights of the piles of variants, from the recurrence itself.
func TestHeights(t *testing.T) {
	for name, s := range variants(1) {
		w, in := s.newLine(), s.newInput(0)
		w.empty()
		p := newPath(s, 0)
		by, top, front, gap := 0.0, 0.0, 0.0, 0.0
		for at := int64(0); at < 4*block; at += block {
			jobs := in.read(at, 4*block)
			for i, j := range append([]stream.Job(nil), jobs...) {
				j.Gap = 0
				front, _ = p.arrive(p.r, at+int64(i), j)
				top = max(top, front+j.Service)
			}
			w.pile(in.reader, at, jobs)
			gap = w.gap()
			by += w.lower()
		}
		if by == 0 {
			t.Errorf("%s: the origin of the pile stays", name)
		}
		want := p.heights()
		switch m := p.model.(type) {
		case *typedModel:
			front = m.y.Front()
		case *specificModel:
			front = m.q.Front()
		}
		if !close9(gap, top-front) || gap == 0 {
			t.Errorf("%s: %v from the front of the pile to its top, by the recurrence %v", name, gap, top-front)
		}
		got := w.heights(nil)
		for i := range got {
			got[i] += by
		}
		if len(got) != len(want) {
			t.Fatalf("%s: heights %v, by the recurrence %v", name, got, want)
		}
		for i := range want {
			if !close9(got[i], want[i]) {
				t.Errorf("%s: heights %v, by the recurrence %v", name, got, want)
			}
		}
	}
}

// idle is a device that does nothing, at once.
type idle struct{ *imitation }

func (d idle) Certified(ctx context.Context, reps []uint64, _, _ int64, _ float64) (*Squeezed, error) {
	n := len(reps)
	return &Squeezed{Met: slices.Repeat([]bool{true}, n), Rows: d.rows(n), Steps: make([]int64, n)}, d.call(ctx, n)
}

func (d idle) Forward(ctx context.Context, _ uint64, n int, _, jobs int64, _ int) (*Recorded, error) {
	classes := len(d.s.Needs)
	return &Recorded{Jobs: jobs, Sums: make([]float64, 5*classes*n), HOL: make([]float64, n), Cells: make([][]uint64, 2*classes)}, d.call(ctx, n)
}

// TestWaves: where the interval decides on the next wave it has 4096 replications
// at most.
func TestWaves(t *testing.T) {
	s := small(1)
	never := func(int, func() result.Estimate) bool { return false }
	for _, decides := range []bool{false, true} {
		most := 5000
		f := &Forward{System: *s, Replications: most, Jobs: 1, Level: 0.95}
		c := &Certified{System: *s, Samples: most, Window: 1, Majorant: Majorant{Theta: 1, Block: 1}, Eps: 0.5, Level: 0.95}
		if decides {
			f.Enough, c.Enough, most = never, never, looks
		}
		one, two := &imitation{s: s, room: 1 << 20, after: math.MaxInt}, &imitation{s: s, room: 1 << 20, after: math.MaxInt}
		f.Device, c.Device = idle{one}, idle{two}
		a, b := f.Run(context.Background(), nil).Done, c.Run(context.Background(), nil).Done
		if a != 5000 || b != 5000 || one.most != most || two.most != most {
			t.Errorf("%d and %d done of 5000, in waves of up to %d and %d, want %d", a, b, one.most, two.most, most)
		}
	}
}

package sampling

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// TestMartingaleHasNoMean: without the ends of the path the expectation of every control is
// 0 from any start. A wrong second or third moment of what jobs bring, or a level taken at
// the end of a page, shows.
func TestMartingaleHasNoMean(t *testing.T) {
	s := eightClasses(law.HyperExpMeanSCV(1, 20), true)
	worst := func(change func(m *martingale), ahead bool) (worst float64) {
		m := s.martingale(nil)
		change(m)
		sums := make([]estimate.Pair, m.number())
		w, row := s.newWorker(), make([]float64, m.number())
		var p page
		for rep := range 1500 {
			w.reader.Rewind(uint64(rep))
			w.long.empty()
			p.reset(m)
			m.turnPage(&p, 0)
			for at := int64(0); at < 1200; at += 24 {
				jobs := w.jobs[:24]
				w.reader.Fill(jobs, at)
				before := w.long.work() / 8
				w.long.take(w.reader, at, jobs)
				if p.level = before; ahead {
					p.level = w.long.work() / 8
				}
				m.add(&p, jobs)
				m.turnPage(&p, 0)
			}
			p.first, p.level = 0, 0
			m.controls(&p, row)
			for i, x := range row {
				sums[i].Add(x, 0)
			}
		}
		for i := range sums {
			e := sums[i].Mean(0.95, "")
			worst = max(worst, math.Abs(e.Value)/(e.HalfWidth/1.96))
		}
		return worst
	}
	if z := worst(func(*martingale) {}, false); z > 4.5 {
		t.Errorf("a control is %.1f standard errors from 0", z)
	}
	for name, change := range map[string]func(m *martingale){
		"mean":     func(m *martingale) { m.mean *= 1.02 },
		"variance": func(m *martingale) { m.variance *= 1.3 },
		"third":    func(m *martingale) { m.third *= 2 },
	} {
		if z := worst(change, false); z < 5 {
			t.Errorf("with a wrong %s the worst control is %.1f standard errors from 0", name, z)
		}
	}
	if z := worst(func(*martingale) {}, true); z < 5 {
		t.Errorf("with levels taken late the worst control is %.1f standard errors from 0", z)
	}
}

// TestMartingaleTellsTheWait: of a single server, where a few long services make nearly all
// of the waiting, Z₂ holds nearly all of the error of the mean wait, and the mean of the runs
// is Pollaczek's and Khinchine's.
func TestMartingaleTellsTheWait(t *testing.T) {
	service := law.HyperExpMeanSCV(1, 200)
	s := System{System: compiled.System{Servers: 1, Needs: []int{1}, Probs: []float64{1}, Input: stream.New(7, law.ExpMean(2), []stream.Class{{Need: 1, Prob: 1, Service: service}})}, Light: true, Workers: 1}
	want := 0.5 * law.Moment(service, 2) / (2 * 0.5)
	run := func(controlled bool) *ForwardResult {
		f := Forward{System: s, Replications: 32, WarmUp: 20_000, Jobs: 100_000, Controlled: controlled, Few: true, Level: 0.95}
		return f.Run(t.Context(), nil)
	}
	e, plain := run(true).Fit.wait(0.95), run(false).All.MeanW
	if math.Abs(e.Value-want) > 2*e.HalfWidth || e.HalfWidth > 0.02*want {
		t.Errorf("mean wait %v, want %v", e, want)
	}
	if !(plain.HalfWidth > 8*e.HalfWidth) {
		t.Errorf("%v without controls, %v with them", plain, e)
	}
}

// TestMartingaleNeedsMoments: it has none where gaps depend on each other or tails are
// heavy, and no cubes for tails of medium weight.
func TestMartingaleNeedsMoments(t *testing.T) {
	for _, c := range []struct {
		last        law.Law
		none, cubes bool
	}{{law.ExpMean(1), false, true}, {law.Lomax{Shape: 5, Scale: 1}, false, false}, {law.Lomax{Shape: 3.5, Scale: 1}, true, false}} {
		switch m := eightClasses(c.last, false).martingale(nil); {
		case (m == nil) != c.none:
			t.Errorf("%v: martingale %v", c.last, m)
		case m != nil && m.cubes != c.cubes:
			t.Errorf("%v: cubes %v", c.last, m.cubes)
		}
	}
}

package sampling

import (
	"math"
	"testing"

	"github.com/mjqueue/mjq/mjq/internal/compiled"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
	"github.com/mjqueue/mjq/mjq/result"
)

// wildSystems are monotone queues of all kinds, with one class of very long
// services and one of few jobs.
func wildSystems() map[string]*System {
	plain := func(servers int, needs []int, v compiled.System) *System {
		v.Servers, v.Needs, v.Probs = servers, needs, []float64{0.6, 0.39, 0.01}
		s := &System{System: v, Workers: 2}
		var classes []stream.Class
		for c, l := range []law.Law{law.Lomax{Shape: 1.3, Scale: 0.3}, law.ErlangMeanPhases(1, 2), law.ExpMean(3)} {
			classes = append(classes, stream.Class{Need: needs[c], Prob: s.Probs[c], Service: l})
		}
		s.Input = stream.New(11, law.ExpMean(1), classes)
		return s
	}
	types := &compiled.Types{Units: []int{4, 3}, Needs: [][]int{{1, 0}, {2, 1}, {4, 3}}}
	return map[string]*System{
		"plain":            plain(5, []int{1, 3, 5}, compiled.System{}),
		"types":            plain(7, []int{1, 3, 7}, compiled.System{Types: types}),
		"types as printed": plain(7, []int{1, 3, 7}, compiled.System{Types: types, AsPrinted: true}),
		"named":            plain(4, []int{1, 2, 4}, compiled.System{Picks: []compiled.Pick{{Named: []int32{1}}, {Named: []int32{0, 2}}, {Named: []int32{0, 1, 2, 3}}}}),
		"at random":        plain(5, []int{1, 3, 5}, compiled.System{Picks: []compiled.Pick{{Random: 1}, {Random: 2, Any: 1}, {Any: 5}}, Ordered: true}),
	}
}

// TestCutPileIsBracketed grows each pile whole, with services cut, and without a
// class, on the same jobs: at every look the cut one is the lower, by no more
// than what was cut, and likewise for what was left out, which lifts by the gap
// and its service. No more than half the gap would not do.
func TestCutPileIsBracketed(t *testing.T) {
	for name, s := range wildSystems() {
		const never = 1e300
		rare := Rare{Cut: []float64{2, never, never}, Out: []bool{false, false, true}}
		whole, less := s.newLine(), s.newLine()
		a, b := s.newInput(0), s.newInput(0)
		room, half, broken := 0.0, 0.0, false
		for at := int64(0); at < 200_000; at++ {
			one := a.jobs[:1]
			a.reader.Fill(one, at)
			job := one[0]
			whole.pile(a.reader, at, one)
			b.jobs[0] = job
			room += max(0, job.Service-rare.Cut[job.Class])
			half += max(0, job.Service-rare.Cut[job.Class])
			if rare.Out[job.Class] {
				gap := less.gap()
				room += gap + job.Service
				half += gap / 2
			}
			less.pile(b.reader, at, rare.cut(b.jobs[:1]))
			for part, high := range whole.heights(nil) {
				low := less.heights(nil)[part]
				if tol := 1e-9 * high; low > high+tol || high > low+room+tol {
					t.Fatalf("%s: after %d jobs part %d stands at %v, the cut one at %v, room for %v", name, at, part, high, low, room)
				}
				broken = broken || high > low+half
			}
		}
		if high, low := whole.heights(nil)[0], less.heights(nil)[0]; !(low < 0.95*high) {
			t.Errorf("%s: %v at the end, %v as cut: hardly anything was", name, high, low)
		}
		if name == "plain" && !broken {
			t.Error("no more than half the room was ever needed, so that this test finds little")
		}
	}
}

func TestBracket(t *testing.T) {
	for _, c := range []struct {
		name         string
		p            Pile
		value, half  float64
		slack        float64
		wantL, wantH float64
	}{
		{"nothing known", Pile{}, 2, 0.5, 0, 1.5, 2.5},
		{"slack above", Pile{}, 2, 0.5, 1, 1.5, 3.5},
		{"within the bounds", Pile{Rare: Rare{Least: 1.8, Most: 2.1}}, 2, 0.5, 1, 1.8, 2.1},
		{"by chance below", Pile{Rare: Rare{Least: 3, Most: 4}}, 2, 0.5, 0, 3, 3.5},
		{"by chance above", Pile{Rare: Rare{Least: 0, Most: 1}}, 2, 0.5, 0, 0.5, 1},
		{"loose", Pile{Rare: Rare{Least: 1, Most: 7, Loose: true}}, 2, 0.5, 0, 1, 7},
	} {
		lo, hi := c.p.bracket(result.Estimate{Value: c.value, HalfWidth: c.half}, c.slack)
		if lo != c.wantL || hi != c.wantH {
			t.Errorf("%s: [%v, %v], want [%v, %v]", c.name, lo, hi, c.wantL, c.wantH)
		}
	}
}

// TestSlackOfAClass: a class left out lifts by the gap that its jobs would have
// met, 3 in every tower, besides what its service does.
func TestSlackOfAClass(t *testing.T) {
	p := Pile{System: System{System: compiled.System{Probs: []float64{0.9, 0.06, 0.04}}}, Level: 0.95, Rare: Rare{Slack: 5}}
	towers := []*tower{{gap: 30, looks: 10}, {gap: 60, looks: 20}, {gap: 3, looks: 1}}
	if got := p.slack(towers); got != 5 {
		t.Errorf("slack %v with no class left out, want 5", got)
	}
	p.Out = []bool{false, true, true}
	if got := p.slack(towers); math.Abs(got-(5+0.1*3)) > 1e-12 {
		t.Errorf("slack %v, want 5.3", got)
	}
}

// TestTelling: of 1000 jobs in one of a class with exponential services 2/9 of
// 1000 tell, by E[σ²]³/E[σ³]² = 8/36; rare long ones are those that tell.
func TestTelling(t *testing.T) {
	p := Pile{System: System{System: compiled.System{Needs: []int{1, 2}, Probs: []float64{0.5, 0.5}}},
		Rare: Rare{Squares: []float64{2, 2e-4 * 1e6}, Cubes: []float64{6, 6e-4 * 1e9}}}
	if got := p.telling([]int{0}); math.Abs(got-1.0/9) > 1e-12 {
		t.Errorf("exponential services tell as %v a job, want 1/9", got)
	}
	if got, want := p.telling([]int{1}), 0.5*1e-4*8/36; math.Abs(got-want) > 1e-12 {
		t.Errorf("a phase taken once in 10^4 tells as %v a job, want %v", got, want)
	}
	if got, alone := p.telling([]int{0, 1}), p.telling([]int{1}); !(got >= alone && got < 1.2*alone) {
		t.Errorf("together they tell as %v a job, the rare phase alone %v", got, alone)
	}
	if p.telling(nil) != 0 {
		t.Error("no class tells something")
	}
}

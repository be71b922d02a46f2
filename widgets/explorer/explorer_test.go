package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mjqueue/mjq/mjq"
	"github.com/mjqueue/mjq/mjq/workload"
)

func smallExplorer() *explorer {
	e := newExplorer(workload.FiveClassExponential().AtRate(1.2))
	e.stages, e.flops = 4, 0 // sampled only
	return e
}

// TestExplorerEndsWithTheExactSolution: a model that is solved quickly is sampled
// twice and then solved, at the setting and along the curve.
func TestExplorerEndsWithTheExactSolution(t *testing.T) {
	m := mjq.Servers(3).Poisson(1).Class("a", 1, 0.7, mjq.ExpMean(1)).Class("b", 3, 0.3, mjq.ErlangMeanPhases(0.5, 2))
	e := newExplorer(m)
	var frames []frame
	e.refine(context.Background(), e.initial(), func(f frame) { frames = append(frames, f) })
	last := frames[len(frames)-1]
	if !last.exact || !last.done || frames[0].exact {
		t.Fatalf("%d pictures, the first exact: %v, the last: %v", len(frames), frames[0].exact, last.exact)
	}
	want := mjq.Must(m.Solve(context.Background(), mjq.Exact{}))
	got, wait := last.chosen.All.Waiting, want.All.Waiting // at rates equal but for rounding
	if math.Abs(got.Mean.Value-wait.Mean.Value) > 1e-9 || math.Abs(got.Quantile(0.9).Value-wait.Quantile(0.9).Value) > 1e-6 {
		t.Errorf("the last picture says %v, the solver %v", got.Mean, wait.Mean)
	}
	if page := last.html(); !strings.Contains(page, "Exact. Servers idle") || !strings.Contains(last.text(), "exact, without simulation") {
		t.Errorf("the page does not say that it is exact:\n%s", last.text())
	}
	if len(last.curve) != len(fractions) || last.curve[6].All.Waiting.Mean.HalfWidth != 0 {
		t.Error("the curve is not exact")
	}
}

func TestExplorerModelFollowsTheControls(t *testing.T) {
	e := smallExplorer()
	same := mjq.Must(e.model(e.initial()))
	if math.Abs(same.Rate()-1.2) > 1e-12 || fmt.Sprint(same.Spec().Classes) != fmt.Sprint(e.given.Spec().Classes) {
		t.Errorf("the initial setting gives %v", same)
	}
	s := Setting{Load: 0.4, Servers: 40, Tilt: 1, Law: "deterministic"}
	m := mjq.Must(e.model(s))
	if m.Spec().Servers != 40 || math.Abs(m.OfferedLoad()-0.4) > 1e-12 {
		t.Errorf("%v: %d servers, load %v", s, m.Spec().Servers, m.OfferedLoad())
	}
	for i, c := range m.Spec().Classes {
		g := e.given.Spec().Classes[i]
		ratio := c.Prob / g.Prob / float64(c.Need)
		first := m.Spec().Classes[0]
		if want := first.Prob / e.given.Spec().Classes[0].Prob / float64(first.Need); math.Abs(ratio-want) > 1e-12 {
			t.Errorf("class %s: the mix is not tilted by its need", c.Name)
		}
		if c.Service.Variance() != 0 || math.Abs(c.Service.Mean()-g.Service.Mean()) > 1e-12*g.Service.Mean() {
			t.Errorf("class %s: service %v for %v", c.Name, c.Service, g.Service)
		}
	}
	if e.fewest() != 15 {
		t.Errorf("at least %d servers", e.fewest())
	}
	for _, l := range lawShapes {
		if err := l.of(mjq.ExpMean(2)).Validate(); err != nil || math.Abs(l.of(mjq.ExpMean(2)).Mean()-2) > 1e-9 {
			t.Errorf("law %s: %v, mean %v", l.name, err, l.of(mjq.ExpMean(2)).Mean())
		}
	}
}

// TestRefinementNarrowsToTheTruth compares the last picture with backward
// samples, and its bands with those of the first.
func TestRefinementNarrowsToTheTruth(t *testing.T) {
	e := smallExplorer()
	e.stages = 5
	var frames []frame
	e.refine(context.Background(), e.initial(), func(f frame) { frames = append(frames, f) })
	first, last := frames[0], frames[len(frames)-1]
	if first.stage != 1 || last.stage != e.stages || !last.done || first.done {
		t.Fatalf("first %+v, last %+v", first.stage, last.stage)
	}
	known := 0 // the first pictures come from runs too short for an interval
	for math.IsNaN(frames[known].chosen.All.Waiting.Mean.HalfWidth) {
		known++
	}
	a, b := frames[known].chosen.All.Waiting.Mean, last.chosen.All.Waiting.Mean
	if steps := float64(last.stage - frames[known].stage); steps < 2 || !(b.HalfWidth < a.HalfWidth/math.Pow(1.5, steps)) {
		t.Errorf("the interval shrinks from %v to %v in %v steps of four times the work", a, b, steps)
	}
	r := mjq.Must(e.given.Solve(context.Background(), mjq.Backward{Samples: 5000}, mjq.Seed(77)))
	w := r.All.Waiting.Mean
	if got := math.Abs(b.Value - w.Value); got > 2.5*math.Hypot(b.HalfWidth, w.HalfWidth) {
		t.Errorf("refined to %v, backward samples say %v", b, w)
	}
	for i, f := range fractions {
		if got := last.curve[i].Rate / last.limit.Rate; math.Abs(got-f) > 1e-9 {
			t.Errorf("point %d of the curve lies at %v of the limit", i, got)
		}
	}
	page, text := last.html(), last.text()
	if svg, err := last.means().SVG(); err != nil || !strings.Contains(string(svg), "you are here") {
		t.Errorf("the curve does not say where one is, %v", err)
	}
	for _, part := range []string{"data:image/svg+xml", "Stable: ", "head-of-line blocking", "T15"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q", part)
		}
	}
	if !strings.Contains(text, "done: picture 5 of 5") {
		t.Errorf("the text is\n%s", text)
	}
}

func TestExplorerShowsAnUnstableSettingAsUnstable(t *testing.T) {
	e := smallExplorer()
	e.stages, e.hurry = 1, time.Minute // the limit is waited for
	s := e.initial()
	s.Load = 1
	e.refine(context.Background(), s, func(f frame) {
		if page := f.html(); !strings.Contains(page, "Unstable: ") || !strings.Contains(page, "∞") {
			t.Errorf("load 1 is shown as %s", f.text())
		}
	})
	for _, load := range []float64{0.01, 1} { // nobody waits, or the line only grows
		s.Load = load
		e.refine(context.Background(), s, func(f frame) {
			fig := f.beside()
			if _, err := fig.SVG(); err != nil || !strings.HasSuffix(fig.Title(), "idle servers") {
				t.Errorf("load %v: nothing beside the curves, %v", load, err)
			}
		})
	}
	s.Servers = 3
	e.refine(context.Background(), s, func(f frame) {
		if !f.done || !strings.Contains(f.html(), "exceeds the 3 servers") {
			t.Errorf("an impossible setting is shown as %q", f.html())
		}
	})
}

func TestExplorerPrintsASummary(t *testing.T) {
	var out bytes.Buffer
	smallExplorer().print(context.Background(), &out)
	if n := strings.Count(out.String(), "mean wait"); n != 1 || !strings.Contains(out.String(), "Stable: ") {
		t.Errorf("%d summaries:\n%s", n, out.String())
	}
}

// stage is a stand-in for the page: it collects frames and answers them.
type stage struct {
	words  chan message
	shown  []frame
	answer func(s *stage, f frame)
}

func play(t *testing.T, ctx context.Context, e *explorer, answer func(s *stage, f frame)) *stage {
	t.Helper()
	s := &stage{words: make(chan message, 10), answer: answer}
	s.words <- message{Seq: 1, Do: "run"}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.conduct(ctx, s.words, func(f frame) {
			s.shown = append(s.shown, f)
			s.answer(s, f)
		})
	}()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatal("the explorer does not end")
	}
	return s
}

// TestMovedControlStopsTheRun moves the load while the first run is being
// refined: it must never be finished, and the next picture is of the new load.
func TestMovedControlStopsTheRun(t *testing.T) {
	e := smallExplorer()
	e.stages = 9 // minutes of work
	moved := time.Time{}
	s := play(t, context.Background(), e, func(s *stage, f frame) {
		switch {
		case len(s.shown) == 2:
			moved = time.Now()
			s.words <- message{Seq: 3, Do: "set", Setting: Setting{Load: 0.25, Servers: 30, Law: "exponential"}}
			s.words <- message{Seq: 2, Do: "set", Setting: Setting{Load: 0.9, Servers: 30, Law: "exponential"}} // overtaken
		case f.setting.Load == 0.25:
			s.words <- message{Seq: 4, Do: "stop"}
		}
	})
	last := s.shown[len(s.shown)-1]
	if last.setting.Load != 0.25 || last.chosen.Rate != last.model.Rate() || last.model.Spec().Servers != 30 {
		t.Fatalf("the last picture is of %+v", last.setting)
	}
	for _, f := range s.shown {
		if f.setting.Load == 0.9 {
			t.Error("a word that was overtaken has been obeyed")
		}
	}
	if late := time.Since(moved); late > 5*time.Second {
		t.Errorf("the new picture came after %v", late)
	}
}

func TestPausedExplorerRestsUntilToldToRun(t *testing.T) {
	e := smallExplorer()
	e.stages = 2
	var resumed atomic.Bool
	s := play(t, context.Background(), e, func(s *stage, f frame) {
		switch {
		case len(s.shown) == 1:
			s.words <- message{Seq: 2, Do: "pause"}
			time.AfterFunc(300*time.Millisecond, func() { resumed.Store(true); s.words <- message{Seq: 3, Do: "run"} })
		case !resumed.Load() && len(s.shown) > 2:
			t.Error("a paused explorer goes on")
		case resumed.Load() && f.done:
			s.words <- message{Seq: 4, Do: "stop"}
		}
	})
	if len(s.shown) < 3 {
		t.Errorf("%d pictures", len(s.shown))
	}
}

// TestPanicsOfTheExplorerAreShown: what goes wrong in a run is the last picture,
// and not the end of the program.
func TestPanicsOfTheExplorerAreShownOnAllGoroutines(t *testing.T) {
	e := smallExplorer()
	e.limits = nil // remembering a limit panics
	s := play(t, context.Background(), e, func(s *stage, f frame) {
		if f.done {
			s.words <- message{Seq: 2, Do: "stop"}
		}
	})
	last := s.shown[len(s.shown)-1]
	var p *mjq.Panic
	if !errors.As(last.err, &p) || !strings.Contains(last.html(), "nil map") {
		t.Errorf("the last picture has the error %v", last.err)
	}
}

func TestExplorerEndsWithoutAPage(t *testing.T) {
	e := smallExplorer()
	e.patient = 50 * time.Millisecond
	e.conduct(context.Background(), nil, func(frame) { t.Error("nobody has asked for a picture") })
	e = smallExplorer()
	e.silent = 50 * time.Millisecond
	play(t, context.Background(), e, func(*stage, frame) {})
	ctx, cancel := context.WithCancel(context.Background())
	play(t, ctx, smallExplorer(), func(*stage, frame) { cancel() })
}

// TestTheProgramBehindTheSliders speaks with it as the kernel's front does.
func TestTheProgramBehindTheSlidersObeys(t *testing.T) {
	front, program := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		seat{Panel: "panel", Picture: "picture"}.play(context.Background(), program, smallExplorer())
	}()
	in := json.NewDecoder(front)
	var c change
	if err := in.Decode(&c); err != nil || c.Panel != "panel" {
		t.Fatalf("it begins with %+v, %v", c, err)
	}
	fmt.Fprintln(front, `{"seq": 5, "do": "here", "load": 0.3}`)
	fmt.Fprintln(front, `{"seq": 6, "do": "set", "load": 0.3, "servers": 25, "law": "as given"}`)
	if err := in.Decode(&c); err != nil || c.Display != "picture" || !strings.Contains(c.HTML, `data-load="0.3000" data-servers="25"`) {
		t.Fatalf("it shows %.300q, %v", c.HTML, err)
	}
	front.Close()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("it outlives the front")
	}
}

// TestACellLooksBriefly: the cell ends although the last stage would take minutes.
func TestACellLooksBriefly(t *testing.T) {
	t.Setenv("MJQ_CHECKS", "")
	e := smallExplorer()
	e.stages, e.glance = 12, 500*time.Millisecond
	var last frame
	e.draw(context.Background(), func(f frame) { last = f })
	if !last.done || last.stage == e.stages || last.limit == nil {
		t.Errorf("the last picture is %d of %d, done: %v", last.stage, e.stages, last.done)
	}
}

package chain

import (
	"context"
	"errors"
	"math"
	"testing"
)

// birth is a queue of one server and a room: arrivals of rate 1, services of a rate, of which
// a half takes two jobs at once where there are two.
func birth(room int, service float64) Rule[int, int] {
	return Rule[int, int]{Key: func(n int) int { return n }, Layer: func(n int) int { return n },
		Moves: func(_ context.Context, n int, to func(int, float64)) {
			if n < room {
				to(n+1, 1)
			}
			if n > 1 {
				to(n-2, service/2)
				to(n-1, service/2)
			} else if n > 0 {
				to(0, service)
			}
		}}
}

var plenty = Limits{Bytes: 1e9, Flops: 1e12}

// TestStationary: elimination and sweeps satisfy every equation, and agree.
func TestStationary(t *testing.T) {
	for _, service := range []float64{0.9, 3} {
		g, err := Explore(context.Background(), birth(60, service), plenty, 0)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := g.Stationary(context.Background(), plenty)
		if err != nil {
			t.Fatal(err)
		}
		swept, err := g.Stationary(context.Background(), Limits{Bytes: 1e9, Tolerance: 1e-14})
		if err != nil || swept.Residual > 1e-14 || swept.Residual == 0 {
			t.Fatal(swept, err)
		}
		in := make([]float64, len(g.States))
		for i, moves := range g.Moves {
			for _, m := range moves {
				in[m.To] += exact.P[i] * m.Rate
				in[i] -= exact.P[i] * m.Rate
			}
			if off := math.Abs(exact.P[i] - swept.P[i]); off > 1e-13 {
				t.Errorf("state %d: %v by elimination, %v by sweeps", i, exact.P[i], swept.P[i])
			}
		}
		for i, left := range in {
			if math.Abs(left) > 1e-15 {
				t.Errorf("state %d: %v flows in and not out", i, left)
			}
		}
	}
}

// TestFlow: two states that lead to each other have a closed form, with the time spent; where
// the chain stops, is driven beyond its states or is kept to some, what is missing is known.
func TestFlow(t *testing.T) {
	const up, down, time = 0.7, 1.9, 3.3
	both := up + down
	c := &Chain{Moves: [][]Move{{{1, up}}, {{0, down}}}}
	f := c.Flow([]float64{1, 0})
	f.Area = make([]float64, 2)
	want := up / both * (1 - math.Exp(-both*time))
	area := up / both * (time - (1-math.Exp(-both*time))/both)
	if err := f.Pass(context.Background(), 0, time); err != nil || math.Abs(f.Now[1]-want) > 1e-15 || math.Abs(f.Area[1]-area) > 1e-14 {
		t.Errorf("%v, %v, %v; want %v, %v", f.Now, f.Area, err, want, area)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-14 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	pass := func(f *Flow, rate float64) *Flow {
		if err := f.Pass(context.Background(), rate, 400); err != nil {
			t.Fatal(err)
		}
		return f
	}
	stops := &Chain{Moves: [][]Move{nil}, Stop: []float64{0.01}}
	near("a chain that stops", pass(stops.Flow([]float64{1}), 0).Now[0], math.Exp(-4))
	driven := &Chain{Moves: [][]Move{nil, nil}, Driven: [][]Move{{{1, 1}}, nil}}
	f = pass(driven.Flow([]float64{1, 0}), 0.01)
	near("a chain driven beyond its states", f.Now[1], 4*math.Exp(-4))
	near("what is lost", f.Lost, 1-5*math.Exp(-4))
	f = driven.Flow([]float64{1, 0})
	f.Keeps = true
	near("a chain that keeps", pass(f, 0.01).Now[1], 1-math.Exp(-4))
	f = driven.Flow([]float64{1, 0})
	f.Only = []bool{true, false}
	near("a chain kept to some states", pass(f, 0.01).Now[1], 0)
}

// TestGrow: a chain that grows is the chain explored at once.
func TestGrow(t *testing.T) {
	room := 5
	rule := birth(0, 2)
	rule.Moves = func(ctx context.Context, n int, to func(int, float64)) { birth(room, 2).Moves(ctx, n, to) }
	g, err := Explore(context.Background(), rule, plenty, 0)
	if err != nil {
		t.Fatal(err)
	}
	was := room
	room = 9
	if err := g.Grow(context.Background(), plenty, func(n int) bool { return n == was }); err != nil {
		t.Fatal(err)
	}
	whole, err := Explore(context.Background(), rule, plenty, 0)
	if err != nil {
		t.Fatal(err)
	}
	states, moves := g.Size()
	if n, m := whole.Size(); states != n || moves != m || states != 10 {
		t.Errorf("%d states and %d moves after growing, %d and %d at once", states, moves, n, m)
	}
}

// modulated is a queue of one server whose arrivals have two phases, up to a number of jobs.
type modulated struct{ jobs, phase int }

func modulatedRule(most int) Rule[modulated, modulated] {
	return Rule[modulated, modulated]{Key: func(s modulated) modulated { return s }, Layer: func(s modulated) int { return s.jobs },
		Moves: func(_ context.Context, s modulated, to func(modulated, float64)) {
			if s.jobs < most {
				to(modulated{s.jobs + 1, s.phase}, []float64{0.2, 1.1}[s.phase])
			}
			to(modulated{s.jobs, 1 - s.phase}, []float64{0.3, 0.5}[s.phase])
			if s.jobs > 0 {
				to(modulated{s.jobs - 1, s.phase}, 1)
			}
		}}
}

// TestRepeat: a chain whose layers repeat has the law of one with many layers.
func TestRepeat(t *testing.T) {
	whole, err := Explore(context.Background(), modulatedRule(400), plenty, modulated{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := whole.Stationary(context.Background(), plenty)
	if err != nil {
		t.Fatal(err)
	}
	rule := modulatedRule(1 << 30)
	rule.Repeat = &Repeat[modulated]{From: 3, Shift: func(s modulated, by int) modulated { return modulated{s.jobs + by, s.phase} }}
	g, err := Explore(context.Background(), rule, plenty, modulated{})
	if err != nil || len(g.States) != 8 {
		t.Fatalf("%d states, %v", len(g.States), err)
	}
	far, below := g.QBD()
	sol, err := far.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	law, err := below.Solve(context.Background(), far, sol)
	if err != nil {
		t.Fatal(err)
	}
	layers := g.ByLayer()
	for n := range 4 {
		for i, k := range layers.Layer(n) {
			at, _ := whole.Number(g.States[k])
			if math.Abs(law.Pi[n][i]/want.P[at]-1) > 1e-12 {
				t.Errorf("%+v: %v, want %v", g.States[k], law.Pi[n][i], want.P[at])
			}
		}
	}
}

// TestLimits: chains end at what they may take, and with their context.
func TestLimits(t *testing.T) {
	for what, most := range map[string]Limits{"states": {States: 9, Bytes: 1e9}, "bytes": {Bytes: 900, PerState: 100}, "moves": {Bytes: 900, PerMove: 50},
		"states of a layer": {Bytes: 1e9, InLayer: 9}, "operations": {Bytes: 1e9, Flops: 10}, "memory of the solution": {Bytes: 100, Flops: 1e9}, "memory of sweeps": {Bytes: 100, Tolerance: 1}} {
		rule := birth(60, 2)
		if most.InLayer > 0 {
			rule.Layer = func(int) int { return 3 }
		}
		var large *TooLarge
		g, err := Explore(context.Background(), rule, most, 0)
		if err == nil {
			_, err = g.Stationary(context.Background(), most)
		}
		if !errors.As(err, &large) || most.InLayer > 0 != (large.Layer == 3) {
			t.Errorf("too many %s: %v", what, err)
		}
	}
	g, err := Explore(context.Background(), birth(3000, 2), plenty, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	gone := errors.New("gone")
	cancel(gone)
	if _, err := Explore(ctx, birth(60, 2), plenty, 0); !errors.Is(err, gone) {
		t.Errorf("exploring: %v", err)
	}
	if _, err := g.Sweeps(nil).Solve(ctx, Aim{Most: 10}); !errors.Is(err, gone) {
		t.Errorf("sweeping: %v", err)
	}
	if err := g.Flow(make([]float64, len(g.States))).Pass(ctx, 0, 1); !errors.Is(err, gone) {
		t.Errorf("passing: %v", err)
	}
	if left, err := g.Sweeps(nil).Solve(context.Background(), Aim{Residual: 1e-300, Good: 1, Most: 3}); err != nil || !(left > 0) {
		t.Errorf("three rounds: %v, residual %v", err, left)
	}
	one := Rule[int, int]{Key: func(n int) int { return n }, Moves: func(_ context.Context, n int, to func(int, float64)) {
		if n == 0 {
			to(1, 1)
		}
	}}
	trap, err := Explore(context.Background(), one, plenty, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trap.Stationary(context.Background(), plenty); !errors.Is(err, errAbsorbing) {
		t.Errorf("a state that is not left: %v", err)
	}
}

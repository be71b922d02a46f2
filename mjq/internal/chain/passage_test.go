package chain

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// until solves for the first two moments of the time until a chain stops.
func until(t *testing.T, c *Chain) [][]float64 {
	t.Helper()
	f, err := c.Passage(context.Background(), 1e9, 2, func(k, i int, before [][]float64) float64 {
		if k == 0 {
			return 1
		}
		return 2 * before[0][i]
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCycles: two phases that lead to each other, each left for good at a rate of exit, make
// an exponential time whatever their rates, however often the chain goes round.
func TestCycles(t *testing.T) {
	for _, passed := range []float64{1, 2e3, 1e4, 1e8, 1e14} {
		exit := 1 / passed
		c := &Chain{Moves: [][]Move{{{1, 1}}, {{0, 3}}, {{0, 2}, {2, 5}}}, Stop: []float64{exit, exit, 0}}
		f := until(t, c)
		for i, first := range []float64{passed, passed, passed + 0.5} {
			second := 2 * passed * passed
			if i == 2 {
				second += 0.5 + passed
			}
			if math.Abs(f[0][i]/first-1) > 1e-14 || math.Abs(f[1][i]/second-1) > 1e-14 {
				t.Errorf("%v passed: state %d: moments %v, %v; want %v, %v", passed, i, f[0][i], f[1][i], first, second)
			}
		}
	}
}

// TestGrid: a walk on a grid, whose states all lead back to one another, has the mean times
// that many sweeps find.
func TestGrid(t *testing.T) {
	const wide, high = 7, 23
	r := rand.New(rand.NewPCG(1, 2))
	c := &Chain{Moves: make([][]Move, wide*high), Stop: make([]float64, wide*high)}
	for i := range c.Moves {
		x, y := i%wide, i/wide
		for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0, 0}} {
			if u, v := x+d[0], y+d[1]; u >= 0 && u < wide && v >= 0 && v < high {
				c.Moves[i] = append(c.Moves[i], Move{int32(v*wide + u), r.Float64()})
			}
		}
		c.Stop[i] = 0.3 * r.Float64()
	}
	f, swept := until(t, c), make([]float64, wide*high)
	for range 3000 {
		for i, moves := range c.Moves {
			sum, out := 1.0, c.Stop[i]
			for _, m := range moves {
				sum += m.Rate * swept[m.To]
				out += m.Rate
			}
			swept[i] = sum / out
		}
	}
	for i, want := range swept {
		if math.Abs(f[0][i]/want-1) > 1e-12 {
			t.Errorf("state %d: %v, by sweeps %v", i, f[0][i], want)
		}
	}
}

// TestEnds: what does not stop, does not fit or is interrupted is an error.
func TestEnds(t *testing.T) {
	one := func(int, int, [][]float64) float64 { return 1 }
	loop := &Chain{Moves: [][]Move{{{1, 1}}, {{0, 1}}, {{0, 1}}}, Stop: make([]float64, 3)}
	var endless *Endless
	if _, err := loop.Passage(context.Background(), 1e9, 1, one); !errors.As(err, &endless) {
		t.Errorf("two states without an end: %v", err)
	}
	loop.Stop[0] = 1
	var large *TooLarge
	if _, err := loop.Passage(context.Background(), 10, 1, one); !errors.As(err, &large) {
		t.Errorf("in 10 bytes: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	long := &Chain{Moves: make([][]Move, 5000), Stop: make([]float64, 5000)}
	for i := range long.Stop {
		long.Stop[i] = 1
	}
	if _, err := long.Passage(ctx, 1e9, 1, one); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

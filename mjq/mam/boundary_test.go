package mam

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func solved(t testing.TB, b Boundary, q QBD) (*Stationary, *QBDSolution) {
	t.Helper()
	sol, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	st, err := b.Solve(context.Background(), q, sol)
	if err != nil {
		t.Fatal(err)
	}
	return st, sol
}

// TestBoundaryAgainstTruncatedChain solves a chain with levels of 2, 3 and 4
// phases both ways; the truncated chain goes through GTH in one piece.
func TestBoundaryAgainstTruncatedChain(t *testing.T) {
	q := randomQBD(4, 0.4, 5)
	sizes := []int{2, 3, 4}
	at := func(n int) Level {
		if n == 2 {
			return Level{Down: spread(q.Down, 3)}
		}
		m, above := sizes[n], sizes[n+1]
		l := Level{Up: mat.NewDense(m, above, nil), Local: mat.NewDense(m, m, nil)}
		for i := range m {
			for j := range above {
				l.Up.Set(i, j, 0.1*float64(1+(i+2*j+n)%3))
			}
			l.Local.Set(i, (i+1)%m, 0.3)
		}
		if n > 0 {
			l.Down = mat.NewDense(m, sizes[n-1], nil)
			for i := range m {
				l.Down.Set(i, i%sizes[n-1], 1.1)
			}
		}
		for i := range m {
			exit := mat.Sum(l.Up.RowView(i)) + 0.3
			if n > 0 {
				exit += 1.1
			}
			l.Local.Set(i, i, -exit)
		}
		return l
	}
	st, _ := solved(t, Boundary{2, at}, q)
	const top = 90
	want := truncated(t, q, at, sizes[:2], top)
	at0 := 0
	moments := [3]float64{}
	for n := 0; n <= top; n++ {
		level := st.Level(n)
		mass := 0.0
		for _, got := range level {
			if n < 20 {
				near(t, "pi", got, want[at0], 1e-13)
			}
			mass += want[at0]
			at0++
		}
		for k := range moments {
			moments[k] += mass * math.Pow(float64(n), float64(k))
		}
	}
	for k, m := range moments {
		near(t, "moment", st.Moment(k), m, 1e-13)
	}
	near(t, "tail 0", st.Tail(0), 1, 1e-14)
	near(t, "tail 5", st.Tail(5), 1-sum(st.Level(0))-sum(st.Level(1))-sum(st.Level(2))-sum(st.Level(3))-sum(st.Level(4)), 1e-12)
}

// spread leads the rates of m into n columns.
func spread(m *mat.Dense, n int) *mat.Dense {
	r, c := m.Dims()
	d := mat.NewDense(r, n, nil)
	for i := range r {
		for j := range c {
			d.Set(i, j%n, d.At(i, j%n)+m.At(i, j))
		}
	}
	return d
}

// truncated is the stationary vector with no way up from level top.
func truncated(t *testing.T, q QBD, at func(int) Level, low []int, top int) []float64 {
	m, _ := q.Local.Dims()
	start := []int{0}
	for n := 0; n <= top; n++ {
		size := m
		if n < len(low) {
			size = low[n]
		}
		start = append(start, start[n]+size)
	}
	full := mat.NewDense(start[top+1], start[top+1], nil)
	for n := 0; n <= top; n++ {
		l := Level(q)
		if n < len(low) {
			l = at(n)
		} else if n == len(low) {
			l.Down = at(n).Down
		}
		place(full, start[n], start[n], l.Local)
		if n > 0 {
			place(full, start[n], start[n-1], l.Down)
		}
		if n < top {
			place(full, start[n], start[n+1], l.Up)
		}
	}
	for i := start[top]; i < start[top+1]; i++ {
		full.Set(i, i, full.At(i, i)-mat.Sum(full.RowView(i)))
	}
	pi, err := GTH(full)
	if err != nil {
		t.Fatal(err)
	}
	return pi
}

func TestBoundaryFaults(t *testing.T) {
	q := QBD{scalar(0.5), scalar(-1.5), scalar(1)}
	sol, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		level Level
		want  string
	}{
		{Level{Up: scalar(0.5)}, "lacks a block"},
		{Level{Up: scalar(0.5), Local: scalar(-0.4)}, "level 0: row 0 of the blocks together sums to"},
		{Level{Up: mat.NewDense(1, 2, []float64{.25, .25}), Local: scalar(-0.5)}, "Up of level 0 is 1 by 2; give 1 by 1"},
		{Level{Up: mat.NewDense(2, 1, []float64{1, 1}), Local: mat.NewDense(2, 2, []float64{-1, 0, 0, -1})}, "level 0 has 2 phases and Down of level 1 leads to 1"},
		{Level{Up: scalar(-0.5), Local: scalar(0.5)}, "Up(0,0) is -0.5"},
	} {
		b := Boundary{1, func(n int) Level {
			if n == 1 {
				return Level{}
			}
			return c.level
		}}
		if _, err := b.Solve(context.Background(), q, sol); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestBoundaryStops: the levels are reported one by one, and the end of the
// context during one of them ends the solution with its cause.
func TestBoundaryStops(t *testing.T) {
	one := func(n int) Level {
		return Level{scalar(0.5), scalar(-0.5 - math.Min(1, float64(n))), scalar(1)}
	}
	q := QBD(one(1))
	sol, err := q.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	calls := 0
	_, err = Boundary{20, one}.Solve(ctx, q, sol, OnStep(func(step int, left float64) {
		calls++
		near(t, "left", left, 1-float64(step)/21, 1e-14)
		if step == 7 {
			cancel(why)
		}
	}))
	if calls != 7 || !errors.Is(err, why) {
		t.Errorf("after %d levels: %v", calls, err)
	}
	for _, b := range []Boundary{{}, {Levels: 0, At: one}, {Levels: 2}} {
		if _, err := b.Solve(context.Background(), q, sol); err == nil {
			t.Errorf("%+v is solved", b)
		}
	}
	st, _ := solved(t, Boundary{20, one}, q)
	if st.Level(-1) != nil || st.Tail(-5) != st.Tail(0) {
		t.Error("levels below 0 exist")
	}
	near(t, "tail", st.Tail(30), math.Pow(0.5, 30), 1e-13)
}

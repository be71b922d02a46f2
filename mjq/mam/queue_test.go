package mam

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestQBDPublished: the example of QBDFundamentalMatrices, QBDSolve and
// QBDStationaryDistr in the documentation of BuTools
// (github.com/ghorvath78/butools, doc/source), all digits printed.
func TestQBDPublished(t *testing.T) {
	q := QBD{
		Up:    mat.NewDense(2, 2, []float64{1, 0, 2, 0}),
		Local: mat.NewDense(2, 2, []float64{-6, 5, 3, -12}),
		Down:  mat.NewDense(2, 2, []float64{0, 0, 3, 4}),
	}
	st, sol := solved(t, Boundary{1, func(n int) Level {
		if n == 1 {
			return Level{}
		}
		return Level{Up: q.Up, Local: mat.NewDense(2, 2, []float64{-6, 5, 6, -8})}
	}}, q)
	for i, want := range []float64{0.27838828, 0.14285714, 0.55677656, 0.28571429} {
		near(t, "R", sol.R.RawMatrix().Data[i], want, 5e-9/want) // eight decimals
	}
	for i, want := range []float64{3. / 7, 4. / 7, 3. / 7, 4. / 7} {
		near(t, "G", sol.G.RawMatrix().Data[i], want, 1e-15)
	}
	want := []float64{0.22992392223161465, 0.18681318681318687, 0.1680213277846414, 0.08622147083685547, 0.09478126182723359, 0.048637752779764606, 0.05346635282561894, 0.02743668105525182, 0.03016050672214401, 0.015477102133731794, 0.017013619176594053, 0.00873067299851537}
	for i, p := range want {
		near(t, "pi", st.Level(i / 2)[i%2], p, 2e-14)
	}
}

// TestMAPPublished: the example of LagCorrelationsFromMAP in the documentation
// of BuTools. The correlations are what is left of numbers a thousand times as
// large, so four of its digits are rounding.
func TestMAPPublished(t *testing.T) {
	m := MAP{
		mat.NewDense(4, 4, []float64{-5, 0, 1, 1, 1, -8, 1, 0, 1, 0, -4, 1, 1, 2, 3, -9}),
		mat.NewDense(4, 4, []float64{0, 1, 0, 2, 2, 1, 3, 0, 0, 0, 1, 1, 1, 1, 0, 1}),
	}
	got := m.LagCorrelations(3)
	for i, want := range []float64{0.00012012478025411484, 0.0008617649366101062, -0.00022001393374437001} {
		near(t, "lag correlation", got[i], want, 1e-11)
	}
}

func TestMAPClosedForms(t *testing.T) {
	near(t, "Poisson rate", Poisson(2.5).Rate(), 2.5, 1e-15)
	near(t, "Poisson scv", Poisson(2.5).SCV(), 1, 1e-15)
	// Rates 3 and 1, left at rates 0.2 and 0.5: phases in time 5/7 and 2/7.
	m := MMPP2(3, 1, 0.2, 0.5)
	near(t, "rate", m.Rate(), 3*5./7+2./7, 1e-15)
	// Fischer and Meier-Hellstern, Performance Evaluation 18, 1993: the variation
	// of MMPP(2); its correlations fall by the determinant of (-D0)^-1 D1.
	near(t, "scv", m.SCV(), 1+2*0.2*0.5*4/(0.7*0.7*(3+3*0.5+0.2)), 1e-14)
	c := m.LagCorrelations(4)
	factor := 3 * 1 / (3.2*1.5 - 0.2*0.5)
	for i := range 3 {
		near(t, "decay", c[i+1]/c[i], factor, 1e-11)
	}
	p, err := FitTwoMoments(2, 3)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Renewal(p)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "renewal rate", r.Rate(), 0.5, 1e-14)
	near(t, "renewal scv", r.SCV(), 3, 1e-13)
	for _, c := range r.LagCorrelations(3) {
		if math.Abs(c) > 1e-14 {
			t.Errorf("a renewal process has correlation %g", c)
		}
	}
	for _, bad := range []struct {
		m    MAP
		want string
	}{
		{MAP{}, "both D0 and D1"},
		{MAP{scalar(-1), mat.NewDense(1, 2, nil)}, "D1 is 1 by 2"},
		{MAP{scalar(-1), scalar(2)}, "sums to 1"},
		{MAP{scalar(0), scalar(0)}, "no rate of arrival"},
		{MAP{mat.NewDense(2, 2, []float64{-1, 0, 0, -1}), mat.NewDense(2, 2, []float64{1, 0, 0, 1})}, "never leads to state"},
	} {
		if err := bad.m.Validate(); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("got %v, want %q", err, bad.want)
		}
		if !math.IsNaN(bad.m.Rate()) {
			t.Error("an invalid MAP has a rate")
		}
	}
}

// TestMPH1 is the formula of Pollaczek and Khinchine, and for the decay of the
// levels the root of the transform that is the caudal characteristic.
func TestMPH1(t *testing.T) {
	for _, load := range []float64{0.2, 0.9, 0.999, 0.99999} {
		for _, scv := range []float64{0.1, 0.4, 1, 7} {
			p, err := FitTwoMoments(1, scv)
			if err != nil {
				t.Fatal(err)
			}
			s, err := Queue{Poisson(load), p}.Solve(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			near(t, "mean waiting", s.MeanWaiting, load*(1+scv)/2/(1-load), 1e-14/(1-load)+1e-13)
			near(t, "idle", sum(s.Level(0)), 1-load, 1e-14/(1-load)+1e-13)
			// Levels decay as z^-n at the pole of their transform: z = LST(load (1-z)).
			z := 1 / s.QBD.Caudal
			near(t, "pole", real(p.LST(complex(load*(1-z), 0))), z, 1e-12)
			// The law of Little in distribution, E[N(N-1)] = load^2 E[T^2], with the
			// moments of waiting of Takacs.
			w := load * p.Moment(2) / 2 / (1 - load)
			w2 := 2*w*w + load*p.Moment(3)/3/(1-load)
			r1, r2 := w+1, w2+2*w+p.Moment(2)
			near(t, "second moment", s.Moment(2), load*load*r2+load*r1, 4e-14/(1-load)+1e-13)
		}
	}
}

// TestGIM1 is the renewal queue with exponential services: with z the root of
// z = LST(mu (1-z)) in (0,1), a customer finds n others with (1-z) z^n and the
// mean waiting is z/(mu (1-z)).
func TestGIM1(t *testing.T) {
	for _, scv := range []float64{0.2, 0.6, 5} {
		p, err := FitTwoMoments(1, scv)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Renewal(p)
		if err != nil {
			t.Fatal(err)
		}
		const mu = 1.25
		z := 0.5
		for range 400 {
			z = real(p.LST(complex(mu*(1-z), 0)))
		}
		s, err := Queue{a, Exponential(1 / mu)}.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		near(t, "caudal", s.QBD.Caudal, z, 1e-13)
		near(t, "mean waiting", s.MeanWaiting, z/mu/(1-z), 1e-12)
		near(t, "response", s.MeanResponse, 1/mu/(1-z), 1e-12)
	}
}

// TestPHPH1 solves E2/H2/1 also as a truncated chain.
func TestPHPH1(t *testing.T) {
	a, err := Renewal(Erlang(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := FitTwoMoments(0.5, 2)
	if err != nil {
		t.Fatal(err)
	}
	queue := Queue{a, p}
	s, err := queue.Solve(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	q, b, err := queue.blocks()
	if err != nil {
		t.Fatal(err)
	}
	pi := truncated(t, q, b.At, []int{2}, 150)
	mean := 0.0
	for i, x := range pi[2:] {
		mean += x * float64(i/4+1)
	}
	near(t, "mean number", s.Moment(1), mean, 1e-13)
	near(t, "response", s.MeanResponse, mean, 1e-13)
	near(t, "load", s.Load, 1-pi[0]-pi[1], 1e-13)
}

func TestMMs(t *testing.T) {
	for _, q := range []MMs{{0.5, 1, 1}, {9, 1, 10}, {199.9, 1, 200}, {2990, 1, 3000}, {3, 2.5, 2}} {
		s, err := q.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n, a := float64(q.Servers), q.Arrival/q.Service
		c := ErlangC(q.Servers, a)
		near(t, "waiting at all", s.Tail(q.Servers), c, 1e-11)
		near(t, "mean waiting", s.MeanWaiting, c/(n*q.Service-q.Arrival), 1e-11)
		near(t, "mean response", s.MeanResponse, s.MeanWaiting+1/q.Service, 1e-15)
		near(t, "mean busy", s.Load, a, 1e-15)
	}
	// Gross and Harris, "Fundamentals of Queueing Theory": M/M/3 with load 2.
	near(t, "ErlangC(3,2)", ErlangC(3, 2), 4./9, 1e-15)
	if ErlangC(2, 2) != 1 || !math.IsNaN(ErlangC(0, 1)) || ErlangC(4, 0) != 0 {
		t.Error("the ends of ErlangC are wrong")
	}
	var u *Unstable
	if _, err := (MMs{2, 1, 2}).Solve(context.Background()); !errors.As(err, &u) {
		t.Errorf("got %v", err)
	}
	for _, q := range []MMs{{-2, 1, 1}, {0, 1, 1}, {1, 0, 1}, {1, 2, 0}} {
		if _, err := q.Solve(context.Background()); err == nil || !strings.Contains(err.Error(), "give positive ones") {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

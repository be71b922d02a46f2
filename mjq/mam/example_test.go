package mam_test

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/mam"
)

func ExampleGTH() {
	// A machine works, waits for repair, is repaired.
	pi, err := mam.GTH(mat.NewDense(3, 3, []float64{
		-0.1, 0.1, 0,
		0, -2, 2,
		0.5, 0, -0.5,
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", pi)
	// Output: [0.8000 0.0400 0.1600]
}

// The server of an M/M/1 queue breaks down at rate 0.1 and is back at rate 1.
func ExampleQBD_Solve() {
	const arrive, serve, fail, mend = 0.5, 1.0, 0.1, 1.0
	q := mam.QBD{
		Up:    mat.NewDense(2, 2, []float64{arrive, 0, 0, arrive}),
		Local: mat.NewDense(2, 2, []float64{-arrive - serve - fail, fail, mend, -arrive - mend}),
		Down:  mat.NewDense(2, 2, []float64{serve, 0, 0, 0}),
	}
	s, err := q.Solve(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("R = %.4f\n", mat.Formatted(s.R, mat.Prefix("    ")))
	fmt.Printf("load %.3f, decay %.4f, drift %.4f\n", s.Load, s.Caudal, s.Drift)

	q.Up.Scale(2, q.Up)
	q.Local.Sub(q.Local, mat.NewDense(2, 2, []float64{arrive, 0, 0, arrive}))
	_, err = q.Solve(context.Background())
	var u *mam.Unstable
	if errors.As(err, &u) {
		fmt.Printf("load %.3f\n", u.Load)
	}
	// Output:
	// R = ⎡0.5000  0.0333⎤
	//     ⎣0.5000  0.3667⎦
	// load 0.550, decay 0.5786, drift -0.4091
	// load 1.100
}

// Two servers of different speed; a customer who finds both idle takes the fast
// one. Level 1 has two phases, fast or slow busy, and all others have one.
func ExampleBoundary_Solve() {
	const arrive, fast, slow = 1.0, 1.0, 0.5
	m := func(r, c int, x ...float64) *mat.Dense { return mat.NewDense(r, c, x) }
	q := mam.QBD{Up: m(1, 1, arrive), Local: m(1, 1, -arrive-fast-slow), Down: m(1, 1, fast+slow)}
	levels := []mam.Level{
		{Up: m(1, 2, arrive, 0), Local: m(1, 1, -arrive)},
		{
			Up:    m(2, 1, arrive, arrive),
			Local: m(2, 2, -arrive-fast, 0, 0, -arrive-slow),
			Down:  m(2, 1, fast, slow),
		},
		{Down: m(1, 2, slow, fast)}, // the server that ends leaves the other
	}
	sol, err := q.Solve(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	st, err := mam.Boundary{Levels: 2, At: func(n int) mam.Level { return levels[n] }}.Solve(context.Background(), q, sol)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("idle %.4f, one busy %.4f, both busy %.4f\n", st.Pi[0][0], st.Pi[1], st.Tail(2))
	fmt.Printf("mean number %.4f\n", st.Moment(1))
	// Output:
	// idle 0.2059, one busy [0.1471 0.1176], both busy 0.5294
	// mean number 2.3824
}

func ExampleQueue_Solve() {
	// Arrivals more regular than Poisson, services less regular.
	between, _ := mam.FitTwoMoments(1, 0.5)
	arrivals, _ := mam.Renewal(between)
	service, _ := mam.FitTwoMoments(0.8, 2)
	s, err := mam.Queue{Arrivals: arrivals, Service: service}.Solve(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean waiting %.4f, P(10 or more in the system) = %.4f\n", s.MeanWaiting, s.Tail(10))
	// Output: mean waiting 3.8669, P(10 or more in the system) = 0.1529
}

func ExampleMMs_Solve() {
	s, err := mam.MMs{Arrival: 9, Service: 1, Servers: 10}.Solve(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f = %.6f\n", s.Tail(10), mam.ErlangC(10, 9))
	fmt.Printf("mean waiting %.6f\n", s.MeanWaiting)
	// Output:
	// 0.668732 = 0.668732
	// mean waiting 0.668732
}

func ExampleErlangC() {
	// Twenty more servers at the same load.
	fmt.Printf("%.4f %.4f\n", mam.ErlangC(10, 9), mam.ErlangC(30, 27))
	// Output: 0.6687 0.4714
}

func ExampleFitThreeMoments() {
	p, err := mam.FitThreeMoments(10, 125, 8400, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d phases: %.6g %.6g %.6g\n", len(p.Alpha), p.Moment(1), p.Moment(2), p.Moment(3))
	_, err = mam.FitThreeMoments(1, 2, 3, 100)
	fmt.Println(err)
	// Output:
	// 6 phases: 10 125 8400
	// mam: moments 1, 2, 3 belong to no law of spread times: m2 must exceed m1^2 = 1 and m3 must exceed m2^2/m1 = 4
}

func ExamplePH_CDF() {
	// A repair of two stages that is skipped one time in four.
	p := mam.Erlang(2, 1)
	p.Alpha[0] = 0.75
	fmt.Printf("%.4f %.4f %.4f\n", p.CDF(0), p.CDF(1), p.CDF(10))
	fmt.Printf("mean %.4f, survival(20) = %.4g\n", p.Mean(), p.Survival(20))
	// Output:
	// 0.2500 0.6955 1.0000
	// mean 0.7500, survival(20) = 1.306e-16
}

func ExampleMax() {
	// The last of two tasks.
	p, err := mam.Max(mam.Exponential(1), mam.Exponential(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f\n", p.Mean())
	// Output: 2.333333
}

func ExampleMAP_LagCorrelations() {
	m := mam.MMPP2(3, 0.2, 0.05, 0.1)
	fmt.Printf("rate %.4f, scv %.4f, correlations %.4f\n", m.Rate(), m.SCV(), m.LagCorrelations(3))
	// Output: rate 2.0667, scv 4.8291, correlations [0.2614 0.1724 0.1136]
}

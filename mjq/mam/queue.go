package mam

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Queue is the queue with one server, room without end and first-come
// first-served order: MAP/PH/1. [Poisson] arrivals make it M/PH/1, [Renewal]
// ones PH/PH/1.
type Queue struct {
	Arrivals MAP
	Service  PH
}

// QueueSolution is the stationary law of a queue; the level is the number in
// the system.
type QueueSolution struct {
	*Stationary
	QBD *QBDSolution
	// Load is the mean number of busy servers, here the probability that the
	// server is busy.
	Load float64
	// MeanWaiting and MeanResponse are the mean times of a customer before
	// service and in the system, by Little's law.
	MeanWaiting, MeanResponse float64
}

// Solve finds the stationary law. For a phases of arrivals and b of service the
// QBD has a b phases. It fails with *Unstable if the load is 1 or more.
func (q Queue) Solve(ctx context.Context, opt ...Option) (*QueueSolution, error) {
	blocks, boundary, err := q.blocks()
	if err != nil {
		return nil, err
	}
	sol, err := blocks.Solve(ctx, opt...)
	if err != nil {
		return nil, err
	}
	st, err := boundary.Solve(ctx, blocks, sol)
	if err != nil {
		return nil, err
	}
	rate, service := q.Arrivals.Rate(), q.Service.Mean()
	waiting := sum(st.Above(1)) / rate
	return &QueueSolution{st, sol, rate * service, waiting, waiting + service}, nil
}

// blocks has the phases of arrivals and of service in pairs, from level 1 on;
// level 0 has those of arrivals alone.
func (q Queue) blocks() (QBD, Boundary, error) {
	if err := errors.Join(q.Arrivals.Validate(), q.Service.Validate()); err != nil {
		return QBD{}, Boundary{}, err
	}
	if q.Service.atom() > 0 {
		return QBD{}, Boundary{}, fmt.Errorf("mam: the initial probabilities of Service sum to %v; services of length 0 are not allowed, make it 1", sum(q.Service.Alpha))
	}
	a, _ := q.Arrivals.D0.Dims()
	b := len(q.Service.Alpha)
	start, end := mat.NewDense(1, b, q.Service.Alpha), column(q.Service.exits())
	var again, up, down, up0, down1 mat.Dense
	again.Mul(end, start)
	up.Kronecker(q.Arrivals.D1, identity(b))
	down.Kronecker(identity(a), &again)
	up0.Kronecker(q.Arrivals.D1, start)
	down1.Kronecker(identity(a), end)
	at := func(n int) Level {
		if n == 0 {
			return Level{Up: &up0, Local: q.Arrivals.D0}
		}
		return Level{Down: &down1}
	}
	return QBD{&up, both(q.Arrivals.D0, q.Service.A), &down}, Boundary{1, at}, nil
}

// MMs is the queue with Poisson arrivals of rate Arrival, Servers servers and
// exponential services of rate Service each.
type MMs struct {
	Arrival, Service float64
	Servers          int
}

// Solve finds the stationary law as that of a QBD with one phase and Servers
// boundary levels. It fails with *Unstable if the load is 1 or more.
func (q MMs) Solve(ctx context.Context) (*QueueSolution, error) {
	if !(q.Arrival > 0) || !(q.Service > 0) || q.Servers < 1 {
		return nil, fmt.Errorf("mam: M/M/s with arrival rate %v, service rate %v and %d servers; give positive ones", q.Arrival, q.Service, q.Servers)
	}
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	at := func(n int) Level {
		served := float64(n) * q.Service
		return Level{one(q.Arrival), one(-q.Arrival - served), one(served)}
	}
	blocks := QBD(at(q.Servers))
	sol, err := blocks.Solve(ctx)
	if err != nil {
		return nil, err
	}
	st, err := Boundary{q.Servers, at}.Solve(ctx, blocks, sol)
	if err != nil {
		return nil, err
	}
	waiting := st.Above(1)[0] / q.Arrival
	return &QueueSolution{st, sol, q.Arrival / q.Service, waiting, waiting + 1/q.Service}, nil
}

// ErlangC is the probability of waiting in M/M/s with s servers and offered load
// a, in Erlangs: 1 for a >= s, NaN for s < 1 or a < 0. It is built from the
// recursion of Erlang's loss formula over the servers, which stays in [0, 1] and takes some
// multiple of the root of a steps.
func ErlangC(s int, a float64) float64 {
	if s < 1 || !(a >= 0) {
		return math.NaN()
	}
	n := float64(s)
	if a >= n {
		return 1
	}
	// Below a, one step multiplies an error by about k/a: from so far down nothing is left
	// of that of the first value.
	k := max(0, int(a-12*math.Sqrt(a)))
	loss := 1.0
	if k > 0 {
		loss = 1 - float64(k)/a
	}
	for ; k < s && loss > 0; k++ {
		loss = a * loss / (float64(k+1) + a*loss)
	}
	return n * loss / (n - a*(1-loss))
}

package open

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/states"
	"github.com/mjqueue/mjq/mjq/mam"
)

// Counts is the stationary number of jobs under Markovian arrivals that leave the
// class of every job open.
type Counts struct {
	*space
	singles
	boundary *mam.Stationary
	Decay    float64 // P(N = n+1) / P(N = n) for large n
	Residual float64 // of the quasi-birth-and-death process, relative
	total    float64 // probability of the phases that are not frozen
}

// singles are batches that bring their jobs one by one, while services are frozen
// until the last has come. Watched only while they are not, the system is that in
// which the batch comes at once.
type singles struct {
	d0, d1 *mat.Dense
	frozen []bool // by phase
}

// takeApart has batches bring their jobs one by one.
func takeApart(a states.Arrivals) singles {
	type place struct{ phase, more int }
	at := map[place]int{}
	var list []place
	number := func(p place) int {
		i, ok := at[p]
		if !ok {
			i = len(list)
			at[p] = i
			list = append(list, p)
		}
		return i
	}
	fast := 0.0
	for j := range a.D0 {
		number(place{j, 0})
		fast = max(fast, -a.D0[j][j])
	}
	for _, e := range a.Events {
		for _, row := range e.Rates {
			for j, rate := range row {
				for more := 1; rate > 0 && more < e.Size; more++ {
					number(place{j, more})
				}
			}
		}
	}
	n := len(list)
	s := singles{mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), make([]bool, n)}
	for i, p := range list {
		if p.more > 0 {
			s.frozen[i] = true
			s.d1.Set(i, at[place{p.phase, p.more - 1}], fast)
			continue
		}
		for j, rate := range a.D0[p.phase] {
			if j != p.phase {
				s.d0.Set(i, at[place{j, 0}], rate)
			}
		}
		for _, e := range a.Events {
			for j, rate := range e.Rates[p.phase] {
				if rate > 0 {
					to := at[place{j, e.Size - 1}]
					s.d1.Set(i, to, s.d1.At(i, to)+rate)
				}
			}
		}
	}
	return s
}

// SolveCounts finds the number of jobs in the system: its level is the number of
// jobs, its phase the multiset of phases in service and the phase of the arrivals,
// batches taken apart (see singles). report is told what part is done. It fails like
// Solve.
func SolveCounts(ctx context.Context, x *states.Index, servers int, a states.Arrivals, report func(part float64)) (*Counts, error) {
	s := &Counts{space: newSpace(x, servers), singles: takeApart(a)}
	d := &drawer{space: s.space, starts: map[int][]start{}}
	far := s.level(d.build(s.most+1, 1), len(s.blocked), len(s.blocked))
	q := mam.QBD(far)
	qbd, err := q.Solve(ctx, mam.OnStep(func(step int, _ float64) { report(float64(step) / (doublings + float64(step))) }))
	if err != nil {
		return nil, err
	}
	at := func(n int) mam.Level {
		above, below := len(s.blocked), 0
		if n < s.most {
			above = len(s.space.level(n + 1))
		}
		if n > 0 {
			below = len(s.space.level(n - 1))
		}
		return s.level(d.build(n, 1), above, below)
	}
	if s.boundary, err = (mam.Boundary{Levels: s.most, At: at}).Solve(ctx, q, qbd); err != nil {
		return nil, err
	}
	s.Decay, s.Residual = qbd.Caudal, qbd.Residual
	for _, x := range append(s.boundary.Pi[:s.most:s.most], s.boundary.Above(0)) {
		s.total += s.live(x, 0, len(x))
	}
	return s, nil
}

// level has the rates of nodes for every phase of the arrivals.
func (s *Counts) level(l *level, above, below int) mam.Level {
	m, n := len(s.frozen), len(l.nodes)
	v := mam.Level{Up: mat.NewDense(n*m, above*m, nil), Local: mat.NewDense(n*m, n*m, nil)}
	if below > 0 {
		v.Down = mat.NewDense(n*m, below*m, nil)
	}
	for i := range n {
		for q, frozen := range s.frozen {
			row, out := i*m+q, 0.0
			put := func(to *mat.Dense, place int32, phase int, rate float64) {
				to.Set(row, int(place)*m+phase, rate)
				out += rate
			}
			for j, rate := range s.d1.RawRowView(q) {
				for _, e := range l.up.row(i) {
					put(v.Up, e.to, j, rate*e.rate)
				}
			}
			for j, rate := range s.d0.RawRowView(q) {
				put(v.Local, int32(i), j, rate)
			}
			for _, e := range l.local.row(i) {
				if !frozen {
					put(v.Local, e.to, q, e.rate)
				}
			}
			for _, e := range l.down.row(i) {
				if !frozen {
					put(v.Down, e.to, q, e.rate)
				}
			}
			v.Local.Set(row, row, -out)
		}
	}
	return v
}

// live sums x from i to k over the phases that are not frozen.
func (s *Counts) live(x []float64, i, k int) (sum float64) {
	for ; i < k; i++ {
		if !s.frozen[i%len(s.frozen)] {
			sum += x[i]
		}
	}
	return sum
}

// Factorials are the factorial moments of the jobs in the system and in line.
func (s *Counts) Factorials() (jobs, queue []float64) {
	jobs, queue = make([]float64, factorials-1), make([]float64, factorials-1)
	m := len(s.frozen)
	add := func(n, node int, p *[factorials]float64) {
		for k := range jobs {
			jobs[k] += factorial(k+1, float64(n), p) / s.total
			queue[k] += factorial(k+1, float64(n-s.jobs[node]), p) / s.total
		}
	}
	for n, x := range s.boundary.Pi[:s.most] {
		for i, node := range s.space.level(n) {
			add(n, node, &[factorials]float64{s.live(x, i*m, i*m+m)})
		}
	}
	p := make([][factorials]float64, len(s.blocked))
	for k := range factorials {
		x := s.boundary.Above(k)
		for i := range p {
			p[i][k] = s.live(x, i*m, i*m+m) * math.Gamma(float64(k+1))
		}
	}
	for i, node := range s.blocked {
		add(s.most, node, &p[i])
	}
	return jobs, queue
}

// Levels are P(N = n) for n below the given number.
func (s *Counts) Levels(most int) (out []float64) {
	for n := 0; n < most && n < s.most; n++ {
		out = append(out, s.live(s.boundary.Pi[n], 0, len(s.boundary.Pi[n]))/s.total)
	}
	x := s.boundary.Pi[s.most]
	for len(out) < most {
		out = append(out, s.live(x, 0, len(x))/s.total)
		next := make([]float64, len(x))
		for i, v := range x {
			floats.AddScaled(next, v, s.boundary.R.RawRowView(i))
		}
		x = next
	}
	return out
}

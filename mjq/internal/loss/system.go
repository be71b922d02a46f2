package loss

import (
	"errors"
	"fmt"
	"math"
)

// Class is a class of jobs.
type Class struct {
	Needs []int // units of each type of resource; one number where servers are alike
	// Load is the mean number of jobs in service if none were turned away: the rate of
	// arrivals, or of batches, times the mean service. Of users it is the mean service over
	// the mean time for which one thinks.
	Load  float64
	Users int    // 0: jobs come in a Poisson process
	Batch *Batch // nil: one by one
}

// Batch is the law of the number of jobs that come at once. They are let in one by one.
type Batch struct {
	Sizes []float64 // Sizes[n-1] is the probability of n jobs; nil for a geometric law
	Ratio float64   // of the geometric law (1-Ratio) Ratio^(n-1)
}

// mean is the mean size.
func (b *Batch) mean() (sum float64) {
	if b.Sizes == nil {
		return 1 / (1 - b.Ratio)
	}
	for n, p := range b.Sizes {
		sum += float64(n+1) * p
	}
	return sum
}

// System is what there is and who wants it.
type System struct {
	Units   []int // of each type
	Classes []Class
}

// mostCells is the most combinations of busy units that are listed.
const mostCells = 1 << 27

// Cells is the number of combinations of busy units.
func (s *System) Cells() float64 {
	n := 1.0
	for _, units := range s.Units {
		n *= float64(units) + 1
	}
	return n
}

// Bytes is the memory that the law takes.
func (s *System) Bytes() float64 { return 16 * s.Cells() }

// Law is the stationary law of the busy units.
type Law struct {
	*System
	// Busy are the probabilities of the combinations of busy units, the last type running
	// fastest; of one type, of so many busy servers.
	Busy  []float64
	steps []int // by type, cells from one unit to the next
}

// ErrBatches is the error for batches of several types of resources or beside users.
var ErrBatches = errors.New("batches are solved for one type of servers and without users")

// Solve finds the law. It takes as many operations as there are combinations times classes;
// a class of users or of batches with listed sizes multiplies by its jobs that fit at once.
func (s *System) Solve() (*Law, error) {
	if n := s.Cells(); n > mostCells {
		return nil, fmt.Errorf("%.3g combinations of busy units are more than %d", n, mostCells)
	}
	l := &Law{System: s, steps: make([]int, len(s.Units))}
	step := 1
	for r := len(s.Units) - 1; r >= 0; r-- {
		l.steps[r] = step
		step *= s.Units[r] + 1
	}
	var open, users []Class
	batches := false
	for _, c := range s.Classes {
		if c.Users > 0 {
			users = append(users, c)
		} else {
			open = append(open, c)
		}
		batches = batches || c.Batch != nil
	}
	switch {
	case batches && (len(users) > 0 || len(s.Units) > 1):
		return nil, ErrBatches
	case len(s.Units) == 1:
		l.Busy = alike(s.Units[0], open)
	default:
		l.Busy = l.typed(open)
	}
	for _, c := range users {
		l.Busy = l.with(l.Busy, c, usersLaw(c.Users, c.Load))
	}
	normalise(l.Busy)
	return l, nil
}

// normalise makes the sum 1.
func normalise(q []float64) {
	total := 0.0
	for _, v := range q {
		total += v
	}
	for j := range q {
		q[j] /= total
	}
}

// Blocked is the probability that a class finds too little free at a random time: of the
// jobs of a Poisson class the share that is turned away.
func (l *Law) Blocked(class int) float64 { return l.refused(l.Classes[class].Needs) }

// refused is the probability that so much is not free.
func (l *Law) refused(needs []int) (sum float64) {
	if len(l.Units) == 1 {
		for _, q := range l.Busy[max(0, l.Units[0]-needs[0]+1):] {
			sum += q
		}
		return min(1, sum)
	}
	for at, q := range l.Busy {
		if !l.fits(at, needs) {
			sum += q
		}
	}
	return min(1, sum)
}

// fits reports whether so much is free in a combination.
func (l *Law) fits(at int, needs []int) bool {
	for r, need := range needs {
		if at/l.steps[r]%(l.Units[r]+1) > l.Units[r]-need {
			return false
		}
	}
	return true
}

// BusyUnits is the mean number of busy units of a type.
func (l *Law) BusyUnits(r int) (mean float64) {
	for at, q := range l.Busy {
		mean += float64(at/l.steps[r]%(l.Units[r]+1)) * q
	}
	return mean
}

// usersLaw are the weights of 0 to n users in service if there were room for all.
func usersLaw(n int, load float64) []float64 {
	w := make([]float64, n+1)
	top := 0.0
	for k := range w {
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		w[k] = a - b - c + float64(k)*math.Log(load)
		top = max(top, w[k])
	}
	for k := range w {
		w[k] = math.Exp(w[k] - top)
	}
	return w
}

// with is the law with a class of users that has such weights.
func (l *Law) with(q []float64, c Class, weights []float64) []float64 {
	offset := 0
	for r, need := range c.Needs {
		offset += need * l.steps[r]
	}
	out := make([]float64, len(q))
	for at, v := range q {
		if v == 0 {
			continue
		}
		for k, w := range weights {
			if k > 0 && !l.fits(at, times(c.Needs, k)) {
				break
			}
			out[at+k*offset] += v * w
		}
	}
	return out
}

func times(needs []int, k int) []int {
	out := make([]int, len(needs))
	for r, n := range needs {
		out[r] = k * n
	}
	return out
}

package stream

import "math"

// bridge is a stationary Markov chain on the whole numbers whose state at any of
// them is found at once. States at multiples of 2^top are drawn first, and those
// between by halving: given the states i and j at the ends of an interval of 2^l
// steps, the one in the middle is k with a probability in proportion to
// A(i,k) A(k,j), A being the transition matrix of half as many steps. Where 2^top
// steps make the chain forget, states that far apart are independent; so a jump
// costs top+2 draws, and a step to the next number 2 on average. What periodic
// chains never forget is kept by a top of 62, which the numbers of jobs do not
// exceed.
//
// Coupling from the past would find the same law by composing maps of all states
// until they are constant. That takes as many steps as the chain remembers (a
// million, for bursts of a million jobs), and does not end for periodic chains.
type bridge struct {
	n       int
	start   []float64
	powers  [][]float64 // rows after rows of A for 2^l steps; l below top, or up to it if nothing is forgotten
	top     int
	forgets bool
}

// farthest is the level of the intervals that hold all jobs.
const farthest = 62

// newBridge squares the matrix until it forgets: 2 n³ operations a level.
func newBridge(start []float64, move [][]float64) *bridge {
	b := &bridge{n: len(start), start: start}
	var a []float64
	for _, row := range move {
		a = append(a, row...)
	}
	for ; b.top < farthest; b.top++ {
		if b.forgets = same(a, start); b.forgets {
			return b
		}
		b.powers = append(b.powers, a)
		a = squared(a, b.n)
	}
	b.powers = append(b.powers, a)
	return b
}

// same reports whether every row is the stationary law but for rounding.
func same(a, start []float64) bool {
	const rounding = 1e-12
	n := len(start)
	for at, p := range a {
		if want := start[at%n]; math.Abs(p-want) > rounding*want {
			return false
		}
	}
	return true
}

// squared is the transition matrix of twice as many steps. Only positive numbers
// are added, and what is near 1 on the diagonal is what the others leave, so that
// small probabilities keep their digits through all squarings.
func squared(a []float64, n int) []float64 {
	s := make([]float64, n*n)
	for i := range n {
		row := s[i*n : (i+1)*n]
		for k := range n {
			p := a[i*n+k]
			if p == 0 {
				continue
			}
			for j, q := range a[k*n : (k+1)*n] {
				row[j] += float64(p * q)
			}
		}
		others := 0.0
		for j, p := range row {
			if j != i {
				others += p
			}
		}
		if row[i] > 0.5 {
			row[i] = 1 - others
			continue
		}
		for j := range row {
			row[j] /= others + row[i]
		}
	}
	return s
}

// first is the state drawn with the given law by a number of (0, 1].
func first(weights []float64, u float64) int32 {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	x, sum := u*total, 0.0
	for k, w := range weights {
		if sum += w; sum >= x && w > 0 {
			return int32(k)
		}
	}
	return int32(len(weights) - 1)
}

// middle is the state halfway between i and j, which are 2^l steps apart.
func (b *bridge) middle(scratch []float64, l int, i, j int32, u float64) int32 {
	a := b.powers[l-1]
	scratch = scratch[:b.n]
	for k, p := range a[int(i)*b.n : (int(i)+1)*b.n] {
		scratch[k] = float64(p * a[k*b.n+int(j)])
	}
	return first(scratch, u)
}

// after is the state that many steps, 2^l, after i.
func (b *bridge) after(l int, i int32, u float64) int32 {
	return first(b.powers[l][int(i)*b.n:(int(i)+1)*b.n], u)
}

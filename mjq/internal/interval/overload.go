package interval

import (
	"math"

	"github.com/mjqueue/mjq/internal/check"
)

// crowding is a queue as its tails see it: it says which moments of the waits exist when
// services have heavy tails.
//
// With one server E[W^k] is finite if and only if E[σ^(k+1)] is (Kiefer and
// Wolfowitz, Trans. Amer. Math. Soc. 78, 1955, and 1956): a service of tail
// exponent β gives a wait of tail exponent β-1. With several servers one long job
// leaves the others to the rest, and if they manage it takes several at once to
// make a line: K of them give K(β-1), K being the fewest whose absence of servers
// makes the rest unstable (Scheller-Wolf, Operations Research 51, 2003, whose
// condition E[σ^((K+k)/K)] < ∞ is k < K(β-1); Foss and Korshunov, Mathematics of
// Operations Research 37, 2012, who prove the tail to be of this order). What is
// here carries this over to jobs of several servers and of several classes, with
// a bound from either side where K is not known.
type crowding struct {
	Servers int
	Needs   []int     // servers that a job holds, by class
	Index   []float64 // of the service, by class: E[σ^k] is finite for k below it
	Work    float64   // λ E[α σ], the mean number of busy servers
}

// Overload is the cheapest way to make long waits.
type Overload struct {
	// Index is an exponent κ such that E[W^k] is finite for k < κ; +Inf if all
	// moments are.
	Index float64
	Jobs  int // how many long jobs at once it takes
	Class int // of one of them
	// Sure is an exponent from which on E[W^k] is infinite; +Inf if none is known.
	Sure float64
}

// Bounds are between how many held servers the rest of them ceases to be stable:
// with fewer than few it surely is, with many it surely is not.
//
// While long jobs hold A servers, at least s - A - a + 1 of the others work as
// long as anybody waits, a being the largest need: fewer busy ones would let the
// head of the line start. If λ E[α σ] is below that the rest remains stable. If A
// exceeds s - λ E[α σ] it lacks servers; if A exceeds s - a it never serves the
// widest class.
func (s *crowding) Bounds() (few, many int) {
	widest := 0
	for _, need := range s.Needs {
		widest = max(widest, need)
	}
	free := float64(s.Servers-widest+1) - s.Work
	few = int(check.Whole(math.Ceil(free-1e-9*float64(s.Servers)), 1, math.MaxInt32))
	many = min(int(check.Whole(math.Floor(float64(s.Servers)-s.Work), 0, math.MaxInt32))+1, s.Servers-widest+1)
	return few, max(few, many)
}

// Least bounds the tail of the waits of a stable queue, the same for all classes:
// who waits, waits behind those before. Long waits need long jobs at once that hold so
// many servers that the rest is not stable; see Bounds. The chance that such a set is
// there, and lasts for x more, has the exponent Σ (β-1) over its jobs; Index is the
// least of these sums over sets of at least few servers, Sure the least over sets of one
// class of at least many. Cost: at most 4096 steps a class.
func (s *crowding) Least(few, many int) Overload {
	o := s.least(few)
	o.Sure = math.Inf(1)
	for c, index := range s.Index {
		o.Sure = min(o.Sure, math.Ceil(float64(many)/float64(s.Needs[c]))*(index-1))
	}
	return o
}

// scheduleCells is the most steps in which a number of servers is counted. With more
// servers a step is several, held rounded up and wanted rounded down.
const scheduleCells = 4096

// least is the set of long jobs that hold at least a given number of servers with the least
// sum of β-1.
func (s *crowding) least(servers int) Overload {
	step := 1 + (servers-1)/scheduleCells
	n := max(1, servers/step)
	sums, last := make([]float64, n+1), make([]int, n+1)
	held := func(c int) int { return (s.Needs[c] + step - 1) / step }
	for k := 1; k <= n; k++ {
		sums[k] = math.Inf(1)
		for c, index := range s.Index {
			if sum := sums[max(0, k-held(c))] + index - 1; sum < sums[k] {
				sums[k], last[k] = sum, c
			}
		}
	}
	o := Overload{Index: sums[n], Class: last[n]}
	if !math.IsInf(o.Index, 1) {
		for k := n; k > 0; k -= held(last[k]) {
			o.Jobs++
		}
	}
	return o
}

package saturated

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/states"
)

// named is the saturated chain with the class at the head of the line as part
// of the state, explored with a map and solved by elimination with pivots:
// nothing is shared with Chain.
type named struct {
	sys     states.System
	needs   []int
	classOf []int
	exit    []float64
	place   map[string]int
	list    []namedState
	rates   []map[int]float64
	done    []float64 // rate of completions
}

type namedState struct {
	counts []int
	head   int
}

func newNamed(sys states.System) *named {
	n := &named{sys: sys, place: map[string]int{}}
	for c, class := range sys.Classes {
		for i := range class.Alpha {
			exit := 0.0
			for _, v := range class.A[i] {
				exit -= v
			}
			n.needs, n.classOf, n.exit = append(n.needs, class.Need), append(n.classOf, c), append(n.exit, exit)
		}
	}
	n.draw(make([]int, len(n.needs)), 1, func(s namedState, _ float64) { n.number(s) })
	for i := 0; i < len(n.list); i++ {
		n.explore(i)
	}
	return n
}

func (n *named) number(s namedState) int {
	key := fmt.Sprint(s)
	i, ok := n.place[key]
	if !ok {
		i = len(n.list)
		n.place[key] = i
		n.list = append(n.list, s)
		n.rates, n.done = append(n.rates, map[int]float64{}), append(n.done, 0)
	}
	return i
}

func (n *named) free(counts []int) int {
	f := n.sys.Servers
	for k, c := range counts {
		f -= c * n.needs[k]
	}
	return f
}

// draw lets jobs of random classes start until one does not fit.
func (n *named) draw(counts []int, prob float64, visit func(namedState, float64)) {
	again := 0.0 // that the job drawn fits and is over at once
	for _, class := range n.sys.Classes {
		if class.Need <= n.free(counts) {
			again += class.Prob * instant(class)
		}
	}
	for c, class := range n.sys.Classes {
		n.enter(counts, c, prob*class.Prob/(1-again), visit)
	}
}

// begin starts a job of class c if it fits and draws on, or leaves it at the head.
func (n *named) begin(counts []int, c int, prob float64, visit func(namedState, float64)) {
	n.enter(counts, c, prob, visit)
	if at0 := instant(n.sys.Classes[c]); at0 > 0 && n.sys.Classes[c].Need <= n.free(counts) {
		n.draw(counts, prob*at0, visit)
	}
}

// enter is begin without the services that take no time.
func (n *named) enter(counts []int, c int, prob float64, visit func(namedState, float64)) {
	if n.sys.Classes[c].Need > n.free(counts) {
		visit(namedState{counts, c}, prob)
		return
	}
	for k, of := range n.classOf {
		if of != c {
			continue
		}
		first := k
		for first > 0 && n.classOf[first-1] == c {
			first--
		}
		if p := n.sys.Classes[c].Alpha[k-first]; p > 0 {
			more := append([]int(nil), counts...)
			more[k]++
			n.draw(more, prob*p, visit)
		}
	}
}

// instant is the probability that a service takes no time at all.
func instant(c states.Class) float64 {
	at0 := 1.0
	for _, p := range c.Alpha {
		at0 -= p
	}
	return max(0, at0-1e-15)
}

func (n *named) explore(i int) {
	s := n.list[i]
	for k, count := range s.counts {
		if count == 0 {
			continue
		}
		less := append([]int(nil), s.counts...)
		less[k]--
		rate := float64(count) * n.exit[k]
		n.done[i] += rate
		if rate > 0 {
			n.begin(less, s.head, rate, func(to namedState, r float64) { n.rates[i][n.number(to)] += r })
		}
		class := n.sys.Classes[n.classOf[k]]
		first := k
		for first > 0 && n.classOf[first-1] == n.classOf[k] {
			first--
		}
		for j, v := range class.A[k-first] {
			if first+j != k && v > 0 {
				to := append([]int(nil), less...)
				to[first+j]++
				n.rates[i][n.number(namedState{to, s.head})] += float64(count) * v
			}
		}
	}
}

// solve returns the throughput and E[Δ] just after a completion.
func (n *named) solve(t *testing.T) (throughput, relative float64) {
	size := len(n.list)
	q := mat.NewDense(size, size, nil)
	for i, row := range n.rates {
		for j, r := range row {
			q.Set(i, j, q.At(i, j)+r)
			q.Set(i, i, q.At(i, i)-r)
		}
	}
	var pi, delta mat.VecDense
	a, b := mat.DenseCopyOf(q.T()), mat.NewVecDense(size, nil)
	for j := range size {
		a.Set(0, j, 1)
	}
	b.SetVec(0, 1)
	if err := pi.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	for i, r := range n.done {
		throughput += pi.AtVec(i) * r
	}
	positive := 0.0
	for _, c := range n.sys.Classes {
		positive += c.Prob * (1 - instant(c))
	}
	for i, r := range n.done {
		b.SetVec(i, throughput-r)
		for j := range size {
			q.Set(i, j, q.At(i, j)+pi.AtVec(j))
		}
	}
	if err := delta.SolveVec(q, b); err != nil {
		t.Fatal(err)
	}
	return throughput / positive, n.afterCompletion(&pi, &delta) / throughput
}

// afterCompletion sums Δ over completions, told from changes of phase by doing
// them again.
func (n *named) afterCompletion(pi, delta *mat.VecDense) (sum float64) {
	for i, s := range n.list {
		for k, count := range s.counts {
			if rate := float64(count) * n.exit[k]; rate > 0 {
				less := append([]int(nil), s.counts...)
				less[k]--
				n.begin(less, s.head, rate*pi.AtVec(i), func(to namedState, r float64) {
					sum += r * delta.AtVec(n.place[fmt.Sprint(to)])
				})
			}
		}
	}
	return sum
}

// randomSystem has two to four classes on up to nine servers; laws are
// exponential, Erlang-2, hyperexponential or Coxian.
func randomSystem(rng *rand.Rand, exponential bool) states.System {
	s := states.System{Servers: 2 + rng.IntN(8)}
	k := 2 + rng.IntN(3)
	if !exponential {
		s.Servers, k = 2+rng.IntN(4), 2
	}
	sum := 0.0
	for range k {
		c := states.Class{Need: 1 + rng.IntN(s.Servers), Prob: 0.1 + rng.Float64()}
		mu := 0.2 + 3*rng.Float64()
		c.Alpha, c.A = []float64{1}, [][]float64{{-mu}}
		if !exponential {
			switch rng.IntN(3) {
			case 0:
				c.Alpha, c.A = []float64{1, 0}, [][]float64{{-mu, mu}, {0, -mu}}
			case 1:
				c.Alpha, c.A = []float64{0.3, 0.7}, [][]float64{{-mu, 0}, {0, -3 * mu}}
			case 2:
				c.Alpha, c.A = []float64{0.9, 0.1}, [][]float64{{-mu, mu / 3}, {mu / 9, -2 * mu}}
			}
		}
		sum += c.Prob
		s.Classes = append(s.Classes, c)
	}
	for i := range s.Classes {
		s.Classes[i].Prob /= sum
	}
	return s
}

package policychain

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mjqueue/mjq/mjq/internal/chain"
	"github.com/mjqueue/mjq/mjq/mam"
)

// directions are weights of the counts, the least of them 1, that may make a lyapunov
// function: those of the work, and the closest to them with which the weighted number of
// jobs clearly falls while all counts are large, whatever phases the servers stay in.
func (c *clipped) directions() (list [][]float64) {
	work, drifts := c.work(), c.drifts()
	if falls(work, drifts) > 0 {
		list = append(list, scaled(work))
	}
	best := 0.0
	grid(len(work), func(z []float64) { best = max(best, falls(times(work, z), drifts)) })
	var nearest []float64
	far := math.Inf(1)
	grid(len(work), func(z []float64) {
		if d := floats.Norm(z, 2); d > 0 && d < far && falls(times(work, z), drifts) > best/2 {
			nearest, far = times(work, z), d
		}
	})
	if nearest != nil {
		list = append(list, scaled(nearest))
	}
	return list
}

// times is the weights by factors with given logarithms.
func times(w, z []float64) []float64 {
	w = slices.Clone(w)
	for i := range w {
		w[i] *= math.Exp(z[i])
	}
	return w
}

// work is that of a job of each count.
func (c *clipped) work() []float64 {
	sums, line := make([]float64, len(c.kinds)), 0.0
	for _, s := range c.classes {
		if s.prob > 0 {
			sums[s.kind] += s.part * s.mean * float64(c.kinds[s.kind].need)
		}
	}
	for k, kind := range c.kinds {
		line += kind.prob * sums[k]
	}
	var list []float64
	for _, count := range c.counts {
		if count == theLine {
			list = append(list, line)
		} else {
			list = append(list, sums[count])
		}
	}
	return list
}

func scaled(w []float64) []float64 {
	least := slices.Min(w)
	w = slices.Clone(w)
	for i := range w {
		w[i] /= least
	}
	return w
}

// falls is how clearly a weighted sum falls along all vectors.
func falls(w []float64, vectors [][]float64) float64 {
	margin := math.Inf(1)
	for _, v := range vectors {
		sum, norm := 0.0, 0.0
		for i := range v {
			sum += w[i] * v[i]
			norm += math.Abs(w[i] * v[i])
		}
		margin = min(margin, -sum/norm)
	}
	return margin
}

// grid visits logarithms of factors, the first of them 0.
func grid(n int, visit func(z []float64)) {
	z := make([]float64, n)
	var fill func(i int)
	fill = func(i int) {
		if i >= n {
			visit(z)
			return
		}
		for k := -12; k <= 12; k++ {
			z[i] = float64(k) / 4
			fill(i + 1)
		}
	}
	fill(1)
}

// drifts are those of the counts, up to a factor, in the closed classes of the phases while
// all counts are without end.
func (c *clipped) drifts() (list [][]float64) {
	place := map[int32]int{}
	var inside []int32
	for i, s := range c.states {
		if !slices.ContainsFunc(c.counts, func(t tally) bool { return *t.of(s) < c.most }) {
			place[int32(i)] = len(inside)
			inside = append(inside, int32(i))
		}
	}
	if m, ok := c.rule.(maxWeight); ok {
		return c.weighed(m)
	}
	var jumps []jump
	var tilts []int32
	for from, i := range inside {
		for _, a := range c.arrows[c.start[c.row[i]]:c.start[c.row[i+1]]] {
			for _, e := range c.ends[a.first:a.last] {
				if to, ok := place[e.to]; ok {
					jumps = append(jumps, jump{from: from, to: to, base: a.rate})
					tilts = append(tilts, e.tilt)
				}
			}
		}
	}
	for _, class := range closed(len(inside), jumps) {
		if v := c.drift(class, jumps, tilts); v != nil {
			list = append(list, v)
		}
	}
	return list
}

// drift is that in a closed class; nil if it has too many phases.
func (c *clipped) drift(class []int, jumps []jump, tilts []int32) []float64 {
	if len(class) > MaxDense/2 {
		return nil
	}
	at := map[int]int{}
	for i, p := range class {
		at[p] = i
	}
	m := mat.NewDense(len(class), len(class), nil)
	for _, j := range jumps {
		if from, in := at[j.from]; in {
			add(m, from, at[j.to], j.base)
		}
	}
	pi, err := mam.GTH(chain.Balance(m))
	if err != nil {
		return nil
	}
	v := make([]float64, len(c.counts))
	for n, j := range jumps {
		from, in := at[j.from]
		if !in {
			continue
		}
		code := tilts[n]
		for i := range v {
			v[i] += pi[from] * j.base * float64(code%3-1)
			code /= 3
		}
	}
	return v
}

// weighed are the drifts under MaxWeight: for each way to serve that numbers of jobs without
// end may call for, arrivals less completions.
func (c *clipped) weighed(m maxWeight) (list [][]float64) {
	jobs, more, rates := make([]int, len(c.kinds)), make([]bool, len(c.kinds)), make([]float64, len(c.kinds))
	for k := range c.kinds {
		jobs[k], more[k] = c.servers+c.most, true
	}
	for _, s := range c.classes {
		rates[s.kind] += c.rate * s.prob
	}
	for _, served := range m.possible(jobs, more) {
		v := slices.Clone(rates)
		for k, n := range served {
			v[k] -= float64(n) * c.kinds[k].phases[0].exit
		}
		list = append(list, v)
	}
	return list
}

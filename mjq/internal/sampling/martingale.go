package sampling

import (
	"slices"

	"github.com/mjqueue/mjq/mjq/internal/estimate"
	"github.com/mjqueue/mjq/mjq/internal/stream"
	"github.com/mjqueue/mjq/mjq/law"
)

// martingale makes control variates whose coefficients a run need hardly fit. Let V be
// the work in the queue, divided by the servers, when a page of n jobs begins and V′ when
// it ends; let X_k = α_k σ_k/s - τ_k be what job k adds to it less what could be served
// until the next arrival, with mean μ, variance v and third cumulant κ₃; and B = Σ X_k.
// Then
//
//	Z₁ = B - nμ - (V′ - V)
//	Z₂ = 2V(B - nμ) + B² - nv - (nμ)² - (V′² - V²)
//	Z₃ = 3V²(B - nμ) + 3V(B² - nv - (nμ)²) + B³ - nκ₃ - 3nv·nμ - (nμ)³ - (V′³ - V³)
//
// have expectation 0 in the stationary queue, since V depends on earlier jobs only and
// the powers of V do not grow. Itô's formula says that Z₂ holds all of the randomness of
// Σ V, and Z₃ that of Σ V², where servers idle only when the queue is empty. The pieces
// enter in fixed proportions, whole pages at a time: with a coefficient each they would be
// fitted to the few largest jobs alone, and with the squares of single jobs in place of B²
// the products of two large jobs of one page would be missing.
//
// For each class c the level that its jobs meet is a control too: Σ (V+R_k) over its jobs k,
// with R_k the sum of X over the jobs of the page before k, less p_c times what all jobs are
// expected to meet; the same of the squares; and the number of its jobs less np_c.
type martingale struct {
	servers               float64
	mean, variance, third float64 // μ, v, κ₃
	need, probs           []float64
	cubes                 bool // Z₃ has a variance
	classes               int  // with controls of their own
	alone                 []bool
	near                  *Nearby // a smaller queue, whose controls stand before; nil: there is none
	before                int     // how many they are
	own                   []int   // of them, by class
	rest                  tail
}

// mostOwned is the most classes with controls of their own: the sums of a path grow with it.
const mostOwned = 64

// The first controls, and how many each class has.
const (
	z1 = iota
	z2
	z3
	broadest
	perClass = 3
)

// martingale is nil where the gaps depend on each other, or Z₂ has no variance.
func (s *System) martingale(alone []bool) *martingale {
	in := s.Input.Plain()
	if in.Gap == nil {
		return nil
	}
	m := &martingale{servers: float64(s.Servers), probs: s.Probs, alone: alone}
	tail := law.TailIndex(in.Gap)
	mean, second, third := 0.0, 0.0, 0.0
	for k, class := range in.Classes {
		need := s.need(k) / m.servers
		m.need = append(m.need, need)
		tail = min(tail, law.TailIndex(class.Service))
		mean += s.Probs[k] * need * class.Service.Mean()
		second += s.Probs[k] * need * need * law.Moment(class.Service, 2)
		third += s.Probs[k] * need * need * need * law.Moment(class.Service, 3)
	}
	if !(tail > 4) {
		return nil
	}
	m.cubes = tail > 6
	gap, gap2, gap3 := in.Gap.Mean(), law.Moment(in.Gap, 2), law.Moment(in.Gap, 3)
	m.mean = mean - gap
	m.variance = second - mean*mean + gap2 - gap*gap
	m.third = third - 3*mean*second + 2*mean*mean*mean - (gap3 - 3*gap*gap2 + 2*gap*gap*gap)
	if len(s.Needs) <= mostOwned {
		m.classes = len(s.Needs)
	}
	return m
}

// beside has the controls of a smaller queue stand before those of the martingale.
func (m *martingale) beside(n *Nearby, s *System) {
	m.near, m.before = n, n.controls(s)
	m.own, m.rest = n.places(s)
}

// number is how many control variates there are.
func (m *martingale) number() int { return m.before + broadest + perClass*m.classes }

// groups says which values of a path have which controls.
func (m *martingale) groups(row *Layout, classes, kinds int) (groups []estimate.Group) {
	z := func(i int) int { return m.before + i }
	waits, squares, waste := []int{z(z2)}, []int{z(z2), z(z3)}, []int{z(z1), z(z2)}
	if !m.cubes {
		squares = waits
	}
	if m.near != nil { // the first control is the look of the smaller queue; waste also follows the numbers of jobs of its classes
		waits, squares, waste = append(waits, 0), []int{0, m.rest.square}, append(waste, 0, m.rest.waste)
		for c := range classes {
			if m.near.Known[c].Kept && c < m.classes {
				waste = with(waste, z(broadest+perClass*c+2))
			}
		}
	}
	groups = append(groups, groupOf(row.All(Waiting), waits, squares, waste))
	for c := range classes {
		jobs, waits, squares := []int(nil), waits, squares
		switch at := z(broadest + perClass*c); {
		case m.alone != nil && m.alone[c]:
			waits, squares = nil, nil
		case m.near != nil && m.own[c] >= 0:
			waits, squares = []int{0, m.own[c]}, []int{0, m.rest.square, m.own[c]}
		case m.near == nil && c < m.classes:
			waits = []int{z(z2), at}
			if squares = []int{z(z2), z(z3), at + 1}; !m.cubes {
				squares = nil
			}
		}
		if c < m.classes && (m.alone == nil || !m.alone[c]) {
			count := z(broadest + perClass*c + 2)
			jobs, waits, squares = []int{count}, with(waits, count), with(squares, count)
		}
		groups = append(groups, groupOf(row.Class(Jobs, c), jobs, waits, squares))
	}
	for k := range kinds {
		groups = append(groups, groupOf(row.Kind(Waste, k), []int{z(z1), z(z2)}))
	}
	return groups
}

// with is a list and one more; there may be too many for one.
func with(list []int, more int) []int {
	if len(list) == estimate.MostOwn {
		return list
	}
	return append(list[:len(list):len(list)], more)
}

// groupOf is the group of values from an index on, each with its list of controls.
func groupOf(first int, lists ...[]int) estimate.Group {
	g := estimate.Group{First: first}
	for _, list := range lists {
		own := []int{}
		for _, control := range list {
			at := slices.Index(g.Controls, control)
			if at < 0 {
				at = len(g.Controls)
				g.Controls = append(g.Controls, control)
			}
			own = append(own, at)
		}
		g.Own = append(g.Own, own)
	}
	return g
}

// page is what the jobs of a path have brought, as the martingale takes it.
type page struct {
	begun        bool
	first, level float64 // V at the first look and at the last
	n, sum       float64 // jobs since, and B
	z            [3]float64
	jobs         float64    // of the path
	meet         [2]float64 // what they are expected to meet, and the squares
	met          []struct{ jobs, level, square float64 }
}

func (p *page) reset(m *martingale) {
	*p = page{met: p.met[:0]}
	for range m.classes {
		p.met = append(p.met, struct{ jobs, level, square float64 }{})
	}
}

// add enters jobs.
func (m *martingale) add(p *page, jobs []stream.Job) {
	level, sum := p.level, p.sum
	for i := range jobs {
		j := &jobs[i]
		if int(j.Class) < len(p.met) {
			c, v := &p.met[j.Class], level+sum
			c.jobs++
			c.level += v
			c.square += v * v
		}
		sum += m.need[j.Class]*j.Service - j.Gap
	}
	p.sum = sum
	p.n += float64(len(jobs))
}

// turnPage ends a page: the level of the queue is now this.
func (m *martingale) turnPage(p *page, level float64) {
	if !p.begun {
		p.first, p.level, p.begun = level, level, true
	}
	v, n, sum := p.level, p.n, p.sum
	d := n * m.mean
	x := sum - d
	square := sum*sum - n*m.variance - d*d
	p.z[0] += x
	p.z[1] += 2*v*x + square
	p.z[2] += 3*v*v*x + 3*v*square + sum*sum*sum - n*m.third - 3*n*m.variance*d - d*d*d
	pairs := n * (n - 1) / 2
	p.meet[0] += n*v + m.mean*pairs
	p.meet[1] += n*v*v + (2*v*m.mean+m.variance)*pairs + m.mean*m.mean*pairs*(2*n-1)/3
	p.jobs += n
	p.level, p.n, p.sum = level, 0, 0
}

// controls writes the control variates of the path so far.
func (m *martingale) controls(p *page, dst []float64) {
	v, first := p.level, p.first
	dst = dst[m.before:]
	dst[z1] = p.z[0] - (v - first)
	dst[z2] = p.z[1] - (v*v - first*first)
	dst[z3] = p.z[2] - (v*v*v - first*first*first)
	for c := range p.met {
		at, prob, met := dst[broadest+perClass*c:], m.probs[c], &p.met[c]
		at[0], at[1], at[2] = met.level-prob*p.meet[0], met.square-prob*p.meet[1], met.jobs-prob*p.jobs
	}
}

// HasMartingale reports whether the system has the controls that Few asks for.
func (s *System) HasMartingale() bool { return s.martingale(nil) != nil }
